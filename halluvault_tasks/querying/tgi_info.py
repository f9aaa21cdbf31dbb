"""What text-generation-inference says about itself; read for its own protocol and for its `/v1` routes."""

from collections.abc import Sequence

from halluvault_tasks.querying.replies import Failure, Identity, Kind, Message, ServerInfo, Template, storable
from halluvault_tasks.querying.transport import Transport, parsed, whole

CHAT_MODEL = "tgi"
"""The one model name that TGI's `/v1` routes do not take for an adapter (an unknown one is silently the base model)."""


def info_of(body: bytes) -> ServerInfo | None:
    """Identity and limits, read leniently (versions 2 and 3 differ, a local model has no sha); None if no TGI's."""
    try:
        raw = parsed(body)
    except Failure:
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("model_id"), str):
        return None
    return ServerInfo(
        Identity(storable(raw["model_id"]), _text(raw.get("model_sha")), _text(raw.get("version"))),
        whole(raw.get("max_concurrent_requests")),
        whole(raw.get("max_input_tokens", raw.get("max_input_length"))),
        whole(raw.get("max_total_tokens")),
        whole(raw.get("max_stop_sequences")),
        whole(raw.get("max_best_of")),
        is_tgi=True,
    )


async def template_of(http: Transport) -> Template:
    """Whether it has a chat template: `/chat_tokenize` applies it, and refuses if there is none.

    Raises:
        Failure: it does not answer now.
    """
    try:
        await http.post("/chat_tokenize", _chat([{"role": "user", "content": "Hello"}]))
    except Failure as failure:
        if failure.kind is not Kind.FATAL:
            raise
        if failure.status == 422:
            return Template(False, failure.reason, refuses=True)
        return Template(None, f"/chat_tokenize: {failure.reason}")
    return Template(True, "/chat_tokenize applies it")


async def count_in_template(http: Transport, messages: Sequence[Message]) -> int | None:
    """Tokens of a conversation in the chat template; None where the server does not say.

    Raises:
        Failure: it is full, which says nothing.
    """
    try:
        raw = parsed((await http.post("/chat_tokenize", _chat(messages))).body)
    except Failure as failure:
        if failure.kind is Kind.OVERLOADED:
            raise
        return None
    tokens = raw.get("tokenize_response") if isinstance(raw, dict) else None
    return len(tokens) if isinstance(tokens, list) else None


def _chat(messages: Sequence[Message]) -> dict[str, object]:
    return {"model": CHAT_MODEL, "messages": list(messages)}


def _text(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None
