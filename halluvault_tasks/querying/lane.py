"""A lane: sends one shard's prompts to one model, many at a time, and stores each answer exactly once.

It combines `feed` (hands out prompts), `fleet` (knows the replicas) and `retry_policy` (decides when to ask again).
It knows no database: reads and writes go through `Books`, in a thread of its own so that no query ever delays a
request. A batch is stored only after its replica has confirmed that it is still the planned model.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from time import monotonic
from typing import NamedTuple, Protocol, TypeVar

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import conversation, guides, tracing
from halluvault_tasks.querying.feed import Feed, Item, Work
from halluvault_tasks.querying.fleet import Fleet
from halluvault_tasks.querying.progress import Pace, Progress
from halluvault_tasks.querying.replica import IdentityChanged, Outcome, Replica
from halluvault_tasks.querying.replies import Failure, Identity, Kind, Reply, storable
from halluvault_tasks.querying.retry_policy import GiveUp, Policy, decide
from halluvault_tasks.querying.verify import Behaviour

_T = TypeVar("_T")

_FLUSH_ROWS, _FLUSH_SPACING = 50, 1.0
"""This many finished prompts are stored without waiting longer, once this many seconds have passed since last time."""
_FLUSH_SPACINGS, _RAREST_FLUSH_SECONDS = 120, 15.0
_MOST_UNSAVED = 4000
"""Finished prompts kept while the database does not answer; beyond them the lane waits."""
_BATCH_STATUS = 424
_SUSPECT_AFTER = 3
_TURNED_AWAY_ALONE = 8
"""Too often to be chance: a gateway at its limit refuses one in ten, and each time another."""


class Books(Protocol):
    """What a lane reads and keeps; every call is made in the lane's one database thread."""

    def page(self) -> Sequence[Item]:
        """The next prompts to ask; empty at the end."""

    def store(self, outcomes: Sequence[Outcome]) -> None:
        """Keep outcomes for good."""

    def beat(self, now: Progress) -> int:
        """Say where the lane stands; returns how many lanes are on this server, itself included."""

    def changed(self, cause: IdentityChanged) -> None:
        """Record that a replica became another model."""


class Plan(NamedTuple):
    """What a lane needs to know about its model."""

    model: str
    identity: Identity
    in_flight: int
    """The server's whole budget; lanes on the same server share it."""
    policy: Policy
    outage_seconds: float = 60.0
    """How long to wait for a server that went away, or became another model, before the lane stops."""
    flush_seconds: float = 2.0
    """How often finished prompts are stored."""
    behaviour: Behaviour | None = None
    """The model's observed behaviour: turns that require a form are sent with a grammar if it obeys one."""


class Lane:
    """One run over a shard's prompts.

    Args:
        plan: the model and the limits.
        replicas: of the model; requests go to the one with most room.
        books: where prompts come from and outcomes go.
        total: how many prompts there are, for progress.
        progress: called a few times per second and once at the end; what it raises stops the lane.
        tick_seconds: how often progress is reported.
    """

    def __init__(
        self,
        plan: Plan,
        replicas: Sequence[Replica],
        books: Books,
        total: int,
        progress: Callable[[Progress], None] | None = None,
        tick_seconds: float = 0.25,
    ) -> None:
        self._plan = plan
        self._books = books
        self._total = total
        self._report = progress
        self._tick = tick_seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="books")
        self._feed = Feed(lambda: self._in_thread(books.page))
        # A server that still loads its model says the same as one that is full.
        full = max(plan.policy.deadline_seconds, plan.outage_seconds)
        self._fleet = Fleet(plan.model, plan.identity, replicas, plan.outage_seconds, full, self._other_model)
        self._changes: list[IdentityChanged] = []
        self._random = Random()
        self._pace = Pace()
        self._failures: Counter[str] = Counter()
        self._done = self._dead = self._unsaved = self._pending = 0
        self._began = self._flushed = monotonic()
        self._flushable = asyncio.Event()
        self._saved = asyncio.Event()
        self._finished = asyncio.Event()
        self._suspect: Work | None = None
        self._parked: deque[Work] = deque()

    async def run(self) -> Progress:
        """Ask everything; returns the final figures.

        Raises:
            IdentityChanged: every replica is another model now; nothing it may have answered was stored.
            ServerDown: the server stayed away longer than `outage_seconds`; what was stored stays.
        """
        try:
            self._fleet.bound(self._plan.in_flight, await self._in_thread(self._books.beat, self._now()))
            async with asyncio.TaskGroup() as group:
                await self._fleet.start(group)
                keepers = [group.create_task(self._keep()), group.create_task(self._tell_often())]
                group.create_task(self._feed.fill())
                count = min(self._plan.in_flight, max(1, self._total))
                workers = [group.create_task(self._work()) for _ in range(count)]
                await asyncio.gather(*workers)
                self._fleet.stop()
                self._finished.set()
                self._flushable.set()
                await asyncio.gather(*keepers)
        except BaseExceptionGroup as failures:
            raise _cause(failures) from failures
        finally:
            await self._record_changes()
            # Waits for the write that is under way, so that nobody uses its connection twice.
            await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)
        return self._now()

    async def _work(self) -> None:
        while (work := await self._feed.next()) is not None:
            while self._unsaved >= _MOST_UNSAVED:
                self._saved.clear()
                await self._saved.wait()
            if work.batch_failures >= _SUSPECT_AFTER:
                # A failed batch fails everybody in it. Who was in several is asked apart from the other suspects, so
                # that a poison prompt does not wear out the patience with its neighbours.
                if self._suspect is not None:
                    self._parked.append(work)
                    continue
                self._suspect = work
            try:
                await self._attempt(work)
            finally:
                if self._suspect is work:
                    self._suspect = None
                    if self._parked:
                        self._feed.again(self._parked.popleft())

    async def _attempt(self, work: Work) -> None:
        """Ask once for the next reply, and settle what follows."""
        if work.item.fault:
            self._settle(self._fleet.replicas[0], Outcome(work, None, work.item.fault))
            return
        if work.alone >= _TURNED_AWAY_ALONE:
            await self._give_up(work, self._fleet.replicas[0], _turned_away(work))
            return
        replica = await self._fleet.acquire()
        began, opened = monotonic(), replica.open
        step: Reply | GiveUp | float
        work.began = work.began or began
        if work.turned_away:
            work.excused += began - work.turned_away
            work.turned_away = 0.0
        work.attempts += 1
        work.seen = self._fleet.answered
        if not work.replies:
            work.epoch = self._fleet.epoch
        try:
            with tracing.request(self._plan.model, work):
                if work.item.turns:
                    held = guides.bound(conversation.guide(work.item.turns, len(work.replies)), self._plan.behaviour)
                    messages = conversation.messages(work.item.turns, work.replies)
                    reply = await replica.client.chat(messages, *(held or ()), seed=work.item.seed)
                else:
                    reply = await replica.client.complete(work.item.text, seed=work.item.seed)
        except Exception as error:
            failure = error if isinstance(error, Failure) else _unforeseen(error)
            self._failures[failure.kind.value] += 1
            step = self._after(work, failure, self._fleet.failed(replica, failure, began, opened, work), began)
        else:
            self._fleet.succeeded(replica, reply, monotonic() - began, opened)
            step = reply
        finally:
            self._fleet.release(replica)
        if work.epoch != self._fleet.epoch:
            work.restart()  # a replica has become another model since it was asked, perhaps the one that answered
            self._feed.again(work)
        elif isinstance(step, Reply):
            work.replies.append(step)
            if len(work.replies) < (conversation.asks(work.item.turns) if work.item.turns else 1):
                work.fresh()
                self._feed.again(work)
            else:
                self._settle(replica, Outcome(work, conversation.total(work.replies), ""))
        elif isinstance(step, GiveUp):
            await self._give_up(work, replica, step.reason)
        else:
            if work.turned_away and not self._fleet.in_flight and not self._feed.ready:
                # Nobody else is left to show whether it is the server or this prompt.
                await self._fleet.prove_alive(work.last_failure)
            # Others first: a prompt that fails alone shows by their being answered.
            self._feed.again(work, step, last=bool(work.turned_away))

    def _after(self, work: Work, failure: Failure, pressure: bool, sent: float) -> float | GiveUp:
        """Seconds to wait, or giving up."""
        now = work.last_failure = monotonic()
        work.first_failure = work.first_failure or now
        work.waits += 1
        policy = self._plan.policy
        if pressure:
            work.turned_away, work.error = sent, failure.reason
            if failure.kind is Kind.OVERLOADED and not failure.no_place:
                return 0.0  # the replica's spacing is the wait
            bound = min(policy.cap_seconds, policy.base_seconds * 2 ** min(work.waits, 20))
            return max(self._random.uniform(0, bound), min(failure.retry_after or 0.0, policy.deadline_seconds))
        work.failed += 1
        work.batch_failures += failure.status == _BATCH_STATUS
        step = decide(failure, policy, work.failed, work.waits - 1, now - work.began - work.excused, self._random)
        return step if isinstance(step, GiveUp) else step.seconds

    async def _give_up(self, work: Work, replica: Replica, reason: str) -> None:
        """Bury a prompt, unless the server may be at fault.

        A prompt is a dead letter only if others were answered before its last attempt and after it: other prompts, or a
        harmless question around another whole round of its attempts.
        """
        before = work.seen > (work.first_failure if work.failed > 1 else 0.0)
        await self._fleet.prove_alive(work.last_failure)
        if not before and work.round == 0:
            work.fresh()
            work.round = 1
            self._feed.again(work)
            return
        self._settle(replica, Outcome(work, None, reason))

    def _settle(self, replica: Replica, outcome: Outcome) -> None:
        replica.pending.append(outcome)
        self._done += 1
        self._dead += outcome.reply is None
        self._unsaved += 1
        self._pending += 1
        many = self._pending >= _FLUSH_ROWS and monotonic() - self._flushed >= _FLUSH_SPACING
        if many or self._only_unsaved:
            self._flushable.set()

    async def _keep(self) -> None:
        """Store what is done every few seconds, and at once when nothing else is left."""
        beaten = monotonic()
        # Soon at first, so that even a run that is killed early has got somewhere; then every few seconds.
        pause = min(0.25, self._plan.flush_seconds)
        while not self._finished.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._flushable.wait()
            # Each flush asks who the server is: rarely, where every request has to be waited for.
            spacing = self._fleet.spacing
            most = max(self._plan.flush_seconds, min(_FLUSH_SPACINGS * spacing, _RAREST_FLUSH_SECONDS))
            pause = min(max(pause * 2, most / 4 if spacing else 0.0), most)
            self._flushable.clear()
            await self._flush()
            if monotonic() - beaten >= self._plan.flush_seconds:
                beaten = monotonic()
                self._fleet.bound(self._plan.in_flight, await self._in_thread(self._books.beat, self._now()))
            if self._only_unsaved:
                # The last replies are not confirmed yet: ask for that a few times per second, not without pause.
                await asyncio.sleep(self._tick)
                self._flushable.set()

    @property
    def _only_unsaved(self) -> bool:
        return 0 < self._unsaved == self._feed.open and self._feed.all_fetched

    async def _flush(self) -> None:
        ready: list[Outcome] = []
        self._pending, self._flushed = 0, monotonic()
        for replica in self._fleet.replicas:
            # Taken before the question: what comes while it is under way belongs to the next confirmation.
            batch, replica.pending = replica.pending, []
            if not batch:
                continue
            confirmed = await self._fleet.confirm(replica)
            if confirmed:
                ready += batch
            elif confirmed is None:
                replica.pending[:0] = batch
            else:
                self._take_back(batch)
        await self._record_changes()
        if ready:
            await self._in_thread(self._books.store, ready)
            self._unsaved -= len(ready)
            self._saved.set()
            self._feed.settle(len(ready))

    def _take_back(self, batch: Sequence[Outcome]) -> None:
        """Another model may have given these: ask again."""
        for outcome in batch:
            self._done -= 1
            self._dead -= outcome.reply is None
            self._unsaved -= 1
            outcome.work.restart()
            self._feed.again(outcome.work)
        self._saved.set()

    def _other_model(self, replica: Replica, cause: IdentityChanged) -> None:
        batch, replica.pending = replica.pending, []
        self._take_back(batch)
        self._changes.append(cause)
        self._flushable.set()

    async def _record_changes(self) -> None:
        while self._changes:
            # A cancelled write that still waits for the thread would never run, and the lane ends for this very reason.
            await asyncio.shield(self._in_thread(self._books.changed, self._changes.pop(0)))

    async def _tell_often(self) -> None:
        while not self._finished.is_set():
            try:
                async with asyncio.timeout(self._tick):
                    await self._finished.wait()
            except TimeoutError:
                self._tell()
        self._tell()

    def _tell(self) -> None:
        if self._report is not None:
            self._report(self._now())

    def _now(self) -> Progress:
        now = monotonic()
        return Progress(
            done=self._done,
            total=self._total,
            dead=self._dead,
            in_flight=self._fleet.in_flight,
            allowed=self._fleet.allowed,
            failures=dict(self._failures),
            seconds=now - self._began,
            rate=self._pace.at(now, self._done),
            note=self._fleet.note,
        )

    async def _in_thread(self, call: Callable[..., _T], *arguments: object) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)


def _unforeseen(error: Exception) -> Failure:
    """What no client should raise counts against the prompt, if a harmless one can be asked; else it ends the lane."""
    return Failure(Kind.FATAL, f"asking it fails: {type(error).__name__}: {storable(str(error))[:300]}")


def _turned_away(work: Work) -> str:
    return (
        f"turned away {work.alone} times while others were answered before and after it, the last time with: "
        f"{work.error}"
    )


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
