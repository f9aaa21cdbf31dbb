"""Load what the licence needs to know of a snapshot, in a few set-based queries."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import negatives, surroundings, usable
from halluvault_tasks.reasoning.licence_facts import DOWN, LINKS, UP, Bounds, Functional, Known, LicenceFacts
from halluvault_tasks.reasoning.names import common_words, marks, words
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.slots import has_one_date
from halluvault_tasks.reasoning.support import VALUES_SEEN

DEFAULT_LAG_DAYS = 365

_EVER = """
SELECT DISTINCT p, s, o FROM statement WHERE p = ANY(:properties) AND o IS NOT NULL
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

_RENEWED = """
SELECT s FROM statement WHERE snapshot = :snapshot AND p IN (155, 156, 1365, 1366)
UNION SELECT o FROM statement WHERE snapshot = :snapshot AND p IN (155, 156, 1365, 1366) AND o IS NOT NULL
"""

_OLD_EVENTS = """
SELECT s FROM statement WHERE snapshot = :snapshot AND p = :event GROUP BY s
HAVING bool_and(kind = 'time' AND coalesce(latest <= :limit, false)) AND bool_or(NOT hedged)
"""


def _known(session: Session, bind: Mapping[str, Any]) -> dict[tuple[int, int], Known]:
    counted = f"SELECT p, s, count(*) AS n FROM ({VALUES_SEEN}) AS seen GROUP BY p, s"  # noqa: S608 (constants of this package)
    # Rows are taken apart, not read by name: there are as many as statements.
    items: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    young: dict[tuple[int, int], set[int]] = defaultdict(set)
    for p, s, o, sid, is_young in session.execute(text(_ITEMS), bind).all():
        items[p, s][o] = sid
        if is_young:
            young[p, s].add(sid)
    none = {(row.p, row.s): row.sid for row in session.execute(text(_NONE), bind)}
    nothing: frozenset[int] = frozenset()
    return {
        (p, s): Known(
            n, items.get((p, s), {}), frozenset(young[p, s]) if (p, s) in young else nothing, none.get((p, s), 0)
        )
        for p, s, n in session.execute(text(counted), bind).all()
    }


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
    rules = [rule for rule in active_rules(session, snapshot) if rule.kind == "negation.value"]
    ruled: dict[str, dict[int, Mapping[str, Any]]] = {"": {}, "converse": {}, "reflexive": {}, "checked": {}}
    for rule in rules:
        ruled[rule.name.partition(f"P{rule.conclusion}:")[2]][rule.conclusion] = rule.support
    functional = {pid: _functional(support) for pid, support in ruled[""].items()}
    day = usable.today(session, snapshot)
    limit = day - max((int(rule.support["recording_lag_days"]) for rule in rules), default=DEFAULT_LAG_DAYS)
    properties = sorted({pid for of_one in ruled.values() for pid in of_one})
    bind = {"snapshot": snapshot, "today": day, "limit": limit, "properties": properties}

    known = _known(session, bind)
    seen: dict[tuple[int, int], set[int]] = defaultdict(set)
    for p, s, o in session.execute(text(_EVER), bind).all():
        seen[p, s].add(o)

    near = session.execute(text(_NEIGHBOURS), {**bind, "properties": [*UP, *DOWN, *LINKS]}).all()
    up = [(s, o) for s, o, p in near if p in UP] + [(o, s) for s, o, p in near if p in DOWN]
    links = [pair for s, o, p in near if p in LINKS for pair in ((s, o), (o, s))]
    around = surroundings.load(session, snapshot)
    old_events = {
        pid: frozenset(session.scalars(text(_OLD_EVENTS), {**bind, "event": one.event}))
        for pid, one in functional.items()
        if one.event
    }
    return replace(
        around.facts,
        functional=functional,
        asymmetric=frozenset(ruled["converse"]),
        irreflexive=frozenset(ruled["reflexive"]),
        known=known,
        seen={key: frozenset(values) for key, values in seen.items()},
        bounds=_bounds(session, bind, known),
        tokens=_marks(around.entities),
        up=surroundings.sets(up),
        links=surroundings.sets(links),
        renewed=frozenset(session.scalars(text(_RENEWED), bind)),
        recorded=limit,
        checked=negatives.load(session, ruled["checked"]),
        time_bound=frozenset(pid for pid, support in ruled["checked"].items() if support["time_bound"]),
        young_events=frozenset((p, s) for p, s in known if p in old_events and s not in old_events[p]),
    )


def _functional(support: Mapping[str, Any]) -> Functional:
    classes = support.get("classes")
    return Functional(
        bool(support["place"]),
        int(support["event"]),
        None if classes is None else frozenset(classes),
        frozenset(support.get("never", ())),
        bool(support.get("no_later_than")),
    )


def _marks(entities: Iterable[Row[Any]]) -> dict[int, frozenset[str]]:
    named = [(row.qid, words(row.label), row.aliases) for row in entities if row.label]
    common = common_words(parts for _, parts, _ in named)
    return {qid: marks([parts, *map(words, aliases)], common) for qid, parts, aliases in named}


def settled_dates(session: Session, snapshot: str) -> Callable[[int, int], bool]:
    """Whether the date that an item (second) has for a property (first) is known to be its only one, as a function.

    Args and errors are those of `load_licence_facts`.
    """
    return partial(has_one_date, load_licence_facts(session, snapshot))
