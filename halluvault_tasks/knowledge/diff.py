"""What changed between two snapshots, statement by statement, and counted by property."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import RowMapping, Select, and_, case, func, insert, literal, or_, select, union_all
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from halluvault_tasks.knowledge import snapshots, texts
from halluvault_tasks.storage.tables import entity, redirect, statement, statement_change
from halluvault_tasks.storage.tables import property as property_table
from halluvault_tasks.wikidata.days import civil

CHANGES = ("added", "removed", "value", "rank", "merged")
"""What can become of a statement; deprecation and its opposite count as removed and added."""

_VALUE = ("kind", "earliest", "latest", "precision", "amount", "amount_low", "amount_high")
_ITEMS = ("o", "unit")
_QUALIFIERS = (
    "start_earliest",
    "start_latest",
    "end_earliest",
    "end_latest",
    "point_earliest",
    "point_latest",
    "unknown_qualifiers",
    "absent_qualifiers",
    "hedged",
)


class PropertyDiff(NamedTuple):
    """Statements of one property, counted by what became of them; statements are matched by their names."""

    pid: int
    label: str
    added: int
    removed: int
    changed_value: int
    """Same name, another value or other dates in its qualifiers."""
    changed_rank: int
    """Between normal and preferred."""
    merged: int
    """Its subject or its value was merged into another item: the same fact under another number."""


class StatementChange(NamedTuple):
    """One statement that changed, as people read it."""

    change: str
    """One of `CHANGES`."""
    guid: str
    subject: str
    """`Paris (Q90)`."""
    before: str
    """What it said in the earlier snapshot; empty where it was not there."""
    after: str
    """What it says in the later one."""


def _changes(session: Session, before: str, after: str, *of: ColumnElement[bool]) -> Select[str, str, int, int]:
    """Columns change, guid, s, p: one row for each thing that became of a statement, of those that meet a condition.

    Where the two were made by different normalisers, texts are compared as the newer one makes them.
    """
    a = select(statement).where(statement.c.snapshot == before, *of).subquery("a")
    b = select(statement).where(statement.c.snapshot == after, *of).subquery("b")
    moved = select(redirect.c.qid, redirect.c.target).where(redirect.c.snapshot == after)
    subject, value, unit = moved.subquery("subject"), moved.subquery("value"), moved.subquery("unit")
    gone, new = b.c.guid.is_(None), a.c.guid.is_(None)
    both = and_(a.c.guid.is_not(None), b.c.guid.is_not(None))
    alike = snapshots.normaliser(session, before) == snapshots.normaliser(session, after)
    text_before, text_after = (version.c.text if alike else texts.cleaned(version.c.text) for version in (a, b))
    otherwise: ColumnElement[bool] = or_(
        *(a.c[name].is_distinct_from(b.c[name]) for name in (*_VALUE, *_QUALIFIERS)),
        text_before.is_distinct_from(text_after),
        func.coalesce(value.c.target, a.c.o).is_distinct_from(b.c.o),
        func.coalesce(unit.c.target, a.c.unit).is_distinct_from(b.c.unit),
    )
    elsewhere = or_(*(a.c[name].is_distinct_from(b.c[name]) for name in _ITEMS))
    joined = (
        select(
            case(
                (and_(gone, subject.c.qid.is_not(None)), "merged"),
                (gone, "removed"),
                (new, "added"),
                (otherwise, "value"),
                (elsewhere, "merged"),
            ).label("change"),
            and_(both, a.c.rank != b.c.rank).label("reranked"),
            func.coalesce(b.c.guid, a.c.guid).label("guid"),
            func.coalesce(b.c.s, a.c.s).label("s"),
            func.coalesce(b.c.p, a.c.p).label("p"),
        )
        .select_from(
            a
            .join(b, and_(a.c.guid == b.c.guid, a.c.p == b.c.p), full=True)
            .outerjoin(subject, subject.c.qid == a.c.s)
            .outerjoin(value, value.c.qid == a.c.o)
            .outerjoin(unit, unit.c.qid == a.c.unit)
        )
        .cte("joined")
    )
    either = union_all(
        select(joined.c.change, joined.c.guid, joined.c.s, joined.c.p).where(joined.c.change.is_not(None)),
        select(literal("rank"), joined.c.guid, joined.c.s, joined.c.p).where(joined.c.reranked),
    ).subquery("either")
    return select(either.c.change, either.c.guid, either.c.s, either.c.p)


def store(session: Session, before: str, after: str) -> int:
    """Keep what changed since the month before as rows of `statement_change`; the caller commits.

    Returns:
        How many there are.
    """
    session.execute(statement_change.delete().where(statement_change.c.snapshot == after))
    changed = _changes(session, before, after).subquery("changed")
    session.execute(
        insert(statement_change).from_select(
            ["snapshot", "change", "guid", "s", "p", "before"],
            select(literal(after), changed.c.change, changed.c.guid, changed.c.s, changed.c.p, literal(before)),
        )
    )
    return int(
        session.scalar(select(func.count()).select_from(statement_change).where(statement_change.c.snapshot == after))
        or 0
    )


def is_stored(session: Session, before: str, after: str) -> bool:
    """Whether `statement_change` holds just this comparison, with at least one row."""
    mine = (statement_change.c.snapshot == after, statement_change.c.before == before)
    return session.execute(select(statement_change.c.guid).where(*mine).limit(1)).first() is not None


def compare(session: Session, before: str, after: str) -> list[PropertyDiff]:
    """Compare two snapshots; properties without any change are left out, ascending by number.

    Read from `statement_change` where it was stored when the later one was frozen, else worked out now.

    Args:
        session: open session; nothing is written.
        before: exact key of the earlier snapshot.
        after: exact key of the later one.
    """
    if is_stored(session, before, after):
        changed = select(statement_change).where(statement_change.c.snapshot == after).subquery("changed")
    else:
        changed = _changes(session, before, after).subquery("changed")
    name = (
        select(func.min(property_table.c.label))
        .where(property_table.c.pid == changed.c.p, property_table.c.snapshot.in_([before, after]))
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            changed.c.p,
            func.coalesce(name, literal("")),
            *(func.count().filter(changed.c.change == change) for change in CHANGES),
        )
        .group_by(changed.c.p)
        .order_by(changed.c.p)
    )
    return [PropertyDiff(*row) for row in rows]


_SHOWN = ("kind", "o", "earliest", "latest", "precision", "amount", "text", "rank", "start_earliest", "end_latest")


def changes(session: Session, before: str, after: str, pid: int, most: int) -> list[StatementChange]:
    """The changed statements of one property, by subject and name.

    Args:
        session: open session; nothing is written.
        before: exact key of the earlier snapshot.
        after: exact key of the later one.
        pid: the property.
        most: at most so many.
    """
    changed = _changes(session, before, after, statement.c.p == pid).subquery("changed")
    sides = [
        select(statement).where(statement.c.snapshot == key, statement.c.p == pid).subquery(name)
        for key, name in ((before, "a"), (after, "b"))
    ]
    query = select(changed, *(side.c[name].label(f"{side.name}_{name}") for side in sides for name in _SHOWN))
    for side in sides:
        query = query.outerjoin(side, side.c.guid == changed.c.guid)
    ordered = query.order_by(changed.c.s, changed.c.guid, changed.c.change).limit(most)
    rows = session.execute(ordered).mappings().all()
    items = {row[column] for row in rows for column in ("s", "a_o", "b_o") if row[column] is not None}
    labels = {
        qid: label
        for qid, label in session.execute(
            select(entity.c.qid, entity.c.label)
            .where(entity.c.snapshot.in_([before, after]), entity.c.qid.in_(items))
            .order_by(entity.c.snapshot == after)
        )
        if label
    }
    return [
        StatementChange(
            row["change"],
            row["guid"],
            _item(row["s"], labels),
            _in_words(row, "a", labels),
            _in_words(row, "b", labels),
        )
        for row in rows
    ]


def _item(qid: int, labels: Mapping[int, str]) -> str:
    return f"{labels[qid]} (Q{qid})" if qid in labels else f"Q{qid}"


def _in_words(row: RowMapping, side: str, labels: Mapping[int, str]) -> str:
    """One side of a change in a few words; empty where the statement was not there."""
    value = {name: row[f"{side}_{name}"] for name in _SHOWN}
    if value["kind"] is None:
        return ""
    if value["kind"] == "item":
        words = _item(value["o"], labels)
    elif value["kind"] == "time":
        words = _span(value["earliest"], value["latest"])
    elif value["kind"] == "quantity":
        words = str(value["amount"])
    else:
        words = value["text"] or {"unknown": "unknown value", "none": "no value"}.get(value["kind"], value["kind"])
    if value["start_earliest"] is not None or value["end_latest"] is not None:
        words += f", {_span(value['start_earliest'], value['end_latest'])}"
    return words if value["rank"] == "normal" else f"{words} [{value['rank']}]"


def _span(first: int | None, last: int | None) -> str:
    days = ["…" if number is None else "{:04d}-{:02d}-{:02d}".format(*civil(number)) for number in (first, last)]
    return days[0] if days[0] == days[1] else " to ".join(days)
