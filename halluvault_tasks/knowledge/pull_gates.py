"""The gates that a month must pass before it is frozen.

Nothing is quarantined and seeds are labelled; and compared with the last published snapshot of the same source, no
property and no class has lost too much, and no constraint is broken twice as often.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Table, func, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import endpoint_answers, snapshots, violations
from halluvault_tasks.knowledge.config import Gates
from halluvault_tasks.storage.tables import entity, statement

_SHOWN = 5


class GateReport(NamedTuple):
    """Figures of every gate; JSON-safe. Shares run from 0 to 1."""

    passed: bool
    quarantined: int
    """Batches that were too much even at the floor."""
    seeds: int
    label_less: float
    """Share of seeds without a label, the tail apart."""
    label_less_limit: float
    """Largest share allowed: the setting for a live source; 1 for an excerpt, which may lack any."""
    times: int
    """Times met, as values and as qualifiers."""
    unreadable_times: float
    """Share of these whose form could not be read."""
    unreadable_times_limit: float
    unreadable_examples: tuple[str, ...]
    """A few of them, as they came."""
    statements: int
    """Statements met, of any rank."""
    rankless: int
    """Those of them without a rank."""
    rankless_limit: float
    """Largest share of them allowed."""
    compared_with: str
    """Snapshot that losses are measured from; empty for the first of its source."""
    fallen_properties: tuple[str, ...]
    """`P19 1000 → 900` for each property that fell too far."""
    fallen_classes: tuple[str, ...]
    violations: dict[str, int]
    """Broken constraints, `P19 single value` → how many; the next month is compared with them."""
    grown_violations: tuple[str, ...]
    """`P19 single value 60 → 130` for each that grew too much."""
    given_up: tuple[str, ...]
    """What was in the quarantined batches, and why."""

    @classmethod
    def of(cls, figures: Mapping[str, Any]) -> "GateReport":
        """The report that `_asdict` and JSON made these figures of."""
        # What months had no figure for that were gated before there was such a gate.
        known: dict[str, Any] = {"violations": {}, "grown_violations": (), "given_up": ()} | dict(figures)
        known = {"times": 0, "unreadable_times": 0.0, "unreadable_times_limit": 1.0, "unreadable_examples": ()} | known
        known = {"statements": 0, "rankless": 0, "rankless_limit": 1.0} | known
        return cls._make(tuple(v) if isinstance(v := known[name], list) else v for name in cls._fields)

    def failures(self) -> list[str]:
        """One phrase for each gate that failed, with its figures."""
        failures = []
        if self.quarantined:
            failures.append(f"{self.quarantined} batch(es) quarantined: {'; '.join(self.given_up)}")
        if not self.seeds:
            failures.append("no seed was found in any domain")
        if self.label_less > self.label_less_limit:
            failures.append(
                f"{self.label_less:.1%} of {self.seeds} seeds have no label, limit {self.label_less_limit:.1%}"
            )
        if self.unreadable_times > self.unreadable_times_limit:
            failures.append(
                f"{self.unreadable_times:.2%} of {self.times} times could not be read, limit "
                f"{self.unreadable_times_limit:.2%}: {', '.join(map(repr, self.unreadable_examples))}"
            )
        if self.rankless > self.statements * self.rankless_limit:
            failures.append(
                f"{self.rankless} of {self.statements} statements have no rank (wikibase:rank), which alone tells the "
                f"deprecated ones, limit {self.rankless_limit:.1%}; a source of `wdt:` alone (a truthy dump) needs none"
            )
        against = f"against {self.compared_with}"
        if self.fallen_properties:
            failures.append(f"properties fell {against}: {', '.join(self.fallen_properties[:8])}")
        if self.fallen_classes:
            failures.append(f"classes fell {against}: {', '.join(self.fallen_classes[:8])}")
        if self.grown_violations:
            failures.append(f"constraints are broken more often {against}: {', '.join(self.grown_violations[:8])}")
        return failures


def measure(session: Session, snapshot: str, limits: Gates) -> GateReport:
    """Measure a normalised snapshot.

    Args:
        session: open session; nothing is written.
        snapshot: exact key.
        limits: the settings.
    """
    notes = snapshots.notes(session, snapshot)
    read = notes["complete"]
    # What few know has often no English name: it is in no question, and says nothing about the source.
    tail = sorted({qid for drawn in read.get("tail", {}).values() for qid in drawn})
    seeds, bare = session.execute(
        select(func.count(), func.count().filter(entity.c.label.is_(None))).where(
            entity.c.snapshot == snapshot, entity.c.seed, entity.c.qid.not_in(tail)
        )
    ).one()
    before = snapshots.predecessor(session, snapshots.get(session, snapshot))
    fallen_properties: tuple[str, ...] = ()
    fallen_classes: tuple[str, ...] = ()
    if before is not None:
        fallen_properties = _fallen(
            _per_property(session, before.snapshot),
            _per_property(session, snapshot),
            limits.property_drop,
            limits.least,
            "P",
        )
        fallen_classes = _fallen(
            _per_class(session, before.snapshot), _per_class(session, snapshot), limits.class_drop, limits.least, "Q"
        )
    broken = violations.count(session, snapshot)
    report = GateReport(
        passed=False,
        quarantined=endpoint_answers.stored(session, snapshot).quarantined,
        seeds=int(seeds),
        label_less=round(bare / seeds, 6) if seeds else 0.0,
        # A public service has a label for almost everything; an excerpt may lack any.
        label_less_limit=limits.label_less if notes["live"] else 1.0,
        times=read.get("times", 0),
        unreadable_times=round(read["unreadable_times"] / read["times"], 6) if read.get("times") else 0.0,
        unreadable_times_limit=limits.unreadable_times,
        unreadable_examples=tuple(read.get("unreadable_examples", ())),
        statements=read.get("statements", 0),
        rankless=read.get("rankless", 0),
        rankless_limit=limits.rankless,
        compared_with=before.snapshot if before else "",
        fallen_properties=fallen_properties,
        fallen_classes=fallen_classes,
        violations=broken,
        grown_violations=_grown(_earlier(session, before), broken, limits) if before else (),
        given_up=tuple(map(str, endpoint_answers.quarantined(session, snapshot)[:_SHOWN])),
    )
    return report._replace(passed=not report.failures())


def _per_property(session: Session, snapshot: str) -> dict[int, int]:
    return _counts(session, statement, statement.c.p, snapshot)


def _per_class(session: Session, snapshot: str) -> dict[int, int]:
    kind = func.unnest(entity.c.types).label("kind")
    rows = select(kind).where(entity.c.snapshot == snapshot, entity.c.seed).subquery()
    return {int(key): int(count) for key, count in session.execute(select(rows.c.kind, func.count()).group_by("kind"))}


def _counts(session: Session, table: Table, column: object, snapshot: str) -> dict[int, int]:
    rows = session.execute(select(column, func.count()).where(table.c.snapshot == snapshot).group_by(column))  # type: ignore[call-overload]
    return {int(key): int(count) for key, count in rows}


def _fallen(before: dict[int, int], now: dict[int, int], drop: float, least: int, letter: str) -> tuple[str, ...]:
    return tuple(
        f"{letter}{key} {count} → {now.get(key, 0)}"
        for key, count in sorted(before.items())
        if count >= least and now.get(key, 0) < count * (1 - drop)
    )


def _earlier(session: Session, before: snapshots.SnapshotRow) -> dict[str, int]:
    stored = snapshots.notes(session, before.snapshot).get("gates", {}).get("violations")
    # Measured again for a month that was gated before this gate was there.
    return violations.count(session, before.snapshot) if stored is None else dict(stored)


def _grown(before: dict[str, int], now: dict[str, int], limits: Gates) -> tuple[str, ...]:
    return tuple(
        f"{name} {before.get(name, 0)} → {count}"
        for name, count in sorted(now.items())
        if count >= limits.violations * max(before.get(name, 0), limits.least)
    )
