"""The questions that people answered by hand, put beside a benchmark for as long as they are judged.

A benchmark changes with its quotas; what was written by hand does not. So each question is kept with its evidence in
`hand_written_cases.jsonl`, and is placed into the snapshot's benchmark inside a transaction that is rolled back. The
evidence must be in the snapshot: statements are found by their content, and a question without them is left out.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases, statement
from halluvault_tasks.wikidata.days import day_number

FILE = Path(__file__).with_name("hand_written_cases.jsonl")

_CASE = ("id", "question", "gold", "group_id", "mutation", "relation", "suite")
_PLACED = ("suite", "domain", "rule_kind", "property", "subject", "object", "fact")
_YEAR = 9

Statement = tuple[int, str]
"""Statement id and GUID."""


def place(session: Session, snapshot: str) -> set[str]:
    """Add the questions to the snapshot's benchmark, uncommitted: the caller judges and rolls back.

    Returns:
        Ids of the cases whose evidence the snapshot has, and whose suite has a part in its benchmark.
    """
    suites = set(session.scalars(select(benchmark_part.c.suite).where(benchmark_part.c.snapshot == snapshot)))
    listed = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line]
    subjects = {int(premise["subject"]["qid"]) for case in listed for premise in case["premises"]}
    known = _statements(session, snapshot, subjects)
    placed: set[str] = set()
    for case in listed:
        found = [known.get(_content(premise)) for premise in case["premises"]]
        if None in found or case["suite"] not in suites:
            continue
        premises = [
            premise | {"sid": statement[0], "guid": statement[1]}
            for premise, statement in zip(case["premises"], found, strict=True)
            if statement
        ]
        row = {name: case[name] for name in _PLACED}
        row |= {"snapshot": snapshot, "case_id": case["id"], "premises": premises, "proof": ""}
        session.execute(insert(cases).values({name: case[name] for name in _CASE}).on_conflict_do_nothing())
        session.execute(insert(benchmark_case).values(row).on_conflict_do_nothing())
        placed.add(case["id"])
    return placed


def _statements(session: Session, snapshot: str, subjects: set[int]) -> dict[tuple[Any, ...], Statement]:
    """What is said of the subjects: content → statement."""
    c = statement.c
    rows = session.execute(
        select(c.sid, c.guid, c.s, c.p, c.o, c.earliest, c.precision)
        .where(c.snapshot == snapshot, c.s.in_(subjects))
        .order_by(c.sid.desc())
    )
    return {
        (row.s, row.p, row.o, *((row.earliest, row.precision) if row.o is None else (None, None))): (row.sid, row.guid)
        for row in rows
    }


def _content(premise: Mapping[str, Any]) -> tuple[Any, ...]:
    subject, value = int(premise["subject"]["qid"]), premise["object"]
    if "qid" in value:
        return subject, int(premise["property"]), int(value["qid"]), None, None
    precision = int(value["precision"])
    year, month, day = ([*map(int, str(value["date"]).lstrip("-").split("-")), 1, 1])[:3]
    sign = -1 if str(value["date"]).startswith("-") else 1
    earliest = day_number(sign * year, month if precision > _YEAR else 1, day if precision > _YEAR + 1 else 1)
    return subject, int(premise["property"]), None, earliest, precision
