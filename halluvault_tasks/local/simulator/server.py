"""Running a simulated server: in this process for tests, or as a process of its own."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from halluvault_tasks.local import processes
from halluvault_tasks.local.simulator.app import SimulatorApp
from halluvault_tasks.local.simulator.model import SimulatedModel


def build(app: SimulatorApp, port: int, host: str = "127.0.0.1") -> uvicorn.Server:
    """A server that is not yet running; it drains on SIGTERM."""
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
def serving(
    models: Sequence[SimulatedModel], port: int = 0, api_key: str = "", keep_alive: float = 15.0
) -> Iterator[str]:
    """Serve models from a thread of this process, for tests; yields the server's URL without a slash at the end."""
    with in_thread(SimulatorApp(models, api_key, keep_alive), port) as url:
        yield url


@contextmanager
def in_thread(app: SimulatorApp, port: int = 0) -> Iterator[str]:
    """Serve from a thread of this process, on loopback; yields the URL without a slash at the end.

    Args:
        app: the simulated models.
        port: 0 for any that is free.
    """
    port = port or processes.free_port()
    processes.require_free(port, "the simulated model server")
    server = build(app, port)
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
