"""What a model server can say, as values: an answer, a refusal that tells what to do next, an identity.

Nothing here sends anything: `transport` moves bytes, `dialect_tgi` and `dialect_openai` know the protocols.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, NamedTuple, Protocol, TypedDict

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Kind(Enum):
    """What a failure means for the next step."""

    OVERLOADED = "overloaded"
    """429: the server is sound and full; wait, and do not count it."""
    RETRYABLE = "retryable"
    """The request may succeed unchanged: 5xx, a failed batch (424), a reset, a body cut short, a proxy's page."""
    FATAL = "fatal"
    """The request will never succeed unchanged: validation, a wrong URL, a missing key."""


class Failure(Exception):
    """One request that brought no answer.

    Args:
        kind: what it means for the next step.
        reason: one line for people: status and what the body said, or what happened to the connection.
        status: HTTP status, 0 when no answer arrived.
        retry_after: seconds that the server (or a proxy) asked to wait.
    """

    def __init__(self, kind: Kind, reason: str, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.status = status
        self.retry_after = retry_after


class Reply(NamedTuple):
    """One generated answer, as the server sent it. Times are whole milliseconds."""

    text: str
    finish_reason: str
    """length, eos_token or stop_sequence of TGI; length, stop or another word of an OpenAI-compatible server."""
    prompt_tokens: int | None
    generated_tokens: int | None
    queue_ms: int | None
    """Waiting inside the server; None where it does not say."""
    inference_ms: int | None
    """Generating; None where it does not say."""
    total_ms: int | None
    """The server's own figure where it gives one, else what the client measured."""


class Identity(NamedTuple):
    """What must not change under a run."""

    model_id: str
    model_sha: str | None
    version: str | None
    """Of the serving software."""

    def __str__(self) -> str:
        return f"{self.model_id} (sha {self.model_sha or 'unknown'}, server {self.version or 'unknown'})"


class ServerInfo(NamedTuple):
    """Who a server says it is, and what it allows; None where it does not say."""

    identity: Identity
    max_concurrent_requests: int | None = None
    max_input_tokens: int | None = None
    max_total_tokens: int | None = None


class Message(TypedDict):
    """One turn of a conversation, as every chat route takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Client(Protocol):
    """One replica of one model behind a base URL, whatever its dialect.

    Every method raises `Failure` for any other outcome than the one it promises.
    """

    base_url: str

    async def complete(self, prompt: str) -> Reply:
        """The model's answer to a plain prompt."""

    async def chat(self, messages: list[Message], schema: Mapping[str, Any] | None = None) -> Reply:
        """The model's next turn in a conversation that ends with a user's; JSON of the schema where one is given."""

    async def info(self) -> ServerInfo:
        """Identity and limits."""

    async def healthy(self) -> bool:
        """Whether the server says that it is well; never raises."""

    async def count_tokens(self, prompt: str) -> int | None:
        """Tokens of a plain prompt as the server counts them; None where it has no way to say."""


def storable(text: str) -> str:
    """The text as Postgres can keep it: NUL and unpaired surrogates become U+FFFD, nothing else changes."""
    return _UNSTORABLE.sub("\ufffd", text)
