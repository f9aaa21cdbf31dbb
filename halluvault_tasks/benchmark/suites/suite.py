"""What a suite is: one kind of question, with a part of its own in every month that switches it on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics
from halluvault_tasks.benchmark.suites.quotas import Quotas, Size
from halluvault_tasks.benchmark.suites.template import Template
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.measuring.classes import MeasuredFile

NAMES = ("kinds", "nouns", "sorts", "trades", "mass", "names")
"""Sections of the lexicon that names and articles come from, whatever is asked."""


class Made(NamedTuple):
    """A part before it is frozen.

    Attributes:
        cases: all of them.
        statistics: of all of them, and how they are asked.
        askable: metamorphic groups that could be asked about this month, chosen or not.
        foils: false facts that the cases ask about.
        renewed: metamorphic groups of before that gave their place to others by design.
    """

    cases: Sequence[Case]
    statistics: PartStatistics
    askable: Collection[str]
    foils: Collection[Foil | StatementFoil] = ()
    renewed: Collection[str] = ()


class Companions(NamedTuple):
    """suites.yaml: the settings of each companion suite, by its name."""

    seed: int
    sections: Mapping[str, CompanionSettings]

    @property
    def on(self) -> list[str]:
        """The suites that are switched on."""
        return [name for name, section in self.sections.items() if section.enabled]


@dataclass(frozen=True)
class BuildSettings:
    """Everything that parts depend on beside the snapshot.

    Attributes:
        size_name: `demo` or `full`, a key of `sizes`.
        measured: classes of foils and what was found of them.
    """

    quotas: Quotas
    lexicon: Lexicon
    size_name: str
    companions: Companions
    measured: MeasuredFile

    @property
    def size(self) -> Size:
        """The chosen size."""
        return self.quotas.sizes[self.size_name]

    def wordings(self, sections: Collection[str]) -> dict[str, Any]:
        """These sections of the lexicon, as the file has them: of the nouns, the first that fits is taken."""
        return self.lexicon.model_dump(mode="json", include=set(sections))


class PartConfig(Protocol):
    """Everything that one suite's part of a month depends on, beside the snapshot and the code."""

    @property
    def suite(self) -> str:
        """Which."""

    @property
    def seed(self) -> int:
        """Of every draw."""

    @property
    def hash(self) -> str:
        """sha256 over all of it and the wordings that the suite uses, and nothing else: another suite, another prompt,
        another suite's wording change no part's hash."""


Config = TypeVar("Config", bound=PartConfig)


class Suite(Protocol[Config]):
    """One kind of question: a folder here, and a line in `registry`."""

    @property
    def name(self) -> str:
        """Of its parts."""

    @property
    def templates(self) -> Mapping[str, Template]:
        """Templates that are for it alone; none: it is asked in those of every suite."""

    @property
    def variants(self) -> tuple[str, ...]:
        """What its cases are asked in where nobody names a variant; none: `default_variant` of benchmark.yaml."""

    def configured(self, build: BuildSettings) -> Config:
        """What its part of a month is made by."""

    def make(self, material: Material, config: Config, asked: Collection[str], ask: Ask | None) -> Made:
        """The part.

        Writes nothing of it. May store and commit what a served model said, so that a build that is killed continues
        from there and one that is repeated gives the same bytes.

        Args:
            material: the snapshot.
            config: what it is made by.
            asked: questions that the month asks elsewhere.
            ask: asks a served model.

        Raises:
            PartRefused: there can be no part.
        """
