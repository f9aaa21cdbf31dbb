"""The extractor that an installation has chosen, by name."""

from collections.abc import Callable, Mapping

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza
from halluvault_tasks.settings import Settings, settings


def _corenlp(chosen: Settings) -> Extractor:
    from halluvault_tasks.oracles.extraction.corenlp import CoreNlp  # aiohttp with it

    return CoreNlp(chosen.corenlp_url)


EXTRACTORS: Mapping[str, Callable[[Settings], Extractor | None]] = {
    anchored.NAME: lambda _: None,
    Stanza.name: lambda chosen: Stanza(chosen.stanza_dir),
    "corenlp": _corenlp,
}
"""Extractor → how it is made."""

CHOICES = " or ".join((", ".join(list(EXTRACTORS)[:-1]), list(EXTRACTORS)[-1]))


def configured(name: str = "") -> Extractor | None:
    """The extractor of this installation: what every command and task that judges responses reads triples with.

    Args:
        name: another one than HALLUVAULT_EXTRACTOR names.

    Returns:
        None for `anchored`, which needs the snapshot's names and is built with them.

    Raises:
        UserError: no such extractor.
    """
    chosen = settings()
    name = name or chosen.extractor
    if name not in EXTRACTORS:
        raise UserError(f"HALLUVAULT_EXTRACTOR is {name!r}; it must be {CHOICES}", "set one of them, or unset it")
    return EXTRACTORS[name](chosen)
