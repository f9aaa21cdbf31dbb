"""How many requests one server may have open: additive increase, multiplicative decrease.

A server is full when it says so (429) or when requests wait inside it for a good part of the time they run. The limit
starts at what the server's own `/info` allows, or low and doubling where it allows nothing in particular; it is cut by
three tenths, at most once per round of answers, and climbs back by halves to just below the level that was too much,
then by a step per round. Bounds and steps: research notes beside the project (tgi.md §3); climbing by halves is BIC's
binary increase (Xu, Harfoush, Rhee 2004), which spends most rounds near the level that is known to hold.
"""

from statistics import median

_START = 32
_CUT = 0.7
_NEAR = 0.95
_QUEUE_FREE, _QUEUE_FULL = 0.10, 0.30
_QUEUE_FLOOR_MS = 20
"""Shorter waits are rounding and scheduling, not a queue."""
_STEP_ABOVE = 64
_LONGEST_HOLD = 5.0


class Limiter:
    """The adaptive limit of one server, for one lane.

    Args:
        cap: never more than this; at least 1.
        known: whether the server itself states that it takes so many.
    """

    def __init__(self, cap: int, known: bool) -> None:
        self._cap = max(1, cap)
        self._limit = float(self._cap if known else min(self._cap, _START))
        self._too_much: float | None = None
        self._hold_until = 0.0
        self._seconds = 0.0
        self._replies = 0
        self._queue: list[int] = []
        self._inference: list[int] = []

    @property
    def limit(self) -> int:
        """Requests that may be open now."""
        return max(1, min(int(self._limit), self._cap))

    def bound(self, cap: int) -> None:
        """Set another upper bound: another lane has come to the server, or one has left."""
        if cap > self._cap and self._too_much is None and self._limit >= self._cap:
            self._limit = float(cap)  # it was never too much for the server, only for its neighbours
        self._cap = max(1, cap)

    def replied(self, seconds: float, queue_ms: int | None, inference_ms: int | None, now: float) -> None:
        """Count an answer; once as many have come as the limit allows to be open, move the limit.

        Args:
            seconds: from sending the request to its answer.
            queue_ms: waiting inside the server, if it says.
            inference_ms: running there, if it says.
            now: monotonic clock.
        """
        self._seconds = seconds if not self._seconds else 0.8 * self._seconds + 0.2 * seconds
        self._replies += 1
        if queue_ms is not None and inference_ms is not None:
            self._queue.append(queue_ms)
            self._inference.append(inference_ms)
        if self._replies < self.limit or now < self._hold_until:
            return
        waited = median(self._queue) if self._queue else 0
        share = waited / max(1.0, median(self._inference)) if waited >= _QUEUE_FLOOR_MS else 0.0
        self._new_round()
        if share > _QUEUE_FULL:
            self._cut(now)
        elif share < _QUEUE_FREE:
            self._grow()

    def refused(self, now: float) -> None:
        """Count a 429. A burst of them is one sign, so the limit is cut once per round."""
        if now >= self._hold_until:
            self._cut(now)

    def _grow(self) -> None:
        step = 4.0 if self._limit >= _STEP_ABOVE else 1.0
        if self._too_much is None:
            grown = self._limit * 2
        else:
            safe = self._too_much * _NEAR
            grown = self._limit + max(step, (safe - self._limit) / 2)
        self._limit = min(grown, float(self._cap))

    def _cut(self, now: float) -> None:
        self._too_much = min(self._limit, float(self._cap))
        self._limit = max(1.0, self._too_much * _CUT)
        self._hold_until = now + min(max(self._seconds, 0.05), _LONGEST_HOLD)
        self._new_round()

    def _new_round(self) -> None:
        self._replies = 0
        self._queue.clear()
        self._inference.clear()
