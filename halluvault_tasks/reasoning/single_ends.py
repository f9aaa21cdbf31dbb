"""What stands at the other end of a statement and nowhere else: a parent by a child, a country by its capital."""

from collections import defaultdict
from collections.abc import Container, Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.kinds import country
from halluvault_tasks.reasoning.licence.slot import impossible_parent
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.sole_values import both_ways
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.storage.tables import derived_fact
from halluvault_tasks.wikidata import properties as wd


class StatedParent(NamedTuple):
    """A father or mother, and the statements that show it: of the child, and of the parent's sex."""

    parent: int
    evidence: tuple[int, ...]


def parents(
    session: Session, snapshot: str, world: World, stated: Container[tuple[int, int]]
) -> Mapping[tuple[int, int], StatedParent]:
    """(p, child) → the father or mother whom a parent's own statement gives, of who has no other stated.

    Everybody has one of each, and the rule derives none where a second parent of that sex has the child
    (`inverse by sex`).

    Args:
        session: open session; only read.
        snapshot: key.
        world: what it knows.
        stated: (p, child) of which a parent is stated.
    """
    rules = {
        rule.rule: rule.conclusion.pid
        for rule in active_rules(session, snapshot)
        if rule.kind.family == "inverse" and rule.premises[0] == wd.CHILD and rule.conclusion.pid in wd.PARENTS
    }
    c = derived_fact.c
    columns = (c.rule, c.s, c.o, c.evidence)
    found: dict[tuple[int, int], dict[int, tuple[int, ...]]] = defaultdict(dict)
    for rule, s, o, evidence in session.execute(
        select(*columns).where(c.snapshot == snapshot, c.rule.in_(rules)).order_by(c.s, c.o)
    ):
        found[rules[rule], s][o] = tuple(evidence)
    return {
        slot: StatedParent(*next(iter(of.items())))
        for slot, of in sorted(found.items())
        if len(of) == 1 and slot not in stated and not impossible_parent(world, *slot, next(iter(of)))
    }


def countries_by_capital(session: Session, snapshot: str) -> list[Premise]:
    """The statements of capitals of today's states, where nothing else ever had that capital, nor the state another."""
    states = country.members(session, snapshot)
    return [premise for premise in both_ways(session, snapshot, wd.CAPITAL) if premise.s in states]
