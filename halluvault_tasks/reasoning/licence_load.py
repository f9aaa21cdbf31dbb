"""Loads what the licence needs to know about a snapshot, in a few set-based queries."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import checked_negatives, surroundings, usable
from halluvault_tasks.reasoning.credits import credits_alone
from halluvault_tasks.reasoning.kinds import CHECKED, CONVERSE, REFLEXIVE, WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import RuleKind
from halluvault_tasks.reasoning.licence_facts import Bounds, Functional, Known, LicenceFacts
from halluvault_tasks.reasoning.names import common_words, marks, words
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.slots import has_settled_date
from halluvault_tasks.reasoning.support import VALUES_SEEN
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil

DEFAULT_LAG_DAYS = 365

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

_NEIGHBOURS = """
SELECT s, o, p FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND o IS NOT NULL
UNION SELECT s, o, p FROM deprecated_value WHERE snapshot = :snapshot AND p = ANY(:properties) AND o IS NOT NULL
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


def _known(session: Session, bind: Mapping[str, Any]) -> dict[tuple[int, int], Known]:
    counted = f"SELECT p, s, count(*) AS n FROM ({VALUES_SEEN}) AS seen GROUP BY p, s"  # noqa: S608 (constants of this package)
    none = {(row.p, row.s): row.sid for row in session.execute(text(_NONE), bind)}
    # Rows are taken apart, not read by name: there are as many as statements.
    found = {
        (key := (p, s)): Known(n, {}, none_sid=none.get(key, 0))
        for p, s, n in session.execute(text(counted), bind).all()
    }
    for p, s, o, sid, young in session.execute(text(_ITEMS), bind).all():
        one = found[p, s]
        one.items[o] = sid
        if young:
            found[p, s] = one._replace(young=one.young | {sid})
    return found


def _bounds(
    session: Session, bind: Mapping[str, Any], known: Mapping[tuple[int, int], Known]
) -> dict[tuple[int, int], Bounds]:
    found: dict[tuple[int, int], Bounds] = {}
    for p, s, sid, kind, earliest, latest, amount, unit, hedged in session.execute(text(_BOUNDS), bind).all():
        one = found.get((p, s)) or Bounds(sid, known[p, s].distinct)
        spans = {*one.spans, (earliest, latest)} if kind == "time" else one.spans
        ordered = tuple(sorted(spans, key=lambda span: [(day is not None, day or 0) for day in span]))
        found[p, s] = replace(one, spans=ordered, amount=amount, unit=unit, hedged=one.hedged or hedged)
    return found


def load_licence_facts(session: Session, snapshot: str) -> LicenceFacts:
    """The snapshot as the licence sees it.

    Args:
        session: open session.
        snapshot: key of a snapshot whose rules are typed (`rule` rows say which properties are functional,
            asymmetric and irreflexive).

    Raises:
        UserError: there is no such snapshot, or its rules are not typed.
    """
    rules = [rule for rule in active_rules(session, snapshot) if not rule.kind.truth]
    ruled: dict[RuleKind, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for rule in rules:
        ruled[rule.kind][rule.conclusion.pid] = rule.support
    functional = {pid: _functional(support) for pid, support in ruled[WRONG_VALUE].items()}
    day = usable.today(session, snapshot)
    limit = day - max((int(rule.support["recording_lag_days"]) for rule in rules), default=DEFAULT_LAG_DAYS)
    properties = sorted({pid for of_one in ruled.values() for pid in of_one})
    bind = {"snapshot": snapshot, "today": day, "limit": limit, "properties": properties}

    known = _known(session, bind)
    seen: dict[tuple[int, int], frozenset[int]] = {}
    for p, s, o in session.execute(text(_EVER), bind).all():
        # Nearly every slot has had one value alone: no set is built to be copied.
        seen[p, s] = seen[p, s] | {o} if (p, s) in seen else frozenset((o,))

    near = session.execute(text(_NEIGHBOURS), {**bind, "properties": [*wd.ABOVE, *wd.BELOW, *wd.CONFUSABLE]}).all()
    up = [(s, o) for s, o, p in near if p in wd.ABOVE] + [(o, s) for s, o, p in near if p in wd.BELOW]
    links = [pair for s, o, p in near if p in wd.CONFUSABLE for pair in ((s, o), (o, s))]
    around = surroundings.load(session, snapshot)
    return replace(
        around.facts,
        functional=functional,
        asymmetric=frozenset(ruled[CONVERSE]),
        irreflexive=frozenset(ruled[REFLEXIVE]),
        known=known,
        seen=seen,
        bounds=_bounds(session, bind, known),
        tokens=_marks(around.entities),
        up=surroundings.sets(up),
        links=surroundings.sets(links),
        renewed=frozenset(session.scalars(text(_RENEWED), bind)),
        recorded=limit,
        seconded=frozenset(
            (pid, s)
            for pid, one in functional.items()
            for s in (
                *(_seconded(session, bind, pid, one.seconded_by) if one.seconded_by else ()),
                *(_described(session, bind, pid) if one.described else ()),
                *(_credited(known, pid, around.entities) if one.credited else ()),
            )
        ),
        disputed=frozenset(_disputed(session, bind)),
        checked=checked_negatives.load(session, ruled[CHECKED], day),
        time_bound=frozenset(pid for pid, support in ruled[CHECKED].items() if support["time_bound"]),
        young_events=_young_events(session, bind, functional, known),
        sexes=surroundings.sets(session.execute(text(_SEXES), {**bind, "parents": list(wd.PARENTS)}).tuples()),
    )


def _young_events(
    session: Session, bind: Mapping[str, Any], functional: Mapping[int, Functional], known: Iterable[tuple[int, int]]
) -> frozenset[tuple[int, int]]:
    """As `LicenceFacts.young_events`."""
    old = {
        pid: frozenset(session.scalars(text(_OLD_EVENTS), {**bind, "event": one.event}))
        for pid, one in functional.items()
        if one.event
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


def _credited(known: Mapping[tuple[int, int], Known], p: int, entities: Iterable[Row[Any]]) -> set[int]:
    """Subjects whose description credits the one value of p that they have, and nobody else."""
    by_qid = {one.qid: one for one in entities}
    alone = {
        s: next(iter(one.items)) for (q, s), one in known.items() if q == p and one.distinct == len(one.items) == 1
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
    ends = {p: other for pair in wd.ENDS.items() for p, other in (pair, pair[::-1])}
    years: dict[tuple[int, int], set[int]] = defaultdict(set)
    told: dict[int, dict[int, int]] = {}
    for s, description, p, earliest in session.execute(text(_SPANS), {**bind, "ends": sorted(ends)}).all():
        years[p, s].add(civil(earliest).year)
        first, last = re.findall(r"(\d{4}) ?[-–] ?(\d{4})", description)[0]
        told[s] = {one: int(first) for one in wd.ENDS} | {one: int(last) for one in wd.ENDS.values()}
    return {
        (p, s)
        for (p, s), stated in years.items()
        if told[s][p] not in stated and told[s][ends[p]] in years.get((ends[p], s), ())
    }


def _functional(support: Mapping[str, Any]) -> Functional:
    classes = support.get("classes")
    return Functional(
        bool(support["place"]),
        int(support["event"]),
        None if classes is None else frozenset(classes),
        frozenset(support.get("never", ())),
        bool(support.get("no_later_than")),
        bool(support.get("described")),
        bool(support.get("credited")),
        frozenset(support.get("seconded_by", ())),
    )


def _marks(entities: Iterable[Row[Any]]) -> dict[int, frozenset[str]]:
    named = [(row.qid, words(row.label), row.aliases) for row in entities if row.label]
    common = common_words(parts for _, parts, _ in named)
    return {qid: marks([parts, *map(words, aliases)], common) for qid, parts, aliases in named}


def settled_dates(session: Session, snapshot: str) -> Callable[[int, int], bool]:
    """Whether the date that an item (second) has for a property (first) is its only one and undisputed, as a function.

    Args and errors are those of `load_licence_facts`.
    """
    return partial(has_settled_date, load_licence_facts(session, snapshot))
