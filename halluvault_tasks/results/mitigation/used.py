"""Figures of the questions used for edits or training, apart from those of all others.

A model that was changed with a question's answer has been told it: its rate there says nothing of what it knows. A
changed model has a name of its own, and the database does not know which model it came from, so every model of the
month is shown this way.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.results import figures, tally
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.storage.tables import benchmark_case, mitigation_use

USES = {("edit", ""): "edited", ("train", "train"): "trained on", ("train", "test"): "held out from training"}
"""(kind, split) of `mitigation_use` → key of a figure of scope `use`; locality is of no use to an editor."""

NEITHER = "neither"
"""Key of what no edit and no training data was made of."""


def by_use(session: Session, snapshot: str) -> dict[str, set[str]]:
    """Key → cases of a month's headline; empty where none was used. One case may have several uses."""
    headline = (
        benchmark_case.c.snapshot == snapshot,
        benchmark_case.c.suite.in_(figures.HEADLINE_SUITES),
        benchmark_case.c.case_id.in_(part_lookup.asked(snapshot)),
    )
    rows = session.execute(
        select(mitigation_use.c.kind, mitigation_use.c.split, mitigation_use.c.case_id)
        .join(benchmark_case, benchmark_case.c.case_id == mitigation_use.c.case_id)
        .where(*headline)
    )
    found: dict[str, set[str]] = {}
    for kind, split, case in rows:
        if (kind, split) in USES:
            found.setdefault(USES[kind, split], set()).add(case)
    if not found:
        return {}
    every = set(session.scalars(select(benchmark_case.c.case_id).where(*headline)))
    return found | {NEITHER: every - set().union(*found.values())}


def of_evaluation(session: Session, of: ResultSet, row: Row[Any]) -> Iterator[Figure]:
    """The headline's figures by use, scope `use`; none where nothing of the month was used.

    Args:
        session: open session.
        of: evaluation and profile.
        row: the evaluation, as `querying.evaluations.find` gives it.
    """
    for key, mine in sorted(by_use(session, row.snapshot).items()):
        judged = tally.of_evaluation(session, of.evaluation_id, row.snapshot, mine) if mine else {}
        if (of.profile, of.version) in judged:
            planned = tally.planned(session, row.snapshot, row.samples, row.variant_id, mine)
            yield from figures.apart("use", key, judged[of.profile, of.version], planned)
