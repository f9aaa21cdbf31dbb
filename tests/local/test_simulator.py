"""The simulated server speaks TGI: held against research notes, recorded real outputs and huggingface_hub."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.tokens import pieces
from tests.local.simulated import TEXT, ask, echo, echoes, freed


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(echoes()) as base:
        yield base


def test_the_end_token_is_counted_special_and_absent_from_the_text(url: str) -> None:
    got = ask(url, "/echo/generate", {"inputs": "hello", "parameters": {"details": True}})
    tokens = got["details"]["tokens"]
    assert got["generated_text"] == TEXT == "".join(token["text"] for token in tokens if not token["special"])
    assert tokens[-1]["special"] and got["details"]["finish_reason"] == "eos_token"
    assert got["details"]["generated_tokens"] == len(tokens)


def test_details_are_absent_unless_asked_for(url: str) -> None:
    assert set(ask(url, "/echo/generate", {"inputs": "hello"})) == {"generated_text"}


def test_the_root_route_answers_a_list_with_the_full_text(url: str) -> None:
    got = ask(url, "/echo/", {"inputs": "hello ", "parameters": {}})
    assert got["list"] == [{"generated_text": "hello " + TEXT}]


def test_generation_stops_after_a_stop_text_and_keeps_it(url: str) -> None:
    got = ask(url, "/echo/generate", {"inputs": "hello", "parameters": {"details": True, "stop": ["knowledge"]}})
    assert got["generated_text"].endswith("knowledge")
    assert got["details"]["finish_reason"] == "stop_sequence"


def test_absent_parameters_sample_and_empty_ones_do_not(url: str) -> None:
    greedy = ask(url, "/echo/generate", {"inputs": "hello", "parameters": {"details": True}})
    sampled = ask(url, "/echo/generate", {"inputs": "hello", "parameters": {"details": True, "temperature": 0.7}})
    assert greedy["details"]["seed"] is None
    assert isinstance(sampled["details"]["seed"], int)
    assert ask(url, "/echo/generate", {"inputs": "hello"})["generated_text"] != TEXT


def test_seeded_sampling_is_reproducible(url: str) -> None:
    body = {"inputs": "hello", "parameters": {"do_sample": True, "seed": 7, "details": True}}
    first, second = ask(url, "/echo/generate", body), ask(url, "/echo/generate", body)
    assert first == second
    assert first["details"]["seed"] == 7


def test_timing_headers_are_those_of_the_router(url: str) -> None:
    headers = ask(url, "/echo/generate", {"inputs": "hello world", "parameters": {}}).headers
    for name in ("total", "validation", "queue", "inference"):
        assert headers[f"x-{name}-time"].isdigit()
    assert headers["x-prompt-tokens"] == str(len(pieces("hello world")))
    assert float(headers["x-compute-time"]) >= 0
    assert headers["x-total-tokens"] is None and headers["retry-after"] is None
    total, parts = int(headers["x-total-time"]), ("validation", "queue", "inference")
    # Whole milliseconds, each cut off by itself.
    assert sum(int(headers[f"x-{part}-time"]) for part in parts) <= total <= 1000 * float(headers["x-compute-time"])
    assert int(headers["x-time-per-token"]) == int(headers["x-inference-time"]) // int(headers["x-generated-tokens"])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"temperature": 0.0}, "`temperature` must be strictly positive"),
        ({"repetition_penalty": -1}, "`repetition_penalty` must be strictly positive"),
        ({"frequency_penalty": 3}, "`frequency_penalty` must be >= -2.0 and <= 2.0"),
        ({"top_p": 1.0}, "`top_p` must be > 0.0 and < 1.0"),
        ({"typical_p": 0.0}, "`typical_p` must be > 0.0 and < 1.0"),
        ({"top_k": 0}, "`top_k` must be strictly positive"),
        ({"max_new_tokens": 0}, "`max_new_tokens` must be strictly positive"),
        ({"stop": ["a"] * 5}, "`stop` supports up to 4 stop sequences. Given: 5"),
        ({"temperature": 0.0, "top_p": 7}, "`temperature` must be strictly positive"),
    ],
)
def test_a_parameter_out_of_range_is_refused_in_the_routers_words(url: str, parameters: object, message: str) -> None:
    got = ask(url, "/echo/generate", {"inputs": "x", "parameters": parameters})
    assert got.status == 422
    assert got == {"error": f"Input validation error: {message}", "error_type": "validation"}


def test_a_prompt_too_long_is_refused_with_both_numbers(url: str) -> None:
    long = "word " * 1500
    count = len(pieces(long))
    got = ask(url, "/echo/generate", {"inputs": long, "parameters": {"max_new_tokens": 1024}})
    assert got["error"] == (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. "
        f"Given: {count} `inputs` tokens and 1024 `max_new_tokens`"
    )
    got = ask(url, "/echo/generate", {"inputs": long[:5500], "parameters": {"max_new_tokens": 1}})
    assert got["error"].startswith("Input validation error: `inputs` must have less than 1024 tokens. Given: ")
    assert ask(url, "/echo/generate", {"inputs": ""})["error"] == "Input validation error: `inputs` cannot be empty"


def test_a_full_server_answers_429_even_to_an_invalid_request(url: str) -> None:
    got = ask(url, "/full/generate", {"inputs": "x", "parameters": {"temperature": 0}})
    assert got.status == 429
    assert got == {"error": "Model is overloaded", "error_type": "overloaded"}
    assert ask(url, "/full/generate", raw=b"{").status == 400


def test_health_is_empty_and_unknown_paths_are_404(url: str) -> None:
    assert (ask(url, "/echo/health").status, ask(url, "/echo/health").raw) == (200, b"")
    assert ask(url, "/nobody/info").status == 404
    assert ask(url, "/echo/nothing").status == 404


def test_a_client_that_goes_away_frees_its_slot() -> None:
    slow = SimulatedModel(
        "slow", echo, limits=ServerLimits(max_concurrent_requests=1), pacing=Pacing(prefill_seconds=3600)
    )

    async def leave(url: str) -> int:
        async with aiohttp.ClientSession() as http:
            first = asyncio.ensure_future(http.post(f"{url}/slow/generate", json={"inputs": "x"}))
            while slow.requests == 0:
                await asyncio.sleep(0.01)
            async with http.post(f"{url}/slow/generate", json={"inputs": "x"}) as second:
                assert second.status == 429
            first.cancel()
            return await freed(http, f"{url}/slow/generate")

    with serving([slow]) as url:
        assert asyncio.run(asyncio.wait_for(leave(url), 20)) == 422


def test_a_model_may_say_what_is_no_unicode() -> None:
    with serving([SimulatedModel("odd", lambda model, prompt, seed: "nul \0, half a pair \ud800")]) as url:
        got = ask(url, "/odd/generate", {"inputs": "x", "parameters": {"details": True}})
        assert got.status == 200
        assert b"half a pair \xed\xa0\x80" in got.raw


@given(st.text())
def test_tokens_join_to_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_a_taken_port_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "halluvault_tasks.local.simulator", "--port", port, "--models", "careful"],
            capture_output=True, text=True, check=False,
            env={"HALLUVAULT_SIM_DATABASE_URL": "postgresql+psycopg2://u:p@127.0.0.1:1/x", "PATH": ""},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and port in done.stderr and "taken" in done.stderr


def test_methods_and_foreign_pages_are_answered_as_the_router_does(url: str) -> None:
    info, head = ask(url, "/echo/info"), ask(url, "/echo/info", method="HEAD")
    assert (head.status, head.raw) == (200, b"") and head.headers["content-length"] == info.headers["content-length"]
    for path, method, allow in (
        ("/generate", "GET", "POST"),
        ("/info", "POST", "GET,HEAD"),
        ("/", "PUT", "POST,GET,HEAD"),
    ):
        got = ask(url, f"/echo{path}", method=method)
        assert (got.status, got.headers["allow"], got.raw) == (405, allow, b"")
    asked = ask(url, "/echo/generate", method="OPTIONS")
    assert (asked.status, asked.headers["access-control-allow-methods"]) == (200, "GET,POST")
    assert asked.headers["access-control-allow-headers"] == "content-type" and asked.headers["allow"] == "POST"
    for got in (info, asked, ask(url, "/echo/nothing"), ask(url, "/echo/generate", {"inputs": ""})):
        assert got.headers["access-control-allow-origin"] == "*" and "origin" in got.headers["vary"]
