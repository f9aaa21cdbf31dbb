"""Answers of a SPARQL service: complete and counted, or a failure with its kind.

HTTP 200 proves nothing. A body must parse to its last byte, and every query of a pull makes the service count what it
is about to send (`queries.SelectQuery`): an answer with another number of rows is never accepted.
"""

import json
from typing import Any, NamedTuple

from halluvault_tasks.knowledge import excess
from halluvault_tasks.knowledge.answer_failures import BrokenAnswer, Cut, NoResults
from halluvault_tasks.knowledge.queries import TOTAL, SelectQuery

VIRTUOSO = "Virtuoso"
"""The engine whose years before Christ are wrong (docs/knowledge.md); the only one whose name matters."""

Cell = dict[str, str]
Row = dict[str, Cell]


class CountedAnswer(NamedTuple):
    """A complete answer to one SELECT query."""

    body: bytes
    """As received: SPARQL 1.1 Query Results JSON."""
    rows: list[Row]
    """Without the row that holds the service's own count."""
    seconds: float
    """Wall time of the request that succeeded."""
    requests: int = 1
    """How many were sent until one succeeded."""
    engine: str = ""
    """`VIRTUOSO` where the answer is known to be its."""


def read_results(body: bytes, query: SelectQuery | None = None, most: int | None = None) -> list[Row]:
    """Parse SPARQL JSON results.

    Args:
        body: as received.
        query: what was asked; where it counts, the count is checked and its row taken away. None only parses.
        most: rows that the service sends at most, where it says so.

    Raises:
        TooMuch: it ends in the server's word that the query takes too much, time (`TimedOut`) or memory.
        Cut: it ends at the service's limit of rows.
        Broken: it is cut short, is not what the protocol allows, or has other rows than the service counted.
    """
    try:
        parsed: Any = json.loads(body)
    except RecursionError as error:
        raise BrokenAnswer(f"the body of {len(body)} bytes is nested without end: {excerpt(body)}") from error
    except ValueError as error:
        if much := excess.of_answer(body):
            raise much.error(f"the service gave up in the middle of its answer: {much.what}") from error
        raise BrokenAnswer(
            f"the body of {len(body)} bytes is not a complete SPARQL result: {excerpt(body)} … {excerpt(body[-160:])}"
        ) from error
    rows = _rows(parsed)
    if rows is not None:
        return rows if query is None else _counted(rows, query, most)
    if much := excess.of_refusal(body):
        raise much.error(f"no result, though with HTTP 200: {much.what}")
    raise NoResults(f"the body is JSON but no SPARQL result: {excerpt(body)}")


def _rows(parsed: Any) -> list[Row] | None:
    """The rows of a parsed result; None where it is none."""
    try:
        columns, rows = parsed["head"]["vars"], parsed["results"]["bindings"]
    except (KeyError, TypeError):
        return None
    well = isinstance(columns, list) and isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    return rows if well else None


def _counted(rows: list[Row], query: SelectQuery, most: int | None) -> list[Row]:
    totals = [row[TOTAL]["value"] for row in rows if TOTAL in row]
    answer = [row for row in rows if TOTAL not in row]
    came = len({_key(row, query) for row in answer}) if query.key else len(answer)
    if totals == [str(came)]:
        return answer
    if most is not None and len(rows) >= most:
        raise Cut(f"the service sends no more than {most} rows")
    if len(totals) != 1 or not totals[0].isdigit():
        raise BrokenAnswer(f"{len(answer)} rows came without the count that was asked for with them")
    raise BrokenAnswer(f"the service counted {totals[0]} and sent {came}")


def _key(row: Row, query: SelectQuery) -> tuple[str | None, ...]:
    return tuple(row.get(column, {}).get("value") for column in query.key)


def excerpt(body: bytes) -> str:
    """The beginning of a body, safe to print."""
    return repr(body[:160].decode("utf-8", "replace"))
