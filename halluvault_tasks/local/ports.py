"""Stable ports: a demo's server listens where it did last time, so that URLs and settings stay valid."""

import logging
from pathlib import Path

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes, secret_files

_log = logging.getLogger(__name__)


class Ports:
    """One port for each name, kept in `ports.json` of a state directory.

    Args:
        state: directory that belongs to one demo alone.
    """

    def __init__(self, state: Path) -> None:
        self._file = state / "ports.json"

    def of(self, name: str) -> int:
        """A server's port: the same as last time, or another one, with a log line, if that is taken."""
        kept = secret_files.read(self._file)
        before = int(kept.get(name, 0))
        if before:
            try:
                processes.require_free(before, name)
            except UserError:
                _log.warning("port %d, where %s answered the last time, is taken", before, name)
            else:
                return before
        port = processes.free_port()
        if before:
            _log.warning("%s answers on port %d from now on", name, port)
        secret_files.write(self._file, kept | {name: str(port)})
        return port
