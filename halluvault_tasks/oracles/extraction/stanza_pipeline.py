"""The extractor `stanza`: the neural pipeline's dependencies, read by the rules of `dependencies`.

stanza (https://stanfordnlp.github.io/stanza) needs English models of its own, which are not fetched here:
`python -c "import stanza; stanza.download('en')"` on a machine with a network, and HALLUVAULT_STANZA_DIR for another
directory than stanza's own.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple
from halluvault_tasks.oracles.extraction import dependencies
from halluvault_tasks.oracles.extraction.base import KNOWN, Sentences, UnreadPassage
from halluvault_tasks.reading.parser import digest

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse"

_log = logging.getLogger(__name__)


class _Unparsed(Exception):
    """The pipeline fails at a text, although it parses `KNOWN`; says why."""


class Stanza:
    """Sentences to triples by a stanza pipeline, loaded at its first use.

    Args:
        directory: of the models; empty means stanza's own (STANZA_RESOURCES_DIR).
    """

    name = "stanza"
    own_phrases = False

    def __init__(self, directory: str = "") -> None:
        self._directory = directory

    @cached_property
    def pipeline(self) -> Any:
        """The `stanza.Pipeline`.

        Raises:
            UserError: the models are not there.
        """
        return _load(self._directory)

    def __call__(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple] | UnreadPassage]:
        """Triples of each passage; all passages run through the pipeline as one batch of documents.

        Raises:
            UserError: the models are not there, or the pipeline fails at `KNOWN`, too.
        """
        try:
            return list(self._batch(passages))
        except _Unparsed as error:
            _log.warning("stanza failed at a batch of %d, each is read alone: %s", len(passages), error)
        return [self._alone(passage) for passage in passages]

    def check(self) -> str:
        """As `Tool.check` says."""
        [found] = self([[KNOWN]])
        return f"{self.provenance()['tool']} reads {len(found)} triples in “{KNOWN}”"

    def provenance(self) -> Mapping[str, Any]:
        """As `Tool.provenance` says: stanza's version, and the hash of its models' files."""
        import stanza

        paths = {name: Path(path) for name, path in self.pipeline.config.items() if str(name).endswith("_path")}
        files = {name: path for name, path in paths.items() if path.is_file()}
        tool = f"stanza {stanza.__version__}, sha256 {digest(files)}"
        return {"tool": tool, "options": {"processors": _PROCESSORS, "triples": MAX_TRIPLES}}

    def _alone(self, passage: Sentences) -> list[PhraseTriple] | UnreadPassage:
        try:
            return self._batch([passage])[0]
        except _Unparsed as error:
            return UnreadPassage(str(error))

    def _batch(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple]]:
        # A blank line ends a sentence for every tokenizer of stanza, so that list points never run together.
        wanted = [(index, "\n\n".join(passage)) for index, passage in enumerate(passages) if any(passage)]
        found: list[list[PhraseTriple]] = [[] for _ in passages]
        documents = self._documents([text for _, text in wanted])
        for (index, _), document in zip(wanted, documents, strict=True):
            found[index] = dependencies.triples([sentence.words for sentence in document.sentences])[:MAX_TRIPLES]
        return found

    def _documents(self, texts: Sequence[str]) -> list[Any]:
        """stanza's documents. In a text only a blank line ends a sentence.

        Raises:
            UserError: as a call.
            _Unparsed: it fails at one of these texts.
        """
        pipeline = self.pipeline
        try:
            return list(pipeline.bulk_process(list(texts))) if texts else []
        except Exception as error:  # whatever torch or a processor raises, on one text of many
            refused = _Unparsed(f"{type(error).__name__}: {error}"[:200])
        try:
            pipeline.bulk_process([KNOWN])
        except Exception as error:
            raise UserError(
                f"stanza does not read “{KNOWN}”: {type(error).__name__}: {error}"[:300],
                "its models may be damaged or memory short; fetch them anew, or use HALLUVAULT_EXTRACTOR=anchored",
            ) from error
        raise refused


def _load(directory: str) -> Any:
    import stanza
    from stanza.resources.common import ResourcesFileNotFoundError

    arguments: dict[str, Any] = {
        "lang": "en",
        "processors": _PROCESSORS,
        "tokenize_no_ssplit": True,
        "download_method": None,
        "use_gpu": False,
        "verbose": False,
        **({"dir": directory} if directory else {}),
    }
    try:
        return stanza.Pipeline(**arguments)
    except (ResourcesFileNotFoundError, FileNotFoundError, stanza.pipeline.core.PipelineRequirementsException) as error:
        raise UserError(
            f"stanza's English models are not in {directory or 'its own directory'}: {str(error).splitlines()[0]}",
            "fetch them once with `python -c \"import stanza; stanza.download('en')\"`, set HALLUVAULT_STANZA_DIR to "
            "where they lie, or use HALLUVAULT_EXTRACTOR=anchored, which needs none",
        ) from error
