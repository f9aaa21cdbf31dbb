"""The two stages of querying: plan an evaluation per model, and ask one shard of what is missing.

Kill, retry, rerun and backfill are the same path: a prompt is asked exactly when its row in `response` is missing.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.client import ServerInfo, storable
from halluvault_tasks.querying.lane import IdentityChanged, Item, Lane, Outcome, Plan, Progress
from halluvault_tasks.querying.registry import Model, Registry, Server
from halluvault_tasks.querying.retries import Policy
from halluvault_tasks.storage import incidents, runs
from halluvault_tasks.storage.tables import benchmark, evaluation, model, prompt, prompt_variant, response

_log = logging.getLogger(__name__)

MAX_SHARDS = 250
"""Mapped tasks of one server in one run, all its models together (Airflow's limit is 256 with a margin)."""

_LOG_SECONDS = 10.0


class PlannedEvaluation(NamedTuple):
    """One model's evaluation of one benchmark, ready to be asked."""

    evaluation_id: str
    model: str
    """Registry name."""
    server: str
    """Registry name."""
    shards: int
    """At least 1, so that a finished evaluation still has a shard that says so."""
    missing: int
    """Prompts without a response row."""
    total: int
    """Prompts of the benchmark in this variant."""


class QueryCounts(NamedTuple):
    """What one shard's run did."""

    asked: int
    """Prompts that were missing when it began."""
    delivered: int
    dead: int
    """Dead-lettered, with the reason on the row."""
    failed_attempts: int
    """Attempts that failed and were repeated or gave up."""
    seconds: float


def plan(
    session: Session,
    snapshot: str,
    *,
    registry: Registry,
    models: Sequence[str] = (),
    server: str = "",
    variant: str = "",
) -> list[PlannedEvaluation]:
    """Ask every server who it is, and make the model and evaluation rows. Commits.

    Args:
        session: open session.
        snapshot: exact key of a frozen benchmark.
        registry: the models of this installation.
        models: registry names; empty means all (of `server`, if given).
        server: only this server's models.
        variant: id of a prompt variant, or the name of its template; empty means the halluvault template where
            there are several.

    Returns:
        One entry per model, in the registry's order, shards sized from what is missing.

    Raises:
        UserError: unknown model, server, snapshot or variant; a server that does not answer or whose replicas
            differ. All unreachable servers are named together.
    """
    chosen = registry.select(models, server)
    variant_id = _variant(session, snapshot, variant)
    with runs.stage(session, snapshot, "query-plan", server) as summary:
        identities = asyncio.run(servers.identify_all(chosen, registry))
        planned = []
        for entry in chosen:
            evaluation_id = _evaluation(session, snapshot, entry, identities[entry.name], variant_id)
            missing = (
                session.scalar(select(func.count()).select_from(_missing(evaluation_id, snapshot).subquery())) or 0
            )
            total = session.scalar(
                select(func.count()).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id)
            )
            home = registry.server(entry.server)
            beside = sum(other.server == entry.server for other in registry.models)
            shards = max(1, min(ceil(missing / home.shard_rows), MAX_SHARDS // beside))
            planned.append(PlannedEvaluation(evaluation_id, entry.name, entry.server, shards, missing, total or 0))
        session.commit()
        summary |= {"models": len(planned), "missing": sum(each.missing for each in planned)}
    return planned


def query_shard(
    session: Session,
    evaluation_id: str,
    *,
    shard: int,
    shards: int,
    registry: Registry,
    progress: Callable[[Progress], None] | None = None,
) -> QueryCounts:
    """Ask what is missing in one shard of an evaluation, storing answers every few seconds.

    A case's shard is a hash of its id modulo `shards`, the same on every run. Run it again after anything:
    only prompts without a row are asked, and a row once written never changes.

    Args:
        session: open session; committed with each batch.
        evaluation_id: from `plan`.
        shard: 0 ≤ shard < shards.
        shards: number of shards.
        registry: where the model is served and how many requests may be open.
        progress: told a few times per second; what it raises stops the lane.

    Raises:
        IdentityChanged: the server now serves another model (an incident is recorded, too).
        UserError: unknown evaluation or model, or the server stays away.
    """
    if not 0 <= shard < shards:
        raise ValueError(f"shard {shard} is not one of 0 to {shards - 1}")
    row = session.execute(
        select(evaluation, model.c.name, model.c.model_id.label("served"), model.c.model_sha, model.c.server_version)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.id == evaluation_id)
    ).one_or_none()
    if row is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    entry = registry.model(row.name)
    home = registry.server(entry.server)
    part = f"{entry.name} {shard + 1}/{shards}"
    with runs.stage(session, row.snapshot, "query", part) as summary:
        items = [
            Item(case_id, text)
            for case_id, text in session.execute(_missing(evaluation_id, row.snapshot, shard, shards))
        ]
        session.commit()
        if not items:
            counts = QueryCounts(0, 0, 0, 0, 0.0)
        else:
            identity = (row.served, row.model_sha, row.server_version)
            try:
                final = asyncio.run(
                    _run_lane(
                        session, evaluation_id, entry, home, row.sampling, identity, items, _logged(part, progress)
                    )
                )
            except IdentityChanged as error:
                session.rollback()
                incidents.record(
                    session, "identity_changed", f"query {part}", error.message, error.way_out, row.snapshot
                )
                raise
            counts = QueryCounts(
                len(items), final.done - final.dead, final.dead, sum(final.failures.values()), round(final.seconds, 3)
            )
            summary["failures"] = dict(final.failures)
        summary |= counts._asdict()
    return counts


def forget_dead(session: Session, evaluation_id: str) -> int:
    """Delete an evaluation's dead letters, so that the next run asks them again. Commits; returns how many."""
    gone = session.execute(
        delete(response)
        .where(response.c.evaluation_id == evaluation_id, response.c.status == "dead")
        .returning(response.c.case_id)
    ).all()
    session.commit()
    return len(gone)


def _variant(session: Session, snapshot: str, wanted: str) -> str:
    """The prompt variant to ask: plain prompts only, since TGI's /generate applies no chat template."""
    if session.scalar(select(benchmark.c.snapshot).where(benchmark.c.snapshot == snapshot)) is None:
        known = session.scalars(select(benchmark.c.snapshot).order_by(benchmark.c.snapshot)).all()
        raise UserError(
            f"no benchmark for snapshot {snapshot!r}; there are: {', '.join(known) or 'none'}",
            "`halluvault benchmark build` makes one",
        )
    rows = session.execute(
        select(prompt_variant)
        .where(
            prompt_variant.c.id.in_(select(prompt.c.variant_id).where(prompt.c.snapshot == snapshot).distinct()),
            prompt_variant.c.form == "plain",
        )
        .order_by(prompt_variant.c.version.desc(), prompt_variant.c.id)
    ).all()
    names = [wanted] if wanted else ["halluvault", *(row.template for row in rows)]
    for name in names:
        for row in rows:
            if name in (row.id, row.template):
                return str(row.id)
    known_variants = ", ".join(f"{row.id} ({row.template} version {row.version})" for row in rows)
    raise UserError(
        f"no plain prompt variant {wanted!r} for {snapshot}; there are: {known_variants or 'none'}"
        if wanted or rows
        else f"the benchmark of {snapshot} has no prompt of the form plain",
        "give one of their ids, or build the benchmark with a plain prompt",
    )


def _evaluation(session: Session, snapshot: str, entry: Model, info: ServerInfo, variant_id: str) -> str:
    model_id, model_sha, version = info.identity
    served = {"dialect": entry.dialect, "model_id": model_id, "model_sha": model_sha, "server_version": version}
    model_key = _key([entry.name, *served.values()])
    session.execute(insert(model).values(id=model_key, name=entry.name, **served).on_conflict_do_nothing())
    sampling = entry.sampling.parameters()
    evaluation_id = _key([snapshot, model_key, variant_id, sampling])
    session.execute(
        insert(evaluation)
        .values(id=evaluation_id, snapshot=snapshot, model_id=model_key, variant_id=variant_id, sampling=sampling)
        .on_conflict_do_nothing()
    )
    return evaluation_id


def _key(parts: Sequence[Any]) -> str:
    """First 16 hex digits of the sha256 of canonical JSON."""
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def shard_of(case_id: str, shards: int) -> int:
    """The shard of a case: the first three bytes of sha256(case id), modulo `shards`. `_missing` says it in SQL."""
    return int.from_bytes(hashlib.sha256(case_id.encode()).digest()[:3]) % shards


def _missing(evaluation_id: str, snapshot: str, shard: int = 0, shards: int = 1) -> Select[str, str]:
    """Case id and text of every prompt without a response row, in order of the case id."""
    statement = (
        select(prompt.c.case_id, prompt.c.text)
        .join(evaluation, and_(evaluation.c.id == evaluation_id, evaluation.c.variant_id == prompt.c.variant_id))
        .outerjoin(response, and_(response.c.evaluation_id == evaluation_id, response.c.case_id == prompt.c.case_id))
        .where(prompt.c.snapshot == snapshot, response.c.case_id.is_(None))
        .order_by(prompt.c.case_id)
    )
    if shards > 1:
        hashed = func.sha256(func.convert_to(prompt.c.case_id, "UTF8"))
        number = func.get_byte(hashed, 0) * 65536 + func.get_byte(hashed, 1) * 256 + func.get_byte(hashed, 2)
        statement = statement.where(number % shards == shard)
    return statement


async def _run_lane(
    session: Session,
    evaluation_id: str,
    entry: Model,
    home: Server,
    parameters: Mapping[str, Any],
    identity: tuple[str, str | None, str | None],
    items: Sequence[Item],
    progress: Callable[[Progress], None],
) -> Progress:
    info = await servers.identify(entry, home)
    in_flight = home.in_flight_per_shard
    if info.max_concurrent_requests is not None:
        in_flight = max(1, min(in_flight, info.max_concurrent_requests // home.slots))
    lane_plan = Plan(
        model=entry.name,
        parameters=parameters,
        identity=identity,
        in_flight=in_flight,
        policy=Policy(home.attempts, home.deadline_seconds),
        outage_seconds=home.outage_seconds,
    )

    def store(batch: list[Outcome]) -> None:
        session.execute(insert(response).on_conflict_do_nothing(), [_row(evaluation_id, each) for each in batch])
        session.commit()

    async with servers.http() as http:
        return await Lane(lane_plan, servers.clients(http, entry, home), items, len(items), store, progress).run()


def _row(evaluation_id: str, outcome: Outcome) -> dict[str, Any]:
    reply = outcome.reply
    return {
        "evaluation_id": evaluation_id,
        "case_id": outcome.case_id,
        "sample": 1,
        "status": "delivered" if reply else "dead",
        "text": storable(reply.text) if reply else None,
        "finish_reason": reply.finish_reason if reply else None,
        "prompt_tokens": reply.prompt_tokens if reply else None,
        "generated_tokens": reply.generated_tokens if reply else None,
        "queue_ms": reply.queue_ms if reply else None,
        "inference_ms": reply.inference_ms if reply else None,
        "total_ms": reply.total_ms if reply else None,
        "attempts": min(outcome.attempts, 32_767),
        "error": outcome.error or None,
    }


def _logged(part: str, progress: Callable[[Progress], None] | None) -> Callable[[Progress], None]:
    """Progress for the caller, and a line in the log every few seconds and at the end."""
    last = -_LOG_SECONDS

    def tell(now: Progress) -> None:
        nonlocal last
        if now.seconds - last >= _LOG_SECONDS or now.done == now.total:
            last = now.seconds
            left = (now.total - now.done) / now.rate if now.rate else 0.0
            _log.info(
                "%s: %d of %d done, %.1f/s, %d dead, %d in flight, failed attempts %s, about %d s left",
                part, now.done, now.total, now.rate, now.dead, now.in_flight, dict(now.failures) or "none", left,
            )  # fmt: skip
        if progress is not None:
            progress(now)

    return tell
