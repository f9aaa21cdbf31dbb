"""The protocols that model servers speak, each registered once with what others ask about it.

`DIALECTS` has them by the name that models.yaml gives. How an OpenAI-compatible API differs from the plain protocol is
data (`presets`). Nobody else asks which dialect a model has: whoever needs to know something about it finds it here.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from halluvault_tasks.querying.dialects.openai import OpenAiClient
from halluvault_tasks.querying.dialects.presets import ApiPreset
from halluvault_tasks.querying.dialects.tgi import TgiClient
from halluvault_tasks.querying.replies import Client
from halluvault_tasks.querying.transport import Transport


class DialectEntry(Protocol):
    """What of a model's entry says how it is asked."""

    @property
    def served_as(self) -> str:
        """The server's name for it."""

    @property
    def route(self) -> str:
        """`chat` or `completions`."""

    @property
    def stream(self) -> bool:
        """Whether streams are asked for."""

    @property
    def way(self) -> ApiPreset:
        """What is known about the server."""


class Dialect(NamedTuple):
    """One protocol."""

    name: str
    """In models.yaml, and in the table `model`."""
    client: Callable[[Transport, DialectEntry, Mapping[str, Any]], Client]
    """The client of one replica, with an evaluation's parameters."""
    has_path: bool
    """Whether the API lies below a path of its own (`/v1`), which base URLs leave out."""
    names_models: bool
    """Whether a server may serve several models (`served_as` names one) and take fields of its own (`extra`)."""
    lacks: Mapping[str, tuple[str, ...]]
    """Sampling parameters that a route does not have."""
    instead: str
    """What to do about those, for people; `{}` is the first of them."""
    samples_by: tuple[str, ...]
    """Sampling parameters that mean sampling even where no temperature does."""
    greedy_aloud: frozenset[str]
    """Routes on which greedy is said by a temperature of 0; on others by saying none."""
    streams: frozenset[str]
    """Routes that can stream."""
    of_hub: frozenset[str]
    """Routes that huggingface_hub has a call for."""


def _tgi(way: Transport, entry: DialectEntry, parameters: Mapping[str, Any]) -> Client:
    return TgiClient(way, parameters, entry.route == "completions", entry.stream, entry.way)


def _openai(way: Transport, entry: DialectEntry, parameters: Mapping[str, Any]) -> Client:
    return OpenAiClient(way, parameters, entry.served_as, entry.route == "completions", entry.stream, entry.way)


_BOTH = frozenset({"chat", "completions"})
_OF_GENERATE = ("top_k", "typical_p", "repetition_penalty", "truncate")
"""Sampling parameters that TGI's own route has, and no `/v1`."""

TGI = Dialect(
    "tgi", _tgi, has_path=False, names_models=False, lacks={"chat": _OF_GENERATE},
    instead="sampling.{} does not exist on the route chat: TGI's /v1/chat/completions ignores it; remove it, or set "
    "`route: completions` if this is a base model",
    samples_by=("top_p", "typical_p", "top_k"), greedy_aloud=frozenset({"chat"}), streams=_BOTH, of_hub=_BOTH,
)  # fmt: skip

OPENAI = Dialect(
    "openai", _openai, has_path=True, names_models=True, lacks=dict.fromkeys(_BOTH, _OF_GENERATE),
    instead="sampling.{} does not exist in the dialect openai; give the server's own in sampling.extra",
    samples_by=(), greedy_aloud=_BOTH, streams=frozenset({"chat"}), of_hub=frozenset({"chat"}),
)  # fmt: skip

DIALECTS: Mapping[str, Dialect] = {one.name: one for one in (TGI, OPENAI)}
