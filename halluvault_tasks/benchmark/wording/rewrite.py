"""Questions rewritten by a served model, as both papers do to smooth their templates; off by default.

A rewriting is kept only if everything that decides the answer survives: the names in their order, every number and
date, every word that negates, quantifies, orders in time or reverses a relation, and the number of clauses. Otherwise
it is rejected and counted with its reason, and the question stays as it was. No check can tell that a verb means the
same, which is why nobody gets rewritten questions without asking for them.

What a model made of a question is stored before it is checked, so that a benchmark built again from the stored
rewritings is the same to the byte, whether the model is still served or not.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.wording import generations
from halluvault_tasks.benchmark.wording.generations import Ask, Instruction
from halluvault_tasks.errors import UserError

VERSION = 1
"""Of the instruction; another text is another version, and its rewritings are asked for again."""

_TOLD = """\
Rewrite the following yes/no question so that it is natural English. Keep its meaning exactly: every name, date and \
number as it is written, every negation, and who does what to whom. Reply with the rewritten question alone, on one \
line.
Question: {question}"""

INSTRUCTION = Instruction("rewrite", VERSION, lambda question: _TOLD.replace("{question}", question))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_QUOTED = re.compile(r"“[^”]*”|‘[^’]*’(?!\w)")
_NEGATES = _set(
    "no not never none nobody nothing neither nor without cannot false untrue wrong incorrect deny denied different "
    "other another outside except unlike unrelated apart fail failed lack lacks lacked"
)
_ORDERS = _set(
    "before after until since during between while when from through throughout prior following preceding later "
    "earlier then"
)
_QUANTIFIES = _set(
    "every each all any some ever always least most only both either half once twice one two three four five six seven "
    "eight nine ten entire whole"
)
_JOINS = _set("and or but that which who whom whose where because if although though as")
_TURNS = _set("of by than")
_HEDGES = _set("could might may possible possibly perhaps probably likely would should")


class Reworded(NamedTuple):
    """Cases with their rewritten questions, and what became of the rewritings."""

    cases: list[Case]
    kept: int
    rejected: Counter[str]
    """Reason → rewritings."""


def askable(case: Case) -> bool:
    """Whether a case is rewritten at all: a statement to judge keeps its form, which is what makes it unambiguous."""
    return not case.question.startswith("Is this statement true?")


def apply(cases: Sequence[Case], stored: dict[str, str], asked: Collection[str] = ()) -> Reworded:
    """Put the stored rewritings that survive their checks in place of the questions; ids follow.

    Args:
        cases: of one part.
        stored: question → what the model made of it.
        asked: questions that the month asks elsewhere.
    """
    kept, rejected = 0, Counter[str]()
    taken = {*asked, *(case.question for case in cases)}
    made = []
    for case in cases:
        text = stored.get(case.question)
        if text is None or not askable(case):
            made.append(case)
            continue
        text = text.strip()
        reason = lost(case.question, text, _labels(case))
        if not reason and text in taken:
            reason = "asked already"
        if reason:
            rejected[reason] += 1
            made.append(case)
            continue
        kept += 1
        taken.add(text)
        made.append(
            case._replace(
                id=content_id(text, case.gold, case.group_id, case.mutation),
                question=text,
                fact={**case.fact, "rewritten_from": case.question},
            )
        )
    return Reworded(made, kept, rejected)


def known(session: Session, model: str, cases: Iterable[Case]) -> dict[str, str]:
    """Question → rewriting, of the questions of these cases that this model was asked to rewrite."""
    stored = generations.known(session, model, INSTRUCTION, {case.question for case in cases})
    return {question: texts[1] for question, texts in stored.items() if 1 in texts}


def fetch(session: Session, model: str, cases: Iterable[Case], ask: Ask | None) -> int:
    """Ask for the missing rewritings and store them, batch by batch. Commits; if killed, it continues from there.

    Returns:
        How many were asked for.

    Raises:
        UserError: some are missing and there is nobody to ask.
    """
    questions = {case.question for case in cases if askable(case)}
    missing = len(questions - set(generations.known(session, model, INSTRUCTION, questions)))
    if missing and ask is None:
        raise UserError(
            f"benchmark.yaml has questions rewritten by {model}, and {missing} have no stored rewriting",
            "run the build where the model is served, or take `rewrite` out of benchmark.yaml",
        )
    return generations.fetch(session, model, INSTRUCTION, questions, ask)


# ---------------------------------------------------------------- what must survive


def _labels(case: Case) -> set[str]:
    ends = (end for premise in case.premises for end in (premise["subject"], premise["object"]))
    return {end["label"] for end in ends if end.get("label")}


def lost(question: str, text: str, labels: Iterable[str] = ()) -> str:
    """What a rewriting lost or added, as a reason; empty where everything that is checked survived.

    Args:
        question: as it was.
        text: as it was rewritten.
        labels: names of what the question may be about, common nouns too; those that stand in it must stay.
    """
    if text == question:
        return "unchanged"
    if not text.endswith("?") or text.count("?") != question.count("?") or not text.isprintable():
        return "no single question"
    if len(text) > 2 * len(question) + 20 or re.search(r"[.!]\s+\w", _QUOTED.sub("", text)):
        return "more than the question"
    if _QUOTED.findall(text) != _QUOTED.findall(question):
        return "a quoted title"
    ours, theirs = _QUOTED.sub(" ", question), _QUOTED.sub(" ", text)
    if _numbers(ours) != _numbers(theirs):
        return "a date or number"
    gone = [
        label for label in labels if label.casefold() in question.casefold() and label.casefold() not in text.casefold()
    ]
    if gone or _names(ours) != _names(theirs, _names(ours)):
        return "a name, or the order of names"
    for words, reason in (
        (_NEGATES, "a negation"), (_ORDERS, "an order in time"), (_QUANTIFIES, "a quantity"), (_JOINS, "a clause"),
        (_TURNS, "the direction of a relation"), (_HEDGES, "a hedge"),
    ):  # fmt: skip
        if _counted(ours, words) != _counted(theirs, words):
            return reason
    if _owns(ours) != _owns(theirs):
        return "the direction of a relation"
    return ""


def _numbers(text: str) -> list[str]:
    """Numbers in order, and whether years are BC: `44 BC` is not `44`."""
    return re.findall(r"\d[\d.,]*\d|\d|\bBCE?\b|\bAD\b|\bCE\b", text)


def _names(text: str, given: Sequence[str] | None = None) -> list[str]:
    """Words that begin or hold a capital, in order; the first word only where it is one of the names given."""
    words = [re.sub(r"['’]s$", "", word) for word in _WORD.findall(text)]
    found = [word for word in words[1:] if word != word.lower() and word != "I"]
    if given is not None and words and words[0] in given:
        return [words[0], *found]
    return found


def _counted(text: str, words: frozenset[str]) -> Counter[str]:
    said = (re.sub(r"n['’]t$", "", word.lower()) for word in _WORD.findall(text))
    counted = Counter(word for word in said if word in words)
    if words is _NEGATES:
        # "isn't", "doesn't": one kind of negation more, which is not "not" elsewhere in the sentence.
        counted["n't"] = len(re.findall(r"n['’]t\b", text))
    return +counted


def _owns(text: str) -> int:
    return len(re.findall(r"\w['’]s\b|s['’](?=\s)", text))
