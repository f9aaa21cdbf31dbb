"""Bulk rows into Postgres through COPY.

Values travel in COPY's text format, escaped here; no value ever becomes SQL text.
"""

import io
import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

_CHUNK = 1 << 20
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\ufffd"})


def _array_item(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return str(value)
    return '"' + str(value).replace("\0", "\ufffd").replace("\\", "\\\\").replace('"', '\\"') + '"'


def _field(value: Any, as_json: bool) -> str:
    if value is None:
        return "\\N"
    if as_json:
        return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("\\u0000", "\ufffd").translate(_ESCAPES)
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, int | float | Decimal):
        return str(value)
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    if isinstance(value, list | tuple):
        return ("{" + ",".join(_array_item(item) for item in value) + "}").translate(_ESCAPES)
    return str(value).translate(_ESCAPES)


class _Rows(io.RawIOBase):
    """A readable stream over formatted rows, so that COPY holds one chunk in memory, not all rows."""

    def __init__(self, rows: Iterable[Sequence[Any]], json_columns: Sequence[bool]) -> None:
        self._rows = iter(rows)
        self._json = json_columns
        self._pending = b""
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = _CHUNK if size < 0 else size
        parts, length = [self._pending], len(self._pending)
        while length < wanted:
            row = next(self._rows, None)
            if row is None:
                break
            line = (
                "\t".join(_field(value, as_json) for value, as_json in zip(row, self._json, strict=True)).encode()
                + b"\n"
            )
            parts.append(line)
            length += len(line)
            self.count += 1
        data = b"".join(parts)
        if size < 0:
            self._pending = b""
            return data
        self._pending = data[wanted:]
        return data[:wanted]


def copy_rows(
    session: Session, table: Table, columns: Sequence[str], rows: Iterable[Sequence[Any]], into: str | None = None
) -> int:
    """COPY rows into a table within the session's transaction.

    Args:
        session: open session; nothing is committed here.
        table: target, which also tells the column types (JSONB values are serialised).
        columns: names, in the order of each row's values.
        rows: streamed once; NUL characters, which Postgres cannot store, become U+FFFD.
        into: another table's name of the same shape (a staging table or partition).

    Returns:
        Number of rows copied.
    """
    preparer = session.get_bind().dialect.identifier_preparer
    target = preparer.quote(into) if into else preparer.format_table(table)
    names = ", ".join(preparer.quote(name) for name in columns)
    stream = _Rows(rows, [isinstance(table.c[name].type, JSONB) for name in columns])
    driver = session.connection().connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        cursor.copy_expert(f"COPY {target} ({names}) FROM STDIN", stream)
    return stream.count
