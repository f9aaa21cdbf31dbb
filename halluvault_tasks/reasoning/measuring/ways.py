"""The ways by which the steps of a chain lead from a subject, whichever month or rank states each step.

A fact of a chain is known by every way that leads to its object. It is hidden by hiding one step of these: then what
the hidden step alone led to is known no more, of its subject or of others (`hiding`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Way = tuple[int, ...]
"""What the steps lead to, one after the other; the last is the object."""

Edge = tuple[int, int]


class Reached(NamedTuple):
    """How far a step leads.

    Attributes:
        on: of each subject, ways that the step leads on.
        ends: of each subject, ways that end before it, so that all that lies behind is missing.
        values: what it leads to, on average of the ways that it leads on.
    """

    on: NDArray[np.float64]
    ends: NDArray[np.float64]
    values: float


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways of one chain.

    Attributes:
        properties: of its steps.
        whole: subject → ways through all steps.
        broken: subject → ways that end before the last step, since nothing says where it leads.
    """

    properties: tuple[int, ...]
    whole: Mapping[int, Sequence[Way]]
    broken: Mapping[int, Sequence[Way]]

    @classmethod
    def of(
        cls, properties: tuple[int, ...], steps: Sequence[Mapping[int, Sequence[int]]], starts: Iterable[int]
    ) -> "Ways":
        """Follow the steps.

        Args:
            properties: of the steps.
            steps: of each, item → where it leads.
            starts: subjects.
        """
        whole: dict[int, Sequence[Way]] = {}
        broken: dict[int, Sequence[Way]] = {}
        for s in starts:
            ways: list[Way] = [()]
            ended: list[Way] = []
            for step in steps:
                ended += [way for way in ways if not step.get((s, *way)[-1])]
                ways = [(*way, end) for way in ways for end in step.get((s, *way)[-1], ())]
            whole[s], broken[s] = ways, ended
        return cls(properties, whole, broken)

    @cached_property
    def _to(self) -> Mapping[tuple[int, int], Sequence[Way]]:
        """Subject and object → the ways between them."""
        found: dict[tuple[int, int], list[Way]] = {}
        for s, ways in self.whole.items():
            for way in ways:
                found.setdefault((s, way[-1]), []).append(way)
        return found

    def between(self, s: int) -> frozenset[int]:
        """All that lies on ways from a subject, their objects left out."""
        return _between(self.whole.get(s, ()), self.broken.get(s, ()))

    def to(self, s: int, o: int) -> Sequence[Way]:
        """The ways from a subject to an object."""
        return self._to.get((s, o), ())

    def edges(self, s: int, o: int, step: int) -> frozenset[Edge]:
        """What a step, counted from 0, leads from and to on the ways to an object."""
        return frozenset((s, *way)[step : step + 2] for way in self.to(s, o))  # type: ignore[misc]

    def without(self, s: int, o: int) -> "KnownWithout":
        """What is known of a subject if the first steps on the ways to an object are not."""
        hidden = {way[0] for way in self.to(s, o)}
        whole = [way for way in self.whole.get(s, ()) if way[0] not in hidden]
        broken = [way for way in self.broken.get(s, ()) if way and way[0] not in hidden]
        return KnownWithout(frozenset(way[-1] for way in whole), _between(whole, broken))

    def reached(self, step: int, steps: Mapping[int, Sequence[int]]) -> Reached:
        """How far a step leads, counted from 0.

        Args:
            step: which.
            steps: item → where it leads.
        """
        on, ends, values = [], [], []
        for s in self.whole:
            onward = {way[:step] for way in (*self.whole[s], *self.broken[s]) if len(way) > step}
            on.append(len(onward))
            ends.append(sum(len(way) == step for way in self.broken[s]))
            values += [len(steps[(s, *way)[-1]]) for way in onward]
        mean = float(np.mean(values)) if values else 0.0
        return Reached(np.array(on, dtype=float), np.array(ends, dtype=float), mean)


class KnownWithout(NamedTuple):
    """What is known of a subject.

    Attributes:
        values: objects that ways lead to.
        between: what lies on the ways.
    """

    values: frozenset[int]
    between: frozenset[int]


def _between(whole: Collection[Way], broken: Collection[Way]) -> frozenset[int]:
    return frozenset(item for way in whole for item in way[:-1]) | frozenset(item for way in broken for item in way)
