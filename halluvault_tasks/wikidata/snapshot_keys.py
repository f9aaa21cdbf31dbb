"""Snapshot keys: a month `2026-10`, or `2026-10.2` for the second pull of that month."""

import re
from datetime import date, timedelta
from typing import NamedTuple

from halluvault_tasks.errors import UserError

PATTERN = r"[0-9]{4}-(?:0[1-9]|1[0-2])(?:\.[1-9][0-9]?)?"
"""A whole key, for JSON schema and regular expressions alike; at most 99 pulls of a month."""

_KEY = re.compile(PATTERN)


class SnapshotKey(NamedTuple):
    """A parsed snapshot key."""

    month: str
    """`YYYY-MM`."""
    revision: int | None
    """Which pull of the month; None when the key names the month alone."""

    @property
    def row(self) -> str:
        """The key as in the tables: the first pull of a month has no suffix."""
        return self.month if self.revision in (None, 1) else f"{self.month}.{self.revision}"


def parse_key(key: str) -> SnapshotKey:
    """Read a snapshot key.

    Raises:
        UserError: it is neither `YYYY-MM` nor `YYYY-MM.N`.
    """
    stripped = key.strip()
    if not _KEY.fullmatch(stripped):
        raise UserError(f"snapshot {key!r} is neither YYYY-MM nor YYYY-MM.N", "for example 2026-10, or 2026-10.2")
    month, _, revision = stripped.partition(".")
    return SnapshotKey(month, int(revision) if revision else None)


def order(key: str) -> tuple[str, int]:
    """Sort key, month and number of the pull: as text, the tenth pull would come before the second.

    Raises:
        UserError: it is no key.
    """
    parsed = parse_key(key)
    return parsed.month, parsed.revision or 1


def last_closed_month(today: date) -> str:
    """The month before `today`'s, as `YYYY-MM`: the only one that a live source can still be read for."""
    return (today.replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
