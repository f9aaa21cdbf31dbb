"""Both DAG files load, are scheduled as the design says, and keep the house's rules."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.querying import pools
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.settings import REPOSITORY
from tests.dags.conftest import DEMO

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

IDS = ("halluvault_evaluate", "halluvault_refresh")


def test_no_dag_file_fails_to_import(dagbag: "BundleDagBag") -> None:
    assert dagbag.import_errors == {}
    assert tuple(sorted(dagbag.dags)) == IDS


@pytest.mark.parametrize("file", ["domains.yaml", "models.yaml", "suites.yaml"])
def test_a_faulty_file_or_variable_leaves_both_dags_with_a_first_task_that_can_say_so(
    file: str, airflow_home: Path, tmp_path: Path, configure: Callable[..., None]
) -> None:
    from airflow.dag_processing.dagbag import BundleDagBag

    config = shutil.copytree(DEMO, tmp_path / "config")
    (config / file).write_text("no_such_word: 1\n")
    configure(config_dir=str(config), **({"derive_shards": "many"} if file == "suites.yaml" else {}))
    folder = REPOSITORY / "dags"
    found = BundleDagBag(dag_folder=folder, bundle_path=folder, bundle_name="dags-folder")
    assert found.import_errors == {}
    first = {dag_id: {task.task_id for task in dag.roots} for dag_id, dag in found.dags.items()}
    assert first == {"halluvault_evaluate": {"choose"}, "halluvault_refresh": {"open_snapshot"}}
    pulls = found.dags["halluvault_refresh"].get_task("pull_domain").op_kwargs_expand_input.value["domain"]
    assert set(pulls) == set(load_domains(DEMO / "domains.yaml").domains), "or a run that is cleared would pull nothing"


@pytest.mark.parametrize("dag_id", IDS)
def test_every_dag_says_what_it_does_and_how_to_mend_it(dagbag: "BundleDagBag", dag_id: str) -> None:
    dag = dagbag.dags[dag_id]
    assert "#### Triage" in (dag.doc_md or "")
    assert {"halluvault"} < set(dag.tags)
    triage = (dag.doc_md or "").partition("#### Triage")[2]
    for task in dag.tasks:
        assert task.owner == "halluvault"
        # Who looks for the task that failed must find it in the notes; lanes are alike, so one line serves all.
        lane, _, name = task.task_id.rpartition(".")
        assert f"`{'SERVER.' if lane else ''}{name}`" in triage, task.task_id
    assert dag.deadline


@pytest.mark.parametrize("dag_id", IDS)
def test_every_task_is_retried_with_backoff_and_reports_its_failure(dagbag: "BundleDagBag", dag_id: str) -> None:
    for task in dagbag.dags[dag_id].tasks:
        assert task.retries >= 1, task.task_id
        assert task.retry_exponential_backoff, task.task_id
        assert task.max_retry_delay <= timedelta(hours=1), task.task_id
        assert task.on_failure_callback, task.task_id


def test_what_may_take_half_a_day_has_a_day_and_outlives_ten_restarts(dagbag: "BundleDagBag") -> None:
    long = {name for dag in dagbag.dags.values() for name, task in dag.task_dict.items() if task.retries >= 10}
    always = {"pull_domain", "complete", "derive", "derive_temporal", "build_benchmark", "score"}
    assert always <= {name.rpartition(".")[2] for name in long} <= always | {"suite", "examine"}
    for dag in dagbag.dags.values():
        for name in long & set(dag.task_dict):
            assert dag.get_task(name).execution_timeout == timedelta(hours=24) < dag.dagrun_timeout


@pytest.mark.parametrize("dag_id", IDS)
def test_every_pool_is_one_that_the_installation_makes(dagbag: "BundleDagBag", dag_id: str) -> None:
    known = {pool.name for pool in pools.pools(load_models(REPOSITORY / "config" / "demo" / "models.yaml", {}))}
    assert {task.pool for task in dagbag.dags[dag_id].tasks} <= known | {"default_pool"}


def test_each_model_server_has_a_lane_in_its_own_pool(dagbag: "BundleDagBag") -> None:
    dag = dagbag.dags["halluvault_evaluate"]
    for server in load_models(REPOSITORY / "config" / "demo" / "models.yaml", {}).servers:
        assert dag.get_task(f"{server.name}.query").pool == server.pool


def test_lanes_examine_after_judging_only_where_an_examiner_is_named(
    dagbag: "BundleDagBag", airflow_home: Path, tmp_path: Path, configure: Callable[..., None]
) -> None:
    from airflow.dag_processing.dagbag import BundleDagBag

    assert not any("examine" in task.task_id for task in dagbag.dags["halluvault_evaluate"].tasks)
    config = shutil.copytree(DEMO, tmp_path / "config")
    with (config / "models.yaml").open("a", encoding="utf-8") as file:
        file.write("examiner: {model: simulated/weak-at-time, model_id: simulated/weak-at-time}\n")
    configure(config_dir=str(config))
    folder = REPOSITORY / "dags"
    found = BundleDagBag(dag_folder=folder, bundle_path=folder, bundle_name="dags-folder")
    assert found.import_errors == {}
    dag = found.dags["halluvault_evaluate"]
    for lane in ("sim-a", "sim-b"):
        task = dag.get_task(f"{lane}.examine")
        assert task.pool == "server_sim_b", "the pool of the examiner's server"
        assert task.upstream_task_ids == {f"{lane}.score"}
        assert f"{lane}.summarise" in task.downstream_task_ids
        assert task.retries >= 1 and task.on_failure_callback


@pytest.mark.parametrize("dag_id", IDS)
def test_a_dag_survives_the_way_through_the_database(dagbag: "BundleDagBag", dag_id: str) -> None:
    from airflow.serialization.serialized_objects import DagSerialization

    dag = dagbag.dags[dag_id]
    read = DagSerialization.deserialize_dag(json.loads(json.dumps(DagSerialization.serialize_dag(dag))))
    assert sorted(read.task_dict) == sorted(dag.task_dict)
    for task in dag.tasks:
        assert read.get_task(task.task_id).downstream_task_ids == task.downstream_task_ids
        assert read.get_task(task.task_id).retries == task.retries
    assert read.timetable.partitioned


def test_the_run_of_november_works_on_october(dagbag: "BundleDagBag") -> None:
    from airflow.serialization.encoders import coerce_to_core_timetable
    from airflow.timetables.base import TimeRestriction
    from pendulum import datetime

    table = coerce_to_core_timetable(dagbag.dags["halluvault_refresh"].timetable)
    only = TimeRestriction(earliest=datetime(2026, 11, 1), latest=datetime(2026, 11, 1), catchup=True)
    run = table.next_dagrun_info_v2(last_dagrun_info=None, restriction=only)
    assert run is not None
    assert (run.partition_key, run.run_after) == ("2026-10", datetime(2026, 11, 1))


def test_the_benchmark_asset_is_what_one_dag_makes_and_the_other_waits_for(dagbag: "BundleDagBag") -> None:
    made = dagbag.dags["halluvault_refresh"].get_task("publish").outlets
    assert [asset.uri for asset in made] == ["halluvault://benchmark/"]
    waited_for = dagbag.dags["halluvault_evaluate"].timetable.asset_condition
    assert [waited_for.uri] == ["halluvault://benchmark/"]


def test_what_a_person_must_mend_is_not_retried_but_an_outage_is(dagbag: "BundleDagBag") -> None:
    from airflow.sdk import RetryAction

    from halluvault_tasks.errors import Unavailable, UserError

    policy = dagbag.dags["halluvault_refresh"].get_task("complete").retry_policy
    decided = {
        error: policy.evaluate(error("x"), 1, 3).action for error in (UserError, ValueError, Unavailable, OSError)
    }
    assert decided == {
        UserError: RetryAction.FAIL,
        ValueError: RetryAction.FAIL,
        Unavailable: RetryAction.RETRY,
        OSError: RetryAction.DEFAULT,
    }


def test_a_deadline_is_stored_so_that_its_run_can_still_be_cleared(dagbag: "BundleDagBag") -> None:
    """Airflow 3.3.2 takes what it stored for a number of seconds when a run is cleared (apache/airflow#70368)."""
    from airflow.serialization.decoders import decode_deadline_alert
    from airflow.serialization.encoders import encode_deadline_alert

    for dag_id, hours in (("halluvault_refresh", 24), ("halluvault_evaluate", 72)):
        [alert] = dagbag.dags[dag_id].deadline
        stored = json.loads(json.dumps(encode_deadline_alert(alert)))
        assert timedelta(seconds=stored["interval"]) == decode_deadline_alert(stored).interval == timedelta(hours=hours)


def test_parsing_touches_no_heavy_library_database_or_network(airflow_home: Path) -> None:
    """Sockets are refused while both files are executed; torch and the like must stay out of the dag-processor."""
    program = """
import runpy, socket, sys
import airflow.sdk
def refuse(*_): raise AssertionError("a DAG file opened a connection")
socket.socket.connect = refuse
for name in ("halluvault_refresh", "halluvault_evaluate"):
    runpy.run_path(f"dags/{name}.py")
heavy = {"torch", "stanza", "sentence_transformers", "pyswip", "matplotlib", "scipy", "pyoxigraph"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        env={"PYTHONPATH": "dags", "AIRFLOW_HOME": str(airflow_home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip().splitlines()[-1:] == ["[]"], done.stderr[-2000:]


def test_ruff_finds_nothing_that_airflow_has_removed_or_moved() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--select", "AIR", "--preview", "dags", "plugins"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
