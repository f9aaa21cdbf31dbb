"""Sentences, list points and folding: the text handling that answer parser and extractor share.

All functions keep offsets into the original text and run in time linear in its length.
"""

import re
from typing import NamedTuple

LIMIT = 100_000
"""Characters of a response that are read. Beyond it lies repetition or an attack, never an argument."""

POINT = re.compile(r"^[ \t>]*(?:\(?\d{1,3}[.):]|[-*•–‣◦]|\(?[a-z]\))[ \t]+(?=\S)", re.MULTILINE)
"""Start of a numbered or bulleted line, as papers' prompts ask the knowledge to be listed."""

_END = re.compile(r"[.!?][\"'”’)\]*_]{0,4}(?=\s)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Sr|Jr|Prof|Gen|Sen|Rep|Gov|Col|Capt|Lt|Mt|Ft|vs|etc|cf|ca|approx|vol|ed|e\.g|i\.e|"
    r"a\.k\.a|Inc|Ltd|Co|Corp|Univ|Ph\.D|U\.S|U\.K|U\.N|a\.m|p\.m|B\.C|A\.D)|\b[A-Z])\.$"
)
_BULLET = re.compile(r"\(?\d{1,3}[.)]?|[-*•]")


class Span(NamedTuple):
    """A half-open range of characters of the original text."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Sentences and lines of a text, without surrounding white space; abbreviations do not end one."""
    found, start = [], 0
    for match in _END.finditer(text):
        end = match.end()
        newline = match.group().startswith("\n")
        if not newline:
            before = text[max(start, end - 12) : end].rstrip("\"'”’)]*_")
            following = text[end : end + 2].strip()
            if _ABBREVIATION.search(before) and not (before.endswith(("I.", "etc.")) and following[:1].isupper()):
                continue
            if following[:1].islower() or _BULLET.fullmatch(text[start:end].strip()):
                continue
        found.append(Span(start, end))
        start = end
    found.append(Span(start, len(text)))
    return [trimmed for trimmed in (_trim(text, span) for span in found) if trimmed.start < trimmed.end]


def _trim(text: str, span: Span) -> Span:
    piece = text[span.start : span.end]
    return Span(span.start + len(piece) - len(piece.lstrip()), span.end - len(piece) + len(piece.rstrip()))


def points(text: str) -> list[Span]:
    """The numbered or bulleted lines of a text, without number or bullet; a wrapped line belongs to its point."""
    starts = list(POINT.finditer(text))
    found = []
    for index, match in enumerate(starts):
        limit = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        blank = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#|\*\*))").search(text, match.end(), limit)
        found.append(_trim(text, Span(match.end(), blank.start() if blank else limit)))
    return [span for span in found if span.start < span.end]


_THINK = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THINK_END = re.compile(r"</(?:think|thinking|reasoning|thought)>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The text with `<think>…</think>` blanked out, offsets kept.

    An unclosed block is all thought; a closing tag alone (chat templates put the opening one into the prompt)
    ends a thought that began with the text.
    """
    blanked = _THINK.sub(lambda match: " " * len(match.group()), text)
    stray = [match.end() for match in _THINK_END.finditer(blanked)]
    return " " * stray[-1] + blanked[stray[-1] :] if stray else blanked
