"""A word that a YAML of config/ should not have is named wherever it stands, with file, line and the way out."""

import copy
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from halluvault_tasks.benchmark import companions
from halluvault_tasks.benchmark import config as benchmark
from halluvault_tasks.benchmark.wording import lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import config as domains
from halluvault_tasks.querying import registry
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reasoning import reviewed
from halluvault_tasks.results import alerts
from halluvault_tasks.settings import REPOSITORY

UNKNOWN = "no_such_word"
LOADERS: dict[str, Callable[[Path], object]] = {
    "alerts.yaml": alerts.load,
    "benchmark.yaml": lambda path: benchmark.load_quotas(path.parent, "full"),
    "domains.yaml": domains.load_domains,
    "lexicon.yaml": lexicon.load_lexicon,
    "models.yaml": lambda path: registry.load_models(path, os.environ),
    "predicates.yaml": predicates.load,
    "rules.yaml": reviewed.load_reviewed,
    "suites.yaml": lambda path: companions.load(path.parent),
}
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


def levels(node: Any) -> list[tuple[str | int, ...]]:
    """Of the places that differ in an entry's number or id alone, the first."""
    found: dict[tuple[str, ...], tuple[str | int, ...]] = {}
    for place in mappings(node):
        found.setdefault(tuple(re.sub(r"^[PQ]?[0-9]+$", "*", str(step)) for step in place), place)
    return list(found.values())


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
    whole, changed = content(file), tmp_path / file.name
    taken = []
    places = levels(whole)
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
        else:
            taken.append((file.name, *(step for step in place if isinstance(step, str))))
    assert set(taken) <= FREE and places
