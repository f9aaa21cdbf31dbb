"""Reads what a snapshot knows."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.kinds import CHECKED, CONVERSE, EXCLUSIVE, LISTED, REFLEXIVE, WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import RuleKind
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World, containment, findings, lists, naming, slots, terms

DEFAULT_LAG_DAYS = 365


def load_world(session: Session, snapshot: str) -> World:
    """What a snapshot knows, in a few set-based queries.

    Args:
        session: open session.
        snapshot: key of a snapshot whose rules are typed (`rule` rows say which properties are functional,
            asymmetric and irreflexive).

    Raises:
        UserError: there is no such snapshot, or its rules are not typed.
    """
    active = active_rules(session, snapshot)
    rules = [rule for rule in active if not rule.kind.truth]
    support: dict[RuleKind, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for rule in rules:
        support[rule.kind][rule.conclusion.pid] = rule.support
    checked = support[CHECKED]
    ruled = slots.Ruled(
        {p: slots.Functional.of(figures) for p, figures in support[WRONG_VALUE].items()},
        frozenset(support[CONVERSE]),
        frozenset(support[REFLEXIVE]),
        frozenset(checked),
        frozenset(support[LISTED]),
    )
    back: dict[int, set[int]] = defaultdict(set)
    for rule in active:
        if rule.kind.reads_back:
            back[rule.conclusion.pid].add(rule.premises[0])
    listed = [lists.ListedProperty.of(p, figures, back[p]) for p, figures in sorted(support[LISTED].items())]
    lag = max((int(rule.support["recording_lag_days"]) for rule in rules), default=DEFAULT_LAG_DAYS)
    entities = naming.entities(session, snapshot)
    day = usable.today(session, snapshot)
    places = containment.load(session, snapshot, entities)
    values = slots.load(session, snapshot, ruled, entities, lag)
    return World(
        places,
        naming.load(entities),
        values,
        findings.load(
            session,
            checked,
            (p for p, figures in checked.items() if figures["time_bound"]),
            day,
        ),
        terms.load(session, snapshot, {p: figures["seats"] for p, figures in support[EXCLUSIVE].items()}),
        lists.load(session, snapshot, listed, values, places, day),
    )
