"""What is false of a fact's subject: the value of another one, licensed by the room that says what is false.

Every "No" here is proved like any other fact: a wrong value by `license_no`, a wrong country of birth by the place of
birth and the containment that parts the two (`license_outside`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.reasoning.disjoint_places import place_of
from halluvault_tasks.reasoning.grounds import Reason, Refusal
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.outside_container import license_outside
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_FEW_CONTINENTS = 2  # France is said to lie on five
_FEW_LANGUAGES = 2  # English is official somewhere in the Netherlands, too
_REACH: Mapping[int, float] = {**dict.fromkeys(wd.PARENTS, 20.0), **dict.fromkeys(wd.MAKERS, 5.0)}
_USUAL_REACH = 60.0
"""Years between two things whose values are exchanged; parents and makers must fit closer than places."""


class Land(NamedTuple):
    """What makes two countries alike to whoever guesses."""

    languages: frozenset[int] = frozenset()
    """The official ones."""

    continents: frozenset[int] = frozenset()


_NOWHERE = Land()


def lands(session: Session, snapshot: str) -> dict[int, Land]:
    """What has an official language or a continent, by item."""
    c = statement.c
    found: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.p.in_((wd.OFFICIAL_LANGUAGE, wd.CONTINENT)), c.kind == "item"
        )
    )
    for s, p, o in rows:
        found[s][p].add(o)
    return {s: Land(*(frozenset(of[p]) for p in (wd.OFFICIAL_LANGUAGE, wd.CONTINENT))) for s, of in found.items()}


def _beside(one: Land, other: Land) -> bool:
    """Whether they share a continent, as far as that says where a country is: of most of them, one or two."""
    few = max(len(one.continents), len(other.continents)) <= _FEW_CONTINENTS
    return few and not one.continents.isdisjoint(other.continents)


def akin(of: Mapping[int, Land], mine: int, theirs: int) -> bool:
    """Whether two countries share an official language, so that a place of one could by its name be in the other.

    A border is not enough: China and South Korea have one at sea, and nobody takes a town of one for one of the other.
    """
    one, other = (of.get(country, _NOWHERE) for country in (mine, theirs))
    few = max(len(one.languages), len(other.languages)) <= _FEW_LANGUAGES
    return few and bool(one.languages & other.languages)


def close(of: Mapping[int, Land], mine: int, theirs: int) -> bool:
    """Whether two countries are akin and lie on one continent, both."""
    one, other = (of.get(country, _NOWHERE) for country in (mine, theirs))
    return akin(of, mine, theirs) and _beside(one, other)


class Outside(NamedTuple):
    """A composite that is false: `reasoning.outside_container` proves it."""

    fact: DerivedFact


class Falsehoods:
    """Exchanges values between the true facts of a snapshot.

    Args:
        worder: words and licences.
        rules: active rules by number.
        lands: of countries.
        links: what is joined to what.
    """

    def __init__(self, worder: Worder, rules: Mapping[int, Rule], lands: Mapping[int, Land], links: Links) -> None:
        self._worder, self._rules, self._lands, self._links = worder, rules, lands, links
        self._denying = {rule.conclusion: rule for rule in rules.values() if rule.kind is WRONG_VALUE}

    def swaps(self, facts: Iterable[Candidate], *, seed: int) -> list[Swap]:
        """Fours of all families that have exactly one value.

        Args:
            facts: candidates of which the true ones of such families are used.
            seed: of the order.
        """
        by_reach: dict[float, list[Candidate]] = {}
        for one in facts:
            if one.truth and self.decided_by(one):
                by_reach.setdefault(_REACH.get(one.source.p, _USUAL_REACH), []).append(one)
        found: list[Swap] = []
        for reach in sorted(by_reach):
            found += swaps(by_reach[reach], self._position, self._exchanged, reach=reach, seed=seed)
        return found

    def decided_by(self, one: Candidate) -> int:
        """The property whose single value decides the fact; 0: none does."""
        if one.balanced or not isinstance(one.source, DerivedFact):
            return 0
        rule = self._rules[one.source.rule]
        if rule.kind is POLARITY:
            return rule.conclusion if rule.conclusion in self._denying else 0
        place = rule.kind.climbs_from(rule)
        return place if self._denying.get(place) else 0

    def _position(self, one: Candidate) -> Position | None:
        year = self._worder.index.years.get(one.subject)
        if year is None:
            return None
        return Position(year, self._country(one), self._worder.index.fame.get(one.subject, 0.0))

    def _country(self, one: Candidate) -> int:
        licences = self._worder.licences
        where = one.object
        if self.decided_by(one) in wd.PARENTS:
            born = licences.known.get((wd.BIRTHPLACE, one.subject))
            where = min(born.items) if born and born.items else None
        return place_of(licences, where).country if where else 0

    def _neighbours(self, one: Candidate, other: Candidate) -> bool:
        """Whether the value of the other is one that somebody without the knowledge would believe.

        A parent of another nation is ruled out by what everybody knows of a person; a neighbouring country is not. Few
        sources say enough to part two towns of one country, so those of countries that are close are taken, too, but
        no others: nobody would ask whether Jimi Hendrix was born in Johannesburg. Directors of two films are exchanged
        that an actor joins: nobody would ask whether Clint Eastwood directed “Iron Man 2”; and parents of two who
        belong together.
        """
        if self.decided_by(one) in wd.MAKERS:  # of two works of a time each could be by the other's maker
            return self.decided_by(one) != wd.DIRECTOR or not self._cast(one).isdisjoint(self._cast(other))
        mine, theirs = self._country(one), self._country(other)
        if not mine or not theirs:
            return False
        if self.decided_by(one) in wd.PARENTS:
            return mine == theirs and other.subject in self._links.joined(one.subject)
        if self.decided_by(one) == one.source.p:
            return mine == theirs or close(self._lands, mine, theirs)
        if one.kind == "composite" and (one.object, other.object) == (mine, theirs):
            return akin(self._lands, mine, theirs)
        return mine == theirs

    def _cast(self, one: Candidate) -> frozenset[int]:
        known = self._worder.licences.known.get((wd.CAST_MEMBER, one.subject))
        return frozenset(known.items) if known else frozenset()

    def _exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        if not self._neighbours(one, other):
            return None
        true: DerivedFact = one.source
        rule = self._rules[true.rule]
        p, s, o = self.decided_by(one), true.s, other.source.o
        if p == true.p:
            licence = license_no(self._worder.licences, p, s, o)
            if isinstance(licence, Refusal) or licence.reason in (Reason.CONVERSE, Reason.NO_VALUE):
                return None
            denial = self._denying[p]
            fact = DerivedFact(denial.rule, p, s, o, licence.sid, 0, int(licence.reason))
            return self._worded(one, fact, denial)
        outside = license_outside(self._worder.licences, p, s, o)
        if isinstance(outside, Refusal):
            return None
        fact = DerivedFact(true.rule, true.p, s, o, outside.sid, 0, int(outside.reason))
        return self._worded(one, fact, rule._replace(kind=WRONG_VALUE))

    def _worded(self, one: Candidate, fact: DerivedFact, rule: Rule) -> Candidate | None:
        false = self._worder.candidate(one.domain, fact, rule)
        if isinstance(false, str):
            return None
        if one.kind == "composite":
            false = false._replace(
                kind=one.kind, identity=("composite", "not", *false.identity[1:]), source=Outside(fact)
            )
        return false
