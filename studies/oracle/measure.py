"""What the oracles said, held against what was planted: precision, recall, categories, coverage, baselines."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.personas.fault_kinds import FAULTS, RIGHT_FAULTS, SOUND_FAULTS, UNUSUAL_SOUND, FaultKind
from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.statistics.shares import ShareRate, rate, succession

CATEGORIES = ("normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable", "review")


class Outcome(NamedTuple):
    """One verdict beside its plan."""

    cluster: str
    fault: FaultKind
    style: str
    form: str
    right: bool | None
    """Whether the planted answer is right."""

    expected: str
    """Planted category."""

    said: str
    """The oracle's category."""

    answer: str
    """The answer that the oracle read."""

    correct: bool | None
    """Whether that is the gold one; None unless it is yes or no."""

    claims: int
    """Claims of knowledge in the text."""

    linked: int | None
    """How many the oracle linked; None where the profile does not say."""

    edge: float | None = None
    node: float | None = None

    @property
    def faulty(self) -> bool:
        """Whether a fault was planted."""
        return self.expected in CONVICTING

    @property
    def flagged(self) -> bool:
        """Whether the oracle calls it a hallucination."""
        return self.said in CONVICTING


class Figures(NamedTuple):
    """One profile on one set of responses."""

    responses: int
    clusters: int
    precision: ShareRate | None
    recall: ShareRate | None
    false_alarms: ShareRate | None
    """Rate of sound responses that are flagged."""

    category: ShareRate | None
    """Rate whose category is the planted one."""

    coverage: float | None
    """Claims linked, of claims told; None where the profile does not say."""

    succession: float | None
    """Laplace's rule over the flagged ones, as Drowzee reports its threshold."""


class Row(NamedTuple):
    """One fault kind, style or form."""

    key: str
    total: int
    faulty: int
    flagged: int
    category: int
    """Whose category is the planted one."""

    said: dict[str, int]


class Report(NamedTuple):
    """One profile on one part."""

    profile: str
    version: str
    all: Figures
    right_answer: Figures
    """The headline stratum: responses whose answer is right."""

    verbose: ShareRate | None
    """False alarms on verbose-but-right responses."""

    faults: list[Row]
    styles: list[Row]
    forms: list[Row]
    confusion: dict[str, dict[str, int]]
    """Planted category → the oracle's → responses."""

    decided: ShareRate | None
    """Rate of the faulty responses whose fault the snapshot decides: no oracle can be asked for more recall."""

    decided_recall: ShareRate | None
    """Recall on those."""


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """Figures over outcomes, clustered by seed fact."""
    flagged = [one for one in outcomes if one.flagged]
    known = [one for one in outcomes if one.linked is not None]
    told = sum(one.claims for one in known)
    return Figures(
        responses=len(outcomes),
        clusters=len({one.cluster for one in outcomes}),
        precision=rate((one.cluster, one.faulty) for one in flagged),
        recall=rate((one.cluster, one.flagged) for one in outcomes if one.faulty),
        false_alarms=rate((one.cluster, one.flagged) for one in outcomes if not one.faulty),
        category=rate((one.cluster, one.said == one.expected) for one in outcomes),
        coverage=sum(min(one.linked or 0, one.claims) for one in known) / told if told else None,
        succession=succession(sum(one.faulty for one in flagged), len(flagged)) if flagged else None,
    )


def report(profile: str, version: str, outcomes: Sequence[Outcome]) -> Report:
    """Everything about one profile on one part."""
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for one in outcomes:
        confusion[one.expected][one.said] += 1
    faulty = [(one, one.fault is not FaultKind.RIGHT_UNDECIDED) for one in outcomes if one.faulty]
    return Report(
        profile=profile,
        version=version,
        all=figures(outcomes),
        right_answer=figures([one for one in outcomes if one.right]),
        verbose=rate((one.cluster, one.flagged) for one in outcomes if one.fault is FaultKind.VERBOSE),
        faults=_rows(outcomes, lambda one: one.fault.value),
        styles=_rows(outcomes, lambda one: one.style),
        forms=_rows(outcomes, lambda one: one.form),
        confusion={
            key: {said: confusion[key][said] for said in CATEGORIES if confusion[key][said]}
            for key in CATEGORIES
            if key in confusion
        },
        decided=rate((one.cluster, decided) for one, decided in faulty),
        decided_recall=rate((one.cluster, one.flagged) for one, decided in faulty if decided),
    )


def _rows(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> list[Row]:
    grouped: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        grouped[key(one)].append(one)
    ordered = [fault.value for fault in FaultKind]
    return [
        Row(
            name,
            len(members),
            sum(one.faulty for one in members),
            sum(one.flagged for one in members),
            sum(one.said == one.expected for one in members),
            dict(sorted(Counter(one.said for one in members).items())),
        )
        for name, members in sorted(
            grouped.items(), key=lambda item: (ordered.index(item[0]) if item[0] in ordered else -1, item[0])
        )
    ]


def baselines(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The same responses as a constant verdict and as the answer alone would judge them.

    Args:
        outcomes: of any profile; only the answer that was read is used.
    """
    return {
        "constant hallucination": [one._replace(said="both", linked=None) for one in outcomes],
        "constant normal": [one._replace(said="normal", linked=None) for one in outcomes],
        "answer only": [one._replace(said=_by_answer(one), linked=None) for one in outcomes],
    }


def _by_answer(one: Outcome) -> str:
    if one.answer == "contradictory":
        return "error_inference"
    if one.answer in ("dont_know", "refusal"):
        return "normal"
    if one.answer == "unparseable":
        return "unparseable"
    return "normal" if one.correct else "error_knowledge"


def best_threshold(outcomes: Sequence[Outcome], judged: Callable[[float, float, float], str]) -> float:
    """The likeness threshold that parts sound from faulty best (Youden's J), of 0.05 to 0.95; for development only.

    Args:
        outcomes: of a profile that compares structures.
        judged: category of edge and node likeness at a threshold.
    """
    steps = [step / 20 for step in range(1, 20)]
    return max(steps, key=lambda step: (_youden(rethreshold(outcomes, step, judged)), -step))


def rethreshold(
    outcomes: Sequence[Outcome], threshold: float, judged: Callable[[float, float, float], str]
) -> list[Outcome]:
    """The same outcomes at another likeness threshold; those judged without structures stay."""
    return [
        one if one.edge is None or one.node is None else one._replace(said=judged(one.edge, one.node, threshold))
        for one in outcomes
    ]


def _youden(outcomes: Sequence[Outcome]) -> float:
    faulty = [one.flagged for one in outcomes if one.faulty]
    sound = [one.flagged for one in outcomes if not one.faulty]
    if not faulty or not sound:
        return 0.0
    return sum(faulty) / len(faulty) - sum(sound) / len(sound)


def shares(outcomes: Sequence[Outcome]) -> Mapping[str, Any]:
    """How the responses are made up: what semantics.md section 4.5 sets minima for."""
    faulty = [one for one in outcomes if one.fault in FAULTS]
    sound = [one for one in outcomes if one.fault in SOUND_FAULTS]
    return {
        "responses": len(outcomes),
        "faulty": len(faulty),
        "faulty_with_right_answer": sum(one.fault in RIGHT_FAULTS for one in faulty) / max(1, len(faulty)),
        "sound": len(sound),
        "sound_by_another_way": sum(one.fault in UNUSUAL_SOUND for one in sound) / max(1, len(sound)),
        "seed_facts": len({one.cluster for one in outcomes}),
    }
