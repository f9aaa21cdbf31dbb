"""Write a shard's `facts.pl` and `rules.pl`: integers only, sorted, byte for byte the same every time.

The files are scratch (Postgres keeps the truth), but they are kept, so that anyone can ask the same questions:
`swipl prolog_rules/derivation.pl facts.pl rules.pl`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.alternatives import alternatives, subjects_with_one_value
from halluvault_tasks.reasoning.licence import Reason, World
from halluvault_tasks.reasoning.records import Rule

FACTS, RULES = "facts.pl", "rules.pl"


class Body(NamedTuple):
    """A rule's body in Prolog and the relations that it reads."""

    term: str
    usable: frozenset[int] = frozenset()
    standing: frozenset[int] = frozenset()
    names: bool = False


def body(rule: Rule) -> Body | None:
    """What a rule reads and does (prolog_rules/derivation.pl); None for one that stores no row."""
    first = number(rule.premises[0])
    every, named = frozenset(rule.premises), rule.kind.startswith("negation")
    if rule.kind in {"symmetric", "inverse"}:
        return Body(f"{rule.kind}(p{first})", every)
    if rule.kind == "transitive":
        return Body(f"transitive(s{first})", standing=every)
    if rule.kind == "negation.polarity":
        return Body(f"flip(p{first})", every, names=named)
    if rule.kind == "composite":
        if rule.name.startswith("share:"):
            return Body(f"share(s{first}, {number(rule.support['cap'])})", standing=every)
        if rule.support["chain"][-1].endswith("*"):
            return Body(f"then_up(s{first}, s{number(rule.premises[1])})", standing=every)
        return Body(f"chain([{', '.join(f's{number(p)}' for p in rule.premises)}])", standing=every)
    if rule.name.endswith(":converse"):
        return Body(f"converse(p{first}, {first}, {int(Reason.CONVERSE)})", every, names=named)
    if rule.name.endswith(":reflexive"):
        return None
    return Body(f"wrong_value(p{first}, {first}, {number(rule.support['per_fact'])})", every, names=named)


def shard_of(rules: Iterable[Rule], shards: int) -> dict[int, int]:
    """Rule number → shard, the statements that each has to read spread evenly (largest first)."""
    loads = [0] * shards
    placed = {}
    for rule in sorted(rules, key=lambda one: (-sum(one.support["statements"].values()), one.rule)):
        shard = loads.index(min(loads))
        loads[shard] += sum(rule.support["statements"].values()) + 1
        placed[rule.rule] = shard
    return placed


def _relation(session: Session, snapshot: str, day: int, p: int, condition: str, letter: str) -> Iterator[str]:
    rows = session.execute(
        text(
            f"SELECT st.s, st.o, min(st.sid) AS sid FROM statement st WHERE {condition} AND st.p = :p "  # noqa: S608 (constants of this package)
            "GROUP BY st.s, st.o ORDER BY st.s, st.o"
        ).execution_options(yield_per=50_000),
        {"snapshot": snapshot, "today": day, "p": p},
    )
    for s, o, sid in rows:
        yield f"{letter}{p}({s},{o},{sid}).\n"


def _lines(session: Session, snapshot: str, rules: list[Rule], world: World) -> Iterator[str]:
    bodies = [(rule, one) for rule in rules if (one := body(rule))]
    usables = sorted({p for _, one in bodies for p in one.usable})
    standings = sorted({p for _, one in bodies for p in one.standing})
    bound = {p for rule in rules for p in rule.support["time_bound"]}
    day = usable.today(session, snapshot)
    yield f"% Facts of snapshot {snapshot}, as of day {day} (proleptic Gregorian ordinal); see derivation.pl.\n"
    for letter, properties in (("p", usables), ("s", standings)):
        for p in properties:
            yield f":- dynamic({letter}{p}/3).\n"
    for p in usables:
        yield from _relation(session, snapshot, day, p, usable.USABLE, "p")
    for p in standings:
        condition = usable.STANDING_TIME_BOUND if p in bound else usable.STANDING_TIMELESS
        yield from _relation(session, snapshot, day, p, condition, "s")
    if any(one.names for _, one in bodies):
        labelled = text("SELECT qid FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL ORDER BY qid")
        for qid in session.scalars(labelled, {"snapshot": snapshot}):
            yield f"named({qid}).\n"
    yield from _licence_lines([rule for rule, _ in bodies if rule.kind == "negation.value"], world)


def _licence_lines(rules: list[Rule], world: World) -> Iterator[str]:
    properties = {rule.conclusion for rule in rules}
    for (p, subject), items in sorted(world.seen.items()):
        if p in properties:
            for item in sorted(items):
                yield f"seen({p},{subject},{item}).\n"
    wrong_value = {rule.conclusion: rule for rule in rules if not rule.name.endswith(":converse")}
    for p in sorted(wrong_value):
        for subject in sorted(subjects_with_one_value(world, p)):
            yield f"single({p},{subject}).\n"
    for p, rule in sorted(wrong_value.items()):
        for one in alternatives(world, p, int(rule.support["per_fact"])):
            wrongs = ",".join(f"{wrong}-{reason}" for wrong, reason in one.wrongs)
            yield f"alternatives({p},{one.value},v({wrongs})).\n"


def write_shard(session: Session, snapshot: str, rules: list[Rule], world: World, directory: Path) -> tuple[Path, Path]:
    """Write both files of a shard, whole or not at all.

    Args:
        session: open session.
        snapshot: key.
        rules: the shard's rules.
        world: the licence's view.
        directory: made if missing; files of an earlier run are replaced.

    Returns:
        Paths of facts.pl and rules.pl.
    """
    directory.mkdir(parents=True, exist_ok=True)
    rule_lines = [f"% Rules of snapshot {snapshot}. Generated; the bodies are explained in derivation.pl.\n"]
    rule_lines.append(":- dynamic(rule/3).\n")
    for rule in rules:
        if one := body(rule):
            rule_lines.append(f"rule({rule.rule}, {rule.conclusion}, {one.term}).\n")
    for name, lines in ((FACTS, _lines(session, snapshot, rules, world)), (RULES, iter(rule_lines))):
        partial = directory / f"{name}.partial"
        with partial.open("w", encoding="utf-8") as file:
            file.writelines(lines)
        partial.rename(directory / name)
    return directory / FACTS, directory / RULES
