"""Server-sent events of the simulated server: framing, errors under HTTP 200, silence, and slots that come free."""

import asyncio
from collections.abc import Iterator

import aiohttp
import pytest

from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.server import serving
from tests.local.simulated import TEXT, ask, echo, freed


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    models = [
        SimulatedModel("echo", echo),
        SimulatedModel("full", echo, limits=ServerLimits(max_concurrent_requests=0)),
        SimulatedModel("slow", echo, pacing=Pacing(latency_seconds=0.2)),
    ]
    with serving(models, keep_alive=0.02) as base:
        yield base


def test_a_stream_gives_a_token_an_event_and_the_text_at_its_end(url: str) -> None:
    got = ask(url, "/echo/generate_stream", {"inputs": "hello", "parameters": {"details": True}})
    assert got.headers["content-type"] == "text/event-stream"
    assert (got.headers["cache-control"], got.headers["x-accel-buffering"]) == ("no-cache", "no")
    assert (got.headers["x-compute-type"], got.headers["x-compute-characters"]) == ("simulated", "5")
    *others, last = got.events
    assert [each["index"] for each in got.events] == list(range(1, len(others) + 2))
    assert all(set(each) == {"index", "token", "generated_text", "details"} for each in got.events)
    assert {(each["generated_text"], each["details"]) for each in others} == {(None, None)}
    assert "".join(each["token"]["text"] for each in got.events if not each["token"]["special"]) == TEXT
    assert last["generated_text"] == TEXT
    assert last["details"] == {
        "finish_reason": "eos_token", "generated_tokens": len(got.events), "seed": None, "input_length": 1,
    }  # fmt: skip
    assert b"[DONE]" not in got.raw and b"event:" not in got.raw


def test_details_end_a_stream_only_where_they_were_asked_for(url: str) -> None:
    last = ask(url, "/echo/generate_stream", {"inputs": "hello", "parameters": {}}).events[-1]
    assert (last["generated_text"], last["details"]) == (TEXT, None)


def test_the_root_route_streams_where_it_is_asked_to_and_gives_the_full_text(url: str) -> None:
    got = ask(url, "/echo", {"inputs": "hello ", "parameters": {}, "stream": True})
    assert got.events[-1]["generated_text"] == "hello " + TEXT
    # /generate knows no such field and ignores it.
    assert set(ask(url, "/echo/generate", {"inputs": "hello", "parameters": {}, "stream": True})) == {"generated_text"}


@pytest.mark.parametrize(
    ("model", "parameters", "error", "kind"),
    [
        ("full", {"temperature": 0}, "Model is overloaded", "overloaded"),
        ("echo", {"temperature": 0}, "Input validation error: `temperature` must be strictly positive", "validation"),
    ],
)
def test_an_error_is_an_event_of_a_stream_with_status_200(
    url: str, model: str, parameters: object, error: str, kind: str
) -> None:
    got = ask(url, f"/{model}/generate_stream", {"inputs": "hello", "parameters": parameters})
    assert got.status == 200
    assert got.events == [{"error": error, "error_type": kind}]


def test_what_is_no_request_is_refused_before_any_stream(url: str) -> None:
    assert ask(url, "/echo/generate_stream", raw=b"{").status == 400
    assert ask(url, "/echo/generate_stream", {"parameters": {}}).status == 422


def test_a_silent_stream_gets_comments_that_are_no_events(url: str) -> None:
    got = ask(url, "/slow/generate_stream", {"inputs": "hello", "parameters": {"max_new_tokens": 1}})
    assert got.raw.startswith(b":\n\n")
    assert len(got.events) == 1


def test_a_client_that_leaves_its_stream_frees_its_slot() -> None:
    slow = SimulatedModel(
        "slow", echo, limits=ServerLimits(max_concurrent_requests=1), pacing=Pacing(step_seconds=3600)
    )

    async def leave(url: str) -> int:
        async with aiohttp.ClientSession() as http:
            first = await http.post(f"{url}/slow/generate_stream", json={"inputs": "x", "parameters": {}})
            assert (await first.content.readline()).startswith(b"data: ")
            async with http.post(f"{url}/slow/generate", json={"inputs": "x"}) as second:
                assert second.status == 429
            first.close()
            return await freed(http, f"{url}/slow/generate")

    with serving([slow]) as url:
        assert asyncio.run(asyncio.wait_for(leave(url), 20)) == 422
