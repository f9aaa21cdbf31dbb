"""Steps that a response states: "therefore no", sums and differences of years, their order, membership of a window.

A step says nothing about the world; arithmetic alone or the response's other claims refute it (semantics.md section
4.2). Only clauses of years and the words for them are read: where a person, an event or any other word stands beside
the years, they may date something else, and nothing is read.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Literal, NamedTuple

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import ReasoningStep
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.said import ResponseSentence, Sign

MOST = 40
"""Steps of a response that are read."""

_FORMULA = re2.compile(r"(?:\d+|∈|\[) ?[\d <>=≤≥≠∈∉\[\]+\-–−×x*/÷^%(),.]*[\d\]]")
_PART = re2.compile(r"\d+|[<>]=?|[=≤≥≠∈∉+\-–−\[\],]|\S")


_RECKONED = re2.compile(r"\b\d{3,4}\b[^\n]*(?:\b\d{3,4}\b|\byears?\b)|\byears?\b[^\n]*\b\d{3,4}\b")

_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, ">": operator.gt, "=": operator.eq, "≠": operator.ne,
    "≤": operator.le, "<=": operator.le, "≥": operator.ge, ">=": operator.ge,
}  # fmt: skip


class _Element(NamedTuple):
    """A year, a window of years or a number of them; where its last word stands."""

    kind: Literal["year", "window", "count"]
    first: int
    last: int
    place: int


def may_reckon(text: str) -> bool:
    """Whether a line of a text holds two years, or a year and a number of years: else nothing is reckoned there."""
    return bool(_RECKONED.search(text))


def read(text: Sequence[ResponseSentence], signs: Sequence[Sign]) -> tuple[ReasoningStep, ...]:
    """The steps of a response, in order.

    Args:
        text: its sentences.
        signs: what it says about its answer; where that is drawn as a conclusion, it is a step.
    """
    found: list[ReasoningStep] = []
    for number, one in enumerate(text):
        if one.skipped or one.asks:
            continue
        mine = [sign for sign in signs if sign.sentence == number]
        if found and any(sign.how == "retracted" for sign in mine):
            found.pop()
        lemmas = one.lemmas(range(len(one.parse)))
        if lemmas & (english.CORRECT | english.FALSE) and any(word.isdecimal() for word in one.lowered):
            continue
        found += [*_reckoned(one), *_concluded(one, mine)]
    return tuple(found[:MOST])


# ---------------------------------------------------------------------- conclusions


def _concluded(one: ResponseSentence, signs: Sequence[Sign]) -> Iterator[ReasoningStep]:
    if any(_is_nothing(one, clause) for clause in one.clauses):
        yield _step(one, "nothing_follows")
        return
    for sign in signs:
        if sign.concludes and sign.kind in ("yes", "no"):
            yield ReasoningStep(sign.span, one.sentence.text, f"entails({sign.kind})")
            return


@rule("steps.nothing", "Was Ann Lee born in Rome? → So it does not follow.", otherwise=False)
def _is_nothing(one: ResponseSentence, clause: Clause) -> bool:
    """ "So it does not follow", "nothing can be concluded": but no "Aliens does not follow Alien"."""
    if clause.guard or not clause.denied or one.parse[clause.head].lemma not in english.FOLLOW:
        return False
    subject = one.lemmas([each for each in clause.subject if one.parse[each].head not in clause.subject])
    objects = any(word.head == clause.head and word.dep in ("dobj", "ccomp") for word in one.parse[clause.head :])
    return bool(subject & (english.POINTING | english.STATED | english.ANSWER | {"nothing"})) and not objects


# ---------------------------------------------------------------------- years


def _reckoned(one: ResponseSentence) -> Iterator[ReasoningStep]:
    signs = list(_signs(one.sentence.text))
    if signs:
        denied = not english.NO.isdisjoint(one.lowered)  # "1990 ≤ 1988 does not hold"
        yield from (_step(one, str(holds).lower()) for holds in signs if not denied)
        return
    for clause in one.clauses:
        if clause.guard or one.quoted(clause.head):
            continue
        holds = _judged(one, clause)
        if holds is not None:
            yield _step(one, str(holds).lower(), (*clause.subject, *clause.words))


def _step(one: ResponseSentence, says: str, positions: Sequence[int] = ()) -> ReasoningStep:
    return ReasoningStep(one.span(positions or range(len(one.parse))), one.sentence.text, says)


@rule("steps.formula", "Was Ann Lee born in Rome? → 1950 < 1940.", otherwise=())
def _signs(text: str) -> Iterator[bool]:
    """What is written in signs and nothing else: `1812 < 1840 < 1870`, `1870 - 1812 = 58`, `1840 ∈ [1812, 1870]`."""
    for match in _FORMULA.finditer(text):
        parts = _PART.findall(match[0])
        numbers = [int(part) for part in parts if part.isdecimal() and len(part) < 10]
        if len(parts[-1]) < 3 and text[match.end() :][1:2].isupper():  # "1996 < 11 June 1999"
            continue
        match "".join(part for part in parts if not part.isdecimal()), numbers:
            case "+=", [a, b, c]:
                yield a + b == c
            case "-=" | "–=" | "−=", [a, b, c]:
                yield a - b == c
            case ("∈[,]" | "∉[,]") as sign, [a, b, c]:
                yield (b <= a <= c) == (sign == "∈[,]")
            case sign, _ if sign and len(numbers) == len(parts) // 2 + 1 and all(one in _ORDER for one in parts[1::2]):
                pairs = zip(parts[1::2], pairwise(numbers), strict=True)
                yield all(_ORDER[one](*pair) for one, pair in pairs)


@rule("steps.years", "Was Ann Lee alive in 1960? → 1950 is after 1960.", otherwise=None)
def _judged(one: ResponseSentence, clause: Clause) -> bool | None:
    """Whether what a clause says of years is right; None where it is not read."""
    beside = (each.words for each in one.clauses if each.over == clause.head and not each.subject)
    used = sorted({*clause.subject, *clause.words, *chain.from_iterable(beside)})
    elements, rest, zero = _elements(one, used)
    if not 2 <= len(elements) <= 3 or not all(_is_of_years(one, index) for index in rest):
        return None
    words = one.lemmas(rest) | {one.lowered[index] for index in rest}
    denied = clause.denied != zero
    before = {
        form for index in rest if index < elements[-1].place for form in (one.lowered[index], one.parse[index].lemma)
    }
    early, late = bool(before & english.BEFORE), bool(before & english.AFTER)
    if any(one.parse[index].dep == "auxpass" for index in rest) and "by" in words:
        early, late = late, early
    kinds = sorted(element.kind for element in elements)
    years = [element.first for element in elements if element.kind == "year"]
    if kinds == ["year", "year"] and early != late and one.parse[used[0]].dep != "prep":
        holds = years[0] < years[1] if early else years[0] > years[1]
        return holds != denied
    if kinds == ["window", "year"] and words & (english.INSIDE | english.OUTSIDE):
        window = next(element for element in elements if element.kind == "window")
        outside = bool(words & english.OUTSIDE)
        return (window.first <= years[0] <= window.last) != (outside != denied)
    if kinds in (["count", "window"], ["count", "year", "year"]):
        return _counted(elements, early=early, late=late) != denied
    return None


def _counted(elements: Sequence[_Element], *, early: bool, late: bool) -> bool:
    """Whether so many years lie between; who counts both ends of a window, or neither, counts one more or less."""
    count = next(element.first for element in elements if element.kind == "count")
    window = next((element for element in elements if element.kind == "window"), None)
    if window:
        return abs(window.last - window.first - count) <= 1
    first, second = (element.first for element in elements if element.kind == "year")
    if early != late and elements[1].kind == "count":
        return (first - second if late else second - first) == count
    return abs(first - second) == count


def _elements(one: ResponseSentence, used: Sequence[int]) -> tuple[list[_Element], list[int], bool]:
    """Years, windows and counts in their order, the other words, and whether a count was "no years"."""
    found: list[_Element] = []
    rest: list[int] = []
    between: list[int] = []
    zero = False
    for index in used:
        word, after = one.parse[index], one.parse[index + 1 : index + 3]
        unit = after[1:] if after and after[0].text == "-" else after[:1]  # "58-year"; "2011-03-23" counts nothing
        counted = any(each.lemma == "year" for each in unit)
        if word.text.isdecimal() and len(word.text) <= 4:
            value = int(word.text)
            era = after[0].text.replace(".", "") if after else ""
            kind: Literal["year", "count"] = "count" if counted and value < 1_000 else "year"
            value = 1 - value if era in ("BC", "BCE") else value
            last = found[-1] if found else None
            if last and last.kind == kind == "year" and _joined(one, between):
                found[-1] = _Element("window", min(last.first, value), max(last.first, value), index)
            else:
                found.append(_Element(kind, value, value, index))
            rest += between
            between = []
        elif counted and word.text.casefold() == "no":
            found.append(_Element("count", 0, 0, index))
            zero = True
        else:
            between.append(index)
    return found, rest + between, zero


def _joined(one: ResponseSentence, between: Sequence[int]) -> bool:
    """Whether words between two years make them a window: "from 1812 to 1870", "between 1812 and 1870"."""
    words = {one.lowered[index] for index in between}
    if words == {"and"}:
        return not english.INSIDE.isdisjoint(one.lowered)
    return bool(words) and words <= english.UNTIL


def _is_of_years(one: ResponseSentence, index: int) -> bool:
    """Whether a word may stand beside years without their dating anything else."""
    word = one.parse[index]
    if word.pos in ("PUNCT", "DET", "CCONJ", "AUX", "PRON", "PART", "SCONJ", "SYM", "SPACE"):
        return word.lemma not in ("he", "she", "they")
    if word.lemma == "be":  # a verb of its own in "there are no years between them"
        return True
    return bool({word.lemma.casefold(), word.text.casefold()} & english.OF_YEARS)
