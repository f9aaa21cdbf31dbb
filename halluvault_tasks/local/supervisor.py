"""Children that are started again when they end before their time, as a service manager would."""

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


class Supervisor:
    """Keeps children alive, in the order in which they were given.

    Args:
        pids: where `processes` keeps its records.
        clock: monotonic seconds.
    """

    def __init__(self, pids: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._pids = pids
        self._clock = clock
        self._kept: dict[str, tuple[Child, Callable[[], Child]]] = {}
        self._ended: dict[str, deque[float]] = {}

    def keep(self, child: Child, again: Callable[[], Child]) -> None:
        """Watch over a child.

        Args:
            child: started already.
            again: starts it as it was: same port, same folder.
        """
        self._kept[child.name] = child, again
        self._ended[child.name] = deque(maxlen=_MOST)

    def look(self) -> list[str]:
        """Start again what has ended, what else it left in its session gone first; names of what could be started.

        Raises:
            UserError: one of them ends again and again.
        """
        started = []
        for name, (child, again) in list(self._kept.items()):
            if child.process() is not None:
                continue
            now, ended = self._clock(), self._ended[name]
            if len(ended) == _MOST and now - ended[0] < _WITHIN_SECONDS:
                raise UserError(
                    f"{name} ended {_MOST + 1} times within {_WITHIN_SECONDS:.0f} s",
                    "its log lies in the state directory; fix what it says, then run the same command again",
                )
            ended.append(now)
            processes.stop(child, self._pids)
            try:
                self._kept[name] = again(), again
            except UserError as error:  # of a Postgres that others of its own still hold on to; tried at the next look
                _log.warning("%s ended, and could not be started again yet: %s", name, error.message)
            else:
                _log.warning("%s ended, and was started again", name)
                started.append(name)
        return started
