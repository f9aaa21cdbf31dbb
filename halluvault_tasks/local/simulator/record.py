"""What a simulated server really sent, recorded apart from its replies, to compare others' records with."""

import json
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TextIO


class Sent(NamedTuple):
    """One answer that left the server whole."""

    model: str
    model_sha: str | None
    route: str
    prompt: str
    """What was asked (`conversation.key`): text, or a conversation whose own turns are null."""
    seed: int | None
    """The sampling seed, None when greedy."""
    text: str
    finish_reason: str


class Record:
    """A list of what was sent; also a file of JSON lines, where a path is given."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: TextIO | None = None
        self._lock = Lock()
        self.sent: list[Sent] = []

    def add(self, sent: Sent) -> None:
        """Keep one answer; in a file each is flushed, so that a killed server leaves what it sent."""
        if self._path is None:
            self.sent.append(sent)
            return
        with self._lock:
            if self._file is None:
                self._file = self._path.open("a", encoding="utf-8", errors="surrogatepass")
            self._file.write(json.dumps(sent._asdict(), ensure_ascii=False) + "\n")
            self._file.flush()
