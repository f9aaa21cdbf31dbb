"""The task `examine` asks the examiner that models.yaml names, and a silent one fails nobody."""

import json
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.stages import score
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage.tables import incident, verdict
from tests.oracles.material import fill
from tests.oracles.test_cross_examination import ANSWERS, PROFILE, examiner, literal


def test_the_task_examine_leaves_pending_what_nobody_answers_and_goes_on_in_the_next_run(
    session: Session,
    database_url: str,
    airflow_home: Path,
    configure: Callable[..., None],
    tmp_path: Path,
) -> None:
    from airflow.dag_processing.dagbag import BundleDagBag
    from airflow.sdk.definitions.context import Context
    from airflow.sdk.execution_time.context import set_current_context

    evaluation = fill(session, ANSWERS)
    score(session, evaluation, embed=SentenceBert())
    file = tmp_path / "models.yaml"

    def cases() -> set[str]:
        return set(session.scalars(select(verdict.c.case_id).where(verdict.c.profile == PROFILE)))

    for answers, judged in ((False, {"c1", "c2"}), (True, {"c1", "c2", "c4"})):
        with examiner(literal) as (registry, _, asked):
            written = registry.model_dump(mode="json", exclude_defaults=True)
            if not answers:
                written["models"][0]["base_urls"] = ["http://127.0.0.1:9/nobody"]
            file.write_text(json.dumps(written), encoding="utf-8")
            configure(database_url=database_url, models_file=str(file))
            folder = REPOSITORY / "dags"
            found = BundleDagBag(dag_folder=folder, bundle_path=folder, bundle_name="dags-folder")
            task = found.dags["halluvault_evaluate"].get_task("judges.examine")
            with set_current_context(Context()):
                assert task.python_callable([evaluation]) == [evaluation]
        session.rollback()
        assert cases() == judged and len(asked) == 2 * answers
    assert session.scalar(select(incident.c.kind)) == "not_examined"
