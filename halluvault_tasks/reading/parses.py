"""Parses kept in a file, so that the same texts are parsed once however often they are read.

A file that cannot be read or written is none: what it lacks is parsed anew.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from halluvault_tasks.reading import parser as made_by
from halluvault_tasks.reading.parser import KeepingParser, Parse, Token

_ASKED_AT_ONCE = 500


class StoredParses:
    """Parses of one parser in an SQLite file.

    Args:
        folder: where the file lies; made if need be.
        identity: of the parser; another one has another file.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(identity.encode()).hexdigest()[:16]
        # Who parses may be a thread of a pool; SQLite itself lets them take turns.
        self._kept = sqlite3.connect(folder / f"parses-{name}.sqlite", timeout=600, check_same_thread=False)
        self._kept.execute("PRAGMA journal_mode = WAL")
        self._kept.execute("CREATE TABLE IF NOT EXISTS parse (sentence TEXT PRIMARY KEY, words TEXT) WITHOUT ROWID")

    def find(self, sentences: Sequence[str]) -> Mapping[str, Parse]:
        """Those that it has."""
        found: dict[str, Parse] = {}
        for start in range(0, len(sentences), _ASKED_AT_ONCE):
            part = sentences[start : start + _ASKED_AT_ONCE]
            marks = ", ".join("?" * len(part))
            with suppress(sqlite3.Error):
                rows = self._kept.execute(f"SELECT sentence, words FROM parse WHERE sentence IN ({marks})", part)  # noqa: S608
                found |= {sentence: tuple(Token(*word) for word in json.loads(words)) for sentence, words in rows}
        return found

    def add(self, parses: Mapping[str, Parse]) -> None:
        """Keep them; what is there stays."""
        with suppress(sqlite3.Error), self._kept:
            rows = [(sentence, json.dumps(parse, ensure_ascii=False)) for sentence, parse in parses.items()]
            self._kept.executemany("INSERT OR IGNORE INTO parse VALUES (?, ?)", rows)


@contextmanager
def kept(parser: KeepingParser, folder: Path) -> Iterator[None]:
    """Have a parser take from a folder's file, and keep in it, what it parses until the block ends.

    Args:
        parser: one that has such a file already keeps that.
        folder: made if need be; nothing is kept where that cannot be.
    """
    before = parser.stored
    # What makes parses of spaCy's documents is as much part of them as its model.
    identity = f"{parser.identity} {hashlib.sha256(Path(made_by.__file__).read_bytes()).hexdigest()}"
    with suppress(OSError, sqlite3.Error):
        parser.stored = before or StoredParses(folder, identity)
    try:
        yield
    finally:
        parser.stored = before
