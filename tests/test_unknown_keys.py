"""A word that a YAML of config/ should not have is named wherever it stands, with file, line and the way out."""

import copy
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from halluvault_tasks.cli.parts.configuration import LOADERS, faults, require
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import REPOSITORY

UNKNOWN = "no_such_word"
FREE = {("models.yaml", "models", "sampling", "extra")}
"""Where any word may stand."""
FILES = sorted({file.resolve() for file in (REPOSITORY / "config").rglob("*.yaml")})


def mappings(node: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the file holds a mapping."""
    if isinstance(node, dict):
        yield place
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, value in inside:
        yield from mappings(value, (*place, name))


def numbered(name: object) -> bool:
    return bool(re.fullmatch(r"[PQ]?[0-9]+", str(name)))


def levels(node: Any) -> list[tuple[str | int, ...]]:
    """Of the places that differ in an entry's number or id alone, the first."""
    found: dict[tuple[str, ...], tuple[str | int, ...]] = {}
    for place in mappings(node):
        found.setdefault(tuple("*" if numbered(step) else str(step) for step in place), place)
    return list(found.values())


def without_others(node: Any, places: list[tuple[str | int, ...]], depth: int = 0) -> Any:
    """The file without the entries that no place is in: an unknown word needs no eighty others around it."""
    if not isinstance(node, dict):
        return node
    inside = {name: [place for place in places if place[depth : depth + 1] == (name,)] for name in node}
    return {
        name: without_others(value, inside[name], depth + 1)
        for name, value in node.items()
        if inside[name] or not numbered(name)
    }


def content(file: Path) -> Any:
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    if file == REPOSITORY / "config" / "models.yaml":  # as shipped it registers nothing
        found["servers"] = [{"name": "s", "pool": "p", "slots": 1, "in_flight": 1}]
        urls = {"base_urls": ["http://h"], "sampling": {"extra": {"top_k": 1}}}
        found["models"] = [{"name": "m", "dialect": "openai", "server": "s", **urls}]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_an_unknown_word_is_named_at_every_level(file: Path, tmp_path: Path) -> None:
    assert file.name in LOADERS, "a new file needs its loader here"
    changed = tmp_path / file.name
    taken = []
    places = levels(content(file))
    whole = without_others(content(file), places)
    for place in places:
        one = copy.deepcopy(whole)
        inner = one
        for step in place:
            inner = inner[step]
        inner[UNKNOWN] = {UNKNOWN: [UNKNOWN]}
        changed.write_text(json.dumps(one, default=str, indent=1), encoding="utf-8")  # which is YAML, too
        try:
            LOADERS[file.name](changed)
        except UserError as error:
            assert str(changed) in error.message and UNKNOWN in error.message, error.message
            assert "line " in error.message and "\n" not in error.message and error.way_out
            assert "Extra inputs" not in error.message
        else:
            taken.append((file.name, *(step for step in place if isinstance(step, str))))
    assert set(taken) <= FREE and places


def test_doctor_names_every_faulty_file_of_a_configuration_at_once(tmp_path: Path) -> None:
    directory = shutil.copytree(REPOSITORY / "config", tmp_path / "config")
    assert faults(directory) == []
    for name in ("domains.yaml", "alerts.yaml"):
        with (directory / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{UNKNOWN}: 1\n")
    assert [name for name, _ in faults(directory)] == ["alerts.yaml", "domains.yaml"]
    with pytest.raises(
        UserError, match=rf"{UNKNOWN}: no such key; there are channels, alerts; .*domains.yaml, line .*common"
    ):
        require(directory)


def test_the_keys_that_there_are_are_those_of_the_entry_and_not_of_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "models.yaml"
    changed.write_text("servers: [{name: s, pool: p, slots: 1, in_flight: 1, slot: 2}]\nmodels: []\n")
    with pytest.raises(
        UserError, match=r"servers\[s\].slot: no such key; there are name, pool, slots, in_flight"
    ) as found:
        LOADERS[changed.name](changed)
    assert "models" not in found.value.message.partition("there are")[2]


def test_a_folder_copied_with_its_links_is_told_from_one_that_lacks_files(tmp_path: Path) -> None:
    directory = shutil.copytree(REPOSITORY / "config" / "demo", tmp_path / "demo", symlinks=True)
    found = dict(faults(directory))
    assert {"alerts.yaml", "suites.yaml", "domains.yaml"} <= set(found)
    assert "is a link to ../domains.yaml, which does not exist → cp -rL" in str(found["domains.yaml"])
