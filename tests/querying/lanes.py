"""A lane over clients whose servers live in this process, and what a database would do beside it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.lane import Lane, LanePlan
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome, Replica
from halluvault_tasks.querying.replies import ChatMessage, Failure, FailureKind, Identity, Reply, ServerInfo
from halluvault_tasks.querying.retry_policy import Policy

PLANNED, OTHER = Identity("m", "1", "v"), Identity("m", "2", "v")

Behaviour = Callable[["Served", str], Reply | Failure]


def reply(text: str) -> Reply:
    return Reply(text, "stop", 1, 1, 0, 1, 1)


def broken(status: int = 500) -> Failure:
    return Failure(FailureKind.RETRYABLE, f"HTTP {status}: broken", status)


class Served:
    """A replica that answers as told, and remembers what it was asked."""

    def __init__(self, name: str = "http://a", behaviour: Behaviour = lambda served, prompt: reply(prompt)) -> None:
        self.base_url = name
        self.identity = PLANNED
        self.behaviour = behaviour
        self.reachable = True
        self.admits: int | None = None
        self.asked: list[str] = []
        self.patience: list[int] = []
        self.open = self.most_open = self.cancelled = 0
        self.hold: asyncio.Event | None = None

    async def _answer(self, prompt: str) -> Reply:
        self.asked.append(prompt)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await (self.hold.wait() if self.hold else asyncio.sleep(0))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.open -= 1
        if not self.reachable:
            raise Failure(FailureKind.RETRYABLE, "cannot connect: refused")
        found = self.behaviour(self, prompt)
        if isinstance(found, Failure):
            raise found
        return found

    async def complete(self, prompt: str, seed: int | None = None, patience: int = 1) -> Reply:
        self.patience.append(patience)
        return await self._answer(prompt)

    async def chat(
        self, messages: list[ChatMessage], *held: object, seed: int | None = None, patience: int = 1
    ) -> Reply:
        self.patience.append(patience)
        return await self._answer(" | ".join(f"{each['role']}: {each['content']}" for each in messages))

    async def info(self, seconds: float = 10.0) -> ServerInfo:
        if not self.reachable:
            raise Failure(FailureKind.RETRYABLE, "cannot connect: refused")
        return ServerInfo(self.identity, self.admits)

    async def healthy(self) -> bool:
        return self.reachable

    async def count_tokens(self, prompt: str) -> int | None:
        return None


class Book:
    """What a database would do."""

    def __init__(self, items: Sequence[FeedItem]) -> None:
        self.pages = [list(items[start : start + 10]) for start in range(0, len(items), 10)]
        self.kept: dict[str, PromptOutcome] = {}
        self.changes: list[IdentityChanged] = []
        self.lanes = 1

    def page(self) -> Sequence[FeedItem]:
        return self.pages.pop(0) if self.pages else []

    def store(self, outcomes: Sequence[PromptOutcome]) -> None:
        for outcome in outcomes:
            assert outcome.work.item.case_id not in self.kept
            self.kept[outcome.work.item.case_id] = outcome

    def beat(self, now: LaneProgress) -> int:
        return self.lanes

    def changed(self, cause: IdentityChanged) -> None:
        self.changes.append(cause)

    def texts(self) -> dict[str, str | None]:
        return {case: outcome.reply.text if outcome.reply else None for case, outcome in self.kept.items()}


def plain(count: int) -> list[FeedItem]:
    return [FeedItem(f"c{number}", f"q{number}") for number in range(count)]


def run(
    servers: Sequence[Served], book: Book, total: int, during: Callable[[LaneProgress], None] | None = None, **plan: Any
) -> LaneProgress:
    settings = {"in_flight": 8, "policy": Policy(4, 30.0, 0.001, 0.005), "outage_seconds": 5.0, "flush_seconds": 0.02}

    async def lane() -> LaneProgress:
        made = LanePlan("m", PLANNED, **{**settings, **plan})  # type: ignore[arg-type]
        return await Lane(made, [Replica(each) for each in servers], book, total, during, tick_seconds=0.01).run()

    return asyncio.run(lane())
