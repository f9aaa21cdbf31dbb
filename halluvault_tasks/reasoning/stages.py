"""The stages of reasoning: type the rules, derive each shard, check that no rows are missing."""

import logging
import shutil
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import fame
from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.reasoning.kinds import EXCLUSIVE, POLARITY
from halluvault_tasks.reasoning.kinds.base import PropertyMeta, Typing
from halluvault_tasks.reasoning.kinds.drawing import Drawing, DrawingKind
from halluvault_tasks.reasoning.kinds.inverse import pairs
from halluvault_tasks.reasoning.kinds.symmetric import candidates
from halluvault_tasks.reasoning.licence.checked import refuted
from halluvault_tasks.reasoning.records import DeriveCounts, DrawnFact, Rule, RuleCounts
from halluvault_tasks.reasoning.rule_typing import composing, drafting
from halluvault_tasks.reasoning.rule_typing.reviewed import load_reviewed
from halluvault_tasks.reasoning.rule_typing.support import measure
from halluvault_tasks.reasoning.rules import active_rules, store, stored_rules
from halluvault_tasks.reasoning.running import copied_statements, reuse, shard_run
from halluvault_tasks.reasoning.running.programs import write_shard
from halluvault_tasks.reasoning.running.ready import Ready, make_ready
from halluvault_tasks.reasoning.sole_values import has_settled_date
from halluvault_tasks.reasoning.usable import today
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.collector import no_collector
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.storage.portion import WHOLE, Portion
from halluvault_tasks.storage.runs import stage

_log = logging.getLogger(__name__)

_COUNTED = """
SELECT shard, rule, count(*) AS n FROM derived_fact WHERE snapshot = :key GROUP BY shard, rule
UNION ALL SELECT shard, rule, count(*) FROM drawn_fact WHERE snapshot = :key GROUP BY shard, rule
"""

TOTAL = 0
"""Rule number of a shard's own line in the manifest: it is there even if the shard has no rule."""


def type_rules(session: Session, snapshot: str, *, rules_file: Path) -> RuleCounts:
    """Type every rule of a snapshot and store it with its verdict. Stored rules that are the same stay untouched.

    Args:
        session: open session.
        snapshot: key of a snapshot whose statements are in.
        rules_file: the reviewed list (config/rules.yaml).

    Raises:
        UserError: the list is faulty, or there is no such snapshot, or it is still being pulled.
    """
    with stage(session, snapshot, "type_rules", work=LeasedWork(snapshot, "derive")) as summary:
        today(session, snapshot)
        _refuse_unfrozen(session, snapshot)
        reviewed = load_reviewed(rules_file)
        properties = {
            row.pid: PropertyMeta(
                row.pid,
                row.label,
                row.datatype,
                row.inverse,
                frozenset(row.classes),
                frozenset(row.constraints),
                tuple(row.separators),
                row.origin,
            )
            for row in session.execute(select(tables.property).where(tables.property.c.snapshot == snapshot))
        }
        support = measure(
            session,
            snapshot,
            candidates(properties, reviewed.symmetric),
            reviewed.functional,
            pairs(properties, reviewed),
            reviewed.exclusive,
        )
        composable = composing.find(session, snapshot, reviewed.transitive)
        typing = Typing(properties, reviewed, support, composable)
        rules = drafting.number(drafting.draft(typing), typing)
        changed = rules != stored_rules(session, snapshot)
        if composing.store(session, snapshot, composable) or changed:
            changed = True
            # What was derived by other rules no longer counts: without its manifest it must be derived again.
            for table in (tables.rule, tables.derivation_manifest):
                session.execute(delete(table).where(table.c.snapshot == snapshot))
            store(session, snapshot, rules)
        verdicts = Counter(rule.verdict for rule in rules)
        counts = RuleCounts(snapshot, verdicts["active"], verdicts["candidate"], verdicts["refused"], changed)
        summary.update(counts._asdict())
    return counts


def _refuse_unfrozen(session: Session, snapshot: str) -> None:
    """What is derived from a part of a snapshot may be false of the whole: a second value may still come."""
    status = session.scalar(select(tables.snapshot.c.status).where(tables.snapshot.c.snapshot == snapshot))
    if status == "pulling":
        raise UserError(
            f"snapshot {snapshot!r} is still being pulled; rules are typed only on a frozen one",
            f"finish its pull: `halluvault pull --snapshot {snapshot}`",
        )


def derive_shard(
    session: Session,
    snapshot: str,
    *,
    prolog_dir: Path,
    scratch: Path,
    portion: Portion = WHOLE,
    limits: shard_run.Limits | None = None,
    anew: bool = False,
) -> DeriveCounts:
    """Derive one shard of a snapshot's rules and attach its rows as a partition, replacing an earlier run's.

    Args:
        session: open session; rows, partition and manifest come in one transaction.
        snapshot: key; its rules are typed.
        prolog_dir: where derivation.pl is.
        scratch: the shard's facts.pl and rules.pl are kept under it.
        portion: which shard, of how many the rules are split into.
        limits: time and memory of the engine.
        anew: derive everything, even what an earlier month has already and this one has not touched.

    Raises:
        UserError: the shard failed as a whole; nothing of it was written.
    """
    portion.require()
    (shard, shards), started = portion, time.monotonic()
    with stage(session, snapshot, "derive", str(shard), LeasedWork(snapshot, "derive", *portion)) as summary:
        rules = _rules_of(session, snapshot, portion)
        with no_collector():  # until what the licence knows is let go: the collector would go through all of it
            ready, drawn, world = _ready(session, snapshot, rules, prolog_dir)
        plan = reuse.Plan(ready, ()) if anew else reuse.plan(session, snapshot, ready)
        kept = [(rule.ready, rule.month) for rule in plan.kept if not rule.touched]
        place = scratch / snapshot / f"shard-{shard}-of-{shards}"
        files = write_shard(session, snapshot, plan.run, place, reuse.touched_of(plan), kept)
        prepared = time.monotonic() - started
        session.commit()  # ends the reading transaction: COPY must not keep an old view of the catalogue
        _drop_beyond(session, snapshot, shards, scratch)
        shard_run.staging(session, snapshot, shard)
        by_number = {rule.rule: rule for rule in rules}
        flipped = copied_statements.copy(session, snapshot, shard, [rule for rule in rules if rule.kind is POLARITY])
        streamed = shard_run.run(session, snapshot, shard, by_number, files, prolog_dir, limits or shard_run.Limits())
        _withdraw(session, snapshot, shard, rules, world)
        shard_run.write_drawn(session, snapshot, shard, drawn)
        taken, groups = reuse.take_over(session, snapshot, shard, plan.kept)
        shard_run.attach(session, snapshot, shard)
        rows = Counter(streamed.rows) + Counter(taken) + Counter(flipped) + Counter(fact.rule for fact in drawn)
        inputs = {rule.rule: "" for rule in rules if rule.kind.stores} | {each.rule.rule: each.inputs for each in ready}
        _write_manifest(session, snapshot, shard, inputs, rows, Counter(streamed.groups) + Counter(groups), taken)
        derived = {rule: rows[rule] for rule in inputs}
        counts = _counts(snapshot, 1, by_number, derived, time.monotonic() - started)._replace(
            groups=sum(streamed.groups.values()) + sum(groups.values()),
            reused=sum(taken.values()),
            prepare_seconds=round(prepared, 3),
            load_seconds=streamed.load_seconds,
            stream_seconds=streamed.stream_seconds,
            engine_bytes=streamed.engine_bytes,
        )
        summary.update(counts._asdict())
    _log_derived(shard, counts, plan)
    return counts


def _rules_of(session: Session, snapshot: str, portion: Portion) -> list[Rule]:
    active = active_rules(session, snapshot)
    placed = shard_of(active, portion.of)
    return [rule for rule in active if placed[rule.rule] == portion.number]


def _ready(
    session: Session, snapshot: str, rules: Sequence[Rule], prolog_dir: Path
) -> tuple[list[Ready], list[DrawnFact], World | None]:
    """The rules as they are run, what the others draw, and what is known where people found statements to be false;
    else that is let go."""
    asks = any(rule.kind.draws or not rule.kind.truth for rule in rules)
    world = load_world(session, snapshot) if asks else None
    ready = make_ready(session, snapshot, rules, world, prolog_dir)
    drawn = _drawn(session, snapshot, rules, world) if world else []
    return ready, drawn, world if world and world.findings.checked else None


def _drawn(session: Session, snapshot: str, rules: Sequence[Rule], world: World) -> list[DrawnFact]:
    drawing = [(rule, rule.kind) for rule in rules if isinstance(rule.kind, DrawingKind)]
    if not drawing:
        return []
    e = tables.entity.c
    placed = session.execute(select(e.qid, e.domain).where(e.snapshot == snapshot, e.domain != "")).tuples().all()
    drawn_from = Drawing(session, snapshot, world, dict(placed), fame.load(session, snapshot))
    return [fact for rule, kind in drawing for fact in kind.draw(rule, drawn_from)]


def _log_derived(shard: int, counts: DeriveCounts, plan: reuse.Plan) -> None:
    _log.info(
        "%s shard %d: %d rows (%d taken over) and %d groups by %d rules; %d rules ran, %d of them for touched subjects "
        "only; prepared in %.1f s, loaded in %.1f s, derived and copied in %.1f s",
        counts.snapshot, shard, counts.rows, counts.reused, counts.groups, counts.rules, len(plan.run),
        len(reuse.touched_of(plan)), counts.prepare_seconds, counts.load_seconds, counts.stream_seconds,
    )  # fmt: skip


def _withdraw(session: Session, snapshot: str, shard: int, rules: Sequence[Rule], world: World | None) -> None:
    """What people found to be false and this month states or derives is out of use from now on."""
    if world is None:
        return
    checked = {rule.rule: rule.conclusion.pid for rule in rules if rule.kind.found_by_people}
    name = shard_run.staging_name(tables.derived_fact, snapshot, shard)
    kept = session.scalars(text(f"SELECT finding FROM {name} WHERE rule = ANY(:rules)"), {"rules": list(checked)})  # noqa: S608 (a table's name)
    withdrawn = refuted(world, checked.values(), kept)
    checked_negatives.withdraw(session, snapshot, withdrawn)
    if withdrawn:
        _log.info("%s contradicts %d statements that people found to be false", snapshot, len(withdrawn))


def _write_manifest(
    session: Session,
    snapshot: str,
    shard: int,
    inputs: Mapping[int, str],
    rows: Mapping[int, int],
    groups: Mapping[int, int],
    reused: Mapping[int, int],
) -> None:
    manifest = tables.derivation_manifest
    session.execute(delete(manifest).where(manifest.c.snapshot == snapshot, manifest.c.shard == shard))
    inputs = {TOTAL: "", **inputs}
    session.execute(
        insert(manifest),
        [
            {
                "snapshot": snapshot,
                "shard": shard,
                "rule": rule,
                "rows": rows.get(rule, 0) if rule else sum(rows.values()),
                "groups": groups.get(rule, 0) if rule else sum(groups.values()),
                "reused": reused.get(rule, 0) if rule else sum(reused.values()),
                "inputs": inputs[rule],
            }
            for rule in inputs
        ],
    )


def _drop_beyond(session: Session, snapshot: str, shards: int, scratch: Path) -> None:
    """Drop what a run with more shards left; a rule sits in another shard now, and would be there twice."""
    manifest = tables.derivation_manifest
    stale = session.scalars(
        select(manifest.c.shard).distinct().where(manifest.c.snapshot == snapshot, manifest.c.shard >= shards)
    ).all()
    for shard in stale:
        for table in tables.SHARDED:
            session.execute(text(f"DROP TABLE IF EXISTS {partition_name(table, snapshot)}_s{shard}"))
        session.execute(delete(manifest).where(manifest.c.snapshot == snapshot, manifest.c.shard == shard))
    session.commit()
    for directory in (scratch / snapshot).glob("shard-*-of-*"):
        if not directory.name.endswith(f"-of-{shards}"):
            shutil.rmtree(directory, ignore_errors=True)


def _counts(snapshot: str, shards: int, rules: dict[int, Rule], rows: dict[int, int], seconds: float) -> DeriveCounts:
    by_kind: Counter[str] = Counter()
    for rule, count in rows.items():
        by_kind[rules[rule].kind.family] += count
    return DeriveCounts(
        snapshot, shards, len(rows), sum(rows.values()), dict(sorted(by_kind.items())), round(seconds, 3)
    )


def check_derivation(session: Session, snapshot: str, *, shards: int) -> DeriveCounts:
    """Check that every shard is there with exactly the rows that Prolog said it wrote, and every active rule once.

    Raises:
        UserError: names the shard that is missing or differs.
    """
    started = time.monotonic()
    rules = {rule.rule: rule for rule in active_rules(session, snapshot)}
    manifest = tables.derivation_manifest
    told = {
        (row.shard, row.rule): row.rows
        for row in session.execute(select(manifest).where(manifest.c.snapshot == snapshot))
    }
    _check_shards(snapshot, {shard for shard, rule in told if rule == TOTAL}, shards)
    promised = {key: count for key, count in told.items() if key[1] != TOTAL}
    counted = {(row.shard, row.rule): row.n for row in session.execute(text(_COUNTED), {"key": snapshot})}
    if different := sorted({key: count for key, count in promised.items() if count}.items() ^ counted.items()):
        shard, number = different[0][0]
        name = rules[number].name if number in rules else f"number {number}, which is not active"
        raise UserError(
            f"shard {shard} of snapshot {snapshot}: rule {name} has {counted.get((shard, number), 0)} rows, "
            f"its manifest says {told.get((shard, number), 0)}",
            _AGAIN,
        )
    shards_of = Counter(rule for _, rule in promised)
    if twice := [rule for rule, times in shards_of.items() if times > 1]:
        raise UserError(f"rule {twice[0]} was derived in two shards of snapshot {snapshot}", _AGAIN)
    rows = {rule: count for (_, rule), count in promised.items()}
    return _counts(snapshot, shards, rules, rows, time.monotonic() - started)


_AGAIN = "`halluvault derive run`, or clear that shard's task"


def _check_shards(snapshot: str, derived: Collection[int], shards: int) -> None:
    if missing := [shard for shard in range(shards) if shard not in derived]:
        raise UserError(f"shard {missing[0]} of {shards} of snapshot {snapshot} is not derived", _AGAIN)
    if beyond := sorted(shard for shard in derived if shard >= shards):
        raise UserError(f"snapshot {snapshot} has shards {beyond} beyond the {shards} expected", _AGAIN)


def settled_dates(session: Session, snapshot: str) -> Callable[[int, int], bool]:
    """Whether the date that an item (second) has for a property (first) is its only one and undisputed, as a function.

    Args and errors are those of `load_world`.
    """
    return partial(has_settled_date, load_world(session, snapshot))


def exclusive_seats(session: Session, snapshot: str) -> dict[int, frozenset[int]]:
    """What one holds at a time on a snapshot: property → offices, countries or prizes (semantics.md §2.3).

    Args:
        session: open session; only read.
        snapshot: key of a snapshot whose rules are typed.

    Raises:
        UserError: its rules are not typed.
    """
    rules = [rule for rule in active_rules(session, snapshot) if rule.kind is EXCLUSIVE]
    return {rule.conclusion.pid: frozenset(rule.support["seats"]) for rule in rules}


def shard_of(rules: Iterable[Rule], shards: int) -> dict[int, int]:
    """Rule number → shard, the work spread evenly (largest first).

    All rules that deny or draw go to one shard: whoever licenses one has read the whole snapshot for it.
    """
    bundles: dict[int, list[Rule]] = {}
    for rule in rules:
        alone = rule.kind.truth and not rule.kind.draws
        bundles.setdefault(rule.rule if alone else 0, []).append(rule)
    loads = [0] * shards
    placed: dict[int, int] = {}
    weights = {key: sum(rule.kind.weight(rule) for rule in bundle) for key, bundle in bundles.items()}
    for key in sorted(bundles, key=lambda bundle: (-weights[bundle], bundle)):
        shard = loads.index(min(loads))
        loads[shard] += weights[key]
        placed.update((rule.rule, shard) for rule in bundles[key])
    return placed
