"""Transitive properties: along every path, over a statement from each end, or only between licensed pairs."""

from collections.abc import Iterator
from typing import Any

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Changes,
    Draft,
    Licensing,
    Lines,
    Refutation,
    RuleKind,
    Typing,
    once,
    origin,
    relation_term,
)
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing import composing
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.wikidata.relation import Relation

_CLASS = 18_647_515
"""Wikidata's class of transitive properties (Q18647515)."""


class Transitive(RuleKind):
    """p(a, b), p(b, c) give p(a, c): a row for each end of a path, with its last step."""

    name = "transitive"
    family = "transitive"
    composes = True
    _rows_per_statement = 18

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Reviewed properties whose metadata calls them transitive, but those of which only pairs are licensed."""
        return (draft for draft in _drafts(self, typing) if not draft.support.get("below"))

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`transitive(P, Most)`."""
        most = number(rule.support["steps"]) if rule.support.get("steps") else "inf"
        term = f"transitive({relation_term(rule.premises[0], undated)}, {most})"
        return Body(term, *once(rule.premises, undated))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """A step, or a step and more."""
        step = f"p{rule.premises[0]}"
        return [f"holds(S, O) :- {step}(S, O, _).", f"holds(S, O) :- {step}(S, Middle, _), holds(Middle, O)."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """Whatever leads to what has changed."""
        first = rule.premises[0]
        return frozenset(changes.below(first, {s for s, _ in changes.of(first)}))

    def replay(self, rule: Rule) -> str:
        """`transitive(P)`."""
        return f"rule(transitive({number(rule.premises[0])}))."

    def hops(self, rule: Rule) -> int:
        """Two steps or more."""
        return 2


class Stepwise(Transitive):
    """The same between licensed pairs alone (classes, semantics.md §1.9): a row names every step."""

    name = "transitive, licensed pairs"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Reviewed properties with classes that a person has read the hierarchy below."""
        return (draft for draft in _drafts(self, typing) if draft.support.get("below"))

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`composed(P, K)`."""
        term = f"composed({relation_term(rule.premises[0], undated)}, {number(rule.conclusion.pid)})"
        return Body(term, *once(rule.premises, undated))

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """The pairs, two or three steps apart."""
        hierarchy = composing.hierarchy(licensing.containment, rule.support["below"])
        for s, o in hierarchy.pairs(int(rule.support["steps"])):
            lines.add(f"composed({rule.conclusion.pid},{s},{o}).\n")


class FromBothEnds(Transitive):
    """p(a, b), which b says of a container c as q(c, b), give p(a, c): a town of a county that a state is said to have.

    Two statements: the unit between them may have no other container but those that contain one another.
    """

    name = "transitive, from both ends"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Reviewed transitive properties of which another one says the same from the container."""
        for pid, entry in sorted(typing.reviewed.transitive.items()):
            if entry.turned:
                name, premises = f"transitive:P{pid}/P{entry.turned}", (pid, entry.turned)
                yield Draft(name, self, premises, Relation.of(pid), "reviewed list", {}, "active", entry.reason)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`from_both_ends(P, Q, K)`."""
        first, second = (relation_term(p, undated) for p in rule.premises)
        term = f"from_both_ends({first}, {second}, {number(rule.conclusion.pid)})"
        return Body(term, *once(rule.premises, undated))

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """Which unit is known to lie in which."""
        lying = licensing.containment
        for unit in sorted(lying.units):
            if _nested(lying, unit):
                for container in sorted(lying.units[unit]):
                    lines.add(f"nested({rule.conclusion.pid},{unit},{container}).\n")

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """A statement of each end."""
        first, second = rule.premises
        return [f"holds(S, O) :- p{first}(S, Middle, _), p{second}(O, Middle, _)."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """Whatever lies in a unit of which either end says something else."""
        first, second = rule.premises
        middles = {middle for _, middle in changes.of(second)}
        return frozenset(changes.before(first, middles) | {s for s, _ in changes.of(first)})

    def replay(self, rule: Rule) -> str:
        """Nothing of its own: what is read from either end climbs by `transitive(P)`."""
        return ""


def _nested(lying: Containment, unit: int) -> bool:
    """Whether all containers of a unit, no water, mountain or event, contain one another and lie in its country."""
    if not lying.unsettled_types.isdisjoint(lying.types.get(unit, ())) or lying.historic(unit):
        return False
    every = lying.units[unit]
    own = {lying.place_of(one).country for one in (unit, *every)}
    above = [(one, other) for one in every for other in every if one != other]
    return (
        len(own) == 1
        and 0 not in own
        and not any(map(lying.historic, every))
        and all(one in lying.above(other) or other in lying.above(one) for one, other in above)
    )


def _drafts(kind: RuleKind, typing: Typing) -> Iterator[Draft]:
    reviewed = typing.reviewed
    classed = {pid for pid, meta in typing.properties.items() if _CLASS in meta.classes}
    for pid in sorted(classed | set(reviewed.transitive) | set(reviewed.transitive_refused)):
        review = reviewed.transitive.get(pid)
        support: dict[str, Any] = {}
        if bar := reviewed.transitive_refused.get(pid):
            verdict, reason = "refused", bar
        elif pid in classed and review:
            verdict, reason = "active", review.reason
            support = {"steps": review.steps, "below": sorted(review.below)}
            if composable := typing.composing.get(pid):
                support |= {
                    "composable": len(composable.sids),
                    "left_out": dict(composable.left_out),
                    "digest": composable.digest,
                }
                stated = len(composable.sids) + sum(composable.left_out.values())
                reason += f"; {len(composable.sids)} of {stated} statements lead on"
        elif pid in classed:
            verdict, reason = "candidate", "of the transitive class, but nobody has reviewed it"
        else:
            verdict, reason = "candidate", "reviewed, but the snapshot's metadata does not give it the transitive class"
        parts = (["class Q18647515"] if pid in classed else []) + (["reviewed list"] if review else [])
        proposed = origin(parts, typing.properties.get(pid))
        yield Draft(f"transitive:P{pid}", kind, (pid,), Relation.of(pid), proposed, support, verdict, reason)
