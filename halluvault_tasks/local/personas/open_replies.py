"""What simulated models answer where a fact is asked openly: rightly, or with one planted fault at a known rate.

Faults: another thing of the same type, days or a year off, another number, a date less precise than it is known, what
no licence denies (a name that nobody bears, the day before or after), "don't know". What leaves no room for its fault
is answered rightly, and planted so. The explanation says what the answer says, and how sure a model is depends on the
persona and on whether it is right.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from halluvault_tasks.local.personas import phrases, written_dates
from halluvault_tasks.local.personas.choose_fault import Neighbours
from halluvault_tasks.local.personas.fault_kinds import FaultKind, KnownDate, Thing
from halluvault_tasks.local.personas.lookup import Catalogue, PromptedCase
from halluvault_tasks.wikidata import days

DAY, MONTH, YEAR = 11, 10, 9
"""Precisions of dates, as Wikidata has them."""

_JULIAN_APART = 14
"""Days that the two calendars lie apart at most, for who is dated by the older one."""


class Opened(NamedTuple):
    """Shares of answers with each fault, and how sure the model says it is."""

    wrong: float = 0.12
    """Another thing, day, year or number."""
    imprecise: float = 0.1
    """A date less precise than it is known."""
    undenied: float = 0.02
    """A name that nothing can be linked to, or the very next day: neither is shown to be right or wrong."""
    unknown: float = 0.05
    """Don't know."""
    other_name: float = 0.1
    """Right answers by another of the thing's names: no fault."""
    sure: tuple[int, int] = (25, 100)
    """Least and most stated confidence in what is right, the higher of two draws."""
    unsure: tuple[int, int] = (0, 90)
    """In what is not, the lower of two."""


class OpenExchange(NamedTuple):
    """What is said turn by turn, and what is planted in it."""

    explanation: str
    said: str
    confidence: int
    answer: str
    category: str
    fault: str


class _Said(NamedTuple):
    text: str
    fault: str
    category: str


_PLAIN = FaultKind.PLAIN.value
_ABSTAINED = _Said(phrases.VERDICTS["dont_know"], FaultKind.DONT_KNOW.value, "normal")


def reply(
    rates: Opened, case: PromptedCase, catalogue: Catalogue, alike: Neighbours, chance: float, seed: str
) -> OpenExchange:
    """What a model says.

    Args:
        rates: of its faults.
        case: with an `OpenFact`.
        catalogue: other premises of the same benchmark.
        alike: asked only when the catalogue has no other thing.
        chance: 0 to 1, drawn for this model and case.
        seed: of what else is drawn.
    """
    random = Random(seed)
    wanted = case.fact["wanted"]
    right = _RIGHT[wanted["guide"]](wanted, rates, random)
    said = _faulty(rates, wanted, case, catalogue, alike, chance, random) or _Said(right, _PLAIN, "normal")
    (least, most), of = (rates.sure, max) if said.category == "normal" else (rates.unsure, min)
    sure = 0 if said is _ABSTAINED else of(random.randint(least, most) for _ in range(2))
    answer = "dont_know" if said is _ABSTAINED else "text"
    return OpenExchange(_explained(case, said, random), said.text, sure, answer, said.category, said.fault)


def _faulty(
    rates: Opened, wanted: Mapping[str, Any], case: PromptedCase, catalogue: Catalogue, alike: Neighbours,
    chance: float, random: Random,
) -> _Said | None:  # fmt: skip
    """What is said with the fault that the draw falls on; None where it falls on none, or there is no room for it."""
    guide = wanted["guide"]
    if (chance := chance - rates.unknown) < 0:
        return _ABSTAINED
    if (chance := chance - rates.wrong) < 0:
        if guide == "name":
            return _another(wanted, case, catalogue, alike, random)
        return _off(wanted, random) if guide == "date" else _other_number(wanted, random)
    if (chance := chance - rates.imprecise) < 0:
        return _imprecise(wanted) if guide == "date" else None
    return _undenied(wanted, random) if chance < rates.undenied else None


def _names(wanted: Mapping[str, Any], rates: Opened, random: Random) -> str:
    return "; ".join(
        random.choice(one["names"]) if random.random() < rates.other_name else one["names"][0]
        for one in wanted["items"]
    )


def _date(wanted: Mapping[str, Any], rates: Opened, random: Random) -> str:
    return _written(_known(wanted))


def _number(wanted: Mapping[str, Any], rates: Opened, random: Random) -> str:
    return str(random.randint(wanted["low"], wanted["high"]))


_RIGHT: Mapping[str, Callable[[Mapping[str, Any], Opened, Random], str]] = {
    "name": _names, "date": _date, "number": _number,
}  # fmt: skip
"""Guide → what is right."""


def _another(
    wanted: Mapping[str, Any], case: PromptedCase, catalogue: Catalogue, alike: Neighbours, random: Random
) -> _Said | None:
    """One of the things that are wanted exchanged for another of its type."""
    items: Sequence[Mapping[str, Any]] = wanted["items"]
    mine = random.choice(items)
    right = {item["qid"] for item in items}
    names = {name.casefold() for item in items for name in item["names"]}
    subjects = {premise.subject.qid for premise in case.premises}

    def fits(thing: Thing) -> bool:
        # What a premise joins to the right thing may contain it, and then would be less precise, and no error.
        joined = any((qid, thing.qid) in catalogue.linked for qid in right)
        return not joined and thing.qid not in right | subjects and thing.label.casefold() not in names

    properties = [premise.property for premise in case.premises if premise.item and premise.item.qid in right]
    near = [
        thing
        for pid in properties
        for thing in catalogue.objects_of(pid)
        if fits(thing) and catalogue.of_a_kind(thing.qid, mine["qid"])
    ]
    near = near or [thing for thing in alike(Thing(mine["qid"], mine["names"][0])) if fits(thing)]
    if not near:
        return None
    other = random.choice(near).label
    said = "; ".join(other if item is mine else item["names"][0] for item in items)
    return _Said(said, "another_name", "unattributed")


def _off(wanted: Mapping[str, Any], random: Random) -> _Said:
    """A date beyond the bounds: by some days where days are known, else by a month or a year; or by a year."""
    known, way = _known(wanted), random.choice((-1, 1))
    # Whoever is dated by the older calendar has two right days, and a year that begins on either of two.
    apart = _JULIAN_APART if wanted["julian"] else 0
    finest = {DAY: "days_off", MONTH: "month_off"}.get(wanted["precision"], "year_off")
    fault = random.choice((finest, "year_off"))
    if fault == "days_off":
        far = apart + random.randint(2, 9)
        return _Said(_beyond(wanted, way * far), fault, "unattributed")
    if fault == "month_off":
        first = days.civil(wanted["latest"] + apart + 16 if way > 0 else wanted["earliest"] - apart - 16)
        return _Said(_written(KnownDate(first.year, first.month, 0)), fault, "unattributed")
    return _Said(_written(known.moved(way * (2 if apart else 1))), fault, "unattributed")


def _beyond(wanted: Mapping[str, Any], far: int) -> str:
    """The day that lies so many days behind the last one that is right, or before the first."""
    return _written(KnownDate(*days.civil((wanted["latest"] if far > 0 else wanted["earliest"]) + far)))


def _undenied(wanted: Mapping[str, Any], random: Random) -> _Said | None:
    if wanted["guide"] == "name":
        return _Said(_invented(random), "invented_name", "review")
    if wanted["guide"] == "date" and wanted["precision"] == DAY:
        return _Said(_beyond(wanted, random.choice((-1, 1))), "day_off", "review")
    return None


def _other_number(wanted: Mapping[str, Any], random: Random) -> _Said:
    above = wanted["high"] + random.randint(1, 3)
    below = wanted["low"] - random.randint(1, 3)
    return _Said(str(below if below >= 0 and random.random() < 0.5 else above), "number_off", "unattributed")


def _imprecise(wanted: Mapping[str, Any]) -> _Said | None:
    """The month of a day, the year of a month; of a year there is nothing coarser that people write."""
    known = _known(wanted)
    if wanted["precision"] == YEAR:
        return None
    coarser = known._replace(day=0) if wanted["precision"] == DAY else known._replace(month=0, day=0)
    return _Said(_written(coarser), "less_precise", "normal")


def _known(wanted: Mapping[str, Any]) -> KnownDate:
    """The middle of the bounds, as far as it is known."""
    year, month, day = days.civil((wanted["earliest"] + wanted["latest"]) // 2)
    precision = wanted["precision"]
    return KnownDate(year, month if precision >= MONTH else 0, day if precision >= DAY else 0)


def _written(date: KnownDate) -> str:
    return written_dates.renderings(date)[0]


_SYLLABLES = ("bra", "quil", "dor", "vesh", "mun", "tha", "zel", "korr", "ily", "gond")


def _invented(random: Random) -> str:
    """One word that no thing is called: whose surname it is nobody knows."""
    return "".join(random.sample(_SYLLABLES, 4)).capitalize()


def _explained(case: PromptedCase, said: _Said, random: Random) -> str:
    """A few short sentences: the premises, with what is said in the place of what is right."""
    if said is _ABSTAINED:
        subject = case.premises[0].subject.label if case.premises else "this"
        return f"I don't know. {random.choice(phrases.UNSURE).format(subject=subject)}".rstrip()
    sentences = [premise.sentence for premise in case.premises] or [case.fact["told"]]
    if said.category != "normal":
        sentences = [one.replace(case.gold, said.text) for one in sentences]
    concluded = [] if any(said.text in one for one in sentences) else [f"So it is {said.text}."]
    return "\n".join([*sentences, *concluded])
