"""What judging and judging anew share: which responses are left, and how verdicts and faults are stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import isolation, profiles, suites, transcripts
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.isolation import BATCH, Fault
from halluvault_tasks.oracles.scorer import Unread, delivered_rows
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.leases import Work
from halluvault_tasks.storage.tables import cases, incident, response, verdict

_PROBES = 3
"""Other questions that are tried before a judge is said to judge nothing."""

NOT_READ = "not_read"
"""Kind of the incident of a response that an extractor refused although it reads other texts."""

_AGAIN = "`halluvault score run --extractor {}` tries again; what fails again may be too long or too odd for it"


class Item(NamedTuple):
    """A text to judge without storing anything: what `studies.oracle` plants."""

    case_id: str
    sample: int
    """Tells items on one case apart; comes back in the verdict."""
    text: str
    transcript: None = None
    prompt: str = ""
    finish_reason: str = ""


def judging(snapshot: str, evaluation_id: str) -> Work:
    """What nobody else may do meanwhile: judge the same responses."""
    return Work(snapshot, f"score {evaluation_id}")


def require_rows(session: Session, snapshot: str) -> None:
    """Judging reads the month's statements: without them every claim would be unverifiable, and nobody convicted."""
    if snapshot in snapshots.dropped(session):
        raise UserError(
            f"the rows of {snapshot} were dropped: its responses cannot be judged any more",
            "its verdicts stand as they are; judge months that `halluvault snapshot list` does not call dropped",
        )


def current(session: Session, evaluation_id: str, extractor: Extractor | None) -> Mapping[str, str]:
    """Profiles that an evaluation's responses are judged by: a listing of claims brings one of its own."""
    listed = transcripts.profiles(session, evaluation_id)
    return {**(profiles.wanted(extractor.name) if extractor else profiles.CURRENT), **listed}


def missing(
    session: Session, evaluation_id: str, wanted: Mapping[str, str], only: str = "", suite: str = ""
) -> Iterator[Sequence[Any]]:
    """Batches of delivered responses that lack a verdict of a profile's version, by key; of no profile: all.

    With `only`, a verdict with this sub-label counts as lacking. They are of one suite, or of all without a judge of
    their own.
    """
    counted = [
        verdict.c.evaluation_id == evaluation_id,
        tuple_(verdict.c.profile, verdict.c.profile_version).in_(list(wanted.items()) or [("", "")]),
    ]
    if only:
        counted.append(verdict.c.sub_label.is_distinct_from(only))
    present = (
        select(verdict.c.case_id, verdict.c.sample)
        .where(*counted)
        .group_by(verdict.c.case_id, verdict.c.sample)
        .having(func.count() == max(1, len(wanted)))
        .subquery()
    )
    last = ("", 0)
    while True:
        batch = session.execute(
            delivered_rows(evaluation_id)
            .join(cases, cases.c.id == response.c.case_id)
            .outerjoin(present, and_(present.c.case_id == response.c.case_id, present.c.sample == response.c.sample))
            .where(present.c.case_id.is_(None), _judged_as(suite), tuple_(response.c.case_id, response.c.sample) > last)
            .order_by(response.c.case_id, response.c.sample)
            .limit(BATCH)
        ).all()
        if not batch:
            return
        last = (batch[-1].case_id, batch[-1].sample)
        yield batch


def add(session: Session, rows: Sequence[Mapping[str, Any]]) -> int:
    """Store verdicts that are not there; how many those were."""
    if not rows:
        return 0
    added = insert(verdict).on_conflict_do_nothing().returning(verdict.c.case_id)
    return len(session.execute(added, list(rows)).all())


def hold_back(
    session: Session, snapshot: str, evaluation_id: str, faults: Sequence[Fault], wanted: Mapping[str, str]
) -> int:
    """Verdicts `review`, and incidents, for what cannot be judged; how many verdicts. The caller commits."""
    isolation.record(session, snapshot, evaluation_id, faults)
    # The error's words may hold a path or a time, and verdicts are the same bytes on every machine.
    rows = [
        {"evaluation_id": evaluation_id, "case_id": one.case_id, "sample": one.sample, "profile": profile}
        | {"profile_version": version, "answer": "unparseable", "category": "review", "sub_label": isolation.NOT_JUDGED}
        | {"detail": {"marker": "not judged", "span": [0, 0], "error": type(one.error).__name__}}
        for one in faults
        for profile, version in wanted.items()
    ]
    return add(session, rows)


def works(
    session: Session,
    evaluation_id: str,
    batch: Sequence[Any],
    judge: Callable[[Sequence[Any]], object],
    suite: str = "",
) -> bool:
    """Whether a judge can judge a plain yes to some other question of the evaluation."""
    others = session.scalars(
        delivered_rows(evaluation_id)
        .with_only_columns(response.c.case_id)
        .join(cases, cases.c.id == response.c.case_id)
        .where(_judged_as(suite), response.c.case_id.not_in([row.case_id for row in batch]))
        .order_by(response.c.case_id)
        .limit(_PROBES)
    ).all()
    for case_id in others:
        with suppress(Exception), session.begin_nested():
            judge([Item(case_id, 1, "Yes.")])
            return True
    return False


def record_unread(session: Session, snapshot: str, evaluation_id: str, unread: Sequence[Unread]) -> None:
    """An incident for each response that could not be read, once however often it is tried."""
    for one in unread:
        where = f"score {evaluation_id}:{one.case_id}:{one.sample}"
        message = (
            f"{one.extractor} could not read this response ({one.reason}); it has no verdict of paper/{one.extractor}"
        )
        known = select(incident.c.id).where(incident.c.kind == NOT_READ, incident.c.where == where)
        if session.execute(known.where(incident.c.message == message)).first() is None:
            incidents.record(session, NOT_READ, where, message, _AGAIN.format(one.extractor), snapshot)


def _judged_as(suite: str) -> ColumnElement[bool]:
    """Cases of one suite, or of all without a judge of their own."""
    return cases.c.suite == suite if suite else cases.c.suite.not_in(suites.JUDGES)
