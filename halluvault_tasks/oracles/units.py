"""A response as the stretches that may claim something: sentences of prose and lists, rows of tables.

Offsets are those of the response, so that every claim can be shown where it stands. Questions, quotations of what was
asked, hypotheses and what is said to be asked claim nothing and are left out (semantics.md section 4.2).
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.oracles import stances, tables
from halluvault_tasks.oracles.sentences import LIMIT, POINT, sentences, without_thoughts

MAX_UNITS = 300
"""Stretches read of one response: more than fifty times what a prompt asks for."""

_MARKUP = re.compile(
    r"[*`]|(?<!\w)_|_(?!\w)|^[ \t]*#+|~~|"
    r"</?(?:p|br|b|i|em|strong|u|li|ul|ol|table|tr|td|th|thead|tbody|div|span|h[1-6]|code|pre|sup|sub|small|mark|a|hr|"
    r"blockquote|details|summary|center|font|answer|reasoning|output|final|response)(?:\s[^<>]{0,80})?/?>",
    re.MULTILINE | re.IGNORECASE,
)
_LONGEST = 2_000
"""Characters read of one sentence: what is longer is no sentence."""

_STRUCK = re.compile(r"~~[^~\n]{1,400}~~|<(s|del|strike)>.{1,400}?</\1>", re.IGNORECASE)
"""Struck out: taken back."""

_ANSWER = re.compile(
    r"^\W*(?:(?:my |the |final |short )*(?:answer|conclusion|verdict)\s*(?:is|:|–|-)*\s*)?"
    r"(?:yes|no|nope|true|false|correct|incorrect)\b\s*"
    r"(?:[,.;:!—–-]+\s*(?:because|since|as(?= [A-Z])|for)?\s*|(?:because|since)\s+|(?<=\s)(?-i:(?=[A-Z]))|$)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:it|from\s+(?:this|these|that)\b[^,.]{0,30}?(?:it)?)\s+(?:also\s+)?follows\s+that|(?:which|this|"
    r"that)\s+(?:means|shows|implies)\s+that|in\s+other\s+words|"
    r"(?:it\s+is|we|i)\s+(?:also\s+)?(?:well[- ])?(?:known|documented|know|established)\s+that|"
    r"as\s+is\s+(?:well\s+)?known|by\s+the\s+way|side\s+note|fun\s+fact|for\s+completeness|"
    r"(?:on\s+top\s+of|in\s+addition\s+to|besides|beyond|apart\s+from|along(?:side)?\s+with|next\s+to|"
    r"added\s+to|further\s+to|aside\s+from|as\s+well\s+as|separate(?:ly)?\s+from)\s+(?:all\s+)?(?:this|that|"
    r"these|those|it|which|the\s+above|the\s+matter[^,.:]{0,40})|to\s+begin\s+with|first\s+of\s+all|"
    r"according\s+to\s+(?:what\s+i\s+(?:know|have\s+learned)|my\s+knowledge))\b[,:]?",
    re.IGNORECASE,
)
"""Openings that only join a sentence to the text."""
_NO_CLAIM = re.compile(
    r"\b(?:if|whether|suppose|supposing|assuming|imagine|hypothetically|were\s+(?:it|he|she|they)\s+to|("
    r"?<=^)had\s+[^,.;]{1,60}?\s+been|(?<=[,;]\s)had\s+[^,.;]{1,60}?\s+been|"
    r"(?<!where\syou\s)(?<!where\sone\s)would\s+(?:have(?!\s+to\b)|be|mean|need|require|imply)|"
    r"the\s+question\s+(?:is|was|asks?|whether|of\s+whether|reads|concerns|wants|put|posed|at\s+hand|here)|("
    r"?:in|by)\s+the\s+question|you\s+ask(?:ed)?|is\s+asked|asks|am\s+asked|we\s+are\s+asked|"
    r"unless|in\s+case)\b",
    re.IGNORECASE,
)
_LOOKING = re.compile(
    r"\b(?:if|when|once)\s+(?:you|we|one|i)\s+(?!assume|suppose|imagine|pretend|believe|accept|grant|say|were|"
    r"are|am|had|is|recall|"
    r"remember|trust|think|may|can|could|read|hear)[a-z][a-z’' ]{2,60}[,:]\s|\bin\s+case\s+(?:you|"
    r"anyone)\b[a-z’' ]{2,40}[,:]\s|"
    r"\bif\s+(?:it|that)\s+(?:helps|matters|interests\s+you)[,:]\s|\bif\s+(?:anything|nothing\s+else|"
    r"anyone\s+\w+)[,:]\s|\bif\s+you(?:[’']re|\s+are)\s+(?:interested|curious|wondering)[,:]\s|"
    r",?\s*\bin\s+case\s+(?:you|anyone)\b[^,.;]{0,40}(?=\.?\s*$)|"
    r"\bto\s+(?:answer|address|come\s+back\s+to|return\s+to|get\s+back\s+to)\s+the\s+question[,:]\s|"
    r"\b(?:nothing|little|not\s+much)\s+to\s+do\s+with\s+the\s+question[,:]\s|"
    r"\bregardless\s+of\s+whether\b[^,.;]{0,60}[,;]",
    re.IGNORECASE,
)
"""Leads that only say how one looks at it, and ask or suppose nothing."""

_QUOTE = re.compile(r"[“\"]([^”\"\n]{2,400})[”\"]|(?<!\w)[‘']([^’'\n]{12,400})[’'](?!\w)")


class Unit(NamedTuple):
    """A stretch of a response.

    Attributes:
        start: first character in the response.
        end: end, exclusive.
        text: what is read: as long as the stretch, so that offsets are the same, but for a table's row.
        exact: offsets inside `text` are offsets in the response from `start` on.
        doubted: said with a doubt.
        others: other ways to read it, tried in order where `text` says nothing that is understood.
    """

    start: int
    end: int
    text: str
    exact: bool = True
    doubted: bool = False
    others: tuple[str, ...] = ()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def units(response: str) -> list[Unit]:
    """The stretches of a response that may claim something, in order."""
    body = without_thoughts(response[:LIMIT]).replace("\0", " ")
    body = _MARKUP.sub(_blank, _STRUCK.sub(_blank, body))
    found = [*_tables(body), *_records(body)]
    prose = tables.ROW.sub(_blank, body)
    prose = POINT.sub(_blank, prose)
    found += _sentences(prose)
    return sorted(found)[:MAX_UNITS]


def _sentences(prose: str) -> Iterator[Unit]:
    """What sentences claim, but for those that the next one takes back."""
    last: Unit | None = None
    before, end = "", 0
    for index, span in enumerate(sentences(prose)[:MAX_UNITS]):
        text = prose[span.start : min(span.end, span.start + _LONGEST)]
        near = "\n\n" not in prose[end : span.start]
        unit, back = _claiming(span.start, text, index == 0)
        if _RATED.match(text) and _RATED_CLAIM.match(before):
            back = "void"
        before = text
        if back and last is not None and (near or _RETHINKS.match(text)):
            last = last._replace(doubted=True) if back == "doubt" else None
        if last is not None:
            yield last
        last, end = unit, span.end
    if last is not None:
        yield last


_RETHINKS = re.compile(
    r"\W*(?:(?:oh|but|no|actually|hold\s+on|sorry)\W+)?(?:wait|correction|scratch|strike|oops|edit|on\s+second)\b",
    re.IGNORECASE,
)
"""Takes something back even from a paragraph of its own."""


_RATED_CLAIM = re.compile(
    r"\W*(?:(?:the\s+)?(?:claim|statement|assertion|belief|rumou?r|hypothesis|assumption|candidate|version|"
    r"idea)(?:\s+\w{1,3})?)\s*[:–—]",
    re.IGNORECASE,
)
_RATED = re.compile(
    r"\W*(?:(?:verdict|rating|status|result|truth|assessment|fact[- ]check|evaluation|check|finding|conclusion|"
    r"judge?ment)\W{1,4}(?:is\s+|mostly\s+|this\s+is\s+)?)?"
    r"(?:false|wrong|incorrect|untrue|not\s+true|myth|refuted|debunked|rejected|no)\W*$",
    re.IGNORECASE,
)
"""The verdict under a claim that was put up to be checked."""

_LABELLED = re.compile(
    r"\W*(?P<label>[A-Za-z]+(?:ed|orn|uilt|ritten|ied|ade|ound|ead|on|un|rawn|ung)(?:\s+[a-z]+)?)\s*[:–—=]\s*("
    r"?P<value>\S.*)$",
    re.DOTALL,
)
"""A list point such as "Born: Paris", whose label lacks its preposition."""


def _labelled(text: str) -> tuple[str, ...]:
    match = _LABELLED.match(text)
    return tuple(f"{match['label']} {word} {match['value']}" for word in ("in", "by")) if match else ()


def _claiming(start: int, text: str, first: bool) -> tuple[Unit | None, stances.Back]:
    """What a sentence claims, if anything, and what it does to the one before it."""
    if text.rstrip("\"'”’)]*_ ").endswith("?"):
        return None, ""
    answer = _ANSWER.match(text)
    if answer and not stances.read(text, first=first).back:
        start, text, first = start + answer.end(), text[answer.end() :], True
    text = _LOOKING.sub(_blank, text)
    if not text.strip() or _NO_CLAIM.search(text):
        return None, ""
    end = start + len(text)
    stance = stances.read(_without_quoted_clauses(text), first=first)
    kept = _LEAD.sub(_blank, stance.text)
    unit = Unit(start, end, kept, doubted=stance.doubted, others=_labelled(kept)) if kept.strip() else None
    return unit, stance.back


def _without_quoted_clauses(text: str) -> str:
    """A title in quotation marks names something; a sentence in them is somebody else's."""

    def settle(match: re.Match[str]) -> str:
        inside = match.group(1) or match.group(2) or ""
        clause = re.search(r"\b(?:is|was|are|were|has|had|did|does|have|not|never|died|lies|lay)\b", inside)
        return _blank(match) if clause and len(inside.split()) > 4 else match.group()

    return _QUOTE.sub(settle, text)


def _tables(body: str) -> Iterator[Unit]:
    for row in tables.rows(body):
        if not any(_NO_CLAIM.search(wording) for wording in row.wordings[:1]):
            yield Unit(row.start, row.end, row.wordings[0], False, row.doubted, row.wordings[1:])


_RECORD = re.compile(r"^[ \t]*(\{.{2,1000}\})[ \t]*,?[ \t]*$", re.MULTILINE)


def _records(body: str) -> Iterator[Unit]:
    """Lines of JSON such as {"subject": "X", "relation": "born in", "object": "Y"}."""
    for match in _RECORD.finditer(body):
        try:
            record = json.loads(match.group(1))
        except ValueError:
            continue
        values = [value for value in record.values() if isinstance(value, str)]
        if len(values) >= 3:
            yield Unit(match.start(), match.end(), " ".join(values[:3]) + ".", False)
