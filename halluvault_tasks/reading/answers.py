"""What a response answers: all signs of an answer together.

Two explicit answers that differ contradict each other, unless the text takes the first one back. A concluding clause,
or one in the same paragraph, that states the opposite of a leading yes or no is a second explicit answer; reasoning
that only comes to another end is none (semantics.md section 4.2, 0c and CX). Nothing is guessed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Answer, TextSpan
from halluvault_tasks.reading.propositions import UnderstoodQuestion
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.said import EXPLICIT, ResponseSentence, Sign


class StandingAnswer(NamedTuple):
    """An answer, and from which sentence on what the response says of it stands: what comes before is taken back."""

    answer: Answer
    since: int = 0


def read(text: Sequence[ResponseSentence], found: Sequence[Sign], asked: UnderstoodQuestion) -> StandingAnswer:
    """The answer of a response.

    Args:
        text: its sentences, as `echoes.hear` gave them, and parsed.
        found: everything in them that says something about the answer, in order.
        asked: the question.
    """
    edges = (0, len(text) - 1)
    explicit = [one for one in found if one.how in EXPLICIT]
    if not any(one.how != "retracted" for one in explicit):
        # A statement's own words judge it only where texts conclude.
        said = [one for one in found if not asked.statement or one.concludes or one.sentence in edges]
        explicit = [one for one in said if one.how == "restated"]
        dated = [one for one in said if one.how == "dated"]
        explicit = explicit or (dated if len({one.kind for one in dated}) == 1 else [])
    elif not asked.statement and not asked.proposition.denied:
        near = {text[one.sentence].sentence.block for one in explicit}
        explicit = [one for one in found if one.how in EXPLICIT or _opposes(text, one, near)]
    if explicit:
        return _together(text, sure(text, explicit))
    for one in found:
        if one.how == "unknown" and (not asked.statement or one.sentence in edges):
            return StandingAnswer(Answer(one.kind, one.span, one.how))
    return StandingAnswer(Answer("unparseable", TextSpan(0, 0)))


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
