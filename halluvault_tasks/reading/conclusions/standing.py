"""What a response answers: all signs of an answer together.

Two explicit answers that differ contradict each other, unless the text takes the first one back. A concluding clause,
or one in the same paragraph, that states the opposite of a leading yes or no is a second explicit answer; reasoning
that only comes to another end is none (semantics.md section 4.2, 0c and CX). Nothing is guessed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Answer, TextSpan
from halluvault_tasks.reading.conclusions.sentences import EXPLICIT, ResponseSentence, Sign
from halluvault_tasks.reading.propositions.proposition import UnderstoodQuestion
from halluvault_tasks.reading.rules import rule


class StandingAnswer(NamedTuple):
    """An answer, and from which sentence on what the response says of it stands: what comes before is taken back."""

    answer: Answer
    since: int = 0


def standing_answer(
    text: Sequence[ResponseSentence], signs: Sequence[Sign], asked: UnderstoodQuestion
) -> StandingAnswer:
    """The answer of a response.

    Args:
        text: its sentences.
        signs: everything in them that says something about the answer, in order.
        asked: the question.
    """
    edges = (0, len(text) - 1)
    if explicit := _explicit(text, signs, asked):
        return _together(text, sure(text, explicit))
    for sign in signs:
        if sign.how == "unknown" and (not asked.statement or sign.sentence in edges):
            return StandingAnswer(Answer(sign.kind, sign.span, sign.how))
    return StandingAnswer(Answer("unparseable", TextSpan(0, 0)))


def _explicit(text: Sequence[ResponseSentence], signs: Sequence[Sign], asked: UnderstoodQuestion) -> Sequence[Sign]:
    """The signs that answer: explicit ones and what stands beside them, or, failing these, what is asked itself."""
    explicit = [sign for sign in signs if sign.how in EXPLICIT]
    if any(sign.how != "retracted" for sign in explicit):
        if asked.statement or asked.proposition.denied:
            return explicit
        near = {text[sign.sentence].sentence.block for sign in explicit}
        return [sign for sign in signs if sign.how in EXPLICIT or _opposes(text, sign, near)]
    return _implied(text, signs, asked)


def _implied(text: Sequence[ResponseSentence], signs: Sequence[Sign], asked: UnderstoodQuestion) -> Sequence[Sign]:
    """Where nothing is explicit, what is asked, stated by itself; or its one date."""
    edges = (0, len(text) - 1)  # a statement's own words judge it only where texts conclude
    own = [sign for sign in signs if not asked.statement or sign.concludes or sign.sentence in edges]
    dated = [sign for sign in own if sign.how == "dated"]
    alike = dated if len({sign.kind for sign in dated}) == 1 else []
    return [sign for sign in own if sign.how == "restated"] or alike


@rule("answers.beside", "", otherwise=False)
def _opposes(text: Sequence[ResponseSentence], one: Sign, near: set[int]) -> bool:
    """Whether a restatement counts beside an explicit answer: in its paragraph or concluding, but no list's point."""
    sentence = text[one.sentence].sentence
    beside = sentence.block in near or _corrects(text, 0, one.sentence)
    if one.how == "restated":
        return sentence.kind != "point" and (beside or one.concludes)
    return one.how == "excluded" and beside and one.sentence > 0


def sure(text: Sequence[ResponseSentence], found: Sequence[Sign]) -> Sequence[Sign]:
    """Of signs that differ those whose sentences say nothing else, and beside an "Answer: yes" no "Alive: no"."""
    if len({one.kind for one in found}) < 2:
        return found
    labelled = {one: text[one.sentence].label & english.ANSWER for one in found if one.how == "labelled"}
    named = any(labelled.values())
    return [one for one in found if one.plain and (not named or labelled.get(one, True))] or found


def _together(text: Sequence[ResponseSentence], explicit: Sequence[Sign]) -> StandingAnswer:
    standing: list[Sign] = []
    since = 0
    for one in explicit:
        last = standing[-1] if standing else None
        if one.how != "retracted":
            corrected = last and last.kind != one.kind and _corrects(text, last.sentence, one.sentence)
            standing = [one] if corrected else [*standing, one]
            since = one.sentence if corrected else since
        elif last and last.sentence == one.sentence - 1:
            standing = [last._replace(kind="no" if last.kind == "yes" else "yes")]
            since = one.sentence
    first = standing[0]
    other = next((one for one in standing if one.kind != first.kind), None)
    if other:
        span = TextSpan(first.span.start, max(first.span.end, other.span.end))
        return StandingAnswer(Answer("contradictory", span, f"{first.how}, {other.how}"), since)
    return StandingAnswer(Answer(first.kind, first.span, first.how), since)


@rule("answers.corrected", "Was Ann Lee born in Rome? → Yes. Wait, no. The answer is no.", otherwise=False)
def _corrects(text: Sequence[ResponseSentence], first: int, last: int) -> bool:
    """Whether a word of correcting stands in the sentence of the second of two answers, or as a title before it."""
    return (first < last and text[last].corrects) or any(one.retitles for one in text[first + 1 : last + 1])
