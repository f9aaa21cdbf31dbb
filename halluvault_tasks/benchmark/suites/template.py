"""A template as a value: what the user says turn by turn, and how each turn is to be answered."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Guide = Literal["free", "verdict", "conduct", "name", "date", "number", "confidence"]
"""How a turn is to be answered: in any words; with one of a few (`WORDS`) and nothing else; or with a name, a date, a
number, or how sure the model is, from 0 to 100, alone."""

GUIDES: tuple[Guide, ...] = get_args(Guide)

WANTED: frozenset[Guide] = frozenset(("name", "date", "number"))
"""A turn under one of these is asked of a case alone whose `fact` wants such an answer (`AskedCase.wants`)."""

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

    def fits(self, wants: str) -> bool:
        """Whether it is for a case that wants an answer of this form; empty: of none in particular."""
        return self.guide not in WANTED or self.guide == wants

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
