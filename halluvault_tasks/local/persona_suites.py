"""What simulated models answer where a companion suite asks: one planted fault a suite, at a known rate."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from halluvault_tasks.local.persona_cases import Case, Catalogue
from halluvault_tasks.local.persona_plan import draw


class Said(NamedTuple):
    """A reply, and what is planted in it, as `simulation.planted` has it."""

    text: str
    answer: str
    category: str
    fault: str


class Rates(NamedTuple):
    """Shares of replies with the suite's fault."""

    swapped: float = 0.1
    """Memory: sets in which two names have changed places."""
    unknown: float = 0.02
    """Memory: pairs that are not known singly, another right end named in their place."""
    misjudged: float = 0.2
    """Recognition: members that are judged the wrong way round."""
    failed: float = 0.02
    """Recognition: replies that give no judgement."""


RATES: Mapping[str, Rates] = {
    "careful": Rates(0.05, 0.01, 0.1, 0.01),
    "overconfident": Rates(0.3, 0.03, 0.4, 0.02),
    "weak-at-time": Rates(0.15, 0.02, 0.25, 0.05),
    "refuser": Rates(0.1, 0.02, 0.2, 0.1),
}
"""Short name of a persona → its rates."""


def answer(rates: Rates, model: str, case: Case, catalogue: Catalogue, seed: int) -> Said | None:
    """What a model replies to a case of a companion suite; None for any other suite.

    Args:
        rates: of its faults.
        model: its name; part of the hash, so that models err on different cases.
        case: what is asked.
        catalogue: other premises of the same benchmark.
        seed: of the whole plan.
    """
    chance = draw(seed, model, case.case_id, "fault")
    if case.suite == "recognition":
        return _judged(rates, case, chance)
    if case.suite != "memory":
        return None
    random = Random(f"{seed}:{model}:{case.case_id}:change")
    names = case.gold.split(", ")
    if len(names) > 1:
        if chance >= rates.swapped:
            return Said(case.gold, "list", "normal", "none")
        one, other = random.sample(range(len(names)), 2)
        names[one], names[other] = names[other], names[one]
        return Said(", ".join(names), "list", "unattributed", "swapped_pair")
    others = [thing.label for thing in catalogue.objects[case.premises[0].property] if thing.label != case.gold]
    if chance >= rates.unknown or not others:
        return Said(case.gold, "list", "normal", "none")
    return Said(random.choice(others), "list", "error_knowledge", "another_name")


def _judged(rates: Rates, case: Case, chance: float) -> Said:
    """A judgement of recognition. The last line gives it, whichever way it was asked."""
    if chance < rates.failed:
        return Said("That is hard to say of this text.", "unparseable", "unparseable", "no_judgement")
    wrong = chance < rates.failed + rates.misjudged
    answer = case.gold if not wrong else "no" if case.gold == "yes" else "yes"
    category, fault = ("unattributed", "misjudged") if wrong else ("normal", "none")
    return Said(answer.capitalize(), answer, category, fault)
