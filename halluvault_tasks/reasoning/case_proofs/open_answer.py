"""Answers to open questions: the value at the end of a path, a whole list, an age, a holder, what came first."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, fact, number
from halluvault_tasks.reasoning.case_proofs.program import Facts, program
from halluvault_tasks.wikidata.days import civil

INSIDE = 0
"""A step of a path that leads from a place to its country, in the place of a property."""


class HeldTerm(NamedTuple):
    """Who held something from a day (number) to a day."""

    holder: int
    first: int
    last: int


def answer(facts: Iterable[str]) -> str:
    """The program that prints the answer which these facts show."""
    return program("answer", facts)


def stated(guid: str, s: int, p: int, value: int | str, sentence: str) -> Facts:
    """A statement, its value an item or a text."""
    return comment(f"statement {guid}: {sentence}"), fact("stated", s, p, value)


def named(qid: int, name: str) -> Facts:
    """What an item is called in the answer."""
    return (fact("name", qid, name),)


def inside(place: int, country: int) -> Facts:
    """A place lies in a country."""
    return (fact("inside", place, country),)


def back(p: int, other: int) -> Facts:
    """Property p says the same as another one of the two ends turned round."""
    return (fact("back", p, other),)


def path(start: int, steps: Sequence[int]) -> Facts:
    """The value at the end of a path of properties is asked, `INSIDE` for the country of a place."""
    written = ", ".join("inside" if step == INSIDE else number(step) for step in steps)
    return (f"asked({number(start)}, [{written}]).",)


def whole(s: int, p: int) -> Facts:
    """Every value is asked."""
    return (fact("asked_all", s, p),)


def how_many(s: int, p: int) -> Facts:
    """The number of values is asked."""
    return (fact("asked_number", s, p),)


def age(born: int, died: int) -> Facts:
    """The full years between two days (numbers) are asked."""
    days = ", ".join(f"date({', '.join(map(number, civil(day)))})" for day in (born, died))
    return (f"asked_age({days}).",)


def holder(terms: Iterable[HeldTerm], day: int) -> Facts:
    """Who held something on a day (number) is asked."""
    return *(fact("held", *term) for term in terms), fact("asked_holder", day)


def first(spans: Iterable[tuple[int, int, int]]) -> Facts:
    """Which of several items, each between its first and last day (numbers), came first is asked."""
    several = list(spans)
    items = ", ".join(number(item) for item, *_ in several)
    return *(fact("lies", *span) for span in several), f"asked_first([{items}])."


def cited(guid: str, sentence: str) -> str:
    """A statement for readers alone."""
    return comment(f"statement {guid}: {sentence}")
