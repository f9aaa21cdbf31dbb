"""The age at which somebody died: full years from a birth to a death, both known to the day.

It is certain if every pair of days that the two dates leave open gives the same full years, whichever calendar they
were counted by; any other number is then false.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind, of_several
from halluvault_tasks.reasoning.licence.slot import settled
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, full_years


class Age(DrawingKind):
    """s was so many full years old at its p."""

    name = "age"
    decides = "aged"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`age`."""
        return entries.age

    def premises(self, pid: int) -> tuple[int, ...]:
        """The birth, and what the age is that of."""
        return (wd.BIRTH, pid)

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """The best known people first."""
        people = (s for p, s in drawing.world.slots.bounds if p == rule.premises[-1] and s in drawing.domains)
        lives = {s: life for s in people if (life := _life(drawing.world, rule.premises, s))}
        for place, s in enumerate(islice(drawing.best_known(lives, rule, "age"), rule.support["most"])):
            yield DrawnFact(rule.rule, rule.conclusion, s, None, lives[s].age, lives[s].evidence, place)

    def stated(self, premise: Premise) -> str:
        """`born(Item, Year, Month, Day)`, and `died`."""
        assert premise.earliest is not None
        which = "born" if premise.p == wd.BIRTH else "died"
        return f"{which}({', '.join(map(number, (premise.s, *civil(premise.earliest))))})."

    def because(self, fact: DrawnFact) -> str:
        """The age."""
        return f"Q{fact.s} died {fact.end} full years after the birth, whichever of the possible days are right"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A chain of two dates."""
        return of_several(rule, sole)


class _Life(NamedTuple):
    """Full years, and the statements of birth and death."""

    age: int
    evidence: tuple[int, ...]


def _life(known: World, premises: Iterable[int], s: int) -> _Life | None:
    """The age of s at the second of two settled dates, if it is certain."""
    born, died = (settled(known, p, s) for p in premises)
    if isinstance(born, Refusal) or isinstance(died, Refusal):
        return None
    if born.earliest is None or born.latest is None or died.earliest is None or died.latest is None:
        return None
    age = full_years(born.latest, died.earliest)
    return _Life(age, (born.sid, died.sid)) if age == full_years(born.earliest, died.latest) > 0 else None
