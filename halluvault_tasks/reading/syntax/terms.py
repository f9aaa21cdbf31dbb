"""Dates of terms: "president from 1961 to 1963", "joined Arsenal in 2002"."""

from collections.abc import Iterator
from typing import Literal

from halluvault_tasks.reading.base import DateInterval
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.syntax.match import Matched
from halluvault_tasks.reading.syntax.predicates import TIME
from halluvault_tasks.reading.syntax.sentence import Sentenced

Which = Literal["start", "end", "point"]

_BEGINS = wordset("become elect appoint join sign move transfer marry name start found settle")
_ENDS = wordset("graduate complete leave retire resign divorce finish")


def dates_of(said: Sentenced, matched: Matched) -> Iterator[tuple[Which, DateInterval]]:
    """Dates that hang on a claim's predicates, and which date of its term each is."""
    graph = said.graph
    joints = matched.path.joints
    lemmas = {graph.lemmas[one] for one in joints} | {graph.parse[one].lemma for one in joints}
    plain: Which = "start" if lemmas & _BEGINS else "end" if lemmas & _ENDS else "point"
    seen: set[tuple[Which, DateInterval]] = set()
    for joint in joints:
        for edge in graph.arguments[joint]:
            for number, _ in said.named.get(edge.word, ()):
                quantity = said.mentions[number].quantity
                if not quantity or not quantity.days or edge.role in ("self", "mod", "of"):
                    continue
                for one in _read(TIME.get(edge.role, ""), plain, quantity.days, quantity.until):
                    if one not in seen:
                        seen.add(one)
                        yield one


def _read(
    role: str, plain: Which, days: DateInterval, until: DateInterval | None
) -> Iterator[tuple[Which, DateInterval]]:
    if until:
        yield "start", days
        yield "end", until
    elif role == "@from":
        yield "start", days
    elif role == "@to":
        yield "end", days
    elif role == "@":
        yield plain, days
