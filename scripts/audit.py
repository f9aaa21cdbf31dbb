"""Known vulnerabilities of what is locked, by a copy of OSV's database: no network.

    python scripts/audit.py all.zip [FOLDER]     the file is OSV's own dump of PyPI; the folder is locked/ by default

Exit 1 where there is a known one, 2 where there is no database.

With a network pip-audit asks for itself (SECURITY.md).
"""

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

LOCKED = Path(__file__).resolve().parents[1] / "locked"


def locked(folder: Path) -> dict[str, Version]:
    """Version by package, as every platform's and extra's file has it."""
    lines = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.txt"))
    return {_plain(name): Version(version) for name, version in re.findall(r"(?m)^([\w.-]+)==([^\s;]+)", lines)}


def records(database: Path) -> Iterator[dict[str, Any]]:
    """What OSV has on packages of PyPI."""
    with zipfile.ZipFile(database) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                record = json.loads(archive.read(name))
                if any(each["package"]["ecosystem"] == "PyPI" for each in record.get("affected", ())):
                    yield record


def faults(have: Mapping[str, Version], known: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line for each package and record that names its version."""
    found = set()
    for record in known:
        for each in () if record.get("withdrawn") else record["affected"]:
            package = each["package"]
            version = have.get(_plain(package["name"])) if package["ecosystem"] == "PyPI" else None
            if version and _is_in(version, each):
                said = str(record.get("summary") or record.get("details") or "").split("\n")[0][:120]
                found.add(f"{package['name']} {version}: {record['id']} {said}".rstrip())
    return sorted(found)


def _is_in(version: Version, affected: Mapping[str, Any]) -> bool:
    if any(_version(each) == version for each in affected.get("versions", ())):
        return True
    ranges = [each["events"] for each in affected.get("ranges", ()) if each["type"] == "ECOSYSTEM"]
    return any(_within(version, events) for events in ranges)


def _within(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    """Whether the last event up to the version says that it is affected."""
    inside = False
    order = sorted(events, key=lambda event: _version(next(iter(event.values()))))
    for event in order:
        [(kind, at)] = event.items()
        reached = version > _version(at) if kind == "last_affected" else version >= _version(at)
        if reached:
            inside = kind == "introduced"
    return inside


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:  # of before versions had a form
        return Version("0")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(words: list[str]) -> int:
    """Print what is known; the exit status."""
    try:
        known = list(records(Path(words[0])))
    except (IndexError, OSError, zipfile.BadZipFile) as error:
        print(f"error: no database of OSV ({error}): name the file all.zip of its dump of PyPI", file=sys.stderr)
        return 2
    if not known:  # which would call everything clean
        print(f"error: {words[0]} holds nothing about PyPI", file=sys.stderr)
        return 2
    have = locked(Path(words[1]) if len(words) > 1 else LOCKED)
    wrong = faults(have, known)
    for line in wrong:
        print(line)
    newest = max(str(record.get("modified", "")) for record in known)[:10]
    print(f"{len(have)} packages, {len(known)} records, the newest of {newest}: {len(wrong)} known", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
