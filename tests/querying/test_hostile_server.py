"""A model server that means harm, or is broken in ways nobody thought of: each answer is a reply or a `Failure`."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from aiohttp import web
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from halluvault_tasks.querying import servers
from halluvault_tasks.querying.rates import LONGEST_WAIT
from halluvault_tasks.querying.replies import ChatTemplate, Client, Failure, FailureKind, Reply, ServerInfo
from halluvault_tasks.querying.retry_policy import GiveUp, Policy, decide
from halluvault_tasks.querying.transport import MOST_BYTES
from tests.querying.test_client import GOOD, HUB, Make, openai, outcome, says, tgi

KEY = "hunter2-hunter2"
CLIENTS = [
    tgi(), tgi(stream=True), tgi(completions=False), tgi(completions=False, stream=True),
    openai(), openai(stream=True), openai(completions=True), *HUB,
]  # fmt: skip
CALLS: list[Callable[[Client], Awaitable[object]]] = [
    lambda client: client.complete("q"),
    lambda client: client.info(),
    lambda client: client.template(),
    lambda client: client.count_tokens("q"),
    lambda client: client.healthy(),
]
NAMES = st.sampled_from([
    "choices", "message", "content", "delta", "finish_reason", "usage", "prompt_tokens", "text", "index", "error",
    "data", "id", "root", "max_model_len", "version", "generated_text", "details", "generated_tokens", "model_id",
    "model_sha",     "max_concurrent_requests", "tokenize_response", "count", "error_type",
])  # fmt: skip
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("stop"))
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=5)),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=BODIES)
@example(body={"error": None, "error_type": []})
def test_whatever_json_comes_every_method_keeps_its_promise(body: object) -> None:
    text = json.dumps(body)

    async def handler(request: web.Request) -> web.StreamResponse:
        asked = await request.text() if request.can_read_body else ""
        if '"stream":true' in asked or request.path == "/generate_stream":
            return web.Response(text=f"data: {text}\n\ndata: [DONE]\n\n", content_type="text/event-stream")
        return web.Response(text=text, content_type="application/json")

    async def every(port: int) -> list[object]:
        found: list[object] = []
        async with servers.Http() as http:
            for make in CLIENTS:
                for call in CALLS:
                    try:
                        found.append(await call(make(http, f"http://127.0.0.1:{port}")))
                    except Failure as failure:
                        found.append(failure)
        return found

    async def run() -> list[object]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            return await every(site._server.sockets[0].getsockname()[1])  # type: ignore[union-attr]
        finally:
            await runner.cleanup()

    for one in asyncio.run(run()):
        assert one is None or isinstance(one, Failure | Reply | ServerInfo | ChatTemplate | int | bool)


@pytest.mark.parametrize("make", CLIENTS)
@pytest.mark.parametrize(
    "body", ['{"choices": 5}', "[" * 200_000 + "]" * 200_000, '{"a":' * 200_000 + "1" + "}" * 200_000]
)
def test_a_malformed_body_is_a_failure_that_may_pass(make: Make, body: str) -> None:
    for status in (200, 500):
        found = says(make, status, body)
        assert isinstance(found, Failure) and found.kind is FailureKind.RETRYABLE
        assert len(found.reason) < 500


@pytest.mark.parametrize("make", CLIENTS)
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("status", [200, 500])
def test_an_endless_body_is_given_up_at_the_limit(make: Make, kind: str, status: int) -> None:
    sent = 0

    async def handler(_request: web.Request) -> web.StreamResponse:
        nonlocal sent
        answer = web.StreamResponse(status=status, headers={"Content-Type": kind})
        await answer.prepare(_request)
        while True:  # until whoever asked hangs up
            await answer.write(b"x" * (1 << 20))
            sent += 1 << 20

    found = outcome(make, handler)
    assert isinstance(found, Failure) and "more than 8 MB" in found.reason
    assert sent < 4 * MOST_BYTES


@pytest.mark.parametrize("make", [tgi(60.0), tgi(60.0, client="hub")])
def test_a_packed_body_is_never_unpacked_beyond_the_limit(make: Make) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        answer = web.Response(body=b"\x00" * (1 << 28), content_type="application/json")
        answer.enable_compression(web.ContentCoding.gzip)
        return answer

    found = outcome(make, handler)
    assert isinstance(found, Failure) and "more than 8 MB" in found.reason


@pytest.mark.parametrize(
    "make", [tgi(token=KEY), openai(token=KEY), openai(token=KEY, stream=True), tgi(token=KEY, client="hub")]
)
def test_a_key_that_the_server_echoes_reaches_neither_reasons_nor_answers(make: Make) -> None:
    for status in (200, 401, 500):
        found = says(make, status, f'{{"error": "bad key {KEY}; headers: Authorization: Bearer {KEY}"}}')
        assert isinstance(found, Failure)
        assert KEY not in found.reason


@pytest.mark.parametrize("make", [tgi(token=KEY), tgi(token=KEY, client="hub")])
def test_a_key_in_an_answer_is_taken_out_of_it(make: Make) -> None:
    reply = says(make, 200, GOOD.replace("Yes", f"Yes, {KEY}"))
    assert isinstance(reply, Reply) and reply.text == "Yes, [key]"


@pytest.mark.parametrize("make", [tgi(), tgi(client="hub")])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_never_followed(make: Make, status: int) -> None:
    asked = []

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append(request.path)
        return web.Response(status=status, headers={"Location": "http://127.0.0.1:1/elsewhere"})

    found = outcome(make, handler)
    assert isinstance(found, Failure) and found.kind is FailureKind.FATAL
    assert asked == ["/generate"]


@pytest.mark.parametrize("value", ["inf", "1e400", "999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "nan", "-5"])
def test_no_retry_after_is_longer_than_a_month_and_no_wait_than_a_prompts_deadline(value: str) -> None:
    found = says(tgi(), 503, "full", **{"Retry-After": value})
    assert isinstance(found, Failure) and 0 <= (found.retry_after or 0) <= LONGEST_WAIT
    step = decide(found, Policy(8, 900.0), 0, 0, 0.0, Random(1))
    assert isinstance(step, GiveUp) or step.seconds <= 900
