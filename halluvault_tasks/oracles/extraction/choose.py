"""The extractor that an installation has chosen, by name."""

import os
from collections.abc import Callable

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.extraction.corenlp import CoreNlp
from halluvault_tasks.oracles.extraction.llm import Generate, ServedModel
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza
from halluvault_tasks.querying import asking
from halluvault_tasks.querying.registry import Model, load_models
from halluvault_tasks.querying.servers import token_of
from halluvault_tasks.settings import settings

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


def configured(name: str = "", token: Callable[[Model], str] = token_of) -> Extractor | None:
    """The extractor of this installation: what every command and task that judges responses reads triples with.

    Args:
        name: another one than HALLUVAULT_EXTRACTOR names.
        token: finds the key of a registered model.

    Raises:
        UserError: no such extractor, or no such model.
    """
    chosen = settings()

    def served(model: str) -> Generate:
        registry = load_models(chosen.models_path, os.environ)
        registry.model(model)  # an unknown name is said before anything is judged
        return lambda prompts, schema: [reply or "" for reply in asking.ask(registry, model, prompts, schema, token)]

    return extractor(
        name or chosen.extractor, stanza_dir=chosen.stanza_dir, corenlp_url=chosen.corenlp_url, served=served
    )
