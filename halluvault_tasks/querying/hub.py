"""`client: hub`: answers asked for and read by huggingface_hub, the maintained client of text-generation-inference.

The library builds each request of `/generate` and `/v1/chat/completions`, sends it through httpx and reads the answer.
We only enforce the rules that hold for every model server's answer: a body is read up to `MOST_BYTES`, no redirect is
followed, a status other than 200 is a `Failure` before the library sees it (it would take a refusal's words for
parameters to omit from then on, for all servers), no key is sent but the server's own, and a request ends after its
time. What the library cannot do (identify a server, its template, count tokens) goes through our own transport.
"""

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

import aiohttp
import httpx2
import huggingface_hub
from huggingface_hub.utils._http import default_async_client_factory

from halluvault_tasks.querying.replies import Failure, Kind, storable
from halluvault_tasks.querying.transport import (
    CONNECT_SECONDS,
    MOST_BYTES,
    Body,
    Transport,
    first_line,
    parsed,
    refused,
    too_long,
)

_NAMED = frozenset({"frequency_penalty", "max_tokens", "response_format", "seed", "stop", "temperature", "top_p"})
"""Fields of a chat request that the library has an argument for; the others are its `extra_body`."""
_NO_TOKEN = "none"
"""Given where a server has no key: without any, the library sends the operator's own for Hugging Face."""
_OTHER_SHAPE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the library raises on a body of another shape than it expects."""


class Wire(httpx2.AsyncBaseTransport):
    """Connections of the library's clients in one event loop, without a limit, since lanes bound themselves."""

    def __init__(self) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._inner = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False, limits=limits)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request of the library, and the whole answer of status 200.

        Raises:
            Failure: anything else came.
        """
        call = _CALL.get()
        assert call is not None, "the library asks through this wire inside HubTransport.post alone"
        if not call.has_key:
            request.headers.pop("authorization", None)
        # The whole request has its own limit (`HubTransport.post`): an answer may take long before its first byte.
        request.extensions = {**request.extensions, "timeout": {"connect": CONNECT_SECONDS}}
        try:
            answer = await self._inner.handle_async_request(request)
            try:
                body = call.without_key(await _whole(answer))
            finally:
                await answer.aclose()
        except httpx2.TimeoutException as error:
            raise Failure(Kind.RETRYABLE, f"no answer within {CONNECT_SECONDS:g} s", timed_out=True) from error
        except httpx2.RequestError as error:
            what = "cannot connect" if isinstance(error, httpx2.ConnectError) else "connection broke"
            said = str(error) or type(error).__name__
            raise Failure(Kind.RETRYABLE, storable(f"{what}: {said[:300]}")) from error
        call.heard.append(Body(answer.status_code, answer.headers, body))
        if answer.status_code != 200:
            raise refused(call.heard[-1])
        return httpx2.Response(200, content=body, headers={"Content-Type": "application/json"})

    async def aclose(self) -> None:
        """Nothing: one of the library's clients is done, and the others go on. `close` ends the connections."""

    async def close(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


class _Call(NamedTuple):
    """One request on its way through the library, which passes neither headers nor bodies on."""

    wire: Wire
    has_key: bool
    without_key: Callable[[bytes], bytes]
    heard: list[Body]


_CALL: ContextVar[_Call | None] = ContextVar("_CALL", default=None)


class HubTransport(Transport):
    """The way to one base URL, on which the library asks what it has a call for.

    Args:
        wire: connections of the library's clients.
        session: those of our own, for everything else.
        base_url: without a slash at the end.
        timeout_seconds: for a whole request.
        token: API key of the server; empty for none.
    """

    def __init__(
        self, wire: Wire, session: aiohttp.ClientSession, base_url: str, timeout_seconds: float, token: str = ""
    ) -> None:
        super().__init__(session, base_url, timeout_seconds, token)
        self._wire, self._seconds, self._has_key = wire, timeout_seconds, bool(token)
        given: dict[str, Any] = {"token": token or _NO_TOKEN}
        # A base URL alone would be asked at `/`, which answers with prompt and text.
        self._raw = huggingface_hub.AsyncInferenceClient(base_url=f"{base_url}/generate", **given)
        self._turns = huggingface_hub.AsyncInferenceClient(base_url=f"{base_url}/v1", **given)

    async def post(self, path: str, payload: Mapping[str, Any]) -> Body:
        """The answer as the library read it, written down again, with the headers that came with it.

        Raises:
            Failure: no whole answer came, or one that the library cannot read.
        """
        ask = {"/generate": self._generated, "/v1/chat/completions": self._chatted}.get(path)
        if ask is None:
            return await super().post(path, payload)
        call = _Call(self._wire, self._has_key, self._without_key, [])
        before = _CALL.set(call)
        try:
            async with asyncio.timeout(self._seconds):
                read = json.dumps(_said(await ask(payload)))
        except TimeoutError as error:
            raise Failure(Kind.RETRYABLE, f"no answer within {self._seconds:g} s", timed_out=True) from error
        except _OTHER_SHAPE as error:
            if not call.heard:
                raise
            body = call.heard[-1].body
            parsed(body)
            raise Failure(
                Kind.RETRYABLE, f"HTTP 200 without what huggingface_hub reads: {first_line(body)!r}", 200
            ) from error
        finally:
            _CALL.reset(before)
        return Body(200, call.heard[-1].headers, read.encode())

    async def _generated(self, payload: Mapping[str, Any]) -> Any:
        return await self._raw.text_generation(payload["inputs"], **payload["parameters"])

    async def _chatted(self, payload: Mapping[str, Any]) -> Any:
        form = payload.get("response_format")
        if form is not None and form.get("type") == "json_schema":
            # The library puts it into TGI's words for any server, where others ignore it.
            raise Failure(Kind.FATAL, "huggingface_hub cannot send OpenAI's json_schema")
        named = {name: value for name, value in payload.items() if name in _NAMED}
        extra = {name: value for name, value in payload.items() if name not in _NAMED | {"model", "messages"}}
        return await self._turns.chat_completion(
            payload["messages"], model=payload["model"], extra_body=extra or None, **named
        )


async def _whole(answer: httpx2.Response) -> bytes:
    """The body of an answer, unpacked piece by piece, of which no more than `MOST_BYTES` are kept.

    Raises:
        Failure: it has more.
    """
    parts, size = [], 0
    async for part in answer.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise too_long(answer.status_code)
    return b"".join(parts)


def _said(read: Any) -> Any:
    """What the library read, without the fields that it adds as None for all that a server left out."""
    if isinstance(read, dict):
        return {name: _said(value) for name, value in read.items() if value is not None}
    return [_said(value) for value in read] if isinstance(read, list) else read


def _client() -> httpx2.AsyncClient:
    """A client of the library, using the wire of the call it is made for, whatever else uses the library."""
    call = _CALL.get()
    if call is None:
        return default_async_client_factory()
    # None of its hooks: its offline mode would refuse even 127.0.0.1.
    plain = {"Accept-Encoding": "identity"}
    return httpx2.AsyncClient(transport=call.wire, trust_env=False, follow_redirects=False, timeout=None, headers=plain)


# One for the whole process is all that the library takes.
huggingface_hub.set_async_client_factory(_client)
