"""Writes a shard's `facts.pl` and `rules.pl`: integers only, sorted, byte for byte the same every time.

The files are scratch (Postgres has the rows), but they are kept, so that anyone can ask the same questions:
`swipl prolog_rules/derivation.pl facts.pl rules.pl`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks import private
from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.reasoning.running.ready import Ready, Relations, relations_of

FACTS, RULES = "facts.pl", "rules.pl"


def _copy_out(session: Session, query: str, bind: Mapping[str, Any], file: BinaryIO) -> None:
    """Write a query's one text column as lines: formatted by Postgres, ten times faster than row by row here."""
    connection = session.connection()
    sql = text(query).bindparams(**bind).compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
    driver = connection.connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        # Shards are what runs side by side: a parallel worker would take the other shard's core, to do its work twice.
        cursor.execute("SET LOCAL work_mem = '128MB'; SET LOCAL max_parallel_workers_per_gather = 0")
        cursor.copy_expert(f"COPY ({sql}) TO STDOUT", file)


def _write_relations(session: Session, snapshot: str, day: int, relations: Relations, file: BinaryIO) -> None:
    letter, properties, condition = relations
    if not properties:
        return
    among = ", ".join(number(p) for p in properties)
    condition = usable.narrowed(condition, properties)
    query = (
        f"SELECT '{letter}' || p || '(' || s || ',' || o || ',' || sid || ').' FROM ("  # noqa: S608 (constants of this package and integers)
        f"SELECT DISTINCT ON (st.p, st.s, st.o) st.p, st.s, st.o, st.sid FROM statement st WHERE {condition} "
        f"AND st.p IN ({among}) ORDER BY st.p, st.s, st.o, st.sid) AS first ORDER BY p, s, o"
    )
    _copy_out(session, query, {"snapshot": snapshot, "today": day}, file)


_NAMED = "SELECT 'named(' || qid || ').' FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL ORDER BY qid"


def _write_facts(session: Session, snapshot: str, ready: Sequence[Ready], file: BinaryIO) -> None:
    read = relations_of(each for each in ready if not each.body.listed)
    day = usable.today(session, snapshot)
    heading = f"% Facts of snapshot {snapshot}, as of day {day} (proleptic Gregorian ordinal); see derivation.pl.\n"
    file.write(heading.encode())
    for letter, properties, _ in read:
        file.writelines(f":- dynamic({letter}{p}/3).\n".encode() for p in properties)
    for relations in read:
        _write_relations(session, snapshot, day, relations, file)
    if any(each.body.names for each in ready):
        _copy_out(session, _NAMED, {"snapshot": snapshot}, file)
    _write_licences(ready, file)


def _write_licences(ready: Sequence[Ready], file: BinaryIO) -> None:
    rules_of = Counter(each.rule.conclusion for each in ready)
    written: set[bytes] = set()
    for each in ready:
        if rules_of[each.rule.conclusion] == 1:
            file.write(each.licences)
            continue
        # Two rules of one property (its wrong values and its converse) know the same of what was seen.
        fresh = [line for line in each.licences.splitlines(keepends=True) if line not in written]
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
    """Write both files of a shard, completely or not at all.

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
    touched, ids = touched or {}, relation_ids(session)
    lines = [f"% Rules of snapshot {snapshot}. Generated; the bodies are explained in derivation.pl.\n"]
    lines.append(":- dynamic([rule/3, touched/2]).\n")
    for rule, body, *_ in ready:
        term = f"only({rule.rule}, {body.term})" if rule.rule in touched else body.term
        lines.append(f"rule({rule.rule}, {ids[rule.conclusion]}, {term}).  % {rule.name}\n")
        lines += (f"touched({rule.rule}, {subject}).\n" for subject in sorted(touched.get(rule.rule, ())))
    for (rule, body, *_), month in kept:
        clause = f"rule({rule.rule}, {ids[rule.conclusion]}, {body.term}).  % {rule.name}"
        lines.append(f"% the rows of {month}: {clause}\n")
    partial = directory / f"{FACTS}.partial"
    with private.opened(partial) as file:
        _write_facts(session, snapshot, ready, file)
    partial.rename(directory / FACTS)
    partial = directory / f"{RULES}.partial"
    private.write_text(partial, "".join(lines))
    partial.rename(directory / RULES)
    return directory / FACTS, directory / RULES
