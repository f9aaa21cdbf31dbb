"""A lane: sends one shard's prompts to one model, many at a time, and stores each answer exactly once.

It combines `feed` (hands out prompts), `fleet` (knows the replicas), `retry_policy` (decides when to ask again) and
`keeper` (stores what is done). It knows no database.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import preflight, tracing, turns
from halluvault_tasks.querying.barred import Barred
from halluvault_tasks.querying.feed import FeedItem, PromptWork
from halluvault_tasks.querying.first_answers import FirstAnswers, Readable, Unreadable, any_text
from halluvault_tasks.querying.fleet import Fleet
from halluvault_tasks.querying.keeper import Books, Keeper
from halluvault_tasks.querying.progress import LaneProgress, Pace
from halluvault_tasks.querying.replica import PromptOutcome, Replica
from halluvault_tasks.querying.replies import Failure, FailureKind, Identity, Reply, storable
from halluvault_tasks.querying.retry_policy import GiveUp, Policy, decide
from halluvault_tasks.querying.verify import Behaviour

_log = logging.getLogger(__name__)

_BATCH_STATUS = 424
_SUSPECT_AFTER = 3
_TURNED_AWAY_ALONE = 8
"""Too often to be chance: a gateway at its limit refuses one in ten, and each time another."""


class LanePlan(NamedTuple):
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
    verdict_tokens: int | None = None
    """New tokens of a turn that requires a form; None: as many as the form needs."""
    readable: Readable = any_text
    """Whether anything can be read in the first answers, or the lane stops; called in the database's thread."""


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
        plan: LanePlan,
        replicas: Sequence[Replica],
        books: Books,
        total: int,
        progress: Callable[[LaneProgress], None] | None = None,
        tick_seconds: float = 0.25,
    ) -> None:
        self._plan = plan
        self._books = books
        self._total = total
        self._report = progress
        self._tick = tick_seconds
        self._keeper = Keeper(books, plan.flush_seconds, tick_seconds)
        self._feed = self._keeper.feed
        # A server that still loads its model says the same as one that is full.
        full = max(plan.policy.deadline_seconds, plan.outage_seconds)
        changed = self._keeper.other_model
        self._fleet = Fleet(plan.model, plan.identity, replicas, plan.outage_seconds, full, changed)
        self._first = FirstAnswers(plan.model, plan.readable, self._keeper.in_thread)
        self._random = Random()
        self._pace = Pace()
        self._failures: Counter[str] = Counter()
        self._began = self._beaten = monotonic()
        self._warning = ""
        self._finished = asyncio.Event()
        self._suspect: PromptWork | None = None
        self._parked: deque[PromptWork] = deque()

    async def run(self) -> LaneProgress:
        """Ask everything; returns the final figures.

        Raises:
            IdentityChanged: every replica is another model now; nothing it may have answered was stored.
            ServerDown: the server stayed away longer than `outage_seconds`; what was stored stays.
            Barred: it will answer nothing before somebody acts; what it had answered was stored.
            Unreadable: nothing can be read in its first answers, which were stored.
        """
        try:
            await self._beat()
            async with asyncio.TaskGroup() as group:
                await self._fleet.start(group)
                keepers = [
                    group.create_task(self._keeper.keep(self._fleet, self._stored)),
                    group.create_task(self._tell_often()),
                ]
                group.create_task(self._feed.fill())
                count = min(self._plan.in_flight, max(1, self._total))
                workers = [group.create_task(self._work()) for _ in range(count)]
                await asyncio.gather(*workers)
                self._fleet.stop()
                self._finished.set()
                self._keeper.finish()
                await asyncio.gather(*keepers)
                await self._first.look(at_the_end=True)
        except BaseExceptionGroup as failures:
            cause = _cause(failures)
            if isinstance(cause, Barred | Unreadable):
                with suppress(Exception):  # what was answered is paid for; why the lane ends matters more
                    await self._keeper.flush(self._fleet)
            raise cause from failures
        finally:
            await self._keeper.close()
        return self._now()

    async def _work(self) -> None:
        while (work := await self._feed.next()) is not None:
            await self._keeper.room()
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

    async def _attempt(self, work: PromptWork) -> None:
        """Ask once for the next reply, and settle what follows."""
        if work.item.fault:
            self._settle(self._fleet.replicas[0], PromptOutcome(work, None, work.item.fault))
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
                reply = await self._ask(work, replica)
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
            self._go_on(work, replica, step)
        elif isinstance(step, GiveUp):
            await self._give_up(work, replica, step.reason)
        else:
            if replica.doubtful:
                await asyncio.sleep(step)  # instead of asking others in vain
            if replica.doubtful or (work.turned_away and not self._fleet.in_flight and not self._feed.ready):
                # It is the server, as it seems; or nobody else is left to show whether it is or this prompt.
                await self._fleet.prove_alive(work.last_failure)
            # Others first: a prompt that fails alone shows by their being answered.
            self._feed.again(work, step, last=bool(work.turned_away))

    async def _ask(self, work: PromptWork, replica: Replica) -> Reply:
        plan = self._plan
        reply = await turns.ask(replica.client, work, plan.behaviour, plan.verdict_tokens)
        if not self._warning:
            self._notice(work.item, turns.words(work), reply)
        return reply

    def _notice(self, item: FeedItem, sent: str, reply: Reply) -> None:
        """Say once, if the server shows that it cuts prompts."""
        if preflight.looks_truncated(sent, reply.prompt_tokens):
            self._warning = (
                f"its server seems to cut prompts: that of case {item.case_id} has {len(sent.split())} words, of which "
                f"it read {reply.prompt_tokens} tokens; give the server a longer context"
            )
            _log.warning("%s: %s", self._plan.model, self._warning)

    def _go_on(self, work: PromptWork, replica: Replica, reply: Reply) -> None:
        """Ask the same again with more room, ask for the next turn, or settle."""
        outcome = turns.take(work, reply)
        if outcome is None:
            self._feed.again(work)
        else:
            self._settle(replica, outcome)

    def _after(self, work: PromptWork, failure: Failure, pressure: bool, sent: float) -> float | GiveUp:
        """Seconds to wait, or giving up."""
        now = work.last_failure = monotonic()
        work.first_failure = work.first_failure or now
        work.waits += 1
        policy = self._plan.policy
        if pressure:
            work.turned_away, work.error = sent, failure.reason
            if failure.kind is FailureKind.OVERLOADED and not failure.no_place:
                return 0.0  # the replica's spacing is the wait
            bound = min(policy.cap_seconds, policy.base_seconds * 2 ** min(work.waits, 20))
            return max(self._random.uniform(0, bound), min(failure.retry_after or 0.0, policy.deadline_seconds))
        work.failed += 1
        work.barred += failure.kind is FailureKind.BARRED
        work.batch_failures += failure.status == _BATCH_STATUS
        alike = work.barred if failure.kind is FailureKind.BARRED else work.failed
        step = decide(failure, policy, alike, work.waits - 1, now - work.began - work.excused, self._random)
        return step if isinstance(step, GiveUp) else step.seconds

    async def _give_up(self, work: PromptWork, replica: Replica, reason: str) -> None:
        """Bury a prompt, unless the server may be at fault.

        A prompt is a dead letter only if others were answered before its last attempt and after it: other prompts, or a
        harmless question around another whole round of its attempts.
        """
        if work.cut is not None:
            # It was answered, if by a thought alone: more room than it had is what the server does not give.
            self._go_on(work, replica, work.cut)
            return
        before = work.seen > (work.first_failure if work.failed > 1 else 0.0)
        await self._fleet.prove_alive(work.last_failure)
        if not before and work.round == 0:
            work.fresh()
            work.round = 1
            self._feed.again(work)
            return
        self._settle(replica, PromptOutcome(work, None, reason))

    def _settle(self, replica: Replica, outcome: PromptOutcome) -> None:
        self._keeper.settle(replica, outcome)
        if self._first.take(outcome.work.item.case_id, outcome.reply):
            self._keeper.soon()

    async def _stored(self) -> None:
        """What follows each time that finished prompts have been stored."""
        await self._first.look()
        if monotonic() - self._beaten >= self._plan.flush_seconds:
            await self._beat()

    async def _beat(self) -> None:
        self._beaten = monotonic()
        self._fleet.bound(self._plan.in_flight, await self._keeper.in_thread(self._books.beat, self._now()))

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

    def _now(self) -> LaneProgress:
        now, tally = monotonic(), self._keeper.tally
        return LaneProgress(
            done=tally.done,
            total=self._total,
            dead=tally.dead,
            in_flight=self._fleet.in_flight,
            allowed=self._fleet.allowed,
            failures=dict(self._failures),
            seconds=now - self._began,
            rate=self._pace.at(now, tally.done),
            note="; ".join(filter(None, (self._fleet.note, self._warning))),
            unanswered=tally.unanswered,
        )


def _unforeseen(error: Exception) -> Failure:
    """What no client should raise counts against the prompt, if a harmless one can be asked; else it ends the lane."""
    return Failure(FailureKind.FATAL, f"asking it fails: {type(error).__name__}: {storable(str(error))[:300]}")


def _turned_away(work: PromptWork) -> str:
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
