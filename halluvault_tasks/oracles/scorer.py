"""All profiles on a batch of responses: one reading of the answer, the published method and the replay side by side."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import exchange, paper, profiles, suites
from halluvault_tasks.oracles.asked import CaseToJudge, cases_to_judge
from halluvault_tasks.oracles.embedding import Embed
from halluvault_tasks.oracles.exchange import Exchange, HeardResponse
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.published import Anchored, Published, ReadResponse
from halluvault_tasks.oracles.replay_profile import Judge, ReasonedText, ReplayVerdict
from halluvault_tasks.oracles.suites.judge import ArguedAnswer
from halluvault_tasks.oracles.weighed import JudgeInput, WeighedResponse
from halluvault_tasks.reading import base, parses, steps, verdict_turn
from halluvault_tasks.reading import snapshot as snapshot_names
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Reading
from halluvault_tasks.reading.document import DocumentParser
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


class _ReadExchange(NamedTuple):
    """A response, what it is part of, and its reading."""

    heard: HeardResponse
    exchange: Exchange
    reading: Reading

    @property
    def key(self) -> tuple[str, int]:
        """Case and sample."""
        return self.heard.case_id, self.heard.sample

    @property
    def published(self) -> ReadResponse:
        """As the published method takes it."""
        span = self.reading.answer.span if self.exchange.verdict is None else None
        return ReadResponse(self.heard.case_id, self.exchange.text, self.reading.answer, span)

    def replayed(self, asked: Mapping[str, CaseToJudge], base_right: bool) -> JudgeInput:
        """As the replay takes it."""
        apart = self.exchange.verdict is not None
        case = asked[self.heard.case_id]
        return JudgeInput(case, self.exchange.text, self.reading, base_right, self.heard.cut, apart)


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
        names: of the snapshot's entities.
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
        rows = _cases(session, snapshot) if placed is None else placed
        explained = [] if wanted or placed is not None else _explained(session, snapshot)
        config_dir = config_dir or settings().config_dir
        cited = {*_cited(row.premises for row in rows), *explained}
        self.names = names = snapshot_names.load_names(session, snapshot, config_dir, cited)
        self._session = session
        self._wanted = frozenset(wanted or profiles.wanted(extractor.name if extractor else ""))
        self.asked = cases_to_judge(rows)
        self._known = {row.id: [row.question, *(str(one["sentence"]) for one in row.premises)] for row in rows}
        by_id = {row.id: row for row in rows}
        self._published = [
            Published(by_id, each, embed)
            for each in (Anchored(names), *([extractor] if extractor else ()))
            if self._wanted.intersection(one.name for one in paper.profiles(each.name))
        ]
        self._replay: Judge | None = None
        if profiles.HEADLINE in self._wanted:
            expected = [*(qid for _, case in sorted(self.asked.items()) for qid in sorted(case.entities)), *explained]
            # Its thousand wordings are the same in every process: half of the time that it takes to make it.
            with parses.kept(spacy_parser(), settings().state_dir / "wordings"):
                self._replay = Judge(
                    session,
                    snapshot,
                    config_dir=config_dir,
                    prolog_dir=settings().prolog_dir,
                    names=names,
                    expected=expected,
                )
        self._documents = (
            self._replay.documents
            if self._replay
            else DocumentParser(spacy_parser(), snapshot_names.finder(config_dir, names))
        )
        self._answers = AnswerReader(self._documents)

    def forget(self) -> None:
        """Understand every question anew; for those who change how that is done."""
        self._answers = AnswerReader(self._documents)

    def reasoned(self, batch: Sequence[ArguedAnswer]) -> list[ReasonedText]:
        """What texts make of the answers that they argue for, which were judged already."""
        if self._replay is None:
            return []
        # Who explains a name says neither yes nor no: what is read beside claims is sums of years, whatever is asked.
        given = [base.ReaderInput(one.text, _ANY, one.asked.s, one.asked.entities, verdict=one.answer) for one in batch]
        reckoned = [one for one in given if steps.may_reckon(one.text)]
        known = dict(zip(map(id, reckoned), self._answers.read(reckoned), strict=True))
        return self._replay.reasoned([
            JudgeInput(one.asked, one.text, known.get(id(said)) or _answered(one.answer), False, asked_apart=True)
            for one, said in zip(batch, given, strict=True)
        ])

    def weighed(self, evaluation_id: str, batch: Sequence[Any]) -> list[WeighedResponse]:
        """What the replay makes of a batch before it judges."""
        assert self._replay
        read = self._read([exchange.heard(row) for row in batch])
        right = self._right_on_base(evaluation_id, read)
        return self._replay.weighed([one.replayed(self.asked, one.key in right) for one in read])

    def rejudged(self, batch: Sequence[WeighedResponse]) -> list[ReplayVerdict]:
        """The replay's verdicts on what it weighed before, or on what is left of that."""
        assert self._replay
        return self._replay.rejudged(batch)

    def grounds(self, batch: Sequence[Any]) -> list[tuple[object, ...]]:
        """What the replay's verdicts on a batch follow from, as if nothing else had been answered."""
        read = self._read([exchange.heard(row) for row in batch])
        return self._replay.grounds([one.replayed(self.asked, False) for one in read]) if self._replay else []

    def judge(self, evaluation_id: str, batch: Sequence[Any]) -> ScoredBatch:
        """Verdicts of a batch, of the profiles wanted."""
        read = self._read([exchange.heard(row) for row in batch])
        judged: list[tuple[HeardResponse, dict[str, Any]]] = []
        unread: list[UnreadResponse] = []
        phrases = 0
        for method in self._published:
            found = method.judge([one.published for one in read])
            phrases += found.phrases
            for at, (one, verdicts) in enumerate(zip(read, found.verdicts, strict=True)):
                judged += ((one.heard, verdict) for verdict in verdicts)
                if at in found.unread:
                    unread.append(UnreadResponse(*one.key, method.extractor, found.unread[at]))
        if self._replay is not None:
            right = self._right_on_base(evaluation_id, read)
            made = self._replay.judge([one.replayed(self.asked, one.key in right) for one in read])
            judged += ((one.heard, verdict._asdict()) for one, verdict in zip(read, made, strict=True))
        rows = [
            verdict | {"evaluation_id": evaluation_id, "case_id": heard.case_id, "sample": heard.sample}
            for heard, verdict in judged
            if verdict["profile"] in self._wanted
        ]
        return ScoredBatch(rows, phrases, unread)

    def _read(self, responses: Sequence[HeardResponse]) -> list[_ReadExchange]:
        exchanges = [exchange.ended_by(one, self._known[one.case_id]) for one in responses]
        readings = self._answers.read([
            base.ReaderInput(
                each.text, asked.question, asked.s, asked.entities, prompt=each.prompt, verdict=each.verdict
            )
            for one, each in zip(responses, exchanges, strict=True)
            if (asked := self.asked[one.case_id])
        ])
        return [
            _ReadExchange(one, each, one.settled(reading))
            for one, each, reading in zip(responses, exchanges, readings, strict=True)
        ]

    def _right_on_base(self, evaluation_id: str, read: Sequence[_ReadExchange]) -> set[tuple[str, int]]:
        """Responses whose model answered the group's original wording rightly, in the same evaluation and sample."""
        originals = {one.key: (self.asked[one.heard.case_id].original, one.heard.sample) for one in read}
        wanted = sorted({original for original in originals.values() if original[0]})
        if not evaluation_id or not wanted:
            return set()
        key = tuple_(response.c.case_id, response.c.sample)
        found = self._answered(self._session.execute(delivered_rows(evaluation_id).where(key.in_(wanted))).all())
        right = {one.key for one in found if one.reading.answer.kind == self.asked[one.heard.case_id].gold}
        return {one for one, original in originals.items() if original in right}

    def _answered(self, rows: Sequence[Any]) -> list[_ReadExchange]:
        """Responses as they are read; one that cannot be is a fault of its own, and not of who asks for it."""
        try:
            return self._read([exchange.heard(row) for row in rows])
        except Exception:
            return [one for row in rows for one in self._answered([row])] if len(rows) > 1 else []


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
