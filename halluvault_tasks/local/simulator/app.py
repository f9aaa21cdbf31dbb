"""The ASGI application of a simulated server: several models behind one port, each at `/<name>`."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from typing import Any

from halluvault_tasks.local.simulator.model import Answer, SimulatedModel
from halluvault_tasks.local.simulator.protocol import MAX_BODY_BYTES

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class SimulatorApp:
    """The ASGI application of one server.

    Args:
        models: mounted by their short name.
    """

    def __init__(self, models: Sequence[SimulatedModel]) -> None:
        self.models = {model.name: model for model in models}

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer one request; a client that goes away frees its slot."""
        if scope["type"] != "http":
            return
        _empty, name, *rest = [*scope["path"].split("/", 2), ""][:3]
        model = self.models.get(name)
        route = "/" + (rest[0] if rest else "")
        body = await _body(receive)
        if body is None:
            return
        if model is None:
            # The process's own health, for whoever starts it; the models' stands below their names.
            status = 200 if scope["path"] == "/health" else 404
            await _answer(send, Answer(status, b"", "text/plain; charset=utf-8"))
            return
        work = asyncio.ensure_future(_route(model, scope, route, body))
        gone = asyncio.ensure_future(receive())
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not work.done():
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            return
        await _answer(send, work.result())


async def _route(model: SimulatedModel, scope: _Scope, route: str, body: bytes) -> Answer:
    match scope["method"], route:
        case "POST", ("/generate" | "/"):
            content_type = next(
                (value.decode("latin-1") for key, value in scope["headers"] if key == b"content-type"), ""
            )
            return await model.generate(body, content_type, root=route == "/")
        case "GET", "/info":
            return model.info()
        case "GET", ("/health" | "/ping" | "/"):
            return Answer(200, b"", "")
        case "GET", "/v1/models":
            return model.models()
        case _, ("/generate" | "/" | "/info" | "/health" | "/ping" | "/v1/models"):
            return Answer(405, b"", "")
    return Answer(404, b"", "")


async def _body(receive: _Receive) -> bytes | None:
    """The request's body, at most one byte more than the limit; None when the client went away."""
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        if length <= MAX_BODY_BYTES:
            parts.append(part)
            length += len(part)
        if not message.get("more_body", False):
            return b"".join(parts)[: MAX_BODY_BYTES + 1]


async def _answer(send: _Send, answer: Answer) -> None:
    if answer.fault == "reset":
        _abort(send)
        return
    headers = [(b"content-length", str(len(answer.body)).encode())]
    if answer.content_type:
        headers.append((b"content-type", answer.content_type.encode()))
    headers += [(key.encode(), value.encode()) for key, value in answer.headers]
    if answer.status == 503:
        headers.append((b"retry-after", b"0"))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.fault == "drop":
        await send({"type": "http.response.body", "body": answer.body[: len(answer.body) // 2], "more_body": True})
        _abort(send)
        return
    await send({"type": "http.response.body", "body": answer.body})


def _abort(send: _Send) -> None:
    """Reset the connection (RST, not FIN). ASGI has no word for it, so the transport is taken from uvicorn."""
    transport = send.__self__.transport  # type: ignore[attr-defined]
    raw = transport.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
