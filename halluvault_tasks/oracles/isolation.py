"""One response on which judging fails, or takes too long, is told apart; the others of its batch are judged.

That it is the response's fault has to show: another one must be judged by the same judge. A judge that can judge
nothing stops instead, with what it said.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import psycopg2
from sqlalchemy.exc import InterfaceError, OperationalError, PendingRollbackError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError

BATCH = 50
"""Responses that are judged and committed together."""

_LONGEST = 10.0
"""Seconds of this process's CPU that one response may take. What is read of it is bounded by characters, so that a
sound one takes hundredths on any machine."""

NOT_JUDGED = "not_judged"
"""Kind of the incident, and sub-label of the verdict."""

_OF_THE_MACHINE = (
    UserError, OperationalError, InterfaceError, PendingRollbackError, psycopg2.OperationalError,
    psycopg2.InterfaceError, MemoryError, OSError,
)  # fmt: skip
"""What says nothing about a response: a service or the database away, under a COPY, too, memory or disk full."""

_T = TypeVar("_T")


class TooSlow(Exception):
    """Judging took longer than any response may."""


class JudgingFault(NamedTuple):
    """A response on which judging fails."""

    case_id: str
    sample: int
    error: Exception

    @property
    def reason(self) -> str:
        """The error in one line."""
        said = str(self.error).strip().splitlines()
        return f"{type(self.error).__name__}: {said[0][:300] if said else 'no message'}"


def each_by_itself(
    session: Session,
    batch: Sequence[Any],
    judge: Callable[[Sequence[Any]], _T],
    works: Callable[[], bool],
    clock: Callable[[], float] = time.process_time,
) -> tuple[list[_T], list[JudgingFault]]:
    """Judge a batch; where that fails, or takes too long, its halves, down to the single responses at fault.

    Args:
        session: what `judge` writes with; a part that fails is rolled back to a savepoint. Nothing is committed.
        judge: judges some of them and stores that; its failure must leave nothing behind but what the session wrote.
        works: whether `judge` judges a harmless response; asked if it judged none of these.
        clock: seconds that this process has worked.

    Returns:
        What `judge` returned for each part, and the faults.

    Raises:
        UserError: nothing can be judged, not even what is harmless.
    """
    done, faults = _parts(session, batch, judge, clock)
    if faults and not done and (len(batch) >= BATCH or not works()):
        raise UserError(
            f"none of {len(batch)} responses could be judged, the first ({faults[0].case_id}) because of "
            f"{faults[0].reason}",
            "`halluvault doctor` says what judging needs and lacks; the same command again goes on from here",
        ) from faults[0].error
    return done, faults


def _parts(
    session: Session,
    batch: Sequence[Any],
    judge: Callable[[Sequence[Any]], _T],
    clock: Callable[[], float],
    again: bool = False,
) -> tuple[list[_T], list[JudgingFault]]:
    began = clock()
    try:
        with session.begin_nested():
            made = judge(batch)
            if (took := clock() - began) > _LONGEST:
                raise TooSlow(f"it takes {took:.0f} s, {_LONGEST:.0f} are allowed")
            return [made], []
    except _OF_THE_MACHINE:
        raise
    except Exception as error:
        if len(batch) == 1:
            if isinstance(error, TooSlow) and not again:  # the first may have waited for models to be loaded
                return _parts(session, batch, judge, clock, again=True)
            return [], [JudgingFault(batch[0].case_id, batch[0].sample, error)]
    middle = len(batch) // 2
    first, second = (_parts(session, part, judge, clock) for part in (batch[:middle], batch[middle:]))
    return first[0] + second[0], first[1] + second[1]
