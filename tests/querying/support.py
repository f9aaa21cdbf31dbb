"""A small frozen benchmark, written straight into the tables, for tests of querying and of simulated models."""

import hashlib
from datetime import date
from typing import Any

from sqlalchemy import Select, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts import variants
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage import partitions
from halluvault_tasks.storage.tables import (
    benchmark_case,
    benchmark_part,
    cases,
    entity,
    prompt,
    prompt_variant,
    snapshot,
)

VARIANT = variants.parse("halluvault/plain/closed-book").id
CHAT = "variant-chat-01"
"""A variant of a version that is no longer made: its stored texts are asked, by its id."""


def person(number: int) -> dict[str, Any]:
    return {"qid": 1000 + number, "label": f"Person {number}"}


def place(number: int) -> dict[str, Any]:
    return {"qid": 5000 + number, "label": f"Place {number}"}


def born(number: int) -> dict[str, Any]:
    subject, birthplace = person(number), place(number)
    sentence = f"{subject['label']} was born in {birthplace['label']}."
    return {"sid": number, "guid": f"g{number}", "subject": subject, "property": 19, "relation": "was born in",
            "object": birthplace, "sentence": sentence}  # fmt: skip


def lived(number: int) -> list[dict[str, Any]]:
    subject = person(number)
    shared = {"sid": number, "guid": f"d{number}", "subject": subject}
    first, last = 1800 + number % 50, 1860 + number % 50
    return [
        {**shared, "property": 569, "relation": "was born", "object": {"date": f"{first}-02-07", "precision": 11},
         "sentence": f"{subject['label']} was born on 7 February {first}."},
        {**shared, "property": 570, "relation": "died", "object": {"date": str(last), "precision": 9},
         "sentence": f"{subject['label']} died in {last}."},
    ]  # fmt: skip


def text_of(question: str) -> str:
    return f"Answer the question with your knowledge and reasoning power.\nQuestion: {question}"


def part(key: str, suite: str = "relation", **values: Any) -> dict[str, Any]:
    """The row of a published part."""
    return {
        "snapshot": key, "suite": suite, "seed": 1, "config_hash": "c", "content_hash": "h", "counts": {},
        "published": True, **values,
    }  # fmt: skip


def build(session: Session, key: str, count: int) -> list[str]:
    """A benchmark of `count` cases (every third temporal, every second gold no); returns their ids in order."""
    partitions.create_partitions(session, key)
    session.execute(
        insert(snapshot).values(
            snapshot=key, month=key[:7], revision=1, as_of=date(2026, 10, 31), source="test", status="published"
        )
    )
    session.execute(insert(benchmark_part), [part(key), part(key, "temporal")])
    for number in range(count):
        session.execute(
            insert(entity),
            [
                {"snapshot": key, **person(number), "description": "English writer", "types": [5]},
                {"snapshot": key, **place(number), "description": None, "types": [515]},
            ],
        )
    session.execute(
        upsert(prompt_variant)
        .values(id=VARIANT, template="halluvault", version=1, form="plain", context="closed-book")
        .on_conflict_do_nothing()
    )
    ids = [_case(session, key, number) for number in range(count)]
    session.commit()
    return ids


def _case(session: Session, key: str, number: int) -> str:
    """One case with its plain prompt; returns its id."""
    temporal, gold = number % 3 == 2, "no" if number % 2 else "yes"
    asked = place(number if gold == "yes" else number + 1)
    question = (
        f"Was Person {number} alive in the year {1830 if gold == 'yes' else 1700} ({key})?"
        if temporal
        else f"Was Person {number} born in {asked['label']} ({key})?"
    )
    case_id = hashlib.sha256(question.encode()).hexdigest()[:16]
    fact = (
        {"kind": "F", "formula": "life", "at": 1830, "granularity": "year", "truth": gold == "yes"}
        if temporal
        else {"kind": "negation.value", "rule": "r", "p": 19, "s": 1000 + number, "o": asked["qid"],
              "truth": gold == "yes"}
    )  # fmt: skip
    session.execute(
        insert(cases).values(
            id=case_id, question=question, gold=gold, group_id=f"g{number}", mutation="original",
            relation="same", suite="temporal" if temporal else "relation",
        )
    )  # fmt: skip
    session.execute(
        insert(benchmark_case).values(
            snapshot=key, suite="temporal" if temporal else "relation", case_id=case_id, domain="people",
            rule_kind="F" if temporal else "negation.value",
            property=None if temporal else 19, subject=1000 + number, object=None if temporal else asked["qid"],
            fact=fact, premises=lived(number) if temporal else [born(number)], proof="",
        )
    )  # fmt: skip
    written = text_of(question)
    session.execute(
        insert(prompt).values(
            snapshot=key, variant_id=VARIANT, case_id=case_id, text=written,
            sha256=hashlib.sha256(written.encode()).hexdigest(),
        )
    )  # fmt: skip
    return case_id


def prompts() -> Select[str, str]:
    """Case id and text of every plain prompt."""
    return select(prompt.c.case_id, prompt.c.text).where(prompt.c.variant_id == VARIANT)


def registry(url: str, *, name: str = "simulated/echo", **server: Any) -> Registry:
    """One server with one model at URL/echo."""
    return Registry.model_validate({
        "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 8, **server}],
        "models": [{"name": name, "dialect": "tgi", "server": "sim", "base_urls": [f"{url}/{name.split('/')[-1]}"]}],
    })


def build_plain(session: Session, key: str, count: int) -> None:
    """A benchmark of `count` cases that has just what querying reads: cases and prompts."""
    session.execute(
        insert(snapshot).values(
            snapshot=key, month=key[:7], revision=1, as_of=date(2026, 10, 31), source="test", status="published"
        )
    )
    session.execute(insert(benchmark_part).values(part(key)))
    session.execute(
        upsert(prompt_variant)
        .values(id=VARIANT, template="halluvault", version=1, form="plain", context="closed-book")
        .on_conflict_do_nothing()
    )
    questions = [f"Was Person {number} born in Place {number} ({key})?" for number in range(count)]
    ids = [hashlib.sha256(question.encode()).hexdigest()[:16] for question in questions]
    session.execute(
        insert(cases),
        [
            {"id": case_id, "question": question, "gold": "yes", "group_id": case_id, "mutation": "original",
             "relation": "same", "suite": "relation"}
            for case_id, question in zip(ids, questions, strict=True)
        ],
    )  # fmt: skip
    session.execute(
        insert(benchmark_case),
        [
            {"snapshot": key, "suite": "relation", "case_id": case_id, "domain": "people", "rule_kind": "inverse",
             "fact": {}, "premises": [], "proof": ""}
            for case_id in ids
        ],
    )  # fmt: skip
    session.execute(
        insert(prompt),
        [
            {"snapshot": key, "variant_id": VARIANT, "case_id": case_id, "text": text_of(question), "sha256": ""}
            for case_id, question in zip(ids, questions, strict=True)
        ],
    )
    session.commit()
