"""Letters as they are read, each with its place in the response as it was stored.

Full-width and mathematical letters are the plain ones, a letter and its marks are one letter, what nobody sees is not
there, and blanks, quotation marks and apostrophes have one form. In time linear in the text.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import re2

_FORMS = ("<wide>", "<narrow>", "<font>", "<circle>", "<square>", "<noBreak>")
"""Kinds of Unicode's compatibility decompositions that change how a letter looks, and not what it is: a raised 2 is no
2, and № no "No"."""

_RANGES = ((0x2100, 0x2150), (0x24B6, 0x24EA), (0xFF01, 0xFFEF), (0x1D400, 0x1D800), (0x1F110, 0x1F170))
"""Where such letters stand; circled digits are list markers."""


def _plain_letters() -> Iterator[tuple[str, str]]:
    for first, end in _RANGES:
        for letter in map(chr, range(first, end)):
            form, plain = unicodedata.decomposition(letter).partition(" ")[0], unicodedata.normalize("NFKC", letter)
            if form in _FORMS and len(plain) == 1 and letter != "ℹ":  # a sign, most often
                yield letter, plain


_ONE_FOR_ONE = str.maketrans(
    dict(_plain_letters())
    | dict.fromkeys("“”„‟«»＂", '"')
    | dict.fromkeys("\t\u00a0\u1680\u202f\u205f\u3000\u2139\u115f\u1160\u3164\uffa0", " ")
    | dict.fromkeys(map(chr, range(0x2000, 0x200B)), " ")
    | dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n")
    | dict.fromkeys([chr(code) for code in range(32) if chr(code) not in "\t\n\r\v\f"] + ["\x7f"], " ")
    | dict.fromkeys("\u2010\u2011", "-")
    | dict.fromkeys(map(chr, range(0xD800, 0xE000)), " ")  # halves of a pair, which UTF-8 cannot hold
)  # fmt: skip

_MARKS = r"\x{300}-\x{36f}\x{1ab0}-\x{1aff}\x{1dc0}-\x{1dff}\x{20d0}-\x{20ff}\x{fe00}-\x{fe0f}\x{fe20}-\x{fe2f}"
"""Marks that stand on any letter, and what chooses an emoji's looks; a script's own vowel signs are no such marks."""

_APOSTROPHES = "`´ʼʻʽʹˈ′‵‛՚ꞌ"
_CHANGED = re2.compile(
    rf"([\p{{Cf}}\p{{Co}}{_MARKS}]+)|([^\n{_MARKS}][{_MARKS}]+)|\p{{L}}([{_APOSTROPHES}])(?:[tsmd]|re|ve|ll)\b"
)
_UNSEEN, _MARKED = 1, 2
"""Groups of it."""


class Placed(NamedTuple):
    """A text that was made of a response.

    Attributes:
        text: as it is read.
        at: place in the response of each character.
        wide: place and length in the response of each character that stands for several.
    """

    text: str
    at: Sequence[int]
    wide: tuple[tuple[int, int], ...] = ()

    def part(self, start: int, end: int) -> "Placed":
        """A stretch of it."""
        return self._replace(text=self.text[start:end], at=self.at[start:end])


def after(place: int, wide: Sequence[tuple[int, int]]) -> int:
    """The place behind a character, which may stand for several."""
    return place + dict(wide).get(place, 1)


def placed(response: str) -> Placed:
    """A response in plain letters, with markup and all."""
    return lettered(Placed(response, range(len(response))))


def lettered(written: Placed) -> Placed:
    """A text in plain letters."""
    text = written.text.translate(_ONE_FOR_ONE)
    if text.isascii() and "`" not in text:
        return written._replace(text=text)
    pieces: list[str] = []
    at: list[int] = []
    wide = list(written.wide)
    position = 0
    for match in _CHANGED.finditer(text):
        start, end = match.span(match.lastindex)
        pieces.append(text[position:start])
        at.extend(written.at[position:start])
        if match.lastindex != _UNSEEN:
            pieces.append(_composed(match[_MARKED]) if match.lastindex == _MARKED else "'")
            at.append(written.at[start])
            wide += [(at[-1], written.at[end - 1] + 1 - at[-1])] if match.lastindex == _MARKED else []
        position = end
    pieces.append(text[position:])
    at.extend(written.at[position:])
    return Placed("".join(pieces), at, tuple(wide))


def _composed(letter: str) -> str:
    """One letter with the marks that Unicode has it with; others change no name (`wikidata.names.fold`)."""
    return unicodedata.normalize("NFC", letter)[0]


def blanks(text: str) -> str:
    """A text with the blanks and quotation marks that `placed` gives it."""
    return text.translate(_ONE_FOR_ONE)


def composed(text: str) -> str:
    """A name as `placed` writes it in a text."""
    return text if text.isascii() else placed(text).text
