"""Training data: cases that a model got wrong as preference pairs in TRL's conversational format, split by entity."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import exchange, profiles
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.results.mitigation.facts import WRONG, HeadlineEvaluation
from halluvault_tasks.storage.tables import benchmark_case, cases, mitigation_use, response, verdict
from halluvault_tasks.wikidata.relation import relation_of

Split = Literal["train", "test"]


class PreferencePair(NamedTuple):
    """A wrong response and what should have been said.

    Attributes:
        entities: what it is about; no entity is in both splits.
    """

    case_id: str
    group: str
    s: int
    p: int
    entities: tuple[int, ...]
    question: str
    chosen: str
    rejected: str

    def row(self) -> dict[str, Any]:
        """The pair with an explicit prompt, as TRL's `DPOTrainer` takes it."""
        return {
            "prompt": [{"role": "user", "content": self.question}],
            "chosen": [{"role": "assistant", "content": self.chosen}],
            "rejected": [{"role": "assistant", "content": self.rejected}],
        }


def pairs(session: Session, of: HeadlineEvaluation, snapshot: str) -> list[PreferencePair]:
    """Every wrong response of an evaluation, with the gold answer and its evidence beside it.

    What rests on a measured "No" is left out: it decides an answer, and is nothing to be taught (semantics.md §1.10).

    Raises:
        UserError: nothing was wrong.
    """
    query = (
        select(
            cases.c.id, cases.c.group_id, cases.c.question, cases.c.gold, benchmark_case.c.fact,
            benchmark_case.c.premises, *(response.c[name] for name in exchange.COLUMNS),
        )
        .join(verdict, verdict.c.case_id == cases.c.id)
        .join(benchmark_case, (benchmark_case.c.case_id == cases.c.id) & (benchmark_case.c.snapshot == snapshot))
        .join(
            response,
            (response.c.evaluation_id == verdict.c.evaluation_id)
            & (response.c.case_id == verdict.c.case_id)
            & (response.c.sample == verdict.c.sample),
        )
        .where(
            verdict.c.evaluation_id == of.id,
            verdict.c.profile == profiles.HEADLINE,
            verdict.c.profile_version == of.version,
            verdict.c.category.in_(WRONG),
            cases.c.gold.in_(("yes", "no")),
            benchmark_case.c.licence != LicenceKind.MEASURED,
        )
        .order_by(cases.c.id, verdict.c.sample)
    )  # fmt: skip
    found: dict[str, PreferencePair] = {}
    for row in session.execute(query):
        told = list(dict.fromkeys(premise["sentence"] for premise in row.premises))
        about = {
            premise[end]["qid"] for premise in row.premises for end in ("subject", "object") if "qid" in premise[end]
        }
        said, relation = _argued(exchange.heard(row)), relation_of(row.fact)
        if not said or row.id in found:
            continue
        found[row.id] = PreferencePair(
            row.id, row.group_id, int(row.fact.get("s") or min(about, default=0)), relation.key if relation else 0,
            tuple(sorted(about)), row.question, " ".join([f"{row.gold.capitalize()}.", *told]), said,
        )  # fmt: skip
    if not found:
        raise UserError(f"evaluation {of.id} ({of.variant}) has no wrong answer to learn from", "name another model")
    return list(found.values())


def split(found: Sequence[PreferencePair], share: float, seed: int) -> dict[Split, list[PreferencePair]]:
    """Pairs in two parts that share no entity: what hangs together by an entity stays together.

    Args:
        found: pairs.
        share: of the pairs, about, that are for training.
        seed: of the draw.
    """
    parents: dict[int, int] = {}

    def root(one: int) -> int:
        while parents.setdefault(one, one) != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        return one

    for pair in found:
        for one in pair.entities[1:]:
            parents[root(one)] = root(pair.entities[0])
    bound: dict[int, list[PreferencePair]] = {}
    for pair in found:
        bound.setdefault(root(pair.entities[0]) if pair.entities else -len(bound) - 1, []).append(pair)
    several = [bound[key] for key in sorted(bound)]
    Random(seed).shuffle(several)
    parts: dict[Split, list[PreferencePair]] = {"train": [], "test": []}
    for together in several:
        room = len(parts["train"]) + len(together) <= share * len(found)
        parts["train" if room else "test"] += together
    return parts


def write(parts: Mapping[Split, Sequence[PreferencePair]], output: Path) -> list[Path]:
    """`train.jsonl` and `test.jsonl` in a folder; earlier ones are replaced."""
    output.mkdir(parents=True, exist_ok=True)
    written = []
    for name, several in parts.items():
        path = output / f"{name}.jsonl"
        part = path.with_name(f"{path.name}.part")
        part.write_text("".join(json.dumps(one.row(), ensure_ascii=False) + "\n" for one in several), encoding="utf-8")
        part.replace(path)
        written.append(path)
    return written


def record(session: Session, model: str, snapshot: str, parts: Mapping[Split, Sequence[PreferencePair]]) -> None:
    """Mark the cases that were used: they are reported apart from then on. Idempotent; commits."""
    rows = [
        {"model": model, "snapshot": snapshot, "kind": "train", "case_id": one.case_id, "group_id": one.group,
         "subject": one.s, "property": one.p, "split": name}
        for name, several in parts.items() for one in several
    ]  # fmt: skip
    if rows:
        session.execute(insert(mitigation_use).on_conflict_do_nothing(), rows)
    session.commit()


def _argued(said: HeardResponse) -> str:
    """The reply that argues, without thoughts: of several turns the last but one."""
    return (said.turns[-1] if said.turns else said.text).strip()
