"""What a response answers: all signs of an answer together.

Two explicit answers that differ contradict each other, unless the text takes the first one back. A concluding clause,
or one in the same paragraph, that states the opposite of a leading yes or no is a second explicit answer; reasoning
that only comes to another end is none (semantics.md section 4.2, 0c and CX). Nothing is guessed.
"""

from collections.abc import Sequence

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Answer, Span
from halluvault_tasks.reading.propositions import Asked
from halluvault_tasks.reading.signs import Said, Sign, signs


def read(text: Sequence[Said], asked: Asked) -> Answer:
    """The answer of a response.

    Args:
        text: its sentences, as `echoes.hear` gave them and parsed.
        asked: the question.
    """
    return _resolved(text, asked, signs(text, asked))


def _resolved(text: Sequence[Said], asked: Asked, found: Sequence[Sign]) -> Answer:
    explicit = [one for one in found if one.how not in ("restated", "excluded", "unknown")]
    if not any(one.how != "retracted" for one in explicit):
        explicit = [one for one in found if one.how == "restated" and _answers(one, text, asked)]
    elif not asked.statement and not asked.proposition.denied:
        explicit = sorted((*explicit, *_opposing(text, explicit, found)), key=found.index)
    if not explicit:
        edge = [one for one in found if one.how == "unknown" and (not asked.statement or _at_edge(one, text))]
        return Answer(edge[0].kind, edge[0].span, edge[0].how) if edge else Answer("unparseable", Span(0, 0))
    standing: list[Sign] = []
    for one in explicit:
        if one.how == "retracted":
            if standing and standing[-1].sentence == one.sentence - 1:
                standing = [standing[-1]._replace(kind="no" if standing[-1].kind == "yes" else "yes")]
        elif standing and one.kind != standing[-1].kind and _corrects(text, standing[-1].sentence, one.sentence):
            standing = [one]
        else:
            standing.append(one)
    other = next((one for one in standing if one.kind != standing[0].kind), None)
    if other:
        return Answer("contradictory", Span(standing[0].span.start, other.span.end), f"{standing[0].how}, {other.how}")
    return Answer(standing[0].kind, standing[0].span, standing[0].how)


def _answers(one: Sign, text: Sequence[Said], asked: Asked) -> bool:
    """Whether a restatement is a verdict: of a statement to be judged only at the edges of the text, or concluding."""
    return not asked.statement or one.concludes or _at_edge(one, text)


def _at_edge(one: Sign, text: Sequence[Said]) -> bool:
    return one.sentence in (0, len(text) - 1)


def _opposing(text: Sequence[Said], explicit: Sequence[Sign], found: Sequence[Sign]) -> list[Sign]:
    """Restatements that count beside an explicit answer: in its paragraph or concluding, but no list's points."""
    blocks = {text[one.sentence].sentence.block for one in explicit}
    kept = []
    for one in found:
        sentence = text[one.sentence].sentence
        near = sentence.block in blocks or _corrects(text, 0, one.sentence)
        if one.how == "restated" and sentence.kind != "point" and (near or one.concludes):
            kept.append(one)
        elif one.how == "excluded" and near and one.sentence > 0:
            kept.append(one)
    return kept


def _corrects(text: Sequence[Said], first: int, last: int) -> bool:
    """Whether a word of correcting stands in the sentence of the second of two answers, or as a title before it."""
    if first == last:
        return False
    titles = [one for one in text[first + 1 : last] if len(one.parse) <= 3]
    labels = {word for one in text[first + 1 : last + 1] for word in one.heard.label.split()}
    words = {word.lemma.casefold() for one in (*titles, text[last]) for word in one.parse} | labels
    return not english.CORRECT.isdisjoint(words)
