"""What a response only repeats: quotations of the question, and what it copies from the prompt around it.

A quoted echo is put out of the parser's way by one letter, and a label ("Answer:") is taken off.
"""

from collections.abc import Sequence
from typing import NamedTuple

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Span
from halluvault_tasks.reading.text import Sentence, Text

_WORD = re2.compile(r"[\p{L}\p{N}]+(?:'t)?")
_LABEL = re2.compile(r"(?P<label>[\p{L}\p{N}]+(?: [\p{L}\p{N}()]+){0,2}):\s+")
_SHARED = 0.7
_RUN = 4


class Heard(NamedTuple):
    """A sentence without its label, whose quoted echoes of the question are one letter each.

    Attributes:
        sentence: what is left.
        label: what stood before a colon: `answer`, `statement 2`; in lower case.
        opposed: places of echoes that say the opposite of what was asked.
    """

    sentence: Sentence
    label: str = ""
    opposed: frozenset[int] = frozenset()


def hear(text: Text, question: str, statement: str, prompt: str = "") -> list[Heard]:
    """The sentences of a response without its echoes; what it copied from the prompt is left out."""
    sources = [_words(source) for source in (question, statement) if source]
    runs = _runs(_words(prompt))
    heard = [_hear(sentence, sources) for sentence in text.sentences]
    return [one for one in heard if not runs or not _copied(_runs(_words(one.sentence.text)), runs)]


def _words(text: str) -> list[str]:
    return list(_WORD.findall(text.casefold()))


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[one : one + _RUN]) for one in range(len(words) - _RUN + 1))


def _copied(runs: frozenset[tuple[str, ...]], prompt: frozenset[tuple[str, ...]]) -> bool:
    return len(runs) > 1 and len(runs & prompt) >= _SHARED * len(runs)


def _hear(sentence: Sentence, sources: Sequence[Sequence[str]]) -> Heard:
    match = _LABEL.match(sentence.text)
    if match and match.end() < len(sentence.text):
        start, end = match.end(), len(sentence.text)
        if sentence.text[start] == '"' == sentence.text[-1] and sentence.text.count('"', start) == 2:
            start, end = start + 1, end - 1
            sentence = sentence._replace(quotes=())
        sentence = _changed(sentence, [(0, start, ""), (end, len(sentence.text), "")])
    echoes = [
        (quote.start, quote.end, opposite)
        for quote in sentence.quotes
        if (opposite := _echoed(_words(sentence.text[quote.start : quote.end]), sources)) is not None
    ]
    made = _changed(sentence, [(start, end, "X") for start, end, _ in echoes])
    gone = [0]
    for start, end, _ in echoes:
        gone.append(gone[-1] + end - start - 1)
    opposed = frozenset(start - before for (start, _, opposite), before in zip(echoes, gone, strict=False) if opposite)
    return Heard(made, match["label"].casefold() if match else "", opposed)


def _changed(sentence: Sentence, cuts: Sequence[tuple[int, int, str]]) -> Sentence:
    """A sentence with stretches replaced; its characters keep their places in the response."""
    pieces, places, position = "", list[int](), 0
    kept: list[Span] = []
    for start, end, new in [*cuts, (len(sentence.text), len(sentence.text), "")]:
        shift = len(pieces) - position
        kept += (
            Span(q.start + shift, q.end + shift) for q in sentence.quotes if position <= q.start and q.end <= start
        )
        pieces += sentence.text[position:start] + new
        places += [*sentence.places[position:start], *sentence.places[start : start + len(new)]]
        position = end
    last = sentence.places[cuts[-1][0] if cuts and cuts[-1][1] == len(sentence.text) else len(sentence.text)]
    return sentence._replace(text=pieces, places=(*places, last), quotes=tuple(kept), cells=()) if cuts else sentence


def _echoed(said: Sequence[str], sources: Sequence[Sequence[str]]) -> bool | None:
    """None where it is no echo, else whether it says the opposite."""
    if len(said) < _RUN or said[0] in english.POLAR:
        return None
    for source in sources:
        shared = len({*said} & {*source})
        if shared >= _SHARED * max(len({*said}), 0.6 * len({*source})):
            return _negative(said) != _negative(source)
    return None


def _negative(said: Sequence[str]) -> bool:
    return sum(word in english.NO or word.endswith("n't") for word in said) % 2 == 1
