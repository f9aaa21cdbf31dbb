"""A real Airflow on this machine: scheduler with LocalExecutor, api-server and dag-processor as children.

Only Airflow's executables and its REST API are used; nothing of Airflow is imported.
"""

import base64
import os
import re
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx2 as httpx

from halluvault_tasks import private
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local import processes, secret_files
from halluvault_tasks.local.supervisor import Supervisor
from halluvault_tasks.settings import SHARE

USER = "admin"
_READY_SECONDS = 300.0
_AWAY_SECONDS = 300.0
"""So long the API may fail, while it or Postgres is being started again."""
_SILENT_SECONDS = 120.0
COMPONENTS = ("dag-processor", "api-server", "scheduler")
"""What a run needs. Last started is first ended: no task begins while the others end. DAGs are read while the
API comes up.

The triggerer is left out: no task here defers, and its memory counts.
"""


class Installation(NamedTuple):
    """One Airflow: its home, its environment and where it answers."""

    home: Path
    url: str
    environment: Mapping[str, str]
    password: str


def executable(name: str) -> str:
    """Path of a console script of this virtualenv."""
    return str(Path(sys.executable).with_name(name))


def install(home: Path, database_url: str, port: int, extra: Mapping[str, str], parallelism: int = 2) -> Installation:
    """Write what a home needs and return its environment; secrets are made once and kept.

    Args:
        home: AIRFLOW_HOME.
        database_url: of Airflow's own metadata, never the results'.
        port: of the api-server on 127.0.0.1.
        extra: further variables for every process (HALLUVAULT_*, AIRFLOW_CONN_HALLUVAULT_DB …).
        parallelism: tasks at once.
    """
    private.folder(home)
    keys = _secrets(home / "secrets.json")
    passwords = home / "passwords.json"
    secret_files.write(passwords, {USER: keys["password"]})
    url = f"http://127.0.0.1:{port}"
    airflow = {
        "CORE__EXECUTOR": "LocalExecutor",
        "CORE__PARALLELISM": str(parallelism),
        "CORE__LOAD_EXAMPLES": "False",
        "CORE__DAGS_FOLDER": str(SHARE / "dags"),
        "CORE__PLUGINS_FOLDER": str(home / "plugins"),  # none: the page comes by entry point
        "CORE__DAGS_ARE_PAUSED_AT_CREATION": "True",
        "CORE__FERNET_KEY": keys["fernet"],
        "CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
        "CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "CORE__EXECUTION_API_SERVER_URL": f"{url}/execution/",
        "DATABASE__SQL_ALCHEMY_CONN": database_url,
        "API__HOST": "127.0.0.1",
        "API__PORT": str(port),
        "API__BASE_URL": url,
        "API__WORKERS": "1",
        "API__SECRET_KEY": keys["api"],
        "API_AUTH__JWT_SECRET": keys["jwt"],
        "API_AUTH__JWT_ISSUER": "halluvault",
        "EXECUTION_API__JWT_EXPIRATION_TIME": "3600",
        # Waits of 1 to 90 s between them: a task survives an api-server that is down for minutes.
        "WORKERS__EXECUTION_API_TIMEOUT": "30",
        "WORKERS__EXECUTION_API_RETRIES": "10",
        # A supervisor notices a task's end only when it next looks; at the default of 5 s that is most of a short task.
        "WORKERS__MIN_HEARTBEAT_INTERVAL": "1",
        "DAG_PROCESSOR__PARSING_PROCESSES": "1",
        "LOGGING__BASE_LOG_FOLDER": str(home / "logs"),
        "LOGGING__FILE_TASK_HANDLER_NEW_FOLDER_PERMISSIONS": "0o700",
        "LOGGING__FILE_TASK_HANDLER_NEW_FILE_PERMISSIONS": "0o600",
        "SCHEDULER__ENABLE_HEALTH_CHECK": "False",
        # So long a scheduler that found nothing to do sleeps: of the default, 1 s, half is lost at each of forty tasks.
        "SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.2",
        # How soon a scheduler, a worker or a task that was killed is missed; the defaults are 30, 300, 300 and 600 s.
        "SCHEDULER__SCHEDULER_HEALTH_CHECK_THRESHOLD": "30",
        "SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "15",
        "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "60",
        "SCHEDULER__TASK_QUEUED_TIMEOUT": "120",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")}
    environment |= {f"AIRFLOW__{name}": value for name, value in airflow.items()}
    environment |= {"AIRFLOW_HOME": str(home), "PYTHONUNBUFFERED": "1", **extra}
    return Installation(home, url, environment, keys["password"])


def migrate(airflow: Installation) -> None:
    """`airflow db migrate`.

    Raises:
        Unavailable: it failed; quotes its last line.
    """
    run(airflow, "db", "migrate")


def run(airflow: Installation, *arguments: str) -> str:
    """Run one `airflow` command and return its stdout.

    Raises:
        Unavailable: it failed, most often for want of its database; quotes its last line.
    """
    done = subprocess.run(
        [executable("airflow"), *arguments],
        env=dict(airflow.environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise Unavailable(f"`airflow {' '.join(arguments)}` failed: {last}", f"its settings are under {airflow.home}")
    return done.stdout


def start(
    airflow: Installation, pids: Path, components: tuple[str, ...] = COMPONENTS, supervisor: Supervisor | None = None,
    schedulers: int = 1,
) -> None:  # fmt: skip
    """Start the components, and the schedulers when the API answers (tasks need it).

    Args:
        airflow: what to start.
        pids: where `processes` keeps its records.
        components: in this order.
        supervisor: is to keep them alive.
        schedulers: how many of them.
    """
    supervisor = supervisor or Supervisor(pids)
    more = (f"scheduler-{number}" for number in range(2, schedulers + 1))
    for component in (*components, *more):
        child, log = launch(airflow, pids, component), _log_of(airflow, component)
        supervisor.keep(child, partial(launch, airflow, pids, component), log)
        if component == "api-server":
            _wait_for_api(airflow, supervisor, log)


def launch(airflow: Installation, pids: Path, component: str) -> processes.Child:
    """Start one component, and wait for nothing; another of its kind is called like `scheduler-2`."""
    command = [executable("airflow"), re.sub(r"-\d+$", "", component)]
    within = processes.CommandSurroundings(env=airflow.environment)
    return processes.start(f"airflow-{component}", command, pids, _log_of(airflow, component), within)


def _child_of(component: str) -> str:
    return f"airflow-{component}"


def _log_of(airflow: Installation, component: str) -> Path:
    return airflow.home / f"{component}.log"


def _wait_for_api(airflow: Installation, supervisor: Supervisor, log: Path) -> None:
    # The first request of tasks' own API has the server build its routes and answer nobody until that is done: 4 to
    # 68 s were seen. It is made here, before a scheduler has anything to ask.
    deadline = time.monotonic() + _READY_SECONDS
    for path in ("/api/v2/version", "/execution/health"):
        while not _answers(airflow.url + path, deadline - time.monotonic()):
            if time.monotonic() >= deadline:
                problem = f"Airflow's api-server did not answer at {airflow.url}{path}: {processes.last_words(log)}"
                raise UserError(problem, f"read {log}")
            supervisor.look()
            time.sleep(0.5)


def _answers(url: str, seconds: float) -> bool:
    try:
        return httpx.get(url, timeout=max(seconds, 1.0)).status_code == 200
    except httpx.HTTPError:
        return False


class AirflowApi:
    """Airflow's REST API, logged in.

    Args:
        airflow: whose; its password is that of `user`.
        user: who logs in.
        supervisor: starts again what has ended of it; then the login, too, is tried for minutes, as every later request
            is.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        airflow: Installation,
        user: str = USER,
        supervisor: Supervisor | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._supervisor = supervisor
        self._patience = _AWAY_SECONDS if supervisor else 0.0
        self._clock, self._heard = clock, clock()
        self._client = httpx.Client(base_url=airflow.url, timeout=120)
        self._log = airflow.home / "api-server.log"
        login = {"username": user, "password": airflow.password}
        token = self._send("POST", "/auth/token", json=login).json()["access_token"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        self._patience = _AWAY_SECONDS

    def look(self) -> None:
        """Start again what has ended, where there is a supervisor."""
        if self._supervisor:
            self._supervisor.look()

    def look_after_scheduler(self) -> None:
        """`look`, and have one end that runs and for two minutes was not heard of, or whose workers took nothing.

        Airflow 3.3.2's, once it has lost its database, waits for ever for tasks whose worker was killed; and of its
        LocalExecutor one that was killed while it waited for a task keeps the queue's lock for ever.
        """
        self.look()
        if self._supervisor is None or self._works():
            self._heard = self._clock()
        elif self._clock() - self._heard > _SILENT_SECONDS:
            self._supervisor.kill(_child_of("scheduler"))
            self._heard = self._clock()

    def _works(self) -> bool:
        """Whether the scheduler is well and something runs, where something is queued."""
        if self.get("monitor/health")["scheduler"]["status"] != "healthy":
            return False
        taken = self.get("dags/~/dagRuns/~/taskInstances", state=["queued", "running"], limit=100)["task_instances"]
        return {task["state"] for task in taken} != {"queued"}

    def get(self, path: str, **parameters: Any) -> Any:
        """GET /api/v2/PATH as JSON."""
        return self._send("GET", f"/api/v2/{path}", params=parameters).json()

    def has_dag(self, dag_id: str) -> bool:
        """Whether the dag-processor has delivered this DAG yet."""
        try:
            return self._client.get(f"/api/v2/dags/{dag_id}").status_code == 200
        except httpx.HTTPError:
            return False

    def unpause(self, dag_id: str) -> None:
        """Let the schedule trigger a DAG."""
        self._send("PATCH", f"/api/v2/dags/{dag_id}", json={"is_paused": False})

    def trigger(self, dag_id: str, conf: Mapping[str, Any], partition_key: str | None = None) -> str:
        """Start a run by hand; returns its id."""
        # The id is ours, so that asking again after a lost answer finds the run and starts no second one.
        run_id = f"by_hand__{uuid.uuid4()}"
        body = {"dag_run_id": run_id, "logical_date": None, "conf": dict(conf), "partition_key": partition_key}
        self._send("POST", f"/api/v2/dags/{dag_id}/dagRuns", there=True, json=body)
        return run_id

    def fail(self, dag_id: str, run_id: str) -> None:
        """Have a run end: what it has not begun is not begun any more, its teardown apart."""
        self._send("PATCH", f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id)}", json={"state": "failed"})

    def _send(self, method: str, path: str, there: bool = False, **content: Any) -> httpx.Response:
        """One request, which may reach the server more than once.

        Args:
            method: of HTTP.
            path: with its slash.
            there: whether "exists already" (409) to a second attempt is the first one's success.
            content: for httpx.

        Raises:
            Unavailable: no answer, or one that reports an error; the server's own process or Postgres has ended.
            UserError: it knows no such login.
        """
        until, again = time.monotonic() + self._patience, False
        while True:
            try:
                answer = self._client.request(method, path, **content)
                if not (there and again and answer.status_code == 409):
                    answer.raise_for_status()
            except httpx.HTTPError as error:
                status = error.response.status_code if isinstance(error, httpx.HTTPStatusError) else 500
                if status == 401:
                    raise UserError(
                        f"Airflow at {self._client.base_url} refuses the login (401): wrong name or password",
                        "correct HALLUVAULT_AIRFLOW_API_USER and HALLUVAULT_AIRFLOW_API_PASSWORD",
                    ) from error
                refused = status < 500
                if refused or time.monotonic() >= until:
                    raise Unavailable(
                        f"Airflow's API failed at {path}: {str(error).splitlines()[0]}",
                        f"run the same command again; if that does not help, read {self._log}",
                    ) from error
                self.look()
                time.sleep(1.0)
                again = True
            else:
                return answer

    def import_errors(self) -> list[str]:
        """One line for each DAG file that does not import."""
        found = self.get("importErrors")["import_errors"]
        return [f"{row['filename']}: {row['stack_trace'].strip().splitlines()[-1]}" for row in found]

    def runs(self, dag_id: str) -> list[dict[str, Any]]:
        """All runs of a DAG."""
        return list(self.get(f"dags/{dag_id}/dagRuns", limit=100)["dag_runs"])

    def tasks(self, dag_id: str, run_id: str) -> list[dict[str, Any]]:
        """All task instances of a run."""
        return list(self.get(f"dags/{dag_id}/dagRuns/{run_id}/taskInstances", limit=1000)["task_instances"])


def _secrets(path: Path) -> dict[str, str]:
    if kept := secret_files.read(path):
        return kept
    made = {
        "fernet": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "api": secrets.token_urlsafe(32),
        "jwt": secrets.token_urlsafe(64),
        "password": secrets.token_urlsafe(12),
    }
    secret_files.write(path, made)
    return made
