"""Figures that a companion suite has beside the shares of every suite; one module per suite."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import external, memory, open, open_pairs, pressure, recognition


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
        compared: those that the comparing stage stores.
        points: those that are figures from -1 to 1 or 0 to 1 and no shares of anything counted.
        most_unjudged: share of delivered responses held back above which a model has no rate.
        called: metric → its heading, where that is not its name.
    """

    of: Callable[[Session, ResultSet, str], list[Figure]]
    metrics: Collection[str]
    main: Sequence[Main] = ()
    unshown: Collection[str] = ()
    compared: Collection[str] = ()
    points: Collection[str] = ()
    most_unjudged: float = 1.0
    called: Mapping[str, str] = MappingProxyType({})

    @property
    def shown(self) -> Collection[str]:
        """Metrics that page, report and terminal may show, in order."""
        return (*self.metrics, *self.compared)


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
    open.PROFILE: SuiteFigures(
        open.of_evaluation,
        open.METRICS,
        tuple(Main(one, "suite") for one in open.MAIN),
        compared=open_pairs.METRICS,
        points=open.POINTS,
        most_unjudged=open.MAX_UNJUDGED,
        called=open.CALLED | open_pairs.CALLED,
    ),
}
"""Profile → its figures."""
