"""General queries for labelling (HELMA §2.2): three responses each, the queries with the least alike ones kept.

If a model says something in three different ways, it is likelier to have made it up. The kept responses go on label
sheets (`results.suite_annotations`); the majority's labels are written as a file in HaluEval's format, which the suite
imports.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites import similarity
from halluvault_tasks.benchmark.suites.recognition.instructions import SAMPLED
from halluvault_tasks.benchmark.wording import generations
from halluvault_tasks.benchmark.wording.generations import Ask, Instruction
from halluvault_tasks.errors import UserError

RESPONSES = 3
ANSWER = Instruction("recognition/general", 1, lambda query: query, times=RESPONSES, manner=SAMPLED)


class Responded(NamedTuple):
    """A query and the first of a model's responses to it.

    Attributes:
        similarity: mean BERTScore of the pairs of its three responses.
    """

    query: str
    response: str
    similarity: float

    @property
    def id(self) -> str:
        """Of query and response."""
        return generations.input_hash(f"{self.query}\0{self.response}")[:16]


def sample(
    session: Session,
    model: str,
    queries: Sequence[str],
    keep: int,
    ask: Ask | None,
    alike: similarity.Similarity = similarity.bert_score,
) -> list[Responded]:
    """Ask every query three times, and keep those whose responses are least alike. Commits what the model said.

    Args:
        session: open session.
        model: registry name.
        queries: each once.
        keep: how many.
        ask: asks the model; None where all is stored.
        alike: BERTScore.

    Raises:
        UserError: no query had three responses; or some are missing and there is nobody to ask.
    """
    generations.fetch(session, model, ANSWER, queries, ask)
    stored = generations.known(session, model, ANSWER, queries)
    whole = {
        one: [stored[one][n] for n in sorted(stored[one])] for one in queries if len(stored.get(one, ())) == RESPONSES
    }
    if not whole:
        raise UserError(f"{model} gave no query {RESPONSES} responses", "`halluvault models check` says why")
    pairs = [pair for texts in whole.values() for pair in combinations(texts, 2)]
    scores = np.array(alike([one for one, _ in pairs], [other for _, other in pairs])).reshape(len(whole), -1)
    found = [
        Responded(query, texts[0], round(float(mean), 4))
        for (query, texts), mean in zip(whole.items(), scores.mean(axis=1), strict=True)
        if texts[0].strip()
    ]
    return sorted(found, key=lambda one: (one.similarity, one.query))[:keep]


def read_queries(file: Path) -> list[str]:
    """A query a line, or JSON Lines with `user_query` or `instruction` (Alpaca's name); each once."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text.startswith("{"):
            try:
                row = json.loads(text)
                text = row.get("user_query") or row["instruction"]
            except (ValueError, KeyError) as error:
                raise UserError(
                    f"{file}, line {number}: {error!r}", "a line is a query, or has `user_query`"
                ) from error
        if text:
            found.append(text)
    return list(dict.fromkeys(found))


def write(found: Sequence[Responded], file: Path, labels: Mapping[str, tuple[str, Sequence[str]]] | None = None) -> int:
    """Write responses, or those of them that are labelled, in the form of HaluEval's general file.

    Args:
        found: responses.
        file: to be made.
        labels: id → yes or no, and the spans; None: they stand there without.

    Returns:
        How many lines.
    """
    lines = []
    for one in found:
        row: dict[str, object] = {"ID": one.id, "user_query": one.query, "chatgpt_response": one.response}
        row["similarity"] = one.similarity
        if labels is not None:
            if one.id not in labels:
                continue
            label, spans = labels[one.id]
            row |= {"hallucination": label, "hallucination_spans": list(spans)}
        lines.append(json.dumps(row, ensure_ascii=False))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def read(file: Path) -> list[Responded]:
    """What `write` wrote.

    Raises:
        UserError: it is something else.
    """
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [Responded(row["user_query"], row["chatgpt_response"], float(row["similarity"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} cannot be read: {error!r}", "give what `halluvault suites general` wrote") from error
