"""Events from CSV, queries from JSON lines: what `halluvault temporal check` and `explain` read."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.encode import require_known
from halluvault_tasks.temporal.parsing import Trees, build
from halluvault_tasks.temporal.run_in_prolog import BATCH
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.steps import Steps
from halluvault_tasks.temporal.timed import Cutoff, Span, Timed, span, timed
from halluvault_tasks.temporal.units import Granularity, parse_date, parse_point

_COLUMNS = ("name", "start", "end")
_JSON = json.JSONEncoder(ensure_ascii=False).encode


class FileQueries(NamedTuple):
    """A queries file, line by line."""

    identities: list[str]
    """As JSON: given back as they came."""

    points: list[int]
    programs: list[str]
    """What `run_in_prolog.answers` runs."""


def read_events(
    file: Path, granularity: Granularity, limit: Cutoff | None = None, open_terms: bool = False
) -> dict[str, Timed]:
    """Read events: columns name, start, end; several rows a name; dates as `units.parse_date` reads them.

    Args:
        file: CSV in UTF-8 with a header.
        granularity: unit of time; an event holds in every unit that it touches.
        limit: where knowledge ends; None clips nothing.
        open_terms: whether there may be rows that the file does not list.

    Raises:
        UserError: naming the line, what it contains and what is accepted.
    """
    spans: dict[str, list[Span]] = {}
    for line, row in _csv_rows(file):
        name = row["name"]
        if not name or "\0" in name:
            raise UserError(f"{file.name} line {line}: the name is empty or holds a NUL character")
        try:
            term = span(parse_date(row["start"]), parse_date(row["end"]), granularity)
        except UserError as error:
            raise UserError(f"{file.name} line {line}, event {name[:60]!r}: {error.message}") from None
        spans.setdefault(name, []).append(term)
    within = Interval(None, None) if open_terms else None
    return {name: timed(name, tuple(rows), open_within=within, limit=limit) for name, rows in spans.items()}


def _csv_rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
                raise UserError(
                    f"{file.name} has no column {', '.join(missing)}; its first line must be name,start,end"
                )
            for row in reader:
                if any(row[name] is None for name in _COLUMNS) or None in row:
                    raise UserError(f"{file.name} line {reader.line_num} does not have the columns of the first line")
                yield reader.line_num, row
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise _no_utf8(file) from None
    except csv.Error as error:
        raise UserError(f"{file.name} line {reader.line_num} is not CSV: {error}") from error


def _no_utf8(file: Path) -> UserError:
    """Says where the first byte stands that is not UTF-8."""
    with file.open("rb") as stream:
        for line, content in enumerate(stream, 1):
            try:
                content.decode()
            except UnicodeDecodeError as error:
                column = len(content[: error.start].decode()) + 1
                return UserError(
                    f"{file.name} line {line}: column {column}: byte {content[error.start]:#04x} is not UTF-8"
                )
    return UserError(f"{file.name} is not in UTF-8")


def read_queries(file: Path, granularity: Granularity, history: Mapping[str, Timed]) -> FileQueries:
    """Read queries: `{"id": …, "formula": "F[0,40] p", "at": 1800}` a line, blank lines skipped.

    Args:
        file: JSON lines in UTF-8.
        granularity: what `at` counts in (also a date of that precision, as text).
        history: the events that formulas may name.

    Raises:
        UserError: naming the line and the column where there is one.
    """
    found, steps = FileQueries([], [], []), Steps(history)
    try:
        with file.open(encoding="utf-8") as stream:
            for line, text in enumerate(stream, 1):
                if not text.strip():
                    continue
                try:
                    identity, formula, at = _query(text, granularity)
                    steps.ask(formula, at)
                except UserError as error:
                    raise UserError(f"{file.name} line {line}: {error}") from None
                found.identities.append(_JSON(identity))
                found.points.append(at)
                if len(steps) == BATCH:
                    found.programs.append(steps.program())
                    steps = Steps(history)
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise _no_utf8(file) from None
    found.programs.append(steps.program())
    return found


def read_formula(text: str, history: Mapping[str, Timed]) -> f.Formula:
    """A formula over events that are known.

    Raises:
        FormulaError: it cannot be read, or names an unknown event; with the column.
    """
    return build(text, _KnownTrees(history))


class _KnownTrees(Trees):
    def __init__(self, history: Mapping[str, Timed]) -> None:
        self._history = history

    def atom(self, name: str) -> f.Formula:
        require_known(name, self._history)
        return f.Atom(name)


def _query(text: str, granularity: Granularity) -> tuple[Any, str | f.Formula, int]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"column {error.colno}: {text.strip()[:60]!r} is not JSON: {error.msg}") from error
    except RecursionError:
        raise UserError(f"the formula nests deeper than {f.MAX_DEPTH} levels") from None
    except ValueError as error:  # an integer of thousands of digits
        raise UserError(f"{text.strip()[:60]!r} cannot be read: {error}") from error
    match value:
        case {"id": identity, "formula": str() | dict() as written, "at": at}:
            formula = written if isinstance(written, str) else f.from_json(written)
            return identity, formula, parse_point(at, granularity)
    raise UserError(f'{text.strip()[:60]!r} is not a query; write {{"id": …, "formula": "F[0,40] p", "at": 1800}}')
