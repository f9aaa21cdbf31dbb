"""Requests on their way into batches: files of at most so many lines and bytes, each of one turn."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from halluvault_tasks.querying.batches.book import Asked, custom_id


class SpooledBatch:
    """One file.

    Args:
        folder: where it is.
        turn: that it asks.
    """

    def __init__(self, folder: Path, turn: int) -> None:
        self.key, self.turn = secrets.token_hex(8), turn
        self.path = folder / f"{self.key}.jsonl"
        self.asked: list[Asked] = []
        self.size = 0


class Spool:
    """The files of one round.

    Args:
        folder: where they are until they are handed in.
        line: a request's id and body as a line.
        requests: of a file, at most.
        size: bytes of a file, at most.
    """

    def __init__(self, folder: Path, line: Callable[[str, Mapping[str, Any]], bytes], requests: int, size: int) -> None:
        self._folder, self._line, self._requests, self._size = folder, line, requests, size
        self._filling: dict[int, SpooledBatch] = {}
        self._full: list[SpooledBatch] = []

    def add(self, asked: Asked, turn: int, body: Mapping[str, Any]) -> None:
        """Write a request."""
        if turn not in self._filling:
            self._filling[turn] = SpooledBatch(self._folder, turn)
        mine = self._filling[turn]
        written = self._line(custom_id(mine.key, len(mine.asked)), body) + b"\n"
        if mine.asked and (len(mine.asked) >= self._requests or mine.size + len(written) > self._size):
            self._full.append(self._filling.pop(turn))
            self.add(asked, turn, body)
            return
        with mine.path.open("ab") as file:
            file.write(written)
        mine.asked.append(asked)
        mine.size += len(written)

    def batches(self) -> Iterator[SpooledBatch]:
        """All of them, earlier turns first."""
        yield from sorted([*self._full, *self._filling.values()], key=lambda one: one.turn)
