"""How far a pull has come, reported after every batch: a bar on the command line, a line per minute in a log."""

import logging
import time
from collections.abc import Callable
from typing import NamedTuple

_log = logging.getLogger(__name__)


class PullProgress(NamedTuple):
    """How far one step of a pull has come."""

    stage: str
    """metadata, seeds, statements, chain, entities …"""
    domain: str
    """Empty for steps that serve all domains."""
    done: int
    total: int
    """Batches of this step."""


Report = Callable[[PullProgress], None]


class LogReport:
    """Writes a line per minute, and one whenever a step ends, for logs that nobody watches live.

    Args:
        tell: takes each line; None means the log.
        every: seconds between lines.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        tell: Callable[[str], None] | None = None,
        every: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = tell or _log.info
        self._every = every
        self._clock = clock
        self._step: tuple[str, str] | None = None
        self.latest = ""
        """The newest line, reported or not."""
        self._ended: dict[tuple[str, str], float] = {}
        self._began = self._told = 0.0
        self._first = 0

    def __call__(self, progress: PullProgress) -> None:
        """Takes the current progress and reports it when it is time."""
        now, step = self._clock(), (progress.stage, progress.domain)
        if step != self._step:
            # What was stored by an earlier run passes in no time and would flatter the rate: count from here.
            self._step, self._began, self._told, self._first = step, now, now, progress.done
        # A step may come in several parts, each of them short: one line a minute for all of these, too.
        ends = progress.done == progress.total and now - self._ended.get(step, -self._every) >= self._every
        self.latest = self._line(progress, now)
        if ends:
            self._ended[step] = now
        if ends or now - self._told >= self._every:
            self._told = now
            self._tell(self.latest)

    def _line(self, progress: PullProgress, now: float) -> str:
        name = f"{progress.stage} {progress.domain}".strip()
        done, seconds = progress.done - self._first, now - self._began
        line = f"{name}: {progress.done} of {progress.total} batches"
        if done <= 0 or seconds < 1:
            return line
        rate = done / seconds
        left = (progress.total - progress.done) / rate
        return f"{line}, {rate * 60:.0f} a minute" + (f", about {duration(left)} left" if left else "")


def duration(seconds: float) -> str:
    """Seconds as people say them: `40 s`, `12 min`, `2 h 05 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
