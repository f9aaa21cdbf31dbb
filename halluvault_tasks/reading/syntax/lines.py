"""Lines that are no sentences: `Born: 1815`, `| Capital | Paris |`, a table's row under its headings.

A label that names a property is read as a clause about the topic, or about what stands in the row's first cell; any
other label is left out.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.mentions import LEADER, Lead, Mention
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.text import Sentence

_EVENTS = ("born", "founded", "formed", "released", "published")
_BY = ("directed by", "written by", "founded by", "educated at", "married to", "located in", "buried in")
_VERBS = {one: f"was {one} in" for one in _EVENTS} | {one: f"was {one}" for one in _BY}
_VERBS |= {"died": "died in", "starring": "featured"}
"""Labels that are verbs, and the clause's."""

_LONGEST = 40
"""Characters of a label."""


class LineReading(NamedTuple):
    """What is read of a line.

    Attributes:
        sentence: the line, or the part of it that is the value.
        lead: the words that it is read with; None if it is read as it stands.
    """

    sentence: Sentence
    lead: Lead | None = None


def clauses(
    sentence: Sentence,
    heads: tuple[str, ...],
    nouns: Callable[[str], bool],
    find: Callable[[Sentence], list[Mention]],
    topic: Mention | None,
) -> Iterator[LineReading]:
    """The clauses that a line stands for; a sentence stands for itself.

    Args:
        sentence: a line.
        heads: headings of its table's columns.
        nouns: whether a label is the name of a property.
        find: mentions of a sentence.
        topic: what the question is about.
    """
    if sentence.kind == "row":
        yield from _row(sentence, heads, nouns, find, topic)
        return
    end = sentence.text.find(": ")
    label = sentence.text[: max(end, 0)]
    if not 0 < end < _LONGEST or label.count(" ") > 3:
        yield LineReading(sentence)
    elif label.casefold().strip(" *").rpartition(" ")[2] in english.STATED - {"premise"}:
        return  # "Claim: he died in 1950" is put, and not said; what is numbered is a list of one's own
    elif topic and (words := _words(label, nouns)):
        yield LineReading(sentence.part(end + 2), Lead(0, words, topic))
    elif find(sentence.part(0, end)):
        yield LineReading(sentence)
    else:
        yield LineReading(sentence.part(end + 2))


@rule("claims.row", "| Name | Born |\n|---|---|\n| Ann Lee | 1950 |", otherwise=())
def _row(
    sentence: Sentence, heads: tuple[str, ...], nouns: Callable[[str], bool],
    find: Callable[[Sentence], list[Mention]], topic: Mention | None,
) -> Iterator[LineReading]:  # fmt: skip
    cells = [sentence.part(*cell) for cell in sentence.cells]
    if len(cells) == 2 and topic and (words := _words(cells[0].text, nouns)):
        yield LineReading(cells[1], Lead(0, words, topic))
        return
    subject = next((one for one in find(cells[0]) if one.kind == "entity"), None) if cells else None
    if not subject:
        return
    subject = subject._replace(span=TextSpan(0, 0))  # it stands in another cell than what is read
    if len(cells) == 3 and (words := _words(cells[1].text, nouns)):
        yield LineReading(cells[2], Lead(0, words, subject))
    elif len(cells) == len(heads):
        for head, cell in zip(heads[1:], cells[1:], strict=True):
            if words := _words(head, nouns):
                yield LineReading(cell, Lead(0, words, subject))


def _words(label: str, nouns: Callable[[str], bool]) -> str:
    """The clause's first words; empty where the label names no property."""
    label = label.strip(" *:").casefold()
    for article in ("the ", "his ", "her ", "its "):
        label = label.removeprefix(article)
    if label in _VERBS:
        return f"{LEADER} {_VERBS[label]} "
    return f"{LEADER}'s {label} is " if nouns(label) else ""
