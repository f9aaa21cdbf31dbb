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
from halluvault_tasks.oracles import groups, profiles
from halluvault_tasks.oracles.embedding import Embed, SentenceBert
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import evaluation, model, response, verdict

_log = logging.getLogger(__name__)

_BATCH = 500


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


class Item(NamedTuple):
    """A text to judge without storing anything: what `halluvault oracle study` plants."""

    case_id: str
    sample: int
    """Tells items on one case apart; comes back in the verdict."""
    text: str


def score(
    session: Session, evaluation_id: str, *, embed: Embed | None = None, extractor: Extractor | None = None
) -> ScoreCounts:
    """Judge every delivered response that lacks a verdict of this version. Commits by the batch.

    Args:
        session: open session.
        evaluation_id: evaluation whose responses are judged.
        embed: Sentence-BERT; None means the configured model, loaded only if a phrase must be compared.
        extractor: reads triples for the published method beside `anchored`; None means `anchored` alone.

    Raises:
        UserError: unknown evaluation.
    """
    profiles_wanted = profiles.wanted(extractor.name) if extractor else profiles.CURRENT
    row = session.execute(
        select(evaluation.c.snapshot, model.c.name)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.id == evaluation_id)
    ).one_or_none()
    if row is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    chosen = embed or SentenceBert(settings().embedding_model)
    with runs.stage(session, row.snapshot, "score", row.name) as summary:
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
            scorer = scorer or Scorer(session, row.snapshot, chosen, extractor=extractor)
            rows, phrases = scorer.judge(evaluation_id, batch)
            written = session.execute(insert(verdict).on_conflict_do_nothing().returning(verdict.c.case_id), rows).all()
            session.commit()
            counts = ScoreCounts(
                delivered, counts.judged + len(batch), counts.verdicts + len(written), counts.phrases + phrases
            )
            _log.info("%s: %d responses judged", row.name, counts.judged)
        counts = counts._replace(groups=groups.store(session, evaluation_id))
        session.commit()
        summary |= counts._asdict() | {"embedding": chosen.name, "profiles": dict(profiles_wanted)}
    return counts


def rescore(
    session: Session,
    evaluation_id: str,
    wanted: Collection[str] = (),
    *,
    embed: Embed | None = None,
    extractor: Extractor | None = None,
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
        store: replace what differs; False only counts.

    Raises:
        UserError: unknown evaluation.
    """
    snapshot = session.scalar(select(evaluation.c.snapshot).where(evaluation.c.id == evaluation_id))
    if snapshot is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    scorer = Scorer(session, snapshot, embed or SentenceBert(settings().embedding_model), extractor=extractor)
    counts = RescoreCounts(0, 0, 0, 0)
    for batch in _missing(session, evaluation_id, {}):
        made = [row for row in scorer.judge(evaluation_id, batch)[0] if not wanted or row["profile"] in wanted]
        stored = _stored(session, evaluation_id, batch)
        missing = sum(_key(row) not in stored for row in made)
        changed = [row for row in made if stored.get(_key(row)) != _canonical(row)]
        if store and changed:
            statement = insert(verdict)
            keys = [column.name for column in verdict.primary_key]
            values = {c.name: statement.excluded[c.name] for c in verdict.columns if c.name not in keys}
            session.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), changed)
        session.commit()
        counts = RescoreCounts(
            counts.verdicts + len(made),
            counts.missing + missing,
            counts.different + len(changed) - missing,
            counts.stored + (len(changed) if store else 0),
        )
    if store:
        groups.store(session, evaluation_id)
        session.commit()
    return counts


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in verdict.primary_key)


def _canonical(row: Mapping[str, Any]) -> str:
    """A verdict as bytes that are equal just if all its columns are."""
    values = {column.name: row.get(column.name) for column in verdict.columns}
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def _stored(session: Session, evaluation_id: str, batch: Sequence[Any]) -> dict[tuple[Any, ...], str]:
    cases = sorted({row.case_id for row in batch})
    rows = session.execute(
        select(verdict).where(verdict.c.evaluation_id == evaluation_id, verdict.c.case_id.in_(cases))
    ).mappings()
    return {_key(row): _canonical(row) for row in map(dict, rows)}


def judge(
    session: Session,
    snapshot: str,
    items: Sequence[Item],
    *,
    embed: Embed | None = None,
    config_dir: Path | None = None,
) -> list[dict[str, Any]]:
    """Verdicts of every profile on texts, as rows of table `verdict` without an evaluation; writes nothing.

    Args:
        session: open session.
        snapshot: whose benchmark the cases are of.
        items: texts, at most one for each (case, sample).
        embed: as for `score`.
        config_dir: directory of the word lists, if not the configured one: a study takes words away.
    """
    scorer = Scorer(session, snapshot, embed or SentenceBert(settings().embedding_model), config_dir)
    rows: list[dict[str, Any]] = []
    for start in range(0, len(items), _BATCH):
        rows += scorer.judge("", items[start : start + _BATCH])[0]
    return rows


def _missing(session: Session, evaluation_id: str, wanted: Mapping[str, str]) -> Iterator[Sequence[Any]]:
    """Batches of delivered responses that lack a verdict of a profile's version, by key; of no profile: all."""
    present = (
        select(verdict.c.case_id, verdict.c.sample)
        .where(
            verdict.c.evaluation_id == evaluation_id,
            tuple_(verdict.c.profile, verdict.c.profile_version).in_(list(wanted.items()) or [("", "")]),
        )
        .group_by(verdict.c.case_id, verdict.c.sample)
        .having(func.count() == max(1, len(wanted)))
        .subquery()
    )
    last = ("", 0)
    while True:
        batch = session.execute(
            select(response.c.case_id, response.c.sample, response.c.text)
            .outerjoin(present, and_(present.c.case_id == response.c.case_id, present.c.sample == response.c.sample))
            .where(
                response.c.evaluation_id == evaluation_id,
                response.c.status == "delivered",
                present.c.case_id.is_(None),
                tuple_(response.c.case_id, response.c.sample) > last,
            )
            .order_by(response.c.case_id, response.c.sample)
            .limit(_BATCH)
        ).all()
        if not batch:
            return
        last = (batch[-1].case_id, batch[-1].sample)
        yield batch
