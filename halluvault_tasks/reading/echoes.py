"""What a response only repeats: quotations of the question, and what it copies from the prompt around it.

A quoted echo is put out of the parser's way by one letter, and a label ("Answer:") is taken off.
"""

from collections.abc import Sequence
from typing import NamedTuple

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.text import Sentence, Text

SAME, OPPOSITE = "X", "Y"
"""Stand for a quotation of what is asked, and of its opposite."""

_LABEL = re2.compile(r"([\p{L}\p{N}]+(?: [\p{L}\p{N}()]+){0,2}):\s+")
_RUN = 4
"""Words; fewer are shared by chance."""
_SHARED = 0.7


class UnquotedSentence(NamedTuple):
    """A sentence without its label, whose quoted echoes of the question are one letter each."""

    sentence: Sentence
    label: str
    """What stood before a colon, in lower case: `answer`, `statement 2`; or nothing."""

    copied: bool = False
    """It was copied from the prompt, and answers nothing."""


def hear(text: Text, question: str, statement: str, prompt: str = "") -> list[UnquotedSentence]:
    """The sentences of a response without its echoes, and which it copied from the prompt."""
    sources = [_words(source) for source in (question, statement)]
    kept = set(map(id, own(text.sentences, prompt)))
    return [_hear(one, sources)._replace(copied=id(one) not in kept) for one in text.sentences]


def own(sentences: Sequence[Sentence], prompt: str) -> list[Sentence]:
    """The sentences that are no copies from the prompt; one of few words is none."""
    prompted = _runs(_words(prompt))
    found = []
    for sentence in sentences:
        runs = _runs(_words(sentence.text)) if prompted else frozenset()
        if len(runs) < 2 or len(runs & prompted) < _SHARED * len(runs):
            found.append(sentence)
    return found


def unlabelled(text: str) -> str:
    """A sentence without a label before a colon ("Answer:", "Step 1:")."""
    label = _LABEL.match(text)
    return text[label.end() :] if label and label.end() < len(text) else text


def denies(sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence holds a word of negation."""
    return any(word in english.NO or word.endswith("n't") for one in sentences for word in _words(one.text))


class _Blanks(dict[int, str]):
    """For `str.translate`: blanks in place of all but letters, digits and apostrophes."""

    def __missing__(self, code: int) -> str:
        self[code] = one if (one := chr(code)).isalnum() or one == "'" else " "
        return self[code]


_BLANKS = _Blanks()


def _words(text: str) -> list[str]:
    """Words in lower case, "don't" among them; a prompt is long, and this is done for every response."""
    found: list[str] = []
    for piece in text.casefold().translate(_BLANKS).split():
        word, *rest = piece.split("'")
        for following in (*rest, ""):
            denied = bool(word) and following.startswith("t")
            found += [f"{word}'t" if denied else word] if word else []
            word = following[1:] if denied else following
    return found


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[one : one + _RUN]) for one in range(len(words) - _RUN + 1))


def _hear(sentence: Sentence, sources: Sequence[Sequence[str]]) -> UnquotedSentence:
    label = _LABEL.match(sentence.text)
    first = label[1].casefold().split()[0] if label else ""
    if first in english.POLAR | english.TRUE | english.FALSE:  # "No: he died in 1930" labels nothing
        label = None
    if label and label.end() < len(sentence.text):
        start, end = label.end(), len(sentence.text)
        if sentence.text[start] == '"' == sentence.text[-1] and sentence.text.count('"', start) == 2:
            start, end = start + 1, end - 1
        inside = tuple(q for q in sentence.quotes if start < q.start and q.end < end)
        sentence = sentence._replace(quotes=inside).part(start, end)
    for quote in reversed(sentence.quotes):
        stand_in = _echoed(_words(sentence.text[quote.start : quote.end]), sources)
        if stand_in:
            sentence = _without(sentence, quote, stand_in)
    return UnquotedSentence(sentence, label[1].casefold() if label else "")


def _without(sentence: Sentence, quote: TextSpan, stand_in: str) -> Sentence:
    """A sentence with a quotation replaced; other characters keep their places in the response."""
    (start, end), shift = quote, quote.end - quote.start - 1
    later = (TextSpan(q.start - shift, q.end - shift) if q.start > start else q for q in sentence.quotes if q != quote)
    text = sentence.text[:start] + stand_in + sentence.text[end:]
    return sentence._replace(
        text=text, places=sentence.places[: start + 1] + sentence.places[end:], quotes=tuple(later)
    )


@rule("answers.echo", "", otherwise="")
def _echoed(said: Sequence[str], sources: Sequence[Sequence[str]]) -> str:
    """What stands for a quotation; nothing where it is no echo."""
    if len(said) < _RUN or said[0] in english.POLAR:
        return ""
    for source in sources:
        if len({*said} & {*source}) >= _SHARED * max(len({*said}), 0.6 * len({*source})):
            return SAME if _negative(said) == _negative(source) else OPPOSITE
    return ""


def _negative(said: Sequence[str]) -> bool:
    return sum(word in english.NO or word.endswith("n't") for word in said) % 2 == 1
