"""`halluvault metrics`: counts of the newest months, for a Prometheus server."""

import signal
import sys
import threading
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest, start_http_server

from halluvault_tasks.cli.common import log, open_session
from halluvault_tasks.errors import UserError
from halluvault_tasks.results.metrics import FromDatabase, rows
from halluvault_tasks.settings import settings

metrics = typer.Typer(no_args_is_help=True, help="Counts of the newest two months, in Prometheus' format.")


def _read(statement: str) -> Sequence[Sequence[Any]]:
    with open_session() as session:
        return rows(session, statement)


@metrics.command()
def show() -> None:
    """Print them once; exit status 2 if the database does not answer."""
    settings().require_database()
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FromDatabase(_read))
    text = generate_latest(registry).decode()
    if "halluvault_up 0" in text:
        _read("SELECT 1")  # says why
    sys.stdout.write(text)


@metrics.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 9108,
) -> None:
    """Serve them at /metrics until SIGTERM or Ctrl-C; refreshed at most every 15 s, however often they are scraped.

    If the database does not answer, `halluvault_up` is 0.
    """
    settings().require_database()
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FromDatabase(_read))
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        raise UserError(f"port {port} of {host} is taken ({error.strerror})", "choose another with --port") from error
    log.print(f"metrics: http://{host}:{port}/metrics", markup=False)
    ended = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: ended.set())
    ended.wait()
    server.shutdown()
    thread.join()


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(metrics, name="metrics")
