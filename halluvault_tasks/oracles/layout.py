"""A response as sentences that may answer: each with its place, questions and quotations of the question blanked."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.oracles import phrases, polar
from halluvault_tasks.oracles.sentences import points, sentences
from halluvault_tasks.oracles.silence import SILENCE, WHOLE

_LONGEST = 1500
"""Characters of a sentence that are searched for an answer."""

_EXTRA_BULLET = re.compile(
    r"[ \t>]*(?:[+→»▪▸►✓·○●■➤➢◆◇⁃∙*•–—~-]|=>|->|\(?\d{1,3}[.):]|\(?(?:[a-zA-Z]|[ivx]{1,4})[.)])[ \t]+"
)
_ARROW = re.compile(rf"[ \t]*(?:=+>|->|→|⇒|∴)\s*(?:{polar.YES}|{polar.NO}|true|false)\W*", re.IGNORECASE)
_ROW = re.compile(r"[ \t]*\|.*")
_MARKUP = re.compile(
    r"(?<=\S)\*|\*(?=\S)|`|(?<!\w)_|_(?!\w)|^[ \t]*#+|~~|<(?=/?[a-z])[^<>]{0,80}>", re.MULTILINE | re.IGNORECASE
)
NAMES = re.compile(r"(?<![.!?:\"'“‘(\[—–-] )(?<!^)(?<=\s)(?!I\b|I'|AI\b|TL|OK\b)[A-Z][\w’'-]*[a-z]|\d")
_HEADING = re.compile(
    r"\W*(?:(?:final|short|direct|my|the|quick)\s+)?(?:answer|verdict|conclusion|finding|ruling|decision)\W*",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence of the response's prose.

    Attributes:
        opening: it belongs to the response's first words, before anything is said of the matter.
        last: no prose follows.
        listed: it is a list point or a table's row: only a labelled answer counts.
        headed: a heading such as "Answer" stands right before it.
        replies: it follows a question that is not the one asked, or a statement of somebody else.
        foreign: the sentence before it names something that the question does not.
    """

    start: int
    end: int
    text: str
    opening: bool
    last: bool
    listed: bool
    headed: bool
    replies: bool = False
    foreign: bool = False


class Layout(NamedTuple):
    """A response, read for its answer; all three have the same offsets.

    Attributes:
        raw: the text with its markup, signs that decorate made into line breaks.
        body: without markup, questions and quotations of the question.
        sentences: of the body, in order.
    """

    raw: str
    body: str
    sentences: list[Sentence]


def lay_out(text: str, question: str) -> Layout:
    """Sentences of a text without thoughts, and where they stand."""
    raw = phrases.SIGNS.sub(_apart, text)
    without, others = _without_questions(raw, question)
    body = plain(without)
    return Layout(raw, body, _sentences(body, raw, others, question))


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _apart(match: re.Match[str]) -> str:
    """A sign such as a smile ends a sentence; at the start of a line it is decoration."""
    newline = match.start() == 0 or match.string[match.start() - 1] == "\n"
    return (" " if newline else "\n") + " " * (len(match.group()) - 1)


def plain(text: str) -> str:
    """The same text, offsets kept: markup blanked, typographic apostrophes and quotation marks made plain."""
    plain = text.replace("’", "'").replace("“", '"').replace("”", '"').replace("\0", " ").replace("\u00a0", " ")
    return _MARKUP.sub(_blanked, plain)


def _without_questions(text: str, question: str) -> tuple[str, list[int]]:
    """Blank out interrogative sentences, quotations of the question and "yes or no": they answer nothing.

    Returns:
        The text, and where questions end that are not the one asked.
    """
    asked = question.strip()
    stated = re.search(r"[“\"'‘](.{12,})[”\"'’]\W*$", asked, re.DOTALL)
    for quoted in filter(None, (asked if len(asked) > 11 else "", stated and stated.group(1))):
        text = _without_quoted(text, quoted, whole=quoted is asked)
    blanked = list(text)
    others = []
    for span in sentences(text):
        piece = text[span.start : span.end]
        if piece.rstrip("\"'”’)]*_ ").endswith("?") and not _answers(piece):
            bullet = _EXTRA_BULLET.match(piece)
            start = span.start + (bullet.end() if bullet else 0)
            blanked[start : span.end] = " " * (span.end - start)
            if NAMES.search(piece) and not phrases.restates(piece, question):
                others.append(span.end)
    return phrases.CHOICE.sub(_blanked, "".join(blanked)), others


def _without_quoted(text: str, quoted: str, *, whole: bool) -> str:
    parts, position = [], 0
    while (at := text.find(quoted, position)) >= 0:
        around = text[max(0, at - 2) : at].rstrip(" *_")[-1:]
        drop = whole or (at > 0 and around in "\"'“‘:>")
        # A question quoted whole parts what stands before it from the answer.
        blank = "\n" + " " * (len(quoted) - 1) if whole else " " * len(quoted)
        parts += [text[position:at], blank if drop else quoted]
        position = at + len(quoted)
    return "".join([*parts, text[position:]])


def _answers(piece: str) -> bool:
    """Whether a sentence with a question mark answers all the same ("No, why?", "who knows?")."""
    start = phrases.OPEN.match(piece).end()  # type: ignore[union-attr]  # it matches anything
    found = polar.free(plain(piece), start, len(piece))
    return bool(found or SILENCE.search(piece) or WHOLE.match(piece))


def _sentences(body: str, raw: str, others: Sequence[int] = (), question: str = "") -> list[Sentence]:
    """Sentences in order, each with its place; the first line counts as prose even as a list point."""
    # A line break that stands for a blanked question begins no list point.
    shape = "".join("_" if a == "\n" != b else a for a, b in zip(body, raw, strict=True)) if "\n" in body else body
    listed = points(shape)
    starts = [point.start for point in listed]
    first = len(body) - len(body.lstrip())
    found: list[tuple[int, int, bool]] = []
    for span in sentences(body):
        start = span.start
        begun = bisect_right(starts, start)
        inside = begun > 0 and start < listed[begun - 1].end
        bullet = listed[begun] if begun < len(starts) and starts[begun] < span.end else None
        line = shape.rfind("\n", 0, start) + 1
        extra = _EXTRA_BULLET.match(body, line)
        if extra and _ARROW.fullmatch(body, line, span.end):
            extra = None
        row = _ROW.match(body, line)
        inside = (
            inside
            or bool(row)
            or bool(extra and start >= line and body[line:start].strip() == body[line : extra.end()].strip())
        )
        if start == first:
            start = max(start, bullet.start if bullet else 0, extra.end() if extra else 0)
            found.append((start, span.end, bool(row)))
        else:
            found.append((max(start, bullet.start if bullet else start), span.end, inside or bool(bullet)))
    prose = [i for i, one in enumerate(found) if not one[2]]
    while len(prose) > 1 and phrases.PARTING.search(body, found[prose[-1]][0], found[prose[-1]][1]):
        prose.pop()
    opening, headed = True, False
    made: list[Sentence] = []
    for index, (start, end, inside) in enumerate(found):
        text = body[start : min(end, start + _LONGEST)]
        opening = opening and not inside
        before = made[-1] if made else None
        asked = bisect_right(others, start) - 1
        replies = asked >= 0 and not body[others[asked] : start].strip(" *_>•-\n")
        if before and not opening and not replies and len(text.split()) <= 7:
            replies = bool(NAMES.search(before.text) and phrases.DISOWNING.search(before.text))
        named = before is not None and foreign(before.text, question)
        last = bool(prose) and index >= prose[-1]
        made.append(Sentence(start, end, text, opening, last, inside, headed, replies, named))
        headed = bool(_HEADING.fullmatch(text))
        # The opening ends with the first sentence that speaks of something by name, or is long.
        opening = opening and len(made) < 5 and not NAMES.search(text) and len(text.split()) <= 30
        asks = bool(re.match(r"\s{10}", body[end : end + 10]))
        opening = opening and not (text.endswith(":") and phrases.INTRODUCING.search(text) and not asks)
    return made


def foreign(text: str, question: str) -> bool:
    """Whether a text names something that the question does not."""
    return bool({name[:6].casefold() for name in _NAMES_IN.findall(text)} - phrases.words_of(question))


_NAMES_IN = re.compile(r"(?<=[\w,'\"] )[A-Z]\w{2,}|\d{3,}")
