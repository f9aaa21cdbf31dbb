"""Simulated text-generation-inference servers: several models behind one port, each at `/<name>`.

    python -m halluvault_tasks.local.simulator --port 8081 --models careful,overconfident

The base URL of a model is `http://127.0.0.1:8081/careful`. The personas (`local.personas`) look each prompt up at
request time through the role `halluvault_sim` (`HALLUVAULT_SIM_DATABASE_URL`) and keep there which fault they
planted; no reply carries it. Served: POST / (without streaming) and /generate, GET /info /health /ping / /v1/models.
"""

import argparse
import asyncio
import signal
import socket
import struct
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.personas import PERSONAS, Personas
from halluvault_tasks.local.simulator_faults import parse
from halluvault_tasks.local.simulator_model import Answer, SimulatedModel
from halluvault_tasks.local.simulator_protocol import MAX_BODY_BYTES
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.sessions import engine

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


def _server(app: SimulatorApp, port: int, host: str = "127.0.0.1") -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="warning",
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=30,
            backlog=2048,
            timeout_graceful_shutdown=10,
        )
    )


@contextmanager
def serving(models: Sequence[SimulatedModel], port: int = 0) -> Iterator[str]:
    """Serve models from a thread of this process, for tests; yields the server's URL without a slash at the end."""
    port = port or processes.free_port()
    processes.require_free(port, "the simulated model server")
    server = _server(SimulatorApp(models), port)
    started = threading.Event()

    async def serve() -> None:
        task = asyncio.ensure_future(server.serve())
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        started.set()
        await task

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    started.wait(timeout=20)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; running requests are finished first."""
    parser = argparse.ArgumentParser(prog="python -m halluvault_tasks.local.simulator", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="TCP port")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--models", required=True, help=f"comma-separated, of: {', '.join(PERSONAS)}")
    parser.add_argument("--faults", default="", help="e.g. overloaded=0.1,reset=0.05,seed=7 (default: none)")
    parser.add_argument("--seed", type=int, default=1, help="of the personas' fault plans (default: 1)")
    parser.add_argument("--revision", default="1", help="another revision is another model_sha (default: 1)")
    options = parser.parse_args(arguments)
    try:
        _serve(options.host, options.port, options.models, options.faults, options.seed, options.revision)
    except UserError as error:
        print(f"simulator: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _serve(host: str, port: int, names: str, faults_text: str, seed: int, revision: str) -> None:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in PERSONAS]:
        raise UserError(f"no persona {unknown[0]!r}; there are: {', '.join(PERSONAS)}", "correct --models")
    if not wanted:
        raise UserError("--models is empty", f"name some of: {', '.join(PERSONAS)}")
    url = settings().sim_database_url
    if not url.startswith("postgresql"):
        raise UserError(
            f"HALLUVAULT_SIM_DATABASE_URL is {url!r}; it must be the results database's URL through halluvault_sim",
            "`make demo KEEP=1` prints one; `halluvault db roles` makes the role",
        )
    processes.require_free(port, "the simulated model server")
    personas = Personas(engine(url), seed)
    faults = parse(faults_text)
    app = SimulatorApp([SimulatedModel(name, personas.answer, revision, faults=faults) for name in wanted])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        _server(app, port, host).run()


if __name__ == "__main__":
    sys.exit(main())
