"""A lane's progress, as shown on a terminal, in a task's log and in the heartbeat row."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.querying.replies import Finish, Reply


class Unanswered(NamedTuple):
    """How many delivered replies answer nothing, by reason."""

    refused: int = 0
    """By the API."""
    silent: int = 0
    cut_off: int = 0
    """At the limit of new tokens, before an answer began."""

    def words(self) -> str:
        """For people: `3 refused by the API, 2 silent`; empty where all answer."""
        told = zip(self, ("refused by the API", "silent", "cut off before they answered"), strict=True)
        return ", ".join(f"{count} {what}" for count, what in told if count)


class LaneProgress(NamedTuple):
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
    """Failed attempts by kind: overloaded, retryable, fatal, barred."""
    seconds: float
    """Since the lane began."""
    rate: float
    """Prompts finished per second over the last half minute."""
    note: str = ""
    """Why the lane waits, if it does, and what is wrong with its answers."""
    unanswered: Unanswered = Unanswered()

    @property
    def eta_seconds(self) -> float | None:
        """Seconds left at the present rate; None while there is no rate."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None

    def line(self) -> str:
        """One line for a log."""
        failed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failures.items())) or "none"
        left = "" if self.eta_seconds is None else f", about {self.eta_seconds:.0f} s left"
        figures = (
            f"{self.done} of {self.total} done, {self.rate:.1f}/s, {self.dead} dead, {self.in_flight} of "
            f"{self.allowed} in flight, failed attempts: {failed}{left}"
        )
        return figures + (f"; {self.remark}" if self.remark else "")

    @property
    def remark(self) -> str:
        """What an operator should know beside the figures; empty where all is well."""
        return "; ".join(filter(None, (self.unanswered.words(), self.note)))


class LaneTally:
    """What has become of a lane's prompts so far."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def add(self, reply: Reply | None) -> None:
        """Count a prompt that is done: its reply, or None for a dead letter."""
        self._counts[_became(reply)] += 1

    def take_back(self, reply: Reply | None) -> None:
        """Count it no longer: it is asked again."""
        self._counts[_became(reply)] -= 1

    @property
    def done(self) -> int:
        """Prompts that are done, dead letters included."""
        return self._counts.total()

    @property
    def dead(self) -> int:
        """Dead letters."""
        return self._counts["dead"]

    @property
    def unanswered(self) -> Unanswered:
        """Replies that answer nothing."""
        return Unanswered(*(self._counts[name] for name in Unanswered._fields))


def _became(reply: Reply | None) -> str:
    if reply is None:
        return "dead"
    if reply.is_answer:
        return "answered"
    if reply.finish is Finish.REFUSED:
        return "refused"
    return "cut_off" if reply.cut_in_thought else "silent"


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
