"""What simulated models answer to a companion suite: one planted fault per suite, at a known rate."""

import re
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from halluvault_tasks.local.personas import open_replies, pressure_replies
from halluvault_tasks.local.personas.choose_fault import Neighbours, draw
from halluvault_tasks.local.personas.fault_kinds import FaultKind
from halluvault_tasks.local.personas.lookup import Catalogue, PromptedCase


class PlantedReply(NamedTuple):
    """A reply, and what is planted in it, as `simulation.planted` has it."""

    text: str
    answer: str
    category: str
    fault: str
    guided: Mapping[str, str] = MappingProxyType({})
    """Guide of a turn → what is said there, where that is not `text`."""


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
    pressed: pressure_replies.Pressed = pressure_replies.Pressed()
    """Pressure: of each fault."""
    unmended: float = 0.15
    """Recognition: false texts that are given back as they are."""
    right_again: float = 0.1
    """Sampling: the right text given back."""
    other_words: float = 0.15
    """Sampling: a wrong text in words of its own."""
    unlike: float = 0.1
    """Rephrasing: a text that has nothing to do with the document."""
    off_document: float = 0.2
    """Memory, external: documents from which some answers stray, to another document's text."""
    swapped_name: float = 0.1
    """Memory, external: documents in one of whose answers one name or year is another."""
    first_of_two: float = 0.2
    """Filtering: the first is chosen, whatever it says."""
    opened: open_replies.Opened = open_replies.Opened()
    """Open questions: of each fault."""


RATES: Mapping[str, Rates] = {
    "careful": Rates(0.05, 0.01, 0.1, 0.01, opened=open_replies.Opened(0.06, 0.05, 0.02, 0.08)),
    "overconfident": Rates(
        0.3,
        0.03,
        0.4,
        0.02,
        pressure_replies.Pressed(0.5, 0.6, 0.3, 0.2),
        off_document=0.25,
        swapped_name=0.25,
        opened=open_replies.Opened(0.35, 0.05, 0.03, 0.0, sure=(95, 100), unsure=(90, 100)),
    ),
    "weak-at-time": Rates(0.15, 0.02, 0.25, 0.05, pressure_replies.Pressed(0.2, 0.2, 0.1, 0.3)),
    "refuser": Rates(0.1, 0.02, 0.2, 0.1, opened=open_replies.Opened(0.06, 0.05, 0.02, 0.4)),
    "always-right": Rates(
        0, 0, 0, 0, pressure_replies.Pressed(0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, open_replies.Opened(0, 0, 0, 0, 0)
    ),
}
"""Short name of a persona → its rates."""


def answer(
    rates: Rates, model: str, case: PromptedCase, catalogue: Catalogue, alike: Neighbours, seed: int
) -> PlantedReply | None:
    """What a model replies to a case of a companion suite; None for any other suite.

    Args:
        rates: of its faults.
        model: its name; part of the hash, so that models err on different cases.
        case: what is asked.
        catalogue: other premises of the same benchmark.
        alike: asked only when the catalogue has no other thing.
        seed: of the whole plan.
    """
    chance = draw(seed, model, case.case_id, "fault")
    if case.suite == "recognition":
        return _judged(rates, case, chance)
    if case.suite == "memory_external":
        return _summarised(rates, model, case, catalogue, seed)
    if case.suite == "pressure":
        said = pressure_replies.reply(rates.pressed, case.fact, chance, f"{seed}:{model}:{case.case_id}")
        return PlantedReply(said.text, said.answer, said.category, said.fault, {"conduct": said.did})
    if case.suite == "open":
        return _named(
            open_replies.reply(rates.opened, case, catalogue, alike, chance, f"{seed}:{model}:{case.case_id}")
        )
    if case.suite != "memory":
        return None
    random = Random(f"{seed}:{model}:{case.case_id}:change")
    names = case.gold.split(", ")
    if len(names) > 1:
        if chance >= rates.swapped:
            return PlantedReply(case.gold, "list", "normal", FaultKind.PLAIN.value)
        one, other = random.sample(range(len(names)), 2)
        names[one], names[other] = names[other], names[one]
        return PlantedReply(", ".join(names), "list", "unattributed", "swapped_pair")
    others = [thing.label for thing in catalogue.objects[case.premises[0].property] if thing.label != case.gold]
    if chance >= rates.unknown or not others:
        return PlantedReply(case.gold, "list", "normal", FaultKind.PLAIN.value)
    return PlantedReply(random.choice(others), "list", "error_knowledge", "another_name")


def _named(reply: open_replies.OpenExchange) -> PlantedReply:
    """An open answer, turn by turn."""
    guided = dict.fromkeys(("name", "date", "number"), reply.said) | {"confidence": str(reply.confidence)}
    return PlantedReply(reply.explanation, reply.answer, reply.category, reply.fault, guided)


def _judged(rates: Rates, case: PromptedCase, chance: float) -> PlantedReply:
    """A judgement of recognition. The last line gives it, whichever way it was asked."""
    if "refine" in case.fact:
        if chance >= rates.unmended:
            return PlantedReply(case.gold, "text", "normal", FaultKind.PLAIN.value)
        return PlantedReply(case.gold.replace(*case.fact["names"]), "text", "unattributed", "unmended")
    if chance < rates.failed:
        return PlantedReply("That is hard to say of this text.", "unparseable", "unparseable", "no_judgement")
    wrong = chance < rates.failed + rates.misjudged
    answer = case.gold if not wrong else "no" if case.gold == "yes" else "yes"
    category, fault = ("unattributed", "misjudged") if wrong else ("normal", FaultKind.PLAIN.value)
    return PlantedReply(answer.capitalize(), answer, category, fault)


_ELSEWHERE = (
    "The harvest was late that year.",
    "The bridge was closed to carts for repairs.",
    "Two ships brought salt and timber to the port.",
    "The choir rehearsed every evening.",
    "A comet was seen above the hills.",
)
"""About nothing that a benchmark asks, where it tells nothing else."""


def _summarised(rates: Rates, model: str, case: PromptedCase, catalogue: Catalogue, seed: int) -> PlantedReply:
    """A summary: the document's first sentences, some reordered. A fault concerns the whole document."""
    fact = case.fact
    chance = draw(seed, model, fact["document"], "fault")
    random = Random(f"{seed}:{model}:{case.case_id}:summary")
    sentences = [one.strip().rstrip(".") for one in re.split(r"(?<=[a-z0-9)”]{2}\.) ", fact["text"])]
    about = sentences[: 2 + draw(seed, model, fact["document"], "length").__gt__(0.5)]
    kept = about if random.random() < 0.7 else about[::-1]
    summary = ", and ".join(kept) + "."
    if chance < rates.off_document and fact["number"] % 2 == 0:
        others = sorted(each for several in catalogue.about.values() for each in several if each not in fact["text"])
        others = others if len(others) > 1 else list(_ELSEWHERE)
        strayed = ", and ".join(one.rstrip(".") for one in random.sample(others, 2)) + "."
        return PlantedReply(strayed, "text", "unattributed", "off_document")
    if rates.off_document <= chance < rates.off_document + rates.swapped_name and fact["number"] == fact["of"]:
        changed = _one_changed(summary, case, catalogue, random)
        if changed != summary:
            return PlantedReply(changed, "text", "unattributed", "swapped_name")
    return PlantedReply(summary, "text", "normal", FaultKind.PLAIN.value)


def _one_changed(summary: str, case: PromptedCase, catalogue: Catalogue, random: Random) -> str:
    """The summary with one year shifted, or one name exchanged for another of its property."""
    if year := re.search(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b", summary):
        return summary.replace(year[0], str(int(year[0]) - random.randint(2, 9)))
    for premise in case.premises:
        if premise.item is not None and premise.item.label in summary:
            others = [one.label for one in catalogue.objects[premise.property] if one.label not in summary]
            if others:
                return summary.replace(premise.item.label, random.choice(others))
    return summary
