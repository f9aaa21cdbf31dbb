"""Cases about a year or an age replayed: when it happened, or how old somebody died, by a response's dates.

`own` has only what the response says. `fill` has the case's dates with each one that the response gives, or denies, put
in place of the known one (semantics.md section 4.2). Where the question calls somebody by a work or a child, whom the
response names instead is meant.
"""

from collections.abc import Mapping, Sequence

from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.timed_replay import Answer, Replayed
from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import Claim, ClaimTriple, DateInterval
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import day_number, full_years
from halluvault_tasks.wikidata.relation import Predicate

_Slots = Mapping[tuple[Predicate, int], DateInterval]


def replay(asked: CaseToJudge, premises: Sequence[tuple[Claim, ClaimTriple]]) -> Replayed:
    """The two replays of a case with a year or an age.

    Args:
        asked: the case.
        premises: what the response says about its proof's slots, each as it is meant.
    """
    affirmed = [(claim, triple) for claim, triple in premises if not claim.negative]
    denied = {(triple.p, triple.s) for claim, triple in premises if claim.negative and claim.amount is None}
    named = {triple.o for _, triple in affirmed if (triple.p, triple.s) in asked.named_by}
    said = {(triple.p, triple.s): claim.days for claim, triple in affirmed if claim.days and not claim.which}
    ages = {triple.s: int(claim.amount) for claim, triple in affirmed if claim.amount is not None}
    filled = {slot: days for slot, days in _known(asked).items() if slot not in denied} | said
    if len(named) > 1:
        return Replayed("undetermined", "undetermined")
    who = next(iter(named), asked.s)
    own = "undetermined" if asked.named_by and not named else _answer(asked, who, said, ages)
    return Replayed(own, _answer(asked, who, filled, ages))


def _known(asked: CaseToJudge) -> _Slots:
    """The dates of the case's proof."""
    dated = ((one, dates.of_iso(one.date, one.precision)) for one in asked.evidence if one.date)
    return {(one.p, one.s): found.days for one, found in dated if found and found.days}


def _answer(asked: CaseToJudge, who: int, slots: _Slots, ages: Mapping[int, int]) -> Answer:
    if asked.aged and who in ages:
        return _settled(ages[who] == asked.counted, True)
    days = slots.get((asked.p, who))
    if days is None or asked.counted is None:
        return "undetermined"
    if asked.aged:
        born = slots.get((wd.BIRTH, who))
        if born is None:
            return "undetermined"
        low, high = full_years(born.latest, days.earliest), full_years(born.earliest, days.latest)
        return _settled(low <= asked.counted <= high, low == high)
    first, last = day_number(asked.counted), day_number(asked.counted + 1) - 1
    return _settled(days.earliest <= last and first <= days.latest, first <= days.earliest and days.latest <= last)


def _settled(possible: bool, certain: bool) -> Answer:
    return "no" if not possible else "yes" if certain else "undetermined"
