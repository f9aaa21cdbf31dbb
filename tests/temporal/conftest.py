"""A snapshot of the bundled sample's dated facts, and small crafted ones, without a pull."""

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from halluvault_tasks.local import sample
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.storage import partitions, tables
from halluvault_tasks.temporal.run_in_prolog import open_engine
from halluvault_tasks.temporal.units import parse_date
from halluvault_tasks.wikidata import times

# The evaluator of the definition stands beside the tests: they are no package (--import-mode=importlib).
sys.path.insert(0, str(Path(__file__).parent))

PROLOG = Path(__file__).resolve().parents[2] / "prolog_rules"


@pytest.fixture(scope="session")
def prolog_dir() -> Path:
    return PROLOG


@pytest.fixture(scope="session")
def engine() -> Engine:
    return open_engine(PROLOG)


def open_snapshot(session: Session, snapshot: str, as_of: date) -> None:
    """An empty frozen snapshot, whatever stood there before."""
    for table in (tables.temporal_fact, tables.snapshot):
        session.execute(delete(table).where(table.c.snapshot == snapshot))
    partitions.drop_partitions(session, snapshot)
    partitions.create_partitions(session, snapshot)
    session.execute(
        insert(tables.snapshot).values(snapshot=snapshot, month=snapshot, as_of=as_of, source="test", status="frozen")
    )
    session.commit()


def add_entities(session: Session, snapshot: str, rows: Sequence[tuple[int, str | None, str | None]]) -> None:
    """Items as (qid, label, domain)."""
    session.execute(
        insert(tables.entity),
        [{"snapshot": snapshot, "qid": qid, "label": label, "domain": domain} for qid, label, domain in rows],
    )


def statement(sid: int, s: int, p: int, *, when: str = "", o: int | None = None, **more: Any) -> dict[str, Any]:
    """One row of `statement`; `start`, `end` and `point` are dates as text."""
    row: dict[str, Any] = dict.fromkeys(tables.statement.c.keys())
    row |= {"sid": sid, "guid": f"g{sid}", "s": s, "p": p, "o": o, "rank": "normal"}
    row |= {"unknown_qualifiers": [], "absent_qualifiers": []}
    row |= {"kind": "item" if o is not None else "time", "hedged": False}
    row["earliest"], row["latest"] = parse_date(when)
    for name in ("start", "end", "point"):
        row[f"{name}_earliest"], row[f"{name}_latest"] = parse_date(more.pop(name, ""))
    return row | more


def add_statements(session: Session, snapshot: str, rows: Sequence[dict[str, Any]]) -> None:
    session.execute(insert(tables.statement), [row | {"snapshot": snapshot} for row in rows])
    session.commit()


def _bounds(value: sample.Time) -> times.TimeBounds:
    found = times.bounds(times.Moment(value.year, value.month, value.day), value.precision, value.calendar)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def sample_snapshot(database_url: str) -> str:
    """The bundled sample's facts as a frozen snapshot."""
    from halluvault_tasks.storage import sessions

    snapshot = "2026-10"
    bundled = sample.load(sample.CHECKED)
    domains = {}
    for fact in bundled.statements:
        domains.setdefault(fact.subject, fact.domain)
    rows = []
    for sid, fact in enumerate(sorted(bundled.statements, key=lambda one: (one.property, one.subject, one.text)), 1):
        row = statement(sid, fact.subject, fact.property, kind="item", rank=fact.rank)
        if isinstance(fact.value, int):
            row["o"] = fact.value
        elif isinstance(fact.value, sample.Time):
            row["kind"] = "time"
            row["earliest"], row["latest"] = _bounds(fact.value)
            row["precision"] = fact.value.precision
        elif isinstance(fact.value, sample.Unknown):
            row["kind"] = "unknown"
        else:
            row["kind"] = "quantity"
        for p, value in fact.qualifiers:
            name = {580: "start", 582: "end", 585: "point"}.get(p)
            if name and isinstance(value, sample.Time):
                row[f"{name}_earliest"], row[f"{name}_latest"] = _bounds(value)
        rows.append(row)
    with sessions.session(database_url) as session:
        open_snapshot(session, snapshot, bundled.as_of)
        add_entities(session, snapshot, [(one.qid, one.label, domains.get(one.qid)) for one in bundled.entities])
        add_statements(session, snapshot, rows)
    return snapshot
