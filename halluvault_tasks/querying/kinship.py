"""Which models are kin: nobody examines answers of their own family, whose misreadings may be their own.

A family is what models.yaml says (`family`), else the words in a model's names: `meta-llama/Llama-3.1-8B-Instruct` and
`llama-70b` share "llama". Too close costs an examination, too far a judge of his own cause, so any shared word counts.
"""

import re
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import Registry

_WORD = re.compile(r"[a-z]{3,}")
_SAYS_NOTHING = frozenset([
    "base",
    "chat",
    "gguf",
    "hub",
    "instruct",
    "large",
    "latest",
    "medium",
    "mini",
    "model",
    "models",
    "org",
    "pro",
    "preview",
    "server",
    "small",
    "test",
    "turbo",
])


class NamedModel(NamedTuple):
    """A model by its registry name and by what its server calls it."""

    name: str
    served: str
    sha: str | None = None


def family(registry: Registry, model: NamedModel) -> frozenset[str]:
    """The words that a model and its kin share."""
    said = next((entry.family for entry in registry.models if entry.name == model.name), "")
    words = [said.casefold()] if said else _WORD.findall(f"{model.name} {model.served}".casefold())
    return frozenset(words) - _SAYS_NOTHING


def kinship(registry: Registry, one: NamedModel, other: NamedModel) -> str:
    """What two models share, in words; empty where nothing is known to.

    Raises:
        UserError: of one of them nothing says what family it is of.
    """
    if one.name == other.name or one.served == other.served or (one.sha and one.sha == other.sha):
        return "the model itself"
    families = [family(registry, model) for model in (one, other)]
    for model, words in zip((one, other), families, strict=True):
        if not words:
            raise UserError(
                f"the names of {model.name} ({model.served}) do not say what family it is of",
                "give its entry in models.yaml a `family`",
            )
    shared = sorted(families[0] & families[1])
    return f"the family {shared[0]!r}" if shared else ""
