"""text-generation-inference: `/v1/chat/completions` with its template, or its own raw `/generate`.

Pitfalls found in its source: omitted `parameters` mean sampling, so they are always sent; `/generate` refuses
`temperature: 0`, so greedy means sending none there; `return_full_text` has no default, so it is always false; an
unknown `adapter_id` silently means the base model, so none is sent, and on `/v1` any model name but `tgi` would be one.
"""

from collections.abc import Mapping
from time import monotonic
from typing import Any

from halluvault_tasks.querying.dialects.hearing import is_error, no_answer, refusal_of
from halluvault_tasks.querying.dialects.openai import OpenAiClient
from halluvault_tasks.querying.dialects.presets import PLAIN, ApiPreset
from halluvault_tasks.querying.dialects.tgi_words import CHAT_MODEL, ON_GENERATE, ON_V1, TgiWords, info_of
from halluvault_tasks.querying.dialects.words import turn
from halluvault_tasks.querying.failures import Filtered, error_within, first_line, refused
from halluvault_tasks.querying.rates import rate_of
from halluvault_tasks.querying.replies import (
    Failure,
    FailureKind,
    Finish,
    Grammar,
    Reply,
    ServerInfo,
    UnknownShape,
    finish_of,
    storable,
)
from halluvault_tasks.querying.transport import INFO_SECONDS, Transport, events_in, whole


class TgiClient(OpenAiClient):
    """One replica of one model behind text-generation-inference.

    Args:
        http: the way to its base URL.
        parameters: TGI's generation parameters, without traps: see `registry.Model.parameters`.
        completions: send a plain prompt raw to `/generate` instead of as one user's turn.
        stream: ask for a stream of tokens, so that a hung server is noticed by its silence.
        api: how its key is sent.
    """

    def __init__(
        self,
        http: Transport,
        parameters: Mapping[str, Any],
        completions: bool = False,
        stream: bool = False,
        api: ApiPreset = PLAIN,
    ) -> None:
        super().__init__(http, parameters, CHAT_MODEL, completions, stream, api)
        self._words = TgiWords(http, api)

    async def complete(
        self, prompt: str, grammar: Grammar | None = None, *, seed: int | None = None, patience: int = 1
    ) -> Reply:
        """One user's turn; or `POST /generate` (or `/generate_stream`) with the prompt as `inputs`, unchanged."""
        if not self._completions:
            return await self.chat(turn(prompt), grammar, seed=seed, patience=patience)
        terms = self._terms
        guided = {"grammar": {"type": grammar.kind, "value": grammar.value}} if grammar else {}
        parameters = {**terms.generation, **guided, **terms.varied("max_new_tokens", terms.most(None, patience), seed)}
        began = monotonic()
        try:
            final, headers = await self._generated({"inputs": prompt, "parameters": parameters})
        except Filtered as filtered:
            return refusal_of(filtered, _since(began))
        return self._read(final, headers, grammar is not None, _since(began))

    async def info(self, seconds: float = INFO_SECONDS) -> ServerInfo:
        """`GET /info`."""
        answer = await self._http.get("/info", seconds)
        if answer.status != 200:
            raise refused(answer)
        if found := info_of(answer.body, ON_GENERATE if self._completions else ON_V1):
            return found
        raise Failure(FailureKind.BARRED, f"/info is not from a TGI: {first_line(answer.body)!r}", answer.status)

    async def healthy(self) -> bool:
        """Whether `GET /health` answers 200."""
        try:
            return (await self._http.get("/health")).status == 200
        except Failure:
            return False

    async def _generated(self, payload: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        """The answer, or the event of a stream that has it: the last one."""
        if not self._stream:
            answer = await self._http.post("/generate", payload)
            for event in events_in(answer.body):
                if (final := _final(event, answer.headers, payload)) is not None:
                    return final, answer.headers
            raise UnknownShape(f"HTTP 200 without generated_text and details: {first_line(answer.body)!r}")
        async for event, headers in self._http.events("/generate_stream", payload):
            if (final := _final(event, headers, payload)) is not None:
                return final, headers
        raise Failure(FailureKind.RETRYABLE, "the stream ended without its final event", 200)

    def _read(self, raw: Mapping[str, Any], headers: Mapping[str, str], guided: bool, total_ms: int) -> Reply:
        details, word = raw["details"], raw["details"]["finish_reason"]
        finish = finish_of(word)
        if finish is None:
            raise no_answer(word)
        split = self._terms.split(raw["generated_text"], opened=not guided)
        total, prompt_tokens = whole(headers.get("x-total-time")), whole(headers.get("x-prompt-tokens"))
        return Reply(
            split.answer,
            storable(word),
            whole(details.get("input_length")) if prompt_tokens is None else prompt_tokens,
            whole(details.get("generated_tokens")),
            whole(headers.get("x-queue-time")),
            whole(headers.get("x-inference-time")),
            total_ms if total is None else total,
            split.thought,
            refusal=word if finish is Finish.REFUSED else None,
            thinks=split.where,
            rate=rate_of(headers),
        )


def _final(event: Any, headers: Mapping[str, str], payload: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The event if it is an answer; None where it is a token's.

    Raises:
        Failure: it is an error.
    """
    # Some gateways route /generate to TGI's `/`, which answers with a list.
    raw = event[0] if isinstance(event, list) and len(event) == 1 else event
    if not isinstance(raw, Mapping):
        return None
    if is_error(raw):
        raise error_within(raw, headers, payload["parameters"])
    details, text = raw.get("details"), raw.get("generated_text")
    # Only the last event has both; a stream without one was cut, however cleanly it ended.
    if isinstance(text, str) and isinstance(details, Mapping) and isinstance(details.get("finish_reason"), str):
        return raw
    return None


def _since(began: float) -> int:
    return round((monotonic() - began) * 1000)
