"""A real model that nobody simulated, from training to the results table, through the OpenAI dialect.

Runs only where HALLUVAULT_TINY_MODEL_PYTHON names a Python with torch and `transformers[serving]`: `make tiny-model`
makes the environment and runs this. The benchmark is the whole chain's on the bundled sample; the model is a Llama of
some 300,000 parameters, trained for a minute on every second prompt of that benchmark with the simulated careful
model's answer. It learns how an answer looks; what it says is its own, mostly wrong, and judged like any other.
"""

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages as benchmark
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.knowledge import stages as knowledge
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.local import processes
from halluvault_tasks.local.endpoint import Endpoint, load_sample
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.sample import CHECKED
from halluvault_tasks.oracles import stages as oracles
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.storage.tables import prompt, prompt_variant, response
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal
from tests.conftest import PASSWORDS

PYTHON = os.environ.get("HALLUVAULT_TINY_MODEL_PYTHON", "")
SECONDS = os.environ.get("HALLUVAULT_TINY_MODEL_SECONDS", "60")
SNAPSHOT = "2026-01"
CONFIG, PROLOG = REPOSITORY / "config", REPOSITORY / "prolog_rules"

pytestmark = pytest.mark.skipif(not PYTHON, reason="trains and serves a model; `make tiny-model` runs it")


@pytest.fixture(scope="module")
def pairs(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo benchmark of the bundled sample, published; every second prompt with the careful persona's answer."""
    sample = load_sample(CHECKED)
    server = Endpoint(sample, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}/sparql"
    try:
        with sessions.session(database_url) as session:
            views.install(session)
            knowledge.pull(
                session, SNAPSHOT, client=WikidataClient(endpoint, ""), domains=load_domains(CONFIG / "domains.yaml"),
                source=sample.source, as_of=sample.as_of, progress=None,
            )  # fmt: skip
            type_rules(session, SNAPSHOT, rules_file=CONFIG / "rules.yaml")
            scratch = tmp_path_factory.mktemp("scratch")
            derive_shard(session, SNAPSHOT, prolog_dir=PROLOG, scratch=scratch)
            check_derivation(session, SNAPSHOT, shards=1)
            derive_temporal(session, SNAPSHOT, config=TemporalConfig(), prolog_dir=PROLOG)
            benchmark.build(session, SNAPSHOT, config_dir=CONFIG, size="demo")
            part_lookup.publish(session, SNAPSHOT)
            roles.grant(session, ())
            session.commit()
            plain = select(prompt_variant.c.id).where(prompt_variant.c.form == "plain").order_by(prompt_variant.c.id)
            asked = select(prompt.c.text).where(prompt.c.variant_id == plain.limit(1).scalar_subquery())
            prompts = list(session.scalars(asked.order_by(prompt.c.case_id)))
    finally:
        server.shutdown()
        server.server_close()
    personas = Personas(
        sessions.engine(
            database_url.replace(
                f"halluvault:{PASSWORDS['halluvault']}@", f"{roles.SIMULATOR}:{PASSWORDS[roles.SIMULATOR]}@"
            )
        )
    )
    path = tmp_path_factory.mktemp("tiny") / "pairs.jsonl"
    told = ({"prompt": each, "answer": personas.answer("simulated/careful", each, None)} for each in prompts[::2])
    path.write_text("".join(json.dumps(pair) + "\n" for pair in told))
    return path


@pytest.fixture(scope="module")
def model(pairs: Path) -> Path:
    """A trained model's directory."""
    out = pairs.parent / "tiny-llama"
    script = Path(__file__).with_name("tiny_model.py")
    done = subprocess.run(
        [PYTHON, str(script), str(pairs), str(out), "--seconds", SECONDS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["last_loss"] < told["first_loss"]
    print(f"\ntrained: {done.stdout.strip()}")  # noqa: T201
    return out


@pytest.fixture(scope="module")
def served(model: Path) -> Iterator[str]:
    """`transformers serve` over it."""
    port, home = processes.free_port(), model.parent / "hf"
    (home / "hub").mkdir(parents=True)  # without it /v1/models answers 500
    environment = os.environ | {
        "HF_HUB_OFFLINE": "1", "HF_HOME": str(home), "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    command = [
        str(Path(PYTHON).with_name("transformers")), "serve", str(model), "--device", "cpu", "--dtype", "float32",
        "--host", "127.0.0.1", "--port", str(port), "--continuous-batching", "--cb-num-blocks", "256",
        "--cb-block-size", "32",
    ]  # fmt: skip
    log = model.parent / "serve.log"
    url = f"http://127.0.0.1:{port}"
    with log.open("w") as output:
        child = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            _until_up(child, url, log)
            yield url
        finally:
            child.terminate()
            child.wait(timeout=30)


def _until_up(child: subprocess.Popen[bytes], url: str, log: Path) -> None:
    from urllib.error import URLError
    from urllib.request import urlopen

    ends = time.monotonic() + 180
    while time.monotonic() < ends:
        assert child.poll() is None, log.read_text()
        try:
            with urlopen(f"{url}/v1/models", timeout=10):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(log.read_text())


def test_a_real_model_is_asked_judged_and_counted(session: Session, model: Path, served: str) -> None:
    registry = Registry.model_validate({
        "servers": [{"name": "tiny", "pool": "tiny", "slots": 1, "in_flight": 16}],
        "models": [
            {
                "name": "tiny-llama", "dialect": "openai", "server": "tiny", "base_urls": [served],
                "served_as": str(model), "sampling": {"max_new_tokens": 160},
            }
        ],
    })  # fmt: skip
    [planned] = querying.plan(session, SNAPSHOT, registry=registry).evaluations
    assert planned.missing == planned.total > 200
    asked = [
        querying.query_shard(session, planned.evaluation_id, portion=Portion(shard, planned.shards), registry=registry)
        for shard in range(planned.shards)
    ]
    assert sum(counts.delivered for counts in asked) == planned.total
    oracles.score(session, planned.evaluation_id)
    results.summarise(session, planned.evaluation_id)
    answers = session.execute(
        select(response.c.text, response.c.finish_reason).where(response.c.evaluation_id == planned.evaluation_id)
    ).all()
    assert len(answers) == planned.total
    assert len({answer.text for answer in answers}) > 10
    opened = sum(answer.text.startswith(("Yes", "No", "I don't know")) for answer in answers)
    assert opened / len(answers) > 0.5
    assert session.scalar(select(func.count()).where(response.c.prompt_tokens.is_(None))) == 0
    rows: list[Any] = list(session.execute(text("SELECT * FROM results_by_model ORDER BY profile")).mappings())
    assert {row["model"] for row in rows} == {"tiny-llama"}
    print(f"\n{asked}\nan answer: {answers[0].text!r}")  # noqa: T201
    for row in rows:
        print(dict(row))  # noqa: T201
        assert row["delivered"] == planned.total
