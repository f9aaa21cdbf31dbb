"""Which statements of a large file the bundled sample takes.

Subjects are taken whole: a value is the only one of its kind only where all are there. Those come first whose
statements join them to others (kinship, places, works, offices) or date them, and that have others beside them with
the same value (two films of a director, two drugs for a disease): what is false of one is true of its neighbour. Above
every value stands what a pull follows: its place, its classes, what it is confused with.

The more there is of a property, the less another statement of it adds: so small ones come in before large ones end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import NamedTuple

from halluvault_tasks.knowledge.config import Domains, Root
from halluvault_tasks.local.sample import crowds
from halluvault_tasks.local.sample.read import SampleStatement, SampleWorld
from halluvault_tasks.wikidata import properties as wd

_WORTH = {
    5: (
        wd.FATHER, wd.MOTHER, wd.SPOUSE, wd.CHILD, wd.PARTNER, wd.SIBLING, wd.DOCTORAL_ADVISOR,
        wd.DOCTORAL_STUDENT, wd.STUDENT_OF, wd.STUDENT, wd.INFLUENCED_BY,
    ),
    4: (
        wd.HEAD_OF_GOVERNMENT, wd.HEAD_OF_STATE, wd.POSITION, wd.PARTY, wd.EMPLOYER, wd.FOUNDER,
        wd.CHIEF_EXECUTIVE, wd.SUBSIDIARY, wd.PARENT_ORGANIZATION, wd.MANUFACTURER, wd.DEVELOPER, wd.OWNER,
        wd.OWNS,
    ),
    3: (
        wd.BIRTH, wd.DEATH, wd.PUBLICATION, wd.AUTHOR, wd.DIRECTOR, wd.SCREENWRITER, wd.COMPOSER, wd.BASED_ON,
        wd.CREATOR, wd.PERFORMER, wd.SERIES, wd.FOLLOWS, wd.FOLLOWED_BY, wd.CHARACTER, wd.PRESENT_IN_WORK,
        wd.NOTABLE_WORK, wd.DISCOVERER, wd.NAMED_AFTER, wd.PART_OF, wd.HAS_PART,
    ),
    2: (
        wd.COUNTRY, wd.BIRTHPLACE, wd.DEATHPLACE, wd.CAPITAL, wd.BURIAL_PLACE, wd.LOCATED_IN, wd.ADMINISTERS,
        wd.HEADQUARTERS, wd.WATERS, wd.LOCATION, wd.RIVER_MOUTH, wd.RESIDENCE, wd.FORMED_IN, wd.CAPITAL_OF,
        wd.INCEPTION, wd.DISSOLUTION, wd.START, wd.END,
    ),
}  # fmt: skip
"""What a statement adds to its subject: kinship and schooling; offices; works and lives; places and spans."""

_OF_PROPERTY: Mapping[int, int] = {p: worth for worth, properties in _WORTH.items() for p in properties}
_ANY = 1
"""What any other property adds."""
_SPARE = 3
"""Statements on top of a subject's own, when it is told what each of its statements adds: one alone says little."""
_ENOUGH = 50
"""Statements of a property in a domain at which another one adds half."""
_COMPANY = range(2, 41)
"""Subjects that have a value in common, if they are neighbours by it: fewer are none, more are a crowd."""


class DrawnSample(NamedTuple):
    """What was taken."""

    rows: list[tuple[str, SampleStatement]]
    """(domain, statement), each once."""
    carried: dict[str, int]
    """Statements of each domain's seeds in the whole file: what could have been taken."""


def seeds(world: SampleWorld, domains: Domains) -> dict[int, str]:
    """Entity → the first domain whose roots or items it matches, as a pull finds it."""
    below: dict[int, set[int]] = defaultdict(set)
    workers: dict[int, set[int]] = defaultdict(set)
    instances: dict[int, set[int]] = defaultdict(set)
    for row in world.rows:
        if row.property in (wd.OCCUPATION, wd.SUBCLASS_OF) and (item := row.item()):
            (below if row.property == wd.SUBCLASS_OF else workers)[item].add(row.subject)
    for entity, kinds in world.types.items():
        for kind in kinds:
            instances[kind].add(entity)
    by_mode = {"instance": instances, "subclass": below, "occupation": workers}
    found: dict[int, str] = {}
    for name, root in domains.roots():
        for kind in _classes(root, below):
            for mode in root.modes:
                for entity in by_mode[mode].get(kind, ()):
                    found.setdefault(entity, name)
        for item in domains.require(name).items:
            found.setdefault(item, name)
    return found


def _classes(root: Root, below: Mapping[int, set[int]]) -> set[int]:
    reached = fresh = {root.qid}
    for _ in range(root.depth):
        fresh = {lower for kind in fresh for lower in below.get(kind, ())} - reached
        reached = reached | fresh
    return reached


def draw(
    world: SampleWorld,
    domains: Domains,
    quotas: Mapping[str, int],
    without: Iterable[int] = (),
    crowd: Mapping[str, int] = MappingProxyType({}),
) -> DrawnSample:
    """Take subjects whole, crowds and then the best joined first, until each domain has its quota.

    Args:
        world: the whole file.
        domains: what a pull asks of whom.
        quotas: domain → statements of its seeds; a domain takes what it has where the file carries fewer.
        without: properties to leave out.
        crowd: domain → subjects of each exchanged property to begin with.
    """
    home = seeds(world, domains)
    asked = {name: frozenset(domains.asked_of_seeds(name)) - frozenset(without) for name in domains.domains}
    own: dict[int, list[SampleStatement]] = defaultdict(list)
    for row in world.rows:
        if (name := home.get(row.subject)) and row.property in asked[name] and _named(world, row):
            own[row.subject].append(row)
    by_domain = {
        name: {subject: rows for subject, rows in own.items() if home[subject] == name} for name in domains.domains
    }
    crowded = [one for name, mine in by_domain.items() for one in crowds.crowd(world, mine, crowd.get(name, 0))]
    first = [*crowded, *(one for one in crowds.makers(crowded, own) if one in own)]
    taken: dict[SampleStatement, str] = {}
    for name, mine in by_domain.items():
        for subject in _chosen(mine, own, quotas[name], [one for one in first if home[one] == name]):
            taken.update(dict.fromkeys(own[subject], name))
    _above(world, domains, taken)
    carried = Counter(home[subject] for subject, rows in own.items() for _ in rows)
    return DrawnSample([(name, row) for row, name in taken.items()], dict(carried))


def _named(world: SampleWorld, row: SampleStatement) -> bool:
    item = row.item()
    return row.subject in world.terms and (item is None or item in world.terms)


def _chosen(
    mine: Mapping[int, Sequence[SampleStatement]],
    everybody: Mapping[int, Sequence[SampleStatement]],
    quota: int,
    first: Iterable[int],
) -> list[int]:
    """The subjects of a domain that are taken: those that come first, then the best.

    What a subject adds only falls while others are taken, so that it is worked out anew when its turn seems to have
    come (the lazy form of the greedy choice).
    """
    company = Counter((row.property, item) for rows in everybody.values() for row in rows if (item := row.item()))
    worth = {subject: _worths(rows, everybody, company) for subject, rows in mine.items()}
    held: Counter[int] = Counter()

    def adds(subject: int) -> float:
        total = sum(one / (1 + held[p] / _ENOUGH) for p, one in worth[subject])
        return total / (len(mine[subject]) + _SPARE)

    chosen = list(dict.fromkeys(first))
    held.update(row.property for subject in chosen for row in mine[subject])
    turns = [(-adds(subject), subject) for subject in mine.keys() - set(chosen)]
    heapify(turns)
    while turns and held.total() < quota:
        _, subject = heappop(turns)
        now = -adds(subject)
        if turns and (now, subject) > turns[0]:
            heappush(turns, (now, subject))
            continue
        chosen.append(subject)
        held.update(row.property for row in mine[subject])
    return chosen


def _worths(
    rows: Iterable[SampleStatement],
    everybody: Mapping[int, object],
    company: Mapping[tuple[int, int], int],
) -> list[tuple[int, float]]:
    """(property, what it adds) of each: twice where the value has statements of its own, half more in company."""
    found = []
    for row in rows:
        item = row.item()
        adds = _OF_PROPERTY.get(row.property, 0 if row.property in wd.HOLLOW else _ANY)
        beside = item is not None and company.get((row.property, item), 0) in _COMPANY
        found.append((row.property, adds * (1 + (item in everybody)) * (1 + row.has_term()) * (1.5 if beside else 1)))
    return found


def _above(world: SampleWorld, domains: Domains, taken: dict[SampleStatement, str]) -> None:
    """Add what stands above every value and type, and what each is confused with."""
    wanted = frozenset(domains.asked_of_values())
    upward: dict[int, list[SampleStatement]] = defaultdict(list)
    for row in world.rows:
        if row.property in wanted and _named(world, row):
            upward[row.subject].append(row)
    reached = {row.subject: name for row, name in taken.items()}
    todo = list(reached.items())
    todo += [(item, name) for row, name in taken.items() if (item := row.item())]
    seen: set[int] = set()
    while todo:
        entity, name = todo.pop(0)
        if entity in seen:
            continue
        seen.add(entity)
        todo += [(kind, name) for kind in world.types.get(entity, ())]
        for row in upward.get(entity, ()):
            taken.setdefault(row, name)
            if row.property in (*wd.CHAINED, wd.COUNTRY) and (item := row.item()):
                todo.append((item, name))
