"""Two real schedulers: the schedule starts one run for the last closed month, and its asset starts the other, once."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import psycopg2
import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.cli.parts import airflow_runs
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, postgres, processes, watch
from halluvault_tasks.querying import pools, sample
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.wikidata import snapshot_keys
from tests.dags import observed
from tests.dags.conftest import DEMO, two_domains
from tests.dags.observed import Collector, collecting

TOKEN = "key-of-a-model-server"


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


def _small(tmp_path: Path) -> Path:
    """The demo's configuration with two domains, and one model on one server; returns its models.yaml.

    All of models.yaml is gone through in test_whole_month.py.
    """
    config = shutil.copytree(DEMO, tmp_path / "config")
    two_domains(config)
    models = config / "models.yaml"
    registry = yaml.safe_load(models.read_text(encoding="utf-8"))
    registry["models"][0]["token_env"] = "HALLUVAULT_MODEL_TOKEN"
    models.write_text(yaml.safe_dump({"servers": registry["servers"][:1], "models": registry["models"][:1]}))
    return models


def _database(server: postgres.PostgresServer, template: str) -> str:
    """URL of a database of Airflow's own, as migrated."""
    reached = {"host": "127.0.0.1", "port": server.port, "user": "postgres", "password": server.password}
    with closing(psycopg2.connect(**reached, dbname="postgres")) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE airflow_scheduled TEMPLATE {template}")
    return server.url("airflow_scheduled")


def _environment(servers: dict[str, str], models: Path) -> dict[str, str]:
    """What the scheduler's tasks are told."""
    told = {f"HALLUVAULT_{name.upper()}": value for name, value in servers.items() if name != "database_url"}
    # The database comes as Airflow's connection here, and as the environment variable in test_whole_month.py.
    told["AIRFLOW_CONN_HALLUVAULT_DB"] = servers["database_url"].replace("postgresql+psycopg2", "postgresql")
    told |= {"HALLUVAULT_CONFIG_DIR": str(models.parent), "HALLUVAULT_BENCHMARK_SIZE": "demo"}
    # By default a scheduler that finds nothing to do looks again after a second; here each of forty tasks waits for it.
    told |= {"AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.5", "HALLUVAULT_MODEL_TOKEN": TOKEN}
    # Nor does a DAG's file change while the test runs: by default it is parsed again every 30 seconds.
    return told | {"AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "3600"}


@pytest.mark.integration
def test_with_two_schedulers_the_schedule_refreshes_the_last_closed_month_and_the_asset_evaluates_it_once(
    postgres_server: postgres.PostgresServer,
    airflow_template: str,
    servers: dict[str, str],
    session: Session,
    tmp_path: Path,
    configure: Callable[..., None],
    collector: Collector,
) -> None:
    models = _small(tmp_path)
    environment = _environment(servers, models) | collector.environment()
    database = _database(postgres_server, airflow_template)
    installed = airflow.install(tmp_path / "airflow", database, processes.free_port(), environment)
    listed = tmp_path / "pools.json"
    listed.write_text(pools.as_json(load_models(models, {})))
    airflow.run(installed, "pools", "import", str(listed))
    pids = tmp_path / "pids"
    done: list[str] = []
    try:
        airflow.start(installed, pids, schedulers=2)
        api = airflow.AirflowApi(installed)
        watch.wait_for_dags(api)
        for dag in (watch.EVALUATE, watch.REFRESH):
            api.unpause(dag)
        watch.month(api, done.append, lambda _: None)
        month = snapshot_keys.last_closed_month(datetime.now(UTC).date())
        _check_runs(api, month)
        _check_traces(collector, session)
        _check_logs(installed, postgres_server, session)
        reached = {"url": installed.url, "user": airflow.USER, "password": installed.password}
        configure(**{f"airflow_api_{name}": value for name, value in reached.items()}, config_dir=servers["config_dir"],
                  sim_a_url=servers["sim_a_url"], sim_b_url=servers["sim_b_url"])  # fmt: skip
        with pytest.raises(UserError, match="has no pool server_sim_b: tasks would wait"):
            airflow_runs.evaluate([month], ["simulated/careful", "simulated/refuser"], "")
        configure(airflow_api_password="wrong")
        with pytest.raises(UserError, match=r"refuses the login \(401\)"):
            airflow_runs.evaluate([month], ["simulated/careful"], "")
        configure(airflow_api_password=installed.password)
        _check_backfills(api, session, month)
    except BaseException:
        print(*done, sep="\n")  # noqa: T201
        raise
    finally:
        processes.reap(pids)


def _check_runs(api: airflow.AirflowApi, month: str) -> None:
    """One run of each DAG, of that month, which say what came out."""
    runs = {dag: api.runs(dag) for dag in (watch.REFRESH, watch.EVALUATE)}
    assert [(run["run_type"], run["partition_key"]) for run in runs[watch.REFRESH]] == [("scheduled", month)]
    assert [(run["run_type"], run["partition_key"]) for run in runs[watch.EVALUATE]] == [("asset_triggered", month)]
    [refreshed], [evaluated] = runs[watch.REFRESH], runs[watch.EVALUATE]
    assert refreshed["note"].startswith(f"benchmark {month}: ")
    assert evaluated["note"].startswith(f"Results {month}: ")
    report = f"dags/{watch.EVALUATE}/dagRuns/{quote(evaluated['dag_run_id'])}/taskInstances/report"
    assert api.get(f"{report}/links")["extra_links"] == {"HalluVault results": f"/halluvault/month?snapshot={month}"}
    extras = {event["source_dag_id"]: event["extra"] for event in api.get("assets/events")["asset_events"]}
    cases = extras[watch.REFRESH]["cases"]
    assert cases > 0
    # One model, asked yes/no questions and open ones in two evaluations.
    assert (extras[watch.EVALUATE]["responses"], extras[watch.EVALUATE]["evaluations"]) == (cases, 2)


def _check_backfills(api: airflow.AirflowApi, session: Session, month: str) -> None:
    """A backfill of one model is another run over the same month; nothing is missing, so it asks nothing."""
    events = len(api.get("assets/events")["asset_events"])
    before = session.scalar(text("SELECT count(*) FROM response"))
    airflow_runs.evaluate([month], ["simulated/careful"], "", every=0.5)
    session.rollback()
    assert session.scalar(text("SELECT count(*) FROM response")) == before
    # In another kind of prompt nothing was asked yet: so many questions alone are, and nothing is announced.
    airflow_runs.evaluate([month], ["simulated/careful"], "drowzee/plain", 12, every=0.5)
    session.rollback()
    part = sample.part(session, month, 12)
    openly = text("SELECT count(*) FROM cases WHERE suite = 'open' AND id = ANY(:ids)")
    open_ones = session.scalar(openly, {"ids": sorted(part)}) or 0
    assert session.scalar(text("SELECT count(*) FROM response")) == before + len(part) - open_ones
    assert len(sample.asked(session, month, ["simulated/careful"], part)) == (3 if open_ones else 2)
    assert len(api.get("assets/events")["asset_events"]) == events + 1, "of the backfill"


def _check_traces(collector: Collector, session: Session) -> None:
    """From the run of the DAG over its task to each single prompt: one trace."""
    run = collector.wait_for(f"dag_run.{watch.EVALUATE}")
    asked = collector.wait_for("worker.sim-a.query[0]")
    prompts = collector.named("prompt")
    assert {span.trace_id for span in (asked, *prompts)} == {run.trace_id}
    named = {each.key: each.value.string_value for span in prompts for each in span.attributes}
    assert named["halluvault.model"] == "simulated/careful"
    cases = {each.value.string_value for span in prompts for each in span.attributes if each.key == "halluvault.case"}
    session.rollback()
    assert cases == set(session.scalars(text("SELECT case_id FROM response")))
    texts = session.scalars(text("SELECT question FROM cases UNION ALL SELECT text FROM response")).all()
    assert observed.told("\n".join(str(span) for span in collector.spans), texts) == []


def _check_logs(installed: airflow.Installation, server: postgres.PostgresServer, session: Session) -> None:
    """A whole month's, of tasks and services, at INFO: what was done of which month, and no text and no secret."""
    said = observed.logs(installed.home)
    assert '"snapshot":' in said and "simulated/careful" in said and '"level":"info"' in said.replace(": ", ":")
    session.rollback()
    texts = session.scalars(text("SELECT question FROM cases UNION ALL SELECT text FROM response")).all()
    assert len(texts) > 400
    assert observed.told(said, texts) == []
    secret = [server.password, installed.password, TOKEN, "owner-secret", "reader-secret", "sim-secret"]
    secret += [
        value
        for name, value in installed.environment.items()
        if name.startswith("AIRFLOW__") and name.endswith(("_KEY", "_SECRET"))
    ]
    assert [value for value in secret if value in said] == []
