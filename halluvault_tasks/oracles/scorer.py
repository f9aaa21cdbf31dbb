"""All profiles on a batch of responses: one reading of the answer, the published method and the replay side by side."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import asked, exchange, paper, replay_profile, suites
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.embedding import Embed
from halluvault_tasks.oracles.exchange import Exchange, HeardResponse
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.published import Anchored, Published, ReadResponse
from halluvault_tasks.oracles.replay_profile import Judge, JudgeInput, ReasonedText
from halluvault_tasks.oracles.suites.judge import ArguedAnswer
from halluvault_tasks.reading import base, steps, verdict_turn
from halluvault_tasks.reading import snapshot as snapshot_names
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Reading
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, prompt, response

_ANY = "Is this statement true?"


class UnreadResponse(NamedTuple):
    """A response that an extractor could not read, and so has no verdict of its profiles."""

    case_id: str
    sample: int
    extractor: str
    reason: str


class ScoredBatch(NamedTuple):
    """What became of a batch."""

    rows: list[dict[str, Any]]
    """Rows of table `verdict`."""

    phrases: int
    """Phrases that had to be embedded."""

    unread: list[UnreadResponse]


class Scorer:
    """What all batches of one evaluation share: names, the published method, and the replaying judge.

    Args:
        snapshot: whose benchmark the responses answer.
        config_dir: directory of the word lists, if not the configured one.
        extractor: reads triples for the published method beside `anchored`; None means `anchored` alone.
        wanted: profiles to judge by; none means all. What they do not need is not loaded.
        placed: cases with the columns of `cases` and `benchmark_case`, in place of the snapshot's benchmark.

    Attributes:
        asked: the cases, by id.
        replay: the replaying judge; None where its profiles are not wanted.
    """

    def __init__(
        self,
        session: Session,
        snapshot: str,
        embed: Embed,
        config_dir: Path | None = None,
        extractor: Extractor | None = None,
        wanted: Collection[str] = (),
        placed: Sequence[Any] | None = None,
    ) -> None:
        self._session = session
        rows = _cases(session, snapshot) if placed is None else placed
        originals = {row.group_id: row.id for row in rows if row.mutation == "original"}
        explained = [] if wanted or placed is not None else _explained(session, snapshot)
        cited = {*_cited(row.premises for row in rows), *explained}
        config_dir = config_dir or settings().config_dir
        names = snapshot_names.load_names(session, snapshot, config_dir, cited)
        self.asked: dict[str, CaseToJudge] = {}
        for row in rows:
            original = originals.get(row.group_id, "")
            self.asked[row.id] = asked.read(row, "" if original == row.id else original)
        by_id = {row.id: row for row in rows}
        extractors = [Anchored(names), *([extractor] if extractor else [])]
        self._reader = AnswerReader(spacy_parser())
        self._known = {row.id: [row.question, *(str(one["sentence"]) for one in row.premises)] for row in rows}
        self._wanted = frozenset(wanted)
        self._published = [
            (each.name, Published(by_id, each, embed)) for each in extractors if self._wants(*paper.profiles(each.name))
        ]
        self.replay: Judge | None = None
        if not wanted or any(profile.startswith(replay_profile.FAMILY) for profile in wanted):
            self.replay = Judge(
                session,
                snapshot,
                config_dir=config_dir,
                prolog_dir=settings().prolog_dir,
                names=names,
                expected=[
                    *(qid for _, case in sorted(self.asked.items()) for qid in sorted(case.entities)),
                    *explained,
                ],
            )

    def reasoned(self, batch: Sequence[ArguedAnswer]) -> list[ReasonedText]:
        """What texts make of the answers that they argue for, which were judged already."""
        if self.replay is None:
            return []
        # Who explains a name says neither yes nor no: what is read beside claims is sums of years, whatever is asked.
        given = [base.ReaderInput(one.text, _ANY, verdict=one.answer) for one in batch]
        reckoned = [one for one in given if steps.may_reckon(one.text)]
        known = dict(zip(map(id, reckoned), self._reader.read(reckoned), strict=True))
        return self.replay.reasoned([
            JudgeInput(one.asked, one.text, known.get(id(said)) or _answered(one.answer), False, asked_apart=True)
            for one, said in zip(batch, given, strict=True)
        ])

    def _wants(self, *profiles: str) -> bool:
        return not self._wanted or not self._wanted.isdisjoint(profiles)

    def judge(self, evaluation_id: str, batch: Sequence[Any]) -> ScoredBatch:
        """Verdicts of a batch, of the profiles wanted."""
        batch = [exchange.heard(row) for row in batch]
        exchanges, readings = self._read(batch)
        said = [
            ReadResponse(row.case_id, each.text, reading.answer, reading.answer.span if each.verdict is None else None)
            for row, each, reading in zip(batch, exchanges, readings, strict=True)
        ]
        keys = [{"evaluation_id": evaluation_id, "case_id": row.case_id, "sample": row.sample} for row in batch]
        rows: list[dict[str, Any]] = []
        unread: list[UnreadResponse] = []
        phrases = 0
        for name, method in self._published:
            found = method.judge(said)
            phrases += found.phrases
            for key, verdicts in zip(keys, found.verdicts, strict=True):
                rows += [verdict | key for verdict in verdicts if self._wants(verdict["profile"])]
            unread += [
                UnreadResponse(batch[at].case_id, batch[at].sample, name, why) for at, why in found.unread.items()
            ]
        if self.replay is not None:
            none = {"edge_similarity": None, "node_similarity": None, "profile_version": replay_profile.VERSION}
            judged = self.replay.judge(self._given(evaluation_id, batch, exchanges, readings))
            rows += [one._asdict() | none | key for key, one in zip(keys, judged, strict=True)]
        return ScoredBatch(rows, phrases, unread)

    def _given(
        self,
        evaluation_id: str,
        batch: Sequence[HeardResponse],
        exchanges: Sequence[Exchange],
        readings: Sequence[Reading],
    ) -> list[JudgeInput]:
        right = self._right_on_base(evaluation_id, batch)
        return [
            JudgeInput(
                self.asked[row.case_id],
                each.text,
                reading,
                (row.case_id, row.sample) in right,
                row.cut,
                each.verdict is not None,
            )
            for row, each, reading in zip(batch, exchanges, readings, strict=True)
        ]

    def _read(self, batch: Sequence[HeardResponse]) -> tuple[list[Exchange], list[Reading]]:
        exchanges = [exchange.of(row, self._known[row.case_id]) for row in batch]
        given = [
            base.ReaderInput(each.text, self.asked[row.case_id].question, prompt=each.prompt, verdict=each.verdict)
            for row, each in zip(batch, exchanges, strict=True)
        ]
        return exchanges, [row.settled(each) for row, each in zip(batch, self._reader.read(given), strict=True)]

    def _right_on_base(self, evaluation_id: str, batch: Sequence[HeardResponse]) -> set[tuple[str, int]]:
        """Responses whose model answered the group's original wording rightly, in the same evaluation and sample."""
        wanted: Mapping[tuple[str, int], tuple[str, int]] = {
            (row.case_id, row.sample): (original, row.sample)
            for row in batch
            if (original := self.asked[row.case_id].original)
        }
        if not evaluation_id or not wanted:
            return set()
        found = self._session.execute(
            delivered_rows(evaluation_id).where(
                tuple_(response.c.case_id, response.c.sample).in_(sorted(set(wanted.values())))
            )
        ).all()
        right = {
            (row.case_id, row.sample)
            for row, reading in self._readable(found)
            if reading.answer.kind == self.asked[row.case_id].gold
        }
        return {key for key, original in wanted.items() if original in right}

    def _readable(self, rows: Sequence[Any]) -> list[tuple[HeardResponse, Reading]]:
        """Responses with their readings; one that cannot be read is a fault of its own, and not of who asks for it."""
        try:
            batch = [exchange.heard(row) for row in rows]
            return list(zip(batch, self._read(batch)[1], strict=True))
        except Exception:
            return [one for row in rows for one in self._readable([row])] if len(rows) > 1 else []


def _answered(answer: str) -> Reading:
    """A reading of an answer alone."""
    return Reading(verdict_turn.read(answer), (), (), ())


def delivered_rows(evaluation_id: str) -> Select[Any]:
    """The delivered responses of an evaluation, each with its prompt: the rows that `Scorer.judge` takes."""
    columns = [response.c[name] for name in exchange.COLUMNS]
    return (
        select(*columns, prompt.c.text.label("prompt"))
        .join(evaluation, evaluation.c.id == response.c.evaluation_id)
        .outerjoin(
            prompt,
            and_(
                prompt.c.snapshot == evaluation.c.snapshot,
                prompt.c.variant_id == evaluation.c.variant_id,
                prompt.c.case_id == response.c.case_id,
            ),
        )
        .where(response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
    )


def _cases(session: Session, snapshot: str) -> Sequence[Any]:
    """A benchmark's cases with their proofs, by id; without those of suites that have judges of their own."""
    proof = benchmark_case.c
    return session.execute(
        select(cases, proof.rule_kind, proof.fact, proof.premises, proof.subject)
        .join(benchmark_case, proof.case_id == cases.c.id)
        .where(proof.snapshot == snapshot, proof.suite.not_in(suites.JUDGES))
        .order_by(cases.c.id)
    ).all()


def _explained(session: Session, snapshot: str) -> list[int]:
    """What the proofs of cases are about that have judges of their own and are explained, in the order of judging."""
    proof = benchmark_case.c
    judged = sorted(suite for suite, judge in suites.JUDGES.items() if judge.argued is not None)
    rows = session.scalars(
        select(proof.premises).where(proof.snapshot == snapshot, proof.suite.in_(judged)).order_by(proof.case_id)
    )
    return list(_cited(rows))


def _cited(several: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[int]:
    """The items in premises."""
    ends = (end for premises in several for premise in premises for end in (premise["subject"], premise["object"]))
    return (int(end["qid"]) for end in ends if end.get("qid"))
