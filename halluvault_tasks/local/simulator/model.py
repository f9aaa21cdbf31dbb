"""One simulated model behind TGI's routes: admission, validation, generation, headers. It knows no HTTP library."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from random import SystemRandom
from time import perf_counter
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.faults import Asked, Faults
from halluvault_tasks.local.simulator.protocol import (
    Limits,
    Refusal,
    Request,
    decode,
    validate,
    validate_length,
)
from halluvault_tasks.local.simulator.tokens import Token, end_token, pieces, tokens

PREFIX = "simulated/"
ROUTER_VERSION = "3.3.6-dev0"
"""The version whose behaviour is imitated."""

Answerer = Callable[[str, str, int | None], str]
"""(model name, prompt, sampling seed or None when greedy) → the whole text the model would write. Runs in a thread."""


class Pacing(NamedTuple):
    """How long generation takes; small, so that a demo is quick and times are still of a server's shape."""

    prefill_seconds: float = 0.002
    token_seconds: float = 0.0001


class Answer(NamedTuple):
    """What a route answers."""

    status: int
    body: bytes
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()
    fault: str = ""
    """A fault that the transport has to play: reset, drop or truncated."""


class SimulatedModel:
    """One model of a server.

    Args:
        name: short name, the path it is mounted under; it is `simulated/NAME` wherever it is shown.
        answerer: writes the texts.
        revision: part of the deterministic `model_sha`; another one is another model.
        limits: as if given on the launcher's command line.
        pacing: time per prefill and token.
        faults: seeded faults; none by default.
    """

    def __init__(
        self,
        name: str,
        answerer: Answerer,
        revision: str = "1",
        limits: Limits = Limits(),
        pacing: Pacing = Pacing(),
        faults: Faults = Faults(),
    ) -> None:
        self.name = name
        self.model_id = PREFIX + name
        self.revision = revision
        self.limits = limits
        self.faults = faults
        self.requests = 0
        self._answerer = answerer
        self._pacing = pacing
        self._permits = limits.max_concurrent_requests
        self._asked = Asked()

    @property
    def model_sha(self) -> str:
        """40 hex digits that depend on name and revision alone."""
        return hashlib.sha1(f"{self.model_id}@{self.revision}".encode(), usedforsecurity=False).hexdigest()

    def info(self) -> Answer:
        """`GET /info`."""
        return _json(
            200,
            {
                "model_id": self.model_id,
                "model_sha": self.model_sha,
                "model_pipeline_tag": "text-generation",
                "max_concurrent_requests": self.limits.max_concurrent_requests,
                "max_best_of": self.limits.max_best_of,
                "max_stop_sequences": self.limits.max_stop_sequences,
                "max_input_tokens": self.limits.max_input_tokens,
                "max_total_tokens": self.limits.max_total_tokens,
                "validation_workers": 2,
                "max_client_batch_size": 4,
                "router": "text-generation-router",
                "version": ROUTER_VERSION,
                "sha": None,
                "docker_label": "simulated",
            },
        )

    def models(self) -> Answer:
        """`GET /v1/models`."""
        entry = {"id": self.model_id, "object": "model", "created": 0, "owned_by": self.model_id}
        return _json(200, {"object": "list", "data": [entry]})

    async def generate(self, body: bytes, content_type: str, root: bool = False) -> Answer:
        """`POST /generate`, or `POST /` with `root` (a list, and full text by default)."""
        started = perf_counter()
        self.requests += 1
        try:
            request = decode(body, content_type)
            if root and request.stream:
                raise Refusal(501, "simulated servers do not stream", None)
            permits = max(1, request.parameters["best_of"] or 1)
            if self._permits < permits:
                raise Refusal(429, "Model is overloaded", "overloaded")
            self._permits -= permits
            try:
                return await self._admitted(request, root, started)
            finally:
                self._permits += permits
        except Refusal as refusal:
            if refusal.error_type is None:
                return Answer(refusal.status, refusal.message.encode(), "text/plain; charset=utf-8")
            return _json(refusal.status, {"error": refusal.message, "error_type": refusal.error_type})

    async def _admitted(self, request: Request, root: bool, started: float) -> Answer:
        fault = self.faults.pick(self.model_id, request.inputs, self._asked.before(request.inputs))
        _before_work(fault)
        validate(request, self.limits)
        prompt, prompt_pieces = request.inputs, pieces(request.inputs)
        keep = request.parameters["truncate"]
        if keep is not None and len(prompt_pieces) > keep:
            prompt_pieces = prompt_pieces[-keep:]
            prompt = "".join(prompt_pieces)
        allowed = validate_length(request, len(prompt_pieces), self.limits)
        validated = perf_counter()
        if fault == "html":
            return Answer(200, b"<!DOCTYPE html><title>Please log in</title>", "text/html; charset=utf-8")
        try:
            drafts = await self._drafts(request, prompt, allowed)
        except OSError as error:
            raise Refusal(424, f"Request failed during generation: Server error: {error}", "generation") from error
        first, *others = drafts
        seconds = self._pacing.prefill_seconds + self._pacing.token_seconds * len(first.tokens)
        await asyncio.sleep(seconds + (self.faults.slow_seconds if fault == "slow" else 0.0))
        shown: object = self._shown(request, first, others, prompt, root)
        headers = _times(started, validated, len(prompt_pieces), sum(len(d.tokens) for d in drafts), request.inputs)
        answer = _json(200, [shown] if root else shown, headers)
        if fault == "truncated":
            return answer._replace(body=answer.body[: len(answer.body) * 2 // 3])
        return answer._replace(fault=fault if fault in ("reset", "drop") else "")

    async def _drafts(self, request: Request, prompt: str, allowed: int) -> list["_Draft"]:
        p = request.parameters
        count = max(1, p["best_of"] or 1)
        seeds: list[int | None] = [None]
        if request.sampling:
            seeds = [p["seed"] if p["seed"] is not None else SystemRandom().getrandbits(64) for _ in range(count)]
        drafts = []
        for seed in seeds:
            text = await asyncio.to_thread(self._answerer, self.model_id, prompt, seed)
            drafts.append(_cut(text, allowed, p["stop"], seed, f"{self.model_sha}:{seed}"))
        # Of several, the most probable comes first.
        return sorted(drafts, key=lambda draft: -sum(t.logprob for t in draft.tokens) / max(1, len(draft.tokens)))

    def _shown(
        self, request: Request, first: "_Draft", others: list["_Draft"], prompt: str, root: bool
    ) -> dict[str, Any]:
        p = request.parameters
        full = p["return_full_text"] if p["return_full_text"] is not None else root
        before = request.inputs if full else ""
        shown: dict[str, Any] = {"generated_text": before + first.text}
        if p["details"] or p["decoder_input_details"]:
            details = _details(first, prompt, p)
            if others:
                details["best_of_sequences"] = [
                    {"generated_text": before + other.text, **_details(other, prompt, p)} for other in others
                ]
            shown["details"] = details
        return shown


class _Draft(NamedTuple):
    text: str
    tokens: list[Token]
    finish_reason: str
    seed: int | None


def _cut(text: str, allowed: int, stops: list[str], seed: int | None, salt: str) -> _Draft:
    """End a text where TGI would: length is tested before end-of-sequence and stop; the stop text stays."""
    drawn: list[Token] = []
    written = ""
    for token in tokens(text, salt):
        drawn.append(token)
        written += token.text
        if len(drawn) >= allowed:
            return _Draft(written, drawn, "length", seed)
        if any(stop and stop in written[-len(stop) - len(token.text) :] for stop in stops):
            return _Draft(written, drawn, "stop_sequence", seed)
    drawn.append(end_token())
    return _Draft(written, drawn, "length" if len(drawn) >= allowed else "eos_token", seed)


def _details(draft: _Draft, prompt: str, p: Mapping[str, Any]) -> dict[str, Any]:
    prefill: list[dict[str, object]] = []
    if p["decoder_input_details"]:
        for position, token in enumerate(tokens(prompt)):
            prefill.append({"id": token.id, "text": token.text, "logprob": token.logprob if position else None})
    details: dict[str, Any] = {
        "finish_reason": draft.finish_reason,
        "generated_tokens": len(draft.tokens),
        "seed": draft.seed,
        "prefill": prefill,
        "tokens": [token.shown() for token in draft.tokens],
    }
    if count := p["top_n_tokens"]:
        details["top_tokens"] = [_alternatives(token, count) for token in draft.tokens]
    return details


def _alternatives(token: Token, count: int) -> list[dict[str, object]]:
    """The drawn token and made-up runners-up, the most probable first."""
    others = (token._replace(id=token.id + n, logprob=token.logprob - n) for n in range(1, count))
    return [token.shown(), *(other.shown() for other in others)]


def _before_work(fault: str) -> None:
    """Faults that stand in the place of an answer."""
    if fault == "overloaded":
        raise Refusal(429, "Model is overloaded", "overloaded")
    if fault == "generation":
        raise Refusal(424, "Request failed during generation: Server error: CUDA error", "generation")
    if fault == "incomplete":
        raise Refusal(500, "Incomplete generation", "incomplete_generation")
    if fault == "unavailable":
        raise Refusal(503, "upstream connect error or disconnect/reset before headers", None)


def _times(started: float, validated: float, prompt: int, generated: int, inputs: str) -> tuple[tuple[str, str], ...]:
    """TGI's timing headers: seconds for compute time, whole milliseconds elsewhere."""
    now = perf_counter()
    inference = now - validated
    return (
        ("x-compute-type", "simulated"),
        ("x-compute-time", str(now - started)),
        ("x-compute-characters", str(len(inputs))),
        ("x-total-time", str(int((now - started) * 1000))),
        ("x-validation-time", str(int((validated - started) * 1000))),
        ("x-queue-time", "0"),
        ("x-inference-time", str(int(inference * 1000))),
        ("x-time-per-token", str(int(inference * 1000 / max(1, generated)))),
        ("x-prompt-tokens", str(prompt)),
        ("x-generated-tokens", str(generated)),
    )


def _json(status: int, value: object, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return Answer(status, body, "application/json", headers)
