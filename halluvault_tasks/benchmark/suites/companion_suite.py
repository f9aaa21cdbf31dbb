"""Companion suites: what another paper asks, with settings of its own in suites.yaml."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings
from halluvault_tasks.benchmark.suites.suite import NAMES, BuildSettings, Made
from halluvault_tasks.benchmark.suites.template import Template
from halluvault_tasks.benchmark.wording.generations import Ask

Settings = TypeVar("Settings", bound=CompanionSettings)


class CompanionConfig(NamedTuple, Generic[Settings]):
    """What a companion suite's part is made by: its own settings, and neither quotas nor caps of the questions."""

    suite: str
    seed: int
    settings: Settings
    hash: str


class Writing(NamedTuple):
    """What a served model has yet to write before a part can be built.

    Attributes:
        model: registry name; empty where suites.yaml names none.
        texts: at most.
    """

    model: str
    texts: int


class Unwritten(NamedTuple):
    """What a part would be if all that is yet to be written were kept: as many cases, and as long."""

    made: Made
    writing: Writing


@dataclass(frozen=True)
class CompanionSuite(Generic[Settings]):
    """A suite that asks something else than yes/no questions about facts (docs/suites.md).

    Attributes:
        what: what it asks, in a line.
        settings: its section of suites.yaml.
        make: its cases (`Suite.make`).
        unwritten: what it would be before a served model has written for it; None: nothing can be told.
        wordings: sections of the lexicon that it uses.
    """

    name: str
    what: str
    settings: type[Settings]
    make: Callable[[Material, CompanionConfig[Settings], Collection[str], Ask | None], Made]
    templates: Mapping[str, Template]
    variants: tuple[str, ...]
    unwritten: Callable[[Material, CompanionConfig[Settings]], Unwritten | None] = lambda material, config: None
    wordings: tuple[str, ...] = (*NAMES, "properties", "dates")

    def configured(self, build: BuildSettings) -> CompanionConfig[Settings]:
        """What its part of a month is made by."""
        settings, seed = build.companions.sections[self.name], build.companions.seed
        assert isinstance(settings, self.settings)
        # A file counts by its bytes, wherever it lies; and what is not given does not, so that a setting which is added
        # changes no part that is frozen.
        beside: dict[str, Any] = {"enabled": True, "file": True, "halueval": {"__all__": {"file"}}}
        given = settings.model_dump(mode="json", exclude=beside, exclude_none=True)
        content = json.dumps([self.name, seed, given, build.wordings(self.wordings)], ensure_ascii=False)
        return CompanionConfig(self.name, seed, settings, hashlib.sha256(content.encode()).hexdigest())
