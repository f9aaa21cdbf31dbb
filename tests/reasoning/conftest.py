"""A small world written straight into the tables: what a pull would have left, one line a statement."""

import itertools
import sys
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import create_partitions, drop_partitions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.wikidata.days import day_number

RULES_FILE = REPOSITORY / "config" / "rules.yaml"
PROLOG_DIR = REPOSITORY / "prolog_rules"

TRANSITIVE, SYMMETRIC, SINGLE = 18_647_515, 18_647_518, 19_474_404
TRANSITIVE_PIDS, SYMMETRIC_PIDS = (131, 171, 279, 5135), (26, 47, 190, 530, 3373)
SINGLE_PIDS = (19, 20, 22, 25, 397, 403, 569, 570, 1086)
INVERSES = {22: 40, 36: 1376, 1376: 36, 155: 156, 156: 155, 26: 26, 47: 47, 3373: 3373}
DATES, NUMBERS = (569, 570, 571, 576), (1086,)


def statement(s: int, p: int, o: int | None = None, **columns: Any) -> dict[str, Any]:
    """A row of `statement` without snapshot, sid and guid; `year=1812` makes a time value."""
    row: dict[str, Any] = {"s": s, "p": p, "o": o, "kind": "item", "rank": "normal", "hedged": False, **columns}
    if year := row.pop("year", None):
        row |= {"kind": "time", "earliest": day_number(year), "latest": day_number(year, 12, 31), "precision": 9}
    for end in ("start", "end", "point"):
        if year := row.pop(f"{end}_year", None):
            row |= {f"{end}_earliest": day_number(year), f"{end}_latest": day_number(year, 12, 31)}
    return row


def born(*people: int, year: int = 1900) -> list[dict[str, Any]]:
    """A date of birth for each, without which no other birthplace is denied."""
    return [statement(one, 569, year=year) for one in people]


def fill(
    session: Session,
    snapshot: str,
    statements: Iterable[dict[str, Any]],
    *,
    labels: dict[int, str] | None = None,
    types: dict[int, list[int]] | None = None,
    as_of: date = date(2026, 10, 31),
    properties: dict[int, dict[str, Any]] | None = None,
) -> None:
    """Write a frozen snapshot. Items without a label in `labels` get one that shares no word with another's."""
    drop_partitions(session, snapshot)
    for table in (tables.rule, tables.derivation_manifest, tables.property, tables.snapshot):
        session.execute(delete(table).where(table.c.snapshot == snapshot))
    create_partitions(session, snapshot)
    session.execute(
        insert(tables.snapshot).values(
            snapshot=snapshot, month=snapshot[:7], as_of=as_of, source="written by hand", status="published"
        )
    )
    rows = sorted(statements, key=lambda row: (row["p"], row["s"], row.get("guid", "")))
    columns = [column.name for column in tables.statement.c if column.name not in {"snapshot", "sid", "guid"}]
    defaults: dict[str, Any] = {"unknown_qualifiers": [], "absent_qualifiers": []}
    copy_rows(
        session,
        tables.statement,
        ["snapshot", "sid", "guid", *columns],
        (
            [
                snapshot,
                sid,
                row.get("guid", f"Q{row['s']}-{sid:08x}"),
                *(row.get(name, defaults.get(name)) for name in columns),
            ]
            for sid, row in enumerate(rows, 1)
        ),
    )
    subjects = {row["s"] for row in rows}
    items = sorted(subjects | {row["o"] for row in rows if row["o"]} | set(labels or ()) | set(types or ()))
    names = {item: f"name{item}" for item in items} | (labels or {})
    copy_rows(
        session,
        tables.entity,
        ["snapshot", "qid", "label", "aliases", "types", "seed"],
        ([snapshot, one, names[one] or None, [], (types or {}).get(one, []), one in subjects] for one in items),
    )
    _properties(session, snapshot, {row["p"] for row in rows}, properties or {})
    session.commit()


def deprecate(session: Session, snapshot: str, values: Iterable[tuple[int, int, int]]) -> None:
    """Values (s, p, o) that the snapshot has with rank deprecated."""
    copy_rows(
        session,
        tables.deprecated_value,
        ["snapshot", "guid", "s", "p", "o"],
        ([snapshot, f"Q{s}-old{at}", s, p, o] for at, (s, p, o) in enumerate(values)),
    )
    session.commit()


def _properties(session: Session, snapshot: str, used: set[int], told: dict[int, dict[str, Any]]) -> None:
    for pid in sorted(used | set(told)):
        classes = [TRANSITIVE] * (pid in TRANSITIVE_PIDS) + [SYMMETRIC] * (pid in SYMMETRIC_PIDS)
        datatype = "time" if pid in DATES else "quantity" if pid in NUMBERS else "wikibase-item"
        values = {"label": f"property {pid}", "datatype": datatype, "inverse": INVERSES.get(pid), "classes": classes}
        values |= {"constraints": [SINGLE] * (pid in SINGLE_PIDS), "separators": [], "origin": "source"}
        session.execute(insert(tables.property).values(snapshot=snapshot, pid=pid, **(values | told.get(pid, {}))))


def rows_of(session: Session, snapshot: str, rule: str) -> set[tuple[int, int]]:
    """(s, o) of every fact that the named rule derived."""
    found = session.execute(
        text(
            "SELECT d.s, d.o FROM derived_fact d JOIN rule r USING (snapshot, rule) "
            "WHERE snapshot = :snapshot AND r.name = :rule"
        ),
        {"snapshot": snapshot, "rule": rule},
    ).all()
    pairs = [(row.s, row.o) for row in found]
    assert len(set(pairs)) == len(pairs), f"{rule} derived a pair twice"
    return set(pairs)


@pytest.fixture(scope="session")
def next_snapshot() -> Callable[[], str]:
    """A snapshot key that no other test of the session has."""
    keys = (f"{year}-{month:02d}" for year in itertools.count(2030) for month in range(1, 13))
    return lambda: next(keys)


@pytest.fixture
def derive(session: Session, tmp_path: Path) -> Callable[..., Any]:
    """Type the rules of a snapshot and derive all its shards."""
    from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules

    def run(snapshot: str, shards: int = 1, **options: Any) -> Any:
        type_rules(session, snapshot, rules_file=RULES_FILE)
        options.setdefault("anew", True)  # another test's month is no earlier month of this one
        for shard in range(shards):
            derive_shard(
                session, snapshot, portion=Portion(shard, shards), prolog_dir=PROLOG_DIR, scratch=tmp_path, **options
            )
        return check_derivation(session, snapshot, shards=shards)

    return run


sys.modules.setdefault("reasoning_worlds", sys.modules[__name__])
