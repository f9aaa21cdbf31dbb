"""The extractor that an installation has chosen, by name."""

from collections.abc import Callable

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.extraction.corenlp import CoreNlp
from halluvault_tasks.oracles.extraction.llm import Generate, ServedModel
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza

CHOICES = f"{anchored.NAME}, {Stanza.name}, {CoreNlp.name} or llm:NAME of a model in models.yaml"


def extractor(
    name: str, *, stanza_dir: str = "", corenlp_url: str = "", served: Callable[[str], Generate] | None = None
) -> Extractor | None:
    """The extractor of a name; None for `anchored`, which needs the snapshot's names and is built with them.

    Args:
        name: of setting HALLUVAULT_EXTRACTOR.
        stanza_dir: of stanza's models.
        corenlp_url: of the CoreNLP server.
        served: makes what asks a model of the registry, from its name.

    Raises:
        UserError: no such extractor.
    """
    kind, _, model = name.partition(":")
    if name == anchored.NAME:
        return None
    if name == Stanza.name:
        return Stanza(stanza_dir)
    if name == CoreNlp.name:
        return CoreNlp(corenlp_url)
    if kind == "llm" and model and served is not None:
        return ServedModel(served(model), model)
    raise UserError(f"HALLUVAULT_EXTRACTOR is {name!r}; it must be {CHOICES}", "set one of them, or unset it")
