"""Progress of a working command, and for how long it runs: a line every ten seconds, or beside a spinner on a terminal.

A command that says nothing for ten minutes looks dead. Progress is the last line that a stage logged.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from rich.markup import escape

from halluvault_tasks.cli.common import log

SECONDS = 10.0
"""Between two lines."""
_SPINNER_SECONDS = 1.0


def _print(line: str) -> None:
    log.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def heartbeat(
    what: str | Callable[[], str],
    *,
    bars: bool = False,
    every: float = SECONDS,
    tell: Callable[[str], None] = _print,
    watched: bool | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[None]:
    """Say what is being done and for how long, until the block ends.

    Args:
        what: what is being done, told with the last line that a stage logged; or how far it is when asked.
        bars: the caller draws bars on a terminal; there nothing is added to them.
        every: seconds between lines.
        tell: takes each line; stderr by default.
        watched: whether somebody sees bars and spinners; None means where stderr is a terminal.
        clock: monotonic seconds.
    """
    terminal = log.is_terminal if watched is None else watched
    if terminal and bars:
        yield
        return
    began, end = clock(), threading.Event()

    def line(now: str) -> str:
        minutes, seconds = divmod(round(clock() - began), 60)
        return f"{now}: {f'{minutes} min ' if minutes else ''}{seconds} s so far"

    def beat() -> None:
        while not end.wait(every):
            tell(line("; ".join(filter(None, (what, latest.line))) if isinstance(what, str) else what()))

    with ExitStack() as opened:
        latest = opened.enter_context(_logged())
        if terminal:
            status = opened.enter_context(log.status(escape(what if isinstance(what, str) else what())))
            every, tell = _SPINNER_SECONDS, lambda said: status.update(escape(said))
        thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()


class _Latest(logging.Handler):
    """Keeps the last line that this package logged."""

    line = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.line = record.getMessage()


@contextmanager
def _logged() -> Iterator[_Latest]:
    logger, latest = logging.getLogger("halluvault_tasks"), _Latest(logging.INFO)
    level = logger.level
    logger.addHandler(latest)
    logger.setLevel(logging.INFO)
    try:
        yield latest
    finally:
        logger.setLevel(level)
        logger.removeHandler(latest)
