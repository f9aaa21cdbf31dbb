"""The routes of one simulated TGI: which there are, who may use them, and what each answers."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from halluvault_tasks.local.simulator import fault_answers, openai, replies, shapes
from halluvault_tasks.local.simulator.fault_answers import CUT, while_generating
from halluvault_tasks.local.simulator.model import GenerationResult, SimulatedModel
from halluvault_tasks.local.simulator.protocol import GenerationRequest
from halluvault_tasks.local.simulator.replies import EventStream, WholeAnswer, as_json, event, refused
from halluvault_tasks.local.simulator.streams import sequence, with_done
from halluvault_tasks.local.simulator.tokens import identity, pieces
from halluvault_tasks.local.simulator.wire import Incoming, RequestRefusal, decode

GENERATES = ("/", "/generate", "/generate_stream", "/v1/chat/completions", "/v1/completions")
_GUARDED = frozenset((*GENERATES, "/tokenize"))
"""POST to these needs the key of a server that has one."""

_ALLOWED: Mapping[str, str] = {
    "/": "POST,GET,HEAD",
    **dict.fromkeys((*GENERATES[1:], "/tokenize", "/chat_tokenize"), "POST"),
    **dict.fromkeys(("/health", "/info", "/v1/models"), "GET,HEAD"),
}
"""Route → what its `Allow` says: in the order in which the router got to know the methods."""

_FOREIGN = (
    ("access-control-allow-origin", "*"),
    ("vary", "origin, access-control-request-method, access-control-request-headers"),
)
"""Headers of every answer: pages from anywhere may ask."""

_PREFLIGHT = (("access-control-allow-methods", "GET,POST"), ("access-control-allow-headers", "content-type"))


async def respond(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    """Answer one request.

    Args:
        model: whose routes these are.
        asked: its body is at most one byte longer than is accepted.
    """
    found = await _routed(model, asked)
    return found._replace(headers=_FOREIGN + found.headers)


async def _routed(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    allowed = _ALLOWED.get(asked.route)
    allow = (("allow", allowed),) if allowed else ()
    if asked.method == "POST" and asked.route in _GUARDED and not asked.has_key:
        return WholeAnswer(401, b"", "")
    if asked.method == "OPTIONS":
        return WholeAnswer(200, b"", "", _PREFLIGHT + allow)
    if allowed is None:
        return WholeAnswer(404, b"", "")
    if asked.method not in allowed.split(","):
        return WholeAnswer(405, b"", "", allow)
    if asked.method != "POST":
        return _get(model, asked.route)
    try:
        return await _posted(model, asked)
    except RequestRefusal as refusal:
        return refused(refusal)


async def _posted(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    def chat() -> openai.OpenAiRequest:
        return openai.read_chat(decode(asked.body, asked.content_type, shapes.ChatRequest), model.template)

    def generation() -> GenerationRequest:
        found = decode(asked.body, asked.content_type, shapes.GenerateRequest)
        return GenerationRequest(found.inputs, found.parameters)

    route = asked.route
    match route:
        case "/generate":
            return await _generate(model, route, generation(), False)
        case "/generate_stream":
            request = generation()
            return _generate_stream(model, route, request, bool(request.parameters.return_full_text))
        case "/":
            return await _root(model, route, decode(asked.body, asked.content_type, shapes.CompatGenerateRequest))
        case "/v1/chat/completions":
            return await _chat(model, route, chat())
        case "/v1/completions":
            fields = decode(asked.body, asked.content_type, shapes.CompletionRequest)
            return await _completions(model, route, openai.read_completion(fields, model.limits))
        case "/tokenize":
            return as_json(200, _tokens(generation().inputs))
    text = chat().requests[0].inputs
    return as_json(200, {"tokenize_response": _tokens(text), "templated_text": text})


def _get(model: SimulatedModel, route: str) -> WholeAnswer:
    fault, instead = fault_answers.of_question(model, route)
    if fault == "unhealthy" and route == "/health":
        return as_json(503, {"error": "unhealthy", "error_type": "healthcheck"})
    if instead is not None:
        return instead
    match route:
        case "/info":
            return as_json(200, replies.info(model))
        case "/v1/models":
            entry = {"id": model.model_id, "object": "model", "created": 0, "owned_by": model.model_id}
            return as_json(200, {"object": "list", "data": [entry]})
    return WholeAnswer(200, b"", "")  # / and /health


async def _generate(model: SimulatedModel, route: str, request: GenerationRequest, root: bool) -> WholeAnswer:
    fault, instead = fault_answers.strike(model, route, [request])
    if instead is not None:
        return instead
    generated = await model.generate(request, while_generating(fault))
    full = request.parameters.return_full_text
    shown = replies.generate_response(generated, root if full is None else full)
    answer = as_json(200, [shown] if root else shown, replies.time_headers([generated]))
    return fault_answers.sending(model, route, answer, fault, [generated])


async def _root(model: SimulatedModel, route: str, fields: shapes.CompatGenerateRequest) -> WholeAnswer | EventStream:
    request = GenerationRequest(fields.inputs, fields.parameters)
    if not fields.stream:
        return await _generate(model, route, request, True)
    full = request.parameters.return_full_text
    return _generate_stream(model, route, request, True if full is None else full)


def _generate_stream(
    model: SimulatedModel, route: str, request: GenerationRequest, full: bool
) -> WholeAnswer | EventStream:
    fault, instead = fault_answers.strike(model, route, [request])
    if instead is not None:
        return instead

    def shown(generated: GenerationResult, position: int) -> list[bytes]:
        return [event(replies.stream_response(generated, position, full))]

    events = sequence(model, route, request, fault, shown, replies.refused_event)
    return EventStream(replies.stream_headers(len(request.inputs)), events, fault if fault in CUT else "")


async def _chat(model: SimulatedModel, route: str, asked: openai.OpenAiRequest) -> WholeAnswer | EventStream:
    request = asked.requests[0]
    fault, instead = fault_answers.strike(model, route, asked.requests)
    if instead is not None:
        return instead
    name = asked.model if asked.model and asked.model != "tgi" else model.model_id
    if not asked.stream:
        generated = await model.generate(request, while_generating(fault))
        shown = openai.chat_completion(name, generated.draft, generated.prompt)
        answer = as_json(200, shown, replies.time_headers([generated]))
        return fault_answers.sending(model, route, answer, fault, [generated])

    def chunks(generated: GenerationResult, position: int) -> list[bytes]:
        found = [event(openai.chat_chunk(name, generated.draft, position))]
        if asked.include_usage and position + 1 == len(generated.draft.tokens):
            found.append(event(openai.usage_chunk(name, generated.draft, generated.prompt)))
        return found

    return _streamed(model, route, asked.requests, fault, lambda _index: chunks)


async def _completions(model: SimulatedModel, route: str, asked: openai.OpenAiRequest) -> WholeAnswer | EventStream:
    fault, instead = fault_answers.strike(model, route, asked.requests)
    if instead is not None:
        return instead
    if asked.stream:
        return _streamed(model, route, asked.requests, fault, lambda index: _completion_chunks(model, index))
    ready: list[tuple[int, GenerationResult]] = []

    async def one(index: int, request: GenerationRequest) -> None:
        ready.append((index, await model.generate(request, while_generating(fault))))

    await _all([one(index, request) for index, request in enumerate(asked.requests)])
    several = [generated for _index, generated in ready]
    shown = openai.completion(
        model.model_id, [(index, one.draft) for index, one in ready], [one.prompt for one in several]
    )
    answer = as_json(200, shown, replies.time_headers(several, compute_time=False))
    return fault_answers.sending(model, route, answer, fault, several)


_Chunks = Callable[[GenerationResult, int], list[bytes]]


def _streamed(
    model: SimulatedModel,
    route: str,
    requests: Sequence[GenerationRequest],
    fault: str,
    chunks: Callable[[int], _Chunks],
) -> EventStream:
    """Sequences on an OpenAI route; `chunks` of a request's number says how its tokens are shown."""
    several = [
        sequence(model, route, request, fault, chunks(index), replies.refused_openai_event)
        for index, request in enumerate(requests)
    ]
    characters = sum(len(request.inputs) for request in requests)
    return EventStream(replies.stream_headers(characters), with_done(several, fault), fault if fault in CUT else "")


def _completion_chunks(model: SimulatedModel, index: int) -> _Chunks:
    return lambda generated, position: [
        event(openai.completion_chunk(model.model_id, index, generated.draft, position, generated.prompt))
    ]


async def _all(several: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run side by side; the first failure ends the others."""
    tasks = [asyncio.ensure_future(each) for each in several]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def _tokens(text: str) -> list[dict[str, object]]:
    """Offsets count characters; the simulated tokeniser adds no special token of its own."""
    shown: list[dict[str, object]] = []
    start = 0
    for piece in pieces(text):
        shown.append({"id": identity(piece), "text": piece, "start": start, "stop": start + len(piece)})
        start += len(piece)
    return shown
