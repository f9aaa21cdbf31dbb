"""The year of something that happens once: a birth, a death, the founding of a company.

It is certain where the one stated date lies in it whichever calendar it was counted by; another one is then false where
the licence refuses it (semantics.md §1.4).
"""

from collections.abc import Iterator
from itertools import islice

from sqlalchemy import select

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind, of_one_value, of_several
from halluvault_tasks.reasoning.licence.slot import Slot, settled
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.reasoning.world.slots import Bounds
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import widened_years
from halluvault_tasks.wikidata.days import civil, year_text
from halluvault_tasks.wikidata.times import DAY


class Year(DrawingKind):
    """p of s lies in one year."""

    name = "year"
    decides = "in_year"

    def listed(self, entries: DrawnEntries) -> Reasons:
        """`year`."""
        return entries.year

    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """Of subjects with one settled year the best known first; a place is left out where its date is too coarse."""
        p = rule.premises[0]
        exact = _exact(drawing, p)
        for place, slot in enumerate(islice(_settled(rule, drawing), rule.support["most"])):
            first, last = exact.get(slot.sid, (0, 0))
            if first == last > 0:
                yield DrawnFact(rule.rule, rule.conclusion, slot.s, None, first, (slot.sid,), place)

    def stated(self, premise: Premise) -> str:
        """`year(Item, First, Last)`."""
        first, last = _years(premise.earliest, premise.latest)
        return f"year({number(premise.s)}, {number(first)}, {number(last)})."

    def because(self, fact: DrawnFact) -> str:
        """The year."""
        return f"{fact.relation} of Q{fact.s} lies in {year_text(fact.end)} and has one value"

    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """A statement with one value; of somebody who is called by a work, a chain."""
        return of_several(rule, sole) if sole else of_one_value(rule, truth)


def _settled(rule: Rule, drawing: Drawing) -> Iterator[Slot]:
    world, p = drawing.world, rule.premises[0]
    subjects = (s for q, s in world.slots.bounds if q == p and s in drawing.domains)
    for s in drawing.best_known(subjects, rule, "year", p):
        slot = settled(world, p, s)
        if not isinstance(slot, Refusal) and slot.earliest is not None and _one_year(world.slots.bounds[p, s]):
            yield slot


def _one_year(known: Bounds) -> bool:
    """Whether all stated dates lie in one year: of two that differ nothing says which one is right."""
    return len({civil(day).year for span in known.spans for day in span if day is not None}) == 1


def _exact(drawing: Drawing, p: int) -> dict[int, tuple[int, int]]:
    """Statement → the years in which its date may lie, of dates that are exact enough.

    A war whose beginning nobody can date to the day is dated differently by others.
    """
    c = statement.c
    query = select(c.sid, c.earliest, c.latest).where(
        c.snapshot == drawing.snapshot, c.p == p, c.earliest.is_not(None), c.latest.is_not(None)
    )
    if p not in wd.WHOLE_YEARS:
        query = query.where(c.precision == DAY)
    return {sid: _years(first, last) for sid, first, last in drawing.session.execute(query)}


def _years(earliest: int | None, latest: int | None) -> tuple[int, int]:
    """The first and the last year in which a date may lie, whichever calendar it was counted by."""
    assert earliest is not None
    assert latest is not None
    wide = widened_years(earliest, latest)
    return civil(wide.earliest).year, civil(wide.latest).year
