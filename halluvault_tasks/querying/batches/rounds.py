"""What is done with an evaluation's batches: rounds of asking all that is missing, until nothing is.

A round hands in a request for each prompt that has no response: its first turn, the next one once a reply is there, the
same again where none came. It is over when the API has ended all of its batches; what they brought is written down
first, then read, and only then stored as responses or asked on. So a process may be killed anywhere: the next one finds
in `book`, and at the API, how far the last one came.
"""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Row

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import turns
from halluvault_tasks.querying.barred import AGAIN, Barred, barred, not_before
from halluvault_tasks.querying.batches.api import BatchApi
from halluvault_tasks.querying.batches.book import BatchBook, ForeignLines, HeardLine, SentLine, heard
from halluvault_tasks.querying.batches.forms import BatchStage, RemoteBatch
from halluvault_tasks.querying.batches.paper import PaperTransport
from halluvault_tasks.querying.batches.spool import Spool
from halluvault_tasks.querying.feed import PromptWork
from halluvault_tasks.querying.first_answers import FEWEST, FirstAnswer, FirstAnswers, Readable
from halluvault_tasks.querying.fleet import PROBE
from halluvault_tasks.querying.lane import LanePlan
from halluvault_tasks.querying.outage import until_it_answers
from halluvault_tasks.querying.progress import LaneProgress, LaneTally
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome, ServerDown
from halluvault_tasks.querying.replies import Client, Failure, FailureKind, Reply, storable
from halluvault_tasks.querying.store import Store

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_CHUNK = 500
_GONE = (404, 410)


class BatchPlan(NamedTuple):
    """How an evaluation is asked in batches."""

    lane: LanePlan
    """What it has in common with being asked one by one."""
    requests: int
    """Of a batch at most."""
    bytes: int
    """Likewise."""
    window: str
    """Within which a batch is to be done; empty: as the API has it."""
    deadline: timedelta
    """After which a batch that has not ended is a person's business."""
    poll_seconds: float
    """Between two looks at a batch."""


class BatchWay(NamedTuple):
    """The way to the API, while a step is taken."""

    api: BatchApi
    client: Client
    """Asks through `paper`."""
    paper: PaperTransport


class BatchRounds:
    """The batches of one evaluation, from where they are to the next wait.

    Args:
        plan: the model and the limits.
        book: what is known of its batches.
        books: a fresh look at what is missing; keeps outcomes.
        total: how many prompts were missing when the run began.
        progress: told after each step; what it raises stops the run.
    """

    def __init__(
        self,
        plan: BatchPlan,
        book: BatchBook,
        books: Callable[[], Store],
        total: int,
        progress: Callable[[LaneProgress], None] | None = None,
    ) -> None:
        self._plan, self._lane, self._book = plan, plan.lane, book
        self._fresh, self._store = books, books()
        self._total, self._report = total, progress
        self._tally, self._failures = LaneTally(), Counter[str]()
        self._first = FirstAnswers(plan.lane.model, plan.lane.readable, _here)
        self._began = monotonic()
        self._note = ""
        self._open = 0
        self._news = 0
        """The round whose answers have just come; 0: none has."""
        self._stop: UserError | None = None
        """What ends the run once all that came is stored."""
        self._stuck: UserError | None = None
        """What a person must decide of a batch before the round can end."""
        self._barring: Failure | None = None
        """What bars every request, as an answer that has just come says."""

    async def step(self, way: BatchWay) -> float:
        """Do all that can be done now.

        Returns:
            Seconds until more may be; 0: nothing is missing any more.

        Raises:
            IdentityChanged: the API serves another model now; nothing that it answered is stored.
            ServerDown: it has not answered for longer than `outage_seconds`.
            Barred: nothing more comes before somebody acts; what had come is stored.
            Unreadable: nothing can be read in the first answers, which are stored.
        """
        self._stop = self._stuck = self._barring = None
        ended = [await self._carried_on(way, row) for row in self._book.open()]
        if not self._book.open():
            await self._confirm(way)
            self._news = self._book.newest_round() if any(ended) else 0
            if self._news and self._stop is None:
                await self._require_fruit(way, self._news)
            with TemporaryDirectory(prefix="halluvault-batches-") as folder:
                spool = Spool(Path(folder), way.api.line, self._plan.requests, self._plan.bytes)
                await self._settle(way, spool)
                if self._barring is not None:
                    raise barred(self._lane.model, way.client.base_url, self._barring)
                if self._stop is not None:
                    raise self._stop
                await self._hand_in(way, spool)
        waiting = self._book.open()
        self._told(waiting)
        if self._stuck is not None:
            raise self._stuck
        if waiting:
            return self._plan.poll_seconds
        await self._first.look(at_the_end=True)
        return 0.0

    def now(self) -> LaneProgress:
        """Where it stands."""
        tally = self._tally
        return LaneProgress(
            tally.done, self._total, tally.dead, self._open, self._open, dict(self._failures),
            monotonic() - self._began, 0.0, self._note, tally.unanswered,
        )  # fmt: skip

    # One batch.

    async def _carried_on(self, way: BatchWay, row: Row[Any]) -> bool:
        """Take a batch as far as it can be taken now; returns whether it ended."""
        remote = await self._known(way, row)
        if remote is None:
            self._book.drop(row.key)
            return False
        self._book.told(row.key, remote)
        match remote.stage:
            case BatchStage.RUNNING:
                self._look_at_the_time(row, remote)
                return False
            case BatchStage.FAILED:
                self._book.close(row.key, f"its batch failed: {remote.why or 'the API does not say why'}")
            case stage:
                if not await self._collect(way, row, remote):
                    return False
                if stage is BatchStage.CANCELLED:
                    self._stop = Barred(
                        f"{self._lane.model}: batch {remote.id} was cancelled; what it had answered is stored",
                        "run the same command again to ask the rest in another batch",
                    )
        return True

    async def _known(self, way: BatchWay, row: Row[Any]) -> RemoteBatch | None:
        """A batch as the API has it; None: it never got there, or without what it asks."""
        if row.batch_id is not None:
            return await self._insist(way, partial(way.api.look, row.batch_id), self._unknown(row))
        if there := await self._insist(way, partial(way.api.find, row.key)):
            _log.info("%s: batch %s had been made by a run that was stopped", self._lane.model, there.id)
            return there
        if row.file_id is None:
            return None
        try:
            return await self._made(way, row.key, row.file_id)
        except Barred as error:
            _log.warning("%s; its requests are handed in anew", error.message)
            return None

    def _unknown(self, row: Row[Any]) -> Callable[[Failure], UserError | None]:
        def meant(failure: Failure) -> UserError | None:
            if failure.status not in _GONE:
                return None
            return Barred(
                f"{self._lane.model}: its API no longer knows batch {row.batch_id}: {failure.reason}", self._give_up
            )

        return meant

    def _look_at_the_time(self, row: Row[Any], remote: RemoteBatch) -> None:
        waited = datetime.now(UTC) - (row.submitted_at or row.created_at)
        if waited <= self._plan.deadline:
            return
        hours = self._plan.deadline.total_seconds() / 3600
        self._stuck = Barred(
            f"{self._lane.model}: batch {remote.id} has not ended within {hours:g} h ({remote.status}, "
            f"{remote.completed} of {row.requests} done)",
            f"wait longer: `batch: {{deadline_hours: …}}` in models.yaml; or {self._give_up}",
        )

    @property
    def _give_up(self) -> str:
        return (
            f"give it up: `halluvault query run --model {self._lane.model} --again-batches` cancels it and asks what "
            "it lacks anew"
        )

    async def _collect(self, way: BatchWay, row: Row[Any], remote: RemoteBatch) -> bool:
        """Write down all that a batch has to give, or nothing of it; returns whether it ended."""
        try:
            once = partial(self._collected, way, row, remote)
            await self._insist(way, partial(way.api.patiently, once), _gone)
        except _FileGone as gone:
            self._book.close(row.key, f"a file of batch {remote.id} is gone: {gone.message}")
        except ForeignLines as foreign:
            self._stuck = Barred(
                f"{self._lane.model}: the files of batch {remote.id} answer what was not asked in it (custom_id "
                f"{foreign.custom_id!r}); nothing of it is stored",
                f"run the same command again, in case another file was handed out; or {self._give_up}",
            )
            return False
        return True

    async def _collected(self, way: BatchWay, row: Row[Any], remote: RemoteBatch) -> None:
        try:
            staged, counts = self._book.stage(), Counter[str]()
            async for several in _chunks(_heard(way, row, remote, counts)):
                staged.add(several)
            lost = row.requests - self._book.kept(row.key, staged)
            self._book.collected(row.key, "its batch expired" if remote.status == "expired" else "")
        finally:
            self._book.roll_back()
        if lost or counts["damaged"]:
            _log.warning(
                "%s: batch %s (%s) has no answer to %d of %d requests, and %d lines that say nothing",
                self._lane.model, remote.id, remote.status, lost, row.requests, counts["damaged"],
            )  # fmt: skip

    # A round.

    async def _confirm(self, way: BatchWay) -> None:
        """Raise unless the API says that it is still the planned model."""
        found = (await self._insist(way, way.client.info)).identity
        if found == self._lane.identity:
            return
        cause = IdentityChanged(
            f"{self._lane.model} at {way.client.base_url} is now {found}; this evaluation was planned for "
            f"{self._lane.identity}",
            "put the planned version back, or run the same command again: it plans a new evaluation for this one",
        )
        self._store.changed(cause)
        raise cause

    async def _require_fruit(self, way: BatchWay, number: int) -> None:
        """Raise where a round brought no reply at all: that is the API's doing, and counts against no prompt.

        Of a few prompts it may be theirs, if a harmless question is answered.
        """
        errors, failures, asked = self._book.errors(number), list[Failure](), 0
        for work, lines in self._pages():
            if not lines or lines[-1].round != number:
                continue
            asked += 1
            for line in lines:
                try:
                    reply = await self._read(way, work, line)
                except Failure as failure:
                    failures += [failure] if line.round == number else []
                else:
                    if line.round == number:
                        return
                    turns.take(work, reply)
        bars = next((one for one in failures if one.kind is FailureKind.BARRED), None)
        if not asked:
            return
        if asked < FEWEST and not errors and bars is None:
            await self._insist(way, partial(way.client.complete, PROBE))
            return
        self._book.fruitless(number)
        if bars is not None:
            raise barred(self._lane.model, way.client.base_url, bars)
        why = errors[0] if errors else Counter(one.reason for one in failures).most_common(1)[0][0]
        raise Barred(
            f"{self._lane.model}: its batches brought no reply at all: {why}",
            f"mend that, or ask with `asking: direct` in models.yaml; {AGAIN}",
        )

    async def _settle(self, way: BatchWay, spool: Spool) -> None:
        """Read what came, store what is done, and write the request for whatever is not."""
        outcomes: list[PromptOutcome] = []
        for work, lines in self._pages():
            outcome = await self._played(way, work, lines) or await self._written(way, work, spool)
            if outcome is None:
                continue
            outcomes.append(outcome)
            if len(outcomes) >= _CHUNK:
                await self._keep(outcomes)
        await self._keep(outcomes)
        self._book.tidy()

    async def _keep(self, outcomes: list[PromptOutcome]) -> None:
        self._store.store(outcomes)
        for outcome in outcomes:
            self._tally.add(outcome.reply)
            self._first.take(outcome.work.item.case_id, outcome.reply)
        outcomes.clear()
        await self._first.look()

    def _pages(self) -> Iterator[tuple[PromptWork, Sequence[SentLine]]]:
        """Every prompt without a response, with what was handed in for it."""
        store = self._fresh()
        while page := store.page():
            sent = self._book.lines(page)
            for item in page:
                yield PromptWork(item), sent.get((item.case_id, item.sample), ())

    async def _played(self, way: BatchWay, work: PromptWork, lines: Sequence[SentLine]) -> PromptOutcome | None:
        """What a prompt's requests have come to; None: it is to be asked on."""
        if work.item.fault:
            return PromptOutcome(work, None, work.item.fault)
        for line in lines:
            work.attempts += 1
            try:
                reply = await self._read(way, work, line)
            except Failure as failure:
                outcome = self._after(work, failure, line.round == self._news)
            else:
                outcome = turns.take(work, reply)
            if outcome is not None:
                return outcome
        return None

    async def _read(self, way: BatchWay, work: PromptWork, line: SentLine) -> Reply:
        """The reply to a prompt's next turn in what came back.

        Raises:
            Failure: there is none.
        """
        if line.answer is None:
            raise Failure(FailureKind.RETRYABLE, line.error or "its batch ended without an answer to it")
        if line.unasked:
            raise Failure(FailureKind.RETRYABLE, line.unasked)
        try:
            return await way.paper.read(partial(self._ask, way, work), line.answer)
        except Failure:
            raise
        except Exception as error:
            raise _unforeseen("reading its answer", error) from error

    async def _ask(self, way: BatchWay, work: PromptWork) -> Reply:
        return await turns.ask(way.client, work, self._lane.behaviour, self._lane.verdict_tokens)

    def _after(self, work: PromptWork, failure: Failure, new: bool) -> PromptOutcome | None:
        """What follows where no reply came: the same again (None), or giving up."""
        reason, most = failure.reason, self._lane.policy.attempts
        self._failures[failure.kind.value] += new
        if failure.kind is FailureKind.BARRED and not failure.may_pass:
            self._barring = failure if new else self._barring
            return None
        if failure.kind is FailureKind.BARRED:
            work.barred += 1
            over = work.barred > 1
        else:
            work.failed += 1
            over = failure.kind is FailureKind.FATAL or work.failed >= most
        if not over:
            return None
        if work.cut is not None:  # it was answered, if by a thought alone
            return turns.take(work, work.cut)
        if work.failed > 1:
            reason = f"{work.failed} attempts failed, the last with: {reason}"
        return PromptOutcome(work, None, reason)

    async def _written(self, way: BatchWay, work: PromptWork, spool: Spool) -> PromptOutcome | None:
        """Write the request for a prompt's next turn; an outcome where that cannot be done."""
        try:
            body = await way.paper.written(partial(self._ask, way, work))
            spool.add((work.item.case_id, work.item.sample), len(work.replies) + 1, body)
        except Failure as failure:
            return PromptOutcome(work, None, failure.reason)
        except Exception as error:
            return PromptOutcome(work, None, _unforeseen("asking it", error).reason)
        return None

    async def _hand_in(self, way: BatchWay, spool: Spool) -> None:
        """Make the batches of a new round."""
        number = self._book.newest_round() + 1
        for one in spool.batches():
            self._book.begin(one.key, number, one.turn, one.asked)
            try:
                file = await self._insist(way, partial(way.api.upload, f"halluvault-{one.key}.jsonl", one.path))
                self._book.uploaded(one.key, file)
                remote = await self._made(way, one.key, file)
            except Barred:
                self._book.drop(one.key)
                raise
            self._book.told(one.key, remote)
            _log.info("%s: batch %s, turn %d of %d prompts", self._lane.model, remote.id, one.turn, len(one.asked))

    async def _made(self, way: BatchWay, key: str, file: str) -> RemoteBatch:
        name = self._lane.identity.model_id
        return await self._insist(way, partial(way.api.make, key, file, name, self._plan.window))

    # What is shared.

    def _told(self, waiting: Sequence[Row[Any]]) -> None:
        done, requests = sum(row.completed + row.failed for row in waiting), sum(row.requests for row in waiting)
        self._open = requests
        self._note = ""
        if waiting:
            states = ", ".join(sorted({f"{row.batch_id} {row.status}" for row in waiting}))
            self._note = f"turn {waiting[0].turn} in batches ({states}): {done} of {requests} requests done"
        now = self.now()
        self._store.beat(now)
        if self._report is not None:
            self._report(now)

    async def _insist(
        self,
        way: BatchWay,
        call: Callable[[], Awaitable[_T]],
        meant: Callable[[Failure], Exception | None] = lambda _failure: None,
    ) -> _T:
        """What the API says, waited for as long as it may be away.

        Args:
            way: to it.
            call: one question.
            meant: what a failure means here in particular.

        Raises:
            ServerDown, Barred: it says nothing, or nothing else before somebody acts.
        """
        url = way.client.base_url

        async def once() -> _T:
            try:
                return await call()
            except Failure as failure:
                if special := meant(failure):
                    raise special from failure
                if far_off := not_before(self._lane.model, url, failure, self._lane.outage_seconds):
                    raise far_off from failure
                if failure.kind.passes:
                    what = f"the batches of {self._lane.model} cannot be reached at {url}: {failure.reason}"
                    raise ServerDown(what, AGAIN) from failure
                raise barred(self._lane.model, url, failure) from failure

        return await until_it_answers(once, f"the batches of {self._lane.model} at {url}", self._lane.outage_seconds)


class _FileGone(Exception):
    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _gone(failure: Failure) -> Exception | None:
    return _FileGone(failure.reason) if failure.status in _GONE else None


async def _here(readable: Readable, answers: Sequence[FirstAnswer]) -> bool:
    """Called in this very thread: nothing else is under way."""
    return readable(answers)


async def _heard(way: BatchWay, row: Row[Any], remote: RemoteBatch, counts: Counter[str]) -> AsyncIterator[HeardLine]:
    """The answers in a batch's files; lines that say nothing are counted."""
    for file in remote.files:
        async for line in way.api.lines(file):
            found = heard(line, row.key, row.requests)
            if found is None:
                counts["damaged"] += 1
            else:
                yield found


async def _chunks(lines: AsyncIterator[HeardLine]) -> AsyncIterator[Sequence[HeardLine]]:
    several: list[HeardLine] = []
    async for line in lines:
        several.append(line)
        if len(several) >= _CHUNK:
            yield several
            several = []
    if several:
        yield several


def _unforeseen(what: str, error: Exception) -> Failure:
    return Failure(FailureKind.FATAL, f"{what} fails: {type(error).__name__}: {storable(str(error))[:300]}")
