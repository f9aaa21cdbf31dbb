"""A response cut, once, into blocks and sentences: markup, lists, tables, quotations, loops.

Nothing behind this module looks at the response itself again. Every stretch knows its place there.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

import re2

from halluvault_tasks.reading.base import TextSpan, UnreadStretch
from halluvault_tasks.reading.letters import after
from halluvault_tasks.reading.lists import abbreviations
from halluvault_tasks.reading.markup import FENCE, RULE, PlainText, plain

Kind = Literal["prose", "point", "heading", "head", "row", "quote", "code"]
"""`point`: of a list; `head`: first row of a table that is ruled off; `quote`: behind `>`; `code`: in a fence."""

LONGEST = 1_000
"""Characters of a sentence that are read: what is longer is no sentence."""

_LINE = re2.compile(
    r"(?P<indent> *)(?:(?P<quote>(?:> ?)+)|(?P<hash>#{1,6} +)|"
    r"(?P<bullet>(?:[-*+•–—‣▪●◦·] +|\(?\d{1,3}[.):] +|\(?[a-zA-Z][.)] +|\(?[ivx]{1,5}[.)] +)+))?"
)
_END = re2.compile(r"[.!?…]+[\"')\]]*\s+|…")
_QUOTED = re2.compile(
    r"\"(?:\s\"\p{L}|[^\"])+\"|‘[^‘]+?’(?:[^\p{L}]|$)|(?:^|[\s(\[:])'[^' ](?:[^']|'\p{L})*?'(?:[^\p{L}]|$)"
)
_KEYED = re2.compile(r"[\p{L}_]+: ")
"""A line "birth: 1950" goes on with none."""
_FOREIGN = re2.compile(r"[^\P{L}\p{Latin}\p{Greek}]")
_LETTER = re2.compile(r"\p{L}")
_SHORT_QUOTE = 120
"""A quotation of fewer characters is a name or a phrase: no sentence ends inside."""

_LOOP = 12
"""Words that must have come three times before the end of a text is a loop."""


class Sentence(NamedTuple):
    """A sentence, a list point's part, a heading or a table's row.

    Attributes:
        text: on one line, without markup and marker; quotation marks and apostrophes are straight.
        places: place in the response of each character, and of the end.
        kind: what it stands in.
        block: number of its block, from 0; the sentences of one paragraph, point or table share it.
        marker: a list point's number or bullet, on its first sentence.
        quotes: stretches of `text` in quotation marks, without them.
        cells: a row's cells, as stretches of `text`.
        loop: it only repeats what came before, to the end of the response.
        wide: place and length in the response of each character of it that stands for several there.
    """

    text: str
    places: tuple[int, ...]
    kind: Kind
    block: int
    marker: str = ""
    quotes: tuple[TextSpan, ...] = ()
    cells: tuple[TextSpan, ...] = ()
    loop: bool = False
    wide: tuple[tuple[int, int], ...] = ()

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip(" \"')*").endswith("?")

    def span(self, start: int = 0, end: int | None = None) -> TextSpan:
        """Where a stretch of `text` stands in the response."""
        last = len(self.text) if end is None else end
        return TextSpan(
            self.places[start], after(self.places[last - 1], self.wide) if last > start else self.places[start]
        )

    def part(self, start: int, end: int | None = None) -> "Sentence":
        """A stretch of it, with the quotations and whole cells in there."""
        last = len(self.text) if end is None else end
        quotes = (TextSpan(max(one.start, start) - start, min(one.end, last) - start) for one in self.quotes)
        return self._replace(
            text=self.text[start:last],
            places=self.places[start : last + 1],
            quotes=tuple(one for one in quotes if one.start < one.end),
            cells=tuple(TextSpan(a - start, b - start) for a, b in self.cells if start <= a and b <= last),
        )


class Text(NamedTuple):
    """A response, cut.

    Attributes:
        sentences: in order.
        unread: what is left out, or is in `sentences` and marked as a loop.
    """

    sentences: tuple[Sentence, ...]
    unread: tuple[UnreadStretch, ...]


class _Block(NamedTuple):
    start: int
    end: int
    kind: Kind
    marker: str


def alone(text: str) -> Sentence:
    """A sentence that needs no cutting, such as one of a proof."""
    return Sentence(text, tuple(range(len(text) + 1)), "prose", 0, quotes=tuple(_quotes(text)))


@lru_cache(maxsize=512)
def cut(response: str) -> Text:
    """Cut a response into sentences, in time linear in the length of what is read; a batch's are cut once."""
    source = plain(response)
    looping = _looping(source.text)
    unread = list(source.unread)
    found: list[Sentence] = []
    for number, block in enumerate(_blocks(source.text)):
        for sentence in _sentences(source, block, number):
            if sentence.places[0] >= source.places[looping]:
                sentence = sentence._replace(loop=True)
            if _is_foreign(sentence.text):
                unread.append(UnreadStretch(sentence.span(), "not_english"))
                continue
            if len(sentence.text) > LONGEST:
                unread.append(UnreadStretch(sentence.span(LONGEST), "too_long"))
                end = sentence.text.rfind(" ", 0, LONGEST)
                sentence = sentence.part(0, end if end > 0 else LONGEST)
            found.append(sentence)
    if looping < len(source.text):
        unread.append(UnreadStretch(TextSpan(source.places[looping], source.places[-1]), "loop"))
    return Text(tuple(found), tuple(sorted(unread)))


# ---------------------------------------------------------------------- blocks


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs, points, headings and rows; a line that goes on in lower case belongs to the one before."""
    pending: _Block | None = None
    fenced, position = False, 0
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        mark = line.strip()[:1]
        if mark == RULE and pending and pending.kind == "row":
            pending = pending._replace(kind="head")
        if not mark or mark in FENCE + RULE:
            if pending:
                yield pending
            pending = None
            fenced ^= mark == FENCE
            continue
        block = _line(line, start, fenced)._replace(end=end)
        if pending and _continues(text, pending, block):
            pending = pending._replace(end=end)
            continue
        if pending:
            yield pending
        pending = block
    if pending:
        yield pending


def _line(line: str, start: int, fenced: bool) -> _Block:
    match = _LINE.match(line)
    bullet = match["bullet"] if line[match.end() :].strip() else ""
    kind: Kind = "heading" if match["hash"] else "point" if bullet else "quote" if match["quote"] else "prose"
    if fenced or kind == "prose":
        kind = "code" if fenced else "row" if line.count("|") > 1 else "prose"
        return _Block(start + len(match["indent"]), 0, kind, "")
    return _Block(start + match.end(), 0, kind, (bullet or "").strip() if kind == "point" else "")


def _continues(text: str, before: _Block, block: _Block) -> bool:
    """Whether a line only goes on with the one before: prose that was wrapped."""
    ending = text[before.end - 1]
    opening = text[block.start : block.start + 1]
    if _KEYED.match(text, block.start) or ending in ".!?:":
        return False
    if block.kind == before.kind and block.kind not in ("row", "code", "point"):
        return opening.islower() or (ending in ",-" and before.kind == "prose")
    return block.kind == "prose" and before.kind == "point" and opening.islower()


# ---------------------------------------------------------------------- sentences


def _sentences(source: PlainText, block: _Block, number: int) -> Iterator[Sentence]:
    text = source.text[block.start : block.end].replace("\n", " ")
    quotes = _quotes(text)
    characters = list(text.replace("‘", "'").replace("’", "'"))
    for quote in quotes:  # single quotation marks that quote look like double ones, so that a parser knows them
        characters[quote.start - 1] = characters[quote.end] = '"'
    straight = "".join(characters)
    marker = block.marker
    bounds = [0, len(text)] if block.kind in ("row", "head", "code") else _bounds(straight, quotes)
    for start, end in pairwise(bounds):
        piece = straight[start:end]
        begin = start + len(piece) - len(piece.lstrip(" |"))
        end = start + len(piece.rstrip(" |"))
        if begin >= end:
            continue
        first, last = block.start + begin, block.start + end
        yield Sentence(
            straight[begin:end],
            (*source.places[first:last], after(source.places[last - 1], source.wide)),
            block.kind, number, marker,
            tuple(
                TextSpan(max(q.start, begin) - begin, min(q.end, end) - begin)
                for q in quotes if q.start < end and begin < q.end
            ),
            _cells(straight[begin:end]) if block.kind in ("row", "head") else (),
            wide=source.wide,
        )  # fmt: skip
        marker = ""


def _quotes(text: str) -> list[TextSpan]:
    found = []
    for match in _QUOTED.finditer(text):
        start, end = match.span()
        while text[start] not in "\"‘'":
            start += 1
        while text[end - 1] not in "\"’'":
            end -= 1
        if end - start > 2:
            found.append(TextSpan(start + 1, end - 1))
    return found


def _bounds(text: str, quotes: list[TextSpan]) -> list[int]:
    """Where the sentences of a block begin, and its end."""
    found = [0]
    short = [quote for quote in quotes if quote.end - quote.start < _SHORT_QUOTE]
    index = 0
    for match in _END.finditer(text):
        end = match.end()
        while index < len(short) and short[index].end < end:
            index += 1
        inside = index < len(short) and short[index].start <= match.start()
        if not inside and end < len(text) and not text[end].islower() and not _abbreviated(text, match.start()):
            found.append(end)
    return [*found, len(text)]


def _abbreviated(text: str, dot: int) -> bool:
    """Whether a full stop at `dot` belongs to the word before it: `Dr.`, `J. R. R. Tolkien`, `No. 7`."""
    if text[dot] != ".":
        return False
    start = max(text.rfind(" ", max(0, dot - 15), dot), text.rfind("(", max(0, dot - 15), dot)) + 1
    word = text[start:dot]
    if len(word) == 1 and word.isupper():
        return word != "I" or text[max(0, start - 5) : start].strip() == ""
    if word.casefold() == "no":
        return text[dot + 1 :].lstrip()[:1].isdecimal()
    return f"{word.casefold()}." in abbreviations()


def _cells(text: str) -> tuple[TextSpan, ...]:
    found, start = [], 0
    for cell in text.split("|"):
        begin = start + len(cell) - len(cell.lstrip())
        found.append(TextSpan(begin, max(begin, start + len(cell.rstrip()))))
        start += len(cell) + 1
    return tuple(found)


def _is_foreign(text: str) -> bool:
    foreign = sum(1 for _ in _FOREIGN.finditer(text)) if not text.isascii() else 0
    return foreign * 2 > sum(1 for _ in _LETTER.finditer(text)) if foreign else False


# ---------------------------------------------------------------------- loops


def _looping(text: str) -> int:
    """Where the text begins to repeat itself to its end, at least three times over; its length if it does not.

    The shortest period of the reversed words, by the Z algorithm: linear.
    """
    words = [word.casefold() for word in text.split() if not _is_marker(word)]
    matched = _z(words[::-1])
    for period, length in enumerate(matched):
        if period and length >= 2 * period and length + period >= _LOOP:
            first = len(words) - length  # the first round is read
            starts: list[int] = [one.start() for one in _WORD.finditer(text) if not _is_marker(one.group())]
            return starts[first]
    return len(text)


_WORD = re2.compile(r"\S+")


def _is_marker(word: str) -> bool:
    return word in "-*+•" or (len(word) < 5 and word[-1] in ".):" and word.lstrip("(")[:-1].isdecimal())


def _z(items: list[str]) -> list[int]:
    """For each position how many items from there on equal those at the start."""
    found = [0] * len(items)
    left = right = 0
    for index in range(1, len(items)):
        if index < right:
            found[index] = min(right - index, found[index - left])
        while index + found[index] < len(items) and items[found[index]] == items[index + found[index]]:
            found[index] += 1
        if index + found[index] > right:
            left, right = index, index + found[index]
    return found
