"""A lane: one shard's prompts on their way through one model, many at a time, each kept exactly once.

The lane bounds open requests, retries, tells a poison prompt from a dead server, and watches the server's identity.
It knows no database: finished prompts leave in batches through `store`, and no batch leaves before every replica
has confirmed that it is still the model that was planned.
"""

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying.client import Failure, Kind, Reply, TgiClient
from halluvault_tasks.querying.retries import GiveUp, Policy, decide

_log = logging.getLogger(__name__)

_PROBE = "Is the sky blue? Answer yes or no."
_PROBE_POLICY = Policy(attempts=3, deadline_seconds=30.0)
_AGAIN = "check it with `halluvault models check`, then run the same command again: only what is missing is asked"


class IdentityChanged(UserError):
    """The server no longer serves the model that this evaluation was planned for."""


class ServerDown(Unavailable):
    """The server answers nothing, not even a harmless question."""


class Item(NamedTuple):
    """One prompt to ask."""

    case_id: str
    text: str


class Outcome(NamedTuple):
    """One prompt that is done: a reply, or a dead letter with its reason."""

    case_id: str
    reply: Reply | None
    attempts: int
    error: str


class Progress(NamedTuple):
    """Where a lane stands."""

    done: int
    """Prompts finished by this run, dead letters included."""
    total: int
    """Prompts this run set out to ask."""
    dead: int
    in_flight: int
    failures: Mapping[str, int]
    """Failed attempts by kind: overloaded, retryable, fatal."""
    seconds: float
    """Since the lane began."""

    @property
    def rate(self) -> float:
        """Prompts per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


class Plan(NamedTuple):
    """What a lane needs to know about its model."""

    model: str
    parameters: Mapping[str, Any]
    identity: tuple[str, str | None, str | None]
    in_flight: int
    policy: Policy
    outage_seconds: float = 60.0
    """How long to wait for a server that went away before the lane stops."""
    flush_seconds: float = 2.0
    """How often finished prompts are stored."""


class Lane:
    """One run over a shard's prompts.

    Args:
        plan: the model and the limits.
        clients: one per replica; requests rotate over them.
        items: what to ask; read once, lazily.
        total: how many items there are, for progress.
        store: called in a worker thread, one call at a time, with a batch of outcomes; commits it.
        progress: called a few times per second and once at the end; what it raises stops the lane.
        tick_seconds: how often progress is reported.
    """

    def __init__(
        self,
        plan: Plan,
        clients: Sequence[TgiClient],
        items: Iterable[Item],
        total: int,
        store: Callable[[list[Outcome]], None],
        progress: Callable[[Progress], None] | None = None,
        tick_seconds: float = 0.25,
    ) -> None:
        self._plan = plan
        self._clients = clients
        self._items: Iterator[Item] = iter(items)
        self._total = total
        self._store = store
        self._report = progress
        self._tick = tick_seconds
        self._turn = itertools.count()
        self._random = Random()
        self._batch: list[Outcome] = []
        self._failures: Counter[str] = Counter()
        self._done = self._dead = self._in_flight = 0
        self._began = self._answered = monotonic()
        self._probing = asyncio.Lock()
        self._finished = asyncio.Event()

    async def run(self) -> Progress:
        """Ask everything; returns the final figures.

        Raises:
            IdentityChanged: a replica serves another model now; nothing it may have answered was stored.
            ServerDown: the server stayed away longer than `outage_seconds`; what was stored stays.
        """
        for client in self._clients:
            await self._require_identity(client)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._write())
                workers = [group.create_task(self._work()) for _ in range(min(self._plan.in_flight, self._total))]
                await asyncio.gather(*workers)
                self._finished.set()
        except BaseExceptionGroup as failures:
            raise _cause(failures) from failures
        return self._now()

    async def _work(self) -> None:
        for item in self._items:
            outcome = await self._ask(item)
            self._batch.append(outcome)
            self._done += 1
            self._dead += outcome.reply is None

    async def _ask(self, item: Item) -> Outcome:
        """Ask one prompt until it is answered or shown to be at fault itself.

        A prompt is a dead letter only if the server was seen to answer something else after it first failed, or
        a probe before and a probe after its attempts: otherwise the server is at fault, and the lane waits or stops.
        """
        attempts = 0
        reason = ""
        for _round in range(2):
            tried = await self._attempt(item.text, self._plan.policy)
            attempts += tried.attempts
            if tried.reply is not None:
                self._answered = monotonic()
                return Outcome(item.case_id, tried.reply, attempts, "")
            reason = tried.reason
            if self._answered > tried.first_failure:
                break
            await self._require_alive(tried.first_failure)
        return Outcome(item.case_id, None, attempts, reason)

    async def _attempt(self, text: str, policy: Policy) -> "_Tried":
        began = monotonic()
        first_failure = 0.0
        failed = waits = attempts = 0
        turn = next(self._turn)
        while True:
            client = self._clients[(turn + attempts) % len(self._clients)]
            attempts += 1
            self._in_flight += 1
            try:
                reply = await client.generate(text, self._plan.parameters)
            except Failure as failure:
                first_failure = first_failure or monotonic()
                self._failures[failure.kind.value] += 1
                failed += failure.kind is not Kind.OVERLOADED
                final = failure.kind
                step = decide(failure, policy, failed, waits, monotonic() - began, self._random)
            else:
                return _Tried(reply, attempts, "", first_failure, None)
            finally:
                self._in_flight -= 1
            if isinstance(step, GiveUp):
                return _Tried(None, attempts, step.reason, first_failure, final)
            waits += 1
            await asyncio.sleep(step.seconds)

    async def _require_alive(self, since: float) -> None:
        """Return once the server has answered a harmless prompt after `since`.

        Raises:
            ServerDown: it refuses the harmless prompt, too, or stays away longer than `outage_seconds`.
        """
        async with self._probing:
            waited_from = monotonic()
            while self._answered <= since:
                tried = await self._attempt(_PROBE, _PROBE_POLICY)
                if tried.reply is not None:
                    self._answered = monotonic()
                elif tried.final is Kind.FATAL:
                    raise ServerDown(
                        f"{self._plan.model} refuses even a harmless question at {self._places()}: {tried.reason}",
                        "correct its entry in models.yaml; " + _AGAIN,
                    )
                elif monotonic() - waited_from > self._plan.outage_seconds:
                    raise ServerDown(f"{self._plan.model} does not answer at {self._places()}: {tried.reason}", _AGAIN)
                else:
                    await asyncio.sleep(self._random.uniform(0.1, 0.9))

    async def _write(self) -> None:
        """Store what is done every few seconds, and the rest at the end."""
        last = monotonic()
        while not self._finished.is_set():
            try:
                async with asyncio.timeout(self._tick):
                    await self._finished.wait()
            except TimeoutError:
                self._tell()
            if monotonic() - last >= self._plan.flush_seconds:
                await self._flush()
                last = monotonic()
        await self._flush()
        self._tell()

    async def _flush(self) -> None:
        if not self._batch:
            return
        batch, self._batch = self._batch, []
        for client in self._clients:
            await self._require_identity(client)
        await asyncio.to_thread(self._store, batch)

    async def _require_identity(self, client: TgiClient) -> None:
        asked_from = monotonic()
        waits = 0
        while True:
            try:
                found = (await client.info()).identity
                break
            except Failure as failure:
                waits += 1
                patience = Policy(attempts=10**6, deadline_seconds=self._plan.outage_seconds)
                step = decide(failure, patience, waits, waits, monotonic() - asked_from, self._random)
                if isinstance(step, GiveUp):
                    raise ServerDown(
                        f"{self._plan.model} no longer says who it is at {client.base_url}/info: {failure.reason}",
                        _AGAIN,
                    ) from failure
                await asyncio.sleep(step.seconds)
        if found != self._plan.identity:
            raise IdentityChanged(
                f"{self._plan.model} at {client.base_url} is now {_spoken(found)}; this evaluation was planned for "
                f"{_spoken(self._plan.identity)}",
                "put the planned version back, or run the same command again: it plans a new evaluation for this one",
            )

    def _places(self) -> str:
        return ", ".join(client.base_url for client in self._clients)

    def _now(self) -> Progress:
        return Progress(
            self._done, self._total, self._dead, self._in_flight, dict(self._failures), monotonic() - self._began
        )

    def _tell(self) -> None:
        if self._report is not None:
            self._report(self._now())


class _Tried(NamedTuple):
    reply: Reply | None
    attempts: int
    reason: str
    first_failure: float
    final: Kind | None
    """Kind of the failure that ended it; None with a reply."""


def _spoken(identity: tuple[str, str | None, str | None]) -> str:
    model_id, sha, version = identity
    return f"{model_id} (sha {sha or 'unknown'}, server {version or 'unknown'})"


def _cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The failure that people should read: a `UserError` where there is one, else the first."""
    leaves = list(_leaves(group))
    return next((leaf for leaf in leaves if isinstance(leaf, UserError)), leaves[0])


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for failure in group.exceptions:
        if isinstance(failure, BaseExceptionGroup):
            yield from _leaves(failure)
        else:
            yield failure
