"""The bundled samples: Wikidata facts in a few reviewable tables (`*.tsv`), read and checked.

The one beside this file is drawn from real Wikidata (`make`); the one in `checked` was written and checked by hand.

Values are written as people read them: `Q42`, `1812-02-07`, `1812-02`, `1812`, `-0043` (astronomical: 44 BC),
`193x` (a decade; `-042x` is 429 to 420 BC), `19xx` (a century; `-04xx` is the fifth BC), `=79`, `=8848.86 Q11573`
(with its unit), `?` (unknown), `!` (none). A date before 15 October 1582 is Julian, as in Wikidata; ` J` or ` G`
behind a date says otherwise.
"""

import csv
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.bundled import PropertyMetadata, numbers, properties
from halluvault_tasks.wikidata.iris import GREGORIAN, JULIAN

FOLDER = Path(__file__).resolve().parent
"""The bundled sample: what the local endpoint and `make demo` serve."""

CHECKED = FOLDER / "checked"
"""The smaller one, on whose month the labelled responses are judged; each statement meant to be true."""

RANKS = ("preferred", "normal", "deprecated")

_TIME = re.compile(r"(-?)(?:(\d{4,})(?:-(\d\d)(?:-(\d\d))?)?|(\d{3})x|(\d{2})xx)(?: ([JG]))?")
_QUANTITY = re.compile(r"=([-+]?\d+(?:\.\d+)?)(?: Q([1-9]\d*))?")
_ITEM = re.compile(r"Q([1-9]\d{0,9})")
_REFORM = (1582, 10, 15)  # first Gregorian day where the reform was first made


class Unknown(NamedTuple):
    """Wikidata's "unknown value"."""


class NoValue(NamedTuple):
    """Wikidata's "no value"."""


class Time(NamedTuple):
    """A date as people wrote it, in its own calendar."""

    year: int
    """Astronomical: 0 is 1 BC."""
    month: int
    """1 where the precision is coarser than a month."""
    day: int
    precision: int
    """Wikidata's: 11 day, 10 month, 9 year, 8 decade, 7 century."""
    calendar: int
    """Item of the calendar model."""


class SampleQuantity(NamedTuple):
    """An amount with its unit; None is dimensionless."""

    amount: str
    unit: int | None


Value = int | Time | SampleQuantity | Unknown | NoValue
"""An int is an item's number."""


class Statement(NamedTuple):
    """One row of statements.tsv."""

    domain: str
    subject: int
    property: int
    value: Value
    rank: str
    qualifiers: tuple[tuple[int, Value], ...]
    text: str
    """The value as written: names the statement among its like."""


class Entity(NamedTuple):
    """One row of entities.tsv."""

    qid: int
    label: str
    description: str
    aliases: tuple[str, ...]
    types: tuple[int, ...]
    sitelinks: int | None


class Redirect(NamedTuple):
    """One row of redirects.tsv: an id that was merged away."""

    old: int
    new: int


class Sample(NamedTuple):
    """The whole sample."""

    as_of: date
    entities: tuple[Entity, ...]
    properties: tuple[PropertyMetadata, ...]
    statements: tuple[Statement, ...]
    redirects: tuple[Redirect, ...] = ()


def value(text: str, where: str) -> Value:
    """Read one value.

    Raises:
        UserError: it has none of the forms above; names the place.
    """
    if text == "?":
        return Unknown()
    if text == "!":
        return NoValue()
    if match := _ITEM.fullmatch(text):
        return int(match[1])
    if match := _QUANTITY.fullmatch(text):
        return SampleQuantity(match[1], int(match[2]) if match[2] else None)
    if match := _TIME.fullmatch(text):
        return _time(match)
    raise UserError(f"{where}: value {text!r} is none of Q42, 1812-02-07, 1812-02, 1812, 193x, 19xx, =79, ? and !")


def _time(match: re.Match[str]) -> Time:
    sign, year, month, day, decade, century, calendar = match.groups()
    if century:
        number, precision = int(century) * 100 + 1, 7
    elif decade:
        number, precision = int(decade) * 10, 8
    else:
        number, precision = int(year), 11 if day else 10 if month else 9
    number = -number if sign else number
    written = (number, int(month or 1), int(day or 1))
    julian = calendar == "J" if calendar else written < _REFORM
    return Time(*written, precision, JULIAN if julian else GREGORIAN)


def load(folder: Path = FOLDER) -> Sample:
    """Read the sample, every value checked.

    Raises:
        UserError: a row is wrong; names file and line.
    """
    return Sample(
        as_of=stated_date(folder),
        entities=tuple(_entities(folder / "entities.tsv")),
        properties=tuple(properties().values()),
        statements=tuple(_statements(folder / "statements.tsv")),
        redirects=tuple(_redirects(folder / "redirects.tsv")),
    )


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    try:
        lines = path.open(encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    with lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        for line, row in enumerate(reader, start=2):
            where = f"{path.name}, line {line}"
            if None in row or None in row.values():
                raise UserError(f"{where}: it has not the {len(reader.fieldnames or [])} columns of the header")
            yield where, row


def _entities(path: Path) -> Iterator[Entity]:
    for where, row in _rows(path):
        (qid,) = numbers(row["qid"], "Q", where) or (0,)
        if not qid:
            raise UserError(f"{where}: no qid")
        yield Entity(
            qid,
            row["label"],
            row["description"],
            tuple(part for part in row["aliases"].split("|") if part),
            numbers(row["types"], "Q", where),
            int(row["sitelinks"]) if row["sitelinks"] else None,
        )


def _statements(path: Path) -> Iterator[Statement]:
    for where, row in _rows(path):
        subject, pid = numbers(row["subject"], "Q", where), numbers(row["property"], "P", where)
        if len(subject) != 1 or len(pid) != 1:
            raise UserError(f"{where}: subject {row['subject']!r} and property {row['property']!r} are not Q… and P…")
        if row["rank"] not in RANKS:
            raise UserError(f"{where}: rank {row['rank']!r} is none of {', '.join(RANKS)}")
        qualifiers = []
        for part in filter(None, row["qualifiers"].split("|")):
            name, _, given = part.partition("=")
            (qualifier,) = numbers(name, "P", where) or (0,)
            qualifiers.append((qualifier, value(given, where)))
        yield Statement(
            row["domain"], subject[0], pid[0], value(row["value"], where), row["rank"], tuple(qualifiers), row["value"]
        )


def _redirects(path: Path) -> Iterator[Redirect]:
    for where, row in _rows(path):
        old, new = numbers(row["old"], "Q", where), numbers(row["new"], "Q", where)
        if len(old) != 1 or len(new) != 1:
            raise UserError(f"{where}: {row['old']!r} and {row['new']!r} are not two items")
        yield Redirect(old[0], new[0])


def stated_date(folder: Path = FOLDER) -> date:
    """The day whose state the sample's facts are: its `as_of`."""
    return date.fromisoformat(stated(folder, "as_of"))


def stated(folder: Path, key: str) -> str:
    """What about.tsv says: name, as_of or licence."""
    return {row["key"]: row["value"] for _, row in _rows(folder / "about.tsv")}[key]


AS_OF = stated_date()
"""`as_of` of the bundled sample."""
