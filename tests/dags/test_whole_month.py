"""Every task of both DAGs, run for real: endpoint, Prolog, simulated servers, Postgres. Only the scheduler is absent.

The scheduler's part (asset, partition key, pools) is in test_scheduler.py.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.local import row_counts
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import sample
from halluvault_tasks.results import sampled
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage.tables import incident
from tests.dags.conftest import DEMO, Sink
from tests.oracles.extraction.loopback import loopback

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

MONTH = "2026-10"
MODELS = ["simulated/careful", "simulated/overconfident", "simulated/weak-at-time", "simulated/refuser"]


@pytest.fixture(autouse=True)
def _no_deadline(dagbag: "BundleDagBag", monkeypatch: pytest.MonkeyPatch) -> None:
    """`dag.test` of Airflow 3.3.2 looks a deadline up by its definition instead of its key, and Postgres refuses."""
    for dag in dagbag.dags.values():
        monkeypatch.setattr(dag, "deadline", None)


def mumbling(model: str, prompt: str, seed: int | None) -> str:
    """A model that answers whoever asks it plainly, and no question of the benchmark."""
    return "It depends on whom one asks." if "Query:" in prompt else "The sky is blue, yes. " * 20


def _run(dag: Any, **conf: object) -> tuple[str, dict[str, set[str]]]:
    """State of the run, and the states of each task's instances."""
    # `dag.test` keeps a run's parameters in the DAG object, so each run states all of them.
    run = dag.test(run_conf={"snapshot": MONTH, "models": [], "variant": "", "sample": 0, **conf}, logical_date=None)
    states: dict[str, set[str]] = {}
    for ti in run.get_task_instances():
        states.setdefault(ti.task_id, set()).add(str(ti.state))
    return str(run.state), states


def test_a_month_goes_from_the_endpoint_to_results_and_a_second_run_adds_nothing(
    dagbag: "BundleDagBag", servers: dict[str, str], session: Session, configure: Callable[..., None]
) -> None:
    refresh, evaluate = dagbag.dags["halluvault_refresh"], dagbag.dags["halluvault_evaluate"]

    configure(**servers)
    state, tasks = _run(refresh)
    assert state == "success"
    assert tasks == {task: {"success"} for task in refresh.task_dict}
    state, tasks = _run(evaluate)
    assert state == "success"
    assert tasks == {task: {"success"} for task in evaluate.task_dict}
    _check_notes_and_button()

    session.rollback()
    assert session.scalars(text("SELECT DISTINCT model FROM results_by_model ORDER BY 1")).all() == sorted(MODELS)
    assert session.scalar(text("SELECT count(*) FROM results_by_model WHERE delivered = 0")) == 0
    assert session.execute(select(incident)).all() == []
    before = row_counts.count(session)

    state, tasks = _run(refresh)
    assert state == "success"
    assert tasks["open_snapshot"] == tasks["publish"] == {"success"}
    assert {name for name, states in tasks.items() if states == {"skipped"}} == set(tasks) - {
        "open_snapshot",
        "publish",
        "alert",
    }
    assert _run(evaluate)[0] == "success"
    session.rollback()
    assert row_counts.added(before, row_counts.count(session)) == {}


def _check_notes_and_button() -> None:
    """Both runs say what they changed, `report` has its button, and a note that a person wrote stays."""
    from airflow.models.dagrun import DagRun
    from airflow.models.xcom import XComModel
    from airflow.utils.session import create_session
    from halluvault_airflow import notes

    with create_session() as airflow:
        runs = airflow.scalars(select(DagRun).order_by(DagRun.id.desc()).limit(2)).all()
        evaluated, refreshed = runs
        assert refreshed.note.startswith(f"benchmark {MONTH}: ")
        assert evaluated.note.startswith(f"Results {MONTH}: ")
        assert evaluated.note.count("\n- simulated/") == len(MODELS)
        assert {run.dag_run_note.user_id for run in runs} == {notes.AUTHOR}
        links = XComModel.get_many(run_id=evaluated.run_id, dag_ids=evaluated.dag_id, key="_link_ResultsLink")
        assert airflow.scalar(links.with_only_columns(XComModel.value)) == f"/halluvault/month?snapshot={MONTH}"

        refreshed.note, evaluated.note = "mine", "old"
        refreshed.dag_run_note.user_id = "ops"
        for run in runs:
            notes.on_dag_run_success(run)
        assert refreshed.note == "mine"
        assert evaluated.note.startswith(f"Results {MONTH}: ")


def test_one_model_can_be_asked_alone_and_the_configured_extractor_reads(
    dagbag: "BundleDagBag", servers: dict[str, str], session: Session, configure: Callable[..., None]
) -> None:
    with loopback() as corenlp:
        configure(**servers, extractor="corenlp", corenlp_url=corenlp.url)
        state, tasks = _run(dagbag.dags["halluvault_evaluate"], models=["simulated/refuser"])
    assert state == "success"
    session.rollback()
    profiles = text("SELECT DISTINCT model FROM results_by_model WHERE profile = 'paper/corenlp'")
    assert session.scalars(profiles).all() == ["simulated/refuser"]
    assert tasks["sim-b.summarise"] == tasks["report"] == tasks["announce"] == {"success"}
    assert tasks["sim-a.query"] == tasks["sim-a.summarise"] == {"skipped"}


def test_a_sample_is_asked_and_judged_and_is_no_result_of_the_month(
    dagbag: "BundleDagBag", servers: dict[str, str], session: Session, configure: Callable[..., None]
) -> None:
    configure(**servers)
    before = row_counts.count(session)
    conf = {"models": ["simulated/refuser"], "variant": "drowzee/plain", "sample": 20}
    state, tasks = _run(dagbag.dags["halluvault_evaluate"], **conf)
    assert state == "success"
    assert tasks["sim-b.score"] == {"success"}
    assert tasks["sim-b.summarise"] == tasks["report"] == tasks["announce"] == {"skipped"}
    session.rollback()
    part = sample.part(session, MONTH, 20)
    [evaluation] = sample.asked(session, MONTH, ["simulated/refuser"], part)[-1:]
    added = row_counts.added(before, row_counts.count(session))
    openly = text("SELECT count(*) FROM cases WHERE suite = 'open' AND id = ANY(:ids)")
    asked = len(part) - (session.scalar(openly, {"ids": sorted(part)}) or 0)  # those are asked in ways of their own
    assert 0 < len(part) <= 20 and added["response"] == asked
    assert "result_set" not in added and added["verdict"] >= added["response"]
    table = sampled.estimate(session, [evaluation], part, 240).table
    assert table.row_count == 1 and f"On {len(part)} of 240" in str(table.title)
    told = {str(column.header): next(iter(column.cells)) for column in table.columns}
    headline = session.scalar(
        text("SELECT count(*) FROM cases WHERE suite IN ('relation', 'temporal') AND id = ANY(:ids)"),
        {"ids": sorted(part)},
    )
    assert [told[name] for name in ("asked", "delivered", "in the headline")] == [
        str(asked), str(asked), str(headline),
    ]  # fmt: skip


def test_a_lane_that_fails_stops_alone_and_says_so(
    dagbag: "BundleDagBag",
    servers: dict[str, str],
    session: Session,
    configure: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    models = tmp_path / "models.yaml"
    shipped = (REPOSITORY / "config" / "demo" / "models.yaml").read_text(encoding="utf-8")
    models.write_text(shipped.replace("outage_seconds: 60", "outage_seconds: 0"), encoding="utf-8")
    evaluate = dagbag.dags["halluvault_evaluate"]
    for task in evaluate.tasks:
        monkeypatch.setattr(task, "retries", 0)
    configure(**servers | {"sim_b_url": "http://127.0.0.1:1", "models_file": str(models)})
    state, tasks = _run(evaluate)
    assert state == "failed"
    assert tasks["sim-b.plan"] == {"failed"}
    assert tasks["sim-a.summarise"] == tasks["report"] == {"success"}, "the others are compared"
    assert tasks["sim-b.summarise"] == tasks["announce"] == {"upstream_failed"}, "announced only when they are whole"
    session.rollback()
    told, row = session.execute(select(incident).order_by(incident.c.id.desc()).limit(2)).mappings()
    assert [row["kind"], told["kind"]] == ["task_failed", "alert_task_failed"], "and `alert` tells of it"
    assert str(row["where"]).startswith("halluvault_evaluate.sim-b.plan")
    assert "http://127.0.0.1:1" in str(row["message"])


def test_a_model_that_cannot_be_asked_or_read_keeps_no_neighbour_on_its_server_from_the_views(
    dagbag: "BundleDagBag",
    servers: dict[str, str],
    session: Session,
    configure: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    evaluate = dagbag.dags["halluvault_evaluate"]
    for task in evaluate.tasks:
        monkeypatch.setattr(task, "retries", 0)
    variant = "drowzee/plain/with-evidence"  # which nobody has been asked yet
    with serving([SimulatedModel("mumbling", mumbling)]) as url:
        raw = yaml.safe_load((DEMO / "models.yaml").read_text(encoding="utf-8"))
        raw["servers"] = [one | {"outage_seconds": 0} for one in raw["servers"]]
        for name, base in (("simulated/away", "http://127.0.0.1:1"), ("simulated/mumbling", f"{url}/mumbling")):
            raw["models"].append({"name": name, "dialect": "tgi", "server": "sim-b", "base_urls": [base]})
        models = tmp_path / "models.yaml"
        models.write_text(yaml.safe_dump(raw), encoding="utf-8")
        configure(**servers | {"models_file": str(models)})
        asked = ["simulated/away", "simulated/mumbling", "simulated/refuser"]
        state, tasks = _run(evaluate, models=asked, variant=variant)
    assert state == "failed"
    assert tasks["sim-b.plan"] == tasks["sim-b.tally"] == tasks["sim-b.summarise"] == {"success"}
    assert tasks["sim-b.query"] == {"success", "failed"}
    assert tasks["report"] == {"success"}, "the others are compared"
    assert tasks["sim-b.whole"] == tasks["announce"] == {"upstream_failed"}, "announced only when they are whole"
    session.rollback()
    of_variant = text("SELECT DISTINCT model FROM results_v1.by_model WHERE variant LIKE 'drowzee%with-evidence%'")
    assert session.scalars(of_variant).all() == ["simulated/refuser"]
    rows = session.execute(select(incident).order_by(incident.c.id.desc()).limit(4)).mappings().all()
    told = {row["kind"]: row for row in rows}
    assert "simulated/away: no model server" in told["model_left_out"]["message"]
    assert told["model_left_out"]["snapshot"] == MONTH
    assert "simulated/mumbling: nothing can be read in its first 50 answers" in told["task_failed"]["message"]
    assert "--only-failed" not in told["task_failed"]["way_out"], "or what goes on without it would not take it in"


@pytest.mark.parametrize(
    "unusable",
    [
        ("halluvault_evaluate", {"config_dir": "{config}"}, "choose", "config/models.yaml registers no model"),
        ("halluvault_evaluate", {"models_file": "/none/models.yaml"}, "choose", "cannot read /none/models.yaml"),
        ("halluvault_refresh", {"benchmark_size": "huge"}, "open_snapshot", "config/demo/benchmark.yaml; it has"),
    ],
)
def test_a_run_without_a_usable_model_or_size_fails_at_its_first_task_and_names_the_file(
    dagbag: "BundleDagBag",
    servers: dict[str, str],
    session: Session,
    configure: Callable[..., None],
    unusable: tuple[str, dict[str, str], str, str],
) -> None:
    dag, setting, task, said = unusable
    configure(**servers | {name: value.format(config=REPOSITORY / "config") for name, value in setting.items()})
    state, tasks = _run(dagbag.dags[dag])
    assert (state, tasks[task]) == ("failed", {"failed"})
    assert tasks.pop("alert", {"success"}) == {"success"}, "the teardown runs whatever became of the others"
    tasks.pop("report", None)  # it waits for nobody's success, and is skipped
    assert {state for name, states in tasks.items() if name != task for state in states} == {"upstream_failed"}
    session.rollback()
    message = session.scalars(select(incident.c.message).order_by(incident.c.id.desc())).first() or ""
    assert said in message
    assert "\n" not in message


def test_a_refresh_that_fails_is_told_on_the_channels_of_alerts_yaml(
    dagbag: "BundleDagBag",
    servers: dict[str, str],
    configure: Callable[..., None],
    tmp_path: Path,
    web: Sink,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = shutil.copytree(DEMO, tmp_path / "config")
    told = (config / "alerts.yaml").read_text().replace("channels: []", "channels: [{kind: webhook, connection: hook}]")
    (config / "alerts.yaml").write_text(told)
    with (config / "predicates.yaml").open("a") as file:  # which no task of the refresh needs
        file.write("\nno_such_word: 1\n")
    hook = {"conn_type": "http", "host": "127.0.0.1", "port": web.port, "schema": "http"}
    monkeypatch.setenv("AIRFLOW_CONN_HOOK", json.dumps(hook))
    configure(**servers | {"config_dir": str(config)})
    state, tasks = _run(dagbag.dags["halluvault_refresh"])
    assert (state, tasks["open_snapshot"], tasks["alert"]) == ("failed", {"failed"}, {"success"})
    [body] = [json.loads(each) for each in web.bodies]
    [alert] = [each for each in body["alerts"] if "no_such_word" in each["message"]]
    assert (body["snapshot"], alert["kind"]) == (MONTH, "task_failed")
    assert f"{config / 'predicates.yaml'}, line " in alert["message"]


def test_a_month_that_does_not_exist_is_refused_with_those_that_do(
    dagbag: "BundleDagBag", servers: dict[str, str], session: Session, configure: Callable[..., None]
) -> None:
    configure(**servers)
    state, tasks = _run(dagbag.dags["halluvault_evaluate"], snapshot="2019-01")
    assert state == "failed"
    assert tasks["choose"] == {"failed"}
    assert (tasks["report"], tasks["announce"]) == ({"skipped"}, {"upstream_failed"})
    session.rollback()
    row = session.execute(select(incident).order_by(incident.c.id.desc())).mappings().first()
    assert row is not None
    assert "2019-01" in str(row["message"])
    assert MONTH in str(row["message"])
