"""What a simulated model makes of evidence before a question, and of being told to check itself: faults mended.

Who reacts, and to what, its persona says (`Persona.mends`); whom nothing mends answers the same in every prompt. Which
faults are mended is drawn by case, so that the same ones are whenever it is asked.
"""

from collections.abc import Collection

from halluvault_tasks.local.personas.choose_fault import Persona, ReplyPlan, draw
from halluvault_tasks.local.personas.fault_kinds import LABEL, FaultKind
from halluvault_tasks.local.personas.lookup import PromptedCase

EVIDENCE, SELF_CHECK = "evidence", "self-check"

_NO_FAULTS = frozenset({"normal", "abstained"})


def ways(template: str, context: str) -> tuple[str, ...]:
    """What a prompt has that a model may react to.

    Args:
        template: of its variant.
        context: of its variant.
    """
    has = {EVIDENCE: context == "with-evidence", SELF_CHECK: template == "halluvault/self-check"}
    return tuple(way for way, there in has.items() if there)


def labelled(model: str, reacts_to: Collection[str]) -> str:
    """Under which name the label of such an answer is kept: one model answers otherwise to another prompt."""
    return ", ".join([model, *reacts_to])


def mended(
    persona: Persona, model: str, case: PromptedCase, reacts_to: Collection[str], plan: ReplyPlan, seed: int
) -> ReplyPlan:
    """The plan, or a right answer in its place.

    Args:
        persona: says of how many faults.
        model: its name; part of the draw.
        case: what is asked.
        reacts_to: what the prompt has of what the persona reacts to.
        plan: what it would say otherwise.
        seed: of the draw.
    """
    if plan.category in _NO_FAULTS:
        return plan
    helps = any(draw(seed, model, case.case_id, way) < persona.mends[way] for way in reacts_to)
    return ReplyPlan(case.gold, LABEL[FaultKind.PLAIN].category, FaultKind.PLAIN, None) if helps else plan
