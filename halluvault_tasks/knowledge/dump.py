"""A dump's file: opened, decompressed, parsed, hashed and dated in one stream, whatever its size.

N-Triples and Turtle, plain, .gz or .bz2, in the format of Wikidata's RDF dumps. The parser checks every byte, so a file
that ends in mid-line or is badly compressed is refused with its name. IRIs that break RFC 3987, which real dumps
contain, pass: nothing here depends on them.
"""

import bz2
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple, cast

import pyoxigraph

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata.iris import DATA_SET, PREFIXES, WIKIBASE

_FORMATS = {".nt": pyoxigraph.RdfFormat.N_TRIPLES, ".ttl": pyoxigraph.RdfFormat.TURTLE}
_PACKED = (".gz", ".bz2")
_MODIFIED = PREFIXES["schema"] + "dateModified"
_HEADS = frozenset({DATA_SET, WIKIBASE + "Dump"})
"""What carries the date of all the data: the query service's name for it, and the dumps'."""
_CHUNK = 16_384
"""Triples handed on at a time. A dump's own date is looked for in the first such piece: it stands at the top."""


class Dump(NamedTuple):
    """A dump's file."""

    path: Path
    kind: pyoxigraph.RdfFormat
    packing: str
    """`.gz`, `.bz2` or empty."""

    def stated_date(self) -> date | None:
        """The date of the dump's data, if the dump states it at its top.

        Raises:
            UserError: the file cannot be read.
        """
        for triple in next(iter(DumpStream(self)), []):
            if triple.predicate.value == _MODIFIED and getattr(triple.subject, "value", "") in _HEADS:
                try:
                    return date.fromisoformat(str(getattr(triple.object, "value", ""))[:10])
                except ValueError:
                    return None
        return None


def find(path: Path) -> Dump:
    """A file as a dump.

    Raises:
        UserError: it is not there, or its name has another ending.
    """
    name, packing = path.name, ""
    for ending in _PACKED:
        if name.endswith(ending):
            name, packing = name.removesuffix(ending), ending
    kind = next((kind for ending, kind in _FORMATS.items() if name.endswith(ending)), None)
    if kind is None:
        raise UserError(
            f"source {path.name!r} must end in .nt or .ttl, plain or with .gz or .bz2",
            "give a dump in Wikidata's RDF format, such as latest-all.nt.gz",
        )
    if not path.is_file():
        raise UserError(f"source {path} does not exist")
    return Dump(path, kind, packing)


class _Hashed:
    """The file's bytes as they are on disk, hashed on their way."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.sha256 = hashlib.sha256()
        self.count = 0
        self._raw = raw

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        self.sha256.update(data)
        self.count += len(data)
        return data


class DumpStream:
    """One pass over a dump.

    Args:
        dump: the file.
    """

    def __init__(self, dump: Dump) -> None:
        self.size = dump.path.stat().st_size
        self.done = 0
        """Bytes of the file read so far."""
        self.sha256 = ""
        """Of the whole file, once the stream has ended."""
        self._dump = dump

    def __iter__(self) -> Iterator[list[pyoxigraph.Triple]]:
        """Every triple, in lists of some thousands: a generator that yields each would cost as much as the parser.

        Raises:
            UserError: the file is cut short, damaged or no RDF of its kind; says where.
        """
        name = self._dump.path.name
        try:
            with self._dump.path.open("rb") as raw:
                hashed = _Hashed(raw)
                triples = pyoxigraph.parse(input=self._unpacked(hashed), format=self._dump.kind, lenient=True)
                while chunk := list(islice(triples, _CHUNK)):
                    self.done = hashed.count
                    yield cast(list[pyoxigraph.Triple], chunk)
                while hashed.read(1 << 20):
                    pass
                self.done, self.sha256 = hashed.count, hashed.sha256.hexdigest()
        except (SyntaxError, EOFError, OSError, ValueError, zlib.error) as error:
            raise UserError(
                f"{name} cannot be read: {error}",
                "it is truncated, damaged or not Wikidata's RDF; download it again. Nothing of it was kept",
            ) from error

    def _unpacked(self, hashed: _Hashed) -> IO[bytes]:
        raw = cast(IO[bytes], hashed)
        if self._dump.packing == ".gz":
            return cast(IO[bytes], gzip.GzipFile(fileobj=raw, mode="rb"))
        return bz2.BZ2File(raw) if self._dump.packing == ".bz2" else raw
