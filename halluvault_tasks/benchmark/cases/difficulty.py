"""How hard a question was meant to be: features of design, which are known before anybody answers it.

No answer of any model comes in here, so that the hard part of a month is no selection against the models that happened
to be asked (semantics.md §3.6).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple


class FameLevel(StrEnum):
    """How well the least known of what a question names is known, against all that a month can ask about."""

    TAIL = "tail"
    """One to five Wikipedia pages and the like, else one statement alone (`knowledge.fame.FameCounts.tail`)."""

    LEAST = "least known"
    MIDDLE = "middle"
    BEST = "best known"


NEWS = "news"
"""The stratum of what rests on a statement that changed, whoever it is about."""


class FoilNearness(StrEnum):
    """How near what is false lies to what is true, in the block in which both are asked."""

    CLOSE = "close"
    """A number at most two off; an item joined to the subject, or to the right item; a relation turned round."""

    AKIN = "akin"
    """A number at most five off; an item of the right one's class and country."""

    LOOSE = "loose"
    ALONE = "alone"
    """Nothing false stands beside it, or the two are not of one thing."""

    OPEN = "open"
    """Nothing is offered: the answer must be named, and whatever else is like it is false."""


class Precision(StrEnum):
    """The unit of the date or age that a question turns on."""

    NONE = "none"
    DECADE = "decade"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"


HARD = 3
"""Marks from which a question is hard. No feature is enough by itself. Of what `wikidata-merged` carries half has two
marks and one in seven has three, which fill a quarter of the suite relation."""


class Difficulty(NamedTuple):
    """What makes a block hard; all its questions have the same, so that it tells no answer.

    Attributes:
        renown: of the least known of what it names.
        steps: statements that an answer depends on.
        bridged: whether somebody is called by what he or she made, "the composer of …", instead of by name.
        nearness: of what is false to what is true.
        precision: of the date that it turns on.
        changed: whether it rests on a statement that was added or changed the month before.
        fame: logarithm of the Wikipedia pages of the least known (`knowledge.fame`).
    """

    renown: FameLevel = FameLevel.BEST
    steps: int = 1
    bridged: bool = False
    nearness: FoilNearness = FoilNearness.ALONE
    precision: Precision = Precision.NONE
    changed: bool = False
    fame: float = 0.0

    @property
    def stratum(self) -> str:
        """What the suite is spread over: what is news, else how well known it is."""
        return NEWS if self.changed else str(self.renown)

    @property
    def marks(self) -> int:
        """How many things make it hard; the tail, three steps and more, and news count twice."""
        return (
            {FameLevel.TAIL: 2, FameLevel.LEAST: 1}.get(self.renown, 0)
            + min(self.steps - 1, 2)
            + self.bridged
            + (self.nearness in (FoilNearness.CLOSE, FoilNearness.OPEN))
            + (self.precision in (Precision.MONTH, Precision.DAY))
            + 2 * self.changed
        )

    @property
    def hard(self) -> bool:
        """Whether it is of the hard part of a month."""
        return self.marks >= HARD

    def features(self) -> dict[str, str]:
        """Feature → level, by which cases are counted and results are sliced."""
        return {
            "stratum": self.stratum,
            "steps": str(min(self.steps, MOST_STEPS)) + ("+" if self.steps >= MOST_STEPS else ""),
            "bridge": "bridged" if self.bridged else "named",
            "nearness": str(self.nearness),
            "precision": str(self.precision),
            "design": "hard" if self.hard else "plain",
        }

    def as_json(self) -> dict[str, Any]:
        """As `benchmark_case.fact` has it."""
        return {**self._asdict(), "fame": round(self.fame, 2), "hard": self.hard, "features": self.features()}


MOST_STEPS = 4
"""From so many on steps are counted together."""


def hardest(several: Iterable[FameLevel]) -> FameLevel:
    """The least known of them."""
    order = list(FameLevel)
    return min(several, key=order.index, default=FameLevel.BEST)
