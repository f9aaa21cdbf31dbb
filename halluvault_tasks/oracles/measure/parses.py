"""Parses kept in a file, so that the same texts are parsed once however often they are read."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from halluvault_tasks.reading.parser import Parse, Token

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
            rows = self._kept.execute(f"SELECT sentence, words FROM parse WHERE sentence IN ({marks})", part)  # noqa: S608
            found |= {sentence: tuple(Token(*word) for word in json.loads(words)) for sentence, words in rows}
        return found

    def add(self, parses: Mapping[str, Parse]) -> None:
        """Keep them; what is there stays."""
        with self._kept:
            rows = [(sentence, json.dumps(parse, ensure_ascii=False)) for sentence, parse in parses.items()]
            self._kept.executemany("INSERT OR IGNORE INTO parse VALUES (?, ?)", rows)
