"""Every fault looks on the wire as it does from a real server, strikes where it was told to, and nowhere else."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator import http_faults, texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.http_faults import FaultRule, HttpFaults, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.record import Record
from halluvault_tasks.local.simulator.server import serving
from tests.local.simulated import ask, connection

RECORD = Record()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pace = Pacing(latency_seconds=0.0)
    models = [
        SimulatedModel(kind, texts.answer, pacing=pace, faults=HttpFaults((FaultRule(kind, 1.0),), slow_seconds=0.01),
                       blocking=False, record=RECORD)
        for kind in http_faults.KINDS
    ]  # fmt: skip
    with serving(models) as base:
        yield base


async def _fetch(url: str, body: object) -> tuple[int, str, bytes] | str:
    """A reply, or the name of what the client's library raises; silence is cut off after a fifth of a second."""
    # A reply is awaited for long, one that must not come only briefly.
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.2 if "hang" in url else 20)) as http:
        try:
            async with http.post(url, json=body) as answer:
                return answer.status, answer.content_type, await answer.read()
        except aiohttp.ClientPayloadError:
            return "broken body"
        except aiohttp.ServerDisconnectedError:
            return "closed"
        except (aiohttp.ClientOSError, ConnectionResetError):
            return "reset"
        except TimeoutError:
            return "silence"


def fetch(url: str, kind: str, path: str, **body: object) -> tuple[int, str, bytes] | str:
    return asyncio.run(_fetch(f"{url}/{kind}{path}", {"inputs": "hello", "parameters": {"details": True}, **body}))


@pytest.mark.parametrize(
    ("kind", "status", "content_type", "start"),
    [
        ("overloaded", 429, "application/json", b'{"error":"Model is overloaded","error_type":"overloaded"}'),
        ("generation", 424, "application/json", b'{"error":"Request failed during generation: Server error: '),
        ("batch", 424, "application/json", b'{"error":"Request failed during generation: Server error: '),
        ("midstream", 424, "application/json", b'{"error":"Request failed during generation: Server error: '),
        ("incomplete", 500, "application/json", b'{"error":"Incomplete generation","error_type":"incomplete_gen'),
        ("bad_gateway", 502, "text/html", b"<html>"),
        ("unavailable", 503, "text/plain", b"upstream connect error"),
        ("gateway_timeout", 504, "text/html", b"<html>"),
        ("html", 200, "text/html", b"<!DOCTYPE html>"),
        ("plain", 422, "text/plain", b"request rejected"),
        ("slow", 200, "application/json", b'{"generated_text":'),
        ("unhealthy", 200, "application/json", b'{"generated_text":'),
    ],
)  # fmt: skip
def test_an_error_has_the_status_and_body_of_who_would_send_it(
    url: str, kind: str, status: int, content_type: str, start: bytes
) -> None:
    got = fetch(url, kind, "/generate")
    assert got[:2] == (status, content_type)
    assert got[2].startswith(start)


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("reset", "reset"),
        ("stale", "closed"),
        ("hang", "silence"),
        ("hang_after_headers", "silence"),
        ("drop", "broken body"),
        ("short", "broken body"),
    ],
)
@pytest.mark.parametrize("path", ["/generate", "/generate_stream"])
def test_a_broken_connection_breaks_as_named(url: str, kind: str, seen: str, path: str) -> None:
    got = fetch(url, kind, path)
    if (kind, path) == ("short", "/generate_stream"):
        # A stream has no length: it ends in order, without its last event.
        assert got[0] == 200 and b'"finish_reason"' not in got[2] and got[2].endswith(b"\n\n")
    else:
        assert got == seen


def test_a_truncated_answer_has_a_fitting_length_and_is_no_json(url: str) -> None:
    status, _kind, body = fetch(url, "truncated", "/generate")
    assert status == 200
    with pytest.raises(ValueError):
        json.loads(body)
    *whole, last = fetch(url, "truncated", "/generate_stream")[2].split(b"\n\n")
    assert [json.loads(event.removeprefix(b"data: "))["generated_text"] for event in whole] == [None] * len(whole)
    with pytest.raises(ValueError):
        json.loads(last.removeprefix(b"data: "))


def test_a_stream_that_fails_midway_says_so_in_an_event(url: str) -> None:
    events = ask(url, "/midstream/generate_stream", {"inputs": "hello", "parameters": {"details": True}}).events
    assert len(events) > 2 and "token" in events[-2]
    assert events[-1]["error_type"] == "generation"
    body = {"messages": [{"role": "user", "content": "hello"}], "stream": True, "temperature": 0}
    *_, error, done = ask(url, "/midstream/v1/chat/completions", body).events
    assert (error["error"]["http_status_code"], done) == (422, "[DONE]")


def test_a_slow_stream_is_whole_and_its_tokens_come_one_by_one(url: str) -> None:
    got = ask(url, "/slow/generate_stream", {"inputs": "hello", "parameters": {}})
    said = texts.answer("simulated/slow", "hello", None)
    assert got.events[-1]["generated_text"] == said
    words = [event["token"]["text"] for event in got.events if not event["token"]["special"]]
    assert "".join(words) == said
    assert len(words) > 5


def test_a_stream_cut_short_has_neither_reason_nor_done(url: str) -> None:
    body = {"messages": [{"role": "user", "content": "hello"}], "stream": True, "temperature": 0}
    events = ask(url, "/short/v1/chat/completions", body).events
    assert events and all(each["choices"][0]["finish_reason"] is None for each in events)


def test_proxies_say_when_to_come_back_and_the_server_itself_never(url: str) -> None:
    body = {"inputs": "hello", "parameters": {}}
    assert ask(url, "/unavailable/generate", body).headers["retry-after"] == "0"
    assert ask(url, "/overloaded/generate", body).headers["retry-after"] is None
    assert parse("unavailable=1,retry_after=7").retry_after == 7


def test_only_the_health_of_an_unhealthy_server_fails(url: str) -> None:
    got = ask(url, "/unhealthy/health")
    assert (got.status, got) == (503, {"error": "unhealthy", "error_type": "healthcheck"})
    assert ask(url, "/unhealthy/info").status == 200
    assert ask(url, "/generation/health").status == 200


def test_only_what_left_whole_is_recorded(url: str) -> None:
    RECORD.sent.clear()
    for kind in http_faults.KINDS:
        if not kind.startswith("hang"):
            fetch(url, kind, "/generate")
    assert {sent.model for sent in RECORD.sent} == {"simulated/slow", "simulated/unhealthy"}
    for sent in RECORD.sent:
        assert sent.text == texts.answer(sent.model, sent.prompt, sent.seed)


def test_a_batch_that_fails_takes_every_request_in_it_along() -> None:
    pace = Pacing(latency_seconds=3600.0)
    model = SimulatedModel("m", texts.answer, pacing=pace, faults=parse("batch=#6"), blocking=False)

    async def storm(url: str) -> list[int]:
        async with aiohttp.ClientSession() as http:

            async def one(number: int) -> int:
                while model.requests < number:
                    await asyncio.sleep(0)
                async with http.post(f"{url}/m/generate", json={"inputs": str(number), "parameters": {}}) as answer:
                    return answer.status

            return await asyncio.gather(*(one(number) for number in range(6)))

    with serving([model]) as url:
        assert asyncio.run(asyncio.wait_for(storm(url), 20)) == [424] * 6


def test_a_fault_can_be_told_its_route_and_its_numbers() -> None:
    model = SimulatedModel(
        "m", texts.answer, pacing=Pacing(latency_seconds=0.0), blocking=False,
        faults=parse("overloaded=#2-3,incomplete@/v1/completions=1"),
    )  # fmt: skip
    with serving([model]) as url:
        generate = [ask(url, "/m/generate", {"inputs": "x", "parameters": {}}).status for _ in range(4)]
        assert generate == [200, 429, 429, 200]
        assert ask(url, "/m/v1/completions", {"prompt": "x"}).status == 500
        model.faults = HttpFaults()
        assert ask(url, "/m/v1/completions", {"prompt": "x"}).status == 200


def test_a_question_about_the_server_can_fail_too() -> None:
    model = SimulatedModel("m", texts.answer, faults=parse("bad_gateway@/info=#2,reset@/v1/models=1"), blocking=False)
    with serving([model]) as url:
        assert [ask(url, "/m/info").status for _ in range(3)] == [200, 502, 200]
        with pytest.raises(ConnectionError):
            ask(url, "/m/v1/models")
        assert ask(url, "/m/generate", {"inputs": "x", "parameters": {}}).status == 200


def test_a_stale_connection_is_closed_under_the_second_request_only() -> None:
    model = SimulatedModel("m", texts.answer, faults=parse("stale=#2"), blocking=False)
    body, kind = json.dumps({"inputs": "x", "parameters": {}}), {"Content-Type": "application/json"}
    with serving([model]) as url:
        kept = connection(url)
        kept.request("POST", "/m/generate", body, kind)
        assert kept.getresponse().read()
        kept.request("POST", "/m/generate", body, kind)
        with pytest.raises(ConnectionError):
            kept.getresponse()


PROMPTS = [f"prompt {n}" for n in range(4000)]


def test_faults_depend_on_the_prompt_and_not_on_the_order() -> None:
    drawn = parse("reset=0.2,html=0.2,seed=3")
    forward = {prompt: drawn.pick("m", "/generate", prompt, 0, n) for n, prompt in enumerate(PROMPTS)}
    backward = {prompt: drawn.pick("m", "/generate", prompt, 0, n) for n, prompt in enumerate(reversed(PROMPTS))}
    assert forward == backward
    assert set(forward.values()) == {"", "reset", "html"}


def test_a_mix_draws_evenly_from_all_that_is_worth_asking_again() -> None:
    drawn = Counter(parse("mix=0.3,seed=1").pick("m", "/generate", prompt, 0, 1) for prompt in PROMPTS)
    struck = len(PROMPTS) - drawn.pop("")
    assert struck / len(PROMPTS) == pytest.approx(0.3, abs=0.03)
    assert set(drawn) == set(http_faults.RETRYABLE)
    assert max(drawn.values()) < 2 * min(drawn.values())


def test_poison_strikes_the_same_prompts_every_time_and_no_other() -> None:
    drawn = parse("poison=0.005,seed=9")
    poison = {prompt for prompt in PROMPTS if drawn.is_poison(prompt)}
    assert 5 < len(poison) < 45
    for before in range(5):
        struck = {prompt for prompt in PROMPTS if drawn.pick("m", "/", prompt, before, 1)}
        assert struck == poison
    assert parse("poison=Person 7 ").is_poison("Was Person 7 born?")
    assert not parse("poison=0").is_poison("Was 0 a number?")


@given(st.text(max_size=30))
def test_faults_are_read_or_refused_in_one_line(text: str) -> None:
    try:
        assert isinstance(parse(text), HttpFaults)
    except UserError as error:
        assert "--faults" in str(error)
        assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize("text", ["seed=inf", "reset=nan", "reset=-0.1", "reset=#0", "reset=#a", "mix=#3", "reset=1.1"])
def test_what_is_no_number_of_a_fault_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--faults has"):
        parse(text)


def test_shares_beyond_one_are_refused() -> None:
    with pytest.raises(UserError, match=r"sum to 1\.2"):
        parse("reset=0.6,html=0.6")
    parse("reset@/generate=0.6,html@/generate_stream=0.6")
