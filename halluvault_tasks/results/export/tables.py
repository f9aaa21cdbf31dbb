"""The documented views of a month as CSV, JSON lines or Parquet, one file per view."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.folder import Folder, duckdb
from halluvault_tasks.results import views

EXPORTED = ("metrics", "pairs", "trend", "cost", "cases", "responses", "verdicts")
"""Views of `results_v1`, whole; the wide ones are `metrics` in another form."""

_BATCH = 1_000

_TYPES = {
    "date": "DATE", "timestamp with time zone": "TIMESTAMPTZ", "boolean": "BOOLEAN", "double precision": "DOUBLE",
    "bigint": "BIGINT", "integer": "INTEGER", "smallint": "SMALLINT",
}  # fmt: skip
"""Postgres' types as DuckDB's; everything else, JSON included, is text."""


def csv_files(session: Session, snapshot: str, folder: Folder) -> dict[str, int]:
    """CSV in UTF-8 with a header; NULL is empty, JSON is text."""
    counts = {}
    for view, columns in _views(session).items():
        with folder.path(f"{view}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            counts[view] = 0
            for row in _rows(session, view, columns, snapshot):
                writer.writerow(row.values())
                counts[view] += 1
    return counts


def jsonl_files(session: Session, snapshot: str, folder: Folder) -> dict[str, int]:
    """JSON lines; what is JSON in the database is text, so that every row has the same types."""
    return {
        view: folder.lines(f"{view}.jsonl", _rows(session, view, columns, snapshot))
        for view, columns in _views(session).items()
    }


def parquet_files(session: Session, snapshot: str, folder: Folder) -> dict[str, int]:
    """Parquet with the views' own types.

    Raises:
        UserError: duckdb is not installed.
    """
    connect = duckdb().connect
    counts = {}
    for view, columns in _views(session).items():
        lines = f"{view}.jsonl"
        counts[view] = folder.lines(lines, _rows(session, view, columns, snapshot))
        types = {name: _TYPES.get(kind, "VARCHAR") for name, kind in columns.items()}
        # One thread: row groups, and so the bytes, come in the order of the rows.
        with connect(config={"threads": 1}) as connection:
            found = connection.read_json(
                str(folder.path(lines)), format="newline_delimited", columns=types, maximum_object_size=2**28
            )
            found.write_parquet(str(folder.path(f"{view}.parquet")), compression="zstd")
        folder.path(lines).unlink()
    return counts


def _views(session: Session) -> dict[str, dict[str, str]]:
    """View → column → Postgres type."""
    found: dict[str, dict[str, str]] = {view: {} for view in EXPORTED}
    for column in views.columns(session):
        schema, _, view = column.view.rpartition(".")
        if schema == views.SCHEMA and view in found:
            found[view][column.name] = column.type
    return found


def _rows(session: Session, view: str, columns: Mapping[str, str], snapshot: str) -> Iterator[dict[str, Any]]:
    order = _ORDER.get(view, "1")
    query = text(f"SELECT * FROM {views.SCHEMA}.{view} WHERE snapshot = :snapshot ORDER BY {order}")  # noqa: S608
    found = session.execute(query, {"snapshot": snapshot}, execution_options={"yield_per": _BATCH})
    names: Sequence[str] = tuple(columns)
    for row in found:
        yield dict(zip(names, map(_plain, row), strict=True))


_ORDER = {
    "metrics": "evaluation_id, profile, profile_version, suite, scope, key, metric",
    "pairs": "profile, suite, model_a, model_b, variant",
    "trend": "evaluation_id, profile, suite",
    "cost": "evaluation_id",
    "cases": "case_id",
    "responses": "evaluation_id, case_id, sample",
    "verdicts": "evaluation_id, case_id, sample, profile, profile_version",
}


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return value.isoformat() if hasattr(value, "isoformat") else value
