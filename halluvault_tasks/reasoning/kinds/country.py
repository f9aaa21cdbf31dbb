"""The country in which a settlement is today (semantics.md §1.3).

A settlement with one country, a sovereign state, at any rank is in that one; another one is false if the two are
positively disjoint. Both are members of the United Nations, so that neither is disputed. Capitals of states are left
out: that Buenos Aires is in Argentina everybody knows.
"""

from collections.abc import Iterator
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind, of_one_value
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_UNITED_NATIONS = 1065


class Country(DrawingKind):
    """s lies in o, and in no other country."""

    name = "country"
    decides = "in_country"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`country`."""
        return entries.country

    def single(self, pid: int) -> tuple[int, ...]:
        """None: that a settlement has one country, its containment shows."""
        return ()

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The best known settlements first."""
        stated = _stated(drawing)
        for place, s in enumerate(islice(drawing.best_known(stated, rule, "country"), rule.support["most"])):
            country, sid = stated[s]
            yield DrawnFact(rule.rule, rule.conclusion, s, country, None, (sid,), place)

    def stated(self, premise: Premise) -> str:
        """`country(Settlement, Country)`."""
        return f"country({number(premise.s)}, {number(premise.o or 0)})."

    def because(self, fact: DrawnFact) -> str:
        """The country."""
        return f"Q{fact.s} lies in Q{fact.o} and in no other country"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A statement with one value."""
        return of_one_value(rule, truth)


def settlements(session: Session, snapshot: str, containment: Containment) -> dict[int, tuple[int, int]]:
    """Settlement → its one country, a member of the United Nations, and the statement that says so.

    Args:
        session: open session; only read.
        snapshot: key.
        containment: of it.
    """
    states = members(session, snapshot)
    countries = {}
    for place in containment.settled:
        (country, sid), *others = containment.countries.get(place, {0: 0}).items()
        if country in states and not others and containment.place_of(place).country == country:
            countries[place] = (country, sid)
    return countries


def members(session: Session, snapshot: str) -> set[int]:
    """States of the United Nations."""
    c = statement.c
    return set(session.scalars(select(c.s).where(c.snapshot == snapshot, c.p == wd.MEMBER_OF, c.o == _UNITED_NATIONS)))


def _stated(drawing: Drawing) -> dict[int, tuple[int, int]]:
    """Of settlements of a domain that are no capital of a state."""
    c = statement.c
    states = members(drawing.session, drawing.snapshot)
    stated = select(c.o).where(c.snapshot == drawing.snapshot, c.p == wd.CAPITAL, c.s.in_(states))
    capitals = set(drawing.session.scalars(stated))
    found = settlements(drawing.session, drawing.snapshot, drawing.world.containment)
    return {place: of for place, of in found.items() if place in drawing.domains and place not in capitals}
