"""The OpenAI-compatible protocol, as vLLM, `transformers serve` and TGI's own `/v1` speak it.

They agree on little, so this module handles their differences: `model` and `temperature` are always sent (TGI samples
without a temperature, `transformers serve` refuses a missing model), `presence_penalty` never (TGI turns even 0 into a
repetition penalty of 2); a chunk with a finish_reason ends a stream, with or without `[DONE]` after it; usage comes
with the last chunk or after it; errors have four shapes (`transport.said`).
"""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any

from halluvault_tasks.querying import weights
from halluvault_tasks.querying.replies import (
    Failure,
    Grammar,
    Identity,
    Kind,
    Message,
    Reply,
    ServerInfo,
    Template,
    storable,
)
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

UNSPOKEN = ("top_k", "typical_p", "repetition_penalty", "truncate")
"""TGI's sampling parameters that this protocol lacks."""

RESERVED = frozenset({
    "model",
    "messages",
    "prompt",
    "stream",
    "stream_options",
    "temperature",
    "max_tokens",
    "presence_penalty",
    "n",
})
"""Fields of a request that a registry's `extra` may not set."""


def guided(grammar: Grammar) -> dict[str, Any]:
    """The field that makes an OpenAI-compatible server obey a grammar: OpenAI's or llama.cpp's for JSON, or vLLM's."""
    if grammar.kind == "regex":
        return {"structured_outputs": {"regex": grammar.value}}
    if grammar.form == "json_object":
        return {"response_format": {"type": "json_object", "schema": grammar.value}}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": grammar.value}}}


def guided_by_tgi(grammar: Grammar) -> dict[str, Any]:
    """The same for TGI's own `/v1`, which refuses OpenAI's key and takes its grammar under `value`."""
    kind = "regex" if grammar.kind == "regex" else "json_object"
    return {"response_format": {"type": kind, "value": grammar.value}}


def chat_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Sampling parameters in TGI's names, as fields of an OpenAI request.

    Greedy is `temperature: 0`, said aloud; `do_sample` without a temperature is temperature 1.
    """
    fields: dict[str, Any] = {"max_tokens": parameters["max_new_tokens"]}
    fields["temperature"] = parameters.get("temperature", 1.0 if parameters.get("do_sample") else 0)
    for name in ("top_p", "seed", "stop", "frequency_penalty"):
        if name in parameters:
            fields[name] = parameters[name]
    return fields | dict(parameters.get("extra", {}))


def of_this(usual: int, tokens: int | None, seed: int | None, patience: int) -> dict[str, int]:
    """The fields that end one reply earlier or later than the others, and that draw one otherwise than the others."""
    limit = (usual if tokens is None else tokens) * patience
    return ({} if limit == usual else {"max_tokens": limit}) | ({} if seed is None else {"seed": seed})


class OpenAiClient:
    """One replica of one model behind an OpenAI-compatible server.

    Args:
        http: the way to its base URL, which has no `/v1`.
        parameters: as `registry.Sampling.parameters` gives them.
        model: name the server knows the model by; empty asks `/v1/models`, which must then list one alone.
        completions: send a plain prompt raw to `/v1/completions` instead of as one user's turn.
        stream: ask for a stream of tokens, so that a hung server is noticed by its silence.
    """

    def __init__(
        self,
        http: Transport,
        parameters: Mapping[str, Any],
        model: str = "",
        completions: bool = False,
        stream: bool = False,
    ) -> None:
        self.base_url = http.base_url
        self._http = http
        self._fields = chat_fields(parameters)
        self._wanted = model
        self._model = model
        self._completions = completions
        self._stream = stream
        self._is_tgi: bool | None = None

    async def complete(
        self, prompt: str, grammar: Grammar | None = None, *, seed: int | None = None, patience: int = 1
    ) -> Reply:
        """`POST /v1/chat/completions` with one user's turn, or `/v1/completions`."""
        if not self._completions:
            return await self.chat([{"role": "user", "content": prompt}], grammar, seed=seed, patience=patience)
        fields = self._fields | of_this(self._fields["max_tokens"], None, seed, patience)
        payload = {"model": await self._name(), "prompt": prompt, **fields}
        if grammar is not None:
            if await self._tgi():
                raise Failure(Kind.FATAL, "TGI's /v1/completions cannot take a grammar")
            payload |= guided(grammar)
        began = monotonic()
        answer = await self._http.post("/v1/completions", payload)
        return _reply(answer, _text_of_completion, _since(began))

    async def chat(
        self, messages: list[Message], grammar: Grammar | None = None, tokens: int | None = None, *,
        seed: int | None = None, patience: int = 1,
    ) -> Reply:  # fmt: skip
        """`POST /v1/chat/completions`."""
        fields = self._fields | of_this(self._fields["max_tokens"], tokens, seed, patience)
        payload = {"model": await self._name(), "messages": messages, **fields}
        if grammar is not None:
            payload |= guided_by_tgi(grammar) if await self._tgi() else guided(grammar)
        began = monotonic()
        if self._stream:
            return await chat_stream(self._http, "/v1/chat/completions", payload, began)
        return chat_reply(await self._http.post("/v1/chat/completions", payload), _since(began))

    async def info(self, seconds: float = INFO_SECONDS) -> ServerInfo:
        """`GET /v1/models` for the model's name, and `/info` (TGI) or `/version` (vLLM) where there is one."""
        if self._is_tgi is not False:
            answer = await self._http.get("/info", seconds)
            if answer.status >= 500 or answer.status == 429:
                raise refused(answer)  # ill, which says nothing about what it is
            found = info_of(answer.body) if answer.status == 200 else None
            self._is_tgi = found is not None
            if found:
                self._model = self._wanted or CHAT_MODEL
                return found
        return await self._listed(seconds)

    async def healthy(self) -> bool:
        """Whether `/health` answers 200 or, if there is none, `/v1/models` does."""
        try:
            answer = await self._http.get("/health")
            if answer.status == 404:
                answer = await self._http.get("/v1/models")
        except Failure:
            return False
        return answer.status == 200

    async def template(self) -> Template:
        """`/chat_tokenize` of a TGI; elsewhere whether a turn has more tokens in the chat route than raw.

        More tokens come from a template, be it the model's own or one that the server falls back to.
        """
        if await self._tgi():
            return await template_of(self._http)
        words = "Tell how a bicycle is built."
        asked = {"model": await self._name(), "max_tokens": 1, "temperature": 0}
        try:
            chat = await self._prompt_tokens("chat/completions", asked | {"messages": _turn(words)})
        except Failure as failure:
            if failure.kind is not Kind.FATAL:
                raise
            lacks = failure.status in (400, 422) and "template" in failure.reason.lower()
            return Template(False if lacks else None, failure.reason, refuses=lacks)
        try:
            raw = await self._prompt_tokens("completions", asked | {"prompt": words})
        except Failure as failure:
            if failure.kind is not Kind.FATAL:
                raise
            return Template(None, f"no /v1/completions to compare with: {failure.reason}")
        if chat is None or raw is None:
            return Template(None, "the server counts no prompt tokens")
        return Template(chat > raw, f"a turn of {raw} tokens raw has {chat} in the chat route")

    async def count_tokens(self, asked: str | list[Message]) -> int | None:
        """`/chat_tokenize` and `/tokenize` of a TGI, `/tokenize` of vLLM; None elsewhere."""
        messages = _turn(asked) if isinstance(asked, str) else asked
        raw = isinstance(asked, str) and self._completions
        try:
            if await self._tgi():
                if not raw:
                    return await count_in_template(self._http, messages)
                found = parsed((await self._http.post("/tokenize", {"inputs": asked})).body)
                return len(found) if isinstance(found, list) else None
            words = {"prompt": asked} if raw else {"messages": messages}
            found = parsed((await self._http.post("/tokenize", {"model": await self._name(), **words})).body)
        except Failure as failure:
            if failure.kind is Kind.OVERLOADED:
                raise
            return None
        return whole(found.get("count")) if isinstance(found, dict) else None

    async def _prompt_tokens(self, route: str, payload: Mapping[str, Any]) -> int | None:
        raw = parsed((await self._http.post(f"/v1/{route}", payload)).body)
        usage = raw.get("usage") if isinstance(raw, dict) else None
        return whole(usage.get("prompt_tokens")) if isinstance(usage, dict) else None

    async def _tgi(self) -> bool:
        """Whether it is a TGI, which has words of its own."""
        if self._is_tgi is None:
            await self.info()
        return bool(self._is_tgi)

    async def _name(self) -> str:
        if not self._model:
            await self.info()
        return self._model

    async def _listed(self, seconds: float) -> ServerInfo:
        answer = await self._http.get("/v1/models", seconds)
        if answer.status != 200:
            raise refused(answer)
        raw = parsed(answer.body)
        entries = raw.get("data") if isinstance(raw, dict) else None
        listed = {
            entry["id"]: entry
            for entry in (entries if isinstance(entries, list) else [])
            if isinstance(entry, dict) and isinstance(entry.get("id"), str)
        }
        if not listed and self._wanted:
            # `transformers serve` over a local directory lists nothing, and answers to the path it was given.
            self._model = self._wanted
            return ServerInfo(await self._identity(self._wanted, None, seconds))
        if not listed:
            raise Failure(Kind.FATAL, f"/v1/models lists no model: {first_line(answer.body)!r}", 200)
        if self._wanted and self._wanted not in listed:
            shown = ", ".join(sorted(listed)[:10])
            raise Failure(Kind.FATAL, f"no model {self._wanted!r} in /v1/models; there are: {shown}", 200)
        if not self._wanted and len(listed) > 1:
            shown = ", ".join(sorted(listed)[:10])
            raise Failure(Kind.FATAL, f"/v1/models lists several models; `served_as` must name one of: {shown}", 200)
        name = self._wanted or next(iter(listed))
        self._model = name
        entry = listed[name]
        root = entry.get("root")
        return ServerInfo(
            await self._identity(name, root if isinstance(root, str) and root != name else None, seconds),
            max_total_tokens=whole(entry.get("max_model_len")),
        )

    async def _identity(self, name: str, root: str | None, seconds: float) -> Identity:
        """Identity of a model named by a bare path, with the weights' sha256: other weights may be there tomorrow."""
        sha = await asyncio.to_thread(weights.sha256_of, root or name, self.base_url)
        return Identity(storable(name), sha or (storable(root) if root else None), await self._version(seconds))

    async def _version(self, seconds: float) -> str | None:
        answer = await self._http.get("/version", seconds)
        if answer.status >= 500 or answer.status == 429:
            raise refused(answer)  # not to be taken for a server without a version, which would be another identity
        try:
            found = parsed(answer.body).get("version") if answer.status == 200 else None
        except (Failure, AttributeError):
            return None
        return storable(found) if isinstance(found, str) else None


def chat_reply(answer: Body, measured_ms: int) -> Reply:
    """The reply in a whole chat completion.

    Raises:
        Failure: it has no text or no finish_reason.
    """
    return _reply(answer, _text_of_chat, measured_ms)


async def chat_stream(http: Transport, path: str, payload: Mapping[str, Any], began: float) -> Reply:
    """The reply in a streamed chat completion.

    Raises:
        Failure: the stream says so, or ends before a chunk with a finish_reason.
    """
    asked = {**payload, "stream": True, "stream_options": {"include_usage": True}}
    parts: list[str] = []
    finish = ""
    usage: Mapping[str, Any] = {}
    async for event in http.events(path, asked):
        raw = event if isinstance(event, dict) else {}
        if "error" in raw:
            raise _stream_error(raw["error"])
        if isinstance(raw.get("usage"), dict):
            usage = raw["usage"]
        choices = raw.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict):
                continue
            delta = choice.get("delta")
            content = delta.get("content") if isinstance(delta, dict) else None
            if isinstance(content, str):
                parts.append(content)
            finish = choice.get("finish_reason") or finish
    if not isinstance(finish, str) or not finish:
        raise Failure(Kind.RETRYABLE, "the stream ended without a finish_reason", 200)
    return Reply(
        "".join(parts),
        storable(finish),
        whole(usage.get("prompt_tokens")),
        whole(usage.get("completion_tokens")),
        None,
        None,
        _since(began),
    )


def _stream_error(error: object) -> Failure:
    """An error inside a stream: its status is always 422, so only its words tell overload from validation."""
    said = error.get("message") if isinstance(error, dict) else error
    words = storable(str(said)[:300])
    if "overloaded" in words.lower():
        return Failure(Kind.OVERLOADED, words, 200, no_place=True)
    fatal = words.startswith(("Input validation error", "Template error", "Tool error"))
    return Failure(Kind.FATAL if fatal else Kind.RETRYABLE, f"error in the stream: {words}", 200)


def _reply(answer: Body, text_of: Any, measured_ms: int) -> Reply:
    raw = parsed(answer.body)
    choices = raw.get("choices") if isinstance(raw, dict) else None
    several = choices if isinstance(choices, list) else ()
    first = next((c for c in several if isinstance(c, dict) and c.get("index", 0) == 0), None)
    text = text_of(first) if first else None
    finish = first.get("finish_reason") if first else None
    if not isinstance(text, str) or not isinstance(finish, str) or not finish:
        raise Failure(Kind.RETRYABLE, f"HTTP 200 without a text and a finish_reason: {first_line(answer.body)!r}", 200)
    usage = raw.get("usage") if isinstance(raw.get("usage"), dict) else {}
    total = whole(answer.headers.get("x-total-time"))
    return Reply(
        text,
        storable(finish),
        whole(usage.get("prompt_tokens")),
        whole(usage.get("completion_tokens")),
        whole(answer.headers.get("x-queue-time")),
        whole(answer.headers.get("x-inference-time")),
        measured_ms if total is None else total,
    )


def _turn(words: str) -> list[Message]:
    return [{"role": "user", "content": words}]


def _text_of_chat(choice: Mapping[str, Any]) -> object:
    message = choice.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _text_of_completion(choice: Mapping[str, Any]) -> object:
    return choice.get("text")


def _since(began: float) -> int:
    return round((monotonic() - began) * 1000)
