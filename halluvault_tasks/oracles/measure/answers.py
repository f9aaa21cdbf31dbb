"""Answers read against labels: how often yes, no and silence are taken for what they are."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.oracles.measure.labelled import LabelledAnswer
from halluvault_tasks.oracles.measure.rates import HitShare, share

Read = Callable[[Sequence[tuple[str, str]]], Sequence[str]]
"""Texts with their questions to yes, no, dont_know, refusal, contradictory or unparseable."""

_ACCEPTED: Mapping[str, Sequence[str]] = {
    "soft_no": ("no", "dont_know"),
    "hedged_yes": ("yes", "dont_know"),
    "abstain": ("dont_know", "refusal"),
    "unclear": ("unparseable", "dont_know"),
}
"""Right readings of a label whose line lists none; any other label is its own."""


class LabelReading(NamedTuple):
    """Texts of one label, and how many of them were read as it."""

    of: int
    found: int
    called: int
    """All texts that were read as it."""

    right: int
    """Of these, texts of which that is an accepted reading."""


class AnswerFigures(NamedTuple):
    """What was measured."""

    n: int
    accuracy: HitShare | None
    by_draw: dict[str, HitShare | None]
    confusion: dict[str, dict[str, int]]
    """Label → what it was read as → texts."""

    contradictory: LabelReading
    abstain: LabelReading


def accepted(line: LabelledAnswer, kind: str) -> bool:
    """Whether a reading is one that the label holds for right."""
    return kind in (line.accept or _ACCEPTED.get(line.stance, (line.stance,)))


def measure(lines: Sequence[LabelledAnswer], read: Read) -> AnswerFigures:
    """Read every answer and count."""
    said = zip(lines, read([(line.text, line.question) for line in lines]), strict=True)
    right: dict[str, list[bool]] = defaultdict(list)
    by_kind: dict[str, list[bool]] = defaultdict(list)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for line, kind in said:
        right[line.draw].append(accepted(line, kind))
        by_kind[kind].append(right[line.draw][-1])
        confusion[line.stance][kind] += 1
    every = [each for drawn in right.values() for each in drawn]

    def found(label: str, *kinds: str) -> LabelReading:
        called = [each for kind in kinds for each in by_kind[kind]]
        return LabelReading(
            confusion[label].total(), sum(confusion[label][kind] for kind in kinds), len(called), sum(called)
        )

    return AnswerFigures(
        n=len(lines),
        accuracy=share(sum(every), len(every)),
        by_draw={draw: share(sum(right[draw]), len(right[draw])) for draw in sorted(right)},
        confusion={label: dict(sorted(counts.items())) for label, counts in sorted(confusion.items()) if counts},
        contradictory=found("contradictory", "contradictory"),
        abstain=found("abstain", "dont_know", "refusal"),
    )
