"""Verdicts on texts whose label is known: what is convicted of sound ones and of faulty ones."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.oracles.measure.texts import SetText

CONVICTING = frozenset({"error_knowledge", "error_inference", "both", "unattributed"})


class TextVerdict(NamedTuple):
    """A text beside its verdict; of one that could not be judged, category, answer and row are empty."""

    said: SetText
    category: str = ""
    answer: str = ""
    row: str = ""
    """Of the decision table."""

    @property
    def convicted(self) -> bool:
        """Whether it is called a hallucination."""
        return self.category in CONVICTING


class VerdictFigures(NamedTuple):
    """What was measured of one set of judged texts, or of one profile.

    Attributes:
        n: texts.
        judged: of these, texts with a verdict; the others count as not convicted.
        unplaced: texts beside these whose case is not kept, and that nothing judges.
        sound_convicted: of texts with the right answer and without a fault: those convicted.
        precision: of convicted texts: the faulty ones; None where none is faulty.
        recall: of faulty texts: those convicted.
        right_faulty_found: of faulty reasons behind the right answer: those convicted.
    """

    name: str
    n: int
    judged: int
    unplaced: int
    sound_convicted: HitShare | None
    precision: HitShare | None
    recall: HitShare | None
    right_faulty_found: HitShare | None


def is_sound(said: SetText) -> bool:
    """Whether it gives the right answer and nothing in it is wrong."""
    return bool(said.right) and not said.faulty


def figures(name: str, judged: Sequence[TextVerdict], unplaced: int = 0) -> VerdictFigures:
    """Count the verdicts of one set, or of several together."""
    sound = [one.convicted for one in judged if is_sound(one.said)]
    faulty = [one.convicted for one in judged if one.said.faulty]
    flagged = [one.said.faulty for one in judged if one.convicted]
    behind = [one.convicted for one in judged if one.said.faulty and one.said.right]
    return VerdictFigures(
        name,
        len(judged),
        sum(bool(one.category) for one in judged),
        unplaced,
        share(sum(sound), len(sound)),
        share(sum(flagged), len(flagged)) if faulty else None,
        share(sum(faulty), len(faulty)),
        share(sum(behind), len(behind)),
    )
