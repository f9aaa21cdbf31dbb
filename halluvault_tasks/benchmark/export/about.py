"""An export's contents, read from the tables: parts of a benchmark, their prompt variants, cases and prompts."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.freeze.part_lookup import Part
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.storage import tables


class About(NamedTuple):
    """A frozen benchmark's provenance and make-up, as far as it is exported."""

    snapshot: str
    as_of: date
    source: str
    parts: tuple[Part, ...]
    statistics: PartStatistics
    """Of these parts together."""
    variants: tuple[reading.VariantView, ...]

    @property
    def suites(self) -> tuple[str, ...]:
        """Of its parts."""
        return tuple(part.suite for part in self.parts)

    @property
    def content_hashes(self) -> dict[str, str]:
        """Suite → content hash of its part."""
        return {part.suite: part.content_hash for part in self.parts}


class Row(NamedTuple):
    """A prompt with its case."""

    text: str
    case: reading.CaseView


def about(session: Session, snapshot: str, suites: Collection[str] = ()) -> About:
    """Read it.

    Args:
        session: open session.
        snapshot: exact key.
        suites: only these parts; empty: those of the headline, or where there is none of them, all.

    Raises:
        UserError: the snapshot has no benchmark, or no such part.
    """
    stand = part_lookup.of_month(session, snapshot, suites)
    if not suites:
        stand = [part for part in stand if part.suite in HEADLINE] or stand
    row = snapshots.get(session, snapshot)
    names = [part.suite for part in stand]
    variants = tuple(reading.variants(session, snapshot, names))
    together = PartStatistics.together(part.statistics for part in stand)
    return About(snapshot, row.as_of, row.source, tuple(stand), together, variants)


def cases(session: Session, about: About) -> Iterator[reading.CaseView]:
    """All cases, ids ascending."""
    return reading.every(session, about.snapshot, about.suites)


def prompts(session: Session, about: About, variant: reading.VariantView) -> Iterator[Row]:
    """All prompts of a variant with their cases, case ids ascending."""
    texts = dict(
        session.execute(
            select(tables.prompt.c.case_id, tables.prompt.c.text).where(
                tables.prompt.c.snapshot == about.snapshot, tables.prompt.c.variant_id == variant.id
            )
        ).all()
    )
    for case in cases(session, about):
        if case.id in texts:
            yield Row(texts[case.id], case)
