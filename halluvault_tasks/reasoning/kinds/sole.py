"""The one director, author, father …: nobody else is, which the licence must show (semantics.md §1.8).

"The director of Jaws" takes for granted that there is no other. Such a fact is not asked about by itself; it calls
somebody in a question about something else (`records.Composed`).
"""

from collections.abc import Iterator
from itertools import islice

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind, of_one_value
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons


class Sole(DrawingKind):
    """o is the one p of s."""

    name = "sole"
    decides = "sole"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`sole`."""
        return entries.sole

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The best known subjects first."""
        p = rule.premises[0]
        slots = (convicting(drawing.world, p, s) for s in drawing.world.slots.subjects(p))
        sole = {slot.s: slot for slot in slots if not isinstance(slot, Refusal) and slot.value is not None}
        for place, s in enumerate(islice(drawing.best_known(sole, rule, "sole", p), rule.support["most"])):
            yield DrawnFact(rule.rule, rule.conclusion, s, sole[s].value, None, (sole[s].sid,), place)

    def stated(self, premise: Premise) -> str:
        """`only(Property, Item, Value)`."""
        return f"only({number(premise.p)}, {number(premise.s)}, {number(premise.o or 0)})."

    def because(self, fact: DrawnFact) -> str:
        """The item."""
        return f"{fact.relation} of Q{fact.s} is Q{fact.o} and only that"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A statement with one value."""
        return of_one_value(rule, truth)
