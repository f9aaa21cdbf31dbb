"""Steps of a response: arithmetic, order, window membership, "therefore" (semantics.md section 4.2).

A step says nothing about the world; only arithmetic or the response's other claims can refute it. Arithmetic is
settled in `years`, what follows from the claims in prolog_rules/replay.pl.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import phrases, stances, years
from halluvault_tasks.oracles.sentences import LIMIT, POINT, sentences, without_thoughts

StepKind = Literal["true", "false", "entails(yes)", "entails(no)", "nothing_follows"]

MAX_STEPS = 40


class Step(NamedTuple):
    """A step and where it stands; `entails` speaks of the question as worded."""

    start: int
    end: int
    text: str
    kind: StepKind


_THEREFORE = re.compile(
    r"\b(?:so|thus|hence|therefore|consequently|it\s+follows(?:\s+from\s+(?:this|these|that|the)[^,.]{0,40})?|"
    r"follows\s+that|which\s+means|this\s+means|that\s+means|"
    r"in\s+conclusion|as\s+a\s+result|accordingly|this\s+shows|these\s+facts\s+show|which\s+shows|from\s+("
    r"?:this|these|all\s+this)|to\s+conclude|we\s+conclude|i\s+conclude|all\s+in\s+all|overall)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"\b(?:the\s+)?(?:correct\s+|right\s+|final\s+)?answer\s+(?:is|must\s+be|has\s+to\s+be|should\s+be|"
    r"would\s+be)\s*[:“\"]?\s*(?P<answer>yes|no)\b"
    r"|\b(?:the\s+|this\s+|that\s+)?(?:statement|claim|assertion|proposition|sentence|assumption)(?:\s+(?:in\s+("
    r"?:the\s+)?question|above|asked\s+about|in\s+quotes|made|given))?\s+"
    r"(?P<be>(?:is|was|must\s+be|has\s+to\s+be|does|holds?|stands?|fails?|cannot|can\s*not|"
    r"turns\s+out\s+to\s+be)[^.;,]{0,30})"
    r"|\b(?P<it>(?:so\s+)?it\s+(?:also\s+)?(?:holds|applies|does\s+not\s+hold|doesn[’']t\s+hold|fails)\s+("
    r"?:here|for\s+this\s+case|as\s+well|too))",
    re.IGNORECASE,
)
_UNFOLLOWED = re.compile(
    r"\b(?:(?:does|do|did|can|could)\s*(?:not|n[’']t)\s+(?:therefore\s+|thus\s+|necessarily\s+|logically\s+)?("
    r"?:follow(?=\s*(?:[.,;:!–—]|$|that\b|(?:from|out\s+of)\s+(?:this|these|that|the|it|them|what|here|either|"
    r"any)|here\b|logically|necessarily|automatically|at\s+all))|carry\s+over|be\s+(?:combined|turned\s+("
    r"?:round|around)|concluded|inferred|derived|reversed)|"
    r"transfer|imply\s+(?:it|that|this|anything)|settle\s+(?:it|the\s+question))|(?:prove|proves|show|shows|"
    r"says?|mean|means)\s+nothing|cannot\s+be\s+(?:combined|turned\s+(?:round|around)|inferred|concluded|"
    r"derived|reversed|transferred)|"
    r"nothing\s+follows|no\s+conclusion|holds\s+in\s+one\s+direction\s+only|says\s+nothing\s+about)\b",
    re.IGNORECASE,
)


def read(response: str) -> list[Step]:
    """The steps of a response, in order of appearance."""
    body = POINT.sub(lambda match: " " * len(match.group()), without_thoughts(response[:LIMIT]))
    found: list[Step] = []
    last: list[Step] = []
    for index, span in enumerate(sentences(body)[:300]):
        text = re.sub(r"[*_`]", " ", body[span.start : span.end])[:1_000]
        if text.rstrip("\"'”’)]*_ ").endswith("?"):
            continue
        stance = stances.read(text, first=index == 0)
        if not stance.back:
            found += last
        said = "" if stance.doubted else stance.text
        last = [Step(span.start, span.end, text.strip(), kind) for kind in _steps(text, said)]
        if len(found) >= MAX_STEPS:
            break
    return [*found, *last][:MAX_STEPS]


def _steps(text: str, said: str) -> Iterator[StepKind]:
    seen_arithmetic = False
    for verdict in years.read(said):
        seen_arithmetic = True
        yield "true" if verdict else "false"
    if _UNFOLLOWED.search(text):
        yield "nothing_follows"
    elif not seen_arithmetic and _THEREFORE.search(text) and (outcome := _concludes(text)):
        yield "entails(yes)" if _affirms(outcome) else "entails(no)"


_UNTRUE = re.compile(
    r"\b(?:false|incorrect|inaccurate|untrue|wrong|mistaken|invalid|refuted|contradicted|disproved|rejected|denied)\b",
    re.IGNORECASE,
)
_OF_TRUTH = re.compile(
    r"\b(?:un)?(?:true|false|correct|incorrect|right|wrong|accurate|inaccurate|holds?|stands?|fails?|valid|"
    r"invalid|mistaken|"
    r"the\s+case|verified|refuted|supported|contradicted|appl(?:y|ies)|established|proven|disproved|confirmed|"
    r"affirmed|denied|"
    r"rejected|upheld|sound|met|satisfied)\b",
    re.IGNORECASE,
)


def _concludes(text: str) -> re.Match[str] | None:
    """What a sentence says about the truth of what is asked."""
    found = _OUTCOME.search(text)
    return found if found and (found["answer"] or found["it"] or _OF_TRUTH.search(found["be"])) else None


def _affirms(outcome: re.Match[str]) -> bool:
    if answer := outcome["answer"]:
        return answer.casefold() == "yes"
    said = outcome["be"] or outcome["it"] or ""
    negative = bool(re.search(r"\b(?:not|fails?|cannot|n[’']t)\b|n[’']t\b", said, re.IGNORECASE))
    untrue = bool(_UNTRUE.search(said))
    return not (negative ^ untrue)


def outcomes(response: str) -> list[bool]:
    """What the sentences of a response conclude about the question as worded, but for what is supposed or asked."""
    body = POINT.sub(lambda match: " " * len(match.group()), without_thoughts(response[:LIMIT]))
    found: list[bool] = []
    for index, span in enumerate(sentences(body)[:300]):
        text = re.sub(r"[*_`]", " ", body[span.start : span.end])[:1_000]
        if text.rstrip("\"'”’)]*_ ").endswith("?") or _SUPPOSED.search(text):
            continue
        stance = stances.read(text, first=index == 0)
        said = None if stance.doubted else outcome(stance.text)
        found += [] if said is None else [said]
    return found


_SUPPOSED = re.compile(
    r"\b(?:if|whether|suppose|supposing|assuming|unless|would|the\s+question\s+(?:is|was|asks?))\b", re.IGNORECASE
)


def outcome(text: str) -> bool | None:
    """What a sentence concludes about the question as worded; None where it concludes nothing."""
    found = _concludes(text)
    return _affirms(found) if found and not phrases.HEDGE.search(text) else None
