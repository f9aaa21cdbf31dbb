"""Symmetric properties: the direction that is missing."""

from collections.abc import Iterable, Iterator, Mapping

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Changes,
    Draft,
    PropertyMeta,
    Refutation,
    RuleKind,
    Typing,
    origin,
    share_figures,
)
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing.support import Proportion
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

_CLASS = 18_647_518
"""Wikidata's class of symmetric properties (Q18647518)."""
_CONSTRAINT = 21_510_862
_ENOUGH = 0.95
"""Share of pairs stated both ways that is needed of what nobody has reviewed."""


class Symmetric(RuleKind):
    """p(a, b) gives p(b, a)."""

    name = "symmetric"
    family = "symmetric"
    reads_back = True

    @staticmethod
    def proposed(meta: PropertyMeta) -> list[str]:
        """What in a property's metadata calls it symmetric."""
        return [
            name
            for name, there in (
                ("class Q18647518", _CLASS in meta.classes),
                ("constraint Q21510862", _CONSTRAINT in meta.constraints),
                (f"own inverse (P{wd.INVERSE})", meta.inverse == meta.pid),
            )
            if there
        ]

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """That a direction is missing is how Wikidata is kept, not how the relation is (semantics.md §1.9)."""
        reviewed = typing.reviewed
        for pid in candidates(typing.properties, reviewed.symmetric):
            meta = typing.properties.get(pid)
            review = reviewed.symmetric.get(pid)
            measured = typing.support.symmetric.get(pid, Proportion(0, 0))
            figure = f"{measured.hits} of {measured.of} observable pairs are stated both ways"
            if review:
                verdict, reason = "active", f"{review}; {figure}"
            elif measured.of < reviewed.settings.min_pairs:
                verdict = "candidate"
                reason = f"only {measured.of} pairs are observable, and nobody has reviewed it"
            elif measured.share < _ENOUGH:
                verdict, reason = "candidate", f"{figure}; {_ENOUGH:.0%} are needed of what nobody has reviewed"
            else:
                verdict, reason = "active", figure
            parts = (self.proposed(meta) if meta else []) + (["reviewed list"] if review else [])
            support = {"both_ways": share_figures(measured)}
            conclusion = Relation.of(pid)
            yield Draft(f"symmetric:P{pid}", self, (pid,), conclusion, origin(parts, meta), support, verdict, reason)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`symmetric(P)`."""
        return Body(f"symmetric(p{number(rule.premises[0])})", frozenset(rule.premises))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The same statement, turned round."""
        return [f"holds(S, O) :- p{rule.premises[0]}(O, S, _)."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """Both ends of what has changed: a direction that is stated now is derived no more."""
        return frozenset(end for pair in changes.of(rule.premises[0]) for end in pair)

    def replay(self, rule: Rule) -> str:
        """`symmetric(P)`."""
        return f"rule(symmetric({number(rule.premises[0])}))."


def candidates(properties: Mapping[int, PropertyMeta], reviewed: Iterable[int]) -> list[int]:
    """Properties that metadata or review call symmetric."""
    return sorted({pid for pid, meta in properties.items() if Symmetric.proposed(meta)} | set(reviewed))
