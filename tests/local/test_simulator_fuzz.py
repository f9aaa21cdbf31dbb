"""No request, however odd, breaks the simulated server: it answers, or refuses in the words of a real one."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halluvault_tasks.local.simulator import hosted, routes, texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.manner import bundled
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.replies import EventStream, WholeAnswer
from halluvault_tasks.local.simulator.routes import GENERATES
from halluvault_tasks.local.simulator.wire import Incoming

PACING = Pacing(latency_seconds=0.0)
MODEL = SimulatedModel("m", texts.answer, pacing=PACING, blocking=False)
HOSTED = SimulatedModel("h", texts.answer, pacing=PACING, blocking=False, manner=bundled()["vllm"])
APIS = [
    *((MODEL, routes.respond, route) for route in (*GENERATES, "/tokenize", "/chat_tokenize")),
    *((HOSTED, hosted.respond, route) for route in ("/v1/chat/completions", "/v1/completions", "/tokenize")),
]

_JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=12), st.sampled_from(["user", "assistant", "json", "regex", "text", "[a-", "a{3,1}"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from([
                "role", "content", "type", "text", "value", "schema", "properties", "items", "anyOf", "$ref", "enum",
                "name", "include_usage", "inputs", "messages", "prompt", "parameters", "pattern", "minimum",
            ]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=8,
)  # fmt: skip

_FIELDS = {
    "inputs": st.one_of(st.text(max_size=20), _JSON),
    "parameters": st.one_of(
        _JSON,
        st.dictionaries(
            st.sampled_from([
                "temperature", "repetition_penalty", "frequency_penalty", "top_k", "top_p", "typical_p",
                "do_sample", "max_new_tokens", "return_full_text", "stop", "truncate", "details", "seed", "grammar",
            ]),
            st.one_of(_JSON, st.integers(-1, 5), st.booleans()),
            max_size=5,
        ),
    ),
    "stream": st.one_of(st.booleans(), _JSON),
    "messages": st.one_of(
        _JSON,
        st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system"]), "content": _JSON})),
        st.just([{"role": "user", "content": "x"}]),
    ),
    "prompt": st.one_of(st.text(max_size=20), st.lists(st.text(max_size=5), max_size=6), _JSON),
    "temperature": st.one_of(st.just(0), _JSON),
    "max_tokens": st.one_of(st.integers(0, 9), _JSON),
    "stop": _JSON,
    "response_format": _JSON,
    "stream_options": _JSON,
    "model": st.none(),
    "structured_outputs": st.one_of(_JSON, st.fixed_dictionaries({"regex": _JSON})),
    "presence_penalty": st.floats(-3, 3),
}  # fmt: skip

Api = tuple[SimulatedModel, Callable[[SimulatedModel, Incoming], Awaitable[WholeAnswer | EventStream]], str]

REFUSALS = (200, 400, 413, 415, 422)


async def _whole(api: Api, body: bytes) -> tuple[int, list[bytes]]:
    model, respond, route = api
    answer = await respond(model, Incoming("POST", route, "application/json", body))
    if isinstance(answer, EventStream):
        return 200, [chunk async for chunk in answer.events]
    assert isinstance(answer, WholeAnswer)
    return answer.status, [answer.body]


@pytest.mark.parametrize("api", APIS, ids=lambda api: f"{api[0].name}{api[2]}")
@settings(max_examples=60)
@given(body=st.fixed_dictionaries({}, optional=_FIELDS))
@example(body={"messages": [], "response_format": {"type": [], "value": 0}})
def test_no_json_breaks_a_route(api: Api, body: dict[str, Any]) -> None:
    status, parts = asyncio.run(_whole(api, json.dumps(body).encode("utf-8", "surrogatepass")))
    assert status in REFUSALS, parts
    assert parts


@pytest.mark.parametrize("api", APIS, ids=lambda api: f"{api[0].name}{api[2]}")
@settings(max_examples=30)
@given(body=st.binary(max_size=60))
def test_no_bytes_break_a_route(api: Api, body: bytes) -> None:
    status, [text] = asyncio.run(_whole(api, body))
    assert status in REFUSALS
    assert text


def test_deep_json_is_refused() -> None:
    status, [text] = asyncio.run(
        _whole((MODEL, routes.respond, "/generate"), b'{"inputs": "a", "x": ' + b"[" * 100_000)
    )
    assert (status, text[:40]) == (400, b"Failed to parse the request body as JSON")
