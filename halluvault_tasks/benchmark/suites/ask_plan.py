"""How a part is asked where nobody says otherwise."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self


class AskPlan(NamedTuple):
    """How a part is asked where nobody says otherwise.

    Attributes:
        variants: beside those of its suite.
        temperatures: of the sampling, each an evaluation of its own, 0 for greedy; None: as models.yaml says.
        samples: replies to each prompt at a temperature above 0.
    """

    variants: tuple[str, ...] = ()
    temperatures: tuple[float | None, ...] = (None,)
    samples: int = 1

    @property
    def replies(self) -> int:
        """To each prompt, over all temperatures."""
        return sum(self.samples_at(temperature) for temperature in self.temperatures)

    def samples_at(self, temperature: float | None) -> int:
        """Replies to each prompt there: of what is asked greedily, or as models.yaml says, one."""
        return self.samples if temperature else 1

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Out of a part's counts."""
        return cls(
            tuple(stored.get("further_variants", ())),
            tuple(stored.get("temperatures", (None,))),
            stored.get("samples", 1),
        )

    def as_json(self) -> dict[str, Any]:
        """As it is stored: only what it says."""
        said = {"further_variants": list(self.variants), "temperatures": list(self.temperatures)}
        return {
            **{name: value for name, value in said.items() if value and value != [None]},
            **({"samples": self.samples} if self.samples > 1 else {}),
        }


AS_CONFIGURED = AskPlan()
STORED = ("further_variants", "temperatures", "samples")
"""What `AskPlan.as_json` may hold."""
