"""What a suite makes of a month, before it is frozen."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.part_config import PartConfig
from halluvault_tasks.benchmark.wording.generations import Ask


class Made(NamedTuple):
    """A part before it is frozen.

    Attributes:
        cases: all of them.
        counts: of `suites.tally.tally_of`, and the suite's own beside them.
        askable: metamorphic groups that could be asked about this month, chosen or not.
    """

    cases: Sequence[Case]
    counts: dict[str, Any]
    askable: Collection[str]


Make = Callable[[Material, PartConfig, Collection[str], Ask | None], Made]
"""Snapshot, configuration, questions that the month asks elsewhere, and who asks a served model → the part.

Writes nothing of the part. May store and commit what a served model said, so that a build that is killed continues from
there and one that is repeated gives the same bytes. Raises `PartRefused` where there can be no part.
"""
