"""The stage of judging: verdicts for the delivered responses of one evaluation, only those that are missing.

Responses are read in the order of their keys and committed by the batch, so a killed run continues where it
stopped; nothing depends on the batch, so scoring again gives the same bytes. One that cannot be judged stops no other
(`isolation`).
"""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import groups, isolation, replay_profile, suites, unjudged
from halluvault_tasks.oracles.embedding import Embed, SentenceBert
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.isolation import BATCH
from halluvault_tasks.oracles.scorer import Judged, Scorer
from halluvault_tasks.oracles.unjudged import Item
from halluvault_tasks.querying import evaluations
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import runs
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

    def scorer(self, session: Session, snapshot: str) -> Scorer:
        """The judge of a snapshot's cases, made at its first use; `session` must be the same each time."""
        if snapshot not in self._scorers:
            unjudged.require_rows(session, snapshot)
            _log.info("%s: reading names, wordings and rules to judge by", snapshot)
            self._scorers[snapshot] = Scorer(session, snapshot, self.embed, extractor=self.extractor)
        return self._scorers[snapshot]


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
        session: open session.
        evaluation_id: evaluation whose responses are judged.
        embed: as for `Shared`.
        extractor: as for `Shared`.
        shared: in place of both, where several evaluations are scored.

    Raises:
        UserError: unknown evaluation; or something is left to judge, and the month's rows were dropped.
    """
    shared = shared or Shared(embed, extractor)
    profiles_wanted = unjudged.current(session, evaluation_id, shared.extractor)
    row = evaluations.find(session, evaluation_id)
    with runs.stage(session, row.snapshot, "score", row.name, unjudged.judging(row.snapshot, evaluation_id)) as summary:
        counts = ScoreCounts(_delivered(session, evaluation_id), 0, 0, 0)
        for batch in unjudged.missing(session, evaluation_id, profiles_wanted):
            scorer = shared.scorer(session, row.snapshot)
            judge = partial(_judge, session, scorer, evaluation_id)
            works = partial(unjudged.works, session, evaluation_id, batch, partial(scorer.judge, ""))
            parts, faults = isolation.each_by_itself(session, batch, judge, works)
            held = unjudged.hold_back(session, row.snapshot, evaluation_id, faults, profiles_wanted)
            session.commit()
            unread = [one for part in parts for one in part.unread]
            unjudged.record_unread(session, row.snapshot, evaluation_id, unread)
            counts = counts._replace(
                judged=counts.judged + len(batch),
                verdicts=counts.verdicts + sum(part.stored for part in parts) + held,
                phrases=counts.phrases + sum(part.phrases for part in parts),
                unread=counts.unread + len(unread),
                held_back=counts.held_back + len(faults),
            )
            _log.info("%s: %d of %d responses judged now", row.name, counts.judged, counts.delivered)
        for suite in suites.JUDGES:
            counts = _judge_suite(session, row.snapshot, evaluation_id, suite, counts)
        turns, opposed = _opposed(session, evaluation_id)
        counts = counts._replace(groups=groups.store(session, evaluation_id), verdict_turns=turns, opposed=opposed)
        session.commit()
        summary |= counts._asdict() | {"embedding": shared.embed.name, "profiles": dict(profiles_wanted)}
    return counts


def _delivered(session: Session, evaluation_id: str) -> int:
    of_it = (response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
    return session.scalar(select(func.count()).select_from(response).where(*of_it)) or 0


def _judge(session: Session, scorer: Scorer, evaluation_id: str, batch: Sequence[Any]) -> Judged:
    """Judge responses and store the verdicts that are not there."""
    made = scorer.judge(evaluation_id, batch)
    return made._replace(stored=unjudged.add(session, made.rows))


def _opposed(session: Session, evaluation_id: str) -> tuple[int, int]:
    """Responses with a verdict turn, and of them those whose text opposes the verdict."""
    flags = verdict.c.detail["flags"]
    turn, opposed = (flags[name].as_boolean() for name in ("verdict_turn", "text_opposes_verdict"))
    turns, of_them = session.execute(
        select(func.count().filter(turn), func.count().filter(opposed)).where(
            verdict.c.evaluation_id == evaluation_id,
            verdict.c.profile == replay_profile.PROFILE,
            verdict.c.profile_version == replay_profile.VERSION,
        )
    ).one()
    return turns, of_them


def _judge_suite(session: Session, snapshot: str, evaluation_id: str, suite: str, counts: ScoreCounts) -> ScoreCounts:
    """What a suite's own judge says of the responses that it has not judged. Commits by the batch."""
    own = suites.JUDGES[suite]

    def judge(part: Sequence[Any]) -> int:
        return unjudged.add(
            session, [{**row, "evaluation_id": evaluation_id} for row in own.judge(session, snapshot, part)]
        )

    for batch in unjudged.missing(session, evaluation_id, own.profiles, suite=suite):
        works = partial(unjudged.works, session, evaluation_id, batch, partial(own.judge, session, snapshot), suite)
        written, faults = isolation.each_by_itself(session, batch, judge, works)
        held = unjudged.hold_back(session, snapshot, evaluation_id, faults, own.profiles)
        session.commit()
        counts = counts._replace(
            judged=counts.judged + len(batch),
            verdicts=counts.verdicts + sum(written) + held,
            held_back=counts.held_back + len(faults),
        )
        _log.info("%d responses judged now, the last of the suite %s", counts.judged, suite)
    return counts


def judge(items: Sequence[Item], scorer: Scorer) -> list[dict[str, Any]]:
    """Verdicts on texts, as rows of table `verdict` without an evaluation; writes nothing.

    Args:
        items: texts, at most one for each (case, sample).
        scorer: by its profiles; what its extractor could not read has no rows of these.
    """
    rows: list[dict[str, Any]] = []
    for start in range(0, len(items), BATCH):
        rows += scorer.judge("", items[start : start + BATCH]).rows
    return rows
