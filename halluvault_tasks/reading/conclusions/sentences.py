"""Sentences of a response as its conclusions are read from them, and what one says about the answer."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import AnswerKind, TextSpan
from halluvault_tasks.reading.clauses import beside, clauses
from halluvault_tasks.reading.echoes import UnquotedSentence
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.text import Sentence

How = Literal["leading", "labelled", "verdict", "pronoun", "retracted", "restated", "dated", "excluded", "unknown"]
EXPLICIT = ("leading", "labelled", "verdict", "retracted")


def is_read(sentence: Sentence) -> bool:
    """Whether a sentence may say anything about the answer: no code or quotation, and not for the nth time."""
    return not (sentence.loop or sentence.kind in ("code", "quote"))


_WHY = english.REASON - {"although", "though", "while"}
_CHOICE = frozenset(["or", "either"])
_LIGHT = ("ADV", "CCONJ", "DET", "INTJ", "PART", "PUNCT", "SYM")


class Sign(NamedTuple):
    """One thing said about the answer.

    Attributes:
        kind: what it says.
        how: how it was recognised; `excluded`: a part of what must hold together is denied; `retracted`: what was
            answered before is called wrong; `dated`: a date in or outside the decade that is asked.
        sentence: number of its sentence.
        span: of its words.
        concludes: a word of concluding stands before it in its sentence.
        plain: its sentence says nothing else that could make it a supposition, a report or half of the truth.
    """

    kind: AnswerKind
    how: How
    sentence: int
    span: TextSpan
    concludes: bool
    plain: bool


class ResponseSentence:
    """A sentence of a response, with its parse and clauses."""

    def __init__(self, heard: UnquotedSentence, parse: Parse) -> None:
        self.sentence, self.label, self.parse = heard.sentence, frozenset(heard.label.split()), parse
        self.lowered = [word.text.casefold() for word in parse]
        self.folded = [word.lemma.casefold() for word in parse]
        self.bare = [word for word in self.lowered if word.isalpha()]
        self._children: list[list[int]] = [[] for _ in parse]
        for place, word in enumerate(parse):
            if word.head != place:
                self._children[word.head].append(place)
        self.concludes = not english.CONCLUDE.isdisjoint(self.folded)
        self.asks = self.sentence.asks
        self.clauses = clauses(parse, [place for place in range(len(parse)) if self.quoted(place)], self.asks)
        self.skipped = not parse or not is_read(self.sentence)
        self.corrects = not english.CORRECT.isdisjoint(self.lemmas(range(len(parse))) | self.label)
        opens = bool(self.lemmas(range(len(parse))[:2]) & english.CORRECT)  # "Wait, that needs sorting out"
        self.retitles = self.corrects and (len(parse) <= 3 or opens or bool(self.label & english.CORRECT))

    def span(self, positions: Iterable[int]) -> TextSpan:
        """Where words stand in the response, from the first to the last of them."""
        places = sorted(positions)
        return self.sentence.span(self.parse[places[0]].start, self.parse[places[-1]].end)

    def quoted(self, index: int, inside: bool = False) -> bool:
        """Whether a word stands in quotation marks; `inside`: and does not begin the quotation."""
        return any(q.start + inside <= self.parse[index].start < q.end for q in self.sentence.quotes)

    def lemmas(self, positions: Iterable[int]) -> set[str]:
        """Dictionary forms of words, in lower case."""
        return {self.folded[place] for place in positions}

    def sign(self, number: int, kind: AnswerKind, how: How, positions: Sequence[int]) -> Sign:
        """What words of this sentence, which is the response's of that number, say about the answer."""
        last = max(positions)
        if how == "restated" and self.lowered[last] in english.POLAR:  # "he was born there so yes"
            last = min(positions)
        concludes = not english.CONCLUDE.isdisjoint(self.lemmas(range(last + 1)))
        own = not self.label or self.label & english.ANSWER or any(map(str.isdecimal, self.label))  # no "Myth: …"
        plain = concludes or how == "labelled" or ((own or how != "restated") and self._says_only(positions))
        plain &= "would" not in self.lowered
        plain |= how in ("retracted", "excluded") or (how == "leading" and self._is_polar(positions[0]))
        return Sign(kind, how, number, self.span(positions), concludes, plain)

    def _is_polar(self, index: int) -> bool:
        """Whether a word answers by itself: "yes", or "true" alone, but no "True, she lived there; yet …"."""
        return len(self.bare) == 1 or self.lowered[index] in english.POLAR

    def _says_only(self, positions: Sequence[int]) -> bool:
        """Whether words are all that a sentence says, but for why it is so and what follows "but" or "and"."""
        if not _CHOICE.isdisjoint(self.lowered[place] for place in positions):
            return False
        reasons = {word.head for word in self.parse if word.dep in ("mark", "prep") and word.lemma in _WHY}
        main = {place for place in positions if self.parse[place].head == place}
        told = {*positions}
        for place, word in enumerate(self.parse):
            if place in reasons or (word.dep == "conj" and word.head in main) or beside(self.parse, place):
                told.update(self.below(place))
        return all(place in told or word.pos in _LIGHT for place, word in enumerate(self.parse))

    def below(self, place: int) -> list[int]:
        """A word and what hangs on it."""
        found = [place]
        for above in found:  # it grows
            found += self._children[above]
        return found

    @property
    def has_verb(self) -> bool:
        """Whether it states or asks anything at all."""
        return any(word.pos in ("VERB", "AUX") for word in self.parse)
