"""Waiting for a model server that does not answer: for minutes, with log lines, and no longer than its entry allows.

A 70B model takes longer to load than any sequence of retries, and a server that is down when a run is planned is as
worth waiting for as one that goes down during it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from halluvault_tasks.errors import Unavailable
from halluvault_tasks.knowledge.progress import duration

_log = logging.getLogger(__name__)

TELL_SECONDS = 60.0
"""Between two lines that say what is waited for."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 5.0
"""Seconds between two tries; each is twice the one before."""

_T = TypeVar("_T")


class Teller:
    """Says at once what is waited for, and then once a minute.

    Args:
        what: is waited for.
        longest: seconds that it may take.
        clock: monotonic seconds.
    """

    def __init__(self, what: str, longest: float, clock: Callable[[], float] = monotonic) -> None:
        self._what = what
        self._longest = longest
        self._clock = clock
        self._began = clock()
        self._told: float | None = None

    @property
    def waited(self) -> float:
        """Seconds so far."""
        return self._clock() - self._began

    def tell(self, why: str) -> None:
        """Say it, if a minute has passed since it was said."""
        now = self._clock()
        if self._told is None or now - self._told >= TELL_SECONDS:
            self._told = now
            _log.warning(
                "waiting for %s, %s of at most %s: %s", self._what, duration(self.waited), duration(self._longest), why
            )


async def until_it_answers(
    ask: Callable[[], Awaitable[_T]],
    what: str,
    seconds: float,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] = monotonic,
) -> _T:
    """Ask again and again while what is asked does not answer.

    Args:
        ask: one try.
        what: is waited for, in the log.
        seconds: to wait at most; 0 tries once.
        sleep: waits between two tries.
        clock: monotonic seconds.

    Raises:
        Unavailable: it stayed away.
        UserError: it answered otherwise than it should, which no waiting cures.
    """
    teller, pause = Teller(what, seconds, clock), _FIRST_PAUSE
    while True:
        try:
            return await ask()
        except Unavailable as error:
            left = seconds - teller.waited
            if left <= 0:
                raise
            teller.tell(error.message)
            await sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE)
