"""What has stood for two snapshots, and so may be asked about (semantics.md §3.4).

Vandalism and slips rarely live from one month to the next. A statement, label or description that the published
snapshot before does not have in the same form is left for the next month; the first month has nothing to be held
against and is flagged instead. Nor is anything asked that rests on a class or property that fell this month
(`knowledge.held_back`).
"""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import ColumnElement, FromClause, and_, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import held_back
from halluvault_tasks.knowledge.falls import Fall
from halluvault_tasks.storage.tables import entity, statement

_SAID = (
    "kind", "o", "earliest", "latest", "precision", "amount", "unit", "text", "start_earliest", "start_latest",
    "end_earliest", "end_latest", "point_earliest", "point_latest",
)  # fmt: skip
"""A statement's value and dates: what a question or its truth may rest on."""


def same_statement(now: FromClause, then: FromClause, before: str) -> ColumnElement[bool]:
    """Whether two rows of `statement` are one statement that says the same: GUID, value and dates.

    Args:
        now: an alias of `statement`.
        then: another, of the snapshot `before`.
        before: key.
    """
    return and_(
        then.c.snapshot == before,
        then.c.guid == now.c.guid,
        then.c.p == now.c.p,
        then.c.s == now.c.s,
        *(then.c[name].is_not_distinct_from(now.c[name]) for name in _SAID),
    )


class Stability:
    """Which of a snapshot's names and statements the snapshot before has too.

    Args:
        session: open session.
        snapshot: key.
        before: key of the snapshot that it is held against; empty: everything counts as survived (first month).
        held: what the month holds back.
    """

    def __init__(self, session: Session, snapshot: str, before: str, held: Sequence[Fall] = ()) -> None:
        self._session = session
        self._held = held
        self._snapshot = snapshot
        self._before = before
        self._renamed = self._new_names() if before else frozenset()
        self._known: dict[int, bool] = {}

    def _new_names(self) -> frozenset[int]:
        now, then = entity.alias("now"), entity.alias("then")
        same = and_(
            then.c.snapshot == self._before,
            then.c.qid == now.c.qid,
            then.c.label.is_not_distinct_from(now.c.label),
            then.c.description.is_not_distinct_from(now.c.description),
        )
        query = (
            select(now.c.qid)
            .join(then, same, isouter=True)
            .where(now.c.snapshot == self._snapshot, then.c.qid.is_(None))
        )
        return frozenset(self._session.scalars(query))

    def named(self, qids: Iterable[int]) -> bool:
        """Whether all these entities had the same label and description before."""
        return self._renamed.isdisjoint(qids)

    def stated(self, sids: Iterable[int]) -> bool:
        """Whether all these statements stood before, same GUID, same value and dates, and none is held back."""
        wanted = set(sids)
        self.ask(wanted)
        return not self._before or all(self._known[sid] for sid in wanted)

    def ask(self, sids: Iterable[int]) -> None:
        """Look many statements up at once, so that `stated` need not ask for each."""
        unknown = sorted(set(sids) - set(self._known))
        if not self._before or not unknown:
            return
        now, then = statement.alias("now"), statement.alias("then")
        query = select(now.c.sid).join(then, same_statement(now, then, self._before))
        if self._held:
            query = query.where(~held_back.resting_on(self._held, now, (self._snapshot, self._before)))
        survived = set(self._session.scalars(query.where(now.c.snapshot == self._snapshot, now.c.sid.in_(unknown))))
        self._known.update((sid, sid in survived) for sid in unknown)

    def held_back(self, guids: Collection[str]) -> frozenset[str]:
        """Of these statements, by their names, those that are held back."""
        if not self._held or not guids:
            return frozenset()
        of = held_back.resting_on(self._held, statement, (self._snapshot, self._before))
        query = select(statement.c.guid).where(statement.c.snapshot == self._snapshot, statement.c.guid.in_(guids), of)
        return frozenset(self._session.scalars(query))
