"""The ASGI application of a simulated server: several models behind one port, each at `/<name>`.

It reads bodies, sends answers and events, notices clients that disconnect, and produces the faults that only a
transport can: resets, silence, bodies shorter than promised.
"""

import asyncio
import hmac
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

from halluvault_tasks.local.simulator import batches, hosted, routes
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.replies import EventStream, WholeAnswer
from halluvault_tasks.local.simulator.wire import MAX_BODY_BYTES, Incoming

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_APIS = {"tgi": routes.respond, "openai": hosted.respond}
"""`ServerManner.api` → what answers."""

_NOT_FOUND = WholeAnswer(404, b"", "text/plain; charset=utf-8")


class SimulatorApp:
    """The ASGI application of one server.

    Args:
        models: mounted by their short name.
        api_key: if not empty, what `Authorization: Bearer` must carry on the routes that generate.
        keep_alive: seconds of silence after which a stream gets a comment.
    """

    def __init__(self, models: Sequence[SimulatedModel], api_key: str = "", keep_alive: float = 15.0) -> None:
        self.models = {model.name: model for model in models}
        self._api_key = api_key
        self._keep_alive = keep_alive

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer one request; a client that goes away frees its slot."""
        if scope["type"] != "http":
            return
        name, _slash, rest = scope["path"][1:].partition("/")
        model = self.models.get(name)
        route = "/" + rest
        uploads = model is not None and model.desk.step(scope["method"], route) == "upload"
        body = await _body(receive, batches.MOST_BYTES if uploads else MAX_BODY_BYTES)
        if body is None:
            return
        if model is None:
            # The process's own health, for its starter; the models' is below their names.
            health = WholeAnswer(200, b"", "text/plain; charset=utf-8")
            await _answer(send, health if scope["path"] == "/health" else _NOT_FOUND)
            return
        headers = dict(scope["headers"])
        asked = Incoming(
            scope["method"],
            route,
            headers.get(b"content-type", b"").decode("latin-1"),
            body,
            self._has_key(headers, model.manner.header.lower()),
            dict(parse_qsl(scope["query_string"].decode("latin-1"))),
        )
        gone = asyncio.create_task(_gone(receive))
        try:
            answer = await _unless(gone, _APIS[model.manner.api](model, asked))
            if isinstance(answer, EventStream):
                await self._stream(send, answer, gone)
            elif answer is not None:
                await _answer(send, answer, gone, bare=scope["method"] == "HEAD")
        finally:
            gone.cancel()

    def _has_key(self, headers: Mapping[bytes, bytes], name: str) -> bool:
        wanted = f"Bearer {self._api_key}" if name == "authorization" else self._api_key
        given = headers.get(name.encode("latin-1"), b"")
        return not self._api_key or hmac.compare_digest(given, wanted.encode())

    async def _stream(self, send: _Send, stream: EventStream, gone: asyncio.Task[None]) -> None:
        headers = [(key.encode(), value.encode()) for key, value in stream.headers]
        headers.append((b"content-type", b"text/event-stream"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        events = stream.events
        pending: asyncio.Task[bytes] | None = None
        try:
            while not gone.done():
                pending = pending or asyncio.create_task(_next(events))
                either: set[asyncio.Future[Any]] = {pending, gone}
                await asyncio.wait(either, timeout=self._keep_alive, return_when=asyncio.FIRST_COMPLETED)
                if pending.done():
                    done, pending = pending, None
                    await send({"type": "http.response.body", "body": done.result(), "more_body": True})
                elif not gone.done():
                    await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
        except StopAsyncIteration:
            if stream.fault == "drop":
                _abort(send)
                return
            if stream.fault == "hang_after_headers":
                await gone
            await send({"type": "http.response.body", "body": b""})
        finally:
            if pending is not None:
                pending.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration):
                    await pending
            await events.aclose()


async def _next(events: AsyncGenerator[bytes]) -> bytes:
    return await anext(events)


async def _unless(
    gone: asyncio.Task[None], work: Awaitable[WholeAnswer | EventStream]
) -> WholeAnswer | EventStream | None:
    """What work comes to; None, and the work is cancelled, when the client goes away first."""
    this = asyncio.current_task()

    def leave(_gone: asyncio.Task[None]) -> None:
        if this is not None and not gone.cancelled():
            this.cancel()

    gone.add_done_callback(leave)
    try:
        return await work
    except asyncio.CancelledError:
        if not gone.done():
            raise
        return None
    finally:
        gone.remove_done_callback(leave)


async def _gone(receive: _Receive) -> None:
    """Return when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: _Receive, most: int) -> bytes | None:
    """The request's body, at most one byte more than the limit; None when the client went away."""
    message = await receive()
    if message["type"] == "http.disconnect":
        return None
    first: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        return first[: most + 1]
    parts, length = [first], len(first)
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        if length <= most:
            parts.append(part)
            length += len(part)
        if not message.get("more_body", False):
            return b"".join(parts)[: most + 1]


async def _answer(send: _Send, answer: WholeAnswer, gone: asyncio.Task[None] | None = None, bare: bool = False) -> None:
    """Send an answer, or its headers alone, and play its fault."""
    if answer.fault == "reset":
        _abort(send)
        return
    if answer.fault == "stale":
        _transport(send).close()
        return
    if answer.fault == "hang" and gone is not None:
        await gone
        return
    headers = [(b"content-length", b"%d" % len(answer.body))]
    if answer.content_type:
        headers.append((b"content-type", answer.content_type.encode()))
    headers += [(key.encode(), value.encode()) for key, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if not answer.fault:
        await send({"type": "http.response.body", "body": b"" if bare else answer.body})
        return
    await send({"type": "http.response.body", "body": answer.body[: len(answer.body) // 2], "more_body": True})
    if answer.fault == "hang_after_headers" and gone is not None:
        await gone
    elif answer.fault == "short":
        _transport(send).close()
    else:
        _abort(send)


def _transport(send: _Send) -> asyncio.Transport:
    """The connection below a response; ASGI has no word for it, so it is taken from uvicorn."""
    transport: asyncio.Transport = send.__self__.transport  # type: ignore[attr-defined]
    return transport


def _abort(send: _Send) -> None:
    """Reset the connection (RST, not FIN)."""
    transport = _transport(send)
    raw = transport.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
