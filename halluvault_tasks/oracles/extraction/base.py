"""What every extractor takes and gives, and what it gives for a text that its tool could not read."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from halluvault_tasks.oracles.anchored import PhraseTriple

KNOWN = "Charles Dickens was born in Portsmouth."
"""A sentence that every tool reads: asked after a refusal, to tell an odd text from a tool that does not work."""

Sentences = Sequence[str]
"""The sentences of one response that argue, in order, without bullets or markup."""


class UnreadPassage(NamedTuple):
    """A passage that the tool refused although it read `KNOWN` right after: no reading, and so no verdict."""

    reason: str


class Extractor(Protocol):
    """Sentences to triples."""

    name: str
    """As it stands in the profile of a verdict."""

    own_phrases: bool
    """Whether it reads several triples in a sentence, with phrases that are not the sentence's."""

    def __call__(self, passages: Sequence[Sentences]) -> Sequence[list[PhraseTriple] | UnreadPassage]:
        """Distinct triples of each passage, in order of appearance; no triples means that it was read and holds none.

        Args:
            passages: one sequence of sentences a response; many at once, so that a model runs on batches.

        Raises:
            UserError: the tool behind it is missing or does not read `KNOWN` either.
        """
        ...


@runtime_checkable
class Tool(Protocol):
    """An extractor behind which stands a program of its own."""

    def check(self) -> str:
        """Read `KNOWN`, and say what read it in one line.

        Raises:
            UserError: it does not.
        """
        ...

    def provenance(self) -> Mapping[str, Any]:
        """What a verdict rests on: `tool` with its version, and `options`. Known after the first reading."""
        ...
