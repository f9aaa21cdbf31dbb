"""When to ask again: a decision per failure, made from what happened and how long it has taken.

Full jitter (each wait is uniform between 0 and a growing bound) keeps many waiting requests from returning
together. Generation has no side effect, so asking again is always safe.

A function of values and not tenacity's loop around a call: between two attempts a prompt gives its place to others and
may go to another replica, and an attempt that was refused for overload is no attempt: `refusal_spacing` waits it out.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from time import monotonic
from typing import NamedTuple, TypeVar

from halluvault_tasks.querying.replies import Failure, FailureKind

_T = TypeVar("_T")


class Policy(NamedTuple):
    """How patient to be with one prompt."""

    attempts: int
    """Attempts that may fail; those refused by a full server are not counted."""
    deadline_seconds: float
    """All attempts and waits together."""
    base_seconds: float = 0.1
    """Bound of the first wait; it doubles with each."""
    cap_seconds: float = 0.9
    """Bound that waits never exceed, unless the server asked for more."""
    full_cap_seconds: float = 30.0
    """The same after an answer that says that the server is full."""


A_MOMENT = Policy(1, 30.0)
"""For one question outside of a lane: a full server or gateway is waited for, anything else is said at once."""


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
        failed: failures so far of this kind, this one included.
        waits: waits so far, for the growth of the bound.
        elapsed: seconds since the first attempt began.
        random: source of jitter.

    Returns:
        A wait, or giving up with the reason that will stand on the dead letter.
    """
    once_more = failure.kind is FailureKind.BARRED and failure.may_pass and failed == 1
    if not failure.kind.passes and not once_more:
        return GiveUp(failure.reason)
    if failure.kind is FailureKind.RETRYABLE and failed >= policy.attempts:
        return GiveUp(failure.reason if failed == 1 else f"{failed} attempts failed, the last with: {failure.reason}")
    cap = policy.full_cap_seconds if failure.kind is FailureKind.OVERLOADED else policy.cap_seconds
    seconds = random.uniform(0, min(cap, policy.base_seconds * 2 ** min(waits, 20)))
    if failure.kind is FailureKind.BARRED:
        seconds = cap  # the only one: what passes needs a moment
    if failure.retry_after is not None:
        if failure.retry_after > policy.deadline_seconds:
            return GiveUp(failure.reason)
        seconds = max(seconds, failure.retry_after)
    if elapsed + seconds > policy.deadline_seconds:
        return GiveUp(f"deadline of {policy.deadline_seconds:g} s passed, the last failure: {failure.reason}")
    return Wait(seconds)


async def patiently(call: Callable[[], Awaitable[_T]], policy: Policy, random: Random) -> _T:
    """Make one request until it succeeds, waiting between attempts; for the few outside of a lane.

    Raises:
        Failure: the last one, with the reason for giving up.
    """
    failed, began = Counter[FailureKind](), monotonic()
    while True:
        try:
            return await call()
        except Failure as failure:
            failed[failure.kind] += 1
            waits = failed.total() - 1
            step = decide(failure, policy, failed[failure.kind], waits, monotonic() - began, random)
            if isinstance(step, GiveUp):
                failure.reason = step.reason
                raise
        await asyncio.sleep(step.seconds)
