"""A snapshot's contents in figures for people."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import entity, statement

_DATES = ("start_earliest", "start_latest", "end_earliest", "end_latest", "point_earliest", "point_latest")


class DomainFigures(NamedTuple):
    """Counts of one domain."""

    name: str
    seeds: int
    entities: int
    statements: int
    """Of the domain's subjects, deprecated ones apart."""
    dated: int
    """Of these: with a time value or a time qualifier."""
    label_less: int
    """Entities without a label; they are in no question."""


class Summary(NamedTuple):
    """Counts of a snapshot."""

    domains: tuple[DomainFigures, ...]
    """In order of name; entities outside every domain stand as `(none)`."""
    total: DomainFigures


def of(session: Session, snapshot: str) -> Summary:
    """Count a snapshot's rows."""
    domain = func.coalesce(entity.c.domain, "(none)").label("domain")
    entities = session.execute(
        select(
            domain,
            func.count().filter(entity.c.seed),
            func.count(),
            func.count().filter(entity.c.label.is_(None)),
        )
        .where(entity.c.snapshot == snapshot)
        .group_by(domain)
    ).all()
    dated = or_(statement.c.kind == "time", *(statement.c[name].is_not(None) for name in _DATES))
    statements = {
        name: (int(count), int(with_dates))
        for name, count, with_dates in session.execute(
            select(domain, func.count(), func.count().filter(dated))
            .select_from(statement)
            .outerjoin(entity, (entity.c.snapshot == statement.c.snapshot) & (entity.c.qid == statement.c.s))
            .where(statement.c.snapshot == snapshot)
            .group_by(domain)
        )
    }
    rows = tuple(
        DomainFigures(name, int(seeds), int(count), *statements.get(name, (0, 0)), int(bare))
        for name, seeds, count, bare in sorted(entities, key=lambda row: str(row[0]))
    )
    total = DomainFigures(
        "all",
        sum(row.seeds for row in rows),
        sum(row.entities for row in rows),
        sum(row.statements for row in rows),
        sum(row.dated for row in rows),
        sum(row.label_less for row in rows),
    )
    return Summary(rows, total)


def _some(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:12]) + (f" and {len(shown) - 12} more" if len(shown) > 12 else "")


def remarks(notes: Mapping[str, Any]) -> list[str]:
    """One line for each thing that the source lacked or that could not be read."""
    found = []
    complete = notes.get("complete", {})
    origins = complete.get("metadata_origins", {})
    if origins.get("bundled"):
        found.append(f"metadata of {origins['bundled']} properties is the bundled one: the source has none")
    if absent := complete.get("metadata_absent"):
        found.append(f"no metadata at all, hence no rule, for {', '.join(absent)}")
    if unknown := complete.get("unknown_ids"):
        found.append(f"named in domains.yaml but not in the source: {_some(unknown)}")
    if moved := complete.get("moved_ids"):
        found.append(f"merged since domains.yaml was written: {_some(f'{a} is now {b}' for a, b in moved.items())}")
    if redirects := complete.get("redirects"):
        found.append(f"{redirects} merged items were replaced by what they were merged into")
    if complete.get("shows_statements") is False:
        found.append("a truthy dump: no ranks, no qualifiers, no precise dates; a No only where functional by nature")
    if lacking := complete.get("sitelinks_lacking"):
        found.append(f"{lacking} seeds passed without a sitelink count: the source has none")
    if rankless := complete.get("rankless"):
        found.append(
            f"{rankless} of {complete['statements']} statements have no rank in the source: as any of them may be "
            "deprecated, they support no answer"
        )
    if engine := notes.get("engine"):
        found.append(f"answered by {engine}, which gets dates before Christ wrong: each of them is unknown")
    for reason, count in complete.get("faults", {}).items():
        if count:
            found.append(f"{count} × {reason} could not be read and is unknown")
    if (gates := notes.get("gates")) and gates.get("passed"):
        found.append(
            f"gates passed: {gates['label_less']:.1%} of {gates['seeds']} seeds without a label "
            f"(limit {gates['label_less_limit']:.1%}), compared with {gates['compared_with'] or 'nothing earlier'}"
        )
    return found
