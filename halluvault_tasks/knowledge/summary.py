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


_LACKS = {
    "bundled": "metadata of {bundled} properties is the bundled one: the source has none",
    "metadata_absent": "no metadata at all, hence no rule, for {metadata_absent}",
    "unknown_ids": "named in domains.yaml but not in the source: {unknown_ids}",
    "moved_ids": "merged since domains.yaml was written: {moved_ids}",
    "redirects": "{redirects} merged items were replaced by what they were merged into",
    "truthy": "a truthy dump: no ranks, no qualifiers, no precise dates; a No only where functional by nature",
    "sitelinks_lacking": "{sitelinks_lacking} seeds passed without a sitelink count: the source has none",
    "rankless": "{rankless} of {statements} statements have no rank in the source: as any of them may be deprecated, "
    "they support no answer",
}
"""What a source may lack, by the figure that tells of it."""


def remarks(notes: Mapping[str, Any]) -> list[str]:
    """One line for each thing that the source lacked or that could not be read."""
    complete = notes.get("complete", {})
    figures = {
        **complete,
        "bundled": complete.get("metadata_origins", {}).get("bundled"),
        "metadata_absent": ", ".join(complete.get("metadata_absent", ())),
        "unknown_ids": _some(complete.get("unknown_ids", ())),
        "moved_ids": _some(f"{old} is now {new}" for old, new in complete.get("moved_ids", {}).items()),
        "truthy": complete.get("shows_statements") is False and "store" not in notes,
    }
    lines = [*notes.get("store", {}).get("remarks", ())]
    lines += [line.format_map(figures) for name, line in _LACKS.items() if figures.get(name)]
    if engine := notes.get("engine"):
        lines.append(f"answered by {engine}, which gets dates before Christ wrong: each of them is unknown")
    faults = complete.get("faults", {})
    lines += [f"{count} × {reason} could not be read and is unknown" for reason, count in faults.items() if count]
    if (gates := notes.get("gates")) and gates.get("passed"):
        lines.append(
            f"gates passed: {gates['label_less']:.1%} of {gates['seeds']} seeds without a label "
            f"(limit {gates['label_less_limit']:.1%}), compared with {gates['compared_with'] or 'nothing earlier'}"
        )
        lines += [f"held back, nothing is asked of it this month: {line}" for line in gates.get("held", ())]
        lines += gates.get("remarks", ())
    return lines
