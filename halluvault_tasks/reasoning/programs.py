"""Write a shard's `facts.pl` and `rules.pl`: integers only, sorted, byte for byte the same every time.

The files are scratch (Postgres keeps the truth), but they are kept, so that anyone can ask the same questions:
`swipl prolog_rules/derivation.pl facts.pl rules.pl`.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks import private
from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.alternatives import alternatives, subjects_with_one_value
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.records import Rule

FACTS, RULES = "facts.pl", "rules.pl"


class Body(NamedTuple):
    """A rule's body in Prolog and the relations that it reads."""

    term: str
    usable: frozenset[int] = frozenset()
    standing: frozenset[int] = frozenset()
    names: bool = False


def body(rule: Rule, undated: frozenset[int] = frozenset()) -> Body | None:
    """What a rule reads and does (prolog_rules/derivation.pl); None for one that stores no row.

    Args:
        rule: the rule.
        undated: properties whose usable statements all hold without limit of time: they are written once, as p<K>.
    """
    first = number(rule.premises[0])
    every, named = frozenset(rule.premises), rule.kind.startswith("negation")
    once = every & undated

    def at(p: int) -> str:
        return f"{'p' if p in undated else 's'}{number(p)}"

    if rule.kind in {"symmetric", "inverse"}:
        return Body(f"{rule.kind}(p{first})", every)
    if rule.kind == "transitive":
        return Body(f"transitive({at(rule.premises[0])})", once, every - once)
    if rule.kind == "negation.polarity":
        return Body(f"flip(p{first})", every, names=named)
    if rule.kind == "composite":
        if rule.shared:
            return Body(f"share({at(rule.premises[0])}, {number(rule.support['cap'])})", once, every - once)
        if rule.support["chain"][-1].endswith("*"):
            return Body(f"then_up({', '.join(at(p) for p in rule.premises)})", once, every - once)
        return Body(f"chain([{', '.join(at(p) for p in rule.premises)}])", once, every - once)
    if rule.name.endswith(":converse"):
        return Body(f"converse(p{first}, {first}, {int(Reason.CONVERSE)})", every, names=named)
    if rule.name.endswith(":reflexive"):
        return None
    return Body(f"wrong_value(p{first}, {first}, {number(rule.support['per_fact'])})", every, names=named)


_ROWS_PER_STATEMENT = {"transitive": 12, "negation.value": 40}
"""Work of a statement in rows written; for wrong values most of it is their licensing, before any row."""


def _weight(rule: Rule) -> int:
    """About how much a rule has to do, in rows written."""
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


def _copy_out(session: Session, query: str, bind: Mapping[str, Any], file: BinaryIO) -> None:
    """Write a query's one text column as lines: formatted by Postgres, ten times faster than row by row here."""
    connection = session.connection()
    sql = text(query).bindparams(**bind).compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
    driver = connection.connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '128MB'")
        cursor.copy_expert(f"COPY ({sql}) TO STDOUT", file)


def _relations(
    session: Session, snapshot: str, day: int, properties: list[int], condition: str, letter: str, file: BinaryIO
) -> None:
    if not properties:
        return
    among = ", ".join(number(p) for p in properties)
    query = (
        f"SELECT '{letter}' || p || '(' || s || ',' || o || ',' || sid || ').' FROM (SELECT st.p, st.s, st.o, "  # noqa: S608 (constants of this package and integers)
        f"min(st.sid) AS sid FROM statement st WHERE {condition} AND st.p IN ({among}) GROUP BY st.p, st.s, st.o) "
        "AS one ORDER BY p, s, o"
    )
    _copy_out(session, query, {"snapshot": snapshot, "today": day}, file)


_NAMED = "SELECT 'named(' || qid || ').' FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL ORDER BY qid"


def undated(session: Session, snapshot: str, rules: Iterable[Rule]) -> frozenset[int]:
    """Timeless properties of which every usable statement is a standing one."""
    properties = {p for rule in rules for p in rule.premises}
    bound = {p for rule in rules for p in rule.support["time_bound"]}
    dated = session.scalars(
        text(f"SELECT DISTINCT st.p FROM statement st WHERE {usable.USABLE} AND NOT ({usable.STANDING_TIMELESS})"),  # noqa: S608 (constants of this package)
        {"snapshot": snapshot, "today": usable.today(session, snapshot)},
    )
    return frozenset(properties - bound - set(dated))


class Ready(NamedTuple):
    """A rule that can be written for Prolog."""

    rule: Rule
    body: Body
    licences: bytes
    """Its lines of `single`, `seen`, `young` and `alternatives`; empty but for negation.value."""

    inputs: str
    """sha256 of everything that its rows rest on, but for the statements and who has a label."""


def make_ready(
    session: Session, snapshot: str, rules: Sequence[Rule], facts: LicenceFacts | None, prolog_dir: Path
) -> list[Ready]:
    """The rules that store rows, each with its body, its licences and what it rests on.

    Args:
        session: open session.
        snapshot: key.
        rules: the shard's rules.
        facts: the licence's view; None if no rule is a negation.value.
        prolog_dir: where derivation.pl is.
    """
    once = undated(session, snapshot, rules)
    program = b"".join((prolog_dir / name).read_bytes() for name in ("derivation.pl", "closure.pl"))
    conditions = (usable.USABLE, usable.STANDING_TIMELESS, usable.STANDING_TIME_BOUND)
    program += "\n".join(conditions).encode()
    found = []
    for rule in rules:
        if one := body(rule, once):
            denies = rule.kind == "negation.value" and facts is not None
            licences = "".join(_licence_lines(rule, facts)).encode() if denies and facts else b""
            said = f"{rule.conclusion} {one.term} {sorted(rule.support['time_bound'])}"
            inputs = hashlib.sha256(b"\0".join((program, said.encode(), licences))).hexdigest()
            found.append(Ready(rule, one, licences, inputs))
    return found


def _licence_lines(rule: Rule, facts: LicenceFacts) -> Iterator[str]:
    p = rule.conclusion
    for subject in facts.subjects_ever(p):
        items = facts.seen[p, subject]
        for item in sorted(items) if len(items) > 1 else items:
            yield f"seen({p},{subject},{item}).\n"
    if rule.name.endswith(":converse"):
        young = {sid for (property_, _), known in facts.known.items() if property_ == p for sid in known.young}
        yield from (f"young({p},{sid}).\n" for sid in sorted(young))
        return
    sole = subjects_with_one_value(facts, p)
    yield from (f"single({p},{subject}).\n" for subject in sorted(sole))
    for one in alternatives(facts, p, int(rule.support["per_fact"]), sole):
        wrongs = ",".join(f"{wrong}-{reason}" for wrong, reason in one.wrongs)
        yield f"alternatives({p},{one.value},v({wrongs})).\n"


def _write_facts(session: Session, snapshot: str, ready: Sequence[Ready], file: BinaryIO) -> None:
    usables = sorted({p for one in ready for p in one.body.usable})
    standings = sorted({p for one in ready for p in one.body.standing})
    bound = {p for one in ready for p in one.rule.support["time_bound"]}
    day = usable.today(session, snapshot)
    heading = f"% Facts of snapshot {snapshot}, as of day {day} (proleptic Gregorian ordinal); see derivation.pl.\n"
    file.write(heading.encode())
    for letter, properties in (("p", usables), ("s", standings)):
        file.writelines(f":- dynamic({letter}{p}/3).\n".encode() for p in properties)
    timeless, timely = [p for p in standings if p not in bound], [p for p in standings if p in bound]
    _relations(session, snapshot, day, usables, usable.USABLE, "p", file)
    _relations(session, snapshot, day, timeless, usable.STANDING_TIMELESS, "s", file)
    _relations(session, snapshot, day, timely, usable.STANDING_TIME_BOUND, "s", file)
    if any(one.body.names for one in ready):
        _copy_out(session, _NAMED, {"snapshot": snapshot}, file)
    written: set[bytes] = set()
    for one in ready:
        # Two rules of one property (its wrong values and its converse) know the same of what was seen.
        fresh = [line for line in one.licences.splitlines(keepends=True) if line not in written]
        written.update(fresh)
        file.writelines(fresh)


def write_shard(
    session: Session,
    snapshot: str,
    ready: Sequence[Ready],
    directory: Path,
    touched: Mapping[int, Collection[int]] | None = None,
    kept: Iterable[tuple[Ready, str]] = (),
) -> tuple[Path, Path]:
    """Write both files of a shard, whole or not at all.

    Args:
        session: open session.
        snapshot: key.
        ready: the rules to run.
        directory: made if missing; files of an earlier run are replaced.
        touched: rule number → the only subjects that it runs for; a rule that is not in it runs for all.
        kept: rules that do not run, since their rows are those of the month named.

    Returns:
        Paths of facts.pl and rules.pl.
    """
    private.folder(directory)
    touched = touched or {}
    lines = [f"% Rules of snapshot {snapshot}. Generated; the bodies are explained in derivation.pl.\n"]
    lines.append(":- dynamic([rule/3, touched/2]).\n")
    for one in ready:
        number_, term = one.rule.rule, one.body.term
        term = f"only({number_}, {term})" if number_ in touched else term
        lines.append(f"rule({number_}, {one.rule.conclusion}, {term}).\n")
        lines += (f"touched({number_}, {subject}).\n" for subject in sorted(touched.get(number_, ())))
    for one, month in kept:
        lines.append(f"% the rows of {month}: rule({one.rule.rule}, {one.rule.conclusion}, {one.body.term}).\n")
    partial = directory / f"{FACTS}.partial"
    with private.opened(partial) as file:
        _write_facts(session, snapshot, ready, file)
    partial.rename(directory / FACTS)
    partial = directory / f"{RULES}.partial"
    private.write_text(partial, "".join(lines))
    partial.rename(directory / RULES)
    return directory / FACTS, directory / RULES
