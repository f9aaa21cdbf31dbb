"""What the oracle is worth with fewer words: the word lists thinned at random, the same responses judged again."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from studies.oracle.split import order

SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Shares of the wordings that are kept."""

_LISTS = ("nouns", "says")


class Point(NamedTuple):
    """One profile with a share of the words."""

    share: float
    profile: str
    figures: Any
    """`measure.Figures` over the part."""


def thinned(config_dir: Path, target: Path, share: float, seed: int) -> Path:
    """Copy the configuration with a share of the oracle's wordings.

    Every wording of `predicates.yaml` is kept or dropped by its hash, so that a smaller share keeps a subset of a
    larger one. Properties of `lexicon.yaml` lose their entry in the same way. Labels and aliases of the snapshot stay.

    Args:
        config_dir: the whole lists.
        target: directory to write; must not exist.
        share: how much is kept, 0 to 1.
        seed: of the choice.
    """
    shutil.copytree(config_dir, target)
    path = target / "predicates.yaml"
    predicates = yaml.safe_load(path.read_text(encoding="utf-8"))
    for pid, stated in predicates["properties"].items():
        for name in _LISTS:
            if listed := stated.get(name):
                stated[name] = [one for one in listed if _kept(share, seed, pid, name, one)]
    path.write_text(yaml.safe_dump(predicates, allow_unicode=True), encoding="utf-8")
    path = target / "lexicon.yaml"
    lexicon = yaml.safe_load(path.read_text(encoding="utf-8"))
    lexicon["properties"] = {
        pid: entry for pid, entry in lexicon["properties"].items() if _kept(share, seed, "lexicon", pid)
    }
    path.write_text(yaml.safe_dump(lexicon, allow_unicode=True), encoding="utf-8")
    return target


def _kept(share: float, *parts: object) -> bool:
    return int(order(0, *parts)[:8], 16) < share * 2**32


def curve(
    config_dir: Path,
    scratch: Path,
    seed: int,
    judged: Callable[[Path], Mapping[str, Any]],
    shares: Sequence[float] = SHARES,
) -> list[Point]:
    """Figures at every share.

    Args:
        config_dir: the whole lists.
        scratch: empty directory for the thinned ones.
        seed: of what is dropped.
        judged: configuration directory → profile → figures.
        shares: what is kept, descending.
    """
    found = []
    for share in shares:
        directory = thinned(config_dir, scratch / f"share-{share:g}", share, seed)
        found += [Point(share, profile, figures) for profile, figures in judged(directory).items()]
    return found
