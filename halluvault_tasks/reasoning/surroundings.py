"""What a snapshot says of every item, whatever is asked: types, containers, countries, ends."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.classes import below
from halluvault_tasks.reasoning.licence_facts import SETTLEMENT_TYPES, UNSETTLED_TYPES, LicenceFacts
from halluvault_tasks.wikidata import properties as wd

_SOVEREIGN = 3_624_078  # England is a country, and in the United Kingdom

_ENTITIES = "SELECT qid, types, label, aliases, description FROM entity WHERE snapshot = :snapshot"

_PRESENT = f"""
SELECT st.p, st.s, st.o, min(st.sid) AS sid FROM statement st WHERE {usable.PRESENT} AND st.p IN {wd.PLACING}
GROUP BY st.p, st.s, st.o
"""  # noqa: S608 (constants of this package)

_COUNTRIES = f"""
SELECT s FROM (
    SELECT s, coalesce(o, 0) AS o FROM statement WHERE snapshot = :snapshot AND p = {wd.COUNTRY}
    UNION SELECT s, coalesce(o, 0) FROM deprecated_value WHERE snapshot = :snapshot AND p = {wd.COUNTRY}) AS seen
GROUP BY s HAVING count(*) = 1
"""  # noqa: S608 (constants of this package)

_CLASSES = f"""
SELECT DISTINCT s, o FROM statement WHERE snapshot = :snapshot AND p = {wd.SUBCLASS_OF} AND kind = 'item'
"""  # noqa: S608 (constants of this package)


class Surroundings(NamedTuple):
    """The licence's view as far as no property is asked about, and what else the same rows tell."""

    facts: LicenceFacts
    """Types, containment, countries, what is settled and what has ended."""

    entities: list[Row[Any]]
    """Item, types, label, aliases, description."""

    classes: dict[int, frozenset[int]]
    """Class → the classes stated directly above it (P279), with a doubt or not."""

    unsettled: frozenset[int]
    """Types of waters, mountains, landforms and events."""


def sets(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Key → its values."""
    found: dict[int, set[int]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return {key: frozenset(values) for key, values in found.items()}


def load(session: Session, snapshot: str) -> Surroundings:
    """Read them, in a few queries.

    Args:
        session: open session.
        snapshot: key of a snapshot whose statements are in.
    """
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot)}
    entities = list(session.execute(text(_ENTITIES), bind))
    classes = sets(row for row in session.execute(text(_CLASSES), bind).all())
    kinds = below(SETTLEMENT_TYPES, classes)
    others = below(UNSETTLED_TYPES, classes)
    alone = set(session.scalars(text(_COUNTRIES), bind))
    ended = frozenset(usable.over(session, snapshot))
    present: dict[int, dict[int, dict[int, int]]] = {p: defaultdict(dict) for p in wd.PLACING}
    for p, s, o, sid in session.execute(text(_PRESENT), bind).all():
        if o not in ended:  # what is over contains nothing any more, whether or not the statement says so
            present[p][s][o] = sid
    types = {one.qid: frozenset(one.types) for one in entities}
    settled = frozenset(
        qid for qid in alone if not kinds.isdisjoint(types.get(qid, ())) and others.isdisjoint(types.get(qid, ()))
    )
    facts = LicenceFacts(
        types=types,
        classes=frozenset().union(*types.values()),
        inside=dict(present[wd.LOCATED_IN]),
        countries=dict(present[wd.COUNTRY]),
        settled=settled - _elsewhere(entities, settled, present[wd.COUNTRY], ended),
        ended=ended,
    )
    return Surroundings(facts, entities, classes, others)


def _elsewhere(
    entities: Iterable[Row[Any]],
    settled: Collection[int],
    stated: Mapping[int, Mapping[int, int]],
    ended: Collection[int],
) -> frozenset[int]:
    """Places whose description names another present country than the one that is stated of them.

    A source may hold one of several countries alone, and that the one of before: of Metz, a "commune in Moselle,
    France", the real file has Germany.
    """
    by_qid = {one.qid: one for one in entities}
    countries = [one for one in by_qid.values() if one.label and _SOVEREIGN in one.types and one.qid not in ended]
    if not countries:
        return frozenset()
    named = re.compile("|".join(rf"\b{re.escape(label)}\b" for label in sorted({one.label for one in countries})))
    found: set[int] = set()
    for place in settled:
        told = by_qid[place].description or ""
        (country,) = stated.get(place) or (0,)
        own = by_qid.get(country)
        names = {own.label, *own.aliases} - {None} if own else set()
        if named.search(told) and not any(re.search(rf"\b{re.escape(name)}\b", told) for name in names):
            found.add(place)
    return frozenset(found)
