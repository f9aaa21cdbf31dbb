"""scripts/audit.py: which versions a record of OSV names, and that no database calls nothing clean."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from halluvault_tasks.settings import REPOSITORY


def audited(database: Path) -> subprocess.CompletedProcess[str]:
    folder = database.parent / "locked"
    folder.mkdir(exist_ok=True)
    (folder / "platform.txt").write_text("jinja2==3.1.6 --hash=sha256:00\n")
    command = [sys.executable, str(REPOSITORY / "scripts" / "audit.py"), str(database), str(folder)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def dump(folder: Path, *records: dict[str, Any]) -> Path:
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for record in records:
            archive.writestr(f"{record['id']}.json", json.dumps(record))
    return folder / "all.zip"


def record(name: str, *events: dict[str, str], versions: tuple[str, ...] = (), **more: object) -> dict[str, Any]:
    affected = {
        "package": {"ecosystem": "PyPI", "name": name},
        "versions": list(versions),
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }
    return {"id": "PYSEC-1", "modified": "2026-11-01T00:00:00Z", "summary": "bad", "affected": [affected], **more}


@pytest.mark.parametrize(
    ("known", "named"),
    [
        (record("Jinja2", {"introduced": "0"}), True),
        (record("jinja2", {"introduced": "0"}, {"fixed": "3.1.5"}), False),
        (record("jinja2", {"introduced": "0"}, {"fixed": "3.1.5"}, {"introduced": "3.1.6"}), True),
        (record("jinja2", {"introduced": "3.1"}, {"last_affected": "3.1.6"}), True),
        (record("jinja2", {"introduced": "3.1"}, {"last_affected": "3.1.5"}), False),
        (record("jinja2", {"introduced": "4"}), False),
        (record("jinja2", versions=("3.1.6",)), True),
        (record("jinja2", {"introduced": "0"}, withdrawn="2026-01-01T00:00:00Z"), False),
        (record("not-locked", {"introduced": "0"}), False),
    ],
)
def test_a_locked_version_that_a_record_names_is_a_line_and_no_other_is(
    tmp_path: Path, known: dict[str, Any], named: bool
) -> None:
    done = audited(dump(tmp_path, known))
    assert (done.returncode, "PYSEC-1 bad" in done.stdout) == (int(named), named), done
    assert "the newest of 2026-11-01" in done.stderr


def test_without_a_database_of_python_packages_nothing_is_called_clean(tmp_path: Path) -> None:
    other = record("x", {"introduced": "0"})
    other["affected"][0]["package"]["ecosystem"] = "npm"
    (tmp_path / "no.zip").write_text("not found")
    for database in (dump(tmp_path, other), tmp_path / "none.zip", tmp_path / "no.zip"):
        refused = audited(database)
        assert refused.returncode == 2 and refused.stderr.count("\n") == 1
