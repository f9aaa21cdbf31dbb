"""All profiles on a batch of responses: one reading of the answer, the published method and the replay side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import asked, decision, mentions
from halluvault_tasks.oracles.answer import Answer, parse
from halluvault_tasks.oracles.asked import Asked
from halluvault_tasks.oracles.decision import Given, Judge
from halluvault_tasks.oracles.embedding import Embed
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.published import Anchored, Proof, Published, Said
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import benchmark_case, cases, response


class Scorer:
    """What all batches of one evaluation share: names, the published method, and the replaying judge.

    Args:
        session: open session.
        snapshot: whose benchmark the responses answer.
        embed: Sentence-BERT.
        config_dir: directory of the word lists, if not the configured one.
        extractor: reads triples for the published method beside `anchored`; None means `anchored` alone.
    """

    def __init__(
        self,
        session: Session,
        snapshot: str,
        embed: Embed,
        config_dir: Path | None = None,
        extractor: Extractor | None = None,
    ) -> None:
        self._session = session
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
        names = mentions.load_names(session, snapshot, cited)
        self._asked: dict[str, Asked] = {}
        for row in rows:
            original = originals.get(row.group_id, "")
            self._asked[row.id] = asked.read(row, "" if original == row.id else original)
        proofs = {row.id: Proof(row.gold, row.premises) for row in rows}
        extractors = [Anchored(names), *([extractor] if extractor else [])]
        self._published = [Published(proofs, each, embed) for each in extractors]
        self._replay = Judge(
            session,
            snapshot,
            names,
            config_dir=config_dir or settings().config_dir,
            prolog_dir=settings().prolog_dir,
        )

    def judge(self, evaluation_id: str, batch: Sequence[Any]) -> tuple[list[dict[str, Any]], int]:
        """Verdict rows of a batch, and how many phrases had to be embedded for it."""
        said = [Said(row.case_id, row.text or "", self._answer(row)) for row in batch]
        keys = [{"evaluation_id": evaluation_id, "case_id": row.case_id, "sample": row.sample} for row in batch]
        rows: list[dict[str, Any]] = []
        phrases = 0
        for method in self._published:
            found, embedded = method.judge(said)
            phrases += embedded
            rows += [verdict | key for key, verdicts in zip(keys, found, strict=True) for verdict in verdicts]
        right = self._right_on_base(evaluation_id, batch)
        given = [
            Given(self._asked[each.case_id], each.text, each.answer, (row.case_id, row.sample) in right)
            for each, row in zip(said, batch, strict=True)
        ]
        none = {"edge_similarity": None, "node_similarity": None, "profile_version": decision.VERSION}
        rows += [each._asdict() | none | key for key, each in zip(keys, self._replay.judge(given), strict=True)]
        return rows, phrases

    def _answer(self, row: Any) -> Answer:
        return parse(row.text or "", self._asked[row.case_id].question)

    def _right_on_base(self, evaluation_id: str, batch: Sequence[Any]) -> set[tuple[str, int]]:
        """Responses whose model answered the group's original wording rightly, in the same evaluation and sample."""
        wanted: Mapping[tuple[str, int], tuple[str, int]] = {
            (row.case_id, row.sample): (original, row.sample)
            for row in batch
            if (original := self._asked[row.case_id].original)
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
            case = self._asked[case_id]
            if parse(text or "", case.question).kind == case.gold:
                right.add((case_id, sample))
        return {key for key, original in wanted.items() if original in right}
