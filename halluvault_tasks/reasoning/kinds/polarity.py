"""Polarity negation (semantics.md §1.5): a true fact stays as it is and is asked with its wording flipped."""

from collections.abc import Iterator

from halluvault_tasks.reasoning.kinds.base import Body, Changes, Draft, Refutation, RuleKind, Typing
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata.relation import Relation


class Polarity(RuleKind):
    """Every usable statement between named items; `running.copied_statements` copies its rows: Prolog runs nothing."""

    name = "polarity"
    family = "negation.polarity"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Every property with items for values."""
        for pid in typing.support.items:
            bar = typing.reviewed.not_asked.get(pid)
            reason = bar or "flipping the wording of a true fact is always sound"
            verdict = "refused" if bar else "active"
            conclusion = Relation.of(pid)
            yield Draft(f"negation.polarity:P{pid}", self, (pid,), conclusion, "semantics §1.5", {}, verdict, reason)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body | None:
        """Nothing is run."""
        return None

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The statement."""
        return [f"holds(S, O) :- p{rule.premises[0]}(S, O, _)."]

    def touched(self, rule: Rule, changes: Changes) -> None:
        """Copying all is cheaper than finding out."""
