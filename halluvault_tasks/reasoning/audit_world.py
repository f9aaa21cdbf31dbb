"""A seeded world whose whole truth is known, with the faults that Wikidata has: simulated/audit.

Everything that is true of it is written down, unlike in any open world: so when a share of it is hidden, a negative
derived from the rest can be checked. The faults are those measured on Wikidata (semantics.md §1): a second place of
birth for 0.4 % of people, often the container of the first or a neighbour; a second citizenship for 22 %; four levels
of containment with steps missing; towns with shared names, renamed towns, historic states.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from halluvault_tasks.wikidata import properties as wd

TOWN, COUNTY, STATE, COUNTRY, HUMAN, HISTORIC = 515, 28_575, 7_275, 6_256, 5, 3_024_240
SETTLEMENT = 486_972
STATEMENTS = 200_000
_OCCUPATION, _OCCUPATIONS = 28_640, range(900_000, 900_200)

SECOND_PLACE, SECOND_CITIZENSHIP, MISSING_STEP = 0.004, 0.232, 0.02
MISSING_DATE = 0.03


class Fact(NamedTuple):
    """One item statement of the world."""

    s: int
    p: int
    o: int


class Simulated(NamedTuple):
    """The whole truth."""

    facts: tuple[Fact, ...]
    """Ascending by (p, s, o), distinct."""

    types: dict[int, tuple[int, ...]]
    labels: dict[int, str]
    dates: tuple[tuple[int, int, int], ...]
    """(s, p, year) of births and deaths, ascending: one for every event that has a place, but for a few."""


class _Places(NamedTuple):
    towns: list[int]
    above: dict[int, int]


def generate(statements: int = STATEMENTS, seed: int = 1) -> Simulated:
    """A world of about `statements` statements (whole people are added until it is reached)."""
    random = Random(seed)
    types: dict[int, tuple[int, ...]] = {}
    labels: dict[int, str] = {}
    facts: set[Fact] = set()
    places = _lay_out(random, statements, types, labels, facts)
    for occupation in _OCCUPATIONS:
        types[occupation], labels[occupation] = (_OCCUPATION,), f"occupation{occupation}"
    parents: list[int] = []
    for person in range(1_000_000, 1_000_000 + statements):
        if len(facts) >= statements:
            break
        types[person], labels[person] = (HUMAN,), f"Person{person}"
        facts.update(_life(random, person, places, parents))
        parents.append(person)
    dates = tuple(
        (person, event, 1500 + place % 7 + 60 * (p == wd.DEATHPLACE) + person % 450)
        for p, event in ((wd.BIRTHPLACE, wd.BIRTH), (wd.DEATHPLACE, wd.DEATH))
        for person, place in sorted({fact.s: fact.o for fact in facts if fact.p == p}.items())
        if (person * 2_654_435_761 >> 7) % 100 >= 100 * MISSING_DATE
    )
    return Simulated(tuple(sorted(facts, key=lambda fact: (fact.p, fact.s, fact.o))), types, labels, dates)


def _lay_out(
    random: Random, statements: int, types: dict[int, tuple[int, ...]], labels: dict[int, str], facts: set[Fact]
) -> _Places:
    """Countries, states, counties and towns, each inside one of the level above; P131 and P17, some steps missing."""
    count = max(40, statements // 40)
    levels = (("country", COUNTRY, 20), ("state", STATE, 120), ("county", COUNTY, max(30, count // 8)))
    above: dict[int, int] = {}
    upper: list[int] = []
    qid = 1
    tops: dict[int, int] = {}
    for name, kind, size in (*levels, ("town", TOWN, count)):
        level = list(range(qid, qid + size))
        qid += size
        for place in level:
            types[place] = (kind, SETTLEMENT) if kind == TOWN and random.random() < 0.5 else (kind,)
            # Some towns have the name of another one.
            labels[place] = f"{name}{random.choice(level) if random.random() < 0.02 else place}"
            if upper:
                above[place] = random.choice(upper)
                tops[place] = tops[above[place]]
                if random.random() >= MISSING_STEP:
                    facts.add(Fact(place, wd.LOCATED_IN, above[place]))
                if random.random() < 0.9:
                    facts.add(Fact(place, wd.COUNTRY, tops[place]))
            else:
                tops[place] = place
                facts.add(Fact(place, wd.COUNTRY, place))
        upper = level
    for old in range(qid, qid + count // 50):
        types[old], labels[old] = (TOWN, HISTORIC), f"old{old}"
        replaced = random.choice(upper)
        facts |= {Fact(old, wd.REPLACED_BY, replaced), Fact(old, wd.LOCATED_IN, above[replaced])}
    return _Places(upper, above)


def _near(random: Random, places: _Places, town: int) -> int:
    """What a second value of a place looks like: its county, a town next to it, or any town."""
    county = places.above[town]
    draw = random.random()
    if draw < 0.4:
        return county
    if draw < 0.7:
        return random.choice([other for other in places.towns if places.above[other] == county])
    return random.choice(places.towns)


def _life(random: Random, person: int, places: _Places, parents: list[int]) -> Iterator[Fact]:
    for p, share in ((wd.BIRTHPLACE, 1.0), (wd.DEATHPLACE, 0.6)):
        if random.random() < share:
            town = places.towns[min(int(random.paretovariate(0.6)) - 1, len(places.towns) - 1)]
            yield Fact(person, p, town)
            if random.random() < SECOND_PLACE:
                yield Fact(person, p, _near(random, places, town))
    for p in wd.PARENTS:
        if parents and random.random() < 0.8:
            yield Fact(person, p, parents[-min(len(parents), random.randint(1, 400))])
            if random.random() < SECOND_PLACE / 4:  # a legendary or adoptive second one
                yield Fact(person, p, parents[-min(len(parents), random.randint(1, 400))])
    yield Fact(person, wd.CITIZENSHIP, random.randint(1, 20))
    while random.random() < SECOND_CITIZENSHIP:
        yield Fact(person, wd.CITIZENSHIP, random.randint(1, 20))
    for _ in range(random.randint(0, 3)):
        yield Fact(person, wd.OCCUPATION, random.choice(_OCCUPATIONS))
    if parents and random.random() < 0.5:
        spouse = parents[-min(len(parents), random.randint(1, 60))]
        yield Fact(person, wd.SPOUSE, spouse)
        yield Fact(spouse, wd.SPOUSE, person)
