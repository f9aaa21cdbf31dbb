"""The registered foils as rows, and what months say of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.reasoning.facts import relation_ids, relations
from halluvault_tasks.reasoning.following.waiting import MOST, FollowedMonth, waited
from halluvault_tasks.reasoning.measuring.classes import MeasuredClass, MeasuredFile
from halluvault_tasks.storage.tables import followed_foil, followed_month
from halluvault_tasks.wikidata.relation import Relation

_FOUND = """
WITH open AS (
    SELECT * FROM followed_foil WHERE source = :source AND as_of < :as_of AND (refuted IS NULL OR refuted = :snapshot)
), said AS (
    SELECT o.class, o.version, o.s, o.o, st.guid, coalesce(st.start_earliest, st.point_earliest) AS began
    FROM open o
    JOIN relation r ON r.id = o.relation AND r.kind = 'property'
    JOIN statement st ON st.snapshot = :snapshot AND st.p = r.properties[1] AND st.s = o.s AND st.o = o.o
    UNION ALL
    SELECT o.class, o.version, o.s, o.o, st.guid, coalesce(st.start_earliest, st.point_earliest)
    FROM open o
    JOIN derived_fact d ON d.snapshot = :snapshot AND d.relation = o.relation AND d.s = o.s AND d.o = o.o
    JOIN rule u ON u.snapshot = d.snapshot AND u.rule = d.rule AND u.kind <> 'negation.value'
    JOIN statement st ON st.snapshot = d.snapshot AND st.sid = d.evidence[1]
), found AS (
    SELECT s.class, s.version, s.s, s.o, min(s.guid) AS guid,
        bool_and(coalesce(s.began > o.as_of - DATE '0001-01-01' + 1, false)) AS later
    FROM said s JOIN open o USING (class, version, s, o) GROUP BY s.class, s.version, s.s, s.o
)
"""
_LOOK = text(
    _FOUND
    + """
UPDATE followed_foil f SET refuted = :snapshot, statement = found.guid, later = found.later FROM found
WHERE f.source = :source AND (f.class, f.version, f.s, f.o) = (found.class, found.version, found.s, found.o)
"""
)
_FORGET = text("""
UPDATE followed_foil SET refuted = NULL, statement = NULL, later = NULL WHERE source = :source AND refuted = :snapshot
""")
_OPEN = text("""
SELECT class, version, relation, count(*) AS followed,
    count(*) FILTER (WHERE refuted = :snapshot AND NOT later) AS refuted,
    count(DISTINCT s) FILTER (WHERE refuted = :snapshot AND NOT later) AS events
FROM followed_foil WHERE source = :source AND as_of < :as_of AND (refuted IS NULL OR refuted = :snapshot)
GROUP BY class, version, relation ORDER BY class, version
""")
_ADDED = text("""
SELECT count(DISTINCT s) AS subjects, (
    SELECT count(*) FROM (
        SELECT s, o FROM statement WHERE snapshot = :snapshot AND p = :p AND o IS NOT NULL
            AND coalesce(start_earliest, point_earliest, :before) <= :before
            AND s IN (SELECT s FROM statement WHERE snapshot = :previous AND p = :p)
        EXCEPT SELECT s, o FROM statement WHERE snapshot = :previous AND p = :p
    ) AS fresh) AS added
FROM statement WHERE snapshot = :previous AND p = :p
""")
_ADDED_DERIVED = text("""
SELECT count(DISTINCT s) AS subjects, (
    SELECT count(*) FROM (
        SELECT s, o FROM derived_fact WHERE snapshot = :snapshot AND relation = :relation
            AND s IN (SELECT s FROM derived_fact WHERE snapshot = :previous AND relation = :relation)
        EXCEPT SELECT s, o FROM derived_fact WHERE snapshot = :previous AND relation = :relation
    ) AS fresh) AS added
FROM derived_fact WHERE snapshot = :previous AND relation = :relation
""")


class FollowedClass(NamedTuple):
    """A class as its foils are registered."""

    name: str
    version: int


class ClassStanding(NamedTuple):
    """What is known of a class that is followed."""

    of: FollowedClass
    relation: Relation
    registered: int
    asked: int
    refuted: int
    """Foils, those that began to hold later left out."""
    months: tuple[FollowedMonth, ...]

    def closed(self, missing: float) -> str:
        """Why the class is closed; empty: it is not."""
        if any(month.at_once for month in self.months):
            most = max(self.months, key=lambda month: month.events)
            return (
                f"one month refuted foils of {most.events} subjects at once, of {most.followed} foils: a source changed"
            )
        found = waited(self.months, missing)
        if found.low > MOST:
            return f"at least {found.low:.2%} of its foils are false, above {MOST:.1%} ({found.events} were refuted)"
        return ""


def missing_of(measured: MeasuredClass) -> float:
    """True values that the source lacks, by subject with a value: the largest estimate, not its upper bound."""
    m = measured.m
    return max(value for value in (m.floor, m.recaptured, m.counted, m.composed) if value is not None)


def register(
    session: Session,
    row: SnapshotRow,
    of: FollowedClass,
    relation: Relation,
    pairs: Iterable[tuple[int, int]],
    *,
    asked: bool = False,
) -> int:
    """Register foils of a class, those that are there once more; commits nothing.

    Args:
        session: open session.
        row: the snapshot on which they were drawn.
        of: their class.
        relation: of its foils.
        pairs: subject and object.
        asked: whether a part asks them.

    Returns:
        How many were not there.
    """
    own = {
        "source": row.source, "class": of.name, "version": of.version, "snapshot": row.snapshot, "as_of": row.as_of,
        "relation": relation_ids(session, [relation])[relation], "asked": asked,
    }  # fmt: skip
    rows = [{**own, "s": s, "o": o} for s, o in sorted(set(pairs))]
    before = registered(session, row.source).get(of, 0)
    for at in range(0, len(rows), 1000):
        statement = insert(followed_foil).values(rows[at : at + 1000])
        if asked:
            statement = statement.on_conflict_do_update(index_elements=followed_foil.primary_key, set_={"asked": True})
        else:
            statement = statement.on_conflict_do_nothing()
        session.execute(statement)
    return registered(session, row.source).get(of, 0) - before


def registered(session: Session, source: str) -> dict[FollowedClass, int]:
    """Class → its registered foils."""
    c = followed_foil.c
    query = select(c["class"], c.version, func.count()).where(c.source == source).group_by(c["class"], c.version)
    return {FollowedClass(name, version): number for name, version, number in session.execute(query)}


def look(session: Session, row: SnapshotRow, previous: SnapshotRow) -> None:
    """Find out which foils a month states or derives, and write what it says of each class; commits nothing.

    The same month again changes nothing.

    Args:
        session: open session.
        row: a snapshot that is derived.
        previous: the one of its source before it, whose statements are there.
    """
    named = {"source": row.source, "snapshot": row.snapshot, "as_of": row.as_of}
    session.execute(_FORGET, named)
    session.execute(_LOOK, named)
    years = (row.as_of - previous.as_of).days / 365.25
    for one in session.execute(_OPEN, named).all():
        added = _added(session, row, previous, one.relation)
        values = {
            "previous": previous.snapshot, "years": years, "followed": one.followed, "refuted": one.refuted,
            "events": one.events, "added": added.added, "subjects": added.subjects,
        }  # fmt: skip
        key = {"source": row.source, "class": one[0], "version": one.version, "snapshot": row.snapshot}
        made = insert(followed_month).values(**key, **values)
        session.execute(made.on_conflict_do_update(index_elements=followed_month.primary_key, set_=values))


class _Added(NamedTuple):
    """What a month has that the one before it had not, at subjects that had a value then."""

    subjects: int
    added: int


def _added(session: Session, row: SnapshotRow, previous: SnapshotRow, number: int) -> _Added:
    months = {"snapshot": row.snapshot, "previous": previous.snapshot}
    if pid := relations(session)[number].pid:
        return _Added._make(session.execute(_ADDED, {**months, "before": previous.as_of.toordinal(), "p": pid}).one())
    return _Added._make(session.execute(_ADDED_DERIVED, {**months, "relation": number}).one())


def standing(session: Session, source: str) -> list[ClassStanding]:
    """What is known of every class that is followed in a source."""
    m, f = followed_month.c, followed_foil.c
    months: dict[FollowedClass, list[FollowedMonth]] = defaultdict(list)
    columns = (m["class"], m.version, m.years, m.followed, m.refuted, m.events, m.added, m.subjects)
    for name, version, *figures in session.execute(
        select(*columns).where(m.source == source).order_by(m["class"], m.version, m.snapshot)
    ):
        months[FollowedClass(name, version)].append(FollowedMonth(*figures))
    counted = (
        select(
            f["class"], f.version, f.relation, func.count(), func.count().filter(f.asked),
            func.count().filter(f.refuted.is_not(None), ~f.later),
        )
        .where(f.source == source)
        .group_by(f["class"], f.version, f.relation)
        .order_by(f["class"], f.version)
    )  # fmt: skip
    found, known = [], relations(session)
    for name, version, number, registered_, asked, refuted in session.execute(counted):
        of = FollowedClass(name, version)
        found.append(ClassStanding(of, known[number], registered_, asked, refuted, tuple(months.get(of, ()))))
    return found


def closed(session: Session, source: str, measured: MeasuredFile) -> Mapping[str, str]:
    """Names of classes that following has closed → why. A new version of the nearness is another class."""
    classes = {FollowedClass(one.name, one.version): one for one in measured.classes}
    return {
        one.of.name: why
        for one in standing(session, source)
        if one.of in classes and (why := one.closed(missing_of(classes[one.of])))
    }
