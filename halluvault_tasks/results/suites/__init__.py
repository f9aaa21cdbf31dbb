"""Figures that a companion suite has beside the shares of every suite; one module a suite."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import memory, recognition


class SuiteFigures(NamedTuple):
    """What a profile of a companion suite brings.

    Attributes:
        of: session, whose figures, snapshot → rows.
        metrics: their names, no other's.
    """

    of: Callable[[Session, ResultSet, str], list[Figure]]
    metrics: Collection[str]


FIGURES: Mapping[str, SuiteFigures] = {
    memory.PROFILE: SuiteFigures(memory.of_evaluation, memory.METRICS),
    **dict.fromkeys(recognition.PROFILES, SuiteFigures(recognition.of_evaluation, recognition.METRICS)),
}
"""Profile → its figures."""
