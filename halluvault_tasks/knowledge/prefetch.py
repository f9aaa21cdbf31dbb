"""Sends requests while earlier answers are still being stored, so that neither side waits long for the other.

Threads only talk to the service; everything that touches the database stays with the caller. They are daemons: a
process that is told to end does not wait for a failing service.
"""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from queue import SimpleQueue

from halluvault_tasks.knowledge.answer_failures import TooMuch
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.counted_answers import CountedAnswer
from halluvault_tasks.knowledge.queries import SelectQuery

_PATIENCE = 5.0  # seconds for an answer that is under way when its caller leaves

_Job = tuple[SelectQuery, "Future[CountedAnswer]"]


class Ahead:
    """Answers to a known series of queries, in their order, a few of them asked for in advance.

    Args:
        client: keeps its own limit of requests in flight and its gap.
        wanted: the queries; `take` must be called for them in this order.
    """

    def __init__(self, client: WikidataClient, wanted: Sequence[SelectQuery]) -> None:
        self._client = client
        self._waiting = deque(wanted)
        self._sent: deque[_Job] = deque()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = 0
        self._lost: BaseException | None = None

    def begin(self) -> None:
        """Send the first ones now, not when the first answer is taken."""
        self._send()

    def take(self) -> CountedAnswer:
        """The next query's answer; raises as `WikidataClient.select`."""
        self._send()
        _, future = self._sent.popleft()
        answer = future.result()
        self._send()
        return answer

    def close(self) -> Iterator[tuple[SelectQuery, CountedAnswer]]:
        """Send no more requests; yields answers that arrived unused, for the caller to store."""
        for _, future in self._sent:
            future.cancel()
        for _ in range(self._threads):
            self._jobs.put(None)
        wait([future for _, future in self._sent], timeout=_PATIENCE)
        for query, future in self._sent:
            if future.done() and not future.cancelled() and future.exception() is None:
                yield query, future.result()

    def _send(self) -> None:
        while self._waiting and len(self._sent) <= self._client.in_flight:
            job = (self._waiting.popleft(), Future[CountedAnswer]())
            self._sent.append(job)
            self._jobs.put(job)
            if self._threads < self._client.in_flight:
                self._threads += 1
                threading.Thread(target=self._work, name="sparql", daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            query, future = job
            if not future.set_running_or_notify_cancel():
                continue
            if self._lost is not None:
                future.set_exception(self._lost)
                continue
            try:
                future.set_result(self._client.select(query))
            except TooMuch as error:
                future.set_exception(error)
            except BaseException as error:
                # No service, or a refusal: the caller will not go on, so nothing more is asked in advance.
                self._lost = error
                future.set_exception(error)
