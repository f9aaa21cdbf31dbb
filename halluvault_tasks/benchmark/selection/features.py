"""What a suite's shares are counted by: of each question its domain, kind, property, shape of sentence and the like.

A feature is one entry of `FEATURES`; config/benchmark.yaml bounds it by its name, and adds features of its own: groups
of facts that rest on nothing but some properties (`FactGroup`).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.mutants import Member
from halluvault_tasks.benchmark.wording.sentence_shape import shape

_YES = "yes"


class Feature(NamedTuple):
    """One thing that a question is or has.

    Attributes:
        name: in `FEATURES`, or of a group.
        value: which; of what a question has or has not "yes".
    """

    name: str
    value: str

    def __str__(self) -> str:
        return self.name if self.value == _YES else f"{self.name} {self.value}"


Read = Callable[[Candidate, Member], str]
"""A question's value of a feature; empty: it has none."""


class FactGroup(NamedTuple):
    """Facts that rest on some of these properties, and on nothing else but those beside them.

    Attributes:
        resting_on: births and deaths, for instance.
        beside: properties that may be there as well, such as that by which somebody is called.
    """

    resting_on: tuple[int, ...]
    beside: tuple[int, ...] = ()

    def has(self, one: Candidate) -> bool:
        """Whether a fact is of the group."""
        return not one.rests.isdisjoint(self.resting_on) and one.rests.issubset((*self.resting_on, *self.beside))


def family(kind: str) -> str:
    """A rule kind as figures are grouped: true and wrong values of a property are both negation."""
    return kind.partition(".")[0]


def _if(known: bool) -> str:
    return _YES if known else ""


FEATURES: Mapping[str, Read] = {
    "domain": lambda one, _: one.domain,
    "kind": lambda one, _: family(one.kind),
    "cell": lambda one, _: f"{one.domain}/{family(one.kind)}",
    "property": lambda one, _: one.strand if one.pid is None else f"P{one.pid}",
    "rule": lambda one, _: one.strand,
    "shape": lambda one, member: shape(member.question, one.names),
    "nested": lambda one, _: _if(one.nested),
    "story": lambda one, _: _if(bool(one.paired)),
    "stratum": lambda one, _: str(one.stratum),
    "hard": lambda one, _: _if(one.hard),
    "hops": lambda one, _: str(min(one.hops, 4)),
    "licence": lambda one, _: "" if one.truth else str(one.licence.value),
}


def readers(groups: Mapping[str, FactGroup]) -> Mapping[str, Read]:
    """All features: those of `FEATURES` and these groups."""

    def of(group: FactGroup) -> Read:
        return lambda one, _: _if(group.has(one))

    return {**FEATURES, **{name: of(group) for name, group in groups.items()}}
