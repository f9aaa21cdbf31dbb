"""A small finished evaluation, written by hand: every fixture row is what another room's stage would store."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.storage import partitions, tables

SNAPSHOT = "2026-10"
MODEL = "simulated/careful"

ENTITIES = [
    (1, "Charles Dickens", ["Dickens", "Boz"]),
    (2, "Portsmouth", ["Pompey"]),
    (3, "London", []),
    (4, "John Dickens", []),
    (5, "capital", []),
]


def item(qid: int, label: str) -> dict[str, Any]:
    return {"qid": qid, "label": label}


BORN = {
    "sid": 1,
    "guid": "Q1$a",
    "subject": item(1, "Charles Dickens"),
    "property": 19,
    "relation": "was born in",
    "object": item(2, "Portsmouth"),
    "sentence": "Charles Dickens was born in Portsmouth.",
}
BORN_ON = {
    "sid": 2,
    "guid": "Q1$b",
    "subject": item(1, "Charles Dickens"),
    "property": 569,
    "relation": "was born on",
    "object": {"date": "1812-02-07", "precision": 11},
    "sentence": "Charles Dickens was born on 7 February 1812.",
}

CASES: list[tuple[str, str, str, str, str, str, str, list[dict[str, Any]]]] = [
    # id, question, gold, group, relation, domain, rule kind, premises
    ("c1", "Was Charles Dickens born in Portsmouth?", "yes", "g1", "same", "people", "inverse", [BORN]),
    (
        "c2",
        "Is this statement true? 'Charles Dickens was not born in Portsmouth.'",
        "no",
        "g1",
        "contradictory",
        "people",
        "inverse",
        [BORN],
    ),
    ("c3", "Was Charles Dickens born in London?", "no", "g2", "same", "people", "negation.value", [BORN]),
    ("c4", "Was Charles Dickens born in 1812?", "yes", "g3", "same", "culture", "F", [BORN_ON]),
]


def fill(session: Session, answers: Sequence[tuple[str, str | None]], evaluation: str = "e1", name: str = MODEL) -> str:
    """One benchmark (made once) and one evaluation with these (case, response or None for a dead letter)."""
    partitions.create_partitions(session, SNAPSHOT)

    def put(table: Any, rows: list[dict[str, Any]]) -> None:
        session.execute(upsert(table).on_conflict_do_nothing(), rows)

    put(
        tables.snapshot,
        [
            {
                "snapshot": SNAPSHOT,
                "month": SNAPSHOT,
                "as_of": date(2026, 10, 31),
                "source": "sample <b>",
                "status": "published",
            }
        ],
    )
    put(
        tables.entity,
        [
            {"snapshot": SNAPSHOT, "qid": qid, "label": label, "aliases": aliases, "seed": qid != 5}
            for qid, label, aliases in ENTITIES
        ],
    )
    put(
        tables.property,
        [{"snapshot": SNAPSHOT, "pid": 36, "label": "capital", "datatype": "wikibase-item", "origin": "source"}],
    )
    put(
        tables.benchmark,
        [
            {
                "snapshot": SNAPSHOT,
                "as_of": date(2026, 10, 31),
                "seed": 1,
                "config_hash": "c",
                "content_hash": "h",
                "counts": {},
            }
        ],
    )
    put(
        tables.cases,
        [
            {
                "id": case,
                "question": question,
                "gold": gold,
                "group_id": group,
                "mutation": "original" if relation == "same" else "negated",
                "relation": relation,
                "suite": "relation",
            }
            for case, question, gold, group, relation, *_ in CASES
        ],
    )
    put(
        tables.benchmark_case,
        [
            {
                "snapshot": SNAPSHOT,
                "case_id": case,
                "domain": domain,
                "rule_kind": rule,
                "fact": {},
                "premises": premises,
                "proof": "",
            }
            for case, _, _, _, _, domain, rule, premises in CASES
        ],
    )
    put(
        tables.prompt_variant,
        [{"id": "v1", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}],
    )
    put(tables.model, [{"id": f"m-{evaluation}", "name": name, "dialect": "tgi", "model_id": name}])
    put(
        tables.evaluation,
        [
            {
                "id": evaluation,
                "snapshot": SNAPSHOT,
                "model_id": f"m-{evaluation}",
                "variant_id": "v1",
                "sampling": {},
            }
        ],
    )
    for table in (tables.result, tables.verdict, tables.response):
        session.execute(delete(table).where(table.c.evaluation_id == evaluation))
    session.execute(
        insert(tables.response),
        [
            {
                "evaluation_id": evaluation,
                "case_id": case,
                "status": "delivered" if text is not None else "dead",
                "text": text,
                "attempts": 1,
            }
            for case, text in answers
        ],
    )
    session.commit()
    return evaluation
