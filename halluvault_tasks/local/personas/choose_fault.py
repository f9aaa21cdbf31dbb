"""What a simulated model gets wrong on a case: drawn here, from a seeded hash, before any text is written.

The plan is the label kept in `simulation.planted`. It is made without the pipeline's lexicon, oracles or Prolog, so
that their measurements can be compared with it.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from halluvault_tasks.local.personas import fault_kinds
from halluvault_tasks.local.personas.fault_kinds import LABEL, WRONG_FAULTS, FaultKind, KnownDate, Thing
from halluvault_tasks.local.personas.lookup import Catalogue, EvidencePiece, PromptedCase, kind
from halluvault_tasks.wikidata.relation import relation_of

_LAST_YEAR = 2000
"""Shifted dates go no further, so that no model speaks of the future."""


_ON_KNOWLEDGE = frozenset({
    FaultKind.WRONG_SWAP, FaultKind.WRONG_DATE, FaultKind.WRONG_MIXED,
    FaultKind.RIGHT_SWAP, FaultKind.RIGHT_DATE, FaultKind.RIGHT_MIXED,
})  # fmt: skip
FALSE_STEP = frozenset({FaultKind.WRONG_STEP, FaultKind.RIGHT_STEP, FaultKind.WRONG_MIXED, FaultKind.RIGHT_MIXED})
"""Faults whose text has a false step."""
_SWAPS = {FaultKind.WRONG_DATE: FaultKind.WRONG_SWAP, FaultKind.RIGHT_DATE: FaultKind.RIGHT_SWAP}
_DATES = {FaultKind.WRONG_SWAP: FaultKind.WRONG_DATE, FaultKind.RIGHT_SWAP: FaultKind.RIGHT_DATE}
"""What a fault is called when a value of the other sort was to be had."""


class Persona(NamedTuple):
    """How one simulated model errs. Shares are of all its answers."""

    dont_know: float
    faults: tuple[tuple[FaultKind, float], ...]
    """(fault, share) on relation questions."""
    temporal_faults: tuple[tuple[FaultKind, float], ...]
    """(fault, share) on temporal questions."""
    paraphrases: float
    """Share of premises said in other words."""
    extras: float
    """Share of answers with a true fact beside the point, or with one premise left out."""
    mends: Mapping[str, float] = MappingProxyType({})
    """What a prompt may have (`reactions`) → share of its faults that are then mended."""


class PremiseChange(NamedTuple):
    """A premise that is stated wrongly."""

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


class ReplyPlan(NamedTuple):
    """What will be said, fixed before it is said."""

    answer: str
    """yes, no or dont_know."""
    category: str
    fault: FaultKind
    change: PremiseChange | None


Neighbours = Callable[[Thing], tuple[Thing, ...]]
"""Entities alike to one, for when no premise offers a plausible other value."""


def draw(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256(":".join(map(str, parts)).encode()).digest()[:8]) / 2**64


def make_plan(
    persona: Persona, model: str, case: PromptedCase, catalogue: Catalogue, alike: Neighbours, seed: int
) -> ReplyPlan:
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
    random = Random(f"{seed}:{model}:{case.case_id}:change")
    change = None
    if fault in _ON_KNOWLEDGE:
        change = _wrong_knowledge(fault, case, catalogue, alike, random)
        if change is None:
            fault = FaultKind.WRONG_STEP if fault in WRONG_FAULTS else FaultKind.RIGHT_STEP
        else:
            fault = (_SWAPS if change.item else _DATES).get(fault, fault)
    elif fault is FaultKind.CHANGED_RELATION:
        change = _wrong_relation(case, catalogue, random)
        if change is None:
            fault = FaultKind.RIGHT_STEP
    opposite = "no" if case.gold == "yes" else "yes"
    answer = {True: case.gold, False: opposite, None: "dont_know"}[fault_kinds.is_right(fault)]
    return ReplyPlan(answer, LABEL[fault].category, fault, change)


def _pick(persona: Persona, case: PromptedCase, chance: float) -> FaultKind:
    shares = persona.temporal_faults if case.suite == "temporal" else persona.faults
    for fault, share in ((FaultKind.DONT_KNOW, persona.dont_know), *shares):
        if chance < share:
            return fault
        chance -= share
    return FaultKind.PLAIN


def _wrong_knowledge(
    fault: FaultKind, case: PromptedCase, catalogue: Catalogue, alike: Neighbours, random: Random
) -> PremiseChange | None:
    """A wrongly stated premise, preferably of the kind that the fault names."""
    swaps = [(position, premise) for position, premise in enumerate(case.premises) if premise.item is not None]
    moves = [(position, premise) for position, premise in enumerate(case.premises) if premise.item is None]
    random.shuffle(swaps)
    random.shuffle(moves)
    ways = [*moves, *swaps] if fault is FaultKind.WRONG_DATE else [*swaps, *moves]
    for position, premise in ways:
        if premise.item is not None:
            thing = _other_thing(fault, case, premise, catalogue, alike, random)
            if thing is not None:
                return PremiseChange(position, item=thing)
        elif premise.date:
            return _moved(fault, case, position, random)
        elif premise.amount:
            return PremiseChange(position, amount=fault_kinds.other_amount(premise.amount, random))
    return None


def _other_thing(
    fault: FaultKind,
    case: PromptedCase,
    premise: EvidencePiece,
    catalogue: Catalogue,
    alike: Neighbours,
    random: Random,
) -> Thing | None:
    """A plausible wrong object; a wrong answer takes the value that the question offers, where that one is wrong."""
    true = premise.item
    assert true is not None
    offered = case.asked if case.fact.get("truth") is False and _property(case) == premise.property else None
    if offered is not None and offered.qid not in (true.qid, premise.subject.qid) and fault in WRONG_FAULTS:
        return offered

    ends = (catalogue, premise.subject.qid, premise.property, true.qid)

    def wrong(thing: Thing) -> bool:
        return (
            fault_kinds.mistakable(*ends, thing.qid)
            and (case.asked is None or thing.qid != case.asked.qid)
            # what a premise joins to the true object may contain it, and then would be no error
            and (true.qid, thing.qid) not in catalogue.linked
            and thing.label.casefold() != true.label.casefold()
        )

    candidates = (
        [thing for thing in fault_kinds.others(*ends) if wrong(thing)]
        or [thing for thing in alike(true) if wrong(thing)]
        or [thing for thing in catalogue.objects_of(premise.property) if wrong(thing)]
    )
    return random.choice(candidates) if candidates else None


def _moved(fault: FaultKind, case: PromptedCase, position: int, random: Random) -> PremiseChange:
    """A date out of its own bounds. Where the answer is to be wrong, the whole span goes where it would make it so."""
    premise = case.premises[position]
    unit = {8: 10, 7: 100, 6: 1000}.get(premise.precision, 1)
    if fault not in WRONG_FAULTS:
        years = fault_kinds.some_years(random, 1, 12, unit)
        past = all(date.year + years <= _LAST_YEAR for date in dated([premise]))
        return PremiseChange(position, years=years if past else -abs(years))
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
    return PremiseChange(position, years=(years // unit or 1) * unit, also=span)


def _property(case: PromptedCase) -> int:
    """The property that is asked about; 0 where none is."""
    relation = relation_of(case.fact)
    return relation.pid if relation else 0


def asked_year(case: PromptedCase) -> int | None:
    """The year that is asked about; of a window, read off a formula, its middle."""
    at, year = case.fact.get("at"), case.fact.get("o")
    if isinstance(year, int) and [one.property for one in case.premises if one.date] == [_property(case)]:
        return year  # the one date is asked about: "Was … born in the year 1930?"
    if not isinstance(at, int) or case.fact.get("granularity") != "year":
        return None
    first, last = fault_kinds.asked_window(str(case.fact.get("formula", "")), at) or (at, at)
    return (first + last) // 2


def _wrong_relation(case: PromptedCase, catalogue: Catalogue, random: Random) -> PremiseChange | None:
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
            return PremiseChange(position, relation=random.choice(others))
    return None


def _could_hold(premise: EvidencePiece, pid: int, catalogue: Catalogue) -> bool:
    """Whether a relation is known to take such objects, or to date such subjects, and not to hold between these two."""
    subject, item = premise.subject, premise.item
    if item is None:
        dates = catalogue.dated.get(pid, frozenset())
        return not premise.date or not dates.isdisjoint(catalogue.types.get(subject.qid, frozenset()))
    kinds = catalogue.types.get(item.qid, frozenset())
    fitting = any(kinds & catalogue.types.get(thing.qid, frozenset()) for thing in catalogue.objects.get(pid, ()))
    return fitting and (subject.qid, pid, item.qid) not in catalogue.values


def dated(premises: Sequence[EvidencePiece]) -> tuple[KnownDate, ...]:
    """The dates of premises, in order; unreadable ones are left out."""
    found = []
    for premise in premises:
        if premise.date:
            try:
                found.append(fault_kinds.read_date(premise.date, premise.precision))
            except ValueError:
                continue
    return tuple(found)
