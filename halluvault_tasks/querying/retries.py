"""When to ask again: a decision per failure, made from what happened and how long it has taken.

Full jitter (each wait is uniform between 0 and a growing bound) keeps many waiting requests from returning
together. Generation has no side effect, so asking again is always safe.

A function of values and not tenacity's loop around a call: between two attempts a prompt gives its place to others and
may go to another replica, and an attempt that was refused for overload is no attempt.
"""

from random import Random
from typing import NamedTuple

from halluvault_tasks.querying.replies import Failure, Kind


class Policy(NamedTuple):
    """How patient to be with one prompt."""

    attempts: int
    """Attempts that may fail for reasons of their own; 429 is not counted."""
    deadline_seconds: float
    """All attempts and waits together."""
    base_seconds: float = 0.1
    """Bound of the first wait; it doubles with each."""
    cap_seconds: float = 0.9
    """Bound that waits never exceed, unless the server asked for more."""


class Wait(NamedTuple):
    """Ask again after this many seconds."""

    seconds: float


class GiveUp(NamedTuple):
    """Do not ask again."""

    reason: str


def decide(failure: Failure, policy: Policy, failed: int, waits: int, elapsed: float, random: Random) -> Wait | GiveUp:
    """What follows a failed attempt.

    Args:
        failure: the last failure.
        policy: limits.
        failed: failures so far that count, this one included.
        waits: waits so far, for the growth of the bound.
        elapsed: seconds since the first attempt began.
        random: source of jitter.

    Returns:
        A wait, or giving up with the reason that will stand on the dead letter.
    """
    if failure.kind is Kind.FATAL:
        return GiveUp(failure.reason)
    if failure.kind is Kind.RETRYABLE and failed >= policy.attempts:
        return GiveUp(f"{failed} attempts failed, the last with: {failure.reason}")
    seconds = random.uniform(0, min(policy.cap_seconds, policy.base_seconds * 2 ** min(waits, 20)))
    if failure.retry_after is not None:
        seconds = max(seconds, failure.retry_after)
    if elapsed + seconds > policy.deadline_seconds:
        return GiveUp(f"deadline of {policy.deadline_seconds:g} s passed, the last failure: {failure.reason}")
    return Wait(seconds)
