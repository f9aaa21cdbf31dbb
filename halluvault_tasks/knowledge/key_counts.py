"""The counts of a month's classes and properties, kept for as long as later months are judged by them.

They outlive the month's rows, so that retention leaves the past of a source.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.falls import COUNTED, YEAR, Fall, KeyCount, Past, YearCount
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
        return Past(([one for one, why in self._of(row) if why is None] for row in self._months), least)

    def year(self, now: Iterable[KeyCount]) -> Mapping[tuple[str, int], YearCount]:
        """What there was a year ago, where that is known; `now` are this month's counts, not stored yet."""
        old = [row for row in self._months if YEAR <= months_between(row.month, self._row.month) <= YEAR + _LATE]
        if not old:
            return {}
        then = old[-1]
        known: Counter[tuple[str, int]] = Counter()
        for row in self._months[self._months.index(then) + 1 :]:
            for one, why in self._of(row):
                known[one.kind, one.key] += sum(one.causes.values()) if why is not None else _no_loss(one)
        for one in now:
            known[one.kind, one.key] += _no_loss(one)
        return {
            key: YearCount(one.rows, known[key], then.month)
            for one, _ in self._of(then)
            if COUNTED[one.kind].lasting
            for key in [(one.kind, one.key)]
        }

    def _of(self, row: SnapshotRow) -> list[tuple[KeyCount, str | None]]:
        if not hasattr(self, "_read"):
            query = select(key_count.c.snapshot, key_count.c.held, *_HERE)
            found = self._session.execute(query.where(key_count.c.snapshot.in_([one.snapshot for one in self._months])))
            self._read: dict[str, list[tuple[KeyCount, str | None]]] = defaultdict(list)
            for snapshot, why, *figures in found:
                self._read[snapshot].append((KeyCount(*figures), why))
        return self._read.get(row.snapshot, [])


def _no_loss(one: KeyCount) -> int:
    return one.of(cause for cause in COUNTED[one.kind].causes if not cause.falls)
