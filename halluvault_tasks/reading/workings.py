"""What a response states on the way to its result, held against the steps of its case; and what it brings in besides.

Numbers are compared by value, names by their words. A step that is left out states nothing; one is stated wrongly where
a calculation does not come out, or where a step is missing and a number or name stands there that is none of the case.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import re2

from halluvault_tasks.reading import echoes, english
from halluvault_tasks.reading.names import folded
from halluvault_tasks.reading.parser import Parser
from halluvault_tasks.reading.text import cut
from halluvault_tasks.wikidata.names import fold

_NUMERAL = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_NUMBER = re2.compile(_NUMERAL)
_BETWEEN = r"[^\d=.,;+*/÷×·−–-]*"
"""Units and remarks beside a number of a calculation."""
_OPERATOR = r"[-+−–*×x·/÷]"
_CALCULATION = re2.compile(
    rf"(?:^|[^\d.,])({_NUMERAL}%?(?:{_BETWEEN}{_OPERATOR}\s*{_NUMERAL}\s?%?)+){_BETWEEN}=\s*({_NUMERAL})"
)
_TERM = re2.compile(rf"({_OPERATOR}?)\s*({_NUMERAL})\s?(%?)")
_GOES_ON = re2.compile(rf"\s*{_OPERATOR}\s*\d")
_DATE = re2.compile(r"\b(\d{3,4})-\d{2}-\d{2}\b")
_TIMES, _MINUS = set("*×x·"), set("-−–")
_OWN = english.STATED | english.ANSWER | english.EVIDENCE | english.TOLD | english.POINTING | english.LIGHT
_OWN |= english.TRUE | english.FALSE | english.ABLE | english.UNABLE | english.CONCLUDE | english.REASON
"""Words about the answer itself."""


class Worked(NamedTuple):
    """What a case's response may state.

    Attributes:
        steps: each by its spellings.
        right: what is to be named in the end.
        around: what is as true as a step, and none: where a place lies.
        shown: everything that the model was shown.
    """

    steps: Sequence[Sequence[str]]
    right: Sequence[Sequence[str]]
    around: Sequence[Sequence[str]]
    shown: str


def misstated(text: str, case: Worked, parser: Parser) -> bool:
    """Whether a response states something wrong in place of a step, or calculates wrongly."""
    said = [echoes.unlabelled(one.text) for one in cut(text).sentences]
    true, false = _calculations(said)
    if false:
        return True
    numeric = [value for names in case.steps if (value := _value(names[0])) is not None]
    return _wrong_number(said, case, numeric, true) or _wrong_name(said, case, parser)


def brings_in(text: str, case: Worked, parser: Parser) -> bool:
    """Whether it asserts by a noun, a name, a number or a predicate something of which no word was shown."""
    said = [one.text for one in cut(text).sentences if not one.asks]
    names = [name for several in (*case.right, *case.steps, *case.around) for name in several]
    known = set(folded(" ".join((case.shown, *names))))
    lines = [line for line in case.shown.splitlines() if line.strip()]
    known |= {fold(token.lemma) for parse in parser.parse(lines) for token in parse}
    return any(
        (token.pos in ("NOUN", "PROPN", "NUM") or token.dep == "acomp")
        and not {fold(token.lemma), *folded(token.text)} & known
        and fold(token.lemma) not in _OWN
        and bool(folded(token.text))
        for parse in parser.parse([echoes.unlabelled(one) for one in said])
        for token in parse
    )


def values(text: str) -> Iterator[float]:
    """The numbers of a text; of a date like 2010-06-01 the year."""
    for one in _NUMBER.findall(_DATE.sub(r"\1", text)):
        yield float(one.replace(",", ""))


def _value(name: str) -> float | None:
    """A step that is a number, or None."""
    return float(name.replace(",", "")) if _NUMBER.fullmatch(name.strip()) else None


def _wrong_number(said: Sequence[str], case: Worked, numeric: Sequence[float], worked: Sequence[float]) -> bool:
    """Whether a step is missing and a number of its size stands there that comes from nowhere."""
    told = [value for one in said for value in values(one)]
    missing = [step for step in numeric if step not in told]
    ordinals = range(1, len(case.steps) + 2)
    right = {value for names in case.right for name in names for value in values(name)}
    known = {*values(case.shown), *right, *numeric, *map(float, ordinals), *worked}
    return any(step / 2 <= value <= step * 2 for step in missing for value in told if value not in known)


def _wrong_name(said: Sequence[str], case: Worked, parser: Parser) -> bool:
    """Whether a step is missing and a name stands there that shares no word with anything of the case."""
    words = f" {' '.join(folded(' '.join(said)))} "
    named = [names for names in case.steps if _value(names[0]) is None]
    if all(any(f" {' '.join(folded(name))} " in words for name in names) for names in named):
        return False
    names = [name for several in (*case.right, *case.steps, *case.around) for name in several]
    known = set(folded(" ".join((case.shown, *names))))
    for parse in parser.parse(said):
        run: list[str] = []
        for token in (*parse, None):
            if token is not None and token.pos == "PROPN" and token.text[:1].isupper():
                run += folded(token.text)
            elif run and not known & set(run):
                return True
            else:
                run = []
    return False


def _calculations(said: Sequence[str]) -> tuple[list[float], bool]:
    """Results of calculations that come out, and whether one does not."""
    results = []
    for one in said:
        for found in _CALCULATION.finditer(one):
            left, right = found[1], found[2]
            if _GOES_ON.match(one[found.end() :]):
                continue
            value, decimals = abs(_evaluated(left)), len(right.partition(".")[2])
            given = float(right.replace(",", ""))
            if abs(value - given) > 0.5 * 10**-decimals + 1e-9:
                return [], True
            results.append(given)
    return results, False


def _evaluated(left: str) -> float:
    """Sums and products; a percentage that is added or taken away is one of what stands before it."""
    total, product = 0.0, 0.0
    for number, (sign, numeral, percent) in enumerate(_TERM.findall(left)):
        value = float(numeral.replace(",", "")) / (100 if percent else 1)
        if not number:
            product = value
        elif sign in _TIMES:
            product *= value
        elif sign in ("/", "÷"):
            product = product / value if value else float("inf")
        else:
            total, value = total + product, value * (total + product if percent else 1)
            product = -value if sign in _MINUS else value
    return total + product
