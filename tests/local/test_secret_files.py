import signal
import subprocess
import sys
from pathlib import Path

import pytest

from halluvault_tasks.local import airflow, demo, secret_files


@pytest.mark.parametrize("when", ["os.fsync", "Path.replace"])
def test_a_writer_killed_at_any_moment_leaves_the_old_passwords(tmp_path: Path, when: str) -> None:
    path = tmp_path / "passwords"
    secret_files.write(path, {"a": "old"})
    program = f"""
import os, signal
from pathlib import Path
from halluvault_tasks.local import secret_files
{when} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
secret_files.write(Path({str(path)!r}), {{"a": "new"}})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert secret_files.read(path) == {"a": "old"}
    secret_files.write(path, {"a": "new"})
    assert secret_files.read(path) == {"a": "new"}
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_empty_file_of_an_older_kill_is_made_anew_and_then_kept(tmp_path: Path) -> None:
    (tmp_path / "passwords").touch()
    made = demo._passwords(tmp_path / "passwords")
    assert len(set(made.values())) == len(made)
    assert demo._passwords(tmp_path / "passwords") == made
    (tmp_path / "secrets.json").touch()
    keys = airflow.install(tmp_path, "postgresql://x", 1, {})
    assert airflow.install(tmp_path, "postgresql://x", 1, {}).password == keys.password != ""
