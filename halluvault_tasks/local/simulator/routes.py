"""The routes of one simulated model: which there are, who may use them, and what each answers."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from halluvault_tasks.local.simulator import openai, replies, shapes
from halluvault_tasks.local.simulator.model import Generated, SimulatedModel
from halluvault_tasks.local.simulator.protocol import Request, generation
from halluvault_tasks.local.simulator.replies import Answer, Stream, as_json, event, refused
from halluvault_tasks.local.simulator.serde import Shape
from halluvault_tasks.local.simulator.streams import CUT, merged, sequence, with_done
from halluvault_tasks.local.simulator.tokens import identity, pieces
from halluvault_tasks.local.simulator.wire import Refusal, decode

GENERATES = ("/", "/generate", "/generate_stream", "/v1/chat/completions", "/v1/completions", "/invocations", "/vertex")
GUARDED = frozenset((*GENERATES, "/tokenize"))
"""POST to these needs the key of a server that has one."""

_ALLOWED: Mapping[str, str] = {
    "/": "POST,GET,HEAD",
    **dict.fromkeys((*GENERATES[1:], "/tokenize", "/chat_tokenize"), "POST"),
    **dict.fromkeys(("/health", "/ping", "/info", "/metrics", "/v1/models", "/docs"), "GET,HEAD"),
}
"""Route → what its `Allow` says: in the order in which the router got to know the methods."""

FOREIGN = (
    ("access-control-allow-origin", "*"),
    ("vary", "origin, access-control-request-method, access-control-request-headers"),
)
"""Headers of every answer: pages from anywhere may ask."""

_PREFLIGHT = (("access-control-allow-methods", "GET,POST"), ("access-control-allow-headers", "content-type"))

_PROXY: Mapping[str, Answer] = {
    "bad_gateway": Answer(502, b"<html><title>502 Bad Gateway</title></html>", "text/html"),
    "unavailable": Answer(503, b"upstream connect error or disconnect/reset before headers", "text/plain"),
    "gateway_timeout": Answer(504, b"<html><title>504 Gateway Timeout</title></html>", "text/html"),
    "html": Answer(200, b"<!DOCTYPE html><title>Please log in</title>", "text/html; charset=utf-8"),
    "plain": Answer(422, b"request rejected by policy", "text/plain; charset=utf-8"),
}
_SILENT = ("reset", "stale", "hang")


async def respond(model: SimulatedModel, method: str, route: str, content_type: str, body: bytes) -> Answer | Stream:
    """Answer one request, whose authorisation has been checked.

    Args:
        model: whose routes these are.
        method: HTTP's.
        route: the path below the model's, `/` at least.
        content_type: of the body.
        body: at most one byte more than is accepted.
    """
    found = await _routed(model, method, route, content_type, body)
    return found._replace(headers=FOREIGN + found.headers)


async def _routed(model: SimulatedModel, method: str, route: str, content_type: str, body: bytes) -> Answer | Stream:
    allowed = _ALLOWED.get(route)
    allow = (("allow", allowed),) if allowed else ()
    if method == "OPTIONS":
        return Answer(200, b"", "", _PREFLIGHT + allow)
    if allowed is None:
        return Answer(404, b"", "")
    if method not in allowed.split(","):
        return Answer(405, b"", "", allow)
    if method != "POST":
        return _get(model, route)
    try:
        return await _posted(model, route, content_type, body)
    except Refusal as refusal:
        if refusal.metric:
            model.metrics.failed(refusal.metric)
        return refused(refusal)


async def _posted(model: SimulatedModel, route: str, content_type: str, body: bytes) -> Answer | Stream:
    def fields(shape: Shape) -> Any:
        return decode(body, content_type, shape)

    def chat(found: Mapping[str, Any]) -> openai.Asked:
        return openai.read_chat(found, model.template)

    match route:
        case "/generate":
            return await _generate(model, route, generation(fields(shapes.GENERATE)), False)
        case "/generate_stream":
            request = generation(fields(shapes.GENERATE))
            return _generate_stream(model, route, request, bool(request.parameters["return_full_text"]))
        case "/":
            return await _root(model, route, generation(fields(shapes.COMPAT)))
        case "/v1/chat/completions":
            return await _chat(model, route, chat(fields(shapes.CHAT)))
        case "/v1/completions":
            return await _completions(model, route, openai.read_completion(fields(shapes.COMPLETION), model.limits))
        case "/invocations":
            return await _invocations(model, route, fields(shapes.SAGEMAKER))
        case "/vertex":
            return await _vertex(model, route, fields(shapes.VERTEX)["instances"])
        case "/tokenize":
            return as_json(200, _tokens(fields(shapes.GENERATE)["inputs"]))
    text = chat(fields(shapes.CHAT)).requests[0].inputs
    return as_json(200, {"tokenize_response": _tokens(text), "templated_text": text})


def _get(model: SimulatedModel, route: str) -> Answer:
    model.questions += 1
    fault = model.faults.of_question(route, model.questions)
    if fault == "unhealthy" and route == "/health":
        return as_json(503, {"error": "unhealthy", "error_type": "healthcheck"})
    if (instead := _instead(model, fault)) is not None:
        return instead
    match route:
        case "/info":
            return as_json(200, replies.info(model))
        case "/docs":
            return Answer(303, b"", "", (("location", "/docs/"),))
        case "/metrics":
            return Answer(200, model.metrics.render(model.gauges).encode(), "text/plain; charset=utf-8")
        case "/v1/models":
            entry = {"id": model.model_id, "object": "model", "created": 0, "owned_by": model.model_id}
            return as_json(200, {"object": "list", "data": [entry]})
    return Answer(200, b"", "")  # /, /health, /ping


def _instead(model: SimulatedModel, fault: str) -> Answer | None:
    """What a fault puts in the place of an answer, where it does."""
    if fault in _PROXY:
        answer = _PROXY[fault]
        wait = (("retry-after", str(model.faults.retry_after)),) if answer.status >= 500 else ()
        return answer._replace(headers=wait)
    return Answer(200, b"", "", (), fault) if fault in _SILENT else None


def _strike(model: SimulatedModel, route: str, requests: Sequence[Request]) -> tuple[str, Answer | None]:
    """The fault of a request, and the answer where it stands in the place of one."""
    fault = model.fault(route, requests[0].asked)
    return fault, _instead(model, fault)


def _sending(model: SimulatedModel, route: str, answer: Answer, fault: str, several: Sequence[Generated]) -> Answer:
    """The answer on its way: whole and kept, or with its fault."""
    if fault == "truncated":
        return answer._replace(body=answer.body[: len(answer.body) * 2 // 3])
    if fault in CUT:
        return answer._replace(fault=fault)
    for one in several:
        model.sent(route, one)
    return answer


async def _generate(model: SimulatedModel, route: str, request: Request, root: bool) -> Answer:
    fault, instead = _strike(model, route, [request])
    if instead is not None:
        return instead
    generated = await model.generate(request, "generation" if fault == "midstream" else fault)
    full = request.parameters["return_full_text"]
    shown = replies.generate_response(generated, root if full is None else full)
    answer = as_json(200, [shown] if root else shown, replies.time_headers([generated]))
    return _sending(model, route, answer, fault, [generated])


async def _root(model: SimulatedModel, route: str, request: Request) -> Answer | Stream:
    if not request.stream:
        return await _generate(model, route, request, True)
    full = request.parameters["return_full_text"]
    return _generate_stream(model, route, request, True if full is None else full)


def _generate_stream(model: SimulatedModel, route: str, request: Request, full: bool) -> Answer | Stream:
    fault, instead = _strike(model, route, [request])
    if instead is not None:
        return instead

    def shown(generated: Generated, position: int) -> list[bytes]:
        return [event(replies.stream_response(generated, position, full))]

    events = sequence(model, route, request, fault, shown, openai_errors=False)
    return Stream(replies.stream_headers(len(request.inputs)), events, fault if fault in CUT else "")


async def _chat(model: SimulatedModel, route: str, asked: openai.Asked) -> Answer | Stream:
    request = asked.requests[0]
    fault, instead = _strike(model, route, asked.requests)
    if instead is not None:
        return instead
    name = asked.model if asked.model and asked.model != "tgi" else model.model_id
    if not asked.stream:
        generated = await model.generate(request, "generation" if fault == "midstream" else fault)
        shown = openai.chat_completion(name, asked, generated.draft, generated.prompt)
        answer = as_json(200, shown, replies.time_headers([generated]))
        return _sending(model, route, answer, fault, [generated])

    def chunks(generated: Generated, position: int) -> list[bytes]:
        found = [event(openai.chat_chunk(name, asked, generated.draft, position))]
        if asked.include_usage and position + 1 == len(generated.draft.tokens):
            found.append(event(openai.usage_chunk(name, generated.draft, generated.prompt)))
        return found

    events = with_done(sequence(model, route, request, fault, chunks, openai_errors=True), fault)
    return Stream(replies.stream_headers(len(request.inputs)), events, fault if fault in CUT else "")


async def _completions(model: SimulatedModel, route: str, asked: openai.Asked) -> Answer | Stream:
    fault, instead = _strike(model, route, asked.requests)
    if instead is not None:
        return instead
    characters = sum(len(request.inputs) for request in asked.requests)
    if asked.stream:
        streams = [
            sequence(model, route, request, fault, _completion_chunks(model, index), openai_errors=True)
            for index, request in enumerate(asked.requests)
        ]
        events = with_done(merged(streams), fault)
        return Stream(replies.stream_headers(characters), events, fault if fault in CUT else "")
    ready: list[tuple[int, Generated]] = []

    async def one(index: int, request: Request) -> None:
        ready.append((index, await model.generate(request, "generation" if fault == "midstream" else fault)))

    await _all([one(index, request) for index, request in enumerate(asked.requests)])
    several = [generated for _index, generated in ready]
    shown = openai.completion(
        model.model_id, [(index, one.draft) for index, one in ready], [one.prompt for one in several]
    )
    answer = as_json(200, shown, replies.time_headers(several, compute_time=False))
    return _sending(model, route, answer, fault, several)


def _completion_chunks(model: SimulatedModel, index: int) -> Callable[[Generated, int], list[bytes]]:
    return lambda generated, position: [
        event(openai.completion_chunk(model.model_id, index, generated.draft, position, generated.prompt))
    ]


async def _invocations(model: SimulatedModel, route: str, fields: Mapping[str, Any]) -> Answer | Stream:
    """SageMaker's route takes any of the three kinds of request."""
    if "inputs" in fields:
        return await _root(model, route, generation(fields))
    if "messages" in fields:
        return await _chat(model, route, openai.read_chat(fields, model.template))
    return await _completions(model, route, openai.read_completion(fields, model.limits))


async def _vertex(model: SimulatedModel, route: str, instances: Sequence[Mapping[str, Any]]) -> Answer:
    if not instances:
        raise Refusal(422, "Input validation error", "Input validation error", "validation")
    requests = [
        openai.read_chat(each, model.template).requests[0]
        if "messages" in each
        else Request(each["inputs"], {**shapes.ABSENT, **(each["parameters"] or {})})
        for each in instances
    ]
    fault, instead = _strike(model, route, requests)
    if instead is not None:
        return instead
    found: dict[int, Generated] = {}

    async def one(index: int, request: Request) -> None:
        found[index] = await model.generate(request, "generation" if fault == "midstream" else fault)

    try:
        await _all([one(index, request) for index, request in enumerate(requests)])
    except Refusal as refusal:
        raise Refusal(500, "Incomplete generation", "Incomplete generation", refusal.metric) from refusal
    several = [found[index] for index in sorted(found)]
    answer = as_json(200, {"predictions": [generated.draft.text for generated in several]})
    return _sending(model, route, answer, fault, several)


async def _all(several: Sequence[Any]) -> None:
    """Run side by side; the first failure ends the others."""
    if len(several) == 1:
        await several[0]
        return
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
