"""A small finished evaluation, written by hand: every fixture row is what another room's stage would store."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.storage import partitions, tables
from halluvault_tasks.wikidata.relation import Relation

SNAPSHOT = "2026-10"
MODEL = "simulated/careful"

ENTITIES: list[tuple[int, str, list[str], list[int]]] = [
    (1, "Charles Dickens", ["Dickens", "Boz"], [5]),
    (2, "Portsmouth", ["Pompey"], [515]),
    (3, "London", [], [515]),
    (4, "John Dickens", [], [5]),
    (5, "capital", [], []),
    (6, "Leipzig", [], [515]),
    (7, "United Kingdom", [], [6256]),
    (8, "Germany", [], [6256]),
    (9, "Hampshire", [], []),
    (10, "Wilkins Micawber", [], [5]),
]

STATEMENTS: list[dict[str, Any]] = [
    {"sid": 1, "p": 19, "s": 1, "kind": "item", "o": 2},
    {"sid": 2, "p": 569, "s": 1, "kind": "time", "earliest": 661_501, "latest": 661_501, "precision": 11},
    {"sid": 3, "p": 131, "s": 2, "kind": "item", "o": 9},
    {"sid": 4, "p": 131, "s": 9, "kind": "item", "o": 7},
    {"sid": 5, "p": 131, "s": 6, "kind": "item", "o": 8},
    {"sid": 6, "p": 22, "s": 1, "kind": "item", "o": 4},
    {"sid": 7, "p": 131, "s": 3, "kind": "item", "o": 7},
]

RULES: list[dict[str, Any]] = [
    {"rule": 1, "name": "negation.value:P19", "kind": "negation.value", "form": "wrong value",
     "premises": [19], "conclusion": 19, "support": {"place": True, "event": 0, "recording_lag_days": 365}},
    {"rule": 2, "name": "negation.value:P22", "kind": "negation.value", "form": "wrong value",
     "premises": [22], "conclusion": 22, "support": {"place": False, "event": 0, "recording_lag_days": 365}},
    {"rule": 3, "name": "inverse:P22:P40", "kind": "inverse", "form": "inverse",
     "premises": [22], "conclusion": 40, "support": {}},
    {"rule": 4, "name": "transitive:P131", "kind": "transitive", "form": "transitive",
     "premises": [131], "conclusion": 131, "support": {"time_bound": [131]}},
    {"rule": 5, "name": "negation.value:P569", "kind": "negation.value", "form": "wrong value",
     "premises": [569], "conclusion": 569, "support": {"place": False, "event": 0, "recording_lag_days": 365}},
]  # fmt: skip
"""What `type_rules` would store, with properties for relations; only what the oracles read."""


def put_rules(session: Session, snapshot: str) -> None:
    """Store `RULES` for a month."""
    reviewed = {"snapshot": snapshot, "origin": "reviewed", "verdict": "active", "reason": "by hand"}
    ids = relation_ids(session, (Relation.of(row["conclusion"]) for row in RULES))
    rules = [{**reviewed, **row, "conclusion": ids[Relation.of(row["conclusion"])]} for row in RULES]
    _put(session, tables.rule, rules)


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


FACTS: dict[str, dict[str, Any]] = {
    "c1": {"kind": "inverse", "p": 19, "s": 1, "o": 2, "truth": True},
    "c2": {"kind": "inverse", "p": 19, "s": 1, "o": 2, "truth": True},
    "c3": {"kind": "negation.value", "p": 19, "s": 1, "o": 3, "truth": False},
    "c4": {"kind": "F", "formula": "birth_Q1", "at": 1812, "granularity": "year", "truth": True},
}


def _put(session: Session, table: Any, rows: list[dict[str, Any]]) -> None:
    session.execute(upsert(table).on_conflict_do_nothing(), rows)


def _knowledge(session: Session) -> None:
    """The month's entities, statements and rules."""
    month = {"snapshot": SNAPSHOT, "month": SNAPSHOT, "as_of": date(2026, 10, 31), "source": "sample <b>"}
    _put(session, tables.snapshot, [{**month, "status": "published"}])
    entities = [
        {"snapshot": SNAPSHOT, "qid": qid, "label": label, "aliases": aliases, "types": types, "seed": qid != 5}
        for qid, label, aliases, types in ENTITIES
    ]
    _put(session, tables.entity, entities)
    for row in STATEMENTS:
        guid = f"Q{row['s']}${row['sid']}"
        _put(session, tables.statement, [{"snapshot": SNAPSHOT, "guid": guid, "rank": "normal", **row}])
    put_rules(session, SNAPSHOT)
    capital = {"pid": 36, "label": "capital", "datatype": "wikibase-item", "origin": "source"}
    _put(session, tables.property, [{"snapshot": SNAPSHOT, **capital}])


def _benchmark(session: Session) -> None:
    """The published part `relation`, with its cases."""
    part = {"snapshot": SNAPSHOT, "suite": "relation"}
    frozen = {"seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}, "published": True}
    _put(session, tables.benchmark_part, [{**part, **frozen}])
    cases, placed = [], []
    for case, question, gold, group, relation, domain, rule, premises in CASES:
        mutation = "original" if relation == "same" else "negated"
        text = {"id": case, "question": question, "gold": gold, "suite": "relation"}
        cases.append({**text, "group_id": group, "mutation": mutation, "relation": relation})
        fact = {"fact": FACTS.get(case, {}), "premises": premises, "proof": ""}
        placed.append({**part, "case_id": case, "domain": domain, "rule_kind": rule, **fact})
    _put(session, tables.cases, cases)
    _put(session, tables.benchmark_case, placed)


def _evaluation(session: Session, evaluation: str, name: str) -> None:
    """An evaluation of the month in one variant, with nothing asked yet."""
    variant = {"id": "v1", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}
    _put(session, tables.prompt_variant, [variant])
    model = f"m-{evaluation}"
    _put(session, tables.model, [{"id": model, "name": name, "dialect": "tgi", "model_id": name}])
    asked = {"id": evaluation, "snapshot": SNAPSHOT, "model_id": model, "variant_id": "v1", "sampling": {}}
    _put(session, tables.evaluation, [asked])
    for table in (tables.result_set, tables.verdict, tables.response):
        session.execute(delete(table).where(table.c.evaluation_id == evaluation))


def fill(session: Session, answers: Sequence[tuple[str, str | None]], evaluation: str = "e1", name: str = MODEL) -> str:
    """One benchmark (made once) and one evaluation with these (case, response or None for a dead letter)."""
    partitions.create_partitions(session, SNAPSHOT)
    _knowledge(session)
    _benchmark(session)
    _evaluation(session, evaluation, name)
    responses = [
        {
            "evaluation_id": evaluation,
            "case_id": case,
            "status": "delivered" if text is not None else "dead",
            "text": text,
            "attempts": 1,
        }
        for case, text in answers
    ]
    session.execute(insert(tables.response), responses)
    session.commit()
    return evaluation
