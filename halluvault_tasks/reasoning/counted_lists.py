"""How many objects people found a subject to have: where what is stated reaches that number, the list is complete.

The counts belong to no month. What a count is of, its source says by the name of a relation; which of these names count
all objects of a property, config/rules.yaml says (`listed`). Whether a month's statements reach a count, `world.lists`
finds out (semantics.md §1.10).
"""

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import counted_list
from halluvault_tasks.wikidata import properties as wd

COLUMNS = ("subject", "property", "relation", "objects")
"""Of a file of counts, by name; others are left alone."""

_FORMS = {
    "subject": re.compile(r"Q([1-9]\d{0,8})"),
    "property": re.compile(r"P([1-9]\d{0,5})"),
    "objects": re.compile(r"(\d{1,5})"),
}
_EXAMPLE = f"Q64<tab>P{wd.WATERS}<tab>CityLocatedAtRiver<tab>2"


class ObjectCount(NamedTuple):
    """Numbers of ids; `number` of objects in all."""

    s: int
    p: int
    relation: str
    number: int


class ImportedCounts(NamedTuple):
    """What an import brought."""

    read: int
    """Distinct counts of the file."""
    new: int
    """Those that were not there from this source."""
    contradicting: int
    """Subjects of the source with several counts of one relation: none of them counts."""


class CountStanding(NamedTuple):
    """What is there of one property and relation."""

    p: int
    relation: str
    source: str
    checked_on: date
    counts: int


def read(path: Path) -> list[ObjectCount]:
    """The counts of a file, ascending, each once.

    Args:
        path: tab separated, with a line of names that holds `COLUMNS`.

    Raises:
        UserError: the file cannot be read, lacks a column, or a line is no count; names it.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise UserError(
                    f"{path} has no column {missing[0]!r}; a file of counts has {', '.join(COLUMNS)}",
                    f"name them in the first line, and write each count like {_EXAMPLE}",
                )
            return sorted({_count(path, at, row) for at, row in enumerate(rows, 2)})
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error


def _count(path: Path, at: int, row: dict[str, str | None]) -> ObjectCount:
    numbers = {}
    for name, form in _FORMS.items():
        found = form.fullmatch(row[name] or "")
        if found is None:
            raise UserError(f"{path} line {at}: {name} {(row[name] or '')[:40]!r} is not read", f"write {_EXAMPLE}")
        numbers[name] = int(found[1])
    return ObjectCount(numbers["subject"], numbers["property"], row["relation"] or "", numbers["objects"])


def store(session: Session, counts: Sequence[ObjectCount], *, source: str, checked_on: date) -> ImportedCounts:
    """Keep counts. The same again changes nothing; commits.

    Args:
        session: open session.
        counts: how many objects people found.
        source: who counted, for the proof that quotes it.
        checked_on: the day, or the first one of those on which it was done.

    Raises:
        UserError: the source has no name, or was imported with another date.
    """
    if not source.strip():
        raise UserError("the counts have no source", "name who counted: --source 'LM-KBC 2023'")
    c = counted_list.c
    other = session.scalar(select(c.checked_on).where(c.source == source, c.checked_on != checked_on).limit(1))
    if other is not None:
        raise UserError(
            f"{source!r} was imported as checked on {other}, not {checked_on}",
            "give that date, or name the new check as another source",
        )
    rows = [{**count._asdict(), "source": source, "checked_on": checked_on} for count in counts]
    new = 0
    for at in range(0, len(rows), 1000):
        added = session.execute(
            insert(counted_list).values(rows[at : at + 1000]).on_conflict_do_nothing().returning(c.s)
        )
        new += len(added.all())
    several = select(c.s).where(c.source == source).group_by(c.s, c.p, c.relation).having(func.count() > 1)
    contradicting = len(session.execute(several).all())
    session.commit()
    return ImportedCounts(len(rows), new, contradicting)


def listing(session: Session) -> list[CountStanding]:
    """What is there, by property, relation and source."""
    c = counted_list.c
    rows = session.execute(
        select(c.p, c.relation, c.source, c.checked_on, func.count())
        .group_by(c.p, c.relation, c.source, c.checked_on)
        .order_by(c.p, c.relation, c.source)
    )
    return [CountStanding(*row) for row in rows]


class CountedSubject(NamedTuple):
    """How many objects a subject has by one source."""

    s: int
    number: int
    source: str
    checked_on: date


def of_property(session: Session, p: int, relations: Iterable[str]) -> list[CountedSubject]:
    """The counts of a property under these names, by subject, number and source."""
    c = counted_list.c
    query = select(c.s, c.number, c.source, c.checked_on).where(c.p == p, c.relation.in_(sorted(relations)))
    return [CountedSubject(*row) for row in session.execute(query.order_by(c.s, c.number, c.source))]
