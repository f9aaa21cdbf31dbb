"""The stage of judging: verdicts for the delivered responses of one evaluation, only those that are missing.

Responses are read in the order of their keys and committed by the batch, so a killed run continues where it
stopped; nothing depends on the batch, so scoring again gives the same bytes.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored, mentions, paper, structure
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.answer import Answer, parse
from halluvault_tasks.oracles.embedding import Embed, PhraseCache, SentenceBert
from halluvault_tasks.oracles.mentions import Names
from halluvault_tasks.oracles.sentences import Span
from halluvault_tasks.oracles.structure import Structure
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, model, response, verdict

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


class Item(NamedTuple):
    """A text to judge without storing anything: what `halluvault oracle study` plants."""

    case_id: str
    sample: int
    """Tells items on one case apart; comes back in the verdict."""
    text: str


class _Case(NamedTuple):
    question: str
    gold: str
    triples: list[Triple]
    structure: Structure


class _Read(NamedTuple):
    """A response, read but not yet compared."""

    case_id: str
    sample: int
    answer: Answer
    triples: list[Triple]
    structure: Structure


def score(session: Session, evaluation_id: str, *, embed: Embed | None = None) -> ScoreCounts:
    """Judge every delivered response that lacks a verdict of this version. Commits by the batch.

    Args:
        session: open session.
        evaluation_id: evaluation whose responses are judged.
        embed: Sentence-BERT; None means the configured model, loaded only if a phrase must be compared.

    Raises:
        UserError: unknown evaluation.
    """
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
        scorer: _Scorer | None = None
        for batch in _missing(session, evaluation_id):
            scorer = scorer or _Scorer(session, row.snapshot, chosen)
            rows, phrases = scorer.judge(evaluation_id, batch)
            written = session.execute(insert(verdict).on_conflict_do_nothing().returning(verdict.c.case_id), rows).all()
            session.commit()
            counts = ScoreCounts(
                delivered, counts.judged + len(batch), counts.verdicts + len(written), counts.phrases + phrases
            )
            _log.info("%s: %d responses judged", row.name, counts.judged)
        summary |= counts._asdict() | {"embedding": chosen.name, "profile_version": paper.VERSION}
    return counts


def judge(
    session: Session, snapshot: str, items: Sequence[Item], *, embed: Embed | None = None
) -> list[dict[str, Any]]:
    """Verdicts of every profile on texts, as rows of table `verdict` without an evaluation; writes nothing.

    Args:
        session: open session.
        snapshot: whose benchmark the cases are of.
        items: texts, at most one for each (case, sample).
        embed: as for `score`.
    """
    scorer = _Scorer(session, snapshot, embed or SentenceBert(settings().embedding_model))
    rows: list[dict[str, Any]] = []
    for start in range(0, len(items), _BATCH):
        rows += scorer.judge("", items[start : start + _BATCH])[0]
    return rows


def _missing(session: Session, evaluation_id: str) -> Iterator[Sequence[Any]]:
    """Batches of delivered responses without both verdicts of this version, by key."""
    present = (
        select(verdict.c.case_id, verdict.c.sample)
        .where(
            verdict.c.evaluation_id == evaluation_id,
            verdict.c.profile.in_(paper.PROFILES),
            verdict.c.profile_version == paper.VERSION,
        )
        .group_by(verdict.c.case_id, verdict.c.sample)
        .having(func.count() == len(paper.PROFILES))
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


class _Scorer:
    """What all batches of one evaluation share: names, gold structures and the phrase cache."""

    def __init__(self, session: Session, snapshot: str, embed: Embed) -> None:
        self._embedding = embed.name
        self._cache = PhraseCache(embed)
        rows = session.execute(
            select(cases.c.id, cases.c.question, cases.c.gold, benchmark_case.c.premises)
            .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
            .where(benchmark_case.c.snapshot == snapshot)
        ).all()
        ends = (end for row in rows for premise in row.premises for end in (premise["subject"], premise["object"]))
        cited = {int(end["qid"]) for end in ends if end.get("qid")}
        self._names: Names = mentions.load_names(session, snapshot, cited)
        self._cases: dict[str, _Case] = {}
        for row in rows:
            triples = anchored.gold(row.premises, self._names)
            self._cases[row.id] = _Case(row.question, row.gold, triples, structure.build(triples))

    def judge(self, evaluation_id: str, batch: Sequence[Any]) -> tuple[list[dict[str, Any]], int]:
        """Verdict rows of a batch, and how many phrases had to be embedded for it."""
        read = [self._read(row.case_id, row.sample, row.text or "") for row in batch]
        wanted: set[str] = set()
        for each in read:
            gold = self._cases[each.case_id].structure
            if paper.needs_structures(each.answer):
                wanted |= structure.unmatched(each.structure.nodes, gold.nodes)
                wanted |= structure.unmatched(each.structure.edges, gold.edges)
        phrases = self._cache.learn(wanted)
        return [row for each in read for row in self._rows(evaluation_id, each)], phrases

    def _read(self, case_id: str, sample: int, text: str) -> _Read:
        answer = parse(text, self._cases[case_id].question)
        found: list[Triple] = []
        if paper.needs_structures(answer):
            found = anchored.triples(text, self._names, Span(answer.start, answer.end))
        return _Read(case_id, sample, answer, found, structure.build(found))

    def _rows(self, evaluation_id: str, read: _Read) -> list[dict[str, Any]]:
        case = self._cases[read.case_id]
        edges = nodes = None
        if paper.needs_structures(read.answer):
            edges = structure.compare(read.structure.edges, case.structure.edges, self._cache)
            nodes = structure.compare(read.structure.nodes, case.structure.nodes, self._cache)
        detail = paper.detail(read.answer, read.triples, case.triples, edges, nodes) | {"embedding": self._embedding}
        return [
            each._asdict()
            | {
                "evaluation_id": evaluation_id,
                "case_id": read.case_id,
                "sample": read.sample,
                "profile_version": paper.VERSION,
                "detail": detail,
            }
            for each in paper.judge(read.answer, case.gold, edges, nodes, bool(read.triples))
        ]
