"""The bundled property metadata, for sources that have none (an excerpt, a dump of facts alone).

A snapshot that uses it says so: its `property` rows have the origin `bundled`.
"""

import csv
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.errors import UserError

PROPERTIES = Path(__file__).resolve().parents[1] / "local" / "sample" / "properties.tsv"

DATATYPES = {
    "Item": "wikibase-item",
    "WikibaseItem": "wikibase-item",
    "Property": "wikibase-property",
    "WikibaseProperty": "wikibase-property",
    "Time": "time",
    "Quantity": "quantity",
    "String": "string",
    "Monolingualtext": "monolingualtext",
    "Text": "monolingualtext",
    "Url": "url",
    "ExternalId": "external-id",
    "GlobeCoordinate": "globe-coordinate",
    "CommonsMedia": "commonsMedia",
}
"""Local name in RDF (`wikibase:WikibaseItem`) or in the bundled table → name in Wikidata's JSON."""


class PropertyMetadata(NamedTuple):
    """What is known of one property, apart from any snapshot."""

    pid: int
    label: str
    datatype: str
    """As in Wikidata's JSON: wikibase-item, time, quantity …"""
    inverse: int | None
    """P1696."""
    classes: tuple[int, ...]
    """P31 of the property, ascending."""
    constraints: tuple[int, ...]
    """Constraint types (P2302), ascending."""
    separators: tuple[int, ...]
    """P4155 of its single-value constraint, ascending."""


def numbers(text: str, letter: str, where: str) -> tuple[int, ...]:
    """`Q5|Q42` → (5, 42).

    Raises:
        UserError: a part is no such id.
    """
    parts = [part for part in text.split("|") if part]
    for part in parts:
        if not re.fullmatch(letter + r"[1-9]\d{0,9}", part):
            raise UserError(f"{where}: {part!r} is not {letter} and a number")
    return tuple(sorted({int(part[1:]) for part in parts}))


@cache
def properties(path: Path = PROPERTIES) -> dict[int, PropertyMetadata]:
    """The bundled table, by property number.

    Raises:
        UserError: a row is wrong; names file and line.
    """
    table: dict[int, PropertyMetadata] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for line, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=2):
            where = f"{path.name}, line {line}"
            (pid,) = numbers(row["pid"], "P", where) or (0,)
            if not pid or pid in table:
                raise UserError(f"{where}: {row['pid']!r} is not a property, or is listed twice")
            if row["datatype"] not in DATATYPES and row["datatype"] not in DATATYPES.values():
                raise UserError(f"{where}: datatype {row['datatype']!r} is none of {', '.join(DATATYPES)}")
            inverse = numbers(row["inverse"], "P", where)
            table[pid] = PropertyMetadata(
                pid=pid,
                label=row["label"],
                datatype=DATATYPES.get(row["datatype"], row["datatype"]),
                inverse=inverse[0] if inverse else None,
                classes=numbers(row["classes"], "Q", where),
                constraints=numbers(row["constraints"], "Q", where),
                separators=numbers(row["separators"], "P", where),
            )
    return table
