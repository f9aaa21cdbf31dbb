"""The extractor `stanza`: the neural pipeline's dependencies, read by the rules of `dependencies`.

The pipeline (tokens, tags, lemmas, dependencies; https://stanfordnlp.github.io/stanza) needs English models of its
own, which are not fetched here: `python -c "import stanza; stanza.download('en')"` on a machine with a network, and
HALLUVAULT_STANZA_DIR for another directory than stanza's own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.extraction import dependencies
from halluvault_tasks.oracles.extraction.base import Sentences

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

    def __call__(self, passages: Sequence[Sentences]) -> list[list[Triple]]:
        """Triples of each passage; all passages run through the pipeline as one batch of documents.

        Raises:
            UserError: the models are not there.
        """
        self._pipeline = self._pipeline or _load(self._directory, self._options)
        # A blank line ends a sentence for every tokenizer of stanza, so that list points never run together.
        wanted = [(index, "\n\n".join(passage)) for index, passage in enumerate(passages) if any(passage)]
        found: list[list[Triple]] = [[] for _ in passages]
        documents = self._pipeline.bulk_process([text for _, text in wanted]) if wanted else []
        for (index, _), document in zip(wanted, documents, strict=True):
            found[index] = dependencies.triples([sentence.words for sentence in document.sentences])
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
