"""What a right response to a pressure case names, by what it depends on; each function is one argument.

The facts of several arguments may stand in one program: their answers come in that order.
"""

from collections.abc import Iterable

from halluvault_tasks.prolog.terms import comment, fact
from halluvault_tasks.reasoning.case_proofs.program import Facts, program

Years = tuple[str, int, int]
"""A name, and from within which year to within which year it lasted."""


def response(heading: str, facts: Iterable[str]) -> str:
    """The program that prints what is to be done and named."""
    return program("response", [comment(heading), *dict.fromkeys(facts)])


def value(s: int, p: int, o: int, name: str) -> Facts:
    """The value of a statement, an item or a whole number, is asked by its name."""
    return fact("stated", s, p, o), fact("name", o, name), fact("asked_value", s, p)


def apart(o: int, other: int) -> Facts:
    """Two values exclude each other."""
    return (fact("apart", o, other),)


def repaired(s: int, p: int, o: int, other: int) -> Facts:
    """Another value, which is excluded, is taken for granted."""
    return *apart(o, other), fact("assumed", s, p, other)


def country(s: int, p: int, o: int, around: int, name: str) -> Facts:
    """The country in which the value of a statement lies is asked by its name."""
    return (
        fact("stated", s, p, o), fact("contains", around, o), fact("name", around, name), fact("asked_country", s, p),
    )  # fmt: skip


def throughout(year: int, spans: Iterable[Years]) -> Facts:
    """Which of these lasted from before a year until after it is asked."""
    return *(fact("lasted", *span) for span in spans), fact("asked_year", year)


def after(s: int, ended: int, asked: int, state: str) -> Facts:
    """What something was in a year, which came after that of its end."""
    return fact("ended", s, ended), fact("asked_after", s, asked, state)


def difference(greater: int, less: int) -> Facts:
    """By how much one number exceeds another."""
    return (fact("difference", greater, less),)


def longer(start: int, end: int, other_start: int, other_end: int) -> Facts:
    """By how many years one span exceeds another."""
    return (fact("longer", start, end, other_start, other_end),)


def entry(title: str, address: str) -> Facts:
    """The address of an entry is asked."""
    return fact("indexed", title, address), fact("asked_entry", title)


def missing(index: Iterable[tuple[str, str]], title: str, maker: str) -> Facts:
    """A title by a maker is asked that a whole index, of titles and makers, does not hold."""
    return *(fact("indexed", *entry) for entry in index), fact("asked_maker", title, maker)


def namesakes(bearers: Iterable[tuple[int, str]]) -> Facts:
    """Of several things of one name (item, and what it lies in) none is meant more than another."""
    return tuple(fact("bears", *bearer) for bearer in bearers)


def told(text: str) -> Facts:
    """What was told before is asked."""
    return (fact("told", text),)


def untrue(letter: str) -> Facts:
    """Which of several options is not true is asked."""
    return (fact("untrue", letter),)
