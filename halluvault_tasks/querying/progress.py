"""A lane's progress, as shown on a terminal, in a task's log and in the heartbeat row."""

from collections.abc import Mapping
from typing import NamedTuple


class Progress(NamedTuple):
    """Where a lane stands."""

    done: int
    """Prompts finished by this run, dead letters included."""
    total: int
    """Prompts this run set out to ask."""
    dead: int
    in_flight: int
    allowed: int
    """Requests that may be open now."""
    failures: Mapping[str, int]
    """Failed attempts by kind: overloaded, retryable, fatal."""
    seconds: float
    """Since the lane began."""
    rate: float
    """Prompts finished per second over the last half minute."""
    note: str = ""
    """Why the lane waits, if it does."""

    @property
    def eta_seconds(self) -> float | None:
        """Seconds left at the present rate; None while there is no rate."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None

    def line(self) -> str:
        """One line for a log."""
        failed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items())) or "none"
        left = "" if self.eta_seconds is None else f", about {self.eta_seconds:.0f} s left"
        return (
            f"{self.done} of {self.total} done, {self.rate:.1f}/s, {self.dead} dead, {self.in_flight} of "
            f"{self.allowed} in flight, failed attempts: {failed}{left}" + (f"; {self.note}" if self.note else "")
        )


class Pace:
    """The rate over the last `window` seconds: what a lane does now, not what it did before an outage."""

    def __init__(self, window: float = 30.0) -> None:
        self._window = window
        self._marks: list[tuple[float, int]] = []

    def at(self, now: float, done: int) -> float:
        """Note that `done` prompts are finished at `now`; the rate in prompts per second."""
        self._marks.append((now, done))
        while len(self._marks) > 2 and now - self._marks[0][0] > self._window:
            del self._marks[0]
        began, before = self._marks[0]
        return (done - before) / (now - began) if now > began else 0.0
