"""The counts of a month's classes and properties, kept for as long as later months are judged by them.

They outlive the month's rows, so that retention leaves the past of a source.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.falls import YEAR, Fall, KeyCount, Past, YearCount, year_ago
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import key_count

_REMEMBERED = 24
"""Months of a past."""
_LATE = 6
"""A month so much older than a year still stands for the one a year ago, which may have been skipped."""

_HERE = [key_count.c[name] for name in KeyCount._fields]


def store(session: Session, snapshot: str, counts: Iterable[KeyCount], held: Sequence[Fall]) -> None:
    """Keep a month's counts, and what it holds back, in place of those that are there; the caller commits."""
    why = {(one.kind, one.key): one.words for one in held}
    session.execute(delete(key_count).where(key_count.c.snapshot == snapshot))
    rows = ((snapshot, *one, why.get((one.kind, one.key))) for one in counts)
    copy_rows(session, key_count, ("snapshot", *KeyCount._fields, "held"), rows)


def held(session: Session, snapshot: str) -> list[Fall]:
    """What a month holds back."""
    mine = (key_count.c.snapshot == snapshot, key_count.c.held.is_not(None))
    query = select(key_count.c.kind, key_count.c.key, key_count.c.held).where(*mine)
    return [Fall(*row) for row in session.execute(query.order_by(key_count.c.kind, key_count.c.key))]


def months_between(earlier: str, later: str) -> int:
    """Months from one `YYYY-MM` to another; at least 1, for a revision of the same month."""
    (y, m), (year, month) = (map(int, key[:7].split("-")) for key in (earlier, later))
    return max(1, 12 * (year - y) + month - m)


class SourcePast:
    """What is remembered of the months of a source before one of them.

    Args:
        session: open session; nothing is written.
        row: that month.
    """

    def __init__(self, session: Session, row: SnapshotRow) -> None:
        self._session, self._row = session, row
        before = [
            other
            for other in snapshots.listing(session)
            if other.source == row.source
            and other.status == "published"
            and (other.month, other.revision) < (row.month, row.revision)
        ]
        # Of a month that was pulled again its last pull.
        self._months = list({other.month: other for other in reversed(before)}.values())[-_REMEMBERED:]

    def past(self, least: int) -> Past:
        """What it lost from month to month, without what was held back."""
        return Past(([one for one, held_back in self._of(row) if not held_back] for row in self._months), least)

    def year(self, now: Iterable[KeyCount]) -> Mapping[tuple[str, int], YearCount]:
        """What there was a year ago, where that is known; `now` are this month's counts, not stored yet."""
        old = [row for row in self._months if YEAR <= months_between(row.month, self._row.month) <= YEAR + _LATE]
        if not old or not self._alike(old[-1]):
            return {}
        since = (one for row in self._months[self._months.index(old[-1]) + 1 :] for one in self._of(row))
        return year_ago(old[-1].month, (one for one, _ in self._of(old[-1])), since, now)

    def _alike(self, old: SnapshotRow) -> bool:
        """Whether seeds were found as they are now; before that was noted, they were."""
        then, now = (snapshots.notes(self._session, row.snapshot).get("complete", {}) for row in (old, self._row))
        return "asked" not in then or then["asked"]["seeds"] == now["asked"]["seeds"]

    @cached_property
    def _counts(self) -> dict[str, list[tuple[KeyCount, bool]]]:
        """By snapshot, each with whether it was held back."""
        query = select(key_count.c.snapshot, key_count.c.held.is_not(None), *_HERE)
        rows = self._session.execute(query.where(key_count.c.snapshot.in_([one.snapshot for one in self._months])))
        found: dict[str, list[tuple[KeyCount, bool]]] = defaultdict(list)
        for snapshot, held_back, *figures in rows:
            found[snapshot].append((KeyCount(*figures), held_back))
        return found

    def _of(self, row: SnapshotRow) -> list[tuple[KeyCount, bool]]:
        return self._counts.get(row.snapshot, [])
