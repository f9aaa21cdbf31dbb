"""What a model server can say, as values: an answer, a refusal with what to do next, an identity.

Nothing here sends anything: `transport` moves bytes, the room `dialects` knows the protocols.
"""

import re
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, TypedDict

from halluvault_tasks.untrusted import scrubbed

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class FailureKind(Enum):
    """What a failure means for the next step."""

    OVERLOADED = "overloaded"
    """429, 503, 529: the server or a gateway before it is full; send less, wait, and count it against no prompt."""
    RETRYABLE = "retryable"
    """The request may succeed unchanged: other 5xx, a failed batch (424), a reset, a body cut short, a proxy's page."""
    FATAL = "fatal"
    """The request will never succeed unchanged: validation, a prompt too long."""
    BARRED = "barred"
    """No request will be answered until a person does something: no funds, a spent quota, an unknown model, a refused
    key or parameter. The lane stops at once, and alone; a 401, 403 or 404 among answers is tried once more before, as
    one may be a gateway's passing error."""

    @property
    def passes(self) -> bool:
        """Whether time may heal it."""
        return self in (FailureKind.OVERLOADED, FailureKind.RETRYABLE)


class RateLimit(NamedTuple):
    """What a server says about the tokens that it grants (`x-ratelimit-…` headers); None where it does not say."""

    limit_tokens: int | None = None
    """Granted a minute."""
    remaining_tokens: int | None = None
    """Left of them now."""
    reset_seconds: float | None = None
    """Until all are granted again."""


class Failure(Exception):
    """One request that brought no answer.

    Args:
        kind: what it means for the next step.
        reason: one line for people: status and what the body said, or what happened to the connection.
        status: HTTP status, 0 when no answer arrived.
        retry_after: seconds that the server (or a proxy) asked to wait.
        timed_out: whether it was our own patience that ended.
        no_place: whether the server itself says that all its places are taken, which no gateway can know.
        param: name of the request's field that the server refuses; empty where it names none.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: str,
        status: int = 0,
        retry_after: float | None = None,
        timed_out: bool = False,
        no_place: bool = False,
        param: str = "",
    ) -> None:
        # Stored with the prompt and shown in the views.
        self.reason = scrubbed(reason)
        super().__init__(self.reason)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        self.timed_out = timed_out
        self.no_place = no_place
        self.param = param
        self.rate: RateLimit | None = None
        """What the server said about the tokens that it grants, beside this."""

    @property
    def may_pass(self) -> bool:
        """Whether a gateway also says this in passing, so that it is worth asking once more."""
        return self.status in (401, 403, 404)

    @property
    def from_gateway(self) -> bool:
        """Whether a gateway says this about the server behind it: that it is down, slow or full, which look alike."""
        return self.status in (502, 504)


class UnknownShape(Failure):
    """An answer of status 200 in a shape that we do not know; three in a row are the server's way, and no accident.

    Args:
        reason: one line for people, which quotes its beginning.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(FailureKind.RETRYABLE, reason, 200)


class Finish(Enum):
    """How a reply ended."""

    STOP = "stop"
    """By itself, or at a stop sequence."""
    LENGTH = "length"
    """At the limit of new tokens: what it says is cut."""
    REFUSED = "refused"
    """By the API, for what was asked or said."""


UNSAID = "unsaid"
"""Our word for the finish_reason of a whole answer from a server that has no such field."""

_WORDS: Mapping[str, Finish] = {
    **dict.fromkeys(
        ("stop", "eos_token", "stop_sequence", "eos", "end_turn", "tool_calls", "function_call", "complete", UNSAID),
        Finish.STOP,
    ),
    **dict.fromkeys(
        ("length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"), Finish.LENGTH
    ),
    **dict.fromkeys(
        ("content_filter", "content_filtered", "refusal", "refused", "safety", "sensitive", "recitation", "blocklist",
         "prohibited_content", "spii", "guardrail_intervened", "error_toxic", "image_safety", "image_recitation",
         "image_prohibited_content"),
        Finish.REFUSED,
    ),
}  # fmt: skip
"""finish_reason, in small letters, of TGI, OpenAI, Azure, Mistral, Gemini, Anthropic, Bedrock, Cohere and Zhipu. Any
other word (`error`, `abort`, `insufficient_system_resource` …) is no answer: what came with it may be half of one."""


def finish_of(word: str) -> Finish | None:
    """What a server's finish_reason means; None: nothing that an answer ends with."""
    # Gemini's OpenAI route adds its own word behind a colon: `content_filter: PROHIBITED_CONTENT`.
    return _WORDS.get(word.lower()) or _WORDS.get(word.lower().partition(":")[0])


class Reply(NamedTuple):
    """One generated answer, its parts apart. Times are whole milliseconds."""

    text: str
    """The answer, without thoughts; empty where none came."""
    finish_reason: str
    """The server's word, one that `finish_of` knows."""
    prompt_tokens: int | None
    generated_tokens: int | None
    """Thoughts included."""
    queue_ms: int | None
    """Waiting inside the server; None where it does not say."""
    inference_ms: int | None
    """Generating; None where it does not say."""
    total_ms: int | None
    """The server's own figure where it gives one, else what the client measured."""
    thought: str | None = None
    """What the model thought before it answered (`thoughts`); None: nothing was seen."""
    thought_tokens: int | None = None
    """Of these tokens; None where the server does not say."""
    refusal: str | None = None
    """What the API said in place of an answer: its words, or its finish_reason. None: it did not refuse."""
    thinks: str = ""
    """Where the thought stood: a field's name or a format's (`thoughts.FORMATS`), with `, start in the prompt`."""
    rate: RateLimit | None = None
    """What the server said about the tokens that it grants, beside this answer; None: nothing."""

    @property
    def finish(self) -> Finish:
        """How it ended."""
        return Finish.REFUSED if self.refusal is not None else finish_of(self.finish_reason) or Finish.STOP

    @property
    def is_answer(self) -> bool:
        """Whether it says anything: neither silent nor refused by the API."""
        return self.refusal is None and bool(self.text.strip())

    @property
    def cut_in_thought(self) -> bool:
        """Whether the limit of new tokens came before the answer began."""
        return self.finish is Finish.LENGTH and not self.text.strip()


class Identity(NamedTuple):
    """What must not change under a run."""

    model_id: str
    model_sha: str | None
    version: str | None
    """Of the serving software."""

    def __str__(self) -> str:
        return f"{self.model_id} (sha {self.model_sha or 'unknown'}, server {self.version or 'unknown'})"


class Reads(NamedTuple):
    """The fields that a route reads; it ignores any other without a word."""

    route: str
    """In words, with whose it is."""
    fields: frozenset[str]
    """Beside those that are sent with every request."""


class ServerInfo(NamedTuple):
    """What a server says it is and allows, and what is known of its make; None where it does not say."""

    identity: Identity
    max_concurrent_requests: int | None = None
    max_input_tokens: int | None = None
    max_total_tokens: int | None = None
    max_stop_sequences: int | None = None
    reads: Reads | None = None
    likeliest: Mapping[str, Any] = MappingProxyType({})
    """Sampling parameters that leave one token to draw, where the server samples though it is asked to be greedy."""


class ChatTemplate(NamedTuple):
    """Whether a server puts a user's turn into a chat template."""

    present: bool | None
    """None where there is no way to tell."""
    seen: str
    """What that was read from, or what the server said; one line for people."""
    refuses: bool = False
    """Whether it was seen to refuse a conversation for want of one."""


JsonForm = Literal["json_schema", "json_object"]
"""OpenAI's `response_format` for a schema; llama.cpp's, of which llama-cpp-python takes no other."""

JSON_FORMS: tuple[JsonForm, ...] = ("json_schema", "json_object")


class Grammar(NamedTuple):
    """What every token of a reply must obey."""

    kind: Literal["regex", "json"]
    value: str | Mapping[str, Any]
    """The regular expression, or the JSON schema."""
    form: JsonForm = "json_schema"
    """How a schema is sent to an OpenAI-compatible server."""


class ChatMessage(TypedDict):
    """One turn of a conversation, as every chat route takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Client(Protocol):
    """One replica of one model behind a base URL, whatever its dialect.

    Every method raises `Failure` for any other outcome than the one it promises.
    """

    base_url: str

    async def complete(
        self, prompt: str, grammar: Grammar | None = None, *, seed: int | None = None, patience: int = 1
    ) -> Reply:
        """The model's answer to a plain prompt, by the route that the client was made for.

        Args:
            prompt: as it is sent.
            grammar: what the answer must obey.
            seed: of its sampling.
            patience: how many times the usual new tokens it may have, thoughts included.
        """

    async def chat(
        self, messages: list[ChatMessage], grammar: Grammar | None = None, tokens: int | None = None, *,
        seed: int | None = None, patience: int = 1,
    ) -> Reply:  # fmt: skip
        """The model's next turn in a conversation that ends with a user's; `tokens` at most, if given, × `patience`."""

    async def info(self, seconds: float = 10.0) -> ServerInfo:
        """Identity and limits, within this many seconds."""

    async def healthy(self) -> bool:
        """Whether the server says that it is well; never raises."""

    async def template(self) -> ChatTemplate:
        """Whether the server has a chat template."""

    async def count_tokens(self, asked: str | list[ChatMessage]) -> int | None:
        """Tokens as the model reads them: of a plain prompt by the client's route, of a conversation in the template.

        None where the server has no way to say.
        """


def storable(text: str) -> str:
    """The text as Postgres can keep it: NUL and unpaired surrogates become U+FFFD, nothing else changes."""
    return _UNSTORABLE.sub("\ufffd", text)
