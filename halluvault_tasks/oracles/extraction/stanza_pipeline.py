"""The extractor `stanza`: the neural pipeline's dependencies, read by the rules of `dependencies`."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple
from halluvault_tasks.oracles.extraction import dependencies
from halluvault_tasks.oracles.extraction.base import Sentences, UnreadPassage
from halluvault_tasks.reading.parser import KNOWN, Unparsed
from halluvault_tasks.reading.stanza_parser import PROCESSORS, StanzaParser

_log = logging.getLogger(__name__)


class Stanza:
    """Sentences to triples by a stanza pipeline, with which `replay/stanza` reads, too.

    Args:
        parser: its pipeline.
    """

    name = StanzaParser.name

    def __init__(self, parser: StanzaParser) -> None:
        self.parser = parser

    def __call__(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple] | UnreadPassage]:
        """Triples of each passage; all passages run through the pipeline as one batch of documents.

        Raises:
            UserError: as `StanzaParser.documents`.
        """
        try:
            return list(self._batch(passages))
        except Unparsed as error:
            _log.warning("stanza failed at a batch of %d, each is read alone: %s", len(passages), error)
        return [self._alone(passage) for passage in passages]

    def check(self) -> str:
        """As `Tool.check` says."""
        [found] = self([[KNOWN]])
        return f"{self.provenance()['tool']} reads {len(found)} triples in “{KNOWN}”"

    def provenance(self) -> Mapping[str, Any]:
        """As `Tool.provenance` says."""
        return {"tool": self.parser.identity, "options": {"processors": PROCESSORS, "triples": MAX_TRIPLES}}

    def _alone(self, passage: Sentences) -> list[PhraseTriple] | UnreadPassage:
        try:
            return self._batch([passage])[0]
        except Unparsed as error:
            return UnreadPassage(str(error))

    def _batch(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple]]:
        # A blank line ends a sentence for every tokenizer of stanza, so that list points never run together.
        wanted = [(index, "\n\n".join(passage)) for index, passage in enumerate(passages) if any(passage)]
        found: list[list[PhraseTriple]] = [[] for _ in passages]
        documents = self.parser.documents([text for _, text in wanted])
        for (index, _), document in zip(wanted, documents, strict=True):
            found[index] = dependencies.triples([sentence.words for sentence in document.sentences])[:MAX_TRIPLES]
        return found
