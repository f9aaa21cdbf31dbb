"""Rows of Markdown tables as clauses, each in the ways in which it may be meant.

A cell that joins two others is a noun ("birthplace") or a verb phrase ("was born in"); a heading may be the noun of its
column, or its subject; two columns may be label and value of what is spoken of. The reader takes the first wording that
it understands, so that what makes no sense here costs nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A row's claim: offsets in the text, wordings in order of trust, and whether it is doubted."""

    start: int
    end: int
    wordings: tuple[str, ...]
    doubted: bool = False


ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:+=–—-]+")
_NUMBERED = re.compile(r"(?:\W*\d{1,3}\W*|[a-z]|[ivx]{1,5}\.?)")
_FOOTNOTE = re.compile(r"\[\^?\w{1,3}\]|[¹²³⁰⁴-⁹†‡]+|\[([^\]\n]{1,120})\]\([^)\n]{0,300}\)|<[^<>\n]{1,60}>")
_MARK = re.compile(r"[✓✔✅☑🟢👍]\ufe0f?")
_CROSS = re.compile(r"[✗✘❌✖❎🚫🔴👎]\ufe0f?")
_NO = re.compile(
    r"(?:no|n|false|wrong|incorrect|untrue|not\s+true|not\s+so|not\s+correct|myth|rejected|refuted|retracted|"
    r"withdrawn|struck(?:\s+out)?|"
    r"disproved|debunked|deleted|mistaken|invalid|does(?:\s+not|n[’']t)\s+hold|not\s+the\s+case|never|none|fails?)\W*",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:yes|y|true|correct|right|ok|holds?|valid|confirmed|verified|certain|sure|known|established|fact|given|"
    r"high|supported)\W*", re.IGNORECASE
)  # fmt: skip
_UNSURE = re.compile(
    r"(?:\?+|unsure|not\s+sure|uncertain|unclear|unconfirmed|unverified|maybe|perhaps|possibly|probably|likely|"
    r"doubtful|disputed|"
    r"tentative|low|medium|speculative|guess|rumou?r|to\s+be\s+(?:checked|verified|confirmed)|tbc|partly|alleged)\W*",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"(?:[-–—…?.\s]*|n/?a|none|unknown|not\s+(?:known|given|stated|applicable)|tbd)", re.IGNORECASE)
_DENIED = re.compile(
    r"(?P<lead>not\s+(?:in\s+|on\s+|at\s+|by\s+|with\s+|of\s+|for\s+|to\s+)?|never\s+|no[,:]\s+not\s+|no,\s+|"
    r"anything\s+but\s+|other\s+than\s+|≠\s*|!=\s*|isn[’']t\s+|is\s+not\s+|was\s+not\s+|wasn[’']t\s+|"
    r"(?:certainly|definitely|clearly|explicitly)\s+not\s+|none\s+of\s+|nothing\s+to\s+do\s+with\s+)(?P<value>.+)"
    r"|(?P<behind>.+?)\s*(?:[–—:,-]\s*|\()(?:no|false|wrong|incorrect|untrue|not\s+so|not\s+true|"
    r"not\s+the\s+case|denied)\)?\W*",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"(?P<value>.+?)\s*(?:\(\s*(?:\?+|unsure|not\s+sure|uncertain|unconfirmed|unverified|probably|possibly|"
    r"perhaps|maybe|likely|disputed|tbc|alleged(?:ly)?|guess)\s*\)|\?+)"
    r"|(?:perhaps|maybe|possibly|probably|likely|apparently|reportedly|allegedly)\s+(?P<behind>.+)",
    re.IGNORECASE,
)
_VERBAL = re.compile(
    r"(?:\w+ed|born|begun|began|built|died|written|made|found|set|won|led|held|known|sung|shown|drawn|laid|"
    r"fought|lost)(?:\s+(?:in|on|by|at|to|from|for|with|as))?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:is|was|are|were|has|had|have|did|does|do|can|could|belongs?|lies|lay|shares?|serves?|died|became|"
    r"takes?|took|counts?)\b|.*\s(?:in|on|by|at|to|from|with|as|for|within|under|into|after|before)$", re.IGNORECASE
)  # fmt: skip
"""Cells that are a verb phrase, or end in a preposition: no noun."""

_OF = re.compile(r".*\bof$", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:the\s+|my\s+)?(?:facts?|claims?|knowledge(?:\s+points?)?s?|statements?|details?|premises?|evidence|"
    r"points?|contents?|information|reasoning|notes?|"
    r"what\s+(?:i|we)\s+know|descriptions?|findings?|explanation|observation|justification|remarks?|comments?|"
    r"assertion|support|why)",
    re.IGNORECASE,
)
_TRUTH = re.compile(
    r"\W*(?:is\s+(?:it\s+)?)?(?:true|correct|holds?|valid|accurate|right|status|verdict|check|checked|ok|"
    r"confirmed|verified|certain(?:ty)?|confidence|sure|reliab\w+|"
    r"known|assessment|evaluation|truth|result|established|agreed|supported)(?:\s+or\s+(?:not|false))?\W*",
    re.IGNORECASE,
)
_MYTH = re.compile(
    r"\W*(?:common\s+|popular\s+)?(?:myths?|misconceptions?|false\s+\w+|wrong\s+\w+|incorrect\s+\w+|mistakes?|"
    r"rumou?rs?|rejected|retracted|fallac\w+|not\s+true)\W*",
    re.IGNORECASE,
)
"""A column of what is not so."""

_SAYS_TRUTH = re.compile(
    r"\W*(?:is\s+(?:it\s+)?)?(?:true|correct|holds?|valid|accurate|right|truth)\b.*", re.IGNORECASE
)
_RELATION = re.compile(
    r"relation(?:ship)?|\brel\b|property|predicate|attribute|link|connection|what\b|which|verb|aspect|field|"
    r"feature|characteristic|question|"
    r"category|kind|type|label|key|topic|parameter|criterion|association|tie|role|how|told|ask|ground|detail|"
    r"descriptor",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:value|object|entry|facts?|answer|that|to|data|results?|findings?|find|found|thing|detail|content|"
    r"information|target|whom|whither|it\s+is|outcome|item|response|entity|specifics|b|y|o|tail)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:subject|entity|item|person|people|name|who|whom|work|film|place|thing|event|party|a|x|s|head|object|"
    r"element|topic|look|about|of\s+what)\b", re.IGNORECASE
)  # fmt: skip
_LABEL = re.compile(r"[a-zé][\w é’'/()-]{1,60}", re.IGNORECASE)


def rows(body: str) -> Iterator[Row]:
    """The claims of all tables of a text, in order."""
    table: list[tuple[int, int, list[str]]] = []
    last_end = -2
    for match in ROW.finditer(body):
        if match.start() > last_end + 1:
            yield from _table(table)
            table = []
        last_end = match.end()
        if not _RULE.fullmatch(match.group()):
            cells = [_cell(cell) for cell in match.group(1).split("|")]
            table.append((match.start(), match.end(), cells))
    yield from _table(table)


def _cell(cell: str) -> str:
    return " ".join(_FOOTNOTE.sub(lambda match: match.group(1) or "", cell).split())


def _table(table: Sequence[tuple[int, int, list[str]]]) -> Iterator[Row]:
    if not table:
        return
    if len(table) == 1 and len(table[0][2]) == 3:  # a row alone
        table = [(*table[0][:2], ["", "", ""]), *table]
    heading = table[0][2]
    numbered = len(heading) > 1 and all(not cells[0] or _NUMBERED.fullmatch(cells[0]) for _, _, cells in table[1:])
    if numbered:
        heading = heading[1:]
    triple = _joins(heading, [cells[1:] if numbered else cells for _, _, cells in table[1:]])
    for start, end, cells in table[1:]:
        for wordings, doubted in _row(heading, cells[1:] if numbered else cells, triple):
            if wordings:
                yield Row(start, end, tuple(dict.fromkeys(wordings)), doubted)


def _joins(heading: Sequence[str], listed: Sequence[Sequence[str]]) -> bool:
    """Whether the middle of three columns says what joins the others."""
    if len(heading) < 3:
        return False
    if _RELATION.search(heading[1]) or (_VALUE.search(heading[2]) and not _TRUTH.fullmatch(heading[2])):
        return True
    middle = [cells[1] for cells in listed if len(cells) > 2 and cells[1]]
    return 2 * sum(_LABEL.fullmatch(cell) is not None and cell == cell.lower() for cell in middle) > len(middle)


class _Value(NamedTuple):
    text: str
    denied: bool = False
    doubted: bool = False


def _value(cell: str) -> _Value:
    crossed = bool(_CROSS.search(cell))
    text = _CROSS.sub("", _MARK.sub("", cell)).strip(" .")
    doubted = False
    if match := _DOUBTED.fullmatch(text):
        text, doubted = (match["value"] or match["behind"]).strip(), True
    if match := _DENIED.fullmatch(text):
        return _Value((match["value"] or match["behind"]).strip(), True, doubted)
    return _Value(text, crossed, doubted)


Told = tuple[list[str], bool]


def _row(heading: Sequence[str], cells: Sequence[str], triple: bool) -> Iterator[Told]:
    if not any(cells):
        return
    told, flags = list(cells), list(zip(heading, cells, strict=False))
    doubted = denied = False
    for head, cell in flags[1:]:
        if not (_TRUTH.fullmatch(head) or (len(cells) > 3 and _NO.fullmatch(cell))):
            continue
        bare = _CROSS.sub("no", _MARK.sub("yes", cell))
        if _NO.fullmatch(bare):
            if not _SAYS_TRUTH.fullmatch(head):
                return  # struck out, rejected: it claims nothing
            denied = True
        elif _UNSURE.fullmatch(bare):
            doubted = True
        elif not _YES.fullmatch(bare):
            continue
        if cell in told[1:]:
            position = len(told) - 1 - told[::-1].index(cell)
            told.pop(position)
            heading = [*heading[:position], *heading[position + 1 :]]
    while told and heading and _MYTH.fullmatch(heading[0]):
        told, heading = told[1:], heading[1:]
    if not told:
        return
    if len(told) == 1 or (len(told) == 2 and _pure(told[1])):
        # A sentence, and perhaps whether it is so.
        if not denied and not (len(told) == 2 and _NO.fullmatch(_CROSS.sub("no", told[1]))):
            yield [f"{told[0]}."], doubted or (len(told) == 2 and bool(_UNSURE.fullmatch(told[1])))
    elif len(told) == 2:
        yield from _two(heading, told, denied, doubted)
    elif triple or (len(heading) >= 3 and _pure(told[2])):
        yield _three(told, denied, doubted)
    else:
        for position, (head, cell) in enumerate(zip(heading[1:], told[1:], strict=False)):
            if head and cell and not _EMPTY.fullmatch(cell):
                wordings, unsure = _column(head, told[0], cell, denied, doubted)
                joined, _ = _three(told, denied, doubted) if not position and len(told) == 3 else ([], False)
                yield [*wordings, *joined], unsure
            elif not head and len(told) == 3 and position == 0:
                yield _three(told, denied, doubted)


def _pure(cell: str) -> bool:
    bare = _CROSS.sub("no", _MARK.sub("yes", cell))
    return bool(_NO.fullmatch(bare) or _YES.fullmatch(bare) or _UNSURE.fullmatch(bare))


def _two(heading: Sequence[str], cells: Sequence[str], denied: bool, doubted: bool) -> Iterator[Told]:
    head = heading[1] if len(heading) > 1 else ""
    subject, cell = cells
    if not subject or _EMPTY.fullmatch(cell):
        if cell and not subject:
            yield [f"{cell}."], doubted
        return
    if head and _SENTENCE.fullmatch(head) and subject in cell:
        yield [f"{cell}."], doubted
        return
    wordings, unsure = _column(head, subject, cell, denied, doubted)
    value = _value(cell)
    no = "not " if value.denied != denied else ""
    label = subject.rstrip(":?").lower()
    topical = [f"{label}: {no}{value.text}.", f"{label} {no}{value.text}."]
    if _SENTENCE.fullmatch(head) or _VALUE.search(head) or not head:
        wordings = [f"{subject} {cell}.", f"{cell}.", *topical, *wordings]
        if not _LABEL.fullmatch(subject) or _SUBJECT.search(heading[0]):
            wordings = wordings[:2] if not _VALUE.search(head) else wordings
    else:
        wordings += topical
    yield wordings, unsure


def _three(cells: Sequence[str], denied: bool, doubted: bool) -> Told:
    subject, relation, value = cells[0], cells[1].rstrip(":? "), _value(cells[2])
    if _pure(cells[2]):
        if _NO.fullmatch(_CROSS.sub("no", cells[2])):
            return [], doubted
        return [f"{subject} {relation}."], doubted or bool(_UNSURE.fullmatch(cells[2]))
    if _EMPTY.fullmatch(value.text) or not subject:
        return [], doubted
    return _said(subject, relation, value.text, value.denied != denied), doubted or value.doubted


def _said(subject: str, relation: str, value: str, denied: bool) -> list[str]:
    """A relation of two things as a noun and as a verb phrase."""
    no = "not " if denied else ""
    bare = re.sub(r"\s*\([^)]*\)", "", relation).lower().strip()
    verbal = [f"{subject} {bare} {no}{value}.", f"{subject} is {bare} {no}{value}."]
    if bare and bare.split()[-1] not in ("in", "on", "at", "by", "of") and _VERBAL.fullmatch(bare):
        verbal += [f"{subject} was {bare} {no}in {value}.", f"{subject} was {no}{bare} by {value}."]
    if not bare or _CLAUSE.match(bare) or _OF.fullmatch(bare) or _VERBAL.fullmatch(bare):
        return verbal
    return [f"The {bare} of {subject} is {no}{value}.", *verbal]


def _column(head: str, subject: str, cell: str, denied: bool, doubted: bool) -> Told:
    """A cell under its heading, which is the noun of the column, or its subject."""
    value = _value(cell)
    no = value.denied != denied
    head = head.strip(" :?")
    if head and _SENTENCE.fullmatch(head):
        return [f"{value.text}.", f"{subject} {value.text}."], doubted or value.doubted
    wordings = _said(subject, head, value.text, no)
    turned = _said(head, subject.rstrip(":?"), value.text, no) if head[:1].isupper() else []
    return [*wordings, *turned], doubted or value.doubted
