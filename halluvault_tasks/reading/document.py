"""A response as every reader takes it: cut once, its names found once, each sentence parsed once.

A parser that was trained on news stumbles over titles and rare names, so plain words stand for them (`mentions.mask`).
What it makes of these is what claims are read from; with the written words put back (`restored`) it is what answers
and conclusions are read from.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.reading import echoes
from halluvault_tasks.reading.base import ReaderInput, UnreadStretch
from halluvault_tasks.reading.echoes import UnquotedSentence
from halluvault_tasks.reading.mentions import Finder, Masked, Mention, mask
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.parser import Parse, Parser
from halluvault_tasks.reading.questions import framed
from halluvault_tasks.reading.restored import restored
from halluvault_tasks.reading.syntax import lines
from halluvault_tasks.reading.text import Sentence, alone, cut

_NO_CLAIM = ("head", "code", "heading")
_NO_ANSWER = ("code", "quote")


class ParsedLine(NamedTuple):
    """What claims are read from: a sentence, or the clause that a list's point or a table's cell stands for.

    Attributes:
        whole: the sentence or row that it is of, with its label.
        sentence: what is read of it.
        masked: with plain words for names.
        parse: of `masked.text`.
    """

    whole: str
    sentence: Sentence
    masked: Masked
    parse: Parse


class DocumentSentence(NamedTuple):
    """A sentence of a response.

    Attributes:
        heard: without label, and with a letter for each echo of the question.
        parse: of that, as it was written; none of what answers nothing.
        lines: of what makes claims.
    """

    heard: UnquotedSentence
    parse: Parse
    lines: tuple[ParsedLine, ...]


class ResponseDocument(NamedTuple):
    """A response.

    Attributes:
        sentences: in order.
        unread: what was left out.
        finder: what found its names.
    """

    sentences: tuple[DocumentSentence, ...]
    unread: tuple[UnreadStretch, ...]
    finder: Finder


class _Draft(NamedTuple):
    """A sentence before it is parsed."""

    heard: UnquotedSentence
    masked: Masked | None
    lines: tuple[ParsedLine, ...]


class DocumentParser:
    """Makes documents; one for all responses on a snapshot.

    Args:
        parser: what it makes of sentences is part of every verdict.
        finder: of names; without one dates and titles alone are found.
        nouns: whether a label of a line names a property.
    """

    def __init__(
        self, parser: Parser, finder: Finder | None = None, nouns: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._parser, self._nouns = parser, nouns
        self.finder = finder or Finder(Names(()), {})

    def documents(self, batch: Sequence[ReaderInput]) -> list[ResponseDocument]:
        """A document of each response, in their order; the parser is asked once."""
        drafts = [list(self._drafts(given)) for given in batch]
        every = [one for several in drafts for one in several]
        masks = [*(one.masked for one in every if one.masked), *(one.masked for each in every for one in each.lines)]
        distinct = list(dict.fromkeys(one.text for one in masks))
        parses = dict(zip(distinct, self._parser.parse(distinct), strict=True))
        return [
            ResponseDocument(tuple(_parsed(one, parses) for one in several), cut(given.text).unread, self.finder)
            for given, several in zip(batch, drafts, strict=True)
        ]

    def written(self, texts: Sequence[str], batch: Sequence[ReaderInput]) -> list[Parse]:
        """Parses of questions or statements, each of the response of its place."""
        masks = [
            self._masked(alone(text), _known(given), given.topic) for text, given in zip(texts, batch, strict=True)
        ]
        parses = self._parser.parse([one.text for one in masks])
        return [restored(text, one, parse) for text, one, parse in zip(texts, masks, parses, strict=True)]

    def _masked(self, sentence: Sentence, known: set[int], topic: int) -> Masked:
        return mask(sentence, self.finder.find(sentence, known, topic if self.finder.topic(topic) else 0))

    def _drafts(self, given: ReaderInput) -> Iterator[_Draft]:
        """Sentences with their names found; one that was said in full may come again shortened."""
        known = _known(given)
        topic = self.finder.topic(given.topic)
        heads: tuple[str, ...] = ()
        named = False

        def find(sentence: Sentence) -> list[Mention]:
            return self.finder.find(sentence, known, given.topic if topic else 0)

        text = cut(given.text)
        heard = echoes.hear(text, given.question, framed(given.question).statement, given.prompt)
        for whole, one in zip(text.sentences, heard, strict=True):
            if whole.kind == "head":
                heads = tuple(whole.text[start:end] for start, end in whole.cells)
            if whole.loop:
                yield _Draft(one, None, ())
                continue
            mentions = find(one.sentence)
            known |= {mention.entity for mention in mentions} - {0}
            masked = mask(one.sentence, mentions) if whole.kind not in _NO_ANSWER else None
            made = []
            if whole.kind not in _NO_CLAIM and any(map(str.isalpha, whole.text)):
                for line in lines.clauses(whole, heads, self._nouns, find, topic):
                    own = mentions if line.sentence.text == one.sentence.text else find(line.sentence)
                    topical = [each for each in own if topic and each.entity == topic.qid]
                    named |= any(not each.longer for each in topical)
                    if not named:  # who is introduced by more names than are known
                        own = [each._replace(longer=each.longer and each not in topical) for each in own]
                    made.append(ParsedLine(whole.text, line.sentence, mask(line.sentence, own, line.lead), ()))
            yield _Draft(one, masked, tuple(made))


def _known(given: ReaderInput) -> set[int]:
    return {*given.context, *([given.topic] if given.topic else ())}


def _parsed(draft: _Draft, parses: dict[str, Parse]) -> DocumentSentence:
    parse: Parse = ()
    if draft.masked:
        parse = restored(draft.heard.sentence.text, draft.masked, parses[draft.masked.text])
    made = tuple(one._replace(parse=parses[one.masked.text]) for one in draft.lines)
    return DocumentSentence(draft.heard, parse, made)
