"""What a snapshot says of every item, whatever is asked: types, containers, countries, ends."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.classes import below
from halluvault_tasks.reasoning.licence_facts import SETTLEMENT_TYPES, UNSETTLED_TYPES, LicenceFacts

_ENTITIES = "SELECT qid, types, label, aliases FROM entity WHERE snapshot = :snapshot"

_PRESENT = f"""
SELECT st.p, st.s, st.o, min(st.sid) AS sid FROM statement st WHERE {usable.PRESENT} AND st.p IN (131, 17)
GROUP BY st.p, st.s, st.o
"""  # noqa: S608 (constants of this package)

_COUNTRIES = """
SELECT s FROM (
    SELECT s, coalesce(o, 0) AS o FROM statement WHERE snapshot = :snapshot AND p = 17
    UNION SELECT s, coalesce(o, 0) FROM deprecated_value WHERE snapshot = :snapshot AND p = 17) AS seen
GROUP BY s HAVING count(*) = 1
"""

_LOCATED = "SELECT DISTINCT s FROM statement WHERE snapshot = :snapshot AND p = 131"

_CLASSES = """
SELECT DISTINCT s, o FROM statement WHERE snapshot = :snapshot AND p = 279 AND kind = 'item'
"""


class Surroundings(NamedTuple):
    """The licence's view as far as no property is asked about, and what else the same rows tell."""

    facts: LicenceFacts
    """Types, containment, countries, what is settled and what has ended."""

    entities: list[Row[Any]]
    """Item, types, label, aliases."""

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
    ended = frozenset(session.scalars(text(usable.OVER), bind))
    present: dict[int, dict[int, dict[int, int]]] = {131: defaultdict(dict), 17: defaultdict(dict)}
    for p, s, o, sid in session.execute(text(_PRESENT), bind).all():
        if o not in ended:  # what is over contains nothing any more, whether or not the statement says so
            present[p][s][o] = sid
    types = {qid: frozenset(kinds_) for qid, kinds_, _, _ in entities}
    facts = LicenceFacts(
        types=types,
        classes=frozenset().union(*types.values()),
        inside=dict(present[131]),
        located=frozenset(session.scalars(text(_LOCATED), bind)),
        countries=dict(present[17]),
        settled=frozenset(
            qid for qid in alone if not kinds.isdisjoint(types.get(qid, ())) and others.isdisjoint(types.get(qid, ()))
        ),
        ended=ended,
    )
    return Surroundings(facts, entities, classes, others)
