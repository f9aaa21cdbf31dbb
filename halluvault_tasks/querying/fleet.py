"""The replicas of one model as a lane uses them: free capacity, a circuit breaker, and checks of their identity.

A replica is taken out after several failures in a row that were its own, or when it says that it is another model. It
comes back once it is healthy, is the planned model, and has answered a harmless question. The lane continues while
another replica is up; if none has been up for as long as the lane may wait, the lane stops and says why.

A replica that is full, or behind a full gateway, stays in: it is asked less (`limiter`) and later (`refusal_spacing`).
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from time import monotonic

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.barred import AGAIN, barred, longest_wait, not_before
from halluvault_tasks.querying.feed import PromptWork
from halluvault_tasks.querying.outage import Teller
from halluvault_tasks.querying.replica import IdentityChanged, Replica, ServerDown
from halluvault_tasks.querying.replies import Failure, FailureKind, Identity, Reply, UnknownShape
from halluvault_tasks.querying.retry_policy import A_MOMENT, patiently
from halluvault_tasks.querying.transport import INFO_SECONDS

_log = logging.getLogger(__name__)

PROBE = "Is the sky blue? Answer yes or no."
_FAILURES_IN_A_ROW = 5
_LONGEST_INFO_SECONDS = 300.0


class Fleet:
    """All replicas of one model.

    Args:
        model: registry name, for messages.
        identity: what every replica must be.
        replicas: at least one.
        outage_seconds: how long to wait when none is up.
        full_seconds: how long to wait for a gateway that admits nobody.
        changed: told once whenever a replica became another model.
    """

    def __init__(
        self,
        model: str,
        identity: Identity,
        replicas: Sequence[Replica],
        outage_seconds: float,
        full_seconds: float,
        changed: Callable[[Replica, IdentityChanged], None],
    ) -> None:
        self.replicas = replicas
        self.answered = 0.0
        """When any of them last answered (monotonic)."""
        self.epoch = 0
        """How often any of them became another model: what was asked in an earlier epoch may be another model's."""
        self._model = model
        self._identity = identity
        self._outage = outage_seconds
        self._full = full_seconds
        self._longest_wait = longest_wait(outage_seconds)
        self._changed = changed
        self._waiting: deque[asyncio.Future[Replica]] = deque()
        self._random = Random()
        self._proving = asyncio.Lock()
        self._menders: set[asyncio.Task[None]] = set()
        self._budget = self._lanes = 1
        self._group: asyncio.TaskGroup | None = None
        self._began = monotonic()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def in_flight(self) -> int:
        """Open requests."""
        return sum(replica.open for replica in self.replicas)

    @property
    def allowed(self) -> int:
        """Requests that may be open now."""
        return sum(replica.limiter.limit for replica in self.replicas if replica.up)

    @property
    def spacing(self) -> float:
        """Seconds between two requests to the replica that admits fewest; 0 where none has to be kept."""
        return max((replica.pacer.interval for replica in self.replicas if replica.up), default=0.0)

    @property
    def note(self) -> str:
        """Why it waits, if it does."""
        out = [replica for replica in self.replicas if not replica.up]
        return "; ".join(replica.cause.message for replica in out if replica.cause)

    def bound(self, budget: int, lanes: int) -> None:
        """Share the server: `budget` requests for `lanes` lanes, and of each replica's own limit as much."""
        self._budget, self._lanes = budget, max(1, lanes)
        part = max(1, budget // self._lanes)
        for place, replica in enumerate(self.replicas):
            mine = part // len(self.replicas) + (place < part % len(self.replicas))
            stated = replica.stated if replica.stated is not None else mine
            replica.limiter.bound(max(1, min(mine, stated // self._lanes)))
        self._hand_out()

    async def start(self, group: asyncio.TaskGroup) -> None:
        """Ask every replica who it is before anything else; who does not say, or is another model, waits outside.

        Raises:
            ServerDown: one refuses to say.
            Barred: it answers nothing before somebody acts.
        """
        self._group = group
        await asyncio.gather(*(self._meet(replica) for replica in self.replicas))
        self.bound(self._budget, self._lanes)

    async def _meet(self, replica: Replica) -> None:
        try:
            info = await patiently(replica.client.info, A_MOMENT, self._random)
        except Failure as failure:
            cause = ServerDown(f"{self._model} does not answer at {replica.client.base_url}: {failure.reason}", AGAIN)
            if failure.kind is FailureKind.FATAL:
                raise cause from failure
            if failure.kind is FailureKind.BARRED:
                raise barred(self._model, replica.client.base_url, failure) from failure
            self._take_out(replica, cause)
            return
        replica.admits(info.max_concurrent_requests)
        if info.identity != self._identity:
            self._became(replica, info.identity)

    def stop(self) -> None:
        """End the menders: nothing is to be asked any more."""
        for task in self._menders:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    async def acquire(self) -> Replica:
        """Room for one request, at its time; waits for it, first come, first served."""
        if not self._waiting and (found := self._ready()):
            return found
        turn: asyncio.Future[Replica] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(turn.result())
            raise

    def release(self, replica: Replica) -> None:
        """Give the room back."""
        replica.closed()
        self._hand_out()

    def succeeded(self, replica: Replica, reply: Reply, seconds: float, opened: int) -> None:
        """Count an answer to a request that was the last of `opened` open ones when it was sent."""
        self.answered = now = monotonic()
        # A server that does not count its tokens is taken to make one of four characters.
        characters = len(reply.text) + len(reply.thought or "")
        tokens = characters // 4 if reply.generated_tokens is None else reply.generated_tokens
        replica.succeeded(max(1, tokens), seconds, opened, now)
        replica.tokens.told(reply.rate, now - seconds, now, (reply.prompt_tokens or 0) + tokens)

    def failed(
        self, replica: Replica, failure: Failure, sent: float, opened: int = 1, work: PromptWork | None = None
    ) -> bool:
        """Count a failure: pressure affects limit and spacing, the replica's own failures the breaker.

        Args:
            replica: which of them.
            failure: what came.
            sent: when it was asked (monotonic).
            opened: how many were open with it then.
            work: the prompt; None for a harmless one of ours.

        Returns:
            Whether it was pressure, which says nothing about the prompt.

        Raises:
            ServerDown: nobody has been answered for longer than the lane may wait for a full server.
            Barred: nobody will be before somebody acts, or before a time too far off to wait for.
        """
        now = monotonic()
        full = failure.kind is FailureKind.OVERLOADED
        self._count(replica, failure)
        far_off = full and not_before(self._model, replica.client.base_url, failure, self._outage)
        if far_off and not self._others_go_on(replica, now):
            raise far_off
        # A gateway says the same about a slow server as about one that is down, which the breaker finds out;
        # of the prompt neither says anything.
        pressure = full or failure.from_gateway
        if full and now - max(self.answered, self._began) > self._full:
            raise ServerDown(
                f"{self._model} has been full at {replica.client.base_url} for {self._full:g} s: {failure.reason}",
                AGAIN,
            )
        # Where more were open than have been admitted of late, fewer may be the cure; else only wider spacing is.
        crowded = failure.no_place or 0 < replica.most_admitted < opened
        if full:
            fewer = failure.no_place or (crowded and not replica.pacer.interval)
            asked_to_wait = None if failure.retry_after is None else min(failure.retry_after, self._full)
            replica.pacer.refused(sent, now, asked_to_wait, fewer)
            replica.tokens.told(failure.rate, sent, now)
        if failure.from_gateway or failure.timed_out or (full and (crowded or not replica.answered)):
            # What has been open for longer than a refusal takes has been admitted.
            admitted = 1 if failure.no_place else replica.open_before(sent - 2 * (now - sent))
            replica.limiter.refused(now, admitted + (2 + admitted // 4 if replica.pacer.interval else 0))
        if pressure and work is not None:
            replica.turned_away.add(work)
        if failure.kind is FailureKind.RETRYABLE:
            replica.failures += 1
            if replica.failures >= _FAILURES_IN_A_ROW and replica.up:
                what = f"{self._model} does not answer at {replica.client.base_url}: {failure.reason}"
                self._take_out(replica, ServerDown(what, AGAIN))
        elif failure.status != 503:  # which a gateway also says of a server that is gone
            replica.failures = 0
        return pressure

    def _count(self, replica: Replica, failure: Failure) -> None:
        """Count what may be the server's answer to everything; raise where it surely is.

        Raises:
            Barred: it surely is.
        """
        replica.strange += isinstance(failure, UnknownShape)
        if failure.kind is FailureKind.BARRED:
            replica.barred += 1
            if not failure.may_pass:
                raise barred(self._model, replica.client.base_url, failure)

    def _others_go_on(self, replica: Replica, now: float) -> bool:
        return any(
            other.up and other.delay(now) <= self._longest_wait for other in self.replicas if other is not replica
        )

    async def prove_alive(self, since: float) -> None:
        """Return once any prompt was answered after `since`; a harmless one is asked for that.

        Raises:
            ServerDown: the server refuses the harmless prompt, too.
            Barred: it bars that one, too, or answers it in a shape that nobody knows.
        """
        async with self._proving:
            while self.answered <= since:
                replica = await self.acquire()
                began, opened = monotonic(), replica.open
                try:
                    reply = await replica.client.complete(PROBE)
                except Failure as failure:
                    self.failed(replica, failure, began, opened)
                    self._require_no_refusal(replica, failure)
                else:
                    self.succeeded(replica, reply, monotonic() - began, opened)
                finally:
                    self.release(replica)
                if self.answered <= since:
                    await asyncio.sleep(self._random.uniform(0.0, 0.5))

    async def confirm(self, replica: Replica) -> bool | None:
        """Whether a replica says that it is still the planned model; None while it does not say.

        A replica that is another model is taken out.

        Raises:
            ServerDown: it has not said so for longer than the lane may wait.
            Barred: it will not say so before somebody acts.
        """
        await asyncio.sleep(min(replica.pacer.reserve(monotonic()), self._longest_wait))
        asked = monotonic()
        try:
            found = (await replica.client.info(replica.info_seconds)).identity
        except Failure as failure:
            if failure.kind in (FailureKind.OVERLOADED, FailureKind.BARRED):
                self.failed(replica, failure, asked)
                if failure.kind is FailureKind.BARRED:
                    self._require_no_refusal(replica, failure)
                return None
            if failure.timed_out:
                replica.info_seconds = min(2 * replica.info_seconds, _LONGEST_INFO_SECONDS)
                if replica.open:
                    return None  # it may be busy with them; that they take too long, their own time-outs say
            now = monotonic()
            replica.unconfirmed_since = replica.unconfirmed_since or now
            if now - max(replica.unconfirmed_since, replica.answered) > self._outage:
                raise ServerDown(
                    f"{self._model} no longer identifies itself at {replica.client.base_url}: {failure.reason}", AGAIN
                ) from failure
            return None
        replica.unconfirmed_since, replica.info_seconds = 0.0, INFO_SECONDS
        if found == self._identity:
            return True
        self._became(replica, found)
        return False

    def _became(self, replica: Replica, found: Identity) -> None:
        cause = IdentityChanged(
            f"{self._model} at {replica.client.base_url} is now {found}; this evaluation was planned for "
            f"{self._identity}",
            "put the planned version back, or run the same command again: it plans a new evaluation for this one",
        )
        if not isinstance(replica.cause, IdentityChanged):
            self.epoch += 1
            self._changed(replica, cause)
        self._take_out(replica, cause)

    def _take_out(self, replica: Replica, cause: UserError) -> None:
        replica.cause = cause
        if not replica.up:
            return
        replica.up = False
        _log.warning("paused: %s", cause.message)
        if self._group is not None:
            task = self._group.create_task(self._mend(replica))
            self._menders.add(task)
            task.add_done_callback(self._menders.discard)

    async def _mend(self, replica: Replica) -> None:
        """Wait until a replica may be asked again."""
        pause = 0.1
        since = monotonic()
        teller = Teller(f"{self._model} at {replica.client.base_url}", self._outage)
        while True:
            # Full jitter: many lanes must not return to a server that has just come back all at once.
            await asyncio.sleep(self._random.uniform(0.0, pause))
            pause = min(pause * 2, 1.0)
            if await replica.client.healthy() and await self._is_itself_again(replica):
                replica.up, replica.failures, replica.cause = True, 0, None
                _log.info("%s answers again at %s", self._model, replica.client.base_url)
                self._hand_out()
                return
            now = monotonic()
            if any(other.up for other in self.replicas):
                since = now
            elif now - since > self._outage:
                assert replica.cause
                raise replica.cause
            if replica.cause:
                teller.tell(replica.cause.message)

    async def _is_itself_again(self, replica: Replica) -> bool:
        try:
            info = await replica.client.info()
            if info.identity != self._identity:
                self._became(replica, info.identity)
                return False
            replica.admits(info.max_concurrent_requests)
            self.bound(self._budget, self._lanes)
            await replica.client.complete(PROBE)
        except Failure as failure:
            self._count(replica, failure)
            self._require_no_refusal(replica, failure)
            return failure.kind is FailureKind.OVERLOADED  # sound and full
        self.answered = monotonic()
        return True

    def _require_no_refusal(self, replica: Replica, failure: Failure) -> None:
        """Raise where not even a harmless question, whose failure is counted, can be answered."""
        if replica.doubtful and (isinstance(failure, UnknownShape) or failure.kind is FailureKind.BARRED):
            raise barred(self._model, replica.client.base_url, failure) from failure
        if failure.kind is FailureKind.FATAL:
            raise ServerDown(
                f"{self._model} refuses even a harmless question at {replica.client.base_url}: {failure.reason}",
                "correct its entry in models.yaml; " + AGAIN,
            ) from failure

    def _ready(self) -> Replica | None:
        """Take a place on the replica with most room among those that may be asked now; None if there is none."""
        now = monotonic()
        best, room, soonest = None, 0, float("inf")
        for replica in self.replicas:
            free = replica.limiter.limit - replica.open
            if not replica.up or free <= 0:
                continue
            if delay := replica.delay(now):
                soonest = min(soonest, delay)
            elif free > room:
                best, room = replica, free
        if best is not None:
            best.opened(now)
        elif soonest < float("inf"):
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(soonest, self._hand_out)
        return best

    def _hand_out(self) -> None:
        while self._waiting:
            if self._waiting[0].done():  # given up meanwhile
                self._waiting.popleft()
            elif found := self._ready():
                self._waiting.popleft().set_result(found)
            else:
                return
