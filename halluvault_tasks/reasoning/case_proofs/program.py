"""A program: the rules of its idea, and under them the facts that a case depends on."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from halluvault_tasks.prolog.clauses import clauses
from halluvault_tasks.prolog.terms import comment, fact
from halluvault_tasks.settings import SHARE

Facts = tuple[str, ...]
"""Lines of Prolog: facts, and comments between them."""


class Cited(NamedTuple):
    """A statement that a case cites.

    Attributes:
        value: an item's number, or a date or an amount as it is written.
        sentence: the statement in words.
    """

    guid: str
    s: int
    p: int
    value: int | str
    sentence: str = ""

    @property
    def comment(self) -> str:
        """The statement for readers."""
        return comment(f"statement {self.guid}" + (f": {self.sentence}" if self.sentence else ""))

    def fact(self, predicate: str) -> str:
        """Its subject, property and value as arguments of a predicate."""
        return fact(predicate, self.s, self.p, self.value)


def program(rules: str, facts: Iterable[str]) -> str:
    """A program that runs by itself.

    Args:
        rules: name of a file of `prolog_rules/cases/`, without its ending.
        facts: what stands under them.

    Raises:
        UserError: there is no such file.
    """
    return "\n".join([_rules(rules), *facts, ""])


@cache
def _rules(name: str) -> str:
    return clauses(SHARE / "prolog_rules", f"cases/{name}.pl")
