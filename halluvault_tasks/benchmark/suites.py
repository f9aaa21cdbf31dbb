"""The registry of suites: kinds of question, each with a part of its own in every month that switches it on.

A suite is a module that finds what can be asked, as blocks, and proves what was chosen; choosing, wording of members,
the blind gate and the freeze are the same for all. Another suite is another entry here, its name in
`cases.SuiteName`, its size in benchmark.yaml.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark import premises, relation, temporal
from halluvault_tasks.benchmark.blocks import Blocks
from halluvault_tasks.benchmark.cases import Candidate, Evidence, SuiteName
from halluvault_tasks.benchmark.config import BenchmarkConfig, PartConfig, Quotas
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.errors import UserError

Prover = Callable[[Material, Sequence[Candidate]], Sequence[Evidence | str]]
"""Evidence for each candidate, in order, or the reason why there is none."""

_NAMES = ("kinds", "nouns", "mass", "names")
"""Sections of the lexicon that names and articles come from, whatever is asked."""


class Suite(NamedTuple):
    """One kind of question.

    Attributes:
        find: what can be asked of a month, as blocks of at most so many facts a rule as the configuration says.
        prove: evidence for what was chosen.
        weights: of its rule kinds or operators.
        wordings: sections of the lexicon that it uses.
    """

    name: SuiteName
    find: Callable[[Material, PartConfig], Blocks]
    prove: Prover
    weights: Callable[[Quotas], Mapping[str, float]]
    wordings: tuple[str, ...]

    def configured(self, config: BenchmarkConfig) -> PartConfig:
        """What its part of a month is made by."""
        return config.part(self.name, self.weights(config.quotas), self.wordings)


SUITES: Mapping[SuiteName, Suite] = {
    "relation": Suite(
        "relation",
        relation.find,
        premises.prove,
        lambda quotas: {str(kind): weight for kind, weight in quotas.kinds.items()},
        (*_NAMES, "properties", "relations", "shared", "orders", "dates"),
    ),
    "temporal": Suite(
        "temporal",
        temporal.find,
        temporal.prove,
        lambda quotas: {str(operator): weight for operator, weight in quotas.operators.items()},
        (*_NAMES, "atoms", "dates", "terms"),
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
