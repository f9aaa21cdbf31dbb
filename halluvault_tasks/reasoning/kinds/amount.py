"""A number that a thing has exactly one of: the atomic number of an element.

Another number is false by the statement of the right one (semantics.md §1.4: a number outside the known bounds).
"""

from collections.abc import Iterator
from itertools import islice

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind, of_one_value, of_several
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.reasoning.world.slots import Bounds


class Amount(DrawingKind):
    """p of s is one whole number."""

    name = "amount"
    decides = "amounts_to"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`amount`."""
        return entries.amount

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The best known subjects first."""
        p, bounds = rule.premises[0], drawing.world.slots.bounds
        amounts = {s: amount for q, s in bounds if q == p and (amount := _whole(bounds[p, s]))}
        for place, s in enumerate(islice(drawing.best_known(amounts, rule, "amount", p), rule.support["most"])):
            yield DrawnFact(rule.rule, rule.conclusion, s, None, amounts[s], (bounds[p, s].sid,), place)

    def stated(self, premise: Premise) -> str:
        """`amount(Item, Number)`."""
        return f"amount({number(premise.s)}, {number(int(premise.amount or 0))})."

    def because(self, fact: DrawnFact) -> str:
        """The number."""
        return f"{fact.relation} of Q{fact.s} is {fact.end}"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A statement with one value; of something that is called by another thing, a chain."""
        return of_several(rule, sole) if sole else of_one_value(rule, truth)


def _whole(known: Bounds) -> int:
    """The one number that is known if it is whole and positive, else 0."""
    amount = known.amount
    certain = known.distinct == 1 and not known.hedged
    return int(amount) if certain and amount is not None and amount == int(amount) and amount > 0 else 0
