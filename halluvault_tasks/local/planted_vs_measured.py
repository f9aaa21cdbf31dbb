"""Compares what the oracles measured with what the simulated servers planted.

The labels are read through the role `halluvault_sim`, the verdicts through the pipeline's; the two meet only here,
after everything has been judged. Figures from this are on planted faults, not on model output.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.local.personas import reactions
from halluvault_tasks.storage.tables import evaluation, model, prompt_variant, verdict

TITLE = "planted by the simulated servers, against what was measured"
"""Heading of any table of these figures."""

HALLUCINATIONS = frozenset({"error_knowledge", "error_inference", "both", "unattributed"})
"""Categories in the numerator of the hallucination rate (semantics.md §4.4)."""


class Confusion(NamedTuple):
    """How often one planted category was measured as another (or the same)."""

    planted: str
    measured: str
    cases: int


class Comparison(NamedTuple):
    """One model and oracle profile over one benchmark."""

    model: str
    profile: str
    profile_version: str
    cases: int
    """Judged responses with a planted label."""
    planted: int
    """Of these, hallucinations planted by the simulated server."""
    measured: int
    """Of these, hallucinations that the profile found."""
    found: int
    """Planted and found."""
    missed: int
    """Planted and not found."""
    false_alarms: int
    """Found and not planted."""
    same_category: int
    """Cases whose measured category is the planted one."""
    confusion: tuple[Confusion, ...]

    @property
    def planted_rate(self) -> float:
        """Share of hallucinations that were planted; 0 without cases."""
        return self.planted / self.cases if self.cases else 0.0

    @property
    def measured_rate(self) -> float:
        """Share of hallucinations that the profile found; 0 without cases."""
        return self.measured / self.cases if self.cases else 0.0

    @property
    def agreement(self) -> float:
        """Share of cases on which planted and measured agree about hallucination or not; 0 without cases."""
        return 1 - (self.missed + self.false_alarms) / self.cases if self.cases else 0.0


HEADERS = ("model", "profile", "responses", "planted rate", "measured rate", "agreement", "missed", "false alarms")
"""Column names of `cells`."""


def cells(row: Comparison) -> tuple[str, ...]:
    """A comparison as text, one cell per entry of `HEADERS`."""
    return (
        row.model,
        row.profile,
        str(row.cases),
        f"{row.planted_rate:.1%}",
        f"{row.measured_rate:.1%}",
        f"{row.agreement:.1%}",
        str(row.missed),
        str(row.false_alarms),
    )


def compare(simulation: Session, pipeline: Session, snapshot: str, models: Sequence[str] = ()) -> list[Comparison]:
    """Join planted labels and verdicts by model and case.

    Args:
        simulation: session through `halluvault_sim`.
        pipeline: session through the pipeline's role.
        snapshot: exact key.
        models: registry names; empty means every model with a planted label.

    Returns:
        One row per model, profile and profile version that has verdicts, in that order.
    """
    planted = {
        (row.model, row.case_id): row.category
        for row in simulation.execute(
            text("SELECT model, case_id, category FROM simulation.planted WHERE snapshot = :snapshot"),
            {"snapshot": snapshot},
        )
        if not models or row.model.partition(", ")[0] in models
    }
    pairs: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    rows = pipeline.execute(
        select(
            model.c.name,
            verdict.c.profile,
            verdict.c.profile_version,
            verdict.c.case_id,
            verdict.c.category,
            prompt_variant.c.template,
            prompt_variant.c.context,
        )
        .join(evaluation, evaluation.c.id == verdict.c.evaluation_id)
        .join(model, model.c.id == evaluation.c.model_id)
        .join(prompt_variant, prompt_variant.c.id == evaluation.c.variant_id)
        .where(evaluation.c.snapshot == snapshot)
    )
    for row in rows:
        reacted = reactions.labelled(row.name, reactions.ways(row.template, row.context))
        label = planted.get((reacted, row.case_id), planted.get((row.name, row.case_id)))
        if label is not None:
            pairs[row.name, row.profile, row.profile_version][label, row.category] += 1
    return [_comparison(key, counts) for key, counts in sorted(pairs.items())]


def _comparison(key: tuple[str, str, str], counts: Counter[tuple[str, str]]) -> Comparison:
    both: Counter[tuple[bool, bool]] = Counter()
    for (label, measured), count in counts.items():
        both[label in HALLUCINATIONS, measured in HALLUCINATIONS] += count
    found, missed, false_alarms = both[True, True], both[True, False], both[False, True]
    return Comparison(
        *key,
        cases=counts.total(),
        planted=found + missed,
        measured=found + false_alarms,
        found=found,
        missed=missed,
        false_alarms=false_alarms,
        same_category=sum(count for (label, measured), count in counts.items() if label == measured),
        confusion=tuple(Confusion(label, measured, count) for (label, measured), count in sorted(counts.items())),
    )
