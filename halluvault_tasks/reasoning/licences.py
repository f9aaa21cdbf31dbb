"""What a rule may conclude, worked out before Prolog runs and written as facts: `Ready` rules.

Only integers; one line per fact; sorted, so that the same snapshot gives the same bytes.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import checked_negatives, composing, surroundings, usable
from halluvault_tasks.reasoning.alternatives import alternatives, subjects_with_one_value
from halluvault_tasks.reasoning.bodies import Body, body, concludes, undated, unless
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.support import VALUES_SEEN
from halluvault_tasks.wikidata import properties as wd

_OF_ONE_SEX = f"""
SELECT s, min(sid) FROM statement WHERE snapshot = :snapshot AND p = {wd.SEX} GROUP BY s
HAVING bool_and(coalesce(kind = 'item' AND o = :sex AND NOT hedged, false))
AND NOT EXISTS (SELECT FROM deprecated_value d WHERE d.snapshot = :snapshot AND d.p = {wd.SEX} AND d.s = statement.s)
ORDER BY s
"""  # noqa: S608 (constants of this package)

_RECORDED = f"SELECT DISTINCT s, coalesce(o, 0) AS o FROM ({VALUES_SEEN}) AS seen ORDER BY s, o"  # noqa: S608 (constants)


class Ready(NamedTuple):
    """A rule that can be written for Prolog."""

    rule: Rule
    body: Body
    licences: bytes
    """Lines about what the rule may conclude, worked out before: `v<K>`, `alternatives`, `composed`, `sex` …"""

    inputs: str
    """sha256 of everything that its rows depend on, but for the statements and who has a label."""


class _Lines:
    """Lines for the file, and the same for the hash: without numbers that change from month to month."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.stable: list[str] = []

    def add(self, line: str, stable: str | None = None) -> None:
        """One fact; `stable` instead of it for the hash where it holds a statement's number."""
        self.written.append(line)
        self.stable.append(line if stable is None else stable)


def make_ready(
    session: Session, snapshot: str, rules: Sequence[Rule], facts: LicenceFacts | None, prolog_dir: Path
) -> list[Ready]:
    """The rules that Prolog runs, each with its body, its licences and what it depends on.

    Args:
        session: open session.
        snapshot: key.
        rules: the shard's rules.
        facts: the licence's view; None if no rule is a negation.value.
        prolog_dir: where derivation.pl is.
    """
    once = undated(rules)
    program = b"".join((prolog_dir / name).read_bytes() for name in ("derivation.pl", "closure.pl"))
    conditions = (usable.USABLE, usable.STANDING_TIMELESS, usable.STANDING_TIME_BOUND)
    program += "\n".join(conditions).encode()
    everything = active_rules(session, snapshot) if any(rule.checked for rule in rules) else []
    found = []
    for rule in rules:
        if one := body(rule, once):
            lines = _Lines()
            _write(session, snapshot, rule, facts, lines)
            if rule.checked:
                # What would conclude the same is asked in the same engine, wherever its own rows are derived.
                against = [other for other in everything if concludes(other, rule.conclusion)]
                for other in against:
                    _write(session, snapshot, other, facts, lines)
                one = unless(one, rule, [stated for other in against if (stated := body(other))])
            said = f"{rule.conclusion} {one.term} {sorted(rule.support['time_bound'])}"
            inputs = hashlib.sha256(b"\0".join((program, said.encode(), "".join(lines.stable).encode()))).hexdigest()
            found.append(Ready(rule, one, "".join(lines.written).encode(), inputs))
    return found


def _write(session: Session, snapshot: str, rule: Rule, facts: LicenceFacts | None, lines: _Lines) -> None:
    p = rule.conclusion
    if rule.stepwise:
        steps, reviewed = int(rule.support["steps"]), rule.support["below"]
        hierarchy = composing.hierarchy(surroundings.load(session, snapshot), reviewed)
        for s, o in hierarchy.pairs(steps):
            lines.add(f"composed({p},{s},{o}).\n")
    elif rule.sex:
        bind = {"snapshot": snapshot, "sex": rule.sex, "p": p, "properties": [p]}
        for s, sid in session.execute(text(_OF_ONE_SEX), bind):
            lines.add(f"sex({rule.sex},{s},{sid}).\n", f"sex {s}\n")
        for s, o in session.execute(text(_RECORDED), bind):
            lines.add(f"known({p},{s},{o}).\n")
    elif rule.kind == "negation.value" and facts is not None:
        if rule.checked:
            for s, o, finding in checked_negatives.uncontradicted(facts, p):
                lines.add(f"checked({p},{s},{o},{finding}).\n")
        elif rule.name.endswith(":converse"):
            _write_converse(facts, p, lines)
        else:
            _write_wrong_values(facts, p, int(rule.support["per_fact"]), lines)


def _write_converse(facts: LicenceFacts, p: int, lines: _Lines) -> None:
    if p in wd.CLASSES:
        lines.add(f"several({p}).\n")
    linked: set[tuple[int, int]] = set()
    for s in facts.subjects(p):
        known = facts.known[p, s]
        for o, sid in sorted(known.items.items()):
            if sid in known.young:
                lines.add(f"young({p},{sid}).\n", f"young {s} {o}\n")
            if o in facts.links.get(s, ()):
                linked |= {(s, o), (o, s)}
    for s, o in sorted(linked):
        lines.add(f"alike({s},{o}).\n")
    for s in facts.subjects_ever(p):
        for o in sorted(facts.seen[p, s]):
            lines.add(f"seen({p},{s},{o}).\n")


def _write_wrong_values(facts: LicenceFacts, p: int, per_fact: int, lines: _Lines) -> None:
    sole = subjects_with_one_value(facts, p)
    lines.add(f":- dynamic(v{p}/3).\n", "")
    for s, (o, sid) in sole.items():
        if s in facts.tokens:
            lines.add(f"v{p}({s},{o},{sid}).\n", f"{s},{o}\n")
            if len(seen := facts.seen.get((p, s), ())) > (o in seen):
                for other in sorted(seen):
                    lines.add(f"seen({p},{s},{other}).\n")
    for one in alternatives(facts, p, per_fact, {s: o for s, (o, _) in sole.items()}):
        coded = ",".join([str(16 * o + reason) for o, reason in one.wrongs])
        lines.add(f"alternatives({p},{one.value},v({coded})).\n")
