"""The fact of a yes/no question as an open question asks it, so that the two can be held against each other."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.wikidata.relation import Relation, relation_of


class AskedSlot(NamedTuple):
    """What a question turns on, forwards, whichever end it names.

    Attributes:
        relation: a property, or the chain from what the question names.
        start: item from which it leads.
        end: item, or year, to which; of a question whose answer is No another one stands there.
    """

    relation: Relation
    start: int
    end: int


def of_yes_no(fact: Mapping[str, Any], pid: int | None = None) -> AskedSlot | None:
    """That of a yes/no question; None of a formula and of what has no such ends.

    Args:
        fact: as `benchmark_case.fact` has it.
        pid: its property, where the fact says nothing of a relation.
    """
    relation = None if fact.get("formula") else relation_of(fact) or (Relation.of(pid) if pid else None)
    if relation is None or fact.get("s") is None or fact.get("o") is None:
        return None
    start, end = int(fact["s"]), int(fact["o"])
    if called := fact.get("called"):  # the director of Jaws, born in 1946
        return AskedSlot(Relation.chain(int(called["property"]), *relation.properties), int(called["of"]), end)
    return AskedSlot(*relation.forwards(start, end))


class AskedSlots(NamedTuple):
    """What a month asks with yes and no.

    Attributes:
        forwards: relation as it is written → from where it is asked.
        backwards: the same from its other end.
    """

    forwards: Mapping[str, Collection[int]]
    backwards: Mapping[str, Collection[int]]

    @classmethod
    def of(cls, facts: Iterable[Mapping[str, Any]]) -> "AskedSlots":
        """Those of yes/no questions, by their facts."""
        forwards: dict[str, set[int]] = {}
        backwards: dict[str, set[int]] = {}
        for slot in filter(None, map(of_yes_no, facts)):
            forwards.setdefault(str(slot.relation), set()).add(slot.start)
            backwards.setdefault(str(slot.relation), set()).add(slot.end)
        return cls(forwards, backwards)

    def has(self, relation: str, start: int) -> bool:
        """Whether it is asked from an end that an open question names forwards."""
        return start in self.forwards.get(relation, ())
