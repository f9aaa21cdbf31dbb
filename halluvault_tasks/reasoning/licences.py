"""What a rule may conclude, worked out before Prolog runs and written as facts: `Ready` rules.

Only integers; one line per fact; sorted, so that the same snapshot gives the same bytes.
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
    once = undated(rules)
    program = b"".join((prolog_dir / name).read_bytes() for name in ("derivation.pl", "closure.pl"))
    conditions = (usable.USABLE, usable.STANDING_TIMELESS, usable.STANDING_TIME_BOUND)
    program += "\n".join(conditions).encode()
    licensing = Licensing(session, snapshot, world)
    everything = active_rules(session, snapshot) if any(rule.kind is CHECKED for rule in rules) else []
    found = []
    for rule in rules:
        if body := rule.kind.body(rule, once):
            lines = Lines()
            rule.kind.license(rule, licensing, lines)
            if rule.kind is CHECKED:
                # What would conclude the same is asked in the same engine, wherever its own rows are derived.
                against = [other for other in everything if _concludes(other, rule.conclusion)]
                for other in against:
                    other.kind.license(other, licensing, lines)
                stated = [other_body for other in against if (other_body := other.kind.body(other))]
                body = CHECKED.unless(rule, stated)
            said = f"{rule.conclusion} {body.term} {sorted(rule.support['time_bound'])}"
            inputs = hashlib.sha256(b"\0".join((program, said.encode(), "".join(lines.stable).encode()))).hexdigest()
            found.append(Ready(rule, body, "".join(lines.written).encode(), inputs))
    return found


def undated(rules: Iterable[Rule]) -> frozenset[int]:
    """Timeless properties of which every usable statement is a standing one."""
    listed = list(rules)
    dated = {p for rule in listed for p in (*rule.support["time_bound"], *rule.support.get("dated", ()))}
    return frozenset(p for rule in listed for p in rule.premises if p not in dated and p not in wd.COMPOSED)


def _concludes(rule: Rule, relation: Relation) -> bool:
    """Whether a rule derives true facts of this relation that are not stated."""
    return rule.conclusion == relation and rule.kind.family in CONCLUDING_FAMILIES
