"""The parts of a month: which exist, which evaluations may ask, and what each was made with."""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part
from halluvault_tasks.wikidata import snapshot_keys


class Part(NamedTuple):
    """One suite of one month, frozen."""

    snapshot: str
    suite: str
    config_hash: str
    content_hash: str
    seed: int
    statistics: PartStatistics
    published: bool
    previous: str | None
    """Month whose part of this suite it was compared with."""


_COLUMNS = [benchmark_part.c["counts" if name == "statistics" else name] for name in Part._fields]


def _part(row: Any) -> Part:
    part = Part(*row)
    return part._replace(statistics=PartStatistics.of(row.counts))


def of_month(session: Session, snapshot: str, suites: Collection[str] = ()) -> list[Part]:
    """The parts of a month, the headline's first; of these suites, if any are named.

    Raises:
        UserError: there is none.
    """
    rows = [_part(row) for row in session.execute(select(*_COLUMNS).where(benchmark_part.c.snapshot == snapshot))]
    if not rows:
        raise missing(session, snapshot)
    if absent := sorted(set(suites) - {row.suite for row in rows}):
        there = ", ".join(row.suite for row in in_order(rows))
        raise UserError(
            f"the benchmark of {snapshot} has no part {absent[0]!r}; it has {there}",
            f"halluvault benchmark build --suite {absent[0]} --snapshots {snapshot}",
        )
    return [row for row in in_order(rows) if not suites or row.suite in suites]


def statistics(session: Session, snapshot: str) -> dict[str, PartStatistics]:
    """Suite → what was counted of its part of a month.

    Raises:
        UserError: there is no part.
    """
    return {part.suite: part.statistics for part in of_month(session, snapshot)}


def in_order(parts: Collection[Part]) -> list[Part]:
    """The headline's suites first, others by name."""
    places = {suite: place for place, suite in enumerate(HEADLINE)}
    return sorted(parts, key=lambda one: (places.get(one.suite, len(places)), one.suite))


def missing(session: Session, snapshot: str) -> UserError:
    """What to say where a month has no benchmark."""
    known = ", ".join(months(session)) or "none"
    return UserError(
        f"snapshot {snapshot} has no benchmark; there are {known}", f"halluvault benchmark build --snapshot {snapshot}"
    )


def reconfigured(session: Session, snapshot: str) -> str:
    """One line that names the parts made by another configuration than those before them; empty where none is."""
    earlier = benchmark_part.alias()
    query = (
        select(benchmark_part.c.suite, earlier.c.snapshot)
        .join(earlier, (earlier.c.snapshot == benchmark_part.c.previous) & (earlier.c.suite == benchmark_part.c.suite))
        .where(benchmark_part.c.snapshot == snapshot, earlier.c.config_hash != benchmark_part.c.config_hash)
        .order_by(benchmark_part.c.suite)
    )
    found = session.execute(query).all()
    since = ", ".join(f"{suite} (as against {month})" for suite, month in found)
    return f"made by another configuration, so that more than the source changed: {since}" if found else ""


def months(session: Session, *, published: bool = False) -> list[str]:
    """Exact keys of the months that have a part (that evaluations may ask), oldest first."""
    query = select(benchmark_part.c.snapshot).distinct()
    if published:
        query = query.where(benchmark_part.c.published)
    return sorted(session.scalars(query), key=snapshot_keys.order)


def asked(snapshot: str) -> Select[str]:
    """Ids of the cases that evaluations of a month ask: those of its published parts."""
    return (
        select(benchmark_case.c.case_id)
        .join(
            benchmark_part,
            (benchmark_part.c.snapshot == benchmark_case.c.snapshot)
            & (benchmark_part.c.suite == benchmark_case.c.suite),
        )
        .where(benchmark_case.c.snapshot == snapshot, benchmark_part.c.published)
    )


def publish(session: Session, snapshot: str, suites: Collection[str] = ()) -> None:
    """Let evaluations ask parts of a month. Idempotent; commits.

    Args:
        session: open session.
        snapshot: exact key.
        suites: only these; empty: the month, with every part that stands.

    Raises:
        UserError: a part is not frozen; or the month has neither relation nor temporal, and so no headline.
    """
    stand = of_month(session, snapshot, suites)
    if not suites and not {part.suite for part in stand} & set(HEADLINE):
        raise UserError(
            f"the benchmark of {snapshot} has neither {' nor '.join(HEADLINE)}, which the headline is over",
            f"halluvault benchmark build --suite {HEADLINE[0]} --snapshots {snapshot}",
        )
    session.execute(
        update(benchmark_part)
        .where(benchmark_part.c.snapshot == snapshot, benchmark_part.c.suite.in_([part.suite for part in stand]))
        .values(published=True)
    )
    session.commit()
