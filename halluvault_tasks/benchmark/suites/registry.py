"""The registry of suites: kinds of question, each with a part of its own in every month that switches it on.

What a suite needs is in its entry here and in three tables of other rooms, which name it (docs/questions.md, *A
further suite*): its templates in `templates`, its judge in `oracles.suites`, its views in `results.views`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, cast

from halluvault_tasks.benchmark.cases.suite_names import CompanionName, SuiteName
from halluvault_tasks.benchmark.suites.draft import Make
from halluvault_tasks.benchmark.suites.memory import make as memory
from halluvault_tasks.benchmark.suites.memory_external import make as external
from halluvault_tasks.benchmark.suites.part_config import PartConfig, PartSettings, Quotas, Size
from halluvault_tasks.benchmark.suites.pressure import make as pressure
from halluvault_tasks.benchmark.suites.questions import questions
from halluvault_tasks.benchmark.suites.recognition import make as recognition
from halluvault_tasks.benchmark.suites.relation import evidence
from halluvault_tasks.benchmark.suites.relation import find as relation
from halluvault_tasks.benchmark.suites.temporal import find as temporal
from halluvault_tasks.errors import UserError

_NAMES = ("kinds", "nouns", "mass", "names")
"""Sections of the lexicon that names and articles come from, whatever is asked."""


class Suite(NamedTuple):
    """One kind of question.

    Attributes:
        make: cases and counts of a month; `questions` makes it of finding and proving facts.
        target: cases, mutants included, at a size; None: a companion suite, which suites.yaml has the settings of.
        weights: of its rule kinds, operators or the like.
        wordings: sections of the lexicon that it uses.
        variants: what its cases are asked in where nobody names a variant; none: `default_variant` of benchmark.yaml.
    """

    name: SuiteName
    make: Make
    target: Callable[[Size], int] | None
    weights: Callable[[Quotas], Mapping[str, float]]
    wordings: tuple[str, ...]
    variants: tuple[str, ...] = ()

    def configured(self, config: PartSettings) -> PartConfig:
        """What its part of a month is made by."""
        if self.target is None:
            return config.companion(cast("CompanionName", self.name), self.wordings)
        return config.part(self.name, self.target(config.size), self.weights(config.quotas), self.wordings)


SUITES: Mapping[SuiteName, Suite] = {
    "relation": Suite(
        "relation",
        questions(relation.find, evidence.prove),
        lambda size: size.relation,
        lambda quotas: {str(kind): weight for kind, weight in quotas.kinds.items()},
        (*_NAMES, "properties", "relations", "shared", "orders", "bridges", "years", "ages", "countries", "dates"),
    ),
    "temporal": Suite(
        "temporal",
        questions(temporal.find, temporal.prove),
        lambda size: size.temporal,
        lambda quotas: {str(operator): weight for operator, weight in quotas.operators.items()},
        (*_NAMES, "atoms", "dates", "terms"),
    ),
    "recall": Suite(
        "recall",
        questions(relation.find_true, evidence.prove, gated=False),
        lambda size: size.recall,
        lambda quotas: {str(kind): weight for kind, weight in quotas.kinds.items()},
        # Its strata are ranks among all facts that are found, those of the suite relation included.
        (*_NAMES, "properties", "relations", "shared", "orders", "bridges", "years", "ages", "countries", "dates"),
    ),
    "memory": Suite("memory", memory.make, None, lambda quotas: {}, (*_NAMES, "properties", "dates"), memory.VARIANTS),
    "memory_external": Suite(
        "memory_external",
        external.make,
        None,
        lambda quotas: {},
        (*_NAMES, "properties", "dates"),
        external.VARIANTS,
    ),
    "recognition": Suite(
        "recognition",
        recognition.make,
        None,
        lambda quotas: {},
        (*_NAMES, "properties", "dates"),
        recognition.VARIANTS,
    ),
    "pressure": Suite(
        "pressure", pressure.make, None, lambda quotas: {}, (*_NAMES, "properties", "dates"), pressure.VARIANTS
    ),
}
"""Name → suite, in the order in which parts are built."""


def chosen(names: Collection[str]) -> list[Suite]:
    """The suites of these names, in the order in which they are built.

    Raises:
        UserError: there is no such suite; names those that there are.
    """
    if unknown := sorted(set(names) - set(SUITES)):
        raise UserError(f"no suite {unknown[0]!r}; there are {', '.join(SUITES)}", "give one of them as --suite")
    return [suite for name, suite in SUITES.items() if name in names]
