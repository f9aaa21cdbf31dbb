"""Judging stored responses anew with the current version of some profiles."""

import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import groups, isolation, unjudged
from halluvault_tasks.oracles.embedding import Embed, SentenceBert
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.querying import evaluations
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import leases
from halluvault_tasks.storage.tables import verdict

_log = logging.getLogger(__name__)


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

    held_back: int = 0
    """Responses on which judging fails: likewise; what was not stored before is review now."""


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
    snapshot = evaluations.find(session, evaluation_id).snapshot
    unjudged.require_rows(session, snapshot)
    with leases.held(session, unjudged.judging(snapshot, evaluation_id)):
        current = unjudged.current(session, evaluation_id, extractor)
        chosen = {profile: current[profile] for profile in wanted or current}

        @cache
        def scorer() -> Scorer:
            judge = embed or SentenceBert(settings().embedding_model)
            return Scorer(session, snapshot, judge, extractor=extractor, wanted=chosen)

        return _rescored(session, evaluation_id, snapshot, chosen, scorer, only, store)


def _rescored(
    session: Session,
    evaluation_id: str,
    snapshot: str,
    chosen: Mapping[str, str],
    scorer: Callable[[], Scorer],
    only: str,
    store: bool,
) -> RescoreCounts:
    """`rescore` with the profiles and their versions; the scorer is made where something is to be judged."""
    counts = RescoreCounts(0, 0, 0, 0)
    for batch in unjudged.missing(session, evaluation_id, chosen if only else {}, only):
        judge = partial(scorer().judge, evaluation_id)
        works = partial(unjudged.works, session, evaluation_id, batch, partial(scorer().judge, ""))
        parts, faults = isolation.each_by_itself(session, batch, judge, works)
        made = [row for part in parts for row in part.rows]
        unread = [one for part in parts for one in part.unread]
        stored = _stored(session, evaluation_id, batch)
        missing = sum(_key(row) not in stored for row in made)
        changed = [row for row in made if stored.get(_key(row)) != _canonical(row)]
        if store and changed:
            statement = insert(verdict)
            keys = [column.name for column in verdict.primary_key]
            values = {c.name: statement.excluded[c.name] for c in verdict.columns if c.name not in keys}
            session.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), changed)
        held = unjudged.hold_back(session, snapshot, evaluation_id, faults, chosen) if store else 0
        session.commit()
        if store:
            unjudged.record_unread(session, snapshot, evaluation_id, unread)
        counts = RescoreCounts(
            counts.verdicts + len(made),
            counts.missing + missing,
            counts.different + len(changed) - missing,
            counts.stored + (len(changed) if store else 0) + held,
            counts.unread + len(unread),
            counts.held_back + len(faults),
        )
        _log.info("%d verdicts made anew, %d of them different", counts.verdicts, counts.different)
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
    ids = sorted({row.case_id for row in batch})
    rows = session.execute(
        select(verdict).where(verdict.c.evaluation_id == evaluation_id, verdict.c.case_id.in_(ids))
    ).mappings()
    return {_key(row): _canonical(row) for row in map(dict, rows)}
