"""What an answer to an open question amounts to, and on what that rests."""

from enum import IntEnum
from typing import NamedTuple


class AnswerStanding(IntEnum):
    """How what a reply gives stands to what is wanted (semantics.md §4.6)."""

    RIGHT = 0
    LESS_PRECISE = 1
    """True, and not all that was asked for: a country for its town, a year for a day."""
    UNJUDGED = 2
    """Neither shown to be right nor to be wrong."""
    WRONG = 3

    @property
    def told(self) -> str:
        """As `verdict.sub_label` has it."""
        return self.name.lower().replace("_", " ")


class OpenOutcome(NamedTuple):
    """What a reply amounts to.

    Attributes:
        standing: of all that it gives together.
        read: what it was read as: items, an ISO date or a number.
        via: the rule that decided.
    """

    standing: AnswerStanding
    read: tuple[int, ...] | str | float | None
    via: str
