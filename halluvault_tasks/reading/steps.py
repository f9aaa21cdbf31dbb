"""Steps that a response states: "therefore no", and sums, orders and membership of a window written in signs.

A step says nothing about the world; arithmetic alone or the response's other claims refute it (semantics.md section
4.2). What is said of years in words is a claim or nothing: in real text it always dated something.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import ReasoningStep
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence, Sign
from halluvault_tasks.reading.rules import rule

MOST = 40
"""Steps of a response that are read."""

_FORMULA = re2.compile(r"(?:\d+|∈|\[) ?[\d <>=≤≥≠∈∉\[\]+\-–−×x*/÷^%(),.]*[\d\]]")
_PART = re2.compile(r"\d+|[<>]=?|[=≤≥≠∈∉+\-–−\[\],]|\S")

_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, ">": operator.gt, "=": operator.eq, "≠": operator.ne,
    "≤": operator.le, "<=": operator.le, "≥": operator.ge, ">=": operator.ge,
}  # fmt: skip


_SIGNS = frozenset("<>=≤≥≠∈∉")


def may_reckon(text: str) -> bool:
    """Whether a text holds a sign without which nothing is reckoned."""
    return not _SIGNS.isdisjoint(text)


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
    if not clause.asserted or not clause.denied or one.parse[clause.predicate].lemma not in english.FOLLOW:
        return False
    subject = one.lemmas([each for each in clause.subject if one.parse[each].head not in clause.subject])
    objects = any(
        word.head == clause.predicate and word.dep in ("dobj", "ccomp") for word in one.parse[clause.predicate :]
    )
    return bool(subject & (english.POINTING | english.STATED | english.ANSWER | {"nothing"})) and not objects


# ---------------------------------------------------------------------- sums and orders


def _reckoned(one: ResponseSentence) -> Iterator[ReasoningStep]:
    if english.NO.isdisjoint(one.lowered):  # "1990 ≤ 1988 does not hold"
        yield from (_step(one, str(holds).lower()) for holds in _signs(one.sentence.text))


def _step(one: ResponseSentence, says: str) -> ReasoningStep:
    return ReasoningStep(one.span(range(len(one.parse))), one.sentence.text, says)


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
