"""What of a cut month may be in the tree: what a source with a licence states, and what the cases rest on.

Of a case's own premises question and evidence say the fact anyway, in words of our own with its ids; what stands around
them is kept only if it comes of a source with a licence, as in the bundled sample.
"""

import gzip
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from halluvault_tasks.local.sample.licences import NONE_STATED, statements_of
from halluvault_tasks.wikidata import properties as wd

_Row = Mapping[str, Any]


class LicensedSources(NamedTuple):
    """Which statements have a licence.

    Attributes:
        licensed: (subject, property, object; None of a date or number) → whether one of its sources has.
        named: things whose names come with a licence.
    """

    licensed: dict[tuple[int, int, int | None], bool]
    named: frozenset[int]

    def states(self, row: _Row) -> bool:
        """Whether a source with a licence has a row of table `statement`."""
        known = self.licensed.get((row["s"], row["p"], row.get("o")))
        # What the table does not name is of the older file; of its points in time nine in ten have no licence.
        return row["p"] != wd.POINT_IN_TIME if known is None else known


def sources(provenance: Path) -> LicensedSources:
    """Read `provenance.tsv.gz`."""
    licensed: dict[tuple[int, int, int | None], bool] = {}
    named: set[int] = set()
    for row in statements_of(provenance):
        key = (row.subject, row.pid, row.item)
        licensed[key] = licensed.get(key, False) or row.licence != NONE_STATED
        if row.names:
            named |= {row.subject, *([row.item] if row.item else [])}
    return LicensedSources(licensed, frozenset(named))


def keep(file: Path, known: LicensedSources, rested_on: Collection[int]) -> dict[str, int]:
    """Leave in a cut what may be in the tree.

    Args:
        file: as `evidence.freeze` wrote it.
        known: which statements have a licence.
        rested_on: ids of the statements that the cases rest on.

    Returns:
        table → rows left out.
    """
    rows = list(_read(file))
    stays = {
        row["sid"] for table, row in rows if table == "statement" and (row["sid"] in rested_on or known.states(row))
    }
    older = {
        end
        for table, row in rows
        if table == "statement" and row["sid"] in stays and (row["s"], row["p"], row.get("o")) not in known.licensed
        for end in (row["s"], row.get("o"))
        if end
    }
    out: dict[str, int] = {}
    with file.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
        for table, row in rows:
            if row.get("sid", None) is not None and row["sid"] not in stays:
                out[table] = out.get(table, 0) + 1
                continue
            if table == "entity" and row["qid"] not in known.named and row["qid"] not in older:
                row = row | {"aliases": []}
                row.pop("description", None)
            packed.write((json.dumps([table, row], ensure_ascii=False, sort_keys=True) + "\n").encode())
    return out


def _read(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield tuple(json.loads(line))
