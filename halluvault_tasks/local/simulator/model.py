"""One simulated model: admission, validation, generation. It knows neither HTTP nor JSON."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from random import SystemRandom
from time import perf_counter
from typing import NamedTuple

from halluvault_tasks.local.simulator import conversation, engine, grammar, thinking
from halluvault_tasks.local.simulator.batches import BatchDesk
from halluvault_tasks.local.simulator.draws import PromptDraws
from halluvault_tasks.local.simulator.generation import DraftSequence, cut, fated
from halluvault_tasks.local.simulator.granted import RequestAllowance
from halluvault_tasks.local.simulator.http_faults import HttpFaults
from halluvault_tasks.local.simulator.manner import TGI, ServerManner
from halluvault_tasks.local.simulator.protocol import GenerationRequest, ServerLimits, validate, validate_length
from halluvault_tasks.local.simulator.record import Record, Sent
from halluvault_tasks.local.simulator.tokens import pieces
from halluvault_tasks.local.simulator.wire import RequestRefusal

PREFIX = "simulated/"

Answerer = Callable[[str, str, int | None], str]
"""(model name, what was asked, sampling seed or None when greedy) → the whole text the model would write. What was
asked is the text, or a conversation in canonical JSON."""


class Times(NamedTuple):
    """Where the time went, seconds."""

    total: float
    validation: float
    queue: float
    inference: float


class GenerationResult(NamedTuple):
    """What became of one request."""

    request: GenerationRequest
    draft: DraftSequence
    """The answer."""
    prompt: str
    """As the model read it: `inputs`, or their end where they were truncated."""
    input_tokens: int
    times: Times


class _Valid(NamedTuple):
    prompt: str
    input_tokens: int
    allowed: int


@dataclass(eq=False)
class SimulatedModel:
    """One model of a server.

    Attributes:
        name: short name, the path it is mounted under; it is `simulated/NAME` wherever it is shown.
        answerer: writes the texts.
        revision: part of the deterministic `model_sha`; another one is another model. None: a local model, whose
            server knows neither sha nor pipeline tag.
        limits: as if given on the launcher's command line.
        pacing: how long generation takes.
        faults: seeded faults; none by default. May be replaced while it serves, like `revision`.
        blocking: whether the answerer waits for something and so runs in a thread.
        record: keeps what was sent; nothing is kept by default.
        template: of its conversations, one of `openai.TEMPLATES`.
        manner: how its server behaves beside that.
    """

    name: str
    answerer: Answerer
    revision: str | None = "1"
    limits: ServerLimits = field(default_factory=ServerLimits)
    pacing: engine.Pacing = field(default_factory=engine.Pacing)
    faults: HttpFaults = field(default_factory=HttpFaults)
    blocking: bool = True
    record: Record | None = None
    template: str = "chatml"
    manner: ServerManner = TGI

    def __post_init__(self) -> None:
        self.model_id = PREFIX + self.name
        if self.manner.room is not None:
            most = self.manner.room
            self.limits = self.limits._replace(max_input_tokens=most - 1, max_total_tokens=most)
        self.account = RequestAllowance(self.manner)
        self.desk = BatchDesk(self.manner.path, self.manner.batches)
        self.requests = 0
        self.questions = 0
        """How many GETs it had."""
        self._engine = engine.make(self.pacing)
        self._permits = self.limits.max_concurrent_requests
        self._asked = PromptDraws()

    @property
    def model_sha(self) -> str | None:
        """40 hex digits that depend on name and revision alone."""
        if self.revision is None:
            return None
        return hashlib.sha1(f"{self.model_id}@{self.revision}".encode(), usedforsecurity=False).hexdigest()

    def fault(self, route: str, prompt: str) -> str:
        """Which fault befalls this request, or an empty string; counts it."""
        self.requests += 1
        if not self.faults.rules and not self.faults.poison and not self.faults.poison_share:
            return ""
        asked = conversation.key(prompt)
        return self.faults.pick(self.model_id, route, asked, self._asked.before(asked), self.requests)

    async def generate(self, request: GenerationRequest, fault: str = "") -> GenerationResult:
        """Generate to the end.

        Raises:
            Refusal: overloaded, invalid, or failed.
        """
        started = perf_counter()
        self._admit(fault)
        try:
            valid = self._validate(request)
            validated = perf_counter()
            draft = await self._draft(request, valid, fault)
            if fault == "slow":
                await asyncio.sleep(self.faults.slow_seconds)
            job = engine.Job(valid.input_tokens, valid.allowed, len(draft.tokens))
            waited = perf_counter()
            timing = await self._run(job)
        finally:
            self._permits += 1
        now = perf_counter()
        # Looking an answer up is what a real model does not do; it counts as inference.
        times = Times(
            now - started, validated - started, timing.queue_seconds, timing.inference_seconds + (waited - validated)
        )
        return GenerationResult(request, draft, valid.prompt, valid.input_tokens, times)

    async def stream(self, request: GenerationRequest, fault: str = "") -> AsyncGenerator[tuple[GenerationResult, int]]:
        """Generate token by token: yields the sequence with the position of each new token.

        Raises:
            Refusal: overloaded, invalid, or failed; at any point.
        """
        self._admit(fault)
        try:
            valid = self._validate(request)
            draft = await self._draft(request, valid, fault)
            reached = asyncio.Event()
            job = engine.Job(valid.input_tokens, valid.allowed, len(draft.tokens), lambda _count: reached.set())
            running = asyncio.ensure_future(self._run(job))
            running.add_done_callback(lambda _task: reached.set())
            generated = GenerationResult(request, draft, valid.prompt, valid.input_tokens, Times(0, 0, 0, 0))
            told = 0
            try:
                while told < len(draft.tokens):
                    await reached.wait()
                    reached.clear()
                    if running.done():
                        running.result()
                    ready = len(draft.tokens) if running.done() else job.produced
                    while told < min(ready, len(draft.tokens) - (not running.done())):
                        if fault == "slow":
                            await asyncio.sleep(self.faults.slow_seconds / len(draft.tokens))
                        yield generated, told
                        told += 1
            finally:
                running.cancel()
        finally:
            self._permits += 1

    def sent(self, route: str, generated: GenerationResult) -> None:
        """Keep what is about to leave the server whole."""
        if self.record is None:
            return
        draft, asked = generated.draft, conversation.key(generated.request.asked)
        self.record.add(Sent(self.model_id, self.model_sha, route, asked, draft.seed, draft.text, draft.finish_reason))

    def _admit(self, fault: str) -> None:
        if fault == "overloaded" or self._permits < 1:
            raise RequestRefusal(429, "Model is overloaded", "overloaded")
        self._permits -= 1

    def _validate(self, request: GenerationRequest) -> _Valid:
        validate(request, self.limits)
        prompt, cut_up = request.inputs, pieces(request.inputs)
        keep = request.parameters.truncate
        if keep is not None and len(cut_up) > keep:
            cut_up = cut_up[-keep:]
            prompt = "".join(cut_up)
        allowed = validate_length(request, len(cut_up), self.limits)
        if request.parameters.grammar is not None:
            grammar.schema_of(request.parameters.grammar)
        return _Valid(prompt, len(cut_up), allowed)

    async def _draft(self, request: GenerationRequest, valid: _Valid, fault: str) -> DraftSequence:
        """The sequence that will be generated; the faults of the forward pass come here, behind validation."""
        if fault == "generation":
            raise _failed("CUDA out of memory")
        if fault == "batch":
            self._engine.fail("CUDA out of memory")
            raise _failed("CUDA out of memory")
        if fault == "incomplete":
            raise RequestRefusal(500, "Incomplete generation", "incomplete_generation")
        p = request.parameters
        llamacpp = self.limits.llamacpp
        seed = None
        if request.sampling or llamacpp:
            seed = p.seed if p.seed is not None else SystemRandom().getrandbits(32 if llamacpp else 64)
        # Where one token alone is left to draw from, every seed draws it.
        drawn = None if llamacpp and request.one_token_left else seed
        asked, switched_off = thinking.without_words(request.prompt or valid.prompt, self.manner.words_off)
        held = None if llamacpp else p.grammar
        try:
            text = await self._said(asked, drawn)
            if held is not None:
                text = grammar.write(held, asked, f"{self.model_id}:{drawn}", text)
        except OSError as error:
            raise _failed(str(error)) from error
        quiet = request.quiet or switched_off or (held is not None and self.manner.grammar_first)
        said = thinking.said(self.manner, asked, text, quiet)
        draft = cut((said.thought, said.answer), valid.allowed, p.stop, seed, f"{self.revision}:{drawn}")
        return draft if request.fate is None else fated(draft, request.fate)

    async def _said(self, asked: str, drawn: int | None) -> str:
        if self.blocking:
            return await asyncio.to_thread(self.answerer, self.model_id, asked, drawn)
        return self.answerer(self.model_id, asked, drawn)

    async def _run(self, job: engine.Job) -> engine.Timing:
        try:
            return await self._engine.run(job)
        except engine.BatchFailed as error:
            raise _failed(str(error)) from error


def _failed(why: str) -> RequestRefusal:
    return RequestRefusal(424, f"Request failed during generation: Server error: {why}", "generation")
