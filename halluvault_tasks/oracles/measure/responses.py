"""Verdicts on real responses against labels: which hallucinations are convicted, and on what grounds."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from halluvault_tasks.oracles.measure.labelled import LabelledResponse, ResponseClaim
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.wikidata.names import fold

CONVICTING = frozenset({"error_knowledge", "error_inference", "both", "unattributed"})
_CATEGORIES = {"knowledge": "error_knowledge", "inference": "error_inference", "both": "both"}
_STANCES = {"none": ("dont_know", "refusal", "unparseable"), "contra": ("contradictory",)}
_ASKED = "asked proposition"
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-Z]\w+")
_EMPTY = frozenset(
    re.findall(r"\w+", "a an the of in on at to by for and or is was were are be been has have had it its")
)
_STEM = 5
_ENOUGH = 0.5


class JudgedClaim(NamedTuple):
    """A claim that an oracle read in a response."""

    text: str
    """The stretch that makes it."""

    subject: str
    object: str
    understood: bool
    """Whether a property was recognised."""

    contradicted: bool


class ProfileJudgement(NamedTuple):
    """What a profile says of a response."""

    category: str
    """As in table `verdict`."""

    answer: str
    claims: tuple[JudgedClaim, ...] | None = None
    """None for a profile that reads none."""


Judge = Callable[[Sequence[tuple[str, str]]], Sequence[ProfileJudgement | None]]
"""(case, text) pairs to judgements in their order; None for a text that could not be read."""


class RightAnswer(NamedTuple):
    """Of responses whose labelled stance is the gold answer."""

    precision: HitShare | None
    recall: HitShare | None
    decided_recall: HitShare | None
    """Recall on those whose fault snapshot or text decides: a false claim is contradicted there, the asked proposition
    is claimed against the answer, or the profile convicts. None for a profile that reads no claims."""


class ClaimCounts(NamedTuple):
    """Labelled claims. False and true ones are counted beside the asked proposition alone."""

    false: int
    false_convicted: int
    false_decided_by_snapshot: int
    """False ones that are contradicted there, or when the labeller's words are judged on their own."""

    true: int
    true_convicted: int
    read: int
    """Of all: found among the oracle's claims, with a property."""

    of: int


class ProfileFigures(NamedTuple):
    """What was measured of one profile."""

    judged: int
    """Responses with a verdict; the others count as not convicted."""

    precision: HitShare | None
    recall: HitShare | None
    right_answer: RightAnswer
    category_agreement: HitShare | None
    category_decided: HitShare | None
    """Agreement on those whose fault snapshot or text decides, as above, or whose category agrees."""

    answer_accuracy: HitShare | None
    claims: ClaimCounts | None


def measure(lines: Sequence[LabelledResponse], judge: Judge) -> ProfileFigures:
    """Have every response judged by one profile and count."""
    said = list(zip(lines, judge([(line.case, line.text) for line in lines]), strict=True))
    flags = [(line, found is not None and found.category in CONVICTING) for line, found in said]
    right = [(line, flagged) for line, flagged in flags if line.stance == line.gold]
    agreed = {
        number: found is not None and found.category == _CATEGORIES[line.category]
        for number, (line, found) in enumerate(said)
        if line.hallucination and line.stance in ("yes", "no") and line.claims and line.category in _CATEGORIES
    }
    counts, decided, named = None, [], []
    if any(found and found.claims is not None for _, found in said):
        counts, shown = _claims(said, judge)
        shown |= {number for number, (line, _) in enumerate(said) if _against_itself(line)}
        decided = [
            flagged
            for number, (line, flagged) in enumerate(flags)
            if line.hallucination and line.stance == line.gold and (flagged or number in shown)
        ]
        named = [agrees for number, agrees in agreed.items() if agrees or number in shown]
    answers = [found.answer in _STANCES.get(line.stance, (line.stance,)) for line, found in said if found is not None]
    return ProfileFigures(
        judged=sum(found is not None for _, found in said),
        precision=_precision(flags),
        recall=_recall(flags),
        right_answer=RightAnswer(_precision(right), _recall(right), share(sum(decided), len(decided))),
        category_agreement=share(sum(agreed.values()), len(agreed)),
        category_decided=share(sum(named), len(named)),
        answer_accuracy=share(sum(answers), len(answers)),
        claims=counts,
    )


def _against_itself(line: LabelledResponse) -> bool:
    """Whether a yes or no stands beside a claim of what is asked that says the opposite."""
    opposite = "F" if line.stance == line.gold else "T"
    return line.stance in ("yes", "no") and any(one.truth == opposite and one.role == _ASKED for one in line.claims)


def _precision(flags: Sequence[tuple[LabelledResponse, bool]]) -> HitShare | None:
    hits = [line.hallucination for line, flagged in flags if flagged]
    return share(sum(hits), len(hits))


def _recall(flags: Sequence[tuple[LabelledResponse, bool]]) -> HitShare | None:
    hits = [flagged for line, flagged in flags if line.hallucination]
    return share(sum(hits), len(hits))


def _claims(
    said: Sequence[tuple[LabelledResponse, ProfileJudgement | None]], judge: Judge
) -> tuple[ClaimCounts, frozenset[int]]:
    """Counts, and which responses have a false claim that the snapshot decides."""
    listed = [
        (number, line.case, label, [one for one in (found.claims if found else None) or () if says(one, label)])
        for number, (line, found) in enumerate(said)
        for label in line.claims
    ]
    beside = [each for each in listed if each[2].role != _ASKED]
    false = [each for each in beside if each[2].truth == "F"]
    true = [each for each in beside if each[2].truth == "T"]
    convicted = [_contradicted(found) for _, _, _, found in false]
    # The answer in front is there for readers that look at answered responses only
    alone = judge([(case, f"Yes. {label.text.rstrip('.')}.") for _, case, label, _ in false]) if false else []
    decided = [bool(found and _contradicted(found.claims or ())) for found in alone]
    known = [one or other for one, other in zip(convicted, decided, strict=True)]
    counts = ClaimCounts(
        false=len(false),
        false_convicted=sum(convicted),
        false_decided_by_snapshot=sum(known),
        true=len(true),
        true_convicted=sum(_contradicted(found) for *_, found in true),
        read=sum(any(one.understood for one in found) for *_, found in listed),
        of=len(listed),
    )
    return counts, frozenset(each[0] for each, one in zip(false, known, strict=True) if one)


def _contradicted(claims: Sequence[JudgedClaim]) -> bool:
    return any(one.contradicted for one in claims)


def says(claim: JudgedClaim, label: ResponseClaim) -> bool:
    """Whether a claim that was read is the labelled one.

    Labels are in the labeller's words, so this is a likeness: the label names the claim's object, its number if the
    label has one, and an end by a name if the label has names; half of its words stand in the claim's stretch or ends.
    """
    wanted, objects, subject = _words(label.text), _words(claim.object), _words(claim.subject)
    numbers = {word for word in wanted if word.isdigit()}
    names = _words(" ".join(_NAME.findall(label.text)))
    return (
        bool((numbers or wanted) & objects)
        and (not names or bool(names & (subject | objects)))
        and len(wanted & (_words(claim.text) | subject | objects)) >= _ENOUGH * len(wanted)
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word if word.isdigit() else word[:_STEM] for word in _WORD.findall(fold(text))) - _EMPTY
