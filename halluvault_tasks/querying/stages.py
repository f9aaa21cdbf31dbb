"""The two stages of querying: plan an evaluation per model, and ask the missing prompts of one shard.

Kill, retry, rerun and backfill are the same path: a prompt is asked exactly when its row in `response` is missing.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts import store as prompts
from halluvault_tasks.benchmark.prompts.ways import Asking
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import evaluations, readiness, servers, sizing, variants
from halluvault_tasks.querying.first_answers import FirstAnswer, Readable, any_text
from halluvault_tasks.querying.lane import LanePlan
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.readiness import LeftOut
from halluvault_tasks.querying.registry import Model, ModelServer, Registry
from halluvault_tasks.querying.replies import Identity
from halluvault_tasks.querying.retry_policy import Policy
from halluvault_tasks.querying.servers import TokenOf, token_of
from halluvault_tasks.querying.store import Shard, Store, missing
from halluvault_tasks.querying.ways import WAYS, ShardWork, give_up_batches
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.portion import WHOLE, Portion
from halluvault_tasks.storage.tables import response

_log = logging.getLogger(__name__)

_LOG_SECONDS = 10.0


class Only(NamedTuple):
    """What of a month is to be asked now; by default all of it."""

    models: Sequence[str] = ()
    """Registry names; empty: all (of `server`, if given)."""
    server: str = ""
    """Only this server's models."""
    part: frozenset[str] = frozenset()
    """Only these cases (`sample`); empty: all."""


ALL = Only()
"""Every model and case."""


class PlannedEvaluation(NamedTuple):
    """One model's evaluation of one benchmark, ready to be asked."""

    evaluation_id: str
    model: str
    """Registry name."""
    server: str
    """Registry name."""
    shards: int
    """At least 1, so that a finished evaluation still has a shard to report it."""
    missing: int
    """Prompts without a response row, each counted as often as it lacks a sample."""
    total: int
    """Prompts of the benchmark in this variant, times samples."""
    warning: str = ""
    """What is known to go wrong, with some prompts or with how the model is asked; empty where nothing is."""


AnyVerdict = Callable[[Sequence[str], bool, Sequence[str]], bool]
"""Answers to yes/no questions, whether a turn of its own asked for the verdict alone, and the questions → whether a
verdict can be read in any of the answers (`reading.readable`)."""


class Watch(NamedTuple):
    """Who follows a shard while it is asked."""

    progress: Callable[[LaneProgress], None] | None = None
    """Told a few times per second; what it raises stops the lane."""
    any_verdict: AnyVerdict | None = None
    """Looks at the first answers, and stops the lane if there is none; None: whoever says anything is asked on."""
    pause: Callable[[float], object] | None = None
    """Waits so many seconds for what an API does in its own time; what it raises ends the run. None: nobody waits, and
    `QueryCounts.waits` says when to come again."""


class Planned(NamedTuple):
    """What a plan came to; what it leaves out keeps nothing else from being asked."""

    evaluations: Sequence[PlannedEvaluation]
    """In the registry's order."""
    left_out: Sequence[LeftOut] = ()


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
    refused: int = 0
    """Delivered, and refused by the API."""
    silent: int = 0
    """Delivered, without a word."""
    cut_off: int = 0
    """Delivered, and at the limit of new tokens before an answer began."""
    waits: float = 0.0
    """Seconds until more can be done, by the same call again; 0: it has been asked to its end."""


def plan(
    session: Session,
    snapshot: str,
    *,
    registry: Registry,
    only: Only = ALL,
    variant: str = "halluvault",
    samples: int = 1,
    token: TokenOf = token_of,
) -> Planned:
    """Ask every server who it is and, once for each identity, what it does; make model and evaluation rows. Commits.

    Args:
        session: open session.
        snapshot: exact key of a frozen benchmark.
        registry: the models of this installation.
        only: the models and cases to ask now.
        variant: id of a prompt variant, or its template, template/form or template/form/context; its prompts are made
            where they are missing. benchmark.yaml says what an installation asks by default.
        samples: replies to each prompt; as the sampling, part of an evaluation's identity.
        token: where API keys come from.

    Returns:
        Each chosen model's evaluation, shards sized from what is missing, or why it has none.

    Raises:
        UserError: unknown model, server, snapshot or variant; or no chosen model can be asked: a server that does not
            answer or whose replicas differ, or that samples where the registry says greedy; parameters or limits that
            no prompt fits. All are named together; `Unavailable` if each may pass by itself.
    """
    return _some(_plan(session, snapshot, registry, only, Asking(variant, samples=samples), token))


def plan_default(
    session: Session,
    snapshot: str,
    configured: str,
    *,
    registry: Registry,
    only: Only = ALL,
    token: TokenOf = token_of,
) -> Planned:
    """`plan` with the default variants of a month; base models in their plain form. Commits.

    Args:
        configured: `default_variant` of benchmark.yaml.

    Raises:
        UserError: as `plan`.
    """
    planned: list[PlannedEvaluation] = []
    left_out: dict[str, LeftOut] = {}
    ways = variants.default(session, snapshot, configured)
    for way in ways:
        asked: dict[str, list[str]] = {}
        for entry in registry.select(only.models, only.server, left_out=registry.examiner_alone):
            if entry.name not in left_out:  # who cannot be asked in one way is not waited for in the next
                asked.setdefault(variants.for_route(way.variant, entry.route), []).append(entry.name)
        warm = registry if way.temperature is None else registry.at_temperature(way.temperature)
        for each, names in asked.items():
            found = _plan(
                session, snapshot, warm, only._replace(models=names), way._replace(variant=each), token, len(ways)
            )
            planned += found.evaluations
            left_out |= {one.model: one for one in found.left_out}
    return _some(Planned(planned, list(left_out.values())))


def _plan(
    session: Session, snapshot: str, registry: Registry, only: Only, way: Asking, token: TokenOf, ways: int = 1
) -> Planned:
    variant, samples = way.variant, way.samples
    chosen = registry.select(only.models, only.server, left_out=registry.examiner_alone)
    variant_id, chat = variants.find(session, snapshot, variant)
    extremes = variants.extremes(session, snapshot, variant_id, chat)
    with runs.stage(session, snapshot, "query-plan", only.server) as summary:
        ready, left_out = readiness.of_models(session, chosen, registry, extremes, token)
        planned = []
        for one in ready:
            entry, model_id = one.entry, evaluations.model_key(one.entry, one.found.identity)
            key = evaluations.evaluation_row(session, snapshot, entry, model_id, variant_id, one.behaviour, samples)
            open_prompts = missing(key, snapshot, part=only.part).subquery()
            left = session.scalar(select(func.count()).select_from(open_prompts)) or 0
            total = samples * prompts.count(session, snapshot, variant_id)
            shards = _shards(session, registry, entry, left, ways)
            warning = "; ".join(one.warnings) if left else ""
            planned.append(PlannedEvaluation(key, entry.name, entry.server, shards, left, total, warning))
        session.commit()
        summary |= {
            "models": len(planned),
            "missing": sum(each.missing for each in planned),
            "left_out": {one.model: one.why.message for one in left_out},
        }
    for said in [*(each.warning for each in planned if each.warning), *(f"left out: {one.why}" for one in left_out)]:
        _log.warning("%s", said)
    return Planned(planned, left_out)


def _some(planned: Planned) -> Planned:
    """What is planned, if anything is.

    Raises:
        UserError: every model was left out.
    """
    if planned.left_out and not planned.evaluations:
        raise servers.together([one.why for one in planned.left_out])
    return planned


def _shards(session: Session, registry: Registry, entry: Model, left: int, ways: int) -> int:
    """Into how many shards the `left` missing replies of a model are divided, one of so many ways to ask it."""
    if not WAYS[entry.asking].sharded:
        return 1
    beside = ways * sum(other.server == entry.server for other in registry.models)
    return sizing.shards(left, registry.server(entry.server), sizing.seconds_per_answer(session, entry.name), beside)


def query_shard(
    session: Session,
    evaluation_id: str,
    *,
    registry: Registry,
    portion: Portion = WHOLE,
    part: frozenset[str] = frozenset(),
    watch: Watch = Watch(),
    token: TokenOf = token_of,
) -> QueryCounts:
    """Ask what is missing in one shard of an evaluation, storing answers every few seconds.

    A case's shard is a hash of its id modulo their number, the same on every run. Run it again after anything:
    only prompts without a row are asked, and a row once written never changes.

    Args:
        session: open session; used from another thread while the lane runs, and committed with each batch.
        evaluation_id: from `plan`.
        registry: where the model is served and how many requests may be open.
        portion: which of its shards.
        part: the cases to ask now; empty means all.
        watch: who follows it.
        token: where API keys come from.

    Raises:
        IdentityChanged: every replica serves another model now (an incident is recorded, too).
        Barred: the server will answer nothing before somebody acts.
        Unreadable: nothing can be read in the first answers.
        UserError: unknown shard, evaluation or model, or the server stays away (`Unavailable`).
    """
    portion.require()
    row = evaluations.find(session, evaluation_id)
    entry = registry.model(row.name)
    if row.route is not None:
        entry = entry.model_copy(update={"route": row.route})  # asked to its end as it was begun
    home = registry.server(entry.server)
    name = f"{entry.name} {portion.number + 1}/{portion.of}"
    # Other divisions of the same prompts exclude it, too: a rerun may have been planned with other shards.
    work = LeasedWork(row.snapshot, f"query {entry.name} {evaluation_id}", *portion)
    with runs.stage(session, row.snapshot, "query", name, work) as summary:
        mine = Shard(evaluation_id, row.snapshot, row.model_id, entry.server, *portion, part)
        store = Store(session, mine, home.outage_seconds)
        total = store.count()
        counts = QueryCounts(0, 0, 0, 0, 0.0)
        if total:
            lane_plan = _lane(session, row, entry, home)._replace(readable=_readable(session, row, store, watch))
            todo = ShardWork(
                session, mine, entry, home, row.sampling, lane_plan, store, total, _logged(name, watch.progress),
                watch.pause, token,
            )  # fmt: skip
            counts, failures = _asked(todo)
            summary["failures"] = failures
        summary |= counts._asdict()
    return counts


def _lane(session: Session, row: Row[Any], entry: Model, home: ModelServer) -> LanePlan:
    """How an evaluation's model is asked: as the one it was planned with, within its server's limits."""
    return LanePlan(
        entry.name,
        Identity(row.served, row.model_sha, row.server_version),
        home.in_flight,
        Policy(home.attempts, home.deadline_seconds),
        home.outage_seconds,
        behaviour=evaluations.seen_before(session, entry, row.model_id),
        verdict_tokens=row.sampling.get("verdict_tokens"),
    )


def _readable(session: Session, row: Row[Any], store: Store, watch: Watch) -> Readable:
    """Whether anything can be read in answers of an evaluation: a verdict, where its prompts are yes/no questions."""
    any_verdict, template = watch.any_verdict, variants.template(session, row.variant_id)
    if any_verdict is None or template is None or template.only:
        return any_text
    in_its_turn = template.turns[-1].guide == "verdict"

    def readable(answers: Sequence[FirstAnswer]) -> bool:
        questions = store.questions([one.case_id for one in answers])
        return any_verdict([one.text for one in answers], in_its_turn, questions)

    return readable


def forget_batches(session: Session, evaluation_id: str, *, registry: Registry, token: TokenOf = token_of) -> int:
    """Cancel and end an evaluation's open batches, so that the next run asks what they lack anew. Commits.

    Returns:
        How many there were.
    """
    entry = registry.model(evaluations.find(session, evaluation_id).name)
    return give_up_batches(session, evaluation_id, entry, registry.server(entry.server), token)


def forget_dead(session: Session, evaluation_id: str) -> int:
    """Delete an evaluation's dead letters, so that the next run asks them again. Commits; returns how many."""
    gone = session.execute(
        delete(response)
        .where(response.c.evaluation_id == evaluation_id, response.c.status == "dead")
        .returning(response.c.case_id)
    ).all()
    session.commit()
    return len(gone)


def _asked(work: ShardWork) -> tuple[QueryCounts, dict[str, int]]:
    """Ask a shard's prompts in the model's way, and leave its heartbeat saying how that ended; failed attempts, too."""
    try:
        found = WAYS[work.entry.asking].ask(work)
    except BaseException as error:
        # The heartbeat must not hide why the lane ended; where it cannot be written, it falls silent.
        with suppress(Exception):
            work.store.stopped(error.message if isinstance(error, UserError) else type(error).__name__.strip("_"))
        raise
    now = found.now
    if not found.waits:
        work.store.finished(now)
    failed, delivered = sum(now.failures.values()), now.done - now.dead
    counts = QueryCounts(
        now.total, delivered, now.dead, failed, round(now.seconds, 3), *now.unanswered, waits=found.waits
    )
    return counts, dict(now.failures)


def _logged(part: str, progress: Callable[[LaneProgress], None] | None) -> Callable[[LaneProgress], None]:
    """Progress for the caller, and a line in the log every few seconds and at the end."""
    last = -_LOG_SECONDS

    def tell(now: LaneProgress) -> None:
        nonlocal last
        if now.seconds - last >= _LOG_SECONDS or now.done == now.total:
            last = now.seconds
            _log.info("%s: %s", part, now.line())
        if progress is not None:
            progress(now)

    return tell
