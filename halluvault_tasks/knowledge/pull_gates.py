"""The gates that a month must pass before it is frozen.

Nothing is quarantined and seeds are labelled; and held against the last published snapshot of the same source, nothing
makes all of the month doubtful. A class or property that fell alone, or whose constraint is broken twice as often, is
held back, and the month goes on without it (`falls.py`).
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import (
    changes_by_cause,
    endpoint_answers,
    falls,
    key_counts,
    snapshots,
    source_names,
    violations,
)
from halluvault_tasks.knowledge.config import Gates
from halluvault_tasks.knowledge.falls import CLASS, PROPERTY, Fall, KeyCount, MonthJudgement, MonthPair
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage.tables import entity

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
    doubtful: tuple[str, ...]
    """What makes all of the month doubtful, in phrases."""
    held: tuple[str, ...]
    """Each class and property that is held back, with what fell and why; nothing of it is asked, and the others are."""
    remarks: tuple[str, ...]
    """What a person may want to know and stops nothing: what is no loss, settings that changed."""
    violations: dict[str, int]
    """Broken constraints, `P19 single value` → how many; the next month is compared with them."""
    given_up: tuple[str, ...]
    """What was in the quarantined batches, and why."""

    @classmethod
    def of(cls, figures: Mapping[str, Any]) -> "GateReport":
        """The report that `_asdict` and JSON made these figures of."""
        # What months had no figure for that were gated before there was such a gate.
        known: dict[str, Any] = {"violations": {}, "given_up": (), "doubtful": (), "held": (), "remarks": ()}
        known |= dict(figures)
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
        return [*failures, *self.doubtful]


class MeasuredGates(NamedTuple):
    """A snapshot's gates, and what they were measured by."""

    report: GateReport
    counts: list[KeyCount]
    """Of its classes and properties."""
    held: tuple[Fall, ...]
    """Of these, what is held back."""


def measure(session: Session, row: SnapshotRow, limits: Gates) -> MeasuredGates:
    """Measure a normalised snapshot.

    Args:
        session: open session; nothing is written.
        row: the snapshot.
        limits: the settings.
    """
    snapshot = row.snapshot
    notes = snapshots.notes(session, snapshot)
    read = notes["complete"]
    # What few know has often no English name: it is in no question, and says nothing about the source.
    tail = sorted({qid for drawn in read.get("tail", {}).values() for qid in drawn})
    seeds, bare = session.execute(
        select(func.count(), func.count().filter(entity.c.label.is_(None))).where(
            entity.c.snapshot == snapshot, entity.c.seed, entity.c.qid.not_in(tail)
        )
    ).one()
    before = snapshots.predecessor(session, row)
    broken = violations.count(session, snapshot)
    counts, judgement = _compared(session, row, before, broken, limits)
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
        doubtful=judgement.stopped,
        held=tuple(one.words for one in judgement.held),
        remarks=judgement.remarks,
        violations=broken,
        given_up=tuple(map(str, endpoint_answers.quarantined(session, snapshot)[:_SHOWN])),
    )
    return MeasuredGates(report._replace(passed=not report.failures()), counts, judgement.held)


def _compared(
    session: Session, row: SnapshotRow, before: SnapshotRow | None, broken: Mapping[str, int], limits: Gates
) -> tuple[list[KeyCount], MonthJudgement]:
    """A month's counts, and what follows of them."""
    if before is None:
        line = source_names.alone(session, row.snapshot, row.source)
        return changes_by_cause.counts(session, row.snapshot, "", 1), MonthJudgement(remarks=(line,) if line else ())
    months = key_counts.months_between(before.month, row.month)
    counts = changes_by_cause.counts(session, row.snapshot, before.snapshot, months)
    then, now = (snapshots.notes(session, one.snapshot) for one in (before, row))
    alike = _asked_alike(then.get("complete", {}), now["complete"], before.snapshot)
    counts = [_explained(one, alike) for one in counts]
    past, pair = key_counts.SourcePast(session, row), MonthPair(row.month, before.snapshot)
    # Who asks for more gets more.
    bounds = limits.model_copy(update={"source_rise": math.inf}) if alike.remarks else limits
    found = falls.judge(counts, past.past(limits.least), bounds, past.year(counts), pair)
    # Constraints of a month that was gated before this gate was there are counted now.
    earlier = then.get("gates", {}).get("violations")
    earlier = violations.count(session, before.snapshot) if earlier is None else earlier
    worse = damaged(earlier, broken, limits, pair)
    return counts, MonthJudgement(
        (*found.held, *worse.held),
        (*found.stopped, *worse.stopped),
        (*found.remarks, *alike.remarks, *_changed_settings(then.get("limits", {}), limits, before.snapshot)),
    )


class _Alike(NamedTuple):
    """How far two months were asked for the same."""

    seeds: bool
    properties: frozenset[int] | None
    """Those that both were asked for; None: all."""
    remarks: tuple[str, ...]


def _asked_alike(then: Mapping[str, Any], now: Mapping[str, Any], since: str) -> _Alike:
    was, asked = then.get("asked"), now.get("asked")
    if was is None or asked is None or was == asked:
        return _Alike(True, None, ())
    seeds, both = was["seeds"] == asked["seeds"], frozenset(was["properties"]) & frozenset(asked["properties"])
    line = (
        f"domains.yaml asks for other properties than in {since}: those that both ask for are compared"
        if seeds
        else f"domains.yaml finds seeds in another way than in {since}: the loss of seeds is not judged"
    )
    return _Alike(seeds, both, (line,))


def _explained(one: KeyCount, alike: _Alike) -> KeyCount:
    """A count without what a changed domains.yaml explains; so it is kept, too, since later months are judged by it."""
    foreign = one.kind == PROPERTY.name and alike.properties is not None and one.key not in alike.properties
    if foreign or (one.kind == CLASS.name and not alike.seeds):
        return one._replace(before=0, causes={})
    if one.kind == PROPERTY.name and not alike.seeds:
        causes = {cause: number for cause, number in one.causes.items() if cause != "gone"}
        return one._replace(before=one.before - one.causes.get("gone", 0), causes=causes)
    return one


def _changed_settings(then: Mapping[str, Any], limits: Gates, since: str) -> tuple[str, ...]:
    now = limits.model_dump()
    changed = [f"{name} {then[name]} → {now[name]}" for name in now if name in then and then[name] != now[name]]
    return (
        (f"gates were changed since {since}, and this month is judged by them: {', '.join(changed)}",)
        if changed
        else ()
    )


def damaged(then: Mapping[str, int], now: Mapping[str, int], limits: Gates, months: MonthPair) -> MonthJudgement:
    """Properties of which a constraint is broken much more often."""
    grown = [
        Fall(
            PROPERTY.name, int(name.split()[0][1:]), f"{name} {then.get(name, 0)} → {count} broken since {months.since}"
        )
        for name, count in sorted(now.items())
        if count >= limits.violations * max(then.get(name, 0), limits.least)
        and limits.accepted.get(name.split()[0], "") < months.month
    ]
    among = sum(max(then.get(name, 0), now.get(name, 0)) >= limits.least for name in {*then, *now})
    if 2 * len(grown) > among:
        told = ", ".join(one.words for one in grown[:_SHOWN])
        return MonthJudgement(stopped=(f"most constraints are broken more often ({len(grown)} of {among}): {told}",))
    return MonthJudgement(held=tuple(grown))
