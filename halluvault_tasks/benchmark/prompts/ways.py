"""How parts are asked."""

from collections.abc import Iterable
from typing import NamedTuple

from halluvault_tasks.benchmark.freeze.part_lookup import Part
from halluvault_tasks.benchmark.suites.registry import SUITES


class Asking(NamedTuple):
    """How a suite is asked.

    Attributes:
        variant: of its prompts.
        temperature: of the sampling, 0 for greedy; None: as models.yaml says.
        samples: replies to each prompt; of what is asked greedily one.
    """

    variant: str
    temperature: float | None = None
    samples: int = 1


def default_ways(stand: Iterable[Part], default: str) -> list[Asking]:
    """How parts are asked if no variant is named, each way once.

    Args:
        stand: parts; one whose suite is not registered any more is asked in the default.
        default: variant of all that say nothing else.
    """
    own = {str(name): suite.variants for name, suite in SUITES.items()}
    ways = (
        Asking(variant, temperature, part.statistics.asked.samples_at(temperature))
        for part in stand
        for variant in (*(own.get(part.suite, ()) or (default,)), *part.statistics.asked.variants)
        for temperature in part.statistics.asked.temperatures
    )
    return list(dict.fromkeys(ways))
