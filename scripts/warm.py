"""The last step of an image's build: load everything once; what cannot load fails here and not in a month's task.

It leaves Python's compiled files of just what was loaded, which containers with a read-only root could not write.
"""

import ctypes
import importlib
import os
import pkgutil
import sys
import tempfile
from pathlib import Path

os.environ["AIRFLOW_HOME"] = tempfile.mkdtemp()

AIRFLOW = (
    "airflow.api_fastapi.app",
    "airflow.api_fastapi.main",
    "airflow.cli.commands.api_server_command",
    "airflow.cli.commands.dag_processor_command",
    "airflow.cli.commands.scheduler_command",
    "airflow.cli.commands.triggerer_command",
    "airflow.dag_processing.manager",
    "airflow.dag_processing.processor",
    "airflow.executors.local_executor",
    "airflow.jobs.scheduler_job_runner",
    "airflow.jobs.triggerer_job_runner",
    "airflow.sdk.execution_time.supervisor",
    "airflow.sdk.execution_time.task_runner",
    "asyncpg",
    "uvicorn.lifespan.on",
    "uvloop",
)
OF_EXTRAS = (
    "airflow.providers.celery.executors.celery_executor",
    "airflow.providers.celery.cli.celery_command",
    "redis",
)
STARTERS = {"halluvault_tasks.local.simulator.__main__", "halluvault_tasks.storage.migrations.env"}
"""Modules that do something when they are loaded."""


def main() -> None:
    """Load."""
    for package in ("halluvault_tasks", "halluvault_airflow"):
        found = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
        for module in found:
            if module.name not in STARTERS and ".migrations." not in module.name:
                importlib.import_module(module.name)
    for name in AIRFLOW:
        importlib.import_module(name)
    for name in OF_EXTRAS:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            print(f"warm: without {error.name}", file=sys.stderr)
    from halluvault_tasks.oracles.embedding import SentenceBert
    from halluvault_tasks.reading.parser import spacy_parser

    spacy_parser().parse(["Ada Lovelace was born in London."])
    SentenceBert("")(["a phrase"])
    for library in Path(sys.prefix).rglob("*.cpython-*.so"):
        ctypes.CDLL(str(library), mode=os.RTLD_LAZY)


if __name__ == "__main__":
    main()
