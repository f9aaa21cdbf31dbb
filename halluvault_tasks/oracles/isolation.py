"""One response on which judging fails is held back by itself; the others of its batch are judged.

Such a response gets the verdict `review` (oracle or gold at fault), which stands in the rate's band, and an incident.
That it is the response's fault has to show: another one must be judged by the same judge. A judge that can judge
nothing stops instead, with what it said.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import psycopg2
from sqlalchemy import select
from sqlalchemy.exc import InterfaceError, OperationalError, PendingRollbackError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.tables import incident

BATCH = 50
"""Responses that are judged and committed together."""

NOT_JUDGED = "not_judged"
"""Kind of the incident, and sub-label of the verdict."""

_OF_THE_MACHINE = (
    UserError, OperationalError, InterfaceError, PendingRollbackError, psycopg2.OperationalError,
    psycopg2.InterfaceError, MemoryError, OSError,
)  # fmt: skip
"""What says nothing about a response: a service or the database away, under a COPY, too, memory or disk full."""

_T = TypeVar("_T")


class Fault(NamedTuple):
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
    session: Session, batch: Sequence[Any], judge: Callable[[Sequence[Any]], _T], works: Callable[[], bool]
) -> tuple[list[_T], list[Fault]]:
    """Judge a batch; where that fails, its halves, down to the single responses at fault.

    Args:
        session: what `judge` writes with; a part that fails is rolled back to a savepoint. Nothing is committed.
        batch: responses with `case_id` and `sample`.
        judge: judges some of them and stores that; its failure must leave nothing behind but what the session wrote.
        works: whether `judge` judges a harmless response; asked if it judged none of these.

    Returns:
        What `judge` returned for each part, and the faults.

    Raises:
        UserError: nothing can be judged, not even what is harmless.
    """
    done, faults = _parts(session, batch, judge)
    if faults and not done and (len(batch) >= BATCH or not works()):
        raise UserError(
            f"none of {len(batch)} responses could be judged, the first ({faults[0].case_id}) because of "
            f"{faults[0].reason}",
            "`halluvault doctor` says what judging needs and lacks; the same command again goes on from here",
        ) from faults[0].error
    return done, faults


def _parts(
    session: Session, batch: Sequence[Any], judge: Callable[[Sequence[Any]], _T]
) -> tuple[list[_T], list[Fault]]:
    try:
        with session.begin_nested():
            return [judge(batch)], []
    except _OF_THE_MACHINE:
        raise
    except Exception as error:
        if len(batch) == 1:
            return [], [Fault(batch[0].case_id, batch[0].sample, error)]
    middle = len(batch) // 2
    first, second = (_parts(session, part, judge) for part in (batch[:middle], batch[middle:]))
    return first[0] + second[0], first[1] + second[1]


def record(session: Session, snapshot: str, evaluation_id: str, faults: Sequence[Fault]) -> None:
    """An incident for each fault, once however often it is met; the caller commits, together with the verdicts."""
    for fault in faults:
        where = _where(evaluation_id, fault.case_id, fault.sample)
        if not told(session, evaluation_id, fault.case_id, fault.sample):
            incidents.add(
                session,
                NOT_JUDGED,
                where,
                f"judging this response fails ({fault.reason}); its verdict is review",
                f"`halluvault score rescore --snapshot {snapshot} --only {NOT_JUDGED}` tries again; a newer version of "
                "the judge judges it anew by itself",
                snapshot,
            )


def told(session: Session, evaluation_id: str, case_id: str, sample: int) -> list[str]:
    """What the incidents say of a response on which judging fails."""
    where = _where(evaluation_id, case_id, sample)
    asked = select(incident.c.message).where(incident.c.kind == NOT_JUDGED, incident.c.where == where)
    return list(session.scalars(asked))


def _where(evaluation_id: str, case_id: str, sample: int) -> str:
    return f"score {evaluation_id}:{case_id}:{sample}"
