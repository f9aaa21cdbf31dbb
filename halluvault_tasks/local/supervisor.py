"""Children that are restarted when they end too early, as by a service manager."""

import logging
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.processes import Child

_log = logging.getLogger(__name__)

_MOST, _WITHIN_SECONDS = 5, 120.0
"""A child that ends oftener within such a time is broken, and not unlucky."""


class CrashLoop(UserError):
    """A child ends again and again."""


class Supervisor:
    """Keeps children alive, in the order in which they were given.

    Args:
        pids: where `processes` keeps its records.
        clock: monotonic seconds.
    """

    def __init__(self, pids: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._pids = pids
        self._clock = clock
        self._kept: dict[str, tuple[Child, Callable[[], Child], Path]] = {}
        self._ended: dict[str, deque[float]] = {}

    def keep(self, child: Child, again: Callable[[], Child], log: Path) -> None:
        """Watch over a child.

        Args:
            child: started already.
            again: starts it as it was: same port, same folder.
            log: its output.
        """
        self._kept[child.name] = child, again, log
        self._ended[child.name] = deque(maxlen=_MOST)

    def kill(self, name: str) -> None:
        """End a child that runs and does nothing any more; the next look ends its session and starts it again."""
        child = self._kept[name][0]
        _log.warning("%s is running, but no longer does anything", name)
        if process := child.process():
            process.kill()
            process.wait()

    def look(self) -> list[str]:
        """Start again what has ended, what else it left in its session gone first; names of what could be started.

        Raises:
            Broken: one of them ends again and again.
        """
        started = []
        for name, (child, again, log) in list(self._kept.items()):
            if child.process() is not None:
                continue
            now, ended = self._clock(), self._ended[name]
            if len(ended) == _MOST and now - ended[0] < _WITHIN_SECONDS:
                raise CrashLoop(
                    f"{name} ended {_MOST + 1} times within {_WITHIN_SECONDS:.0f} s: {processes.last_words(log)}",
                    f"fix what it says ({log}), then run the same command again: it resumes here",
                )
            ended.append(now)
            processes.stop(child, self._pids)
            try:
                self._kept[name] = again(), again, log
            except UserError as error:  # of a Postgres that others of its own still hold on to; tried at the next look
                _log.warning("%s ended, and could not be started again yet: %s", name, error.message)
            else:
                _log.warning("%s ended, and was started again", name)
                started.append(name)
        return started
