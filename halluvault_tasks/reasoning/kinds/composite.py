"""Composites: chains of two to four steps, a step and a climb, and two subjects with one value in common."""

from collections.abc import Iterator, Sequence
from typing import Any

from halluvault_tasks.prolog.terms import number, term
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Changes,
    Draft,
    Refutation,
    RuleKind,
    Typing,
    once,
    relation_term,
    statements_of,
)
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import ChainEntry
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation


class Chain(RuleKind):
    """p(a, b), q(b, c) give r(a, c); four steps at most."""

    name = "chain"
    family = "composite"
    composes = True

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed chains whose steps are single ones."""
        return (draft for draft in _chains(self, typing) if not _climbs(draft.support["chain"]))

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`chain([P, Q])`."""
        steps = ", ".join(relation_term(p, undated) for p in rule.premises)
        return Body(f"chain([{steps}])", *once(rule.premises, undated))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """One step after the other."""
        ends = ["S", *(f"M{at}" for at in range(1, len(rule.premises))), "O"]
        steps = (f"p{p}({ends[at]}, {ends[at + 1]}, _)" for at, p in enumerate(rule.premises))
        return [f"holds(S, O) :- {', '.join(steps)}."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """Whatever leads to a step that has changed."""
        reach = self._last(rule, changes)
        for p in reversed(rule.premises[:-1]):
            reach = changes.before(p, reach) | {s for s, _ in changes.of(p)}
        return frozenset(reach)

    def _last(self, rule: Rule, changes: Changes) -> set[int]:
        """From where a last step leads that has changed."""
        return {s for s, _ in changes.of(rule.premises[-1])}

    def replay(self, rule: Rule) -> str:
        """`chain([P, Q], R)`."""
        return f"rule(chain([{', '.join(map(number, rule.premises))}], {term(rule.conclusion.predicate)}))."

    def hops(self, rule: Rule) -> int:
        """The steps."""
        return len(rule.premises)

    def chain(self, rule: Rule) -> tuple[int, ...]:
        """Its premises."""
        return rule.premises


class ClimbingChain(Chain):
    """p(a, b) and one or more steps of q up from b: a row holds the first step and the last one (`P19/P131*`)."""

    name = "chain, climbing"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed chains whose last step is one step or more."""
        return (draft for draft in _chains(self, typing) if _climbs(draft.support["chain"]))

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`then_up(P, Q)`."""
        steps = ", ".join(relation_term(p, undated) for p in rule.premises)
        return Body(f"then_up({steps})", *once(rule.premises, undated))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """A step, and a way up."""
        first, last = (f"p{p}" for p in rule.premises)
        return [
            f"up(Place, Upper) :- {last}(Place, Upper, _).",
            f"up(Place, Upper) :- {last}(Place, Middle, _), up(Middle, Upper).",
            f"holds(S, O) :- {first}(S, Place, _), up(Place, O).",
        ]

    def climbs_from(self, rule: Rule) -> int:
        """Its first step."""
        return rule.premises[0]

    def _last(self, rule: Rule, changes: Changes) -> set[int]:
        return changes.below(rule.premises[-1], super()._last(rule, changes))

    def replay(self, rule: Rule) -> str:
        """`then_up(P, Q, R)`."""
        steps = ", ".join(map(number, rule.premises))
        return f"rule(then_up({steps}, {term(rule.conclusion.predicate)}))."

    def hops(self, rule: Rule) -> int:
        """A climb counts as two."""
        return len(rule.premises) + 1


class Share(RuleKind):
    """p(a, v), p(b, v) give "a and b have a value of p in common"."""

    name = "share"
    family = "composite"
    composes = True
    grouped = True
    mutual = True

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed properties."""
        for pid, reason in typing.reviewed.share.items():
            support = {
                "cap": typing.reviewed.settings.shared_pairs_cap,
                "relation": f"shares at least one P{pid} with",
            }
            yield Draft(
                f"share:P{pid}", self, (pid, pid), Relation.share(pid), "reviewed list", support, "active", reason
            )  # fmt: skip

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`share(P, Cap)`; what may not be composed may still be shared."""
        first, cap = rule.premises[0], number(rule.support["cap"])
        if first in wd.COMPOSED:
            return Body(f"share(u{number(first)}, {cap})", undated=frozenset(rule.premises))
        return Body(f"share({relation_term(first, undated)}, {cap})", *once(rule.premises, undated))

    def weight(self, rule: Rule) -> int:
        """Each member of a group meets as many others as the cap allows."""
        return statements_of(rule) * int(rule.support["cap"]) * 2 // 5 + 1

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """Two statements with one object."""
        first = f"p{rule.premises[0]}"
        return [f"holds(S, O) :- {first}(S, Shared, _), {first}(O, Shared, _), S \\== O."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int] | None:
        """All or nothing: the pairs of a group depend on all its members."""
        return None if changes.of(rule.premises[0]) else frozenset()

    def replay(self, rule: Rule) -> str:
        """`share(P)`."""
        return f"rule(share({number(rule.premises[0])}))."

    def hops(self, rule: Rule) -> int:
        """Two statements."""
        return 2

    def relation(self, rule: Rule, name: str) -> str:
        """`shares at least one … with`."""
        return f"shares at least one {name} with"


def _climbs(chain: Sequence[str]) -> bool:
    return chain[-1].endswith("*")


def _chains(kind: RuleKind, typing: Typing) -> Iterator[Draft]:
    reviewed = typing.reviewed
    for entry in reviewed.composite:
        named = reviewed.relations.get(entry.concludes)
        yield _chain(kind, entry, reviewed.conclusion(entry), "active", named.label if named else "")
    for entry in reviewed.composite_refused:
        yield _chain(kind, entry, Relation.chain(*entry.properties), "refused", "")


def _chain(kind: RuleKind, entry: ChainEntry, conclusion: Relation, verdict: str, relation: str) -> Draft:
    support: dict[str, Any] = {"chain": list(entry.chain)}
    if relation:
        support["relation"] = relation
    return Draft(entry.name, kind, entry.properties, conclusion, "reviewed list", support, verdict, entry.reason)
