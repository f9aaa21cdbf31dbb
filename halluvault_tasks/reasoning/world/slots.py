"""Which values things have: what is recorded for a subject and a property, and what speaks for or against it.

A slot is a subject and a property. What follows from its values, `reasoning.licence` says (semantics.md §1.1, §1.8).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.world.containment import sets
from halluvault_tasks.reasoning.world.naming import credits_alone
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil

VALUES_SEEN = """
SELECT p, s, concat_ws('/', kind, o, earliest, latest, amount, unit, text) AS value, o, earliest, latest
FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties)
UNION
SELECT p, s, CASE WHEN o IS NULL THEN 'deprecated ' || guid ELSE 'item/' || o END, o, NULL, NULL
FROM deprecated_value WHERE snapshot = :snapshot AND p = ANY(:properties)
"""
"""Distinct values of every rank and kind, unknown and no value included; bind :snapshot and :properties."""

_EVER = """
SELECT p, s, o FROM statement WHERE p = ANY(:properties) AND o IS NOT NULL
UNION SELECT p, s, o FROM deprecated_value WHERE p = ANY(:properties) AND o IS NOT NULL
"""

_ITEMS = f"""
SELECT p, s, o, min(sid) AS sid,
       bool_or(greatest(start_latest, end_latest, point_latest) > :limit) AS young
FROM statement st WHERE {usable.USABLE} AND p = ANY(:properties) GROUP BY p, s, o ORDER BY p, s, o
"""  # noqa: S608 (constants of this package)

_NONE = """
SELECT p, s, min(sid) AS sid FROM statement
WHERE snapshot = :snapshot AND kind = 'none' AND NOT hedged AND p = ANY(:properties) GROUP BY p, s
"""

_BOUNDS = """
SELECT p, s, sid, kind, earliest, latest, amount, unit, hedged FROM statement
WHERE snapshot = :snapshot AND kind IN ('time', 'quantity') AND p = ANY(:properties) ORDER BY p, s, sid
"""

_RENEWED = f"""
SELECT s FROM statement WHERE snapshot = :snapshot AND p IN {wd.RENEWALS}
UNION SELECT o FROM statement WHERE snapshot = :snapshot AND p IN {wd.RENEWALS} AND o IS NOT NULL
"""  # noqa: S608 (constants of this package)

_SEXES = f"""
SELECT DISTINCT s, o FROM statement WHERE snapshot = :snapshot AND p = {wd.SEX} AND o IS NOT NULL
AND s IN (SELECT o FROM statement WHERE snapshot = :snapshot AND p = ANY(:parents))
"""  # noqa: S608 (constants of this package)

_SECONDED = """
SELECT one.s, one.earliest, one.latest, other.earliest, other.latest
FROM statement one JOIN statement other ON other.snapshot = one.snapshot AND other.s = one.s
WHERE one.snapshot = :snapshot AND one.p = :p AND other.p = ANY(:others) AND NOT other.hedged
  AND one.earliest IS NOT NULL AND one.latest IS NOT NULL AND other.earliest IS NOT NULL AND other.latest IS NOT NULL
"""

_DESCRIBED = """
SELECT st.s, e.description, min(st.earliest), max(st.latest) FROM statement st
JOIN entity e ON e.snapshot = st.snapshot AND e.qid = st.s
WHERE st.snapshot = :snapshot AND st.p = :p AND e.description ~ '^[0-9]{4} [^0-9]'
GROUP BY st.s, e.description HAVING bool_and(st.earliest IS NOT NULL AND st.latest IS NOT NULL AND NOT st.hedged)
"""

_SPANS = """
SELECT st.s, e.description, st.p, st.earliest FROM statement st
JOIN entity e ON e.snapshot = st.snapshot AND e.qid = st.s
WHERE st.snapshot = :snapshot AND st.p = ANY(:ends) AND st.earliest IS NOT NULL
  AND e.description ~ '[0-9]{4} ?[-–] ?[0-9]{4}'
"""

_OLD_EVENTS = """
SELECT s FROM statement WHERE snapshot = :snapshot AND p = :event GROUP BY s
HAVING bool_and(kind = 'time' AND coalesce(latest <= :limit, false)) AND bool_or(NOT hedged)
"""


@dataclass(frozen=True)
class Functional:
    """An active functional property, and of which subjects it is one (semantics.md §1.1)."""

    place: bool = False
    event: int = 0
    classes: frozenset[int] | None = None
    """Types of which a subject must have one; None: any subject will do."""

    never: frozenset[int] = frozenset()
    """Types of which it may have none."""

    no_later_than: bool = False
    """A value bounds the event from above alone."""

    described: bool = False
    """A value in the year with which the subject's description begins, and no other, bounds it from below, too."""

    credited: bool = False
    """Of subjects alone whose description credits the one stated value."""

    seconded_by: frozenset[int] = frozenset()
    """Properties of which one must give the same year before a question depends on the date; empty: none needs to."""

    subjects: frozenset[int] = frozenset()
    """Of these alone it is one; empty: of any."""

    distinct: frozenset[int] = frozenset()
    """Values, and types of values, of which no two are one thing, whatever their types and names say."""

    @classmethod
    def of(cls, support: Mapping[str, Any]) -> "Functional":
        """As its rule tells (`Rule.support`)."""
        classes = support.get("classes")
        return cls(
            place=bool(support["place"]),
            event=int(support["event"]),
            classes=None if classes is None else frozenset(classes),
            never=frozenset(support.get("never", ())),
            subjects=frozenset(support.get("subjects", ())),
            distinct=frozenset(support.get("distinct", ())),
            no_later_than=bool(support.get("no_later_than")),
            described=bool(support.get("described")),
            credited=bool(support.get("credited")),
            seconded_by=frozenset(support.get("seconded_by", ())),
        )


class Known(NamedTuple):
    """What is recorded for one subject and property, at every rank, hedged or not."""

    distinct: int
    """Distinct values of any kind; unknown and no value count."""

    items: dict[int, int]
    """Item values that may ground an answer (not hedged, not deprecated) → statement id."""

    young: frozenset[int] = frozenset()
    """Statement ids that began within the recording lag, or later."""

    none_sid: int = 0
    """Statement of "no value"."""


@dataclass(frozen=True)
class Bounds:
    """The dates or numbers known for one subject and property."""

    sid: int
    """The least of their statements."""

    distinct: int
    """Distinct values of any kind and rank; unknown and no value count."""

    spans: tuple[tuple[int | None, int | None], ...] = ()
    """The distinct dates, as their first and last possible days."""

    amount: Decimal | None = None
    """A number; of several the last."""

    unit: int | None = None
    hedged: bool = False
    """One of them is said with a doubt."""


@dataclass(frozen=True, eq=False)
class Slots:
    """What is recorded of subjects and properties, and what is known of the properties."""

    functional: Mapping[int, Functional] = field(default_factory=dict)
    asymmetric: frozenset[int] = frozenset()
    irreflexive: frozenset[int] = frozenset()
    known: Mapping[tuple[int, int], Known] = field(default_factory=dict)
    """(p, s) → what is recorded in this snapshot."""

    seen: Mapping[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    """(p, s) → items recorded in any month at any rank."""

    bounds: Mapping[tuple[int, int], Bounds] = field(default_factory=dict)
    recorded: int = 10**9
    """Last day before the recording lag; a date after it denies nothing."""

    young_events: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose event has a date within the recording lag, or none, or one that may lie there."""

    seconded: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose value another statement of the snapshot, or the description, supports (`Functional.seconded_by`,
    `Functional.described`, `Functional.credited`)."""

    disputed: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose date differs from the span in the description, whose other end is right: Stalin, 1878 to 1953."""

    renewed: frozenset[int] = frozenset()
    """Items that follow or replace another, or are followed or replaced (P155, P156, P1365, P1366): of what was
    founded again or renamed there is more than one founding."""

    sexes: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Father or mother → the sexes stated (P21), with a doubt or not."""

    # Memory, which `dataclasses.replace` does not take over: other slots are worked out anew.
    _members: dict[int, Counter[int]] = field(default_factory=dict, init=False)

    @cached_property
    def _subjects(self) -> Mapping[int, list[int]]:
        return _by_property(self.known)

    @cached_property
    def _subjects_ever(self) -> Mapping[int, list[int]]:
        return _by_property(self.seen)

    def subjects(self, p: int) -> list[int]:
        """Subjects of which anything is recorded for a property, ascending."""
        return self._subjects.get(p, [])

    def subjects_ever(self, p: int) -> list[int]:
        """Subjects of which an item was recorded for a property in some month, ascending."""
        return self._subjects_ever.get(p, [])

    def members(self, p: int) -> Counter[int]:
        """Item → how many are stated to lie directly below it by p."""
        if p not in self._members:
            self._members[p] = Counter(o for subject in self.subjects(p) for o in self.known[p, subject].items)
        return self._members[p]

    def stated(self, p: int, s: int) -> Mapping[int, int]:
        """Item values of a slot that may ground an answer → statement id."""
        known = self.known.get((p, s))
        return known.items if known else {}

    def starts(self, p: int, s: int) -> list[int]:
        """First possible days of a slot's dates, as far as they have one."""
        bounds = self.bounds.get((p, s))
        return [earliest for earliest, _ in bounds.spans if earliest is not None] if bounds else []

    def ends(self, p: int, s: int) -> list[int]:
        """Last possible days of a slot's dates, as far as they have one."""
        bounds = self.bounds.get((p, s))
        return [latest for _, latest in bounds.spans if latest is not None] if bounds else []

    def ever_seen(self, p: int, s: int, o: int) -> bool:
        """(s, p, o) was recorded in some month at some rank, hedged or not."""
        return o in self.seen.get((p, s), ())


def _by_property(slots: Iterable[tuple[int, int]]) -> Mapping[int, list[int]]:
    subjects: dict[int, list[int]] = defaultdict(list)
    for p, s in sorted(slots):
        subjects[p].append(s)
    return subjects


class Ruled(NamedTuple):
    """What the rules of a snapshot say of its properties."""

    functional: Mapping[int, Functional]
    asymmetric: frozenset[int]
    irreflexive: frozenset[int]
    checked: frozenset[int]
    """Of which people found statements to be false."""

    listed: frozenset[int] = frozenset()
    """Whose objects are counted."""

    @property
    def properties(self) -> list[int]:
        """All of them, ascending."""
        return sorted(self.functional.keys() | self.asymmetric | self.irreflexive | self.checked | self.listed)


def load(session: Session, snapshot: str, ruled: Ruled, entities: Iterable[Row[Any]], lag: int) -> Slots:
    """Read what is recorded, in a few queries.

    Args:
        session: open session.
        snapshot: key of a snapshot whose rules are typed.
        ruled: the properties that are asked about.
        entities: `naming.entities` of it.
        lag: days by which Wikidata may record late.
    """
    day = usable.today(session, snapshot)
    limit = day - lag
    bind = {"snapshot": snapshot, "today": day, "limit": limit, "properties": ruled.properties}
    known = _known(session, bind)
    seen: dict[tuple[int, int], frozenset[int]] = {}
    for p, s, o in session.execute(text(_EVER), bind).all():
        # Nearly every slot has had one value alone: no set is built to be copied.
        seen[p, s] = seen[p, s] | {o} if (p, s) in seen else frozenset((o,))
    by_qid = {row.qid: row for row in entities}
    return Slots(
        functional=ruled.functional,
        asymmetric=ruled.asymmetric,
        irreflexive=ruled.irreflexive,
        known=known,
        seen=seen,
        bounds=_bounds(session, bind, known),
        recorded=limit,
        young_events=_young_events(session, bind, ruled.functional, known),
        seconded=frozenset(
            (p, s)
            for p, property_ in ruled.functional.items()
            for s in (
                *(_seconded(session, bind, p, property_.seconded_by) if property_.seconded_by else ()),
                *(_described(session, bind, p) if property_.described else ()),
                *(_credited(known, p, by_qid) if property_.credited else ()),
            )
        ),
        disputed=frozenset(_disputed(session, bind)),
        renewed=frozenset(session.scalars(text(_RENEWED), bind)),
        sexes=sets(session.execute(text(_SEXES), {**bind, "parents": list(wd.PARENTS)}).tuples()),
    )


def _known(session: Session, bind: Mapping[str, Any]) -> dict[tuple[int, int], Known]:
    counted = f"SELECT p, s, count(*) AS n FROM ({VALUES_SEEN}) AS seen GROUP BY p, s"  # noqa: S608 (constants of this package)
    none = {(row.p, row.s): row.sid for row in session.execute(text(_NONE), bind)}
    # Rows are taken apart, not read by name: there are as many as statements.
    slots = {
        (slot := (p, s)): Known(n, {}, none_sid=none.get(slot, 0))
        for p, s, n in session.execute(text(counted), bind).all()
    }
    for p, s, o, sid, young in session.execute(text(_ITEMS), bind).all():
        known = slots[p, s]
        known.items[o] = sid
        if young:
            slots[p, s] = known._replace(young=known.young | {sid})
    return slots


def _bounds(
    session: Session, bind: Mapping[str, Any], known: Mapping[tuple[int, int], Known]
) -> dict[tuple[int, int], Bounds]:
    slots: dict[tuple[int, int], Bounds] = {}
    for p, s, sid, kind, earliest, latest, amount, unit, hedged in session.execute(text(_BOUNDS), bind).all():
        bounds = slots.get((p, s)) or Bounds(sid, known[p, s].distinct)
        spans = {*bounds.spans, (earliest, latest)} if kind == "time" else bounds.spans
        ordered = tuple(sorted(spans, key=lambda span: [(day is not None, day or 0) for day in span]))
        slots[p, s] = replace(bounds, spans=ordered, amount=amount, unit=unit, hedged=bounds.hedged or hedged)
    return slots


def _young_events(
    session: Session, bind: Mapping[str, Any], functional: Mapping[int, Functional], known: Iterable[tuple[int, int]]
) -> frozenset[tuple[int, int]]:
    """As `Slots.young_events`."""
    old = {
        p: frozenset(session.scalars(text(_OLD_EVENTS), {**bind, "event": property_.event}))
        for p, property_ in functional.items()
        if property_.event
    }
    return frozenset((p, s) for p, s in known if p in old and s not in old[p])


def _seconded(session: Session, bind: Mapping[str, Any], p: int, others: Iterable[int]) -> set[int]:
    """Subjects of which a statement of another property lies in the same year as that of p."""
    rows = session.execute(text(_SECONDED), {**bind, "p": p, "others": sorted(others)}).all()
    return {s for s, *days in rows if len({civil(day).year for day in days}) == 1}


def _described(session: Session, bind: Mapping[str, Any], p: int) -> set[int]:
    """Subjects all of whose dates lie in the year with which the description begins: "1975 film by …"."""
    rows = session.execute(text(_DESCRIBED), {**bind, "p": p}).all()
    return {s for s, told, first, last in rows if civil(first).year == civil(last).year == int(told[:4])}


def _credited(known: Mapping[tuple[int, int], Known], p: int, by_qid: Mapping[int, Row[Any]]) -> set[int]:
    """Subjects whose description credits the one value of p that they have, and nobody else."""
    alone = {
        s: next(iter(values.items))
        for (q, s), values in known.items()
        if q == p and values.distinct == len(values.items) == 1
    }
    return {
        s
        for s, o in alone.items()
        if (work := by_qid.get(s))
        and (maker := by_qid.get(o))
        and maker.label
        and credits_alone(work.description, (maker.label, *maker.aliases))
    }


def _disputed(session: Session, bind: Mapping[str, Any]) -> set[tuple[int, int]]:
    """Dates that differ from the span in their subject's description, where the other end of it is stated so."""
    years: dict[tuple[int, int], set[int]] = defaultdict(set)
    told: dict[int, dict[int, int]] = {}
    for s, description, p, earliest in session.execute(text(_SPANS), {**bind, "ends": sorted(wd.OTHER_END)}).all():
        years[p, s].add(civil(earliest).year)
        first, last = re.findall(r"(\d{4}) ?[-–] ?(\d{4})", description)[0]
        told[s] = dict.fromkeys(wd.ENDS, int(first)) | dict.fromkeys(wd.ENDS.values(), int(last))
    return {
        (p, s)
        for (p, s), stated in years.items()
        if told[s][p] not in stated and told[s][wd.OTHER_END[p]] in years.get((wd.OTHER_END[p], s), ())
    }
