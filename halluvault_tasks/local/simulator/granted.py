"""What an API grants one key, and what is left of it: a quota of requests, and requests and tokens a minute."""

from collections.abc import Callable
from time import monotonic

from halluvault_tasks.local.simulator.draws import PromptDraws
from halluvault_tasks.local.simulator.manner import ServerManner


class Bucket:
    """So many a minute, all at once or one by one.

    Args:
        per_minute: at least 1.
        clock: seconds.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._left = float(per_minute)
        self._at = clock()

    @property
    def left(self) -> float:
        """What may be taken now; below 0 where more was taken than there was."""
        now = self._clock()
        self._left = min(self.per_minute, self._left + (now - self._at) * self.per_minute / 60)
        self._at = now
        return self._left

    def wait(self, amount: float) -> float:
        """Seconds until so much may be taken, or all that there ever is."""
        return max(0.0, (min(amount, self.per_minute) - self.left) * 60 / self.per_minute)

    def take(self, amount: float) -> None:
        """Take so much, whether it is there or not."""
        self._left = self.left - amount

    def headers(self, what: str) -> tuple[tuple[str, str], ...]:
        """As OpenAI tells it: `what` is requests or tokens."""
        full = (self.per_minute - self.left) * 60 / self.per_minute
        return (
            (f"x-ratelimit-limit-{what}", str(self.per_minute)),
            (f"x-ratelimit-remaining-{what}", str(max(0, int(self.left)))),
            (f"x-ratelimit-reset-{what}", f"{full:.3f}s"),
        )


class RequestAllowance:
    """What was asked of one model, and what may be.

    Args:
        manner: how much it grants.
    """

    def __init__(self, manner: ServerManner) -> None:
        self._quota = manner.quota
        self._answered = 0
        self._buckets = {
            what: Bucket(per_minute)
            for what, per_minute in (("requests", manner.requests_per_minute), ("tokens", manner.tokens_per_minute))
            if per_minute
        }
        self._asked = PromptDraws()

    def before(self, prompt: str) -> int:
        """How often a prompt was asked before; counts this time."""
        return self._asked.before(prompt)

    def has_quota(self) -> bool:
        """Whether one more request is answered at all; counts it."""
        self._answered += 1
        return not self._quota or self._answered <= self._quota

    def take(self, tokens: int) -> float:
        """Take a request with so many tokens, or say how many seconds it has to wait."""
        costs = {"requests": 1, "tokens": tokens}
        wait = max((bucket.wait(costs[what]) for what, bucket in self._buckets.items()), default=0.0)
        if not wait:
            for what, bucket in self._buckets.items():
                bucket.take(costs[what])
        return wait

    def spend(self, tokens: int) -> None:
        """Count the tokens of an answer."""
        if "tokens" in self._buckets:
            self._buckets["tokens"].take(tokens)

    def headers(self) -> tuple[tuple[str, str], ...]:
        """What is left, as the headers of an answer."""
        return tuple(each for what, bucket in self._buckets.items() for each in bucket.headers(what))
