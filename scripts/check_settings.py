"""Refuses to start a stack whose .env asks for what it would not get: one line each, exit 2.

Compose itself starts what it knows and is silent about the rest: a misspelt `backups` means no backup.

python3 scripts/check_settings.py     the settings are the environment, as compose hands .env to `init`
"""

import os
import sys
from collections.abc import Mapping

PROFILES = ("demo", "celery", "tgi", "vllm", "gpu", "corenlp", "superset", "grafana", "backup", "proxy")
EXECUTORS = ("LocalExecutor", "CeleryExecutor")
NUMBERS = (
    "AIRFLOW_PARALLELISM", "AIRFLOW_WORKER_CONCURRENCY", "BACKUP_EVERY_SECONDS", "BACKUP_KEEP", "POSTGRES_CONNECTIONS",
    "AIRFLOW_TASK_SILENCE",
)  # fmt: skip


def faults(settings: Mapping[str, str]) -> list[str]:
    """One line for each setting that is none, or that another one makes useless."""

    def value(name: str, otherwise: str) -> str:
        return settings.get(name, "").strip("\"' ") or otherwise

    found = []
    profiles = {each.strip() for each in value("COMPOSE_PROFILES", "").split(",")} - {""}
    for each in sorted(profiles - set(PROFILES)):
        found.append(f"COMPOSE_PROFILES has {each}, which starts nothing: the profiles are {', '.join(PROFILES)}")
    for name in NUMBERS:
        if not value(name, "1").isdigit() or int(value(name, "1")) < 1:
            found.append(f"{name} is '{settings[name]}'; it must be a number from 1 on")
    executor = value("AIRFLOW_EXECUTOR", EXECUTORS[0])
    if executor not in EXECUTORS:
        found.append(f"AIRFLOW_EXECUTOR is '{executor}': {' or '.join(EXECUTORS)}")
    elif (executor == "CeleryExecutor") != ("celery" in profiles):
        found.append("AIRFLOW_EXECUTOR=CeleryExecutor and the profile celery need each other: set both or neither")
    archives = value("POSTGRES_ARCHIVE_MODE", "off")
    if archives not in {"on", "off"}:
        found.append(f"POSTGRES_ARCHIVE_MODE is '{archives}': on or off")
    elif archives == "on" and "backup" not in profiles:
        found.append(
            "POSTGRES_ARCHIVE_MODE=on without the profile backup keeps all WAL until the disk is full: set both"
        )
    return found


if __name__ == "__main__":
    wrong = faults(os.environ)
    for line in wrong:
        print(f"error: .env: {line}", file=sys.stderr)
    sys.exit(2 if wrong else 0)
