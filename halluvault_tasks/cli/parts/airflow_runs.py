"""A backfill that Airflow does: one run of `halluvault_evaluate` a month, triggered and followed through its API."""

import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

from halluvault_tasks.cli.common import log
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, watch
from halluvault_tasks.querying import pools
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.settings import settings
from halluvault_tasks.untrusted import without_password

_LOOK_SECONDS = 5.0
_OVER = {"success", "failed"}
_PLAIN_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s?#@]*)?")


def evaluate(
    keys: Sequence[str], models: Sequence[str], variant: str, sample: int = 0, every: float = _LOOK_SECONDS
) -> None:
    """Trigger a run for each month, and follow all of them to their ends.

    Stopped meanwhile, the runs go on; the same command again triggers others, which find the work done or wait for it.

    Args:
        keys: exact snapshot keys.
        models: registry names; each run asks these alone.
        variant: prompt variant; empty means the default one.
        sample: questions of each month that are asked; 0 means all.
        every: seconds between two looks.

    Raises:
        Unavailable: Airflow's API does not answer.
        UserError: it is not named, refuses the login, or lacks a pool; or a run failed.
    """
    api = _login()
    _require_pools(api, models)
    runs = {}
    for key in keys:
        conf = {"snapshot": key, "models": list(models), "variant": variant, "sample": sample}
        runs[key] = api.trigger(watch.EVALUATE, conf)
        log.print(f"{key}: triggered as {runs[key]}", markup=False, soft_wrap=True)
    if api.get(f"dags/{watch.EVALUATE}")["is_paused"]:
        log.print(f"{watch.EVALUATE} is paused: its runs wait until somebody unpauses it", style="yellow")
    told: dict[str, str] = {}
    while any(told.get(key) not in _OVER for key in keys):
        for key, run in runs.items():
            state = str(api.get(f"dags/{watch.EVALUATE}/dagRuns/{run}")["state"])
            if told.get(key) != state:
                told[key] = state
                log.print(f"{key}: {state}", markup=False)
        if any(told[key] not in _OVER for key in keys):
            time.sleep(every)
    if failed := [key for key in keys if told[key] == "failed"]:
        raise UserError(
            f"the runs of {', '.join(failed)} failed",
            f"the page's incidents say why; then airflow dags clear {watch.EVALUATE} --run-id '{runs[failed[0]]}' -y",
        )


def _login() -> airflow.AirflowApi:
    chosen = settings()
    given = {
        "HALLUVAULT_AIRFLOW_API_URL": chosen.airflow_api_url,
        "HALLUVAULT_AIRFLOW_API_USER": chosen.airflow_api_user,
        "HALLUVAULT_AIRFLOW_API_PASSWORD": chosen.airflow_api_password,
    }
    if missing := [name for name, value in given.items() if not value]:
        raise UserError(
            f"--via-airflow needs {', '.join(given)}; not set: {', '.join(missing)}",
            "set them; those of a demo are in the file that `make demo KEEP=1` names",
        )
    if not _PLAIN_URL.fullmatch(chosen.airflow_api_url):
        raise UserError(
            f"HALLUVAULT_AIRFLOW_API_URL is {without_password(chosen.airflow_api_url)!r}; it must be "
            "http(s)://host[:port][/path] without user, password or query",
            "HALLUVAULT_AIRFLOW_API_USER and HALLUVAULT_AIRFLOW_API_PASSWORD say who logs in",
        )
    where = airflow.Installation(Path(), chosen.airflow_api_url.rstrip("/"), {}, chosen.airflow_api_password)
    return airflow.AirflowApi(where, chosen.airflow_api_user)


def _require_pools(api: airflow.AirflowApi, models: Sequence[str]) -> None:
    """A task whose pool is missing is never started, and nothing says so."""
    registered = load_models(settings().models_path, os.environ)
    wanted = {registered.server(registered.model(name).server).pool for name in models} | {pools.SCORING}
    there = {row["name"] for row in api.get("pools", limit=1000)["pools"] if row["slots"]}
    if missing := sorted(wanted - there):
        raise UserError(
            f"Airflow has no pool {', '.join(missing)}: tasks would wait there for ever; nothing was triggered",
            "halluvault pools --apply with Airflow's variables; or halluvault pools --to pools.json, and there "
            "airflow pools import pools.json",
        )
