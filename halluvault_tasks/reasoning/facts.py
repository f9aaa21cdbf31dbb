"""Derived facts as they are stored: the ids of their relations, and rows read back."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.storage.tables import derived_fact, relation
from halluvault_tasks.wikidata.relation import Kind, Relation

_C = derived_fact.c
COLUMNS = (_C.rule, _C.s, _C.o, _C.evidence, _C.via, _C.reason, _C.finding)
"""What `fact_of` reads."""


def fact_of(row: Any, rules: Mapping[int, Rule]) -> DerivedFact:
    """A row with `COLUMNS`; its relation is what its rule concludes."""
    conclusion = rules[row.rule].conclusion
    return DerivedFact(
        row.rule, conclusion, row.s, row.o, tuple(row.evidence), row.via, row.reason, row.finding
    )  # fmt: skip


def relations(session: Session) -> dict[int, Relation]:
    """Every relation that facts are stored of, by its id."""
    c = relation.c
    rows = session.execute(select(c.id, c.kind, c.properties))
    return {row.id: Relation(Kind(row.kind), tuple(row.properties)) for row in rows}


def relation_ids(session: Session, wanted: Iterable[Relation] = ()) -> dict[Relation, int]:
    """The ids of all relations; of those wanted, the new ones are given one, and the caller commits."""
    known = {relation: number for number, relation in relations(session).items()}
    fresh = sorted(set(wanted) - known.keys())
    if not fresh:
        return known
    rows = [{"kind": relation.kind, "properties": list(relation.properties)} for relation in fresh]
    session.execute(insert(relation).values(rows).on_conflict_do_nothing())
    return relation_ids(session)
