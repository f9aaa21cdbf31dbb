"""The stage of judging: verdicts for the delivered responses of one evaluation, those that are missing or all anew.

Responses are read in the order of their keys and committed by the batch, so a killed run continues where it
stopped; nothing depends on the batch, so scoring again gives the same bytes. One that cannot be judged stops no other
(`isolation`).
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import groups, measured, profiles, suites
from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.oracles.embedding import Embed, SentenceBert
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.isolation import BATCH
from halluvault_tasks.oracles.replay_profile import ReasonedText
from halluvault_tasks.oracles.scorer import ScoredBatch, Scorer
from halluvault_tasks.oracles.suites.judge import ArguedAnswer, SuiteJudge
from halluvault_tasks.oracles.unjudged import Judge, JudgingLane, UnstoredText
from halluvault_tasks.querying import evaluations
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import leases, runs
from halluvault_tasks.storage.tables import response, verdict

_log = logging.getLogger(__name__)


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

    held_back: int = 0
    """Responses on which judging fails: each is an incident, and its verdict is review."""


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


class Shared:
    """What evaluations that are scored one after another share: Sentence-BERT, and a month's names, wordings and rules.

    Args:
        embed: Sentence-BERT; None means the configured model, loaded only if a phrase must be compared.
        extractor: reads triples for the published method beside `anchored`; None means `anchored` alone.
    """

    def __init__(self, embed: Embed | None = None, extractor: Extractor | None = None) -> None:
        self.embed = embed or SentenceBert(settings().embedding_model)
        self.extractor = extractor
        self._scorers: dict[str, Scorer] = {}

    def scorer(self, lane: JudgingLane) -> Scorer:
        """The judge of a snapshot's cases, made at its first use; the session must be the same each time."""
        if lane.snapshot not in self._scorers:
            lane.require_rows()
            _log.info("%s: reading names, wordings and rules to judge by", lane.snapshot)
            self._scorers[lane.snapshot] = Scorer(lane.session, lane.snapshot, self.embed, extractor=self.extractor)
        return self._scorers[lane.snapshot]


def score(
    session: Session,
    evaluation_id: str,
    *,
    embed: Embed | None = None,
    extractor: Extractor | None = None,
    shared: Shared | None = None,
) -> ScoreCounts:
    """Judge every delivered response that lacks a verdict of this version, by its suite's judge. Commits by the batch.

    Args:
        embed, extractor: as for `Shared`.
        shared: in place of both, where several evaluations are scored.

    Raises:
        UserError: unknown evaluation; or something is left to judge, and the month's rows were dropped.
    """
    shared = shared or Shared(embed, extractor)
    row = evaluations.find(session, evaluation_id)
    lane = JudgingLane(session, row.snapshot, evaluation_id)
    wanted = profiles.wanted(shared.extractor.name if shared.extractor else "")
    judges: list[tuple[str, Mapping[str, str], Callable[[], Judge]]] = [("", wanted, lambda: shared.scorer(lane).judge)]
    judges += [(suite, own.versions, _own(lane, own, shared)) for suite, own in suites.JUDGES.items()]
    with runs.stage(session, row.snapshot, "score", row.name, lane.work) as summary:
        delivered, found = _delivered(session, evaluation_id), Counter[str]()
        for suite, due, judge in judges:
            missing = lane.missing(due, suite=suite)
            for batch in lane.judged(missing, due, judge, lambda rows: {"stored": lane.add(rows)}, suite):
                found.update(batch)
                _log.info("%s: %d of %d responses judged now", row.name, found["judged"], delivered)
        turns, opposed = _opposed(session, evaluation_id)
        counts = ScoreCounts(
            delivered,
            found["judged"],
            found["stored"],
            found["phrases"],
            groups.store(session, evaluation_id),
            found["unread"],
            turns,
            opposed,
            found["held_back"],
        )
        measured.store(session)
        session.commit()
        summary |= counts._asdict() | {"embedding": shared.embed.name, "profiles": dict(wanted)}
    return counts


def _own(lane: JudgingLane, suite: SuiteJudge, shared: Shared) -> Callable[[], Judge]:
    """A suite's own judge, which has read what it needs of the month before it is given the first response."""

    def reasons(batch: Sequence[ArguedAnswer]) -> Sequence[ReasonedText]:
        return shared.scorer(lane).reasoned(batch)

    def judge(evaluation_id: str, batch: Sequence[Any]) -> ScoredBatch:
        made = suite.judge(lane.session, lane.snapshot, batch, reasons if suite.argued else None)
        return ScoredBatch([{**row, "evaluation_id": evaluation_id} for row in made], 0, [])

    def ready() -> Judge:
        if suite.load is not None:
            suite.load(lane.session, lane.snapshot)
        if suite.argued is not None:
            shared.scorer(lane)
        return judge

    return ready


def _delivered(session: Session, evaluation_id: str) -> int:
    of_it = (response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
    return session.scalar(select(func.count()).select_from(response).where(*of_it)) or 0


def _opposed(session: Session, evaluation_id: str) -> tuple[int, int]:
    """Responses with a verdict turn, and of them those whose text opposes the verdict."""
    flags = verdict.c.detail["flags"]
    turn, opposed = (flags[name].as_boolean() for name in ("verdict_turn", "text_opposes_verdict"))
    turns, of_them = session.execute(
        select(func.count().filter(turn), func.count().filter(opposed)).where(
            verdict.c.evaluation_id == evaluation_id,
            verdict.c.profile == profiles.LEADING.name,
            verdict.c.profile_version == profiles.LEADING.version,
        )
    ).one()
    return turns, of_them


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
        wanted: profiles; none means all.
        embed, extractor: as for `Shared`.
        only: leave out responses whose verdicts of this version all bear another sub-label.
        store: replace what differs; False only counts.

    Raises:
        UserError: unknown evaluation, or the month's rows were dropped.
    """
    lane = JudgingLane(session, evaluations.find(session, evaluation_id).snapshot, evaluation_id)
    lane.require_rows()
    with leases.held(session, lane.work):
        current = profiles.wanted(extractor.name if extractor else "")
        chosen = {profile: current[profile] for profile in wanted or current}

        @cache
        def judge() -> Judge:
            bert = embed or SentenceBert(settings().embedding_model)
            return Scorer(session, lane.snapshot, bert, extractor=extractor, wanted=chosen).judge

        found: Counter[str] = Counter()
        missing = lane.missing(chosen if only else {}, only)
        for batch in lane.judged(missing, chosen, judge, partial(_compared, lane, store), tell=store):
            found.update(batch)
            _log.info("%d verdicts made anew, %d of them different", found["verdicts"], found["different"])
        if store:
            groups.store(session, evaluation_id)
            session.commit()
    return RescoreCounts(
        found["verdicts"],
        found["missing"],
        found["different"],
        found["stored"],
        found["unread"],
        found["held_back"],
    )


def _compared(lane: JudgingLane, store: bool, made: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How verdicts differ from those stored, which they replace if they are to be stored."""
    ids = sorted({row["case_id"] for row in made})
    of_them = select(verdict).where(verdict.c.evaluation_id == lane.evaluation_id, verdict.c.case_id.in_(ids))
    stored = {_key(row): _canonical(row) for row in map(dict, lane.session.execute(of_them).mappings())}
    missing = sum(_key(row) not in stored for row in made)
    changed = [row for row in made if stored.get(_key(row)) != _canonical(row)]
    if store and changed:
        statement = insert(verdict)
        keys = [column.name for column in verdict.primary_key]
        values = {c.name: statement.excluded[c.name] for c in verdict.columns if c.name not in keys}
        lane.session.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), changed)
        _forget_examined(lane, [row for row in changed if row["profile"] == profiles.HEADLINE])
    counts = {"verdicts": len(made), "missing": missing, "different": len(changed) - missing}
    return counts | {"stored": len(changed) if store else 0}


def _forget_examined(lane: JudgingLane, changed: Sequence[Mapping[str, Any]]) -> None:
    """Delete the cross-examined verdicts of responses whose own changed: the next examination makes them anew."""
    ids = sorted({row["case_id"] for row in changed})
    mine = verdict.c.evaluation_id == lane.evaluation_id, verdict.c.case_id.in_(ids)
    examined = verdict.c.profile.startswith(cross_examination.PREFIX, autoescape=True)
    of_now = verdict.c.profile_version.startswith(f"{profiles.LEADING.version}.", autoescape=True)
    lane.session.execute(delete(verdict).where(*mine, examined, of_now))


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in verdict.primary_key)


def _canonical(row: Mapping[str, Any]) -> str:
    """A verdict as bytes that are equal just if all its columns are."""
    values = {column.name: row.get(column.name) for column in verdict.columns}
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def judge(items: Sequence[UnstoredText], scorer: Scorer) -> list[dict[str, Any]]:
    """Verdicts on texts, as rows of table `verdict` without an evaluation; writes nothing.

    Args:
        items: texts, at most one for each (case, sample).
        scorer: by its profiles; what its extractor could not read has no rows of these.
    """
    rows: list[dict[str, Any]] = []
    for start in range(0, len(items), BATCH):
        rows += scorer.judge("", items[start : start + BATCH]).rows
    return rows
