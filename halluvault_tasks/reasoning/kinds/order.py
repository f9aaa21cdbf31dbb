"""Which of two came first: a composite of two dated statements, decided both ways (semantics.md §1.4).

For most relations nothing shows that a similar one is false; of two dates it is clear which is the earlier, if their
bounds are apart. Two things are compared only if something joins them (`knowledge.links`) and neither is a part of the
other, which some count as begun with the whole. Their dates are two months to three years apart, and both are slots
that a claim could be convicted by.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind
from halluvault_tasks.reasoning.licence.slot import settled
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import widened_days
from halluvault_tasks.wikidata.relation import Relation

_LEAST_APART = 60  # days: no calendar and no dispute about a day turns the order round
_MOST_APART = 3 * 366  # days between the middles of their bounds: years that are known alone differ by three at most


class Order(DrawingKind):
    """The p of s lies before that of o."""

    name = "order"
    decides = "in_order"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`order`."""
        return entries.order

    def conclusion(self, pid: int) -> Relation:
        """That the one date lies before the other."""
        return Relation.order(pid)

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The pairs of the best known things first; of one thing in a seeded order."""
        for place, (earlier, later) in enumerate(islice(_pairs(rule, drawing), rule.support["most"])):
            evidence = (earlier.sid, later.sid)
            yield DrawnFact(rule.rule, rule.conclusion, earlier.s, later.s, None, evidence, place)

    def stated(self, premise: Premise) -> str:
        """`day(Item, First, Last)`, by whichever calendar and in whichever time zone."""
        assert premise.earliest is not None
        assert premise.latest is not None
        wide = widened_days(premise.earliest, premise.latest)
        return f"day({', '.join(map(number, (premise.s, wide.earliest - 1, wide.latest + 1)))})."

    def because(self, fact: DrawnFact) -> str:
        """That their bounds lie apart."""
        return f"{fact.relation} of Q{fact.s} lies before that of Q{fact.o}, whichever of the possible days are right"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A composite, however somebody is called."""
        return Counted("composite", rule.name)


class _Dated(NamedTuple):
    """The days between which something began or ended, and the statement that says so."""

    first: int
    last: int
    s: int
    sid: int


def _pairs(rule: Rule, drawing: Drawing) -> Iterator[tuple[_Dated, _Dated]]:
    """Two dates of things that belong together, the earlier one first."""
    p, seed = rule.premises[0], rule.support["seed"]
    dated = {date.s: date for q, s in drawing.world.slots.bounds if q == p and (date := _dated(drawing, p, s))}
    left = set(dated)
    for s in drawing.best_known(dated, rule, "order", p):
        left.remove(s)
        for o in sorted(drawing.links.joined(s) & left, key=lambda o: drawn(seed, "after", p, s, o)):
            earlier, later = sorted((dated[s], dated[o]))
            if _apart(earlier, later) and not _within(drawing.world, s, o):
                yield earlier, later


def _dated(drawing: Drawing, p: int, s: int) -> _Dated | None:
    slot = settled(drawing.world, p, s)
    if s not in drawing.domains or isinstance(slot, Refusal) or slot.earliest is None or slot.latest is None:
        return None
    return _Dated(slot.earliest, slot.latest, s, slot.sid)


def _apart(earlier: _Dated, later: _Dated) -> bool:
    between = (later.first + later.last - earlier.first - earlier.last) / 2
    return later.first - earlier.last >= _LEAST_APART and between <= _MOST_APART


def _within(world: World, s: int, o: int) -> bool:
    """Whether one is a part of the other."""
    return o in world.slots.stated(wd.PART_OF, s) or s in world.slots.stated(wd.PART_OF, o)
