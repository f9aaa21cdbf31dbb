"""A build needs complete inputs: a benchmark is frozen for good, and so would half a derivation be."""

from collections import Counter

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.stages import TOTAL, check_derivation
from halluvault_tasks.storage.tables import derivation_manifest, stage_run, temporal_fact


def check(session: Session, snapshot: str) -> None:
    """Refuse a snapshot whose facts are not all derived.

    Raises:
        UserError: the rules are not typed, a shard or an active rule is missing from the manifest, rows differ from
            what it says, or the temporal stage has not come to its end; names which.
    """
    _relations(session, snapshot)
    _temporal(session, snapshot)


def _relations(session: Session, snapshot: str) -> None:
    again = f"halluvault derive run --snapshot {snapshot}"
    manifest = derivation_manifest.c
    lines = session.execute(select(manifest.shard, manifest.rule).where(manifest.snapshot == snapshot)).all()
    derived = Counter(rule for _, rule in lines if rule != TOTAL)
    storing = [rule for rule in active_rules(session, snapshot) if rule.kind.stores]
    # How many shards there were to be is written nowhere; that every rule came is what a missing last shard breaks.
    if missing := [rule.name for rule in storing if rule.rule not in derived]:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise UserError(f"snapshot {snapshot} is not fully derived: {', '.join(missing[:3])}{more} is missing", again)
    if stale := sorted(set(derived) - {rule.rule for rule in storing}):
        raise UserError(f"snapshot {snapshot} has rows of rule number {stale[0]}, which is not active", again)
    check_derivation(session, snapshot, shards=max((shard for shard, _ in lines), default=0) + 1)


def _temporal(session: Session, snapshot: str) -> None:
    """The stage ends in the transaction that writes its facts, so an end with its stated number is complete."""
    run = stage_run.c
    told = session.scalar(
        select(run.summary["facts"].as_integer())
        .where(run.snapshot == snapshot, run.stage == "derive_temporal", run.ended_at.is_not(None))
        .order_by(run.id.desc())
        .limit(1)
    )
    again = f"halluvault temporal run --snapshot {snapshot}"
    if told is None:
        raise UserError(f"the temporal facts of snapshot {snapshot} are not derived", again)
    found = session.scalar(select(func.count()).select_from(temporal_fact).where(temporal_fact.c.snapshot == snapshot))
    if found != told:
        raise UserError(f"snapshot {snapshot} has {found} temporal facts, its last derivation wrote {told}", again)
