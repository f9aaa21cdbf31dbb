"""What a simulated model gets wrong on a case: decided here, from a seeded hash, before any text is written.

The plan is the label that is kept in `simulation.planted`. It is made without the pipeline's lexicon, oracles or
Prolog, so that what those measure can be held against it.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from halluvault_tasks.local import persona_dates
from halluvault_tasks.local.persona_cases import Case, Catalogue, Premise, Thing, kind

_LAST_YEAR = 2000
"""Shifted dates go no further, so that no model speaks of the future."""
_WINDOW = re.compile(r"\[(\d{1,6}),\s*(\d{1,6})\]")


class Fault(Enum):
    """What is planted in an answer."""

    NONE = "none"
    DONT_KNOW = "dont_know"
    SWAPPED_ENTITY = "swapped_entity"
    """A premise names another entity, and the answer is wrong accordingly."""
    SHIFTED_DATE = "shifted_date"
    """A premise has another date (or number), and the answer is wrong accordingly."""
    WRONG_KNOWLEDGE_RIGHT_ANSWER = "wrong_knowledge_right_answer"
    """A premise is wrong, the answer is right all the same."""
    CHANGED_RELATION = "changed_relation"
    """A premise joins the right things by another relation; the answer is right."""
    WRONG_STEP = "wrong_step"
    """True premises, a false step, a wrong answer."""
    WRONG_STEP_RIGHT_ANSWER = "wrong_step_right_answer"
    """True premises, a false step, and the right answer against it."""
    WRONG_ANSWER = "wrong_answer"
    """True premises, then the wrong answer without a word of reasoning."""
    BOTH = "both"
    """A wrong premise and a false step; the answer is wrong."""
    BOTH_RIGHT_ANSWER = "both_right_answer"
    """A wrong premise and a false step; the answer is right."""


CATEGORY: Mapping[Fault, str] = {
    Fault.NONE: "normal",
    Fault.DONT_KNOW: "normal",
    Fault.SWAPPED_ENTITY: "error_knowledge",
    Fault.SHIFTED_DATE: "error_knowledge",
    Fault.WRONG_KNOWLEDGE_RIGHT_ANSWER: "error_knowledge",
    Fault.CHANGED_RELATION: "error_inference",
    Fault.WRONG_STEP: "error_inference",
    Fault.WRONG_STEP_RIGHT_ANSWER: "error_inference",
    Fault.WRONG_ANSWER: "error_inference",
    Fault.BOTH: "both",
    Fault.BOTH_RIGHT_ANSWER: "both",
}
"""The planted category of each fault, in the papers' terms: nodes are knowledge, edges and steps are inference."""

_WRONG_ANSWER = frozenset({Fault.SWAPPED_ENTITY, Fault.SHIFTED_DATE, Fault.WRONG_STEP, Fault.WRONG_ANSWER, Fault.BOTH})
_ON_KNOWLEDGE = frozenset({
    Fault.SWAPPED_ENTITY, Fault.SHIFTED_DATE, Fault.WRONG_KNOWLEDGE_RIGHT_ANSWER, Fault.BOTH, Fault.BOTH_RIGHT_ANSWER,
})  # fmt: skip
FALSE_STEP = frozenset({Fault.WRONG_STEP, Fault.WRONG_STEP_RIGHT_ANSWER, Fault.BOTH, Fault.BOTH_RIGHT_ANSWER})
"""Faults whose text has a false step."""


class Persona(NamedTuple):
    """How one simulated model errs. Shares are of all its answers."""

    dont_know: float
    faults: tuple[tuple[Fault, float], ...]
    """(fault, share) on relation questions."""
    temporal_faults: tuple[tuple[Fault, float], ...]
    """(fault, share) on temporal questions."""
    paraphrases: float
    """Share of premises said in other words."""
    extras: float
    """Share of answers with a true fact beside the point, or with one premise left out."""


class Change(NamedTuple):
    """A premise that is told wrongly."""

    position: int
    item: Thing | None = None
    """Another object."""
    years: int = 0
    """Years that the date is moved by."""
    amount: str = ""
    """Another number."""
    relation: str = ""
    """Another relation."""
    also: tuple[int, ...] = ()
    """Other premises whose dates move with it: the rest of the same subject's span."""


class Plan(NamedTuple):
    """What will be said, fixed before it is said."""

    answer: str
    """yes, no or dont_know."""
    category: str
    fault: Fault
    change: Change | None


Neighbours = Callable[[Thing], tuple[Thing, ...]]
"""Entities alike to one, for when no premise offers a plausible other value."""


def draw(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256(":".join(map(str, parts)).encode()).digest()[:8]) / 2**64


def make_plan(persona: Persona, model: str, case: Case, catalogue: Catalogue, alike: Neighbours, seed: int) -> Plan:
    """Decide what a model will say on a case.

    Args:
        persona: its shares of faults.
        model: its name; part of the hash, so that models err on different cases.
        case: what is asked.
        catalogue: other premises of the same benchmark.
        alike: asked only when the catalogue has no other value.
        seed: of the whole plan.

    Returns:
        The plan. A fault that the case leaves no room for becomes its nearest kin that it does: another date where
        there is no entity to swap, a wrong answer where nothing can be changed.
    """
    fault = _pick(persona, case, draw(seed, model, case.case_id, "fault"))
    if fault is Fault.NONE:
        return Plan(case.gold, "normal", fault, None)
    if fault is Fault.DONT_KNOW:
        return Plan("dont_know", "normal", fault, None)
    random = Random(f"{seed}:{model}:{case.case_id}:change")
    change = None
    if fault in _ON_KNOWLEDGE:
        change = _wrong_knowledge(fault, case, catalogue, alike, random)
        if change is None:
            fault = Fault.WRONG_STEP if fault in _WRONG_ANSWER else Fault.WRONG_STEP_RIGHT_ANSWER
        elif fault in (Fault.SWAPPED_ENTITY, Fault.SHIFTED_DATE):
            fault = Fault.SWAPPED_ENTITY if change.item else Fault.SHIFTED_DATE
    elif fault is Fault.CHANGED_RELATION:
        change = _wrong_relation(case, catalogue, random)
        if change is None:
            fault = Fault.WRONG_STEP_RIGHT_ANSWER
    opposite = "no" if case.gold == "yes" else "yes"
    return Plan(opposite if fault in _WRONG_ANSWER else case.gold, CATEGORY[fault], fault, change)


def _pick(persona: Persona, case: Case, chance: float) -> Fault:
    shares = persona.temporal_faults if case.suite == "temporal" else persona.faults
    for fault, share in ((Fault.DONT_KNOW, persona.dont_know), *shares):
        if chance < share:
            return fault
        chance -= share
    return Fault.NONE


def _wrong_knowledge(
    fault: Fault, case: Case, catalogue: Catalogue, alike: Neighbours, random: Random
) -> Change | None:
    """A premise told wrongly: preferably of the kind that the fault names."""
    swaps = [(position, premise) for position, premise in enumerate(case.premises) if premise.item is not None]
    moves = [(position, premise) for position, premise in enumerate(case.premises) if premise.item is None]
    random.shuffle(swaps)
    random.shuffle(moves)
    ways = [*moves, *swaps] if fault is Fault.SHIFTED_DATE else [*swaps, *moves]
    for position, premise in ways:
        if premise.item is not None:
            thing = _other_thing(fault, case, premise, catalogue, alike, random)
            if thing is not None:
                return Change(position, item=thing)
        elif premise.date:
            return _moved(fault, case, position, random)
        elif premise.amount:
            return Change(position, amount=_other_amount(premise.amount, random))
    return None


def _other_thing(
    fault: Fault, case: Case, premise: Premise, catalogue: Catalogue, alike: Neighbours, random: Random
) -> Thing | None:
    """A plausible wrong object; a wrong answer takes the value that the question offers, where that one is wrong."""
    true = premise.item
    assert true is not None
    offered = case.asked if case.fact.get("truth") is False and case.fact.get("p") == premise.property else None
    if offered is not None and offered.qid not in (true.qid, premise.subject.qid) and fault in _WRONG_ANSWER:
        return offered

    def wrong(thing: Thing) -> bool:
        return (
            thing.qid not in (true.qid, premise.subject.qid)
            and (case.asked is None or thing.qid != case.asked.qid)
            and (premise.subject.qid, premise.property, thing.qid) not in catalogue.values
            # what a premise joins to the true object may contain it, and then would be no error
            and (true.qid, thing.qid) not in catalogue.linked
            and thing.label.casefold() != true.label.casefold()
        )

    near = [thing for thing in catalogue.objects.get(premise.property, ()) if wrong(thing)]
    kinds = catalogue.types.get(true.qid, frozenset())
    candidates = [thing for thing in near if kinds & catalogue.types.get(thing.qid, frozenset())]
    candidates = candidates or [thing for thing in alike(true) if wrong(thing)] or near
    return random.choice(candidates) if candidates else None


def _moved(fault: Fault, case: Case, position: int, random: Random) -> Change:
    """A date out of its own bounds. Where the answer is to be wrong, the whole span goes where it would make it so."""
    premise = case.premises[position]
    unit = {8: 10, 7: 100, 6: 1000}.get(premise.precision, 1)
    if fault not in _WRONG_ANSWER:
        years = random.choice((-1, 1)) * -(-random.randint(1, 12) // unit) * unit
        past = all(date.year + years <= _LAST_YEAR for date in dated([premise]))
        return Change(position, years=years if past else -abs(years))
    span = tuple(
        other
        for other, each in enumerate(case.premises)
        if other != position and each.date and each.subject == premise.subject
    )
    known = [date.year for date in dated([premise, *(case.premises[other] for other in span)])] or [0]
    far = random.randint(60, 160)
    years = far if random.random() < 0.5 and max(known) + far <= _LAST_YEAR else -far
    asked = asked_year(case)
    # An odd number of negations turns "move it there" into "move it away", and the other way round.
    there = case.fact.get("truth") is (str(case.fact.get("formula", "")).count("!") % 2 == 1)
    if there and asked is not None:
        years = asked - (min(known) + max(known)) // 2 or years
    return Change(position, years=(years // unit or 1) * unit, also=span)


def asked_year(case: Case) -> int | None:
    """The year that is asked about; of a window, read off a formula, its middle."""
    at, year = case.fact.get("at"), case.fact.get("o")
    if isinstance(year, int) and [one.property for one in case.premises if one.date] == [case.fact.get("p")]:
        return year  # the one date is asked about: "Was … born in the year 1930?"
    if not isinstance(at, int) or case.fact.get("granularity") != "year":
        return None
    window = _WINDOW.search(str(case.fact.get("formula", "")))
    return at + (int(window[1]) + int(window[2])) // 2 if window else at


def _other_amount(amount: str, random: Random) -> str:
    try:
        number = int(amount)
    except ValueError:
        return f"{float(amount) * random.choice((0.5, 1.5, 2)):g}"
    return str(number + random.choice((-1, 1)) * max(1, abs(number) // random.randint(4, 20)))


def _wrong_relation(case: Case, catalogue: Catalogue, random: Random) -> Change | None:
    positions = list(range(len(case.premises)))
    random.shuffle(positions)
    for position in positions:
        premise = case.premises[position]
        others = [
            relation
            for pid, relation, what in catalogue.relations
            if what == kind(premise)
            and pid != premise.property
            and relation != premise.relation
            and _could_hold(premise, pid, catalogue)
        ]
        if others:
            return Change(position, relation=random.choice(others))
    return None


def _could_hold(premise: Premise, pid: int, catalogue: Catalogue) -> bool:
    """Whether a relation is known to take such objects, or to date such subjects, and not to hold between these two."""
    subject, item = premise.subject, premise.item
    if item is None:
        dates = catalogue.dated.get(pid, frozenset())
        return not premise.date or not dates.isdisjoint(catalogue.types.get(subject.qid, frozenset()))
    kinds = catalogue.types.get(item.qid, frozenset())
    fitting = any(kinds & catalogue.types.get(thing.qid, frozenset()) for thing in catalogue.objects.get(pid, ()))
    return fitting and (subject.qid, pid, item.qid) not in catalogue.values


def dated(premises: Sequence[Premise]) -> tuple[persona_dates.Date, ...]:
    """The dates of premises, in order; unreadable ones are left out."""
    found = []
    for premise in premises:
        if premise.date:
            try:
                found.append(persona_dates.parse(premise.date, premise.precision))
            except ValueError:
                continue
    return tuple(found)
