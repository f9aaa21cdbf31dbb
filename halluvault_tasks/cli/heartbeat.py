"""A line every ten seconds from a command that works on: for pipes and logs, where no bar is drawn.

A command that says nothing for ten minutes looks dead. On a terminal bars move, and nothing is added.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from halluvault_tasks.cli.common import log
from halluvault_tasks.knowledge.progress import duration

SECONDS = 10.0
"""Between two lines."""


def _print(line: str) -> None:
    log.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def heartbeat(
    what: str | Callable[[], str],
    *,
    every: float = SECONDS,
    tell: Callable[[str], None] = _print,
    watched: bool | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[None]:
    """Say every few seconds what is being done and for how long, until the block ends.

    Args:
        what: what is being done, or how far it is when asked.
        every: seconds between lines.
        tell: takes each line; stderr by default.
        watched: whether somebody sees bars instead; None means where stderr is a terminal.
        clock: monotonic seconds.
    """
    if log.is_terminal if watched is None else watched:
        yield
        return
    began, end = clock(), threading.Event()

    def beat() -> None:
        while not end.wait(every):
            said = what if isinstance(what, str) else what()
            tell(f"{said}: {duration(clock() - began)} so far")

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
