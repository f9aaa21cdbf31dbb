"""The task `score` judges by the extractor that the installation names, beside its own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import verdict
from tests.oracles.extraction import tiny_stanza
from tests.oracles.material import fill

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag


def test_the_task_score_judges_by_stanza_where_the_installation_names_it(
    dagbag: "BundleDagBag",
    session: Session,
    database_url: str,
    configure: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    from airflow.sdk.definitions.context import Context
    from airflow.sdk.execution_time.context import set_current_context

    said = "{} Charles Dickens was {}born in Portsmouth."
    evaluation = fill(session, [("c1", said.format("Yes.", "")), ("c3", said.format("No.", "not "))])
    configure(database_url=database_url, extractor="stanza", stanza_dir=str(tiny_stanza.trained(tmp_path)))
    [score] = [task for name, task in dagbag.dags["halluvault_evaluate"].task_dict.items() if name == "sim-a.score"]
    with set_current_context(Context()):
        assert score.python_callable({evaluation: "simulated/careful"}) == [evaluation]
    rows = session.execute(select(verdict).where(verdict.c.evaluation_id == evaluation)).all()
    assert {row.profile for row in rows} == {
        "replay/syntax", "paper/anchored", "paper/anchored/answer-gated", "paper/stanza", "paper/stanza/answer-gated",
    }  # fmt: skip
    read = {row.case_id: row.detail["triples"] for row in rows if row.profile == "paper/stanza"}
    assert read == {
        "c1": [["Charles Dickens", "was born in", "Portsmouth"]],
        "c3": [["Charles Dickens", "was not born in", "Portsmouth"]],
    }
    assert all("sha256" in str(row.detail["read_by"]) for row in rows if row.profile == "paper/stanza")
