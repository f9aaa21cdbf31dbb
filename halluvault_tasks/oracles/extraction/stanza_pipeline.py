"""The extractor `stanza`: the neural pipeline's dependencies, read by the rules of `dependencies`.

The pipeline (tokens, tags, lemmas, dependencies; https://stanfordnlp.github.io/stanza) needs English models of its
own, which are not fetched here: `python -c "import stanza; stanza.download('en')"` on a machine with a network, and
HALLUVAULT_STANZA_DIR for another directory than stanza's own.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, Triple
from halluvault_tasks.oracles.extraction import dependencies
from halluvault_tasks.oracles.extraction.base import KNOWN, Sentences, Unread

_log = logging.getLogger(__name__)

PROCESSORS = "tokenize,mwt,pos,lemma,depparse"


class Stanza:
    """Sentences to triples by a stanza pipeline, loaded at its first use.

    Args:
        directory: of the models; empty means stanza's own (STANZA_RESOURCES_DIR).
        options: further arguments of `stanza.Pipeline`, such as the path of a single model.
    """

    name = "stanza"

    def __init__(self, directory: str = "", options: Mapping[str, Any] | None = None) -> None:
        self._directory = directory
        self._options = dict(options or {})
        self._pipeline: Any = None

    def __call__(self, passages: Sequence[Sentences]) -> list[list[Triple] | Unread]:
        """Triples of each passage; all passages run through the pipeline as one batch of documents.

        Raises:
            UserError: the models are not there, or the pipeline fails at `KNOWN`, too.
        """
        self._pipeline = self._pipeline or _load(self._directory, self._options)
        try:
            return list(self._batch(passages))
        except Exception as error:  # whatever torch or a processor raises, on one text of many
            _log.warning("stanza failed at a batch of %d, each is read alone: %s", len(passages), error)
        return [self._alone(passage) for passage in passages]

    def check(self) -> str:
        """As `Tool.check` says."""
        [found] = self([[KNOWN]])
        return f"{self.provenance()['tool']} reads {len(found)} triples in “{KNOWN}”"

    def provenance(self) -> Mapping[str, Any]:
        """As `Tool.provenance` says."""
        import stanza

        return {"tool": f"stanza {stanza.__version__}", "options": {"processors": PROCESSORS, "triples": MAX_TRIPLES}}

    def _alone(self, passage: Sentences) -> list[Triple] | Unread:
        try:
            return self._batch([passage])[0]
        except Exception as error:
            refused = Unread(f"{type(error).__name__}: {error}"[:200])
        try:
            self._batch([[KNOWN]])
        except Exception as error:
            raise UserError(
                f"stanza does not read “{KNOWN}”: {type(error).__name__}: {error}"[:300],
                "its models may be damaged or memory short; fetch them anew, or use HALLUVAULT_EXTRACTOR=anchored",
            ) from error
        return refused

    def _batch(self, passages: Sequence[Sentences]) -> list[list[Triple]]:
        # A blank line ends a sentence for every tokenizer of stanza, so that list points never run together.
        wanted = [(index, "\n\n".join(passage)) for index, passage in enumerate(passages) if any(passage)]
        found: list[list[Triple]] = [[] for _ in passages]
        documents = self._pipeline.bulk_process([text for _, text in wanted]) if wanted else []
        for (index, _), document in zip(wanted, documents, strict=True):
            found[index] = dependencies.triples([sentence.words for sentence in document.sentences])[:MAX_TRIPLES]
        return found


def _load(directory: str, options: Mapping[str, Any]) -> Any:
    import stanza
    from stanza.resources.common import ResourcesFileNotFoundError

    arguments: dict[str, Any] = {
        "lang": "en",
        "processors": PROCESSORS,
        "download_method": None,
        "use_gpu": False,
        "verbose": False,
        **({"dir": directory} if directory else {}),
        **options,
    }
    try:
        return stanza.Pipeline(**arguments)
    except (ResourcesFileNotFoundError, FileNotFoundError, stanza.pipeline.core.PipelineRequirementsException) as error:
        raise UserError(
            f"stanza's English models are not in {directory or 'its own directory'}: {str(error).splitlines()[0]}",
            "fetch them once with `python -c \"import stanza; stanza.download('en')\"`, set HALLUVAULT_STANZA_DIR to "
            "where they lie, or use HALLUVAULT_EXTRACTOR=anchored, which needs none",
        ) from error
