"""The stage of judging: verdicts for the delivered responses of one evaluation, only those that are missing.

Responses are read in the order of their keys and committed by the batch, so a killed run continues where it
stopped; nothing depends on the batch, so scoring again gives the same bytes.
"""

import json
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import decision, groups, profiles, suites, transcripts
from halluvault_tasks.oracles.embedding import Embed, SentenceBert
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.scorer import Scorer, Unread, delivered_rows
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import incidents, leases, runs
from halluvault_tasks.storage.leases import Work
from halluvault_tasks.storage.tables import cases, evaluation, incident, model, response, verdict

_log = logging.getLogger(__name__)

_BATCH = 500

NOT_READ = "not_read"
"""Kind of the incident of a response that an extractor refused although it reads other texts."""

_AGAIN = "`halluvault score run --extractor {}` tries again; what fails again may be too long or too odd for it"


class ScoreCounts(NamedTuple):
    """What one run of `score` did."""

    delivered: int
    """Responses that arrived."""
    judged: int
    """Responses judged now."""
    verdicts: int
    """Rows written now: one per response and profile."""
    phrases: int
    """Phrases embedded."""
    groups: int = 0
    """Metamorphic groups judged, once for each sample."""

    unread: int = 0
    """Responses that the extractor could not read: each is an incident and has no verdict of its profiles."""

    verdict_turns: int = 0
    """Responses whose verdict was asked for in a turn of its own, judged now or before."""

    opposed: int = 0
    """Of these, responses whose text concludes the opposite of that verdict."""


class RescoreCounts(NamedTuple):
    """What one run of `rescore` found."""

    verdicts: int
    """Verdicts made anew."""
    missing: int
    """Of these, verdicts that were not stored before."""
    different: int
    """Of these, verdicts that were stored otherwise."""
    stored: int
    """Rows written or replaced."""

    unread: int = 0
    """Responses that the extractor could not read: what is stored of them stays, and each is an incident."""


class Item(NamedTuple):
    """A text to judge without storing anything: what `studies.oracle` plants."""

    case_id: str
    sample: int
    """Tells items on one case apart; comes back in the verdict."""
    text: str
    transcript: None = None
    prompt: str = ""
    finish_reason: str = ""


def score(
    session: Session, evaluation_id: str, *, embed: Embed | None = None, extractor: Extractor | None = None
) -> ScoreCounts:
    """Judge every delivered response that lacks a verdict of this version, by its suite's judge. Commits by the batch.

    Args:
        session: open session.
        evaluation_id: evaluation whose responses are judged.
        embed: Sentence-BERT; None means the configured model, loaded only if a phrase must be compared.
        extractor: reads triples for the published method beside `anchored`; None means `anchored` alone.

    Raises:
        UserError: unknown evaluation; or something is left to judge, and the month's rows were dropped.
    """
    profiles_wanted = _current(session, evaluation_id, extractor)
    row = session.execute(
        select(evaluation.c.snapshot, model.c.name)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.id == evaluation_id)
    ).one_or_none()
    if row is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    chosen = embed or SentenceBert(settings().embedding_model)
    with runs.stage(session, row.snapshot, "score", row.name, _judging(row.snapshot, evaluation_id)) as summary:
        delivered = (
            session.scalar(
                select(func.count())
                .select_from(response)
                .where(response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
            )
            or 0
        )
        counts = ScoreCounts(delivered, 0, 0, 0)
        scorer: Scorer | None = None
        for batch in _missing(session, evaluation_id, profiles_wanted):
            if scorer is None:
                _require_rows(session, row.snapshot)
                scorer = Scorer(session, row.snapshot, chosen, extractor=extractor)
            made = scorer.judge(evaluation_id, batch)
            written = session.execute(
                insert(verdict).on_conflict_do_nothing().returning(verdict.c.case_id), made.rows
            ).all()
            session.commit()
            _record(session, row.snapshot, evaluation_id, made.unread)
            counts = counts._replace(
                judged=counts.judged + len(batch),
                verdicts=counts.verdicts + len(written),
                phrases=counts.phrases + made.phrases,
                unread=counts.unread + len(made.unread),
            )
            _log.info("%s: %d responses judged", row.name, counts.judged)
        for suite in suites.JUDGES:
            counts = _judge_suite(session, row.snapshot, evaluation_id, suite, counts)
        turns, opposed = _opposed(session, evaluation_id)
        counts = counts._replace(groups=groups.store(session, evaluation_id), verdict_turns=turns, opposed=opposed)
        session.commit()
        summary |= counts._asdict() | {"embedding": chosen.name, "profiles": dict(profiles_wanted)}
    return counts


def _current(session: Session, evaluation_id: str, extractor: Extractor | None) -> Mapping[str, str]:
    """Profiles that an evaluation's responses are judged by: a listing of claims brings one of its own."""
    listed = transcripts.profiles(session, evaluation_id)
    return {**(profiles.wanted(extractor.name) if extractor else profiles.CURRENT), **listed}


def _opposed(session: Session, evaluation_id: str) -> tuple[int, int]:
    """Responses with a verdict turn, and of them those whose text opposes the verdict."""
    flags = verdict.c.detail["flags"]
    turn, opposed = (flags[name].as_boolean() for name in ("verdict_turn", "text_opposes_verdict"))
    turns, of_them = session.execute(
        select(func.count().filter(turn), func.count().filter(opposed)).where(
            verdict.c.evaluation_id == evaluation_id,
            verdict.c.profile == decision.PROFILE,
            verdict.c.profile_version == decision.VERSION,
        )
    ).one()
    return turns, of_them


def _judge_suite(session: Session, snapshot: str, evaluation_id: str, suite: str, counts: ScoreCounts) -> ScoreCounts:
    """What a suite's own judge says of the responses that it has not judged. Commits by the batch."""
    own = suites.JUDGES[suite]
    for batch in _missing(session, evaluation_id, own.profiles, suite=suite):
        rows = [{**row, "evaluation_id": evaluation_id} for row in own.judge(session, snapshot, batch)]
        session.execute(insert(verdict).on_conflict_do_nothing(), rows)
        session.commit()
        counts = counts._replace(judged=counts.judged + len(batch), verdicts=counts.verdicts + len(rows))
    return counts


def rescore(
    session: Session,
    evaluation_id: str,
    wanted: Collection[str] = (),
    *,
    embed: Embed | None = None,
    extractor: Extractor | None = None,
    only: str = "",
    store: bool = True,
) -> RescoreCounts:
    """Judge stored responses anew with the current version of some profiles; no model is asked. Commits by the batch.

    The same inputs give the same bytes: on an unchanged installation nothing is different. Verdicts of other versions
    and profiles are not touched.

    Args:
        session: open session.
        evaluation_id: evaluation whose responses are judged.
        wanted: profiles; none means all.
        embed: as for `score`.
        extractor: as for `score`.
        only: leave out responses whose verdicts of this version all bear another sub-label.
        store: replace what differs; False only counts.

    Raises:
        UserError: unknown evaluation, or the month's rows were dropped.
    """
    snapshot = session.scalar(select(evaluation.c.snapshot).where(evaluation.c.id == evaluation_id))
    if snapshot is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    _require_rows(session, snapshot)
    with leases.held(session, _judging(snapshot, evaluation_id)):
        return _rescored(session, evaluation_id, snapshot, wanted, embed, extractor, only, store)


def _judging(snapshot: str, evaluation_id: str) -> Work:
    """What nobody else may do meanwhile: judge the same responses."""
    return Work(snapshot, f"score {evaluation_id}")


def _rescored(
    session: Session,
    evaluation_id: str,
    snapshot: str,
    wanted: Collection[str],
    embed: Embed | None,
    extractor: Extractor | None,
    only: str,
    store: bool,
) -> RescoreCounts:
    current = _current(session, evaluation_id, extractor)
    chosen = {profile: current[profile] for profile in wanted or current}
    scorer: Scorer | None = None
    counts = RescoreCounts(0, 0, 0, 0)
    for batch in _missing(session, evaluation_id, chosen if only else {}, only):
        scorer = scorer or Scorer(
            session, snapshot, embed or SentenceBert(settings().embedding_model), extractor=extractor, wanted=chosen
        )
        judged = scorer.judge(evaluation_id, batch)
        made = judged.rows
        stored = _stored(session, evaluation_id, batch)
        missing = sum(_key(row) not in stored for row in made)
        changed = [row for row in made if stored.get(_key(row)) != _canonical(row)]
        if store and changed:
            statement = insert(verdict)
            keys = [column.name for column in verdict.primary_key]
            values = {c.name: statement.excluded[c.name] for c in verdict.columns if c.name not in keys}
            session.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), changed)
        session.commit()
        if store:
            _record(session, snapshot, evaluation_id, judged.unread)
        counts = RescoreCounts(
            counts.verdicts + len(made),
            counts.missing + missing,
            counts.different + len(changed) - missing,
            counts.stored + (len(changed) if store else 0),
            counts.unread + len(judged.unread),
        )
    if store:
        groups.store(session, evaluation_id)
        session.commit()
    return counts


def _require_rows(session: Session, snapshot: str) -> None:
    """Judging reads the month's statements: without them every claim would be unverifiable, and nobody convicted."""
    if snapshot in snapshots.dropped(session):
        raise UserError(
            f"the rows of {snapshot} were dropped: its responses cannot be judged any more",
            "its verdicts stand as they are; judge months that `halluvault snapshot list` does not call dropped",
        )


def _record(session: Session, snapshot: str, evaluation_id: str, unread: Sequence[Unread]) -> None:
    """An incident for each response that could not be read, once however often it is tried."""
    for one in unread:
        where = f"score {evaluation_id}:{one.case_id}:{one.sample}"
        message = (
            f"{one.extractor} could not read this response ({one.reason}); it has no verdict of paper/{one.extractor}"
        )
        known = select(incident.c.id).where(incident.c.kind == NOT_READ, incident.c.where == where)
        if session.execute(known.where(incident.c.message == message)).first() is None:
            incidents.record(session, NOT_READ, where, message, _AGAIN.format(one.extractor), snapshot)


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in verdict.primary_key)


def _canonical(row: Mapping[str, Any]) -> str:
    """A verdict as bytes that are equal just if all its columns are."""
    values = {column.name: row.get(column.name) for column in verdict.columns}
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def _stored(session: Session, evaluation_id: str, batch: Sequence[Any]) -> dict[tuple[Any, ...], str]:
    ids = sorted({row.case_id for row in batch})
    rows = session.execute(
        select(verdict).where(verdict.c.evaluation_id == evaluation_id, verdict.c.case_id.in_(ids))
    ).mappings()
    return {_key(row): _canonical(row) for row in map(dict, rows)}


def judge(
    session: Session,
    snapshot: str,
    items: Sequence[Item],
    *,
    embed: Embed | None = None,
    config_dir: Path | None = None,
    extractor: Extractor | None = None,
    wanted: Collection[str] = (),
    placed: Sequence[Any] | None = None,
) -> list[dict[str, Any]]:
    """Verdicts of every profile on texts, as rows of table `verdict` without an evaluation; writes nothing.

    Args:
        session: open session.
        snapshot: whose benchmark the cases are of.
        items: texts, at most one for each (case, sample).
        embed: as for `score`.
        config_dir: directory of the word lists, if not the configured one: a study takes words away.
        extractor: as for `score`; what it could not read has no rows of its profiles.
        wanted: profiles; none means all.
        placed: cases in place of the snapshot's own, as `Scorer` takes them.
    """
    chosen = embed or SentenceBert(settings().embedding_model)
    scorer = Scorer(session, snapshot, chosen, config_dir, extractor, wanted, placed)
    rows: list[dict[str, Any]] = []
    for start in range(0, len(items), _BATCH):
        rows += scorer.judge("", items[start : start + _BATCH]).rows
    return rows


def _missing(
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
    mine = cases.c.suite == suite if suite else cases.c.suite.not_in(suites.JUDGES)
    last = ("", 0)
    while True:
        batch = session.execute(
            delivered_rows(evaluation_id)
            .join(cases, cases.c.id == response.c.case_id)
            .outerjoin(present, and_(present.c.case_id == response.c.case_id, present.c.sample == response.c.sample))
            .where(present.c.case_id.is_(None), mine, tuple_(response.c.case_id, response.c.sample) > last)
            .order_by(response.c.case_id, response.c.sample)
            .limit(_BATCH)
        ).all()
        if not batch:
            return
        last = (batch[-1].case_id, batch[-1].sample)
        yield batch
