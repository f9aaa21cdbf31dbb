"""What the Airflow of this environment has of HalluVault, as one JSON object on stdout.

`halluvault doctor --airflow` runs it as a process of its own: `python -m halluvault_airflow.survey`.
"""

import contextlib
import json
import sys
from typing import Any

DAGS = ("halluvault_evaluate", "halluvault_refresh")


def survey() -> dict[str, Any]:
    """Whether it has tables; version, plugin, DAGs, pools, connection, and what hours-long tasks need to be set."""
    import airflow
    from airflow.configuration import conf
    from airflow.models.dag import DagModel
    from airflow.models.errors import ParseImportError
    from airflow.models.pool import Pool
    from airflow.plugins_manager import get_plugin_info
    from airflow.utils.session import create_session
    from sqlalchemy import inspect, select

    with create_session() as session:
        if not inspect(session.connection()).has_table(DagModel.__tablename__):
            return {"tables": False}
        dags = session.execute(select(DagModel.dag_id, DagModel.is_paused).where(DagModel.dag_id.in_(DAGS))).all()
        faults = session.execute(select(ParseImportError.filename, ParseImportError.stacktrace)).all()
        found_pools = session.execute(select(Pool.pool, Pool.slots)).all()
    return {
        "tables": True,
        "version": airflow.__version__,
        "plugin": any(found["name"] == "halluvault" for found in get_plugin_info(["name"])),
        "dags": {dag_id: bool(paused) for dag_id, paused in dags},
        "import_errors": [
            f"{name}: {(trace or '').strip().splitlines()[-1:]}"
            for name, trace in faults
            if "halluvault" in (name or "")
        ],
        "pools": dict(tuple(row) for row in found_pools),
        "connection": _connection(),
        "parallelism": conf.getint("core", "parallelism"),
        "jwt_seconds": conf.getint("execution_api", "jwt_expiration_time"),
    }


def _connection() -> str:
    """Empty if the results database answers through Airflow's connection or the variable; else what is wrong."""
    from airflow.exceptions import AirflowNotFoundException
    from airflow.models.connection import Connection
    from sqlalchemy import text

    from halluvault_tasks.errors import UserError
    from halluvault_tasks.settings import settings
    from halluvault_tasks.storage import sessions
    from halluvault_tasks.storage.connections import CONNECTION_ID, url_of

    try:
        try:
            url = url_of(Connection.get_connection_from_secrets(CONNECTION_ID))
        except AirflowNotFoundException:
            if not settings().database_url:
                return f"there is neither a connection {CONNECTION_ID} nor HALLUVAULT_DATABASE_URL"
            url = settings().require_database()
        with sessions.session(url) as session:
            there = session.scalar(text("SELECT to_regclass('results_by_model')"))
        return "" if there else "it lacks HalluVault's tables and views: `halluvault db upgrade` makes them"
    except UserError as error:
        return error.message


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):  # Airflow's own remarks
        found = survey()
    sys.stdout.write(json.dumps(found))
