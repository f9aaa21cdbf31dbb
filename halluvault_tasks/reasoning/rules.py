"""The typed rules of a snapshot, and what was drawn by them, read back."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import kinds
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind
from halluvault_tasks.reasoning.records import DrawnFact, Rule
from halluvault_tasks.storage.tables import drawn_fact
from halluvault_tasks.storage.tables import rule as rule_table


def stored_rules(session: Session, snapshot: str) -> list[Rule]:
    """Every rule of a snapshot by number; none where none is typed yet."""
    rows = session.execute(
        select(rule_table).where(rule_table.c.snapshot == snapshot).order_by(rule_table.c.rule)
    ).all()
    return [
        Rule(
            row.rule,
            row.name,
            kinds.named(row.form),
            tuple(row.premises),
            row.conclusion,
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
    if found := stored_rules(session, snapshot):
        return found
    raise UserError(f"the rules of snapshot {snapshot!r} are not typed", "`halluvault derive run` types and runs them")


def active_rules(session: Session, snapshot: str) -> list[Rule]:
    """The rules that run, by number."""
    return [rule for rule in all_rules(session, snapshot) if rule.verdict == "active"]


def drawn_facts(session: Session, snapshot: str, kind: DrawingKind) -> list[DrawnFact]:
    """What was drawn by the active rules of a kind, by rule and in the order of each draw."""
    rules = [rule.rule for rule in active_rules(session, snapshot) if rule.kind is kind]
    c = drawn_fact.c
    columns = (c.rule, c.relation, c.s, c.o, c.value, c.evidence, c.place)
    query = select(*columns).where(c.snapshot == snapshot, c.rule.in_(rules)).order_by(c.rule, c.place)
    return [DrawnFact(*row)._replace(evidence=tuple(row.evidence)) for row in session.execute(query)]


def row_of(snapshot: str, rule: Rule) -> dict[str, Any]:
    """A rule as the table keeps it."""
    kind = {"kind": rule.kind.family, "form": rule.kind.name}
    return {"snapshot": snapshot, **rule._asdict(), **kind, "premises": list(rule.premises)}
