"""A dump's file: unpacked, checked, hashed and dated in one stream, whatever its size.

N-Triples and Turtle, plain, .gz or .bz2, in the format of Wikidata's RDF dumps. What is handed on are blocks of whole
lines in N-Triples' plainest form, one triple a line; whoever reads them searches for the lines that it wants. Lines
that have that form already, as Wikidata's dumps do, are checked by one regular expression; whatever has another, and
all Turtle, goes through a parser, which refuses it or puts it into that form. So every byte is checked, and a file that
ends in mid-line or is badly compressed is refused with its name. IRIs that break RFC 3987, which real dumps contain,
pass: nothing here depends on them.

A reading can be left at any block and taken up there: the file is unpacked again from the start of the gzip member (or
bzip2 stream) in which the block lies, without being read, and what was hashed before must still be the same bytes.
"""

import bz2
import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import pyoxigraph
import re2

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata.iris import DATA_SET, PREFIXES, WIKIBASE

_FORMATS = {".nt": pyoxigraph.RdfFormat.N_TRIPLES, ".ttl": pyoxigraph.RdfFormat.TURTLE}
_MODIFIED = PREFIXES["schema"] + "dateModified"
_HEADS = frozenset({DATA_SET, WIKIBASE + "Dump"})
"""What carries the date of all the data: the query service's name for it, and the dumps'."""
_PIECE = 1 << 16
"""Bytes that are read from the file at a time."""
_BLOCK = 1 << 20
"""Bytes of text that are handed on at a time: they stay in the processor's cache while several searches go over them.
A dump's own date is looked for in the first such block: it stands at the top."""
_LONGEST = 1 << 26
"""Bytes of a line: more is no line of a dump."""
_TRIPLES = 16_384
"""Triples of Turtle that are handed on at a time."""

_IRI = r'<[^\x00-\x1f<>"\\]*>'
_NODE = "_:[A-Za-z0-9]+"
_UNIT = "(?:[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})"
_ESCAPE = rf"""\\(?:[tbnrf"'\\]|u{_UNIT}|U(?:0000{_UNIT}|000[1-9A-Fa-f][0-9A-Fa-f]{{4}}|0010[0-9A-Fa-f]{{4}}))"""
_TEXT = rf'"(?:[^"\\\x00\n\r]|{_ESCAPE})*"(?:\^\^{_IRI}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?'
_PLAIN = re2.compile(rf"(?:(?:{_IRI}|{_NODE}) {_IRI} (?:{_IRI}|{_NODE}|{_TEXT}) \.\n)*".encode())
"""Lines in their plainest form. Not Python's `re`: it takes longer than the parser, and this a third of its time."""


class DumpChanged(Exception):
    """The file is no longer the one of which a part was read."""


class DumpPlace(NamedTuple):
    """A place in a dump's file from which a reading goes on; JSON-safe."""

    member: int = 0
    """Byte of the file at which the gzip member, or bzip2 stream, begins that it lies in; of a plain file, the place
    itself."""
    unpacked: int = 0
    """Bytes of text from there to the place."""
    triples: int = 0
    """Triples before it."""
    hashed: int = 0
    """Bytes of the file that were read until then."""
    sha256: str = ""
    """Of these."""
    plain: bool = True
    """Whether every line before it had the plainest form."""


class Dump(NamedTuple):
    """A dump's file."""

    path: Path
    kind: pyoxigraph.RdfFormat
    packing: str
    """`.gz`, `.bz2` or empty."""

    def sha256(self) -> str:
        """Of the whole file."""
        with self.path.open("rb") as raw:
            return hashlib.file_digest(raw, "sha256").hexdigest()

    def stated_date(self) -> date | None:
        """The date of the dump's data, if the dump states it at its top.

        Raises:
            UserError: the file cannot be read.
        """
        top = next(iter(DumpStream(self)), "")
        for line in top.splitlines():
            subject, _, rest = line.partition(" ")
            predicate, _, value = rest.partition(" ")
            if predicate[1:-1] == _MODIFIED and subject[1:-1] in _HEADS:
                try:
                    return date.fromisoformat(value[1:11])
                except ValueError:
                    return None
        return None


def find(path: Path) -> Dump:
    """A file as a dump.

    Raises:
        UserError: it is not there, or its name has another ending.
    """
    name, packing = path.name, ""
    for ending in _UNPACKERS:
        if ending and name.endswith(ending):
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
    """The file's bytes as they are on disk, hashed on their way, each once.

    Args:
        raw: the file, open at its start.
        place: from which it is read on.

    Raises:
        DumpChanged: what was hashed then is not what is there now.
    """

    def __init__(self, raw: IO[bytes], place: DumpPlace) -> None:
        self.sha256 = hashlib.sha256()
        self.hashed = 0
        self._raw = raw
        while data := raw.read(min(_BLOCK, place.hashed - self.hashed)):
            self._hash(data)
        if place.hashed and (self.hashed, self.sha256.hexdigest()) != (place.hashed, place.sha256):
            raise DumpChanged
        raw.seek(place.member)
        self.at = place.member
        """Byte of the file that comes next."""

    def read(self, size: int) -> bytes:
        """The next bytes; empty at the end."""
        data = self._raw.read(size)
        new = self.at + len(data) - self.hashed
        self.at += len(data)
        if new > 0:
            self._hash(data[-new:])
        return data

    def _hash(self, data: bytes) -> None:
        self.sha256.update(data)
        self.hashed += len(data)


class _Unpacker(Protocol):
    """One gzip member, one bzip2 stream, or all of a plain file."""

    @property
    def eof(self) -> bool:
        """Whether its end has come."""

    @property
    def unused_data(self) -> bytes:
        """What came after its end."""

    @property
    def needs_input(self) -> bool:
        """Whether more of the file is needed for more text."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """At most so many bytes of text; without `needs_input`, more come for nothing."""


class _Gzip:
    """A gzip member, with the surface of `bz2.BZ2Decompressor`; its checksum and length are checked at its end."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        text = self._member.decompress(self._member.unconsumed_tail + data, max_length)
        self.needs_input = not self._member.unconsumed_tail and len(text) < max_length
        return text


class _Unpacked:
    """A file that is not packed."""

    eof = False
    unused_data = b""
    needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return data


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {"": _Unpacked, ".gz": _Gzip, ".bz2": bz2.BZ2Decompressor}


class _Text(io.RawIOBase):
    """The unpacked bytes of a file; `io.RawIOBase`, so that a parser reads from it, too.

    Args:
        hashed: the file, where a member begins.
        packing: as `Dump.packing`.
    """

    def __init__(self, hashed: _Hashed, packing: str) -> None:
        self._hashed, self._packing = hashed, packing
        self._packed = b""
        self._open: _Unpacker | None = None
        self.members = [(0, hashed.at)]
        """Members that began: bytes of text before each, and the byte of the file at which it begins."""
        self.count = 0
        """Bytes of text so far."""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer, at least in part; 0 at the end."""
        text = self.piece(len(buffer))
        buffer[: len(text)] = text
        return len(text)

    def piece(self, most: int) -> bytes:
        """The next bytes of text; empty at the end.

        Raises:
            EOFError: the file ends within a member.
        """
        while True:
            if self._open is not None and self._open.eof:
                # What is filled up with zeros after the last member, as by tape, is no other.
                self._packed, self._open = self._open.unused_data.lstrip(b"\0"), None
            if not self._packed and (self._open is None or self._open.needs_input):
                self._packed = self._hashed.read(_PIECE)
                if not self._packed:
                    break
                if self._open is None and self.count:
                    self._packed = self._packed.lstrip(b"\0")
                    continue
            if self._open is None:
                self._open = _UNPACKERS[self._packing]()
                self.members.append((self.count, self._hashed.at - len(self._packed)))
            packed, self._packed = self._packed, b""
            if text := self._open.decompress(packed, most):
                self.count += len(text)
                return text
        if self._packing and self._open is not None:
            raise EOFError("the compressed file ends before its end marker")
        return b""

    def member(self, at: int) -> tuple[int, int]:
        """The last member that began at or before a byte of text: (bytes of text before it, byte of the file)."""
        while len(self.members) > 1 and self.members[1][0] <= at:
            self.members.pop(0)
        return self.members[0]


class DumpStream:
    """One pass over a dump, or the rest of one.

    Args:
        dump: the file.
        start: where to begin.
        checked: whether an earlier pass over the same bytes found every line plain.
    """

    def __init__(self, dump: Dump, start: DumpPlace = DumpPlace(), *, checked: bool = False) -> None:
        self.size = dump.path.stat().st_size
        self.done = 0
        """Bytes of the file read so far."""
        self.triples = start.triples
        """Triples so far, those before the start among them."""
        self.sha256 = ""
        """Of the whole file, once the stream has ended."""
        self.place: DumpPlace | None = None
        """Where the block ends that was handed on last; None in Turtle, whose prefixes stand at its top."""
        self.plain = start.plain
        """Whether every line so far had the plainest form."""
        self._dump = dump
        self._start = start
        self._checked = checked

    def __iter__(self) -> Iterator[str]:
        """Every triple as a line, in blocks of whole lines, each with a newline before it and at its end.

        Raises:
            UserError: the file is cut short, damaged or no RDF of its kind; says where.
            DumpChanged: it is not the file in which the start lies.
        """
        with self._refusing(), self._dump.path.open("rb") as raw:
            hashed = _Hashed(raw, self._start)
            text = _Text(hashed, self._dump.packing)
            turtle = self._dump.kind == pyoxigraph.RdfFormat.TURTLE
            for block in self._parsed(text) if turtle else self._lines(hashed, text):
                self.done = hashed.at
                yield block
            while hashed.read(_BLOCK):
                pass
            self.done, self.sha256 = hashed.at, hashed.sha256.hexdigest()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (SyntaxError, EOFError, OSError, ValueError, zlib.error) as error:
            raise UserError(
                f"{self._dump.path.name} cannot be read: {error}",
                "it is truncated, damaged or not Wikidata's RDF; download it again. Nothing of it was kept",
            ) from error

    def _parsed(self, text: _Text) -> Iterator[str]:
        triples = pyoxigraph.parse(input=io.BufferedReader(text, _BLOCK), format=self._dump.kind, lenient=True)
        while block := _plain(islice(triples, _TRIPLES)):
            self.triples += block.count("\n")
            yield "\n" + block

    def _lines(self, hashed: _Hashed, text: _Text) -> Iterator[str]:
        skip, base = self._start.unpacked, 0 if self._dump.packing else self._start.member
        while skip and (piece := text.piece(min(skip, _BLOCK))):
            skip -= len(piece)
        done = text.count
        for raw in _whole_lines(text):
            try:
                block = raw.decode()
            except UnicodeDecodeError as error:
                raise ValueError(f"after {self.triples} triples: {error}") from error
            done += len(raw)
            if not self._checked and not _PLAIN.fullmatch(raw):
                self.plain = False
                block = self._reformed(raw)
            self.triples += block.count("\n")
            before, member = text.member(done) if self._dump.packing else (done, base + done)
            state = (self.triples, hashed.hashed, hashed.sha256.hexdigest(), self.plain)
            self.place = DumpPlace(member, done - before, *state)
            yield "\n" + block

    def _reformed(self, raw: bytes) -> str:
        """Lines that the parser takes, in their plainest form."""
        try:
            return _plain(pyoxigraph.parse(input=raw, format=self._dump.kind, lenient=True))
        except SyntaxError as error:
            raise ValueError(f"after {self.triples} triples: {error}") from error


def _plain(triples: Iterable[pyoxigraph.Triple]) -> str:
    return bytes(pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES) or b"").decode()


def _whole_lines(text: _Text) -> Iterator[bytes]:
    """Blocks of whole lines; what stands after the last newline is one, whatever it is."""
    parts: list[bytes] = []
    size = 0
    while piece := text.piece(_BLOCK):
        parts.append(piece)
        size += len(piece)
        if size >= _BLOCK and b"\n" in piece:
            block = b"".join(parts)
            end = block.rfind(b"\n") + 1
            parts, size = [block[end:]], len(block) - end
            yield block[:end]
        elif size > _LONGEST:
            raise ValueError(f"a line of more than {_LONGEST >> 20} MB")
    if rest := b"".join(parts):
        yield rest
