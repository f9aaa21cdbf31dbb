"""A ticked review sheet as rates: how many cases are clean, with Wilson's interval, and which are not."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.audit_sheet import TICKS, cells
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.support import wilson
from halluvault_tasks.storage.tables import cases

YES = frozenset({"x", "✓", "✔", "✅", "☑", "y", "yes", "1", "ok", "true"})
NO = frozenset({"-", "–", "✗", "✘", "❌", "☒", "n", "no", "0", "false", "?"})
"""A question mark is a no: what leaves a reader in doubt is not clean."""


class Rate(NamedTuple):
    """A share of the cases read, with Wilson's 95 % interval."""

    what: str
    hits: int
    of: int
    low: float
    high: float


class Fault(NamedTuple):
    """A case that is not clean."""

    row: str
    """Its number on the sheet."""
    case_id: str
    question: str
    failed: tuple[str, ...]
    note: str


class BadRow(NamedTuple):
    """A row that does not count, and why."""

    row: str
    why: str


class Audit(NamedTuple):
    """What a sheet says.

    Attributes:
        rates: one for each tick, `clean` (all of them), and `clean` by suite.
    """

    read: int
    rates: tuple[Rate, ...]
    faults: tuple[Fault, ...]
    bad: tuple[BadRow, ...]


def audit(session: Session, text: str) -> Audit:
    """Read a ticked sheet.

    Rows that are not ticked whole, name no known case, or whose question was changed do not count and are named.

    Raises:
        UserError: it is no sheet, or none of its rows counts.
    """
    header, *rows = cells(text)
    names = [cell.lower() for cell in header]
    listed = {row[names.index("case")] for row in rows if len(row) == len(header)}
    known = {
        row.id: row
        for row in session.execute(select(cases.c.id, cases.c.question, cases.c.suite).where(cases.c.id.in_(listed)))
    }
    faults: list[Fault] = []
    bad: list[BadRow] = []
    ticked: list[tuple[str, dict[str, bool]]] = []
    seen: set[str] = set()
    for at, row in enumerate(rows, 1):
        said = dict(zip(names, row, strict=False))
        number = said.get("#") or str(at)
        case = known.get(said.get("case", ""))
        if len(row) != len(header):
            bad.append(BadRow(number, f"has {len(row)} cells, the header {len(header)}"))
        elif case is None:
            bad.append(BadRow(number, f"no case has the id {said['case']!r}"))
        elif case.id in seen:
            bad.append(BadRow(number, f"case {case.id} is on an earlier row, too"))
        elif "question" in said and " ".join(said["question"].split()) != " ".join(case.question.split()):
            bad.append(BadRow(number, f"the question of case {case.id} was changed; write a better one into the note"))
        elif why := _unread(said):
            bad.append(BadRow(number, why))
        else:
            seen.add(case.id)
            ticks = {name: said[name].lower() in YES for name in TICKS}
            ticked.append((case.suite, ticks))
            if failed := tuple(name for name in TICKS if not ticks[name]):
                faults.append(Fault(number, case.id, case.question, failed, said.get("note", "")))
    if not ticked:
        why = f"row {bad[0].row}: {bad[0].why}" if bad else "it has no rows"
        raise UserError(f"no row of the sheet counts; {why}", "tick every column of a row with x or -")
    rates = [_rate(name, [ticks[name] for _, ticks in ticked]) for name in TICKS]
    rates.append(_rate("clean", [all(ticks.values()) for _, ticks in ticked]))
    for suite in sorted({suite for suite, _ in ticked}):
        rates.append(_rate(f"clean, {suite}", [all(ticks.values()) for one, ticks in ticked if one == suite]))
    return Audit(len(ticked), tuple(rates), tuple(faults), tuple(bad))


def _unread(said: Mapping[str, str]) -> str:
    for name in TICKS:
        if not said[name]:
            return f"the column {name!r} is not ticked"
        if said[name].lower() not in YES | NO:
            return f"{said[name]!r} in the column {name!r} is neither x nor -"
    return ""


def _rate(what: str, hits: list[bool]) -> Rate:
    return Rate(what, sum(hits), len(hits), *wilson(sum(hits), len(hits)))
