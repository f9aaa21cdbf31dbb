"""One month, end to end, on this machine: the real DAGs in a real Airflow over the embedded default.

All state is in one directory; a second start continues from what the first left. Only Airflow's own metadata is made
again each time, so that the schedule triggers the month again: the stages find their work done.
"""

import fcntl
import hashlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import source_dates
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.local import airflow, postgres, processes, real_model, sample, secret_files
from halluvault_tasks.local.ports import Ports
from halluvault_tasks.local.supervisor import Supervisor
from halluvault_tasks.querying import pools
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY, SHARE
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.wikidata import snapshot_keys

CONFIG = SHARE / "config" / "demo"
"""What the demo is configured by: simulated models, the small benchmark."""
_SERVER_SECONDS = 180.0
_TRIES = 3
"""Database and role of Airflow's metadata."""


class SourceDate(NamedTuple):
    """The day to which the source's data goes, and how that is known."""

    day: date
    stated: bool
    """Whether a person or the source itself says so; else it is the file's modification date."""


class Stack(NamedTuple):
    """What a demo runs on: its state directory and how to reach its servers."""

    state: Path
    snapshot: str
    dated: SourceDate
    database_url: str
    sim_database_url: str
    reader_url: str
    """As libpq takes it, for a dashboard: it may read the documented views."""
    airflow: airflow.Installation
    pids: Path
    supervisor: Supervisor

    def session(self) -> Session:
        """A session on the results database; the caller closes it."""
        return Session(sessions.engine(self.database_url), expire_on_commit=False)


def state_directory(source: Path | None, model: bool = False) -> Path:
    """Each source has a state directory of its own, simulated and real models apart, so that months never mix.

    Args:
        source: RDF file; None for the bundled sample.
        model: whether the real model answers.
    """
    root = REPOSITORY / ".halluvault"
    kind = "real-model" if model else "demo"
    if source is None:
        return root / kind
    name = source.name.split(".")[0]
    return root / f"{kind}-{name}-{hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:8]}"


@contextmanager
def locked(state: Path, what: str = "demo", way_out: str = "wait for it, or end it") -> Iterator[None]:
    """Hold the state directory: two demos, or two drills, on one directory would stop each other's children.

    Raises:
        UserError: another one has it; `way_out` says what to do then.
    """
    postgres.state_folder(state)
    with (state / "lock").open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            handle.seek(0)
            raise UserError(
                f"another {what} (pid {handle.read().strip() or 'unknown'}) is using {state}", way_out
            ) from error
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        # SIGTERM must pass through `finally` like Ctrl-C does, or the children would outlive us; and what a shell runs
        # in the background begins deaf to SIGINT.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield


def start(
    state: Path,
    source: Path | None,
    as_of: date | None,
    today: date,
    fresh: bool = True,
    model: real_model.RealModel | None = None,
) -> Stack:
    """Start Postgres, the endpoint, the model servers and Airflow, reaping what a killed demo left.

    Args:
        state: state directory.
        source: RDF file in Wikidata's shape; None serves the bundled sample.
        as_of: date of the source's data; None takes what the source states, else the file's modification date.
        today: decides the month: the last closed one.
        fresh: drop Airflow's metadata, so that the schedule runs the month again.
        model: serve and ask this one in the place of the simulated models.
    """
    pids = state / "pids"
    processes.reap(pids)
    supervisor = Supervisor(pids)
    data = state / "postgres"
    ports = Ports(state)
    server = postgres.start(data, pids, ports.of("postgres"))
    supervisor.keep(server.child, lambda: postgres.start(data, pids, server.port).child, postgres.log_of(data))
    password = _passwords(state / "passwords")
    roles.create_database(server.url(), "halluvault", "halluvault", password)
    database_url = server.url("halluvault", "halluvault", password["halluvault"])
    sim_url, reader_url = (server.url("halluvault", role, password[role]) for role in (roles.SIMULATOR, roles.READER))
    views.upgrade(database_url)
    urls = _start_servers(state, supervisor, source, sim_url, model)
    dated = SourceDate(as_of, True) if as_of else _dated(source, urls["endpoint"] + "/sparql")
    if fresh:
        roles.drop_database(server.url(), roles.AIRFLOW)
    roles.create_database(server.url(), roles.AIRFLOW, roles.AIRFLOW, {roles.AIRFLOW: password[roles.AIRFLOW]})
    environment = {
        "HALLUVAULT_DATABASE_URL": database_url,
        "HALLUVAULT_SPARQL_ENDPOINT": urls["endpoint"] + "/sparql",
        "HALLUVAULT_SOURCE": source.name if source else "bundled-sample",
        "HALLUVAULT_AS_OF": dated.day.isoformat(),
        "HALLUVAULT_STATE_DIR": str(state),
        "HALLUVAULT_CONFIG_DIR": str(CONFIG),
        "HALLUVAULT_MODELS_FILE": str(real_model.register(state, urls[real_model.SERVER])) if model else "",
        "HALLUVAULT_BENCHMARK_SIZE": "demo",
    }
    if not model:
        environment |= {"HALLUVAULT_SIM_A_URL": urls["sim-a"], "HALLUVAULT_SIM_B_URL": urls["sim-b"]}
    installation = airflow.install(
        state / "airflow",
        server.url(roles.AIRFLOW, roles.AIRFLOW, password[roles.AIRFLOW]),
        ports.of("airflow"),
        environment,
    )
    airflow.migrate(installation)
    plain_url = reader_url.replace("+psycopg2", "")
    month = snapshot_keys.last_closed_month(today)
    return Stack(state, month, dated, database_url, sim_url, plain_url, installation, pids, supervisor)


def start_airflow(stack: Stack, components: tuple[str, ...] = airflow.COMPONENTS) -> airflow.AirflowApi:
    """Make the pools and start Airflow's processes."""
    listed = stack.airflow.home / "pools.json"
    models = Path(stack.airflow.environment["HALLUVAULT_MODELS_FILE"] or CONFIG / "models.yaml")
    listed.write_text(pools.as_json(load_models(models, stack.airflow.environment)))
    for left in reversed(range(_TRIES)):
        try:
            airflow.run(stack.airflow, "pools", "import", str(listed))
            break
        except Unavailable:
            if not left:
                raise
            stack.supervisor.look()
    airflow.start(stack.airflow, stack.pids, components, stack.supervisor)
    return airflow.AirflowApi(stack.airflow, supervisor=stack.supervisor)


def today() -> date:
    """The current day in UTC, by which months close."""
    return datetime.now(UTC).date()


def _dated(source: Path | None, endpoint: str) -> SourceDate:
    if source is None:
        return SourceDate(sample.AS_OF, True)
    if day := source_dates.stated(WikidataClient(endpoint)):
        return SourceDate(day, True)
    return SourceDate(datetime.fromtimestamp(source.stat().st_mtime, UTC).date(), False)


def serve(
    state: Path,
    supervisor: Supervisor,
    commands: Mapping[str, Sequence[str]],
    environment: Mapping[str, str] = os.environ,
) -> dict[str, str]:
    """Start servers, each on a port of its own, and wait until they answer; returns their URLs.

    Args:
        state: state directory.
        supervisor: keeps them alive.
        commands: name → what starts it, but for the port.
        environment: theirs.

    Raises:
        UserError: one of them did not come up.
    """
    ports, within = Ports(state), processes.CommandSurroundings(env=environment)
    urls, logs = {}, {}
    for name, command in commands.items():
        port = ports.of(name)
        urls[name] = f"http://127.0.0.1:{port}"
        arguments = [*command, "--port", str(port)]
        logs[name] = log = state / f"{name}.log"
        again = partial(processes.start, name, arguments, state / "pids", log, within)
        supervisor.keep(again(), again, log)
    for name, log in logs.items():
        health = "/health" if commands[name][0] == sys.executable else "/v1/models"  # of ours; of llama.cpp's
        _wait_until_up(name, supervisor, urls[name] + health, log)
    return urls


def _start_servers(
    state: Path, supervisor: Supervisor, source: Path | None, sim_url: str, model: real_model.RealModel | None
) -> dict[str, str]:
    what = ["--source", str(source)] if source else ["--sample"]
    simulator = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--models"]
    commands = {"endpoint": [sys.executable, "-m", "halluvault_tasks.local.endpoint", *what]}
    if model:
        commands[real_model.SERVER] = model.command()
    else:
        commands |= {
            "sim-a": [*simulator, "careful,overconfident"],
            "sim-b": [*simulator, "weak-at-time,refuser"],
        }
    return serve(state, supervisor, commands, os.environ | {"HALLUVAULT_SIM_DATABASE_URL": sim_url})


def _wait_until_up(name: str, supervisor: Supervisor, url: str, log: Path) -> None:
    deadline = time.monotonic() + _SERVER_SECONDS
    while time.monotonic() < deadline:
        supervisor.look()
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise UserError(f"{name} did not come up in {_SERVER_SECONDS:.0f} s: {processes.last_words(log)}", f"read {log}")


def _passwords(path: Path) -> dict[str, str]:
    kept, names = secret_files.read(path), (roles.OWNER, roles.READER, roles.SIMULATOR, roles.AIRFLOW)
    made = {name: kept.get(name) or secrets.token_urlsafe(18) for name in names}
    if made != kept:
        secret_files.write(path, made)
    return made
