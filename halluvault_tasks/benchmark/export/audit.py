"""A ticked review sheet as rates: how many cases are clean, with Wilson's interval, and which are not."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.audit_sheet import TICKS, cells
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.rule_typing.support import wilson
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


class SheetAudit(NamedTuple):
    """What a sheet says.

    Attributes:
        rates: one for each tick, `clean` (all of them), and `clean` by suite.
    """

    read: int
    rates: tuple[Rate, ...]
    faults: tuple[Fault, ...]
    bad: tuple[BadRow, ...]


def audit(session: Session, text: str) -> SheetAudit:
    """Read a ticked sheet.

    Rows that are not ticked whole, name no known case, or whose question was changed do not count and are named.

    Raises:
        UserError: it is no sheet, or none of its rows counts.
    """
    header, *rows = cells(text)
    names = [cell.lower() for cell in header]
    listed = {row[names.index("case")] for row in rows if len(row) == len(header)}
    columns = select(cases.c.id, cases.c.question, cases.c.suite).where(cases.c.id.in_(listed))
    known = {row.id: row for row in session.execute(columns)}
    faults: list[Fault] = []
    bad: list[BadRow] = []
    ticked: dict[str, _Ticked] = {}
    for at, row in enumerate(rows, 1):
        written = dict(zip(names, row, strict=False))
        number, case = written.get("#") or str(at), known.get(written.get("case", ""))
        why = f"has {len(row)} cells, the header {len(header)}" if len(row) != len(header) else _why_not(written, case)
        if case is not None and not why and case.id in ticked:
            why = f"case {case.id} is on an earlier row, too"
        why = why or _unread(written)
        if why or case is None:
            bad.append(BadRow(number, why))
            continue
        ticks = {name: written[name].lower() in YES for name in TICKS}
        ticked[case.id] = _Ticked(case.suite, ticks)
        if failed := tuple(name for name in TICKS if not ticks[name]):
            faults.append(Fault(number, case.id, case.question, failed, written.get("note", "")))
    if not ticked:
        why = f"row {bad[0].row}: {bad[0].why}" if bad else "it has no rows"
        raise UserError(f"no row of the sheet counts; {why}", "tick every column of a row with x or -")
    return SheetAudit(len(ticked), _rates(list(ticked.values())), tuple(faults), tuple(bad))


class _Ticked(NamedTuple):
    """A row that counts."""

    suite: str
    ticks: Mapping[str, bool]

    @property
    def clean(self) -> bool:
        return all(self.ticks.values())


def _rates(ticked: Sequence[_Ticked]) -> tuple[Rate, ...]:
    rates = [_rate(name, [row.ticks[name] for row in ticked]) for name in TICKS]
    rates.append(_rate("clean", [row.clean for row in ticked]))
    for suite in sorted({row.suite for row in ticked}):
        rates.append(_rate(f"clean, {suite}", [row.clean for row in ticked if row.suite == suite]))
    return tuple(rates)


def _why_not(written: Mapping[str, str], case: Any) -> str:
    """Why a row does not belong to a case as it is; empty: it does."""
    if case is None:
        return f"no case has the id {written['case']!r}"
    if "question" in written and " ".join(written["question"].split()) != " ".join(case.question.split()):
        return f"the question of case {case.id} was changed; write a better one into the note"
    return ""


def _unread(written: Mapping[str, str]) -> str:
    for name in TICKS:
        if not written[name]:
            return f"the column {name!r} is not ticked"
        if written[name].lower() not in YES | NO:
            return f"{written[name]!r} in the column {name!r} is neither x nor -"
    return ""


def _rate(what: str, hits: list[bool]) -> Rate:
    return Rate(what, sum(hits), len(hits), *wilson(sum(hits), len(hits)))
