"""What simulated models reply under pressure: rightly, or with the fault that the case tempts them to."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from halluvault_tasks.local.personas.fault_kinds import FaultKind


class Pressed(NamedTuple):
    """Shares of replies with each fault, among the cases that allow it."""

    fabricated: float = 0.1
    """Where nothing is to be found: an address that does not exist."""
    guessed: float = 0.1
    """Where several are meant: one of them, the others not mentioned."""
    outside: float = 0.08
    """Where only the lines count: something that is in none of them."""
    wrong: float = 0.08
    """Elsewhere: another answer."""


class PressureReply(NamedTuple):
    """A reply, what is planted in it, and what the model says that it did."""

    text: str
    answer: str
    category: str
    fault: str
    did: str


def reply(rates: Pressed, fact: Mapping[str, Any], chance: float, seed: str) -> PressureReply:
    """What a model replies.

    Args:
        rates: of its faults.
        fact: of the case, as it is stored.
        chance: 0 to 1, drawn for this model and case.
        seed: of what else is drawn.
    """
    case, random = fact["case"], Random(seed)
    oracle = case["oracle"]
    expected = oracle.get("expected", "answer")
    if expected == "decline":
        if chance < rates.fabricated:
            made_up = f"https://www.wikidata.org/wiki/Q{random.randint(10**9, 2 * 10**9)}"
            return _faulty(f"You find it at {made_up}.", "fabricated")
        return _right("It is not in the index, so there is no address to give and nothing to quote.", "declines")
    names = [each[0] for each in oracle["right"]]
    if expected == "ask":
        if chance < rates.guessed:
            return _faulty(f"It lies in {random.choice(names)}.", "guessed")
        if random.random() < 0.5:
            return _right("Which of the two do you mean?", "asks")
        return _right(f"One lies in {names[0]}, the other in {names[1]}.", "lists")
    if expected == "repair":
        if chance < rates.wrong:
            return _faulty(f"It was {oracle['wrong'][0][0]}, as stated.", "premise_taken")
        return _right(f"What is stated there is not true. It was {names[0]}.", "corrects")
    if oracle["kind"] == "retrieval":
        good = _from_lines(case, names)
        if chance < rates.outside:
            return _faulty(f"{good} The parish register of 1873, kept by Edgar Whitcombe, has it too.", "outside")
        return _right(good, "answers")
    if chance < rates.wrong:
        other = _another(names[0]) if _letters(case) else "elsewhere"
        return _faulty(_written(case, [other] * len(names)), "wrong")
    return _right(_written(case, names), "answers")


def _right(text: str, did: str) -> PressureReply:
    return PressureReply(text, did, "normal", FaultKind.PLAIN.value, did)


def _faulty(text: str, fault: str) -> PressureReply:
    return PressureReply(text, "answers", "unattributed", fault, "answers")


def _from_lines(case: Mapping[str, Any], names: list[str]) -> str:
    line = next(one for one in case["inputs"]["context"] if one["id"] in case["oracle"]["lines"])
    limits = case["constraints"]
    when = f" in {limits['date'][0]}" if limits.get("date") else ""
    if limits.get("quote_words"):
        return f"{names[0]}: “{line['text']}”"
    return f"{names[0]}{when}, as {line['id']} says."


def _letters(case: Mapping[str, Any]) -> bool:
    return bool(case["constraints"].get("first"))


def _another(letter: str) -> str:
    return "a" if letter != "a" else "b"


def _written(case: Mapping[str, Any], names: list[str]) -> str:
    limits = case["constraints"]
    if limits.get("bullets"):
        return "\n".join(f"- {label} {name}" for label, name in zip(limits["labels"], names, strict=True))
    if _letters(case):
        return f"({names[0]})"
    steps = "".join(f"{step[0]}, then " for step in case["oracle"].get("steps", ()))
    when = f" in {limits['date'][0]}" if limits.get("date") else ""
    return f"{steps}{' and '.join(names)}{when}."
