"""stanza's neural pipeline (https://stanfordnlp.github.io/stanza) as a parser: tokens, tags, lemmas, dependencies.

It needs English models of its own, which are not fetched here: `python -c "import stanza; stanza.download('en')"` on a
machine with a network, and HALLUVAULT_STANZA_DIR for another directory than stanza's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.reading.parser import KNOWN, KeepingParser, Parse, Token, Unparsed, digest
from halluvault_tasks.reading.universal import clearnlp

PROCESSORS = "tokenize,mwt,pos,lemma,depparse"


class StanzaParser(KeepingParser):
    """A stanza pipeline, loaded at its first use.

    Args:
        directory: of the models; empty means stanza's own (STANZA_RESOURCES_DIR).
        options: further arguments of `stanza.Pipeline`, such as the path of a single model.
    """

    name = "stanza"

    def __init__(self, directory: str = "", options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._directory = directory
        self._options = dict(options or {})

    @cached_property
    def pipeline(self) -> Any:
        """The `stanza.Pipeline`.

        Raises:
            UserError: the models are not there.
        """
        return _load(self._directory, self._options)

    @cached_property
    def identity(self) -> str:
        """stanza's version, and the hash of its models' files."""
        import stanza

        paths = {name: Path(path) for name, path in self.pipeline.config.items() if str(name).endswith("_path")}
        files = {name: path for name, path in paths.items() if path.is_file()}
        return f"stanza {stanza.__version__}, sha256 {digest(files)}"

    def documents(self, texts: Sequence[str]) -> list[Any]:
        """stanza's documents. In a text only a blank line ends a sentence.

        Raises:
            UserError: the models are not there, or the pipeline fails at `KNOWN`, too.
            Unparsed: it fails at one of these texts.
        """
        pipeline = self.pipeline
        try:
            return list(pipeline.bulk_process(list(texts))) if texts else []
        except Exception as error:  # whatever torch or a processor raises, on one text of many
            refused = Unparsed(f"{type(error).__name__}: {error}"[:200])
        try:
            pipeline.bulk_process([KNOWN])
        except Exception as error:
            raise UserError(
                f"stanza does not read “{KNOWN}”: {type(error).__name__}: {error}"[:300],
                "its models may be damaged or memory short; fetch them anew, or use HALLUVAULT_EXTRACTOR=anchored",
            ) from error
        raise refused

    def _parsed(self, sentences: Sequence[str]) -> Iterator[Parse]:
        lines = ["".join(" " if one.isspace() else one for one in text) for text in sentences]  # places stay
        found = iter(self.documents([one for one in lines if one.strip()]))
        return (clearnlp(tuple(_tokens(next(found)))) if one.strip() else () for one in lines)


def _tokens(document: Any) -> Iterator[Token]:
    before = 0
    for sentence in document.sentences:
        for index, word in enumerate(sentence.words, before):
            token = word.parent
            place = token if word.start_char is None else word  # a part of "gonna", which is written otherwise
            yield Token(
                word.text, word.lemma or word.text, word.upos or "X", word.xpos or "", word.deprel or "dep",
                before + word.head - 1 if word.head else index, place.start_char, place.end_char,
            )  # fmt: skip
        before += len(sentence.words)


def _load(directory: str, options: Mapping[str, Any]) -> Any:
    import stanza
    from stanza.resources.common import ResourcesFileNotFoundError

    arguments: dict[str, Any] = {
        "lang": "en",
        "processors": PROCESSORS,
        "tokenize_no_ssplit": True,
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
