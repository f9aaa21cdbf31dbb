"""Classes (P279): those that code names, what is above and below each, and which pairs statements safely join."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

HISTORIC_TYPES = frozenset({
    3_024_240,
    19_953_632,
    28_171_280,
    1_620_908,
    19_832_712,
    15_893_266,
    22_674_925,
    15_661_340,
    2_577_883,
})
"""Historical country, former administrative entity, ancient civilisation, historical region, historical administrative
division, former entity, former populated place, ancient city, occupied territory; with all classes below them."""

SOVEREIGN_STATE = 3_624_078
COUNTRY_TYPES = frozenset({6_256, SOVEREIGN_STATE})
"""Country, sovereign state: England is the one, and in the other."""

SETTLEMENT_TYPES = frozenset({486_972, 515, 3_957, 532, 15_284, 1_549_591, 56_061})
"""Human settlement, city, town, village, municipality, big city, administrative territorial entity; with all below."""

TOWN_TYPES = SETTLEMENT_TYPES - {56_061}
"""Those in which people live next door to each other: all but the administrative territorial entity."""
DIVISION_TYPES = frozenset({10_864_048, 13_220_204, 13_221_722, 107_390, 34_876, 28_575})
"""First-, second- and third-level division of a country, federated state, province, county; with all below. Members of
one such class share no ground: they divide a country."""

UNSETTLED_TYPES = frozenset({15_324, 8_502, 271_669, 1_656_682})
"""Body of water, mountain, landform, event; with all classes below them. P17 alone does not place them."""

Graph = Mapping[int, Collection[int]]
"""Item → items directly above it."""

_METACLASS_SHARE = 0.3
"""Share of a class's instances that are classes themselves, from which it counts as a class of classes."""


def above(graph: Graph, item: int) -> set[int]:
    """Everything above an item; itself only if it lies on a cycle."""
    reached: set[int] = set()
    frontier = set(graph.get(item, ()))
    while frontier:
        reached |= frontier
        frontier = {higher for upper in frontier for higher in graph.get(upper, ())} - reached
    return reached


def on_cycles(graph: Graph) -> frozenset[int]:
    """Items from which a way leads back to them; an item directly above itself is one."""
    left = _within(graph, graph.keys())
    # Items with nothing above or nothing below are on no cycle: remove them until nothing changes.
    while True:
        below_something = {upper for uppers in left.values() for upper in uppers}
        kept = _within(left, {item for item, uppers in left.items() if uppers and item in below_something})
        if len(kept) == len(left):
            return frozenset(item for item in kept if item in above(kept, item))
        left = kept


def _within(graph: Graph, items: Collection[int]) -> dict[int, set[int]]:
    """The part of a graph between some items."""
    return {item: {upper for upper in graph[item] if upper in items} for item in items}


def below(roots: Iterable[int], classes: Mapping[int, Iterable[int]], steps: int = 0) -> frozenset[int]:
    """Some classes and all below them.

    Args:
        roots: the classes.
        classes: class → the classes directly above it.
        steps: most steps down; 0: as many as there are.
    """
    down: dict[int, list[int]] = defaultdict(list)
    for lower, uppers in classes.items():
        for upper in uppers:
            down[upper].append(lower)
    reached, frontier, level = set(roots), set(roots), 0
    while frontier and (level < steps or not steps):
        frontier = {lower for upper in frontier for lower in down.get(upper, ())} - reached
        reached |= frontier
        level += 1
    return frozenset(reached)


class Classes:
    """The class hierarchy of a snapshot, and what of it composes.

    Args:
        uppers: class → every class stated directly above it.
        instances: class → the items that have it as their type.
        reviewed: classes that a person has read the hierarchy below.
    """

    def __init__(self, uppers: Graph, instances: Graph, reviewed: Collection[int]) -> None:
        self._uppers, self._instances, self._reviewed = uppers, instances, frozenset(reviewed)
        self._dominators: dict[int, frozenset[int]] = {}
        self._cyclic = on_cycles(uppers)
        self._meta = {
            kind
            for kind, members in instances.items()
            if sum(member in uppers for member in members) >= _METACLASS_SHARE * len(members)
        }

    def why_not(self, s: int, o: int) -> str:
        """Why the statement that s is a kind of o may be no step of a chain; empty if it may."""
        if s in self._cyclic or o in self._cyclic:
            return "on a cycle"
        if s in self._meta or o in self._meta:
            return "a class of classes"
        return "" if self._below_reviewed(o) else "below no reviewed class"

    def pairs(self, steps: int) -> Iterator[tuple[int, int]]:
        """Every (class, reviewed class above it) that two to `steps` statements together show, ascending.

        Classes between the two are only passed: nobody has read what lies below each of them (a maritime museum is a
        museum, though Wikidata goes there by way of science museum).
        """
        for lower in sorted(self._uppers):
            if lower in self._instances and not self._ends(lower):
                near = self._near(lower, steps)
                yield from (
                    (lower, upper)
                    for upper in sorted(near)
                    if upper in self._instances and upper in self._reviewed and upper in self.passed(lower)
                )

    def passed(self, lower: int) -> frozenset[int]:
        """The classes that every way upward from a class passes through, itself among them.

        A way ends at a class that has none above it, at a class of classes and at one on a cycle.
        """
        if lower not in self._dominators:
            uppers = () if self._ends(lower) else self._uppers.get(lower, ())
            common = frozenset.intersection(*map(self.passed, uppers)) if uppers else frozenset()
            self._dominators[lower] = common | {lower}
        return self._dominators[lower]

    def _ends(self, klass: int) -> bool:
        return klass in self._cyclic or klass in self._meta

    def _below_reviewed(self, klass: int) -> bool:
        return not self._ends(klass) and not self._reviewed.isdisjoint(self.passed(klass))

    def _near(self, lower: int, steps: int) -> set[int]:
        """Classes that lie two to `steps` steps above, and not one."""
        direct = set(self._uppers[lower])
        reached, frontier = set(direct), direct
        for _ in range(steps - 1):
            ways = {klass for klass in frontier if not self._ends(klass)}
            frontier = {upper for klass in ways for upper in self._uppers.get(klass, ())} - reached
            reached |= frontier
        return {klass for klass in reached - direct - {lower} if not self._ends(klass)}
