"""The typed rules of a snapshot, read back."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import kinds
from halluvault_tasks.reasoning.records import Rule
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


def row_of(snapshot: str, rule: Rule) -> dict[str, Any]:
    """A rule as the table keeps it."""
    kind = {"kind": rule.kind.family, "form": rule.kind.name}
    return {"snapshot": snapshot, **rule._asdict(), **kind, "premises": list(rule.premises)}
