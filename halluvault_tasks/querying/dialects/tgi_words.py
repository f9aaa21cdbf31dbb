"""What text-generation-inference says about itself, and its own words on `/v1`; for both dialects."""

from collections.abc import Mapping
from typing import Any

from halluvault_tasks.querying.dialects.words import ServerWords, turn
from halluvault_tasks.querying.replies import (
    ChatMessage,
    ChatTemplate,
    Failure,
    FailureKind,
    Grammar,
    Identity,
    Reads,
    ServerInfo,
    storable,
)
from halluvault_tasks.querying.transport import parsed, whole

CHAT_MODEL = "tgi"
"""The one model name that TGI's `/v1` routes do not take for an adapter (an unknown one is silently the base model)."""

ON_CHAT = Reads(
    "TGI's /v1/chat/completions",
    frozenset({
        "frequency_penalty", "guideline", "logit_bias", "logprobs", "max_completion_tokens", "response_format", "seed",
        "stop", "tool_choice", "tool_prompt", "tools", "top_logprobs", "top_p",
    }),
)  # fmt: skip
ON_COMPLETIONS = Reads(
    "TGI's /v1/completions", frozenset({"frequency_penalty", "repetition_penalty", "seed", "stop", "suffix", "top_p"})
)

ON_V1: Mapping[str, Any] = {"top_p": 0.0001}
ON_GENERATE: Mapping[str, Any] = {"top_k": 1}
"""What leaves one token to draw on TGI's CPU backend. Others, greedy by silence, would take it for a wish to sample."""


class TgiWords(ServerWords):
    """Of a text-generation-inference."""

    def guided(self, grammar: Grammar, completions: bool = False) -> dict[str, Any]:
        """The field for its grammars on `/v1`, which refuses OpenAI's key and takes `value`."""
        if completions:
            raise Failure(FailureKind.FATAL, "TGI's /v1/completions cannot take a grammar")
        kind = "regex" if grammar.kind == "regex" else "json_object"
        return {"response_format": {"type": kind, "value": grammar.value}}

    async def template(self, asked: Mapping[str, Any]) -> ChatTemplate:
        """Whether it has a chat template: `/chat_tokenize` applies it, and refuses if there is none."""
        try:
            await self._http.post("/chat_tokenize", {"model": CHAT_MODEL, "messages": turn("Hello")})
        except Failure as failure:
            if failure.kind.passes:
                raise
            if failure.status == 422:
                return ChatTemplate(False, failure.reason, refuses=True)
            return ChatTemplate(None, f"/chat_tokenize: {failure.reason}")
        return ChatTemplate(True, "/chat_tokenize applies it")

    async def count(self, model: str, asked: str | list[ChatMessage]) -> int | None:
        """`/tokenize` of a raw text, `/chat_tokenize` of a conversation."""
        if isinstance(asked, str):
            tokens = await self._asked("/tokenize", {"inputs": asked})
        else:
            found = await self._asked("/chat_tokenize", {"model": CHAT_MODEL, "messages": asked})
            tokens = found.get("tokenize_response") if isinstance(found, dict) else None
        return len(tokens) if isinstance(tokens, list) else None


def info_of(body: bytes, likeliest: Mapping[str, Any], reads: Reads | None = None) -> ServerInfo | None:
    """Identity and limits, read leniently (versions 2 and 3 differ, a local model has no sha); None if no TGI's.

    Args:
        body: of `/info`.
        likeliest: what makes its CPU backend greedy on the route that is asked.
        reads: what that route reads, where it ignores the rest.
    """
    try:
        raw = parsed(body)
    except Failure:
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("model_id"), str):
        return None
    stops = whole(raw.get("max_stop_sequences"))
    # The CPU backend (llamacpp) is the one that allows neither stop sequences nor `best_of`; it samples.
    llamacpp = stops == 0 and whole(raw.get("max_best_of")) == 0
    return ServerInfo(
        Identity(storable(raw["model_id"]), _text(raw.get("model_sha")), _text(raw.get("version"))),
        whole(raw.get("max_concurrent_requests")),
        whole(raw.get("max_input_tokens", raw.get("max_input_length"))),
        whole(raw.get("max_total_tokens")),
        stops,
        reads,
        likeliest if llamacpp else {},
    )


def _text(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None
