"""Inverses: the same statement read from its other end, for all or where that end is of one sex.

Many properties have no inverse on Wikidata, though people ask them both ways: who directed a film, which films somebody
directed. What they say from their other end is a relation of its own (`inverse:P57`).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import text

from halluvault_tasks.prolog.terms import number, term
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Changes,
    Draft,
    Licensing,
    Lines,
    PropertyMeta,
    Refutation,
    RuleKind,
    Typing,
    origin,
    share_figures,
)
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import Reviewed
from halluvault_tasks.reasoning.rule_typing.support import Proportion
from halluvault_tasks.reasoning.world.slots import VALUES_SEEN
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

ITEM_TYPES = frozenset({"wikibase-item", "Item"})
"""What metadata calls the datatype of properties whose values are items."""

_OF_ONE_SEX = f"""
SELECT s, min(sid) FROM statement WHERE snapshot = :snapshot AND p = {wd.SEX} GROUP BY s
HAVING bool_and(coalesce(kind = 'item' AND o = :sex AND NOT hedged, false))
AND NOT EXISTS (SELECT FROM deprecated_value d WHERE d.snapshot = :snapshot AND d.p = {wd.SEX} AND d.s = statement.s)
ORDER BY s
"""  # noqa: S608 (a constant)

_RECORDED = f"SELECT DISTINCT s, coalesce(o, 0) AS o FROM ({VALUES_SEEN}) AS seen ORDER BY s, o"  # noqa: S608 (constants)


class _Judged(NamedTuple):
    """A pair's verdict, and where the proposal comes from."""

    verdict: str
    reason: str
    parts: list[str]
    figures: dict[str, object]


class _TurnedRound(RuleKind):
    """A statement read from its object."""

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`inverse(P)`."""
        return Body(f"inverse(p{number(rule.premises[0])})", frozenset(rule.premises))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The same statement, turned round."""
        return [f"holds(S, O) :- p{rule.premises[0]}(O, S, _)."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """The objects of what has changed: they are the rule's subjects."""
        return frozenset(o for _, o in changes.of(rule.premises[0]))


class Inverse(_TurnedRound):
    """p(a, b) gives q(b, a)."""

    name = "inverse"
    family = "inverse"
    reads_back = True
    _rows_per_statement = 3

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Every proposed pair but those that hold for one sex alone."""
        listed = {(entry.source, entry.to): entry.reason for entry in typing.reviewed.inverse.one_way}
        sexed = {(entry.source, entry.to) for entry in typing.reviewed.inverse.by_sex}
        for p, q in pairs(typing.properties, typing.reviewed):
            if (p, q) not in sexed:
                judged = _judged(p, q, typing, listed.get((p, q), ""))
                proposed = origin(judged.parts, typing.properties.get(p))
                yield Draft(
                    f"inverse:P{p}:P{q}", self, (p,), Relation.of(q), proposed,
                    judged.figures, judged.verdict, judged.reason,
                )  # fmt: skip

    def replay(self, rule: Rule) -> str:
        """`inverse(P, Q)`."""
        return f"rule(inverse({number(rule.premises[0])}, {number(rule.conclusion.pid)}))."


class InverseBySex(RuleKind):
    """p(a, b) gives q(b, a) where a is of one sex: whose child somebody is does not tell whose father."""

    name = "inverse by sex"
    family = "inverse"
    _rows_per_statement = 3

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The pairs that the reviewed list gives with a sex."""
        for entry in sorted(typing.reviewed.inverse.by_sex, key=lambda entry: (entry.source, entry.to)):
            p, q = entry.source, entry.to
            judged = _judged(p, q, typing, entry.reason)
            proposed = origin(judged.parts, typing.properties.get(p))
            yield Draft(
                f"inverse:P{p}:P{q}", self, (p, wd.SEX), Relation.of(q), proposed,
                judged.figures | {"sex": entry.sex}, judged.verdict, judged.reason,
            )  # fmt: skip

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`inverse(P, K, Sex)`."""
        first = rule.premises[0]
        term = f"inverse(p{number(first)}, {number(rule.conclusion.pid)}, {number(rule.support['sex'])})"
        return Body(term, frozenset({first}))

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """Who is of that sex and of no other, and which values are recorded already."""
        p, sex = rule.conclusion.pid, int(rule.support["sex"])
        bind = {"snapshot": licensing.snapshot, "sex": sex, "p": p, "properties": [p]}
        for s, sid in licensing.session.execute(text(_OF_ONE_SEX), bind):
            lines.add(f"sex({sex},{s},{sid}).\n", f"sex {s}\n")
        for s, o in licensing.session.execute(text(_RECORDED), bind):
            lines.add(f"known({p},{s},{o}).\n")

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The same statement, turned round, and the statement of the sex."""
        first, sex = rule.premises
        return [f"holds(S, O) :- p{first}(O, S, _), p{sex}(O, {number(rule.support['sex'])}, _)."]

    def touched(self, rule: Rule, changes: Changes) -> frozenset[int]:
        """The objects of what has changed: they are the rule's subjects."""
        return frozenset(o for _, o in changes.of(rule.premises[0]))


class UnnamedInverse(_TurnedRound):
    """p(a, b) gives the inverse of p, which Wikidata has no property for, of b and a."""

    name = "inverse, unnamed"
    family = "inverse"
    reads_back = True

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed properties, but those whose inverse the snapshot's metadata names."""
        named = dict(pairs(typing.properties, typing.reviewed))
        for pid, reason in typing.reviewed.inverse.unnamed.items():
            meta = typing.properties.get(pid)
            if pid in named:
                verdict, reason = "refused", f"P{named[pid]} is its inverse"
            elif meta and meta.datatype not in ITEM_TYPES:
                verdict, reason = "refused", f"datatype {meta.datatype} is no item"
            else:
                verdict = "active"
            conclusion = Relation.inverse(pid)
            yield Draft(str(conclusion), self, (pid,), conclusion, origin(["reviewed list"], meta), {}, verdict, reason)

    def replay(self, rule: Rule) -> str:
        """`inverse(P, inverse([P]))`."""
        return f"rule(inverse({number(rule.premises[0])}, {term(rule.conclusion.predicate)}))."

    def relation(self, rule: Rule, name: str) -> str:
        """The property, and that it is read from its object."""
        return f"{name}, read from its object"


def pairs(properties: Mapping[int, PropertyMeta], reviewed: Reviewed) -> list[tuple[int, int]]:
    """Every pair (p, q) for which p(a, b) ⇒ q(b, a) is proposed by P1696, at either end, or by the reviewed list."""
    proposed = {(meta.pid, meta.inverse) for meta in properties.values() if meta.inverse and meta.inverse != meta.pid}
    proposed |= {(q, p) for p, q in proposed}
    proposed |= {(entry.source, entry.to) for entry in (*reviewed.inverse.one_way, *reviewed.inverse.by_sex)}
    return sorted(proposed)


def _judged(p: int, q: int, typing: Typing, review: str) -> _Judged:
    """The verdict on a pair; of several declared inverses the mutual one counts (semantics.md §1.9)."""
    reviewed, support = typing.reviewed, typing.support
    first, second = typing.properties.get(p), typing.properties.get(q)
    forth, back = bool(first and first.inverse == q), bool(second and second.inverse == p)
    barred = {(entry.source, entry.to): entry.reason for entry in reviewed.inverse.refused}
    stated, types = support.inverse.get((p, q), Proportion(0, 0)), support.types.get((p, q), Proportion(0, 0))
    datatypes = [meta.datatype for meta in (first, second) if meta]
    if bar := barred.get((p, q)) or barred.get((q, p)):
        verdict, reason = "refused", bar
    elif not ITEM_TYPES.issuperset(datatypes):
        verdict, reason = "refused", f"datatypes {' and '.join(datatypes)} are not both items"
    elif review:
        verdict, reason = "active", review
    elif types.of >= reviewed.settings.min_pairs and types.share < 0.5:
        verdict = "refused"
        reason = f"types disagree: only {types.hits} of {types.of} objects of P{p} are of a type that P{q} is stated of"
    elif forth and back:
        verdict = "active"
        reason = f"P{wd.INVERSE} holds both ways; {stated.hits} of {stated.of} observable pairs are stated both ways"
    else:
        verdict, reason = "candidate", f"P{wd.INVERSE} is recorded one way only, and nobody has reviewed this direction"
    parts = [f"P{wd.INVERSE} both ways"] if forth and back else [f"P{wd.INVERSE} one way"] if forth or back else []
    figures: dict[str, object] = {"both_ways": share_figures(stated), "types": share_figures(types)}
    return _Judged(verdict, reason, parts + (["reviewed list"] if review else []), figures)
