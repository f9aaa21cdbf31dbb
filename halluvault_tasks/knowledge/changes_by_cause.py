"""What a month's classes, names and properties lost against an earlier month, by cause, counted in the database."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import CompoundSelect, Executable, Select, and_, case, func, literal, or_, select, union_all
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.falls import CLASS, NAMES, PROPERTY, CountedKind, KeyCount
from halluvault_tasks.knowledge.former_seeds import FormerSeeds
from halluvault_tasks.storage.tables import entity, redirect, statement

_STAYS = "stays"
_VALUE = ("kind", "earliest", "latest", "amount", "text")
"""What makes two statements of a subject say the same, besides the item."""


def counts(session: Session, snapshot: str, before: str, months: int) -> list[KeyCount]:
    """Every class, class's names and property of a month.

    Args:
        session: open session; nothing is written.
        snapshot: exact key.
        before: exact key of the earlier month; empty: there is none, and only rows are counted.
        months: from that one to this.
    """
    queries: list[tuple[CountedKind, Callable[[str, str, FormerSeeds], Executable]]] = [
        (CLASS, _classes),
        (PROPERTY, _properties),
    ]
    if before and snapshots.normaliser(session, before) == snapshots.normaliser(session, snapshot):
        queries.append((NAMES, _names))
    former = FormerSeeds.of_notes(snapshots.notes(session, snapshot))
    rows: dict[CountedKind, dict[int, int]] = {
        CLASS: _seeds(session, snapshot),
        PROPERTY: _statements(session, snapshot),
        NAMES: {},
    }
    found: list[KeyCount] = []
    for kind, query in queries:
        became = (
            [(one[0], one[1], one[2]) for one in session.execute(query(snapshot, before, former))] if before else []
        )
        found += _keyed(kind, rows[kind], became, months)
    return found


def _keyed(
    kind: CountedKind, rows: dict[int, int], became: Sequence[tuple[int, str, int]], months: int
) -> Iterator[KeyCount]:
    by_key: dict[int, dict[str, int]] = defaultdict(dict)
    for key, what, number in became:
        by_key[int(key)][what] = int(number)
    for key in sorted({*rows, *by_key}):
        causes = by_key.get(key, {})
        before, stay = sum(causes.values()), causes.pop(_STAYS, 0)
        yield KeyCount(kind.name, key, rows.get(key, stay), before, causes, months)


def _seeds(session: Session, snapshot: str) -> dict[int, int]:
    kind = func.unnest(entity.c.types).label("kind")
    rows = select(kind).where(entity.c.snapshot == snapshot, entity.c.seed).subquery()
    query = select(rows.c.kind, func.count()).group_by(rows.c.kind)
    return {int(key): int(number) for key, number in session.execute(query)}


def _statements(session: Session, snapshot: str) -> dict[int, int]:
    query = select(statement.c.p, func.count()).where(statement.c.snapshot == snapshot).group_by(statement.c.p)
    return {int(key): int(number) for key, number in session.execute(query)}


def _classes(snapshot: str, before: str, former: FormerSeeds) -> Select[int, str, int]:
    """Class, what became of seeds of it, how many."""
    then = (
        select(entity.c.qid, func.unnest(entity.c.types).label("kind"))
        .where(entity.c.snapshot == before, entity.c.seed)
        .subquery("then")
    )
    now, merged = entity.alias("now"), redirect.alias("merged")
    became = case(
        (and_(now.c.seed, then.c.kind == func.any(now.c.types)), _STAYS),
        (or_(merged.c.qid.is_not(None), then.c.qid.in_(former.merged)), "merged"),
        (and_(now.c.qid.is_(None), then.c.qid.in_(former.known)), "undrawn"),
        (now.c.qid.is_(None), "deleted"),
        (func.cardinality(now.c.types) == 0, "unanswered"),
        (then.c.kind == func.any(now.c.types), "undrawn"),
        else_="retyped",
    ).label("became")
    rows = (
        select(then.c.kind.label("key"), became)
        .select_from(
            then.outerjoin(now, and_(now.c.snapshot == snapshot, now.c.qid == then.c.qid)).outerjoin(
                merged, and_(merged.c.snapshot == snapshot, merged.c.qid == then.c.qid)
            )
        )
        .subquery("rows")
    )
    return select(rows.c.key, rows.c.became, func.count()).group_by(rows.c.key, rows.c.became)


def _names(snapshot: str, before: str, _: FormerSeeds) -> Select[int, str, int]:
    """Class, what became of the names of seeds that stand, how many."""
    then, now = entity.alias("then"), entity.alias("now")
    became = case(
        (now.c.label.is_(None), "unnamed"),
        (now.c.label != then.c.label, "renamed"),
        else_=_STAYS,
    ).label("became")
    rows = (
        select(func.unnest(then.c.types).label("key"), became)
        .join(now, and_(now.c.qid == then.c.qid, now.c.snapshot == snapshot, now.c.seed))
        .where(then.c.snapshot == before, then.c.seed, then.c.label.is_not(None))
        .subquery("rows")
    )
    return select(rows.c.key, rows.c.became, func.count()).group_by(rows.c.key, rows.c.became)


def _properties(snapshot: str, before: str, former: FormerSeeds) -> CompoundSelect[int, str, int]:
    """Property, what became of its statements, how many."""
    then, now = (statement.alias(name) for name in ("then", "now"))
    stays = now.c.guid.is_not(None)
    both = (
        select(then, stays.label("stays"))
        .select_from(
            then.outerjoin(now, and_(now.c.snapshot == snapshot, now.c.guid == then.c.guid, now.c.p == then.c.p))
        )
        .where(then.c.snapshot == before)
        .cte("both")
    )
    # Only what left is held against all that is said of its subject now.
    left = select(both).where(~both.c.stays).subquery("left_rows")
    other, known, target = statement.alias("other"), statement.alias("known"), redirect.alias("target")
    # By a new statement: who directed a film and wrote it is not stated to have written it by what is left.
    moved = and_(
        known.c.guid.is_(None),
        other.c.o.is_not_distinct_from(func.coalesce(target.c.target, left.c.o)),
        *(other.c[name].is_not_distinct_from(left.c[name]) for name in _VALUE),
    )
    said = func.count(other.c.sid).label("said")
    told = (
        select(left.c.guid, left.c.p, left.c.s, said, func.bool_or(moved).label("moved"))
        .select_from(
            left
            .outerjoin(other, and_(other.c.snapshot == snapshot, other.c.s == left.c.s))
            .outerjoin(known, and_(known.c.snapshot == before, known.c.guid == other.c.guid, known.c.p == other.c.p))
            .outerjoin(target, and_(target.c.snapshot == snapshot, target.c.qid == left.c.o))
        )
        .group_by(left.c.guid, left.c.p, left.c.s)
        .subquery("told")
    )
    merged, item = redirect.alias("merged"), entity.alias("item")
    became = case(
        (or_(merged.c.qid.is_not(None), told.c.s.in_(former.merged)), "merged"),
        (told.c.moved, "moved"),
        (item.c.qid.is_(None), "gone"),
        (told.c.said == 0, "unanswered"),
        else_="deleted",
    ).label("became")
    gone = (
        select(told.c.p.label("key"), became)
        .select_from(
            told.outerjoin(merged, and_(merged.c.snapshot == snapshot, merged.c.qid == told.c.s)).outerjoin(
                item, and_(item.c.snapshot == snapshot, item.c.qid == told.c.s, item.c.seed)
            )
        )
        .subquery("gone_rows")
    )
    stay = select(both.c.p, literal(_STAYS), func.count()).where(both.c.stays).group_by(both.c.p)
    return union_all(stay, select(gone.c.key, gone.c.became, func.count()).group_by(gone.c.key, gone.c.became))
