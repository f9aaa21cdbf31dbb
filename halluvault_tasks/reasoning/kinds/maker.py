"""Two works of one maker, each of which has no other: two films of one director.

"Share at least one" can be false only where both slots have one value (semantics.md §3.1). Nobody would ask it of two
works that nothing joins (§3.7), so pairs are drawn in squares: two works of one maker and two of another, each of the
one's going together with one of the other's (`knowledge.works`), which stand beside them as foils.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice
from typing import NamedTuple

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.composite import Share
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind
from halluvault_tasks.reasoning.licence.slot import Slot, convicting
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata.relation import Relation


class Square(NamedTuple):
    """Four works: two of one maker, two of another, the first and the fourth going together as do the others."""

    first: int
    second: int
    third: int
    fourth: int

    @property
    def true(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The pairs of one maker."""
        return (self.first, self.second), (self.third, self.fourth)


def squares(makers: Mapping[int, int], pairs: Iterable[tuple[int, int]], seed: int) -> Iterator[Square]:
    """All squares of some works, in a seeded order of their makers and then of the works.

    Args:
        makers: work → its one maker.
        pairs: two of them that go together.
        seed: of the order.
    """
    between: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for pair in pairs:
        first, fourth = sorted(pair, key=lambda work: (makers[work], work))
        if makers[first] != makers[fourth]:
            between[makers[first], makers[fourth]].append((first, fourth))
    for of_two in sorted(between, key=lambda of_two: drawn(seed, "makers", *of_two)):
        ordered = sorted(between[of_two], key=lambda pair: drawn(seed, "works", *pair))
        for (first, fourth), (second, third) in combinations(ordered, 2):
            if len({first, second, third, fourth}) == 4:
                yield Square(first, second, third, fourth)


class Maker(DrawingKind):
    """s and o have their one maker in common."""

    name = "maker"
    decides = "of_one_maker"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`maker`."""
        return entries.maker

    def conclusion(self, pid: int) -> Relation:
        """That two have a value in common."""
        return Relation.share(pid)

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The pairs of all squares, in their order."""
        slots = _slots(rule.premises[0], drawing)
        makers = {work: slot.value or 0 for work, slot in slots.items()}
        drawn_squares = squares(makers, drawing.works.pairs(makers), rule.support["seed"])
        pairs = dict.fromkeys(tuple(sorted(pair)) for square in drawn_squares for pair in square.true)
        for place, (s, o) in enumerate(islice(pairs, rule.support["most"])):
            yield DrawnFact(rule.rule, rule.conclusion, s, o, None, (slots[s].sid, slots[o].sid), place)

    def stated(self, premise: Premise) -> str:
        """`made(Work, Maker)`."""
        return f"made({number(premise.s)}, {number(premise.o or 0)})."

    def because(self, fact: DrawnFact) -> str:
        """That both have one."""
        return f"Q{fact.s} and Q{fact.o} have one P{fact.relation.properties[0]} each, and it is the same"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """As what `share` derives."""
        return Counted(Share.family, f"{Share.name}:P{rule.premises[0]}")

    def relation(self, rule: Rule, name: str) -> str:
        """As that of what `share` derives."""
        return f"shares at least one {name} with"


def _slots(p: int, drawing: Drawing) -> dict[int, Slot]:
    """Work → its one maker, of those in a domain."""
    world = drawing.world
    slots = {s: convicting(world, p, s) for s in world.slots.subjects(p) if s in drawing.domains}
    return {s: slot for s, slot in slots.items() if not isinstance(slot, Refusal) and slot.value is not None}
