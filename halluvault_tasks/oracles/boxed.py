"""Answers set apart by notation: `\\boxed{Yes}`, `<answer>no</answer>`, the verdict cell of a table, a lone Y or N."""

import re
from typing import Literal, NamedTuple


class Boxed(NamedTuple):
    """An answer and its place in the text."""

    kind: Literal["yes", "no", "dont_know", "refusal"]
    start: int
    end: int


_WORD = (
    r"[\s*_\"'✅☑✔❌✖✗❓🤷]{0,6}(?:(?P<pos>yes|y|true|correct|accurate|supported|confirmed|verified|affirmative|right|entailed)|"
    r"(?P<neg>no|n|false|incorrect|inaccurate|refuted|not\s+true|untrue|wrong|negative|contradicted|debunked)|"
    r"(?P<silent>unknown|unclear|uncertain|undetermined|unverified|unverifiable|unproven|not\s+enough\s+info(?:rmation)?|nei|inconclusive|cannot\s+be\s+determined|n/a|i\s+don'?t\s+know|don'?t\s+know)|"
    r"(?P<refused>refused|declined|withheld|refusal))[\s*_\"'.!✅☑✔❌✖✗]{0,6}"
)
_BOX = re.compile(
    rf"\\+boxed\s?\{{(?:\\+(?:text|mathrm|mathbf|textbf)\s?\{{)?{_WORD}\}}|"
    rf"<(?:final[_-]?)?(?:answer|verdict|label|result)>{_WORD.replace('?P<', '?P<tag_')}</",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"\s*(?:(?:response|answer|verdict|ans|a|reply|label|final answer)\s*[:=]\s*)?(?:(?P<pos>Y)|(?P<neg>N))(?=\s*(?:$|[.!]?\s*\n|[.!]?\s+[A-Z][a-z]))"  # noqa: E501
)
_HEAD = re.compile(
    r"^[ \t]*\|(?P<cells>[^\n]{1,400})\|[ \t]*\n[ \t]*\|[\s:|-]{3,200}\|[ \t]*\n[ \t]*\|(?P<row>[^\n]{1,600})\|",
    re.MULTILINE,
)
_COLUMN = re.compile(
    r"\W*(?:final\s+|short\s+|my\s+)?(?:answer|verdict|rating|ruling|finding|label|conclusion|assessment|true\W{0,3}(?:false)?|true\s+or\s+false|result)\W*",
    re.IGNORECASE,
)
_LABELLED_ROW = re.compile(
    rf"^[ \t]*\|[\s*_]*(?:final\s+|short\s+)?(?:answer|verdict|rating|ruling)[\s*_:]*\|{_WORD}\|",
    re.IGNORECASE | re.MULTILINE,
)
_CELL = re.compile(_WORD, re.IGNORECASE)


def boxed(text: str) -> list[Boxed]:
    """The answers of a text that stand apart from its prose.

    A table counts only if the column of its answer is headed as one and it has a single row, or if the row is
    labelled: further rows judge the steps.
    """
    found = []
    if letter := _LETTER.match(text):
        found.append(_made(letter))
    found += [_made(match) for match in _BOX.finditer(text)]
    for head in _HEAD.finditer(text):
        if re.match(r"[ \t]*\S?[^\n]{0,200}\n[ \t]*\|", text[head.end() : head.end() + 240]):
            continue
        names, cells = head["cells"].split("|"), head["row"].split("|")
        at = head.start("row")
        for name, cell in zip(names, cells, strict=False):
            if _COLUMN.fullmatch(name) and (match := _CELL.fullmatch(cell)):
                found.append(_made(match, at))
            at += len(cell) + 1
    found += [_made(match) for match in _LABELLED_ROW.finditer(text)]
    return sorted(found, key=lambda one: one.start)


_KINDS: dict[str, Literal["yes", "no", "dont_know", "refusal"]] = {
    "pos": "yes",
    "neg": "no",
    "silent": "dont_know",
    "refused": "refusal",
}


def _made(match: re.Match[str], shift: int = 0) -> Boxed:
    name = next(key for key, value in match.groupdict().items() if value)
    return Boxed(_KINDS[name.removeprefix("tag_")], shift + match.start(name), shift + match.end(name))
