"""Special cases of English as data: each has a name, an example of what it is for, and one of what it must leave alone.

A rule is a function that says something of a construction; where it is taken out, it says what it says of any other.
So its example is its test: without the rule it is read otherwise. What a piece is worth on real text, these among them,
`halluvault oracle ablate` says, which takes out any function.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class ReadingRule(NamedTuple):
    """A special case.

    Attributes:
        name: stable, unique; nouns of grammar in lower case, parts joined by a dot: `claims.cleft`.
        example: a text that is read otherwise without it.
        counterexample: a text that looks alike and is read the same without it; empty where none does.
        otherwise: what it says where it does not apply, and everywhere while it is out.
    """

    name: str
    example: str
    counterexample: str
    otherwise: Any


RULES: dict[str, ReadingRule] = {}
"""All rules of the modules that are imported, by name; `halluvault_tasks.oracles.scorer` imports every one."""

_out: set[str] = set()


def rule(
    name: str, example: str, counterexample: str = "", *, otherwise: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function as a rule, which can then be taken out by its name."""

    def register(applies: Callable[P, R]) -> Callable[P, R]:
        RULES[name] = ReadingRule(name, example, counterexample, otherwise)

        @wraps(applies)
        def applied(*args: P.args, **named: P.kwargs) -> R:
            return applies(*args, **named) if name not in _out else otherwise

        return applied

    return register


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Take rules out for a while; one process, one thread. Readers are to be made anew: they keep what they understood.

    Raises:
        KeyError: there is no such rule.
    """
    for name in names:
        RULES[name]
    before = set(_out)
    _out.update(names)
    try:
        yield
    finally:
        _out.clear()
        _out.update(before)
