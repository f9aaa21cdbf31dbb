"""What routes pass to the transport, and the bodies that they share."""

import json
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from halluvault_tasks.local.simulator.generation import details
from halluvault_tasks.local.simulator.openai import stream_error
from halluvault_tasks.local.simulator.wire import RequestRefusal

if TYPE_CHECKING:
    from halluvault_tasks.local.simulator.model import GenerationResult, SimulatedModel

ROUTER_VERSION = "3.3.6-dev0"
"""The version whose behaviour is imitated."""

COMPUTE_TYPE = "simulated"

Headers = tuple[tuple[str, str], ...]


class WholeAnswer(NamedTuple):
    """A whole answer."""

    status: int
    body: bytes
    content_type: str
    headers: Headers = ()
    fault: str = ""
    """A fault that the transport has to play."""


class EventStream(NamedTuple):
    """An answer as server-sent events."""

    headers: Headers
    events: AsyncGenerator[bytes]
    fault: str = ""
    """A fault that the transport has to play once the events end."""


def as_json(status: int, value: object, headers: Headers = ()) -> WholeAnswer:
    """An answer in JSON."""
    return WholeAnswer(status, dumps(value), "application/json", headers)


def dumps(value: object) -> bytes:
    """JSON as the imitated server writes it: no spaces, no escapes beyond need."""
    try:
        return orjson.dumps(value)
    except TypeError:
        # A lone surrogate: no honest server sends one, but clients have to survive one that does.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def event(value: object) -> bytes:
    """One server-sent event."""
    return b"data: " + dumps(value) + b"\n\n"


def refused(refusal: RequestRefusal) -> WholeAnswer:
    """The answer to a request that cannot be served."""
    if refusal.error_type is None:
        return WholeAnswer(refusal.status, refusal.message.encode(), "text/plain; charset=utf-8")
    return as_json(refusal.status, {"error": refusal.message, "error_type": refusal.error_type})


def refused_event(refusal: RequestRefusal) -> bytes:
    """The same inside a stream, where the status has been sent already."""
    return event({"error": refusal.message, "error_type": refusal.error_type})


def refused_openai_event(refusal: RequestRefusal) -> bytes:
    """The same on the OpenAI routes."""
    return event(stream_error(refusal))


def generate_response(generated: "GenerationResult", full: bool) -> dict[str, Any]:
    """The object of `/generate`."""
    before = generated.request.inputs if full else ""
    shown: dict[str, Any] = {"generated_text": before + generated.draft.text}
    if generated.request.parameters.details:
        shown["details"] = details(generated.draft)
    return shown


def stream_response(generated: "GenerationResult", position: int, full: bool) -> dict[str, Any]:
    """One token of `/generate_stream`."""
    draft = generated.draft
    last = position + 1 == len(draft.tokens)
    shown: dict[str, Any] = {"index": position + 1, "token": draft.tokens[position].shown()}
    shown["generated_text"] = (generated.request.inputs if full else "") + draft.text if last else None
    shown["details"] = None
    if last and generated.request.parameters.details:
        shown["details"] = {
            "finish_reason": draft.finish_reason,
            "generated_tokens": len(draft.tokens),
            "seed": draft.seed,
            "input_length": generated.input_tokens,
        }
    return shown


def time_headers(several: list["GenerationResult"], compute_time: bool = True) -> Headers:
    """The router's timing headers, summed over prompts: seconds for compute time, whole milliseconds elsewhere."""
    seconds = 0.0
    characters = total = validation = queue = inference = each = prompts = generated = 0
    for one in several:
        times, count = one.times, len(one.draft.tokens)
        seconds += times.total
        characters += len(one.request.inputs)
        total += int(times.total * 1000)
        validation += int(times.validation * 1000)
        queue += int(times.queue * 1000)
        inference += int(times.inference * 1000)
        each += int(times.inference * 1000 / max(1, count))
        prompts += one.input_tokens
        generated += count
    return (
        ("x-compute-type", COMPUTE_TYPE),
        *((("x-compute-time", str(seconds)),) if compute_time else ()),
        ("x-compute-characters", str(characters)),
        ("x-total-time", str(total)),
        ("x-validation-time", str(validation)),
        ("x-queue-time", str(queue)),
        ("x-inference-time", str(inference)),
        ("x-time-per-token", str(each)),
        ("x-prompt-tokens", str(prompts)),
        ("x-generated-tokens", str(generated)),
    )


def stream_headers(characters: int) -> Headers:
    """What is known before the first token."""
    return (
        ("x-compute-type", COMPUTE_TYPE),
        ("x-compute-characters", str(characters)),
        ("x-accel-buffering", "no"),
        ("cache-control", "no-cache"),
    )


def info(model: "SimulatedModel") -> dict[str, Any]:
    """The object of `/info`."""
    limits = model.limits
    return {
        "model_id": model.model_id,
        "model_sha": model.model_sha,
        "model_pipeline_tag": None if model.model_sha is None else "text-generation",
        "max_concurrent_requests": limits.max_concurrent_requests,
        "max_best_of": limits.max_best_of,
        "max_stop_sequences": limits.max_stop_sequences,
        "max_input_tokens": limits.max_input_tokens,
        "max_total_tokens": limits.max_total_tokens,
        "validation_workers": 2,
        "max_client_batch_size": limits.max_client_batch_size,
        "router": "text-generation-router",
        "version": ROUTER_VERSION,
        "sha": "simulated",
        "docker_label": None,
    }
