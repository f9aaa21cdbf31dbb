"""A template as a value: what the user says turn by turn, and how each turn is to be answered."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Guide = Literal["free", "verdict", "conduct"]
"""How a turn is to be answered: in any words, or with one of a few (`WORDS`) and nothing else."""

GUIDES: tuple[Guide, ...] = ("free", "verdict", "conduct")

VERDICTS = ("yes", "no", "don't know")
"""What a turn guided by `verdict` may be answered with."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "verdict": VERDICTS,
    "conduct": ("answers", "asks", "lists", "declines", "corrects"),
}
"""Guide → what a turn under it may be answered with."""


class Turn(NamedTuple):
    """One turn of the user, its slots still open, and how it is to be answered."""

    text: str
    guide: Guide = "free"
    optional: bool = False
    """Left out where the case has not the texts that it asks for."""

    @property
    def texts(self) -> frozenset[str]:
        """Texts of a case's `fact` that it asks for."""
        return frozenset(re.findall(r"\{fact\.([a-z_]+)\}", self.text))


class Template(NamedTuple):
    """A text that a question is put in; between two of its turns the model has its own.

    Attributes:
        version: of its texts.
        turns: what the user says, in order; the reply to the last is the response.
        instead: suite → what the user says where a case is of it, where that differs.
        only: suites that it is for; none: every suite that has no template of its own.
    """

    version: int
    turns: tuple[Turn, ...]
    instead: Mapping[str, tuple[Turn, ...]] = MappingProxyType({})
    only: tuple[str, ...] = ()

    def turns_of(self, suite: str) -> tuple[Turn, ...]:
        """What the user says where a case is of this suite."""
        return self.instead.get(suite, self.turns)

    @property
    def needs(self) -> frozenset[str]:
        """Texts of a case's `fact` that it asks for: a case without one of them has no such prompt."""
        return frozenset(text for turn in self.turns if not turn.optional for text in turn.texts)
