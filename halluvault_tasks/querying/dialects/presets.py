"""How hosted APIs and known servers differ from the plain OpenAI protocol, as data (`presets.yaml`)."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from halluvault_tasks.querying.dialects.terms import LIMIT
from halluvault_tasks.querying.replies import JSON_FORMS, JsonForm
from halluvault_tasks.querying.transport import Address


class Count(NamedTuple):
    """How a server counts tokens.

    Attributes:
        path: asked by POST.
        text: the field for a raw text.
        turns: the field for a conversation; empty where it takes none.
        found: where the answer has the count, or a list of that length.
    """

    path: str
    text: str
    turns: str
    found: str


class Version(NamedTuple):
    """Where a server says its version: a path, and the field of its JSON."""

    path: str
    field: str


class BatchTerms(NamedTuple):
    """What an API takes as one batch, and at what price."""

    form: str = "openai"
    """Of `batches.forms.FORMS`."""
    path: str = "/v1"
    """Of the API, as a line of a batch names it; it may be another one than in its URLs."""
    requests: int = 50_000
    """At most, in one batch."""
    megabytes: int = 200
    """Likewise."""
    window: str = "24h"
    """Within which it is to be done; what is not is said to have expired."""
    price: float = 0.5
    """Of a token, as a part of what it costs outside of a batch: the one place where a cost is to look it up."""


class ApiPreset(NamedTuple):
    """What is to be known about an OpenAI-compatible API before it is asked."""

    path: str = "/v1"
    """Between the base URL and `/chat/completions`."""
    query: Mapping[str, str] = {}
    header: str = "Authorization"
    """Carries the key."""
    limit_field: str = LIMIT
    omit: tuple[str, ...] = ()
    """Fields that it refuses, whichever the model."""
    hosted: bool = False
    """It is somebody else's: it serves what `served_as` names, and says nothing about itself."""
    lists: bool = True
    """`GET /models` lists what it serves."""
    info: bool = True
    """It may be a text-generation-inference, which `/info` tells."""
    version: Version | None = Version("/version", "version")
    counting: Count | None = Count("/tokenize", "prompt", "messages", "count")
    regex: tuple[str, ...] = ("structured_outputs", "regex")
    """Where a request has a regular expression, level by level; empty where it has none."""
    json: tuple[JsonForm, ...] = JSON_FORMS
    """Forms of a JSON schema to be tried."""
    batch: BatchTerms | None = BatchTerms()
    """None: it has no batches that we can use."""
    dialects: tuple[str, ...] = ("openai",)
    """That the preset belongs to."""
    seen: str = ""

    @property
    def address(self) -> Address:
        """What every request has beside its path."""
        return Address(self.query, self.header)


PLAIN = ApiPreset(batch=BatchTerms(price=1.0), dialects=("openai", "tgi"))
"""An OpenAI-compatible server of which nothing is known: most of what it may be is asked."""


@lru_cache(maxsize=1)
def presets() -> Mapping[str, ApiPreset]:
    """All presets of the package, by name."""
    raw = yaml.safe_load((Path(__file__).parent / "presets.yaml").read_text(encoding="utf-8"))
    return {name: _api(entry) for name, entry in raw.items()}


def _api(entry: Mapping[str, Any]) -> ApiPreset:
    given: dict[str, Any] = dict(entry)
    for name, kind in (("counting", Count), ("version", Version), ("batch", BatchTerms)):
        if isinstance(given.get(name), Mapping):
            given[name] = kind(**given[name])
    lists: dict[str, Any] = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return ApiPreset(**(given | lists))
