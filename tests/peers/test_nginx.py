"""A month asked through a real nginx: every case comes back as the model said it, whatever the gateway does."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli.models import models
from halluvault_tasks.local.simulator import texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.http_faults import HttpFaults, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import response
from tests.peers import nginx
from tests.querying import support
from tests.require import require

CASES = 80
IN_FLIGHT = 16


@pytest.fixture(scope="module", autouse=True)
def month(database_url: str) -> None:
    require(nginx.BINARY.exists(), f"{nginx.BINARY} is missing (Debian's package nginx)")
    with sessions.session(database_url) as session:
        support.build_plain(session, "2026-10", CASES)


@contextmanager
def through(folder: Path, name: str, http: str = "", location: str = "", faults: str = "") -> Iterator[Registry]:
    """A registry whose one model lives behind nginx, under a path."""
    model = SimulatedModel(
        name, texts.answer, pacing=Pacing(latency_seconds=0.05), faults=parse(faults) if faults else HttpFaults(),
        blocking=False,
    )  # fmt: skip
    with serving([model]) as upstream, nginx.before(upstream, folder, http, location) as url:
        yield support.registry(url, name=f"simulated/{name}", in_flight=IN_FLIGHT, attempts=2)


def asked(session: Session, registry: Registry) -> stages.QueryCounts:
    """Ask the whole month; what is stored is what the model says to each prompt, and nothing else."""
    [plan] = stages.plan(session, "2026-10", registry=registry).evaluations
    assert (plan.missing, plan.warning) == (CASES, "")
    counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    prompts = {row.case_id: row.text for row in session.execute(support.prompts())}
    name = registry.models[0].name
    assert {row.case_id: row.text for row in rows} == {
        case: texts.answer(name, each, None) for case, each in prompts.items()
    }
    assert {row.status for row in rows} == {"delivered"}
    return counts


def statuses(folder: Path) -> Counter[tuple[str, str]]:
    """What nginx says that it sent: (status, encoding) → how often."""
    lines = [line.split() for line in (folder / "access.log").read_text().splitlines()]
    return Counter((status, encoding.strip('"-')) for _method, _path, status, encoding, *_times in lines)


def test_a_month_behind_a_path_and_packed(session: Session, tmp_path: Path) -> None:
    with through(tmp_path, "packed", nginx.PACKED) as registry:
        counts = asked(session, registry)
    assert counts.failed_attempts == 0
    assert statuses(tmp_path)["200", "gzip"] > CASES and {status for status, _packed in statuses(tmp_path)} == {"200"}


def test_a_month_behind_a_rate_limit_is_asked_with_few_refusals_and_no_dead_letter(
    session: Session, tmp_path: Path
) -> None:
    with through(tmp_path, "limited", nginx.rate_limit(40), "limit_req zone=all;") as registry:
        counts = asked(session, registry)
    refused = sum(count for (status, _packed), count in statuses(tmp_path).items() if status == "503")
    assert 0 < counts.failed_attempts <= refused
    assert refused < CASES, "about one in two without spacing to learn from; a bare retry had four for each answer"


def test_models_are_planned_and_checked_although_their_gateway_is_full(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with through(tmp_path, "busy", nginx.rate_limit(20), "limit_req zone=all;") as registry:
        several = [registry.models[0].model_copy(update={"name": f"simulated/busy-{number}"}) for number in range(3)]
        registry = registry.model_copy(update={"models": tuple(several)})
        planned = stages.plan(session, "2026-10", registry=registry).evaluations
        assert [(each.missing, each.warning) for each in planned] == [(CASES, "")] * 3
        file = tmp_path / "models.yaml"
        file.write_text(json.dumps(registry.model_dump(mode="json")))
        monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(file))
        settings.cache_clear()
        try:
            done = CliRunner().invoke(models, ["check", "--model", several[0].name])
        finally:
            settings.cache_clear()
    assert done.exit_code == 0, done.exception
    assert sum(count for (status, _packed), count in statuses(tmp_path).items() if status == "503") > 2


def test_a_month_behind_a_limit_of_connections_is_asked_by_fewer_at_once(session: Session, tmp_path: Path) -> None:
    zone = "limit_conn_zone $server_port zone=open:1m;"
    with through(tmp_path, "few", zone, "limit_conn open 4;") as registry:
        counts = asked(session, registry)
    assert counts.failed_attempts > 0


def test_a_month_behind_a_read_time_out_that_some_answers_break(session: Session, tmp_path: Path) -> None:
    slow = "slow=0.15,slow_seconds=1,seed=3"
    with through(tmp_path, "slow", location="proxy_read_timeout 400ms;", faults=slow) as registry:
        counts = asked(session, registry)
    assert counts.failed_attempts > 0
    assert any(status == "504" for status, _packed in statuses(tmp_path))
