"""The extractor that an installation has chosen, by name."""

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored
from halluvault_tasks.oracles.extraction.base import CORENLP, Extractor
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza
from halluvault_tasks.settings import settings

CHOICES = f"{anchored.NAME}, {Stanza.name} or {CORENLP}"


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
    if name == anchored.NAME:
        return None
    if name == Stanza.name:
        return Stanza(chosen.stanza_dir)
    if name == CORENLP:
        from halluvault_tasks.oracles.extraction.corenlp import CoreNlp  # aiohttp with it

        return CoreNlp(chosen.corenlp_url)
    raise UserError(f"HALLUVAULT_EXTRACTOR is {name!r}; it must be {CHOICES}", "set one of them, or unset it")
