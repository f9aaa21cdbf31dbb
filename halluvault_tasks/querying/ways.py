"""The ways to ask what is missing: one by one through a lane, or in batches. Each is registered once.

`WAYS` has them by what models.yaml calls them (`asking`); nobody else asks which one a model has.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.batches.api import BatchApi
from halluvault_tasks.querying.batches.book import BatchBook
from halluvault_tasks.querying.batches.rounds import BatchPlan, BatchRounds, BatchWay
from halluvault_tasks.querying.dialects.presets import BatchTerms
from halluvault_tasks.querying.lane import Lane, LanePlan
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.registry import Model, ModelServer
from halluvault_tasks.querying.replica import Replica
from halluvault_tasks.querying.replies import Failure
from halluvault_tasks.querying.retry_policy import Policy
from halluvault_tasks.querying.servers import TokenOf
from halluvault_tasks.querying.store import Shard, Store

_FULL_SECONDS = 60.0
"""For one request about batches whose API is full; after that it counts as away."""


class ShardWork(NamedTuple):
    """What is missing in a shard of an evaluation, and how it is asked."""

    session: Session
    shard: Shard
    entry: Model
    home: ModelServer
    parameters: Mapping[str, Any]
    """Of the evaluation."""
    plan: LanePlan
    store: Store
    total: int
    progress: Callable[[LaneProgress], None]
    pause: Callable[[float], object] | None
    """Waits for what an API does in its own time; None: nobody waits here, the caller comes again."""
    token: TokenOf


class ShardState(NamedTuple):
    """How far a shard is."""

    now: LaneProgress
    waits: float = 0.0
    """Seconds until more can be done; 0: nothing is missing any more."""


class WayOfAsking(NamedTuple):
    """One way."""

    sharded: bool
    """Whether what is missing is divided among processes."""
    ask: Callable[[ShardWork], ShardState]
    """Ask all of it, or as far as it goes without waiting."""
    check: Callable[[Model, ModelServer, TokenOf], Sequence[str]]
    """What it would do, a line each, once the server was seen to allow it."""


def _through_a_lane(work: ShardWork) -> ShardState:
    async def ask() -> LaneProgress:
        async with servers.Http() as http:
            clients = servers.clients(http, work.entry, work.home, work.token, work.parameters)
            lane = Lane(work.plan, [Replica(each) for each in clients], work.store, work.total, work.progress)
            return await lane.run()

    return ShardState(asyncio.run(ask()))


def _in_batches(work: ShardWork) -> ShardState:
    entry, home, plan = work.entry, work.home, work.plan
    book = BatchBook(work.session, work.shard.evaluation_id, entry.name)
    rounds = BatchRounds(
        _batch_plan(entry, plan), book, lambda: Store(work.session, work.shard, home.outage_seconds), work.total,
        work.progress,
    )  # fmt: skip

    async def step() -> float:
        async with servers.Http() as http:
            return await rounds.step(_batch_way(http, entry, home, work.token, work.parameters))

    while (waits := asyncio.run(step())) and work.pause is not None:
        work.pause(waits)
    return ShardState(rounds.now(), waits)


def _terms(entry: Model) -> BatchTerms:
    assert entry.way.batch is not None  # checked in the registry
    return entry.way.batch


def _batch_plan(entry: Model, plan: LanePlan) -> BatchPlan:
    terms, given = _terms(entry), entry.batch
    return BatchPlan(
        plan,
        min(given.requests or terms.requests, terms.requests),
        terms.megabytes * 1_000_000,
        given.window or terms.window,
        timedelta(hours=given.deadline_hours),
        given.poll_seconds,
    )


def _batch_way(
    http: servers.Http, entry: Model, home: ModelServer, token: TokenOf, parameters: Mapping[str, Any]
) -> BatchWay:
    key, [url] = token(entry), entry.base_urls
    policy = Policy(home.attempts, min(home.deadline_seconds, _FULL_SECONDS))
    paper = http.on_paper(entry, url, home.timeout_seconds, key)
    api = BatchApi(http.to(entry, url, home.timeout_seconds, key), entry.way, _terms(entry), entry.route, policy)
    return BatchWay(api, entry.speaks.client(paper, entry, parameters), paper)


def _nothing_to_say(_entry: Model, _home: ModelServer, _token: TokenOf) -> Sequence[str]:
    return ()


def _check_batches(entry: Model, home: ModelServer, token: TokenOf) -> Sequence[str]:
    """What its batches would be.

    Raises:
        UserError: there are none where models.yaml says.
    """

    async def listed() -> None:
        async with servers.Http() as http:
            await _batch_way(http, entry, home, token, entry.parameters()).api.listed()

    try:
        asyncio.run(listed())
    except Failure as failure:
        raise UserError(
            f"{entry.name}: no batches at {entry.base_urls[0]}{entry.way.path} ({failure.reason})",
            "ask with `asking: direct`, or correct `api` in models.yaml",
        ) from failure
    terms, given = _terms(entry), entry.batch
    most = min(given.requests or terms.requests, terms.requests)
    return [
        f"in batches of up to {most:,} requests and {terms.megabytes} MB, each within {given.window or terms.window}",
        f"price of a token in them: {terms.price:g} of the usual",
    ]


def give_up_batches(session: Session, evaluation_id: str, entry: Model, home: ModelServer, token: TokenOf) -> int:
    """Cancel an evaluation's open batches, as far as their API hears of it, and end them; returns how many. Commits."""
    book = BatchBook(session, evaluation_id, entry.name)

    async def cancel() -> int:
        given_up = book.open()
        async with servers.Http() as http:
            way = _batch_way(http, entry, home, token, entry.parameters())
            for row in given_up:
                try:
                    if row.batch_id is not None:
                        await way.api.cancel(row.batch_id)
                    why = "it was given up"
                except Failure as failure:
                    why = f"it was given up, and could not be cancelled: {failure.reason}"
                book.close(row.key, why, "given up")
        return len(given_up)

    return asyncio.run(cancel()) if book.open() else 0


WAYS: Mapping[str, WayOfAsking] = {
    "direct": WayOfAsking(True, _through_a_lane, _nothing_to_say),
    "batch": WayOfAsking(False, _in_batches, _check_batches),
}
"""By `asking` in models.yaml."""
