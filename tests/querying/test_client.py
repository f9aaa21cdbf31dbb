"""The transport's classification, against loopback servers that misbehave on purpose."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import aiohttp
import pytest
from aiohttp import web

from halluvault_tasks.querying.client import Failure, Kind, TgiClient, storable
from halluvault_tasks.querying.retries import GiveUp, Policy, Wait, decide

GOOD = '{"generated_text":"Yes","details":{"finish_reason":"eos_token","generated_tokens":2,"prefill":[],"tokens":[]}}'


def outcome(handler: Callable[[web.Request], Awaitable[web.StreamResponse]], timeout: float = 10.0) -> object:
    """What `generate` makes of a server that answers with `handler`: a Reply or the Failure."""

    async def run() -> object:
        app = web.Application()
        app.router.add_post("/generate", handler)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        try:
            async with aiohttp.ClientSession() as http:
                return await TgiClient(http, f"http://127.0.0.1:{port}", timeout).generate(
                    "hello", {"do_sample": False}
                )
        except Failure as failure:
            return failure
        finally:
            await runner.cleanup()

    return asyncio.run(run())


def says(status: int, text: str, kind: str = "application/json", **headers: str) -> object:
    async def handler(_request: web.Request) -> web.Response:
        return web.Response(status=status, text=text, content_type=kind, headers=headers)

    return outcome(handler)


@pytest.mark.parametrize(
    ("status", "text", "kind", "expected", "reason"),
    [
        (429, '{"error":"overloaded","error_type":"overloaded"}', "application/json", Kind.OVERLOADED, "overl"),
        (422, '{"error":"Input: x","error_type":"validation"}', "application/json", Kind.FATAL, "x"),
        (422, "Failed to deserialize the JSON body", "text/plain", Kind.FATAL, "Failed to deserialize"),
        (400, "Failed to parse the request body as JSON: EOF", "text/plain", Kind.FATAL, "EOF"),
        (401, "", "text/plain", Kind.FATAL, "empty body"),
        (404, "<html>nope</html>", "text/html", Kind.FATAL, "nope"),
        (302, "", "text/plain", Kind.FATAL, "302"),
        (424, '{"error":"Request failed during generation: Server error: x","error_type":"generation"}',
         "application/json", Kind.RETRYABLE, "Server error"),
        (500, '{"error":"Incomplete generation","error_type":"incomplete_generation"}', "application/json",
         Kind.RETRYABLE, "Incomplete"),
        (502, "<html>\n<h1>Bad gateway</h1>", "text/html", Kind.RETRYABLE, "<html>"),
        (400, '{"detail":"no such model"}', "application/json", Kind.FATAL, "no such model"),
        (503, '{"error":{"message":"busy"}}', "application/json", Kind.RETRYABLE, "busy"),
        (200, "<!DOCTYPE html>log in", "text/html", Kind.RETRYABLE, "no JSON"),
        (200, GOOD[:40], "application/json", Kind.RETRYABLE, "no JSON"),
        (200, '{"generated_text":"Yes"}', "application/json", Kind.RETRYABLE, "without"),
        (200, "[]", "application/json", Kind.RETRYABLE, "without"),
    ],
)  # fmt: skip
def test_every_answer_but_a_whole_one_is_a_classified_failure(
    status: int, text: str, kind: str, expected: Kind, reason: str
) -> None:
    failure = says(status, text, kind)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.status) == (expected, status)
    assert reason in failure.reason and "\n" not in failure.reason


def test_a_whole_answer_carries_text_reason_counts_and_times() -> None:
    async def handler(request: web.Request) -> web.Response:
        body = await request.json()
        assert body["parameters"] == {"do_sample": False, "details": True, "return_full_text": False}
        return web.Response(
            text=GOOD,
            content_type="application/json",
            headers={"x-queue-time": "3", "x-inference-time": "40", "x-total-time": "44", "x-prompt-tokens": "12"},
        )

    assert outcome(handler) == ("Yes", "eos_token", 12, 2, 3, 40, 44)


def test_a_connection_cut_inside_the_body_is_retryable() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "500", "Content-Type": "application/json"})
        await response.prepare(request)
        await response.write(b'{"generated_text":"Yes')
        assert request.transport is not None
        request.transport.abort()
        return response

    failure = outcome(handler)
    assert isinstance(failure, Failure) and failure.kind is Kind.RETRYABLE


def test_a_hung_server_is_given_up_after_the_timeout() -> None:
    async def handler(_request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        return web.Response()

    failure = outcome(handler, timeout=0.05)
    assert isinstance(failure, Failure) and failure.kind is Kind.RETRYABLE and "0.05 s" in failure.reason


@pytest.mark.parametrize(("header", "low", "high"), [("7", 7, 7), ("0.5", 0.5, 0.5), ("soon", None, None)])
def test_retry_after_is_read_where_it_can_be(header: str, low: float | None, high: float | None) -> None:
    failure = says(503, "busy", "text/plain", **{"Retry-After": header})
    assert isinstance(failure, Failure) and failure.retry_after == low == high


POLICY = Policy(attempts=3, deadline_seconds=10)


def test_overload_is_waited_out_and_not_counted() -> None:
    step = decide(Failure(Kind.OVERLOADED, "full"), POLICY, failed=0, waits=50, elapsed=5, random=Random(1))
    assert isinstance(step, Wait) and 0 <= step.seconds <= POLICY.cap_seconds


def test_what_can_never_succeed_is_not_repeated() -> None:
    assert decide(Failure(Kind.FATAL, "bad"), POLICY, 1, 0, 0, Random(1)) == GiveUp("bad")


def test_attempts_and_deadline_end_in_a_reason() -> None:
    spent = decide(Failure(Kind.RETRYABLE, "reset"), POLICY, failed=3, waits=2, elapsed=1, random=Random(1))
    assert isinstance(spent, GiveUp) and "3 attempts" in spent.reason and "reset" in spent.reason
    late = decide(Failure(Kind.OVERLOADED, "full"), POLICY, 0, 5, elapsed=11, random=Random(1))
    assert isinstance(late, GiveUp) and "deadline of 10 s" in late.reason


def test_a_server_that_asks_for_time_gets_it() -> None:
    asked = Failure(Kind.RETRYABLE, "busy", retry_after=4.0)
    assert decide(asked, POLICY, 1, 0, 0, Random(1)) == Wait(4.0)


def test_what_postgres_cannot_keep_becomes_a_replacement_character() -> None:
    assert storable("a\x00b\ud800c\U0001f642") == "a\ufffdb\ufffdc\U0001f642"
