"""A suite whose questions want a name, a date or a number: sized in benchmark.yaml as those of yes/no questions are."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.suite import BuildSettings, Made
from halluvault_tasks.benchmark.suites.template import Template
from halluvault_tasks.benchmark.wording.generations import Ask


class OpenConfig(NamedTuple):
    """What a part of open questions is made by.

    Attributes:
        suite: which.
        seed: of every draw.
        target: questions.
        candidates: questions in the same words that are looked at.
        subject_cap: most questions that name one thing.
        guess_limit: share of answers that a blind rule may guess.
        blind_ends: whether that share itself must be within; else only an interval that lies beyond is refused.
        counted_for: properties of a group of facts, a domain, and the domain that such facts of it count for instead.
        renewal: share of the questions that stood which give their place to others.
        hash: `PartConfig.hash`.
    """

    suite: str
    seed: int
    target: int
    candidates: int
    subject_cap: int
    guess_limit: float
    blind_ends: bool
    counted_for: tuple[tuple[tuple[int, ...], str, str], ...]
    renewal: float
    hash: str


@dataclass(frozen=True)
class OpenSuite:
    """A suite of open questions.

    Attributes:
        what: what it asks, in a line.
        make: its cases (`Suite.make`).
        wordings: sections of the lexicon that it uses.
    """

    name: str
    what: str
    make: Callable[[Material, OpenConfig, Collection[str], Ask | None], Made]
    wordings: tuple[str, ...]
    templates: Mapping[str, Template]
    variants: tuple[str, ...]

    def configured(self, build: BuildSettings) -> OpenConfig:
        """What its part of a month is made by."""
        config = OpenConfig(
            suite=self.name,
            seed=build.quotas.seed,
            target=build.size.target(self.name),
            candidates=build.size.candidates_per_rule,
            subject_cap=build.quotas.subject_cap,
            guess_limit=build.quotas.guess_limit,
            blind_ends=build.size.blind_ends,
            counted_for=tuple(
                (group.resting_on, *pair)
                for _, group in sorted(build.quotas.groups.items())
                for pair in sorted(group.counted_for.items())
            ),
            renewal=build.quotas.renewal,
            hash="",
        )
        content = json.dumps([config, build.wordings(self.wordings)], ensure_ascii=False)
        return config._replace(hash=hashlib.sha256(content.encode()).hexdigest())
