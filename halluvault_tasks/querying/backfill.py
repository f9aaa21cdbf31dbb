"""Which months a backfill covers: one, a list, a range, or all that have a benchmark."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.storage.tables import benchmark
from halluvault_tasks.wikidata.keys import parse_key

ALL = "all"
_BETWEEN = ".."
_FORMS = "give YYYY-MM, YYYY-MM.N, a list 2026-01,2026-03, a range 2026-01..2026-10, or all"


def months(session: Session, wanted: str) -> list[str]:
    """Exact snapshot keys, oldest first.

    Args:
        session: open session.
        wanted: empty for the newest published month; one key or several with commas, a range of months with both ends
            in it, or `all`. A month means its highest published revision; what a range or `all` covers are the months
            that have a published benchmark.

    Raises:
        UserError: a key that is none, a month that does not exist, or a range without one.
    """
    if not wanted.strip():
        return [snapshots.find(session).snapshot]
    found: dict[str, None] = {}
    for part in filter(None, (piece.strip() for piece in wanted.split(","))):
        if part == ALL or _BETWEEN in part:
            found |= dict.fromkeys(_span(session, part))
        else:
            found[snapshots.find(session, part).snapshot] = None
    if not found:
        raise UserError(f"--snapshots {wanted!r} names no month", _FORMS)
    return sorted(found, key=_order)


def _span(session: Session, part: str) -> Sequence[str]:
    """The published benchmarks of a range, one a month."""
    first, last = "0000-00", "9999-99"
    if part != ALL:
        ends = part.split(_BETWEEN)
        if len(ends) != 2 or any(parse_key(end).revision is not None for end in ends):
            raise UserError(f"{part!r} is no range of months", _FORMS)
        first, last = (parse_key(end).month for end in ends)
        if first > last:
            raise UserError(f"the range {part!r} ends before it begins", f"did you mean {last}..{first}?")
    there = session.scalars(select(benchmark.c.snapshot).where(benchmark.c.published)).all()
    newest: dict[str, str] = {}
    for key in sorted(there, key=_order):
        if first <= parse_key(key).month <= last:
            newest[parse_key(key).month] = key
    if not newest:
        known = ", ".join(sorted(there, key=_order)) or "none"
        raise UserError(f"no month of {part} has a published benchmark; there are: {known}", _FORMS)
    return list(newest.values())


def _order(key: str) -> tuple[str, int]:
    """By month and number of the pull: as text, the tenth pull would stand before the second."""
    parsed = parse_key(key)
    return parsed.month, parsed.revision or 1
