"""What each rule reads and does in Prolog, how much work that is, and which shard does it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.checked_negatives import POSITIVE_KINDS
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata import properties as wd

POLARITY = "negation.polarity"


class Body(NamedTuple):
    """A rule's body in Prolog and the relations that it reads."""

    term: str
    usable: frozenset[int] = frozenset()
    standing: frozenset[int] = frozenset()
    undated: frozenset[int] = frozenset()
    """Standing but for what may be composed: two statements side by side compose nothing."""

    names: bool = False
    listed: bool = False
    """Its facts are written with its licences, and no relation for it."""


def body(rule: Rule, undated: frozenset[int] = frozenset()) -> Body | None:
    """What a rule reads and does (prolog_rules/derivation.pl); None for one that stores no row.

    Args:
        rule: the rule.
        undated: properties whose usable statements all hold without limit of time: they are written once, as p<K>.
    """
    first = number(rule.premises[0])
    every = frozenset(rule.premises)
    once = every & undated

    def at(p: int) -> str:
        return f"{'p' if p in undated else 's'}{number(p)}"

    if rule.sex:
        return Body(f"inverse(p{first}, {number(rule.conclusion)}, {number(rule.sex)})", frozenset({rule.premises[0]}))
    if rule.kind in {"symmetric", "inverse"}:
        return Body(f"{rule.kind}(p{first})", every)
    if rule.kind == "transitive":
        return Body(_transitive(rule, at(rule.premises[0])), once, every - once)
    if rule.kind == POLARITY:
        return None  # `polarity` writes its rows
    if rule.kind == "composite":
        if rule.shared:
            cap = number(rule.support["cap"])
            if rule.premises[0] in wd.COMPOSED:
                return Body(f"share(u{first}, {cap})", undated=every)
            return Body(f"share({at(rule.premises[0])}, {cap})", once, every - once)
        if rule.support["chain"][-1].endswith("*"):
            return Body(f"then_up({', '.join(at(p) for p in rule.premises)})", once, every - once)
        return Body(f"chain([{', '.join(at(p) for p in rule.premises)}])", once, every - once)
    if rule.name.endswith(":converse"):
        return Body(f"converse(p{first}, {first}, {int(Reason.CONVERSE)})", every, names=True)
    if rule.name.endswith(":reflexive"):
        return None
    if rule.checked:
        return Body(f"checked({first}, [], {int(Reason.CHECKED)})", names=True)
    return Body(f"wrong_value(v{first}, {first}, {number(rule.support['per_fact'])})", every, listed=True)


def stores(rule: Rule) -> bool:
    """Whether a rule has rows of its own: one that only denies a use to itself has none."""
    return rule.kind == POLARITY or body(rule) is not None


def concludes(rule: Rule, p: int) -> bool:
    """Whether a rule derives true facts of this property."""
    return rule.conclusion == p and rule.kind in POSITIVE_KINDS and not rule.shared


def unless(one: Body, rule: Rule, bodies: Sequence[Body]) -> Body:
    """The body of checked negatives that gives way to what these bodies derive."""
    terms = ", ".join(body.term for body in bodies)
    return Body(
        f"checked({number(rule.conclusion)}, [{terms}], {int(Reason.CHECKED)})",
        frozenset().union(*(body.usable for body in bodies)),
        frozenset().union(*(body.standing for body in bodies)),
        names=one.names,
    )


def _transitive(rule: Rule, relation: str) -> str:
    if rule.stepwise:
        return f"composed({relation}, {number(rule.conclusion)})"
    return f"transitive({relation}, {number(rule.support['steps']) if rule.support.get('steps') else 'inf'})"


def undated(rules: Iterable[Rule]) -> frozenset[int]:
    """Timeless properties of which every usable statement is a standing one."""
    listed = list(rules)
    dated = {p for rule in listed for p in (*rule.support["time_bound"], *rule.support.get("dated", ()))}
    return frozenset(p for rule in listed for p in rule.premises if p not in dated and p not in wd.COMPOSED)


_ROWS_PER_STATEMENT = {"inverse": 3, "transitive": 18, "negation.value": 21}
"""Work of a statement in rows of polarity, which are copied; for wrong values most of it is their licensing."""


def _weight(rule: Rule) -> int:
    """About how much a rule has to do, in rows of polarity (CPU time of `benchmarks/derivation.py`)."""
    statements = int(sum(rule.support["statements"].values()))
    if rule.shared:
        return statements * int(rule.support["cap"]) * 2 // 5 + 1
    return statements * _ROWS_PER_STATEMENT.get(rule.kind, 1) + 1


def shard_of(rules: Iterable[Rule], shards: int) -> dict[int, int]:
    """Rule number → shard, the work spread evenly (largest first).

    All rules of negation.value go to one shard: whoever licenses one has read the whole snapshot for it.
    """
    bundles: dict[int, list[Rule]] = {}
    for rule in rules:
        bundles.setdefault(0 if rule.kind == "negation.value" else rule.rule, []).append(rule)
    loads = [0] * shards
    placed: dict[int, int] = {}
    weights = {key: sum(_weight(rule) for rule in bundle) for key, bundle in bundles.items()}
    for key in sorted(bundles, key=lambda one: (-weights[one], one)):
        shard = loads.index(min(loads))
        loads[shard] += weights[key]
        placed.update((rule.rule, shard) for rule in bundles[key])
    return placed
