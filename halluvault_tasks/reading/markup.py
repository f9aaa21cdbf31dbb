"""Markup taken out of a response, every character that stays keeping its place in it.

Beyond `LIMIT` characters nothing is read, and neither are runs of symbols or strings too long for a word: libraries
take quadratic time on them. All patterns run on RE2, in linear time; none looks back at what another one found.
"""

import html
from collections.abc import Callable
from typing import NamedTuple

import re2

from halluvault_tasks.reading.base import TextSpan, UnreadStretch
from halluvault_tasks.reading.letters import Placed, blanks, placed
from halluvault_tasks.reading.wrappers import FEW_WORDS, TOKEN, unwrapped

LIMIT = 8_192
"""Characters of a response that are read: some ten times what a prompt asks for."""

FENCE, RULE = "\ue000", "\ue001"
"""Stand for a code fence and a ruled line; a response's own such signs are dropped."""

_TAGS = "p|br|div|li|ul|ol|tr|table|thead|tbody|h[1-6]|blockquote|hr|section|article|summary|details|center"
_INLINE = "a|abbr|b|bdi|bdo|big|cite|code|dfn|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr"
_SYMBOLS = re2.compile(r"(?:[^\p{L}\p{N}\s]+ ?)+")
_WORD = re2.compile(r"\S+")
_MOST_SYMBOLS, _LONGEST_WORD, _NEAR = 16, 100, 60
_FENCED_TEXT = re2.compile(rf"\s*\{{\s*\"|{FEW_WORDS.pattern}\n[ >]*(?:```|~~~)")
"""What a fence holds that is no code: JSON, or a few words."""

_GAP = "\n" * 64
"""So many empty lines stand in the place of a thought (`oracles.exchange`), and are not counted."""


class PlainText(NamedTuple):
    """A response without markup.

    Attributes:
        text: what is left; the signs above stand for fences and rules.
        places: place in the response of each character, and of the end.
        unread: what was left out without being read.
        wide: as `letters.Placed` has it.
    """

    text: str
    places: list[int]
    unread: tuple[UnreadStretch, ...]
    wide: tuple[tuple[int, int], ...] = ()


class _Builder:
    def __init__(self, text: Placed) -> None:
        self.source, self.at = text.text, text.at
        self.pieces: list[str] = []
        self.places: list[int] = []
        self.unread: list[UnreadStretch] = []
        self.within = ""
        """What a fence that is open holds: code or data."""

    def keep(self, start: int, end: int) -> None:
        self.pieces.append(self.source[start:end])
        self.places.extend(self.at[start:end])

    def put(self, text: str, start: int) -> None:
        self.pieces.append(text)
        self.places.extend([self.at[start]] * len(text))

    def leave(self, start: int, end: int) -> None:
        self.unread.append(UnreadStretch(TextSpan(self.at[start], self.at[end - 1] + 1), "run"))

    def leave_runs(self) -> None:
        """Blank what is no word for its length, and runs of symbols that rule off nothing."""
        runs = [
            TextSpan(*match.span())
            for match in _SYMBOLS.finditer(self.source)
            if match.end() - match.start() > _MOST_SYMBOLS and not self._is_line(*match.span())
        ]
        if max(map(len, self.source.split()), default=0) > _LONGEST_WORD:
            words = (TextSpan(*match.span()) for match in _WORD.finditer(self.source))
            runs += [word for word in words if word.end - word.start > _LONGEST_WORD]
        for start, end in runs:
            self.leave(start, end)
            self.source = self.source[:start] + " " * (end - start) + self.source[end:]

    def _is_line(self, start: int, end: int) -> bool:
        return end - start <= 200 and self.source[start - 1 : start] in "\n" and self.source[end : end + 1] in "\n"


def plain(response: str) -> PlainText:
    """Take markup out of a response, and off it what wraps it as a whole."""
    read = within_limit(response)
    found = without_markup(unwrapped(placed(read)))
    too_long = (UnreadStretch(TextSpan(len(read), len(response)), "too_long"),) if len(read) < len(response) else ()
    return found._replace(unread=(*too_long, *found.unread))


def within_limit(response: str) -> str:
    """What is read of a response."""
    end, gap = LIMIT, response.find(_GAP)
    while 0 <= gap < end:
        length = len(response) - gap - len(response[gap:].lstrip("\n"))
        end, gap = end + length, response.find(_GAP, gap + length)
    return response[:end]


def without_markup(text: Placed) -> PlainText:
    """Take markup out of a text."""
    made = _Builder(text)
    made.leave_runs()
    position = 0
    for match in _MARKUP.finditer(made.source):
        start, end = match.span()
        made.keep(position, start)
        _FORMS[match.lastindex - 1][1](made, start, end)
        position = end
    made.keep(position, len(made.source))
    made.places.append(text.at[-1] + 1 if text.text else 0)
    return PlainText("".join(made.pieces), made.places, tuple(made.unread), text.wide)


def _as(text: str) -> Callable[[_Builder, int, int], None]:
    return lambda made, start, end: made.put(text, start)


def _rule(made: _Builder, start: int, end: int) -> None:
    made.put(RULE, start)
    if end - start > 200:
        made.leave(start, end)


def _fence(made: _Builder, start: int, end: int) -> None:
    """A fence around JSON or a few words goes: that is an answer in a form, and no code."""
    if not made.within:
        opens = _FENCED_TEXT.match(made.source[end : end + _NEAR])
        made.within = "data" if opens else FENCE
        made.put("\n" if opens else FENCE, start)
    else:
        made.put("\n" if made.within == "data" else FENCE, start)
        made.within = ""
        behind = end - len(made.source[start:end].lstrip(" >`~"))
        if behind < end:
            made.put("\n", behind)
            made.keep(behind, end)


def _key(made: _Builder, start: int, end: int) -> None:
    """`{"answer": "yes", "why": "…"}`: what a key names stands on a line of its own."""
    first = made.source.index('"', made.source.index(made.source[start:end].lstrip('" ')[0], start)) + 1
    made.put("\n\n", start)
    made.keep(first, made.source.index('"', first))
    made.put(": ", end - 1)


def _link(made: _Builder, start: int, end: int) -> None:
    made.keep(made.source.index("[", start) + 1, made.source.index("]", start))


def _emphasis(made: _Builder, start: int, end: int) -> None:
    """Signs between blanks or digits are no emphasis: `2 * 3`, `snake_case`; but "in **1950** and" emphasises."""
    before, after = made.source[start - 1 : start], made.source[end : end + 1]
    sign = made.source[start]
    if (sign == "_" and before.isalnum() and after.isalnum()) or (
        sign == "*" and ((before.isdigit() and after.isdigit()) or before == after == " ")
    ):
        made.keep(start, end)


def _indent(made: _Builder, start: int, end: int) -> None:
    """One line break, or two for blank lines, and how far the next line is set in."""
    last = made.source.rindex("\n", start, end)
    if last > start:
        made.keep(start, start + 1)
    made.keep(last, min(end, last + 13))


_FORMS: tuple[tuple[str, Callable[[_Builder, int, int], None]], ...] = (
    (TOKEN, _as("\n")),
    (r"(?m:^[ >]*(?:```|~~~)[^\n]*$)", _fence),
    (r"(?m:^[ ]*[-=_*|:+ ]*(?:--|==|__|\*\*|\* \*)[-=_*|:+ ]*$)", _rule),  # rule
    (r"~~[^~\n]+~~|<(?:s|del|strike)>[^<>\n]+</(?:s|del|strike)>|<!--[^<>]*-->", _as(" ")),  # struck
    (rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", _as("\n")),  # line
    (r"<t[dh](?:\s[^<>]*)?>", _as(" | ")),  # cell
    (rf"</?(?:{_INLINE})(?:\s[^<>]*)?/?>", _as("")),  # inline
    (r"</?[a-z][a-z0-9_:-]*(?:\s[^<>]*)?/?>", _as("\n")),  # tag
    (r"\$?\\(?:f?boxed|text|textbf|textit|mathrm|mathbf|mathit|emph|operatorname)\s?\{", _as("")),  # open
    (r"\"? *[{,] *\n? *\"[^\"\n{}]+\" *: *\"?", _key),  # key
    (r"\" *\n? *\}", _as("\n")),  # close
    (r"\}\$|[{}]", _as("")),  # brace
    (r"\\[\[\]()]|\$\$", _as("")),  # math
    (r"\\[^\w\s]", lambda made, start, end: made.keep(start + 1, end)),  # escaped
    (r"\\[a-zA-Z]+", _as(" ")),  # command
    (r"!?\[[^\[\]\n]*\]\([^()\s]*\)", _link),  # link
    (r"\[\^?\d{1,3}\]", _as("")),  # note
    (
        r"&(?:[a-z]{2,8}|#\d{2,5}|#x[0-9a-f]{2,5});",
        lambda made, start, end: made.put(blanks(html.unescape(made.source[start:end])[:1]), start),
    ),  # entity
    (r"(?m:^[ >]*[*+] )", _Builder.keep),  # bullet
    (r"\*{1,3}|_{1,3}|`{1,3}|~~", _emphasis),  # emphasis
    (r"(?:\n *)+", _indent),  # indent
    (r" {2,}", _as(" ")),  # blanks
    (r"\p{So}", _as("\n")),  # sign
)
"""What is markup, and what becomes of it."""

_MARKUP = re2.compile("(?i)" + "|".join(f"({form})" for form, _ in _FORMS))
