"""A response as the stretches that may claim something: sentences of prose and lists, rows of tables.

Offsets are those of the response, so that every claim can be shown where it stands. Questions, quotations of what was
asked, hypotheses and what is said to be asked claim nothing and are left out (semantics.md section 4.2).
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.oracles.sentences import LIMIT, POINT, sentences, without_thoughts

MAX_UNITS = 300
"""Stretches read of one response: more than fifty times what a prompt asks for."""

_MARKUP = re.compile(r"[*`]|(?<!\w)_|_(?!\w)|^[ \t]*#+|~~|<(?=/?[a-z])[^<>]{0,80}>", re.MULTILINE | re.IGNORECASE)
_ANSWER = re.compile(
    r"^\W*(?:(?:my |the |final |short )*(?:answer|conclusion|verdict)\s*(?:is|:|–|-)*\s*)?"
    r"(?:yes|no|nope|true|false|correct|incorrect)\b\s*"
    r"(?:[,.;:!—–-]+\s*(?:because|since|as(?= [A-Z])|for)?\s*|(?:because|since)\s+|(?<=\s)(?-i:(?=[A-Z]))|$)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:it|from\s+(?:this|these|that)\b[^,.]{0,30}?(?:it)?)\s+(?:also\s+)?follows\s+that|(?:which|this|that)\s+(?:means|shows|implies)\s+that|in\s+other\s+words|"
    r"(?:it\s+is|we|i)\s+(?:also\s+)?(?:well[- ])?(?:known|documented|know|established)\s+that|"
    r"as\s+is\s+(?:well\s+)?known|by\s+the\s+way|side\s+note|fun\s+fact|for\s+completeness|"
    r"on\s+top\s+of\s+that|to\s+begin\s+with|first\s+of\s+all|according\s+to\s+(?:what\s+i\s+(?:know|have\s+learned)|my\s+knowledge))\b[,:]?",
    re.IGNORECASE,
)
"""Openings that only join a sentence to the text."""
_NO_CLAIM = re.compile(
    r"\b(?:if|whether|suppose|supposing|assuming|imagine|hypothetically|were\s+(?:it|he|she|they)\s+to|had\s+\w+\s+been|"
    r"would\s+(?:have|be|mean|need|require|imply)|the\s+question|you\s+ask(?:ed)?|is\s+asked|asks|am\s+asked|we\s+are\s+asked|"
    r"unless|in\s+case)\b",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"[“\"]([^”\"\n]{2,400})[”\"]|(?<!\w)[‘']([^’'\n]{12,400})[’'](?!\w)")
_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE_ROW = re.compile(r"[\s|:+-]+")
_RETRACTS = re.compile(
    r"\b(?:wait\b|correction\b|scratch\s+that|strike\s+that|i\s+stand\s+corrected|my\s+(?:mistake|error|bad)\b|"
    r"i\s+(?:was|am)\s+(?:wrong|mistaken)|i\s+misspoke|let\s+me\s+(?:correct|rephrase|take\s+that\s+back)|"
    r"(?:i\s+)?take\s+(?:that|it)\s+back|on\s+second\s+thoughts?|i\s+(?:must|need\s+to|should|have\s+to)\s+correct|"
    r"actually,?\s+no\b|no,\s+(?:wait|actually|sorry|scratch)|sorry,\s+(?:no|that)\b|i\s+meant?\s+to\s+say|rather,|"
    r"(?:but\s+)?(?:that|this|it|which|(?:this|that|the)\s+(?:claim|statement|belief|idea|view|assumption|version))\s*"
    r"(?:was|is|turned\s+out\s+to\s+be|proved(?:\s+to\s+be)?|would\s+be)?(?:n[’']t|\s+not)?\s+(?:in\s+fact\s+|actually\s+|simply\s+|"
    r"clearly\s+|however\s+)?(?:wrong|incorrect|false|untrue|mistaken|an?\s+error|a\s+mistake|a\s+myth|a\s+slip|"
    r"(?<=not\s)(?:so|true|correct|right|the\s+case)|(?<=t\s)(?:so|true|correct|right|the\s+case)))",
    re.IGNORECASE,
)
_REASONED = re.compile(
    r"\b(?:so|therefore|thus|hence|since|because|consequently|means|follows|statement)\b", re.IGNORECASE
)
_DISOWNED = re.compile(
    r"\b(?:i\s+(?:used\s+to|once|first|initially)\s+(?:think|thought|believed?|assumed?|say|said)|at\s+first\s+(?:i|one)\s+\w+|"
    r"(?:it\s+)?(?:has\s+been|is\s+(?:often|sometimes|commonly))\s+(?:claimed|said|believed|thought|asserted|assumed)|"
    r"(?:some|many)(?:\s+people|\s+sources)?\s+(?:say|claim|believe|think|might\s+think|assume)|one\s+(?:might|may|could)\s+(?:think|believe|assume)|"
    r"common\s+(?:misconception|belief|error|mistake)|contrary\s+to|my\s+first\s+thought|i\s+almost\s+(?:said|wrote)|mistakenly|"
    r"wrongly|erroneously|falsely)\b",
    re.IGNORECASE,
)


class Unit(NamedTuple):
    """A stretch of a response.

    Attributes:
        start: first character in the response.
        end: end, exclusive.
        text: what is read: as long as the stretch, so that offsets are the same, but for a table's row.
        exact: offsets inside `text` are offsets in the response from `start` on.
        retracts: takes back what was said just before it.
    """

    start: int
    end: int
    text: str
    exact: bool = True
    retracts: bool = False


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def units(response: str) -> list[Unit]:
    """The stretches of a response that may claim something, in order."""
    body = without_thoughts(response[:LIMIT]).replace("\0", " ")
    body = _MARKUP.sub(_blank, body)
    found = [*_tables(body), *_records(body)]
    prose = _ROW.sub(_blank, body)
    prose = POINT.sub(_blank, prose)
    for span in sentences(prose)[:MAX_UNITS]:
        text = prose[span.start : span.end]
        if unit := _claiming(span.start, text):
            found.append(unit)
    return sorted(found)[:MAX_UNITS]


def _claiming(start: int, text: str) -> Unit | None:
    if text.rstrip("\"'”’)]*_ ").endswith("?"):
        return None
    answer = _ANSWER.match(text)
    if answer:
        start, text = start + answer.end(), text[answer.end() :]
    if not text.strip() or _NO_CLAIM.search(text):
        return None
    if _DISOWNED.search(text):
        return None
    end = start + len(text)
    text = _LEAD.sub(_blank, _without_quoted_clauses(text))
    # "…, so the claim is false" judges the question; it takes nothing back.
    taken_back = [] if _REASONED.search(text) else list(_RETRACTS.finditer(text))
    if not taken_back:
        return Unit(start, end, text)
    # What stands before the marker is void; a marker in front takes back the stretch before.
    marker = taken_back[-1]
    kept = " " * marker.end() + text[marker.end() :]
    return Unit(start, end, kept, True, not text[: taken_back[0].start()].strip(" \t-–—,.(but"))


def _without_quoted_clauses(text: str) -> str:
    """A title in quotation marks names something; a sentence in them is somebody else's."""

    def settle(match: re.Match[str]) -> str:
        inside = match.group(1) or match.group(2) or ""
        clause = re.search(r"\b(?:is|was|are|were|has|had|did|does|have|not|never|died|lies|lay)\b", inside)
        return _blank(match) if clause and len(inside.split()) > 4 else match.group()

    return _QUOTE.sub(settle, text)


def _tables(body: str) -> Iterator[Unit]:
    """Rows of Markdown tables as clauses: a heading is a noun of the first column ("the birthplace of X is Y")."""
    heading: list[str] = []
    last_end = -2
    for match in _ROW.finditer(body):
        cells = [cell.strip() for cell in match.group(1).split("|")]
        if match.start() > last_end + 1:
            heading = []
        last_end = match.end()
        if _RULE_ROW.fullmatch(match.group()):
            continue
        if not heading:
            heading = cells
            continue
        for text in _row(heading, cells):
            if not _NO_CLAIM.search(text):
                yield Unit(match.start(), match.end(), text, False)


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


_VERBAL = re.compile(r"(?:\w+ed|born|begun|began|built|died|written)(?: (?:in|on|by|at))?", re.IGNORECASE)
_SUBJECT = re.compile(
    r"subject|entity|item|person|name|who|work|film|place|thing|event|#|no\.?|step|point", re.IGNORECASE
)
_RELATION = re.compile(
    r"relation(?:ship)?|property|predicate|attribute|link|connection|what|verb|aspect|field", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"fact|claim|knowledge(?: point)?s?|statement|detail|premise|evidence|point|content|information|reasoning|note|"
    r"what i know|description|finding", re.IGNORECASE
)  # fmt: skip


def _row(heading: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    if len(cells) > 1 and re.fullmatch(r"(?:\W*\d+\W*|[a-z])", cells[0]):
        heading, cells = heading[1:], cells[1:]  # a column of numbers
    if len(cells) == 1:
        yield cells[0] + "."
    elif len(cells) == 2 and len(heading) > 1 and _SENTENCE.fullmatch(heading[1].strip()):
        yield f"{cells[1]}." if cells[0] and cells[0] in cells[1] else f"{cells[0]} {cells[1]}."
    elif len(cells) >= 3 and len(heading) > 1 and _RELATION.search(heading[1]):
        yield " ".join(cells[:3]) + "."
        yield f"The {cells[1]} of {cells[0]} is {cells[2]}."
    elif (
        len(cells) >= 3
        and not _SUBJECT.search(heading[0])
        and len(heading) == 3
        and _RELATION.search(" ".join(heading))
    ):
        yield " ".join(cells[:3]) + "."
    else:
        for head, cell in zip(heading[1:], cells[1:], strict=False):
            if head and cell and _VERBAL.fullmatch(head):
                yield f"{cells[0]} {head.lower()} {cell}."
            elif head and cell:
                yield f"{cell}." if _SENTENCE.fullmatch(head) else f"The {head} of {cells[0]} is {cell}."
