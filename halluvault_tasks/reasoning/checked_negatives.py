"""Statements that people found to be false: a licence of its own, with its source and the day (semantics.md §1.6).

They belong to no month. One that any month states at any rank, or derives, is *withdrawn* for good, with the month that
does, since nobody knows which of the two is right. So is one that follows from what is stated by containment or class
(somebody who is a film actor is an actor). On a property whose statements hold for a time it is false as of the day on
which it was checked, and asked with that day only.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import checked_negative

_NAMES = re.compile(r"\D+\t\D+\t\D+")
"""A line of names: a statement that is written otherwise has digits, or no tabs."""
_LINE = re.compile(r"Q([1-9]\d{0,8})\tP([1-9]\d{0,5})\tQ([1-9]\d{0,8})")

_STATED = """
UPDATE checked_negative c SET withdrawn = found.why FROM (
    SELECT p, s, o, 'stated in ' || min(snapshot) AS why FROM (
        SELECT st.snapshot, st.p, st.s, st.o FROM statement st JOIN checked_negative c USING (p, s, o)
        UNION ALL SELECT d.snapshot, d.p, d.s, d.o FROM deprecated_value d JOIN checked_negative c USING (p, s, o)
    ) AS said GROUP BY p, s, o) AS found
WHERE c.withdrawn IS NULL AND (c.p, c.s, c.o) = (found.p, found.s, found.o)
"""

_DERIVED = """
UPDATE checked_negative c SET withdrawn = found.why FROM (
    SELECT c.p, c.s, c.o, 'derived in ' || min(d.snapshot) || ' by ' || min(r.name) AS why
    FROM checked_negative c JOIN relation p ON p.kind = 'property' AND p.properties = ARRAY[c.p]
    JOIN derived_fact d ON (d.relation, d.s, d.o) = (p.id, c.s, c.o) JOIN rule r USING (snapshot, rule)
    WHERE r.kind <> 'negation.value' GROUP BY c.p, c.s, c.o) AS found
WHERE c.withdrawn IS NULL AND (c.p, c.s, c.o) = (found.p, found.s, found.o)
"""


class Triple(NamedTuple):
    """Subject, property, object: numbers of their ids."""

    s: int
    p: int
    o: int


class Imported(NamedTuple):
    """What an import brought."""

    read: int
    """Distinct triples of the file."""

    new: int
    """Those that were not there from this source."""

    withdrawn: int
    """Those of the source that some month states or derives, now or before."""


class Standing(NamedTuple):
    """What is there of one property."""

    p: int
    source: str
    checked_on: date
    imported: int
    withdrawn: int


def read(path: Path) -> list[Triple]:
    """The triples of a file, ascending, each once.

    Args:
        path: tab separated subject, property, object (Q1, P2, Q3), with or without a line of names.

    Raises:
        UserError: the file cannot be read, or a line is no triple; names it.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    triples = set()
    for at, line in enumerate(lines, 1):
        if match := _LINE.fullmatch(line):
            triples.add(Triple(*map(int, match.groups())))
        elif at > 1 or not _NAMES.fullmatch(line):
            raise UserError(f"{path} line {at}: {line[:80]!r} is not a statement", "write it like Q1<tab>P2<tab>Q3")
    return sorted(triples)


def store(session: Session, triples: Iterable[Triple], *, source: str, checked_on: date) -> Imported:
    """Keep triples that people found to be false, and withdraw those that a month states or derives.

    The same again changes nothing; commits.

    Args:
        session: open session.
        triples: what was found to be false.
        source: who checked it, for the proof that quotes it.
        checked_on: the day, or the last one of those on which it was done.

    Raises:
        UserError: the source has no name, or was imported with another date.
    """
    if not source.strip():
        raise UserError("the negatives have no source", "name who checked them: --source 'CoDEx-S, Safavi and Koutra'")
    c = checked_negative.c
    other = session.scalar(select(c.checked_on).where(c.source == source, c.checked_on != checked_on).limit(1))
    if other is not None:
        raise UserError(
            f"{source!r} was imported as checked on {other}, not {checked_on}",
            "give that date, or name the new check as another source",
        )
    rows = [{**triple._asdict(), "source": source, "checked_on": checked_on} for triple in triples]
    new = 0
    for at in range(0, len(rows), 1000):
        added = session.execute(
            insert(checked_negative).values(rows[at : at + 1000]).on_conflict_do_nothing().returning(c.id)
        )
        new += len(added.all())
    session.execute(text(_STATED))
    session.execute(text(_DERIVED))
    gone = session.scalar(select(func.count()).where(c.source == source, c.withdrawn.is_not(None)))
    session.commit()
    return Imported(len(rows), new, int(gone or 0))


def listing(session: Session) -> list[Standing]:
    """What is there, by property and source."""
    c = checked_negative.c
    rows = session.execute(
        select(c.p, c.source, c.checked_on, func.count(), func.count(c.withdrawn))
        .group_by(c.p, c.source, c.checked_on)
        .order_by(c.p, c.source)
    )
    return [Standing(*row) for row in rows]


def counts(session: Session) -> dict[int, int]:
    """Property → negatives that are not withdrawn."""
    c = checked_negative.c
    rows = session.execute(select(c.p, func.count().label("n")).where(c.withdrawn.is_(None)).group_by(c.p))
    return {row.p: row.n for row in rows}


def withdraw(session: Session, snapshot: str, reasons: Mapping[int, str]) -> None:
    """Take negatives out of use for good, each with what contradicts it; the caller commits."""
    for number, why in sorted(reasons.items()):
        session.execute(
            update(checked_negative)
            .where(checked_negative.c.id == number, checked_negative.c.withdrawn.is_(None))
            .values(withdrawn=f"{why} in {snapshot}")
        )
