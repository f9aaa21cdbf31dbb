"""Rules made ready to run: what each reads, and what it may conclude, worked out before Prolog runs.

What a rule may conclude is written as facts: only integers, one line per fact, sorted, so that the same snapshot gives
the same bytes.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.kinds import CHECKED, CONCLUDING_FAMILIES
from halluvault_tasks.reasoning.kinds.base import Body, Licensing, Lines
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation


class Ready(NamedTuple):
    """A rule that can be written for Prolog."""

    rule: Rule
    body: Body
    licences: bytes
    """Lines about what the rule may conclude, worked out before: `v<K>`, `alternatives`, `composed`, `sex` …"""

    inputs: str
    """sha256 of everything that its rows depend on, but for the statements and who has a label."""


def make_ready(
    session: Session, snapshot: str, rules: Sequence[Rule], world: World | None, prolog_dir: Path
) -> list[Ready]:
    """The rules that Prolog runs, each with its body, its licences and what it depends on.

    Args:
        session: open session.
        snapshot: key.
        rules: the shard's rules.
        world: what it knows; None if no rule is a negation.value.
        prolog_dir: where derivation.pl is.
    """
    once, licensing = undated(rules), Licensing(session, snapshot, world)
    program = b"".join((prolog_dir / name).read_bytes() for name in ("derivation.pl", "closure.pl"))
    program += "\n".join((usable.USABLE, usable.STANDING_TIMELESS, usable.STANDING_TIME_BOUND)).encode()
    active = active_rules(session, snapshot) if any(rule.kind is CHECKED for rule in rules) else []
    ready = []
    for rule in rules:
        if body := rule.kind.body(rule, once):
            lines = Lines()
            rule.kind.license(rule, licensing, lines)
            if rule.kind is CHECKED:
                body = _unless(rule, active, licensing, lines)
            reads = f"{rule.conclusion} {body.term} {sorted(rule.support['time_bound'])}"
            inputs = hashlib.sha256(b"\0".join((program, reads.encode(), "".join(lines.stable).encode()))).hexdigest()
            ready.append(Ready(rule, body, "".join(lines.written).encode(), inputs))
    return ready


def _unless(rule: Rule, active: Iterable[Rule], licensing: Licensing, lines: Lines) -> Body:
    """The body of a rule of findings that gives way to what would conclude the same.

    That is asked in the same engine, wherever its own rows are derived.
    """
    against = [other for other in active if _concludes(other, rule.conclusion)]
    for other in against:
        other.kind.license(other, licensing, lines)
    return CHECKED.unless(rule, [body for other in against if (body := other.kind.body(other))])


def undated(rules: Iterable[Rule]) -> frozenset[int]:
    """Timeless properties of which every usable statement is a standing one."""
    listed = list(rules)
    dated = {p for rule in listed for p in (*rule.support["time_bound"], *rule.support.get("dated", ()))}
    return frozenset(p for rule in listed for p in rule.premises if p not in dated and p not in wd.COMPOSED)


def _concludes(rule: Rule, relation: Relation) -> bool:
    """Whether a rule derives true facts of this relation that are not stated."""
    return rule.conclusion == relation and rule.kind.family in CONCLUDING_FAMILIES


class Relations(NamedTuple):
    """Properties of which some rules read the same statements.

    Attributes:
        letter: of their predicates: `p19`, `s131`, `u131`.
        properties: ascending.
        condition: which statements count (`usable`).
    """

    letter: str
    properties: Sequence[int]
    condition: str


def relations_of(ready: Iterable[Ready]) -> list[Relations]:
    """What rules read."""
    listed = list(ready)
    bound = {p for each in listed for p in each.rule.support["time_bound"]}
    standing = {p for each in listed for p in each.body.standing}
    undated_ = {p for each in listed for p in each.body.undated}
    return [
        Relations(letter, sorted(properties), condition)
        for letter, properties, condition in (
            ("p", {p for each in listed for p in each.body.usable}, usable.USABLE),
            ("s", standing - bound, usable.STANDING_TIMELESS),
            ("s", standing & bound, usable.STANDING_TIME_BOUND),
            ("u", undated_ - bound, usable.UNDATED_TIMELESS),
            ("u", undated_ & bound, usable.UNDATED_TIME_BOUND),
        )
    ]
