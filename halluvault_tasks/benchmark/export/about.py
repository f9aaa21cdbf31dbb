"""What an export is of, read from the tables: the benchmark's own row, its prompt variants, its cases and prompts."""

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import reading
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import tables


class Variant(NamedTuple):
    """A prompt variant of the benchmark."""

    id: str
    template: str
    version: int
    form: str
    context: str
    prompts: int
    """How many cases have it: out-of-distribution prompts exist only where a case rests on something recent."""

    @property
    def slug(self) -> str:
        """Its name in file and task names, e.g. `drowzee-1-plain-closed-book`."""
        return f"{self.template}-{self.version}-{self.form}-{self.context}"


class About(NamedTuple):
    """A frozen benchmark's provenance and make-up."""

    snapshot: str
    as_of: date
    source: str
    seed: int
    config_hash: str
    content_hash: str
    counts: dict[str, Any]
    variants: tuple[Variant, ...]


class Row(NamedTuple):
    """A prompt with its case."""

    text: str
    case: reading.CaseView


def about(session: Session, snapshot: str) -> About:
    """Read it.

    Raises:
        UserError: the snapshot has no benchmark.
    """
    b, s = tables.benchmark.c, tables.snapshot.c
    found = session.execute(
        select(b.as_of, s.source, b.seed, b.config_hash, b.content_hash, b.counts)
        .join(tables.snapshot, s.snapshot == b.snapshot)
        .where(b.snapshot == snapshot)
    ).first()
    if found is None:
        raise UserError(f"snapshot {snapshot} has no benchmark", f"halluvault benchmark build --snapshot {snapshot}")
    variants = tuple(Variant(*row) for row in reading.variants(session, snapshot))
    return About(snapshot, *found, variants)


def cases(session: Session, snapshot: str) -> Iterator[reading.CaseView]:
    """All cases, ids ascending."""
    return reading.every(session, snapshot)


def prompts(session: Session, snapshot: str, variant: Variant) -> Iterator[Row]:
    """All prompts of a variant with their cases, case ids ascending."""
    texts = dict(
        session.execute(
            select(tables.prompt.c.case_id, tables.prompt.c.text).where(
                tables.prompt.c.snapshot == snapshot, tables.prompt.c.variant_id == variant.id
            )
        ).all()
    )
    for case in cases(session, snapshot):
        if case.id in texts:
            yield Row(texts[case.id], case)
