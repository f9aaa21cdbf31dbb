"""Figures that a companion suite has beside the shares of every suite; one module per suite."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import external, memory, pressure, recognition


class Main(NamedTuple):
    """A figure that tells of a suite at once.

    Attributes:
        metric, scope: its names; every key of the scope is one.
        ends: how its keys end.
    """

    metric: str
    scope: str
    ends: str = ""

    def has(self, scope: str, key: str) -> bool:
        """Whether a figure of this scope and key is one."""
        return scope == self.scope and key.endswith(self.ends)


class SuiteFigures(NamedTuple):
    """What a profile of a companion suite brings.

    Attributes:
        of: session, whose figures, snapshot → rows.
        metrics: their names, no other's.
        main: those that are shown first; none where another profile of the suite has them.
        unshown: further ones that the page leaves out: no shares.
    """

    of: Callable[[Session, ResultSet, str], list[Figure]]
    metrics: Collection[str]
    main: Sequence[Main] = ()
    unshown: Collection[str] = ()


FIGURES: Mapping[str, SuiteFigures] = {
    memory.PROFILE: SuiteFigures(
        memory.of_evaluation,
        memory.METRICS,
        (Main("known_share", "singles"), Main("internal_hallucination", "sets", "strategy 1")),
    ),
    external.PROFILE: SuiteFigures(
        external.of_evaluation,
        external.METRICS,
        tuple(Main(one, "documents") for one in ("external_hallucination", "auroc", "mean_consistency")),
        external.NO_SHARES,
    ),
    pressure.PROFILE: SuiteFigures(
        pressure.of_evaluation,
        pressure.METRICS,
        tuple(Main(one, "pressure") for one in ("pressure_h", "weighted_quality", "format_kept", "unread_share")),
    ),
    recognition.STRICT: SuiteFigures(
        recognition.of_evaluation, recognition.METRICS, (Main("recognised", "task"), Main("mended", "refined"))
    ),
    recognition.LEGACY: SuiteFigures(recognition.of_evaluation, recognition.METRICS),
}
"""Profile → its figures."""
