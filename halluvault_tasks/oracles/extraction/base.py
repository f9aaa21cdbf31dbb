"""What every extractor takes and gives."""

from collections.abc import Sequence
from typing import Protocol

from halluvault_tasks.oracles.anchored import Triple

Sentences = Sequence[str]
"""The sentences of one response that argue, in order, without bullets or markup."""


class Extractor(Protocol):
    """Sentences to triples."""

    name: str
    """As it stands in the profile of a verdict."""

    def __call__(self, passages: Sequence[Sentences]) -> list[list[Triple]]:
        """Distinct triples of each passage, in order of appearance.

        Args:
            passages: one sequence of sentences a response; many at once, so that a model runs on batches.

        Raises:
            UserError: the tool behind it is missing or does not answer.
        """
        ...
