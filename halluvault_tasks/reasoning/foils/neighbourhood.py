"""What makes a foil believable: of one country or of countries alike, of one cast, joined by something.

A wrong value drawn from anywhere is often absurd (a town on another continent) and then decided without knowledge.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import works
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.knowledge.works import Works
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.measuring import recorded
from halluvault_tasks.reasoning.measuring.classes import NONE, MeasuredFile
from halluvault_tasks.reasoning.measuring.measures import Measures
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

_FEW_CONTINENTS = 2  # France is said to lie on five
_FEW_LANGUAGES = 2  # English is official somewhere in the Netherlands, too

_REACH: Mapping[int, float] = {
    **dict.fromkeys(wd.PARENTS, 20.0),
    **dict.fromkeys(wd.MAKERS, 5.0),
    wd.DISCOVERY_SITE: 15.0,
}
_USUAL_REACH = 60.0


def reach_of(p: int) -> float:
    """Most years between two things whose values may be exchanged: parents and makers must fit closer than places."""
    return _REACH.get(p, _USUAL_REACH)


class Land(NamedTuple):
    """What makes two countries, or parts of one, alike to whoever guesses."""

    languages: frozenset[int] = frozenset()
    """The official ones."""

    continents: frozenset[int] = frozenset()

    borders: frozenset[int] = frozenset()
    """On what it is stated to border."""


_NOWHERE = Land()


class Neighbourhood:
    """One snapshot, as far as foils are drawn from it.

    Attributes:
        world: what the snapshot knows.
        rules: active rules by number.
        denied: properties that have one value for each subject, so that others are false.
        turned: relation → properties that say the same from its other end: each gives the other, by the rules.
        works: which go together.
        measures: what the licensed classes of foils offer.

    Args:
        world: the same.
        rules: the same.
        links: what is joined to what.
        works: which go together.
        lands: of countries and of what has a border.
        measures: the same.
    """

    def __init__(
        self,
        world: World,
        rules: Mapping[int, Rule],
        links: Links,
        works: Works,
        lands: Mapping[int, Land],
        measures: Measures = Measures((), None),
    ) -> None:
        self.world, self.rules, self.works = world, rules, works
        self.denied = frozenset(rule.conclusion.pid for rule in rules.values() if rule.kind is WRONG_VALUE)
        self.turned = _turned(rules.values())
        self.measures = measures
        self._stating = {rule.conclusion.pid: rule for rule in rules.values() if rule.kind is POLARITY}
        self._subjects: dict[int, Mapping[int, Sequence[int]]] = {}
        self._links, self._lands = links, lands

    def stating(self, p: int) -> Rule | None:
        """The rule of what is stated of a property; None: there is none."""
        return self._stating.get(p)

    def leading_to(self, steps: Sequence[int], item: int) -> Sequence[int]:
        """Subjects of the first of some properties from which they may lead to an item, whatever else they lead to."""
        found = [item]
        for p in reversed(steps):
            found = [s for end in found for s in self._backwards(p).get(end, ())]
        return found

    def _backwards(self, p: int) -> Mapping[int, Sequence[int]]:
        """Value of a property → its subjects."""
        if p not in self._subjects:
            turned: dict[int, list[int]] = defaultdict(list)
            for s in sorted(self.world.slots.subjects(p)):
                for o in self.world.slots.stated(p, s):
                    turned[o].append(s)
            self._subjects[p] = turned
        return self._subjects[p]

    def with_measures(self, measures: Measures) -> "Neighbourhood":
        """The same with other classes of foils."""
        return Neighbourhood(self.world, self.rules, self._links, self.works, self._lands, measures)

    def country(self, fact: DerivedFact, p: int) -> int:
        """The country of the object of a fact about the property p, of a parent that of the child; 0: none is known."""
        where: int | None = fact.o
        if p in wd.PARENTS:
            where = min(self.world.slots.stated(wd.BIRTHPLACE, fact.s), default=None)
        return self.world.containment.place_of(where).country if where else 0

    def akin(self, mine: int, theirs: int) -> bool:
        """Whether two countries share an official language, so that a place of one could by its name be in the other.

        A border is not enough: China and South Korea have one at sea, and nobody takes a town of one for one of the
        other.
        """
        spoken = [self._lands.get(country, _NOWHERE).languages for country in (mine, theirs)]
        return _meet(spoken, _FEW_LANGUAGES)

    def close(self, mine: int, theirs: int) -> bool:
        """Whether two countries are akin and lie on one continent, as far as that says where: of most, one or two."""
        continents = [self._lands.get(country, _NOWHERE).continents for country in (mine, theirs)]
        return self.akin(mine, theirs) and _meet(continents, _FEW_CONTINENTS)

    def bordering(self, mine: int, theirs: int) -> bool:
        """Whether two areas are neighbours, as either says, or may be, since one does not say on what it borders."""
        sides = [self._lands.get(area, _NOWHERE).borders for area in (mine, theirs)]
        return theirs in sides[0] or mine in sides[1] or not all(sides)

    def joined(self, item: int, other: int) -> bool:
        """Whether the two belong together."""
        return other in self._links.joined(item)


def _turned(rules: Iterable[Rule]) -> Mapping[Relation, frozenset[int]]:
    """Relation → property, of those that give each other; an inverse without a property gives its own."""
    gives = {(Relation.of(rule.premises[0]), rule.conclusion) for rule in rules if rule.kind.reads_back}
    found: dict[Relation, set[int]] = defaultdict(set)
    for stated, concluded in gives:
        if stated != concluded and (concluded.stated == stated or (concluded, stated) in gives):
            found[concluded].add(stated.pid)
    return {relation: frozenset(several) for relation, several in found.items()}


def _meet(items: Sequence[frozenset[int]], few: int) -> bool:
    """Whether all have one in common; of what has many that says little."""
    return max(map(len, items)) <= few and bool(frozenset.intersection(*items))


def load(session: Session, snapshot: str, world: World, links: Links, measured: MeasuredFile = NONE) -> Neighbourhood:
    """Read what is near to what.

    Args:
        session: open session; only read.
        snapshot: key of a snapshot whose rules are typed.
        world: what it knows.
        links: what is joined to what in it.
        measured: classes of foils and what was found of them.
    """
    c = statement.c
    stated: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.p.in_((wd.OFFICIAL_LANGUAGE, wd.CONTINENT, wd.BORDER)), c.kind == "item"
        )
    )
    for s, p, o in rows:
        stated[s][p].add(o)
    lands = {
        s: Land(frozenset(of[wd.OFFICIAL_LANGUAGE]), frozenset(of[wd.CONTINENT]), frozenset(of[wd.BORDER]))
        for s, of in stated.items()
    }
    rules = {rule.rule: rule for rule in active_rules(session, snapshot)}
    measures = Measures(
        measured.licensed, lambda relations: recorded.load(session, snapshot, world, relations), world.lists
    )
    return Neighbourhood(world, rules, links, works.load(session, snapshot), lands, measures)
