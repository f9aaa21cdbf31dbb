"""Prompts in the database: made from frozen cases on demand, the same bytes every time.

A prompt is not frozen: it is a function of the case, the template's version and the snapshot's date (for
out-of-distribution also of the part, whose other events fill its list). So a variant can be added to any month, long
after it was frozen; simulated servers and readers find the text in the table `prompt`. A stored text is never
overwritten.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.freeze.part_lookup import Part
from halluvault_tasks.benchmark.prompts import templates
from halluvault_tasks.benchmark.prompts.contexts import AskedCase, Events
from halluvault_tasks.benchmark.prompts.prompt import Prompt, prompts_of
from halluvault_tasks.benchmark.prompts.variants import OUT_OF_DISTRIBUTION, Variant
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.storage.tables import benchmark_case, cases, prompt, prompt_variant


class Added(NamedTuple):
    """What making a month's prompts did."""

    made: int
    there: int
    """How many there are now."""


def ensure(session: Session, snapshot: str, variant: Variant) -> None:
    """Make the prompts that a month's published parts lack in a variant. Commits where there are any.

    Raises:
        UserError: as `add`.
    """
    have = select(prompt.c.case_id).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant.id)
    stand = [part.suite for part in part_lookup.of_month(session, snapshot) if part.published]
    wanted = [suite for suite in stand if templates.asks(variant.template, suite)]
    lacking = part_lookup.asked(snapshot).where(
        benchmark_case.c.suite.in_(wanted), benchmark_case.c.case_id.not_in(have)
    )
    # Where only some cases have one, that one is lacking tells nothing.
    partial = variant.context == OUT_OF_DISTRIBUTION or templates.needs(variant.template)
    if wanted and (partial or session.scalar(lacking.limit(1)) is not None):
        add(session, snapshot, variant, wanted)
        session.commit()


def add(session: Session, snapshot: str, variant: Variant, suites: Collection[str] = ()) -> Added:
    """Make a month's prompts in a variant; those that are there stay, and must be what would be made now.

    Idempotent, and so for several at once; nothing is committed here.

    Args:
        session: open session.
        snapshot: exact key of a month with a benchmark.
        variant: which kind of prompt.
        suites: only of these parts; empty: of all that are frozen.

    Raises:
        UserError: the month has no benchmark or no such part; or a stored text differs from what its version makes
            now, which is never overwritten.
    """
    as_of = snapshots.get(session, snapshot).as_of
    values = {
        "template": variant.template,
        "version": variant.version,
        "form": variant.form,
        "context": variant.context,
    }
    session.execute(insert(prompt_variant).values(id=variant.id, **values).on_conflict_do_nothing())
    made = there = 0
    for part in part_lookup.of_month(session, snapshot, suites):
        several = _cases(session, part)
        wanted = prompts_of(variant, several, as_of, Events(several, as_of, part.seed))
        new = _missing(session, part, variant, wanted)
        if new:
            rows = [{"snapshot": snapshot, **one._asdict()} for one in new]
            # In the order of the ids, so that two who make the same wait for each other and not in a ring.
            session.execute(insert(prompt).on_conflict_do_nothing(), rows)
        made, there = made + len(new), there + len(wanted)
    return Added(made, there)


def count(session: Session, snapshot: str, variant_id: str) -> int:
    """How many prompts evaluations of a month ask in a variant."""
    mine = select(func.count()).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id)
    return session.scalar(mine.where(prompt.c.case_id.in_(part_lookup.asked(snapshot)))) or 0


def _cases(session: Session, part: Part) -> list[AskedCase]:
    columns = (cases.c.id, cases.c.question, cases.c.suite, cases.c.group_id, benchmark_case.c.domain)
    query = (
        select(*columns, benchmark_case.c.premises, benchmark_case.c.fact)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == part.snapshot, benchmark_case.c.suite == part.suite)
    )
    return sorted((AskedCase(*row) for row in session.execute(query)), key=lambda one: one.id)


def _missing(session: Session, part: Part, variant: Variant, wanted: Collection[Prompt]) -> list[Prompt]:
    """Those that are not stored.

    Raises:
        UserError: one is stored and differs.
    """
    query = (
        select(prompt.c.case_id, prompt.c.text)
        .join(
            benchmark_case,
            (benchmark_case.c.snapshot == prompt.c.snapshot) & (benchmark_case.c.case_id == prompt.c.case_id),
        )
        .where(
            prompt.c.snapshot == part.snapshot, prompt.c.variant_id == variant.id, benchmark_case.c.suite == part.suite
        )
    )
    stored = dict(session.execute(query).all())
    now = {one.case_id: one.text for one in wanted}
    if differing := sorted(case_id for case_id, text in stored.items() if now.get(case_id) != text):
        raise UserError(
            f"the stored prompt of case {differing[0]} of {part.snapshot} in {variant.name} differs from what its "
            f"version {variant.version} makes now, and so do {len(differing) - 1} more; nothing is overwritten",
            "give the changed text its own version in halluvault_tasks/benchmark/prompts/templates.py",
        )
    return [one for one in wanted if one.case_id not in stored]
