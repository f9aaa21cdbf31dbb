"""text-generation-inference: `/v1/chat/completions` with its template, or its own raw `/generate`.

Pitfalls found in its source: omitted `parameters` mean sampling, so they are always sent; `/generate` refuses
`temperature: 0`, so greedy means sending none there; `return_full_text` has no default, so it is always false; an
unknown `adapter_id` silently means the base model, so none is sent, and on `/v1` any model name but `tgi` would be one.
"""

from collections.abc import Mapping
from time import monotonic
from typing import Any

from halluvault_tasks.querying.dialect_openai import chat_fields, chat_reply, chat_stream, guided_by_tgi, of_this
from halluvault_tasks.querying.replies import Failure, Grammar, Kind, Message, Reply, ServerInfo, Template, storable
from halluvault_tasks.querying.tgi_info import CHAT_MODEL, count_in_template, info_of, template_of
from halluvault_tasks.querying.transport import (
    INFO_SECONDS,
    Body,
    Transport,
    first_line,
    parsed,
    refused,
    whole,
)


class TgiClient:
    """One replica of one model behind text-generation-inference.

    Args:
        http: the way to its base URL.
        parameters: TGI's generation parameters, without traps: see `registry.Sampling.parameters`.
        completions: send a plain prompt raw to `/generate` instead of as one user's turn.
        stream: ask for a stream of tokens, so that a hung server is noticed by its silence.
    """

    def __init__(
        self, http: Transport, parameters: Mapping[str, Any], completions: bool = False, stream: bool = False
    ) -> None:
        self.base_url = http.base_url
        self._http = http
        self._parameters = {**parameters, "details": True, "return_full_text": False}
        self._given = parameters
        self._completions = completions
        self._stream = stream

    async def complete(
        self, prompt: str, grammar: Grammar | None = None, *, seed: int | None = None, patience: int = 1
    ) -> Reply:
        """One user's turn; or `POST /generate` (or `/generate_stream`) with the prompt as `inputs`, unchanged."""
        if not self._completions:
            return await self.chat([{"role": "user", "content": prompt}], grammar, seed=seed, patience=patience)
        own: dict[str, Any] = {"max_new_tokens": self._given["max_new_tokens"] * patience}
        if grammar is not None:
            own["grammar"] = {"type": grammar.kind, "value": grammar.value}
        if seed is not None:
            own["seed"] = seed
        payload = {"inputs": prompt, "parameters": self._parameters | own}
        if self._stream:
            return await self._streamed(payload)
        began = monotonic()
        answer = await self._http.post("/generate", payload)
        return _reply(answer, _since(began))

    async def chat(
        self, messages: list[Message], grammar: Grammar | None = None, tokens: int | None = None, *,
        seed: int | None = None, patience: int = 1,
    ) -> Reply:  # fmt: skip
        """`POST /v1/chat/completions`."""
        guided = guided_by_tgi(grammar) if grammar is not None else {}
        fields = chat_fields(self._given) | of_this(self._given["max_new_tokens"], tokens, seed, patience)
        payload = {"model": CHAT_MODEL, "messages": messages, **fields, **guided}
        began = monotonic()
        if self._stream:
            return await chat_stream(self._http, "/v1/chat/completions", payload, began)
        return chat_reply(await self._http.post("/v1/chat/completions", payload), _since(began))

    async def info(self, seconds: float = INFO_SECONDS) -> ServerInfo:
        """`GET /info`."""
        answer = await self._http.get("/info", seconds)
        if answer.status != 200:
            raise refused(answer)
        if found := info_of(answer.body):
            return found
        raise Failure(Kind.FATAL, f"/info is not from a TGI: {first_line(answer.body)!r}", answer.status)

    async def healthy(self) -> bool:
        """Whether `GET /health` answers 200."""
        return await _healthy(self._http)

    async def template(self) -> Template:
        """`POST /chat_tokenize`."""
        return await template_of(self._http)

    async def count_tokens(self, asked: str | list[Message]) -> int | None:
        """`POST /tokenize` or `/chat_tokenize`; None where the server has no such route or answers otherwise."""
        if not isinstance(asked, str):
            return await count_in_template(self._http, asked)
        if not self._completions:
            return await count_in_template(self._http, [{"role": "user", "content": asked}])
        try:
            raw = parsed((await self._http.post("/tokenize", {"inputs": asked})).body)
        except Failure as failure:
            if failure.kind is Kind.OVERLOADED:
                raise
            return None
        return len(raw) if isinstance(raw, list) else None

    async def _streamed(self, payload: Mapping[str, Any]) -> Reply:
        began = monotonic()
        async for event in self._http.events("/generate_stream", payload):
            raw = event if isinstance(event, dict) else {}
            if "error" in raw:
                raise stream_error(raw)
            details, text = raw.get("details"), raw.get("generated_text")
            # Only the last event has both; a stream without one was cut, however cleanly it ended.
            if isinstance(text, str) and isinstance(details, dict) and isinstance(details.get("finish_reason"), str):
                return Reply(
                    text,
                    storable(details["finish_reason"]),
                    whole(details.get("input_length")),
                    whole(details.get("generated_tokens")),
                    None,
                    None,
                    _since(began),
                )
        raise Failure(Kind.RETRYABLE, "the stream ended without its final event", 200)


def stream_error(raw: Mapping[str, Any]) -> Failure:
    """An error event of TGI's own stream, which always comes with status 200."""
    said, kind = str(raw.get("error"))[:300], raw.get("error_type")
    if kind == "overloaded":
        return Failure(Kind.OVERLOADED, storable(said), 200, no_place=True)
    fatal = kind in ("validation", "template_error", "tool_error")  # no set: the kind may be a list, which has no hash
    return Failure(Kind.FATAL if fatal else Kind.RETRYABLE, storable(f"error in the stream: {said}"), 200)


def _reply(answer: Body, measured_ms: int) -> Reply:
    headers, raw = answer.headers, parsed(answer.body)
    if isinstance(raw, list) and len(raw) == 1:
        raw = raw[0]  # some gateways route /generate to TGI's `/`, which answers with a list
    details = raw.get("details") if isinstance(raw, dict) else None
    text = raw.get("generated_text") if isinstance(raw, dict) else None
    finish = details.get("finish_reason") if isinstance(details, dict) else None
    if not isinstance(text, str) or not isinstance(finish, str):
        raise Failure(Kind.RETRYABLE, f"HTTP 200 without generated_text and details: {first_line(answer.body)!r}", 200)
    assert isinstance(details, dict)
    total = whole(headers.get("x-total-time"))
    return Reply(
        text,
        storable(finish),
        whole(headers.get("x-prompt-tokens")),
        whole(details.get("generated_tokens")),
        whole(headers.get("x-queue-time")),
        whole(headers.get("x-inference-time")),
        measured_ms if total is None else total,
    )


async def _healthy(http: Transport) -> bool:
    try:
        return (await http.get("/health")).status == 200
    except Failure:
        return False


def _since(began: float) -> int:
    return round((monotonic() - began) * 1000)
