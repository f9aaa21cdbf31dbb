"""The files of config/ and what reads each.

Each command and DAG that makes a part of a month reads all of them first: what only a later step needs, as the words
that an oracle knows, would else be found faulty after days of work.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from halluvault_tasks.benchmark import config as benchmark
from halluvault_tasks.benchmark.wording import lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import config as domains
from halluvault_tasks.querying import registry
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reasoning.measuring import classes
from halluvault_tasks.reasoning.rule_typing import reviewed
from halluvault_tasks.results import alerts

LOADERS: Mapping[str, Callable[[Path], object]] = {
    "alerts.yaml": alerts.load,
    "benchmark.yaml": lambda path: benchmark.load_quotas(path.parent, "full"),
    "domains.yaml": domains.load_domains,
    "lexicon.yaml": lexicon.load_lexicon,
    "measured.yaml": classes.load,
    "models.yaml": lambda path: registry.load_models(path, os.environ),
    "predicates.yaml": predicates.load,
    "rules.yaml": reviewed.load_reviewed,
    "suites.yaml": lambda path: benchmark.load_companions(path.parent),
}

READ = tuple(name for name in LOADERS if name != "models.yaml")
"""What `faults` reads; models.yaml may be elsewhere, and doctor asks its servers, too."""


def require(directory: Path) -> None:
    """Read every file but models.yaml, whose place may be another.

    Raises:
        UserError: names every file that cannot be read.
    """
    if found := faults(directory):
        raise UserError("; ".join(error.message for _, error in found), found[0][1].way_out)


def faults(directory: Path) -> list[tuple[str, UserError]]:
    """Files of a configuration that cannot be read, and why.

    Args:
        directory: `settings().config_dir`; of it, `READ`.
    """
    found = []
    for name in READ:
        try:
            LOADERS[name](directory / name)
        except UserError as error:
            found.append((name, error))
    return found
