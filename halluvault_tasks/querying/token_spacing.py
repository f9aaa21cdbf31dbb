"""The spacing between requests to one replica by the tokens a minute that its server grants (`x-ratelimit-…` headers).

What is left of them is spread over the time until all are granted again. In a window that begins anew each minute this
uses them up evenly; in a bucket that fills steadily it settles where as much is spent as flows back. Other lanes on the
same account need not be known: what they spend is left to nobody. `refusal_spacing` waits out what is refused all the
same.
"""

from collections import deque
from itertools import takewhile

from halluvault_tasks.querying.replies import RateLimit

_WINDOW_SECONDS = 60.0
"""Of a limit, which is a minute's."""
_NEWEST = 0.2
"""Weight of the newest answer in what a request is taken to cost."""
_MOST_OPEN = 4096


class TokenPacer:
    """The spacing of requests to one replica."""

    def __init__(self) -> None:
        self._limit: int | None = None
        self._left: float | None = None
        """Tokens that are still granted, less what is under way; None: nobody said."""
        self._until = 0.0
        """When all are granted again."""
        self._cost = 0.0
        """Tokens of a request, prompt and answer, as answers of late had them."""
        self._sent: deque[float] = deque([0.0], maxlen=_MOST_OPEN)

    def delay(self, now: float) -> float:
        """Seconds until the next request may be sent."""
        if self._left is None or now >= self._until:
            return 0.0
        if self._left < self._cost:
            return self._until - now
        apart = (self._until - now) * self._cost / self._left if self._left else 0.0
        return max(0.0, self._sent[-1] + apart - now)

    def sending(self, now: float) -> None:
        """Count a request that is being sent, of whose cost the server has not spoken yet."""
        self._sent.append(now)
        if self._left is None:
            return
        if now >= self._until:
            if self._limit is None:
                self._left = None  # until somebody says
                return
            self._left, self._until = float(self._limit), now
        self._left -= self._cost
        if self._limit:
            self._until += _WINDOW_SECONDS * self._cost / self._limit  # what flows back takes its time

    def told(self, rate: RateLimit | None, sent: float, now: float, tokens: int = 0) -> None:
        """Take over what came with an answer or a refusal.

        Args:
            rate: what the server says; None: nothing.
            sent: when the request was sent: what was sent after it is not in these figures.
            now: monotonic clock.
            tokens: of prompt and answer; 0: unknown, or none.
        """
        if tokens:
            self._cost = self._cost + _NEWEST * (tokens - self._cost) if self._cost else float(tokens)
        if rate is None or rate.remaining_tokens is None:
            return
        later = sum(1 for _ in takewhile(lambda when: when > sent, reversed(self._sent)))
        self._limit = rate.limit_tokens or self._limit
        self._left = rate.remaining_tokens - later * self._cost
        # A longer one is no minute's; the next request shows how long it is, in the words of a refusal.
        self._until = now + min(_WINDOW_SECONDS if rate.reset_seconds is None else rate.reset_seconds, _WINDOW_SECONDS)
