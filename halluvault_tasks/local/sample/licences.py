"""Which statements of the merged file may be in the tree: those that come from a source with a licence.

Beside the file stands where each statement comes from (`provenance.tsv.gz`); what is not named there is of the older
file, whose sources all have one. A name needs a licence, too: that of a source which gives names.
"""

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.local.sample.read import SampleWorld, written_time
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import GREGORIAN, JULIAN

OLDER = "real"
"""Source of the statements that were in the older file, wikidata-real."""
NONE_STATED = "none stated"
NAMING = frozenset({
    "eric-brechemier/ipcc-countries", "knudmoeller/solar-system-rdf", "lm-kbc/dataset2024",
    "sharmasharad795/Medi_Knowledge_Graph", "tom-james-watson/wikitrivia", "usc-isi-i2/kgtk-tutorial-files",
})  # fmt: skip
"""Repositories with a licence that give the names of what they speak of; the others give ids alone."""

Triple = tuple[int, int, str]
"""(subject, property, value as in statements.tsv)."""


class Provenance(NamedTuple):
    """What is known of where the newer statements come from."""

    repositories: dict[Triple, str]
    """Of each, the first repository that has a licence; "" where none has."""
    named: frozenset[int]
    """Entities whose names come with a licence, besides those of the older file."""


class SourcedStatement(NamedTuple):
    """A line of `provenance.tsv.gz`: one statement of one repository."""

    subject: int
    pid: int
    value: str
    repository: str
    licence: str

    @property
    def item(self) -> int | None:
        """The object; None of a date or a number."""
        return int(self.value[1:]) if self.value.startswith("Q") else None

    @property
    def names(self) -> bool:
        """Whether its source gives names, with a licence."""
        return self.licence != NONE_STATED and self.repository in NAMING


def statements_of(path: Path) -> Iterator[SourcedStatement]:
    """The lines of `provenance.tsv.gz`."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            ends = int(row["subject"][1:]), int(row["property"][1:])
            yield SourcedStatement(*ends, row["object"], row["repository"], row["licence"])


def provenance(path: Path) -> Provenance:
    """Read `provenance.tsv.gz`."""
    repositories: dict[Triple, str] = {}
    named: set[int] = set()
    for row in statements_of(path):
        repository = "" if row.licence == NONE_STATED else row.repository
        for value in _written(row.value):
            key = (row.subject, row.pid, value)
            repositories[key] = min(filter(None, (repositories.get(key, ""), repository)), default="")
            if row.names:
                named.update({row.subject, int(value[1:])} if value[0] == "Q" else {row.subject})
    return Provenance(repositories, frozenset(named))


def _written(value: str) -> Iterator[str]:
    """A value of the table as the sample writes it; a day in either calendar, since the table does not say in which."""
    if value.startswith("Q"):
        yield value
    elif "T00:00:00Z/" in value:
        literal, _, precision = value.rpartition("/")
        for calendar in (GREGORIAN, JULIAN):
            if text := written_time(f'"{literal}"', int(precision), calendar):
                yield text
    elif value[:1] in {"+", "-"}:
        yield "=" + value.split(" ")[0].removeprefix("+")


def licensed(world: SampleWorld, known: Provenance) -> SampleWorld:
    """The part of a world that comes from sources with a licence, each statement with its repository as source."""
    rows = [
        row._replace(source=repository)
        for row in world.rows
        if (repository := known.repositories.get(row[:3], OLDER))
        # Nine in ten of these came into the older file from a repository that states no licence.
        and not (repository == OLDER and row.property == wd.POINT_IN_TIME)
    ]
    types: dict[int, list[int]] = defaultdict(list)
    named = set(known.named)
    for subject, kinds in world.types.items():
        for kind in kinds:
            repository = known.repositories.get((subject, wd.INSTANCE_OF, f"Q{kind}"), OLDER)
            if repository:
                types[subject].append(kind)
            if repository == OLDER:
                named |= {subject, kind}
    for row in rows:
        if row.source == OLDER:
            named |= {row.subject, *([item] if (item := row.item()) else [])}
    return SampleWorld(rows, {qid: terms for qid, terms in world.terms.items() if qid in named}, dict(types))
