"""The year, age or number of another subject: the bounds of the one that is known rule it out (semantics.md §1.4)."""

from decimal import Decimal

from halluvault_tasks.reasoning.foils.base import WayBesideDrawn
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.kinds import AGE, AMOUNT, YEAR
from halluvault_tasks.reasoning.licence import license_amount, license_date
from halluvault_tasks.reasoning.records import DrawnFact
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import day_number

_SHOWN = 2  # years of which the one is surely not that of a first showing, if the other is that of the release


class ExchangedNumber(WayBesideDrawn):
    """p(s) is n and p(s2) is n2: p(s) is not n2."""

    def believable(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> bool:
        """Any other number is: which ones lie near, whoever asks says."""
        return true.value != other.value

    def _told(self, true: DrawnFact, licence: Licence | Refusal) -> Licence | Refusal:
        """A licence in the words of the kind, which readers can follow."""
        return licence._replace(why=self.kind.because(true)) if isinstance(licence, Licence) else licence


class ExchangedYear(ExchangedNumber):
    """The date lies in another year, and no other is right."""

    name = "year exchanged"
    kind = YEAR

    def believable(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> bool:
        """Another year; of a publication none that might be right of a first showing."""
        apart = abs((true.value or 0) - (other.value or 0))
        return apart >= (_SHOWN if true.relation.pid == wd.PUBLICATION else 1)

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence | Refusal:
        """By the one date, if its subject could have been then."""
        first, last = (day_number(other.end, *day) for day in ((1, 1), (12, 31)))
        if outside_its_whole(known.world, true.s, first, last):
            return Refusal("absurd", f"what Q{true.s} is a part of had not begun in {other.end}, or was over")
        return self._told(true, license_date(known.world, true.relation.pid, true.s, first, last))


class ExchangedAge(ExchangedNumber):
    """The age is certain, and so is no other."""

    name = "age exchanged"
    kind = AGE

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence:
        """By both dates."""
        return Licence(Reason.BOUNDS, true.evidence[-1], self.kind.because(true))


class ExchangedAmount(ExchangedNumber):
    """There is one number, and it is another one."""

    name = "amount exchanged"
    kind = AMOUNT

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence | Refusal:
        """By the one number."""
        return self._told(true, license_amount(known.world, true.relation.pid, true.s, Decimal(other.end)))


def outside_its_whole(world: World, s: int, first: int, last: int) -> bool:
    """Whether what a thing is a part of had not begun by these days, or was over: a front of World War II in 1936."""
    slots = world.slots
    return any(
        any(last < start for start in slots.starts(wd.START, whole))
        or any(first > end for end in slots.ends(wd.END, whole))
        for whole in slots.stated(wd.PART_OF, s)
    )
