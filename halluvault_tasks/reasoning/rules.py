"""The typed rules of a snapshot, and what was derived and drawn by them, read back."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import facts, kinds
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, Rule
from halluvault_tasks.storage.tables import derived_fact, drawn_fact
from halluvault_tasks.storage.tables import rule as rule_table
from halluvault_tasks.wikidata.relation import Relation


def stored_rules(session: Session, snapshot: str) -> list[Rule]:
    """Every rule of a snapshot by number; none where none is typed yet."""
    rows = session.execute(
        select(rule_table).where(rule_table.c.snapshot == snapshot).order_by(rule_table.c.rule)
    ).all()
    relations = facts.relations(session) if rows else {}
    return [
        Rule(
            row.rule,
            row.name,
            kinds.named(row.form),
            tuple(row.premises),
            relations[row.conclusion],
            row.origin,
            row.support,
            row.verdict,
            row.reason,
        )
        for row in rows
    ]


def all_rules(session: Session, snapshot: str) -> list[Rule]:
    """The same.

    Raises:
        UserError: none is typed yet.
    """
    if rules := stored_rules(session, snapshot):
        return rules
    raise UserError(f"the rules of snapshot {snapshot!r} are not typed", "`halluvault derive run` types and runs them")


def active_rules(session: Session, snapshot: str) -> list[Rule]:
    """The rules that run, by number."""
    return [rule for rule in all_rules(session, snapshot) if rule.verdict == "active"]


def drawn_facts(session: Session, snapshot: str, kind: DrawingKind) -> list[DrawnFact]:
    """What was drawn by the active rules of a kind, by rule and in the order of each draw."""
    rules = [rule.rule for rule in active_rules(session, snapshot) if rule.kind is kind]
    return drawn_where(session, snapshot, drawn_fact.c.rule.in_(rules))


def drawn_where(
    session: Session, snapshot: str, *conditions: ColumnElement[bool], limit: int | None = None
) -> list[DrawnFact]:
    """What was drawn and meets some conditions, by rule and in the order of each draw."""
    c, of = drawn_fact.c, facts.relations(session)
    columns = (c.rule, c.relation, c.s, c.o, c.value, c.evidence, c.place)
    query = select(*columns).where(c.snapshot == snapshot, *conditions).order_by(c.rule, c.place).limit(limit)
    rows = session.execute(query)
    return [DrawnFact(*row)._replace(relation=of[row.relation], evidence=tuple(row.evidence)) for row in rows]


def find_facts(
    session: Session, snapshot: str, relation: Relation, s: int, end: int, *, counts: bool = False
) -> list[DerivedFact | DrawnFact]:
    """Every derived or drawn fact that a relation holds, or does not, between s and its other end, by rule.

    `counts` says that this is a number, not an item.
    """
    rules = {rule.rule: rule for rule in all_rules(session, snapshot)}
    concluding = [number for number, rule in rules.items() if rule.conclusion == relation]
    c, d = derived_fact.c, drawn_fact.c
    drawn = drawn_where(session, snapshot, d.rule.in_(concluding), d.s == s, (d.value if counts else d.o) == end)
    if counts:
        return [*drawn]
    query = select(*facts.COLUMNS).where(c.snapshot == snapshot, c.rule.in_(concluding), c.s == s, c.o == end)
    return [*(facts.fact_of(row, rules) for row in session.execute(query.order_by(c.rule, c.evidence))), *drawn]


def store(session: Session, snapshot: str, rules: Sequence[Rule]) -> None:
    """Put rules into their table, and what they conclude into that of relations; the caller commits."""
    ids = facts.relation_ids(session, (rule.conclusion for rule in rules))
    rows = [
        {
            "snapshot": snapshot,
            **rule._asdict(),
            "kind": rule.kind.family,
            "form": rule.kind.name,
            "premises": list(rule.premises),
            "conclusion": ids[rule.conclusion],
        }
        for rule in rules
    ]
    if rows:
        session.execute(insert(rule_table), rows)
