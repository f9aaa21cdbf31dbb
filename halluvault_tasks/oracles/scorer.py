"""All profiles on a batch of responses: one reading of the answer, the published method and the replay side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import anchored, asked, decision, mentions, paper, structure
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.answer import Answer, parse
from halluvault_tasks.oracles.asked import Asked
from halluvault_tasks.oracles.decision import Given, Judge
from halluvault_tasks.oracles.embedding import Embed, PhraseCache
from halluvault_tasks.oracles.mentions import Names
from halluvault_tasks.oracles.sentences import Span
from halluvault_tasks.oracles.structure import Structure
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import benchmark_case, cases, response


class _Case(NamedTuple):
    asked: Asked
    triples: list[Triple]
    structure: Structure


class _Read(NamedTuple):
    """A response, read but not yet compared."""

    case_id: str
    sample: int
    answer: Answer
    triples: list[Triple]
    structure: Structure


class Scorer:
    """What all batches of one evaluation share: names, gold structures, the phrase cache and the replaying judge."""

    def __init__(self, session: Session, snapshot: str, embed: Embed, config_dir: Path | None = None) -> None:
        self._session = session
        self._embedding = embed.name
        self._cache = PhraseCache(embed)
        proof = benchmark_case.c
        rows = session.execute(
            select(cases, proof.rule_kind, proof.fact, proof.premises, proof.subject)
            .join(benchmark_case, proof.case_id == cases.c.id)
            .where(proof.snapshot == snapshot)
            .order_by(cases.c.id)
        ).all()
        originals = {row.group_id: row.id for row in rows if row.mutation == "original"}
        ends = (end for row in rows for premise in row.premises for end in (premise["subject"], premise["object"]))
        cited = {int(end["qid"]) for end in ends if end.get("qid")}
        self._names: Names = mentions.load_names(session, snapshot, cited)
        self._cases: dict[str, _Case] = {}
        for row in rows:
            triples = anchored.gold(row.premises, self._names)
            original = originals.get(row.group_id, "")
            case = asked.read(row, "" if original == row.id else original)
            self._cases[row.id] = _Case(case, triples, structure.build(triples))
        self._replay = Judge(
            session,
            snapshot,
            self._names,
            config_dir=config_dir or settings().config_dir,
            prolog_dir=settings().prolog_dir,
        )

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
        rows = [row for each in read for row in self._rows(evaluation_id, each)]
        right = self._right_on_base(evaluation_id, batch)
        given = [
            Given(self._cases[each.case_id].asked, row.text or "", each.answer, (each.case_id, each.sample) in right)
            for each, row in zip(read, batch, strict=True)
        ]
        for each, found in zip(read, self._replay.judge(given), strict=True):
            key = {"evaluation_id": evaluation_id, "case_id": each.case_id, "sample": each.sample}
            none = {"edge_similarity": None, "node_similarity": None}
            rows.append(found._asdict() | none | key | {"profile_version": decision.VERSION})
        return rows, phrases

    def _right_on_base(self, evaluation_id: str, batch: Sequence[Any]) -> set[tuple[str, int]]:
        """Responses whose model answered the group's original wording rightly, in the same evaluation and sample."""
        wanted: Mapping[tuple[str, int], tuple[str, int]] = {
            (row.case_id, row.sample): (original, row.sample)
            for row in batch
            if (original := self._cases[row.case_id].asked.original)
        }
        if not evaluation_id or not wanted:
            return set()
        found = self._session.execute(
            select(response.c.case_id, response.c.sample, response.c.text).where(
                response.c.evaluation_id == evaluation_id,
                response.c.status == "delivered",
                tuple_(response.c.case_id, response.c.sample).in_(sorted(set(wanted.values()))),
            )
        )
        right = set()
        for case_id, sample, text in found:
            case = self._cases[case_id].asked
            if parse(text or "", case.question).kind == case.gold:
                right.add((case_id, sample))
        return {key for key, original in wanted.items() if original in right}

    def _read(self, case_id: str, sample: int, text: str) -> _Read:
        answer = parse(text, self._cases[case_id].asked.question)
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
            for each in paper.judge(read.answer, case.asked.gold, edges, nodes, bool(read.triples))
        ]
