"""Both dialects' classification, against loopback servers that misbehave on purpose."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

import pytest
from aiohttp import web

from halluvault_tasks.querying import servers
from halluvault_tasks.querying.dialects.terms import terms_of
from halluvault_tasks.querying.registry import Model, ModelServer, SamplingParameters
from halluvault_tasks.querying.replies import Client, Failure, FailureKind, Identity, Reply, storable
from halluvault_tasks.querying.retry_policy import GiveUp, Policy, Wait, decide

GOOD = '{"generated_text":"Yes","details":{"finish_reason":"eos_token","generated_tokens":2,"prefill":[],"tokens":[]}}'
GREEDY = SamplingParameters().parameters()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Make = Callable[..., Client]
"""(connections, URL, sampling parameters) → a client; greedy by default."""
Call = Callable[[Client], Awaitable[object]]


def made(timeout: float, options: dict[str, Any], **entry: Any) -> Make:
    token = options.pop("token", "")
    route = "completions" if options.pop("completions", False) else "chat"
    model = Model(name="m", server="s", base_urls=("http://replaced",), route=route, **entry, **options)
    home = ModelServer(name="s", pool="s", slots=1, in_flight=1, timeout_seconds=timeout)
    return lambda http, url, given=GREEDY: servers.client(http, model, home, url, given, token)


def tgi(timeout: float = 10.0, **options: Any) -> Make:
    return made(timeout, {"completions": True, **options}, dialect="tgi")


def openai(timeout: float = 10.0, model: str = "m", **options: Any) -> Make:
    return made(timeout, options, dialect="openai", served_as=model)


HUB = [tgi(client="hub"), tgi(client="hub", completions=False), openai(client="hub")]
HUB_NAMES = ["hub-tgi", "hub-tgi-chat", "hub-chat"]


def outcome(
    make: Make,
    handler: Handler,
    call: Call = lambda client: client.complete("hello"),
    given: Mapping[str, Any] = GREEDY,
) -> object:
    """What a client makes of a server that answers every request with `handler`: what it returns, or the Failure."""

    async def run() -> object:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        try:
            async with servers.Http() as http:
                return await call(make(http, f"http://127.0.0.1:{port}", given))
        except Failure as failure:
            return failure
        finally:
            await runner.cleanup()

    return asyncio.run(run())


def says(make: Make, status: int, text: str, kind: str = "application/json", **headers: str) -> object:
    async def handler(_request: web.Request) -> web.Response:
        return web.Response(status=status, text=text, content_type=kind, headers=headers)

    return outcome(make, handler)


REFUSALS = [
    (429, '{"error":"overloaded","error_type":"overloaded"}', "application/json", FailureKind.OVERLOADED, "overl"),
    (422, '{"error":"Input: x","error_type":"validation"}', "application/json", FailureKind.FATAL, "x"),
    (422, "Failed to deserialize the JSON body", "text/plain", FailureKind.FATAL, "Failed to deserialize"),
    (400, "Failed to parse the request body as JSON: EOF", "text/plain", FailureKind.FATAL, "EOF"),
    (401, "", "text/plain", FailureKind.BARRED, "empty body"),
    (404, "<html>nope</html>", "text/html", FailureKind.BARRED, "nope"),
    (302, "", "text/plain", FailureKind.FATAL, "302"),
    (424, '{"error":"Request failed during generation: Server error: x","error_type":"generation"}',
     "application/json", FailureKind.RETRYABLE, "Server error"),
    (500, '{"error":"Incomplete generation","error_type":"incomplete_generation"}', "application/json",
     FailureKind.RETRYABLE, "Incomplete"),
    (502, "<html>\n<h1>Bad gateway</h1>", "text/html", FailureKind.RETRYABLE, "<html>"),
    (400, '{"detail":"no such model"}', "application/json", FailureKind.BARRED, "no such model"),
    (400, '{"object":"error","message":"too long","code":400}', "application/json", FailureKind.FATAL, "too long"),
    (503, '{"error":{"message":"busy"}}', "application/json", FailureKind.OVERLOADED, "busy"),
    (529, '{"error":{"message":"overloaded"}}', "application/json", FailureKind.OVERLOADED, "overloaded"),
    (504, "<html>\n<h1>Gateway Time-out</h1>", "text/html", FailureKind.RETRYABLE, "<html>"),
    (200, "<!DOCTYPE html>log in", "text/html", FailureKind.RETRYABLE, "not JSON"),
    (200, GOOD[:40], "application/json", FailureKind.RETRYABLE, "not JSON"),
    (200, '{"generated_text":"Yes"}', "application/json", FailureKind.RETRYABLE, "without"),
    (200, "[]", "application/json", FailureKind.RETRYABLE, "without"),
]  # fmt: skip


@pytest.mark.parametrize(
    "make", [tgi(), openai(), openai(completions=True), *HUB], ids=["tgi", "chat", "completions", *HUB_NAMES]
)
@pytest.mark.parametrize(("status", "text", "kind", "expected", "reason"), REFUSALS)
def test_every_answer_but_a_whole_one_is_a_classified_failure(
    make: Make, status: int, text: str, kind: str, expected: FailureKind, reason: str
) -> None:
    failure = says(make, status, text, kind)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.status) == (expected, status)
    assert reason in failure.reason and "\n" not in failure.reason


def test_tgis_answer_carries_text_reason_counts_and_times_and_its_traps_are_stepped_around() -> None:
    async def handler(request: web.Request) -> web.Response:
        # No temperature 0, no absent parameters, no full text, no adapter.
        assert request.path == "/generate"
        assert await request.json() == {
            "inputs": "hello",
            "parameters": {"max_new_tokens": 512, "do_sample": False, "details": True, "return_full_text": False},
        }
        return web.Response(
            text=GOOD,
            content_type="application/json",
            headers={"x-queue-time": "3", "x-inference-time": "40", "x-total-time": "44", "x-prompt-tokens": "12"},
        )

    assert outcome(tgi(), handler) == Reply("Yes", "eos_token", 12, 2, 3, 40, 44)


def test_an_openai_answer_carries_the_same_and_its_traps_are_stepped_around() -> None:
    async def handler(request: web.Request) -> web.Response:
        assert request.path == "/v1/chat/completions"
        # Model and temperature always said, a presence penalty never.
        assert await request.json() == {
            "model": "m", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 512, "temperature": 0,
        }  # fmt: skip
        choice = {"index": 0, "message": {"role": "assistant", "content": "Yes"}, "finish_reason": "stop"}
        return web.json_response({"choices": [choice], "usage": {"prompt_tokens": 12, "completion_tokens": 2}})

    reply = outcome(openai(), handler)
    assert isinstance(reply, Reply)
    assert reply[:6] == ("Yes", "stop", 12, 2, None, None)
    assert reply.total_ms is not None and 0 <= reply.total_ms < 10_000


def test_choices_out_of_order_are_told_apart_by_their_index() -> None:
    choices = [
        {"index": 1, "text": "other", "finish_reason": "stop"},
        {"index": 0, "text": "mine", "finish_reason": "length"},
    ]
    reply = says(openai(completions=True), 200, json.dumps({"choices": choices, "usage": None}))
    assert isinstance(reply, Reply) and reply[:4] == ("mine", "length", None, None)


def test_tgis_chat_goes_to_its_openai_route_under_the_one_name_that_is_no_adapter() -> None:
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]

    async def handler(request: web.Request) -> web.Response:
        body = await request.json()
        assert (request.path, body["model"], body["messages"]) == ("/v1/chat/completions", "tgi", messages)
        return web.json_response({
            "choices": [{"index": 0, "message": {"content": "d"}, "finish_reason": "stop_sequence"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1},
        })

    reply = outcome(tgi(), handler, lambda client: client.chat(messages))  # type: ignore[arg-type]
    assert isinstance(reply, Reply) and reply[:2] == ("d", "stop_sequence")


def test_sampling_is_said_in_the_words_of_either_dialect() -> None:
    warm = SamplingParameters(temperature=0.7, top_p=0.9, seed=3, stop=("END",), max_new_tokens=9)
    assert terms_of(warm.parameters()).fields == {
        "max_tokens": 9, "temperature": 0.7, "top_p": 0.9, "seed": 3, "stop": ["END"],
    }  # fmt: skip
    assert terms_of(SamplingParameters(do_sample=True).parameters()).fields["temperature"] == 1.0
    assert terms_of(SamplingParameters(extra={"top_k": 5}).parameters()).fields["top_k"] == 5


DETAILS = '{"finish_reason":"length","generated_tokens":2,"input_length":12}'
FINAL = f'{{"index":2,"token":{{}},"generated_text":"Yes","details":{DETAILS}}}'
CHUNK = '{"choices":[{"index":0,"delta":{"role":"assistant","content":"Ye"},"finish_reason":null}],"usage":null}'
LAST = '{"choices":[{"index":0,"delta":{"content":"s"},"finish_reason":"stop"}]}'
USAGE = '{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2}}'


@pytest.mark.parametrize(
    ("make", "body", "expected"),
    [
        (tgi(stream=True), f":\n\ndata: {{}}\n\ndata:{FINAL}\n\n", ("Yes", "length", 12, 2, None, None)),
        (openai(stream=True), f"data: {CHUNK}\n\ndata: {LAST}\n\ndata: {USAGE}\n\ndata: [DONE]\n\n",
         ("Yes", "stop", 12, 2, None, None)),
        (openai(stream=True), f"data: {CHUNK}\n\ndata: {LAST}", ("Yes", "stop", None, None, None, None)),
        (tgi(stream=True), 'data: {"index":1,"token":{},"generated_text":null}\n\n',
         (FailureKind.RETRYABLE, "final event")),
        (openai(stream=True), f"data: {CHUNK}\n\ndata: [DONE]\n\n", (FailureKind.RETRYABLE, "without a finish_reason")),
        (tgi(stream=True), 'data: {"error":"Model is overloaded","error_type":"overloaded"}\n\n',
         (FailureKind.OVERLOADED, "overloaded")),
        (tgi(stream=True), 'data: {"error":"Input validation error: x","error_type":"validation"}\n\n',
         (FailureKind.FATAL, "Input validation")),
        (tgi(stream=True), 'data: {"error":"Incomplete","error_type":"incomplete_generation_stream"}\n\n',
         (FailureKind.RETRYABLE, "Incomplete")),
        (openai(stream=True), 'data: {"error":{"message":"Model is overloaded","http_status_code":422}}\n\n',
         (FailureKind.OVERLOADED, "overloaded")),
        (openai(stream=True), 'data: {"error":{"message":"Input validation error: x","http_status_code":422}}\n\n',
         (FailureKind.FATAL, "Input validation")),
        (tgi(stream=True), "data: {bro\n\n", (FailureKind.RETRYABLE, "not JSON")),
    ],
)  # fmt: skip
def test_a_stream_is_an_answer_only_with_its_last_event(make: Make, body: str, expected: tuple[object, ...]) -> None:
    found = says(make, 200, body, "text/event-stream")
    if isinstance(found, Failure):
        assert found.kind is expected[0] and str(expected[1]) in found.reason
    else:
        assert isinstance(found, Reply) and found[:6] == expected and found.total_ms is not None


@pytest.mark.parametrize("make", [tgi(stream=True), openai(stream=True)])
def test_a_page_in_the_place_of_a_stream_is_no_stream(make: Make) -> None:
    failure = says(make, 200, "<html>log in", "text/html")
    assert isinstance(failure, Failure) and (failure.kind, "log in" in failure.reason) == (FailureKind.RETRYABLE, True)


@pytest.mark.parametrize("make", [tgi(), tgi(stream=True), openai(), openai(stream=True), *HUB])
def test_a_connection_cut_inside_the_body_is_retryable(make: Make) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        stream = request.path.endswith("_stream") or (await request.json()).get("stream")
        kind = "text/event-stream" if stream else "application/json"
        response = web.StreamResponse(headers={"Content-Length": "500", "Content-Type": kind})
        await response.prepare(request)
        await response.write(b'data: {"generated_text":"Yes')
        assert request.transport is not None
        request.transport.abort()
        return response

    failure = outcome(make, handler)
    assert isinstance(failure, Failure) and failure.kind is FailureKind.RETRYABLE


@pytest.mark.parametrize(
    "make",
    # huggingface_hub is imported, and makes its TLS context, within the time of its first request.
    [tgi(0.05), openai(0.05), openai(0.05, stream=True), tgi(0.5, client="hub"), openai(0.5, client="hub")],
)
def test_a_hung_server_is_given_up_after_the_timeout_and_sees_the_connection_closed(make: Make) -> None:
    closed = []

    async def handler(_request: web.Request) -> web.Response:
        try:
            await asyncio.Event().wait()
        finally:
            closed.append(True)  # this is how a model server learns that the slot is free
        return web.Response()

    failure = outcome(make, handler)
    assert (
        isinstance(failure, Failure)
        and failure.kind is FailureKind.RETRYABLE
        and re.search(r" 0\.0?5 s", failure.reason)
    )
    assert closed == [True]


@pytest.mark.parametrize("make", [tgi(), *HUB])
@pytest.mark.parametrize(("header", "low", "high"), [("7", 7, 7), ("0.5", 0.5, 0.5), ("soon", None, None)])
def test_retry_after_is_read_where_it_can_be(make: Make, header: str, low: float | None, high: float | None) -> None:
    failure = says(make, 503, "busy", "text/plain", **{"Retry-After": header})
    assert isinstance(failure, Failure) and failure.retry_after == low == high


def by_path(**answers: tuple[int, str]) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        status, text = answers.get(request.path.strip("/").replace("/", "_"), (404, "not found"))
        return web.Response(status=status, text=text, content_type="application/json")

    return handler


@pytest.mark.parametrize(
    ("make", "answers", "expected"),
    [
        (tgi(), {"info": (200, '{"model_id":"a/b","model_sha":"c","version":"3.3.6","max_concurrent_requests":7}')},
         Identity("a/b", "c", "3.3.6")),
        (tgi(), {"info": (200, '{"model_id":"/data","model_sha":null,"max_input_length":9}')},
         Identity("/data", None, None)),
        (openai(model=""), {"info": (200, '{"model_id":"a/b","version":"3.3.6"}')}, Identity("a/b", None, "3.3.6")),
        (openai(model=""), {"v1_models": (200, '{"data":[{"id":"x","root":"/m/x"}]}'),
                            "version": (200, '{"version":"0.33"}')}, Identity("x", "/m/x", "0.33")),
        (openai(model="y"), {"v1_models": (200, '{"data":[{"id":"x"},{"id":"y","created":5}]}')},
         Identity("y", None, None)),
        (openai(model=""), {"v1_models": (200, '{"data":[{"id":"x"},{"id":"y"}]}')}, "several models; `served_as`"),
        (openai(model="z"), {"v1_models": (200, '{"data":[{"id":"x"},{"id":"y"}]}')}, "no model 'z'"),
        (openai(model=""), {"info": (503, "ill")}, "HTTP 503: ill"),
        (openai(model=""), {"v1_models": (200, '{"data":[{"id":"x"}]}'), "version": (503, "ill")}, "HTTP 503: ill"),
        (tgi(), {"info": (200, "<html>")}, "not from a TGI"),
        (tgi(), {}, "HTTP 404"),
    ],
)  # fmt: skip
def test_identity_is_what_the_server_says_and_an_ill_server_says_nothing(
    make: Make, answers: dict[str, tuple[int, str]], expected: object
) -> None:
    found = outcome(make, by_path(**answers), lambda client: client.info())
    if isinstance(found, Failure):
        assert str(expected) in found.reason
    else:
        assert found.identity == expected  # type: ignore[attr-defined]


POLICY = Policy(attempts=3, deadline_seconds=10)


def test_overload_is_waited_out_and_not_counted() -> None:
    full = Failure(FailureKind.OVERLOADED, "full")
    patient = POLICY._replace(deadline_seconds=1e6)
    waits = [decide(full, patient, failed=0, waits=count, elapsed=5, random=Random(1)) for count in (0, 4, 8, 50)]
    seconds = [step.seconds for step in waits if isinstance(step, Wait)]
    assert seconds == sorted(seconds) and len(seconds) == 4 and seconds[-1] <= 30, "pauses grow, to 30 s"


def test_what_can_never_succeed_is_not_repeated() -> None:
    assert decide(Failure(FailureKind.FATAL, "bad"), POLICY, 1, 0, 0, Random(1)) == GiveUp("bad")


def test_attempts_and_deadline_end_in_a_reason() -> None:
    spent = decide(Failure(FailureKind.RETRYABLE, "reset"), POLICY, failed=3, waits=2, elapsed=1, random=Random(1))
    assert isinstance(spent, GiveUp) and "3 attempts" in spent.reason and "reset" in spent.reason
    late = decide(Failure(FailureKind.OVERLOADED, "full"), POLICY, 0, 5, elapsed=11, random=Random(1))
    assert isinstance(late, GiveUp) and "deadline of 10 s" in late.reason


def test_a_server_that_asks_for_time_gets_it() -> None:
    asked = Failure(FailureKind.RETRYABLE, "busy", retry_after=4.0)
    assert decide(asked, POLICY, 1, 0, 0, Random(1)) == Wait(4.0)


def test_what_postgres_cannot_keep_becomes_a_replacement_character() -> None:
    assert storable("a\x00b\ud800c\U0001f642") == "a\ufffdb\ufffdc\U0001f642"


def test_half_a_surrogate_pair_in_an_answer_is_an_answer() -> None:
    reply = says(tgi(), 200, GOOD.replace('"Yes"', '"Yes\\ud800"'))
    assert isinstance(reply, Reply) and reply.text == "Yes\ud800"
