"""Steps of a response: arithmetic, order, window membership, "therefore" (semantics.md section 4.2).

A step says nothing about the world; only arithmetic or the response's other claims can refute it. Arithmetic is
settled here, what follows from the claims in prolog_rules/replay.pl.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import phrases
from halluvault_tasks.oracles.sentences import LIMIT, POINT, sentences, without_thoughts

StepKind = Literal["true", "false", "entails(yes)", "entails(no)", "nothing_follows"]

MAX_STEPS = 40


class Step(NamedTuple):
    """A step and where it stands; `entails` speaks of the question as worded."""

    start: int
    end: int
    text: str
    kind: StepKind


_YEAR = r"(?:(?:the\s+)?year\s+|(?:A\.?D\.?\s+))?(?P<{name}>\d{{1,4}})(?P<{name}_bc>\s*B\.?C\.?(?:E\.?)?)?"


def _year(name: str) -> str:
    return _YEAR.format(name=name)


_DENIED = r"(?P<neg>\s*(?:not|n[’']t|never)\b)?"
_BEFORE = (
    r"(?:before|earlier\s+than|prior\s+to|ahead\s+of|smaller\s+than|less\s+than|precedes?|preced(?:es|ed|ing)|"
    r"older\s+than|sooner\s+than)"
)
_AFTER = (
    r"(?:after|later\s+than|following|follows|greater\s+than|larger\s+than|more\s+than|beyond|past|"
    r"more\s+recent\s+than|younger\s+than)"
)
_WITHIN = r"(?:within|inside|in|between|among|part\s+of|covered\s+by)"
_OUTSIDE = r"(?:outside|out(?:side)?\s+of|beyond|not\s+(?:within|inside|between|in))"
_WINDOW = (
    r"(?:the\s+)?(?:years?\s+|range\s+|window\s+|period\s+|interval\s+|span\s+|time\s+)*(?:of\s+|from\s+|between\s+)*"
    rf"{_year('a')}\s*(?:to|and|–|—|-|through|until)\s*{_year('b')}"
)
_MIDDLE = r"(?P<mid>(?:\s+(?!before\b|after\b|within\b|inside\b|outside\b|between\b|in\b)[a-z’']+){0,6}?)"

_ORDER = re.compile(
    rf"{_year('x')}\s*,?{_MIDDLE}\s*(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\s+{_year('y')}",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    rf"{_year('x')}\s*,?{_MIDDLE}\s*(?:(?P<outside>{_OUTSIDE})|(?P<inside>{_WITHIN}))\s+{_WINDOW}",
    re.IGNORECASE,
)
_SPAN_HOLDS = re.compile(
    rf"{_WINDOW}\s*,?\s*(?:does|do|did|clearly|also)?{_DENIED}\s*(?:includes?|contains?|covers?|comprises?|encompass(?:es)?|takes?\s+in)\s+{_year('x')}",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?:(?:from|between)\s+{_year('x')}\s+(?:to|until|and|on\s+to|up\s+to)\s+{_year('y')}\s*,?\s*(?:there\s+)?(?:is|are|it\s+is|it\s+makes|this\s+is|makes?|"
    r"we\s+count|one\s+counts|i\s+count|that\s+is|gives?|lie|lies|pass|passed|amounts?\s+to|elapse|elapsed|went\s+by|go\s+by)?\s*(?:exactly\s+|a\s+(?:gap|span|difference|distance)\s+of\s+|a\s+total\s+of\s+)?"
    r"(?P<n>\d{1,4})\s+years?)",
    re.IGNORECASE,
)
_COUNT_BARE = re.compile(
    rf"{_year('x')}\s*(?:to|until|–|—|-)\s*{_year('y')}\s*[:=,]\s*(?:that\s+is\s+|i\.e\.\s+)?(?P<n>\d{{1,4}})\s+years?",
    re.IGNORECASE,
)
_COUNT_FIRST = re.compile(
    rf"(?P<n>\d{{1,4}})\s+years?\s+(?:\w+\s+){{0,3}}?(?:between|separate|from|lie\s+between|pass(?:ed)?\s+between|elapsed?\s+between)\s+{_year('x')}\s+(?:and|to|until)\s+{_year('y')}",
    re.IGNORECASE,
)
_APART = re.compile(
    rf"{_year('x')}\s+and\s+{_year('y')}\s+(?:are|lie|is|stand)\s+(?:exactly\s+)?(?P<n>\d{{1,4}})\s+years?\s+apart",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    rf"(?:difference|gap|distance|span|interval|time)\s+(?:of\s+time\s+)?(?:between|from)\s+{_year('x')}\s+(?:and|to)\s+{_year('y')}\s+(?:is|was|amounts\s+to|comes\s+to|equals|makes|measures)\s+(?:exactly\s+)?(?P<n>\d{{1,4}})",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"{_year('y')}\s+(?:is|was|lies|comes|came|falls)\s+(?:exactly\s+)?(?P<n>\d{{1,4}})\s+years?\s+(?P<dir>after|later\s+than|before|earlier\s+than)\s+{_year('x')}"
    rf"|(?:counting\s+)?from\s+{_year('x2')},?\s+(?:the\s+)?{_year('y2')}\s+lies\s+(?P<n2>\d{{1,4}})\s+years\s+later",
    re.IGNORECASE,
)
_MINUS = re.compile(
    r"(?<![\d.])(?P<x>\d{1,4})\s*(?:[-−–]|minus)\s*(?P<y>\d{1,4})\s*(?:=|is|equals|makes|gives|leaves)\s*(?P<n>\d{1,4})(?!\d|\.\d)",
    re.IGNORECASE,
)
_NO_YEARS = re.compile(
    rf"there\s+(?:are|were)\s+no\s+years\s+between\s+{_year('x')}\s+and\s+{_year('y')}", re.IGNORECASE
)
_SAME = re.compile(
    rf"(?:both|all)\b[^.]{{0,40}}?\b(?:for|in|of)\s+{_year('x')},?\s+so\s+there\s+is\s+a\s+difference\s+of\s+(?P<n>\d{{1,4}})\s+years",
    re.IGNORECASE,
)

_THEREFORE = re.compile(
    r"\b(?:so|thus|hence|therefore|consequently|it\s+follows(?:\s+from\s+(?:this|these|that|the)[^,.]{0,40})?|follows\s+that|which\s+means|this\s+means|that\s+means|"
    r"in\s+conclusion|as\s+a\s+result|accordingly|this\s+shows|these\s+facts\s+show|which\s+shows|from\s+(?:this|these|all\s+this)|to\s+conclude|we\s+conclude|i\s+conclude|all\s+in\s+all|overall)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"\b(?:the\s+)?(?:correct\s+|right\s+|final\s+)?answer\s+(?:is|must\s+be|has\s+to\s+be|should\s+be|would\s+be)\s*[:“\"]?\s*(?P<answer>yes|no)\b"
    r"|\b(?:the\s+|this\s+|that\s+)?(?:statement|claim|assertion|proposition|sentence|assumption)(?:\s+(?:in\s+(?:the\s+)?question|above|asked\s+about|in\s+quotes|made|given))?\s+"
    r"(?P<be>(?:is|was|must\s+be|has\s+to\s+be|does|holds?|stands?|fails?|cannot|can\s*not|turns\s+out\s+to\s+be)[^.;,]{0,30})"
    r"|\b(?P<it>(?:so\s+)?it\s+(?:also\s+)?(?:holds|applies|does\s+not\s+hold|doesn[’']t\s+hold|fails)\s+(?:here|for\s+this\s+case|as\s+well|too))",
    re.IGNORECASE,
)
_UNFOLLOWED = re.compile(
    r"\b(?:(?:does|do|did|can|could)\s*(?:not|n[’']t)\s+(?:therefore\s+|thus\s+)?(?:follow|carry\s+over|be\s+(?:combined|turned\s+(?:round|around)|concluded|inferred|derived|reversed)|"
    r"transfer|imply\s+(?:it|that|this|anything)|settle\s+(?:it|the\s+question))|(?:prove|proves|show|shows|says?|mean|means)\s+nothing|cannot\s+be\s+(?:combined|turned\s+(?:round|around)|inferred|concluded|derived|reversed|transferred)|"
    r"nothing\s+follows|no\s+conclusion|holds\s+in\s+one\s+direction\s+only|says\s+nothing\s+about)\b",
    re.IGNORECASE,
)


def read(response: str) -> list[Step]:
    """The steps of a response, in order of appearance."""
    body = POINT.sub(lambda match: " " * len(match.group()), without_thoughts(response[:LIMIT]))
    found: list[Step] = []
    for span in sentences(body)[:300]:
        text = re.sub(r"[*_`]", " ", body[span.start : span.end])[:1_000]
        if text.rstrip("\"'”’)]*_ ").endswith("?"):
            continue
        for kind in _steps(text):
            found.append(Step(span.start, span.end, text.strip(), kind))
        if len(found) >= MAX_STEPS:
            break
    return found[:MAX_STEPS]


def _steps(text: str) -> Iterator[StepKind]:
    seen_arithmetic = False
    for verdict in _arithmetic(text):
        seen_arithmetic = True
        yield "true" if verdict else "false"
    if _UNFOLLOWED.search(text):
        yield "nothing_follows"
    elif not seen_arithmetic and _THEREFORE.search(text) and (outcome := _OUTCOME.search(text)):
        yield "entails(yes)" if _affirms(outcome) else "entails(no)"


def _affirms(outcome: re.Match[str]) -> bool:
    if answer := outcome["answer"]:
        return answer.casefold() == "yes"
    said = outcome["be"] or outcome["it"] or ""
    negative = bool(re.search(r"\b(?:not|fails?|cannot|n[’']t)\b|n[’']t\b", said, re.IGNORECASE))
    untrue = bool(re.search(r"\b(?:false|incorrect|inaccurate|untrue|wrong|mistaken)\b", said, re.IGNORECASE))
    return not (negative ^ untrue)


def outcome(text: str) -> bool | None:
    """What a sentence concludes about the question as worded; None where it concludes nothing."""
    found = _OUTCOME.search(text)
    return _affirms(found) if found and not phrases.HEDGE.search(text) else None


# ---------------------------------------------------------------- arithmetic


def _at(match: re.Match[str], name: str) -> int:
    year = int(match[name])
    return 1 - year if match.groupdict().get(f"{name}_bc") else year


def _denied(match: re.Match[str]) -> bool:
    return bool(re.search(r"\b(?:not|never)\b|n[’']t\b", match["mid"], re.IGNORECASE))


def _arithmetic(text: str) -> Iterator[bool]:
    taken: list[tuple[int, int]] = []

    def fresh(pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        for match in pattern.finditer(text):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                yield match

    for match in fresh(_INSIDE):
        x, a, b = _at(match, "x"), _at(match, "a"), _at(match, "b")
        inside = min(a, b) <= x <= max(a, b)
        outside_said = bool(match["outside"]) != _denied(match)
        yield inside != outside_said
    for match in fresh(_SPAN_HOLDS):
        x, a, b = _at(match, "x"), _at(match, "a"), _at(match, "b")
        yield (min(a, b) <= x <= max(a, b)) != bool(match["neg"])
    for pattern in (_COUNT, _COUNT_BARE, _COUNT_FIRST, _APART, _DIFFERENCE):
        for match in fresh(pattern):
            yield abs(_at(match, "x") - _at(match, "y")) == int(match["n"])
    for match in fresh(_LATER):
        if match["n2"]:
            yield _at(match, "y2") - _at(match, "x2") == int(match["n2"])
        else:
            difference = _at(match, "y") - _at(match, "x")
            yield (difference if match["dir"].casefold().startswith(("after", "later")) else -difference) == int(
                match["n"]
            )
    for match in fresh(_MINUS):
        yield int(match["x"]) - int(match["y"]) == int(match["n"])
    for match in fresh(_NO_YEARS):
        yield abs(_at(match, "x") - _at(match, "y")) <= 1
    for match in fresh(_SAME):
        yield int(match["n"]) == 0
    for match in fresh(_ORDER):
        x, y = _at(match, "x"), _at(match, "y")
        holds = x < y if match["before"] else x > y
        yield holds != _denied(match)
