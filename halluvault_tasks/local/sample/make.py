"""Draw the bundled sample from a file of real Wikidata, the hand-checked statements, and those written for it.

Usage: python -m halluvault_tasks.local.sample.make ../shared/data/wikidata-merged

The same input gives the same bytes. Writes entities.tsv and statements.tsv beside this file, and prints what each
domain has and where the file carries less than is wanted.
"""

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.knowledge.bundled import properties
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.local.sample import CHECKED, FOLDER
from halluvault_tasks.local.sample.draw import DrawnSample, draw
from halluvault_tasks.local.sample.licences import OLDER, licensed, provenance
from halluvault_tasks.local.sample.read import SampleEntity, SampleStatement, SampleWorld, read
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata import properties as wd

LEAST = 1_500
"""Statements that each domain should have."""

QUOTAS = {
    "culture": 2_400,
    "geography": 2_800,
    "health": LEAST,
    "history": LEAST,
    "people": 4_000,
    "mathematics": LEAST,
    "natural_science": LEAST,
    "society": 1_500,
    "technology": 1_600,
}
"""Statements of seeds by domain; small ones give all they have."""

CROWD = {
    "culture": 90,
    "geography": 110,
    "history": 60,
    "people": 90,
    "mathematics": 120,
    "society": 160,
    "technology": 130,
}
"""Like subjects (`crowds`) that each domain begins with, for each property whose values are exchanged."""

WITHOUT = (wd.POPULATION, wd.DIPLOMATIC_RELATION)
"""Of a country fifty populations and two hundred relations: they would take the place of whole subjects."""

WRITTEN = FOLDER / "written"
"""What no source with a licence has, checked one by one and written anew; in the form of `CHECKED`."""

COMPLETE = (
    wd.LOCATED_IN, wd.COUNTRY, wd.BIRTHPLACE, wd.DEATHPLACE, wd.FATHER, wd.MOTHER, wd.DIRECTOR, wd.AUTHOR,
    wd.ATOMIC_NUMBER, wd.PARENT_BODY,
)  # fmt: skip
"""Properties of which a subject's hand-checked values are all that there are."""

_HAND = "hand-checked"


class CheckedSample(NamedTuple):
    """The hand-checked sample."""

    rows: list[tuple[str, SampleStatement]]
    """(domain, statement)."""
    terms: dict[int, SampleEntity]
    types: dict[int, list[int]]


def checked(folder: Path = CHECKED) -> CheckedSample:
    """Read hand-checked tables as they are written, merged ids under their heirs."""
    merged = folder / "redirects.tsv"
    heirs = {row["old"]: row["new"] for row in (_table(merged) if merged.is_file() else ())}
    rows = [
        (
            row["domain"],
            SampleStatement(
                int(row["subject"][1:]),
                int(row["property"][1:]),
                heirs.get(row["value"], row["value"]),
                row["rank"],
                row["qualifiers"],
                f"{_HAND}: {row['source']}",
            ),
        )
        for row in _table(folder / "statements.tsv")
    ]
    terms, types = {}, {}
    for row in _table(folder / "entities.tsv"):
        qid = int(row["qid"][1:])
        terms[qid] = SampleEntity(
            row["label"],
            row["description"],
            tuple(filter(None, row["aliases"].split("|"))),
            f"{_HAND}: {row['source']}",
        )
        types[qid] = [int(kind[1:]) for kind in row["types"].split("|") if kind]
    return CheckedSample(rows, terms, types)


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def joined(
    drawn: DrawnSample, hand: CheckedSample, written: Sequence[tuple[str, SampleStatement]] = ()
) -> list[tuple[str, SampleStatement]]:
    """The drawn statements, the hand-checked ones and those written for this sample.

    The hand-checked and the written ones take the place of what the file says of the same date, of the same value
    without its dates, and of what is `COMPLETE` by hand: another container beside the checked one would leave it open
    where a place lies.
    """
    added = [*written, *hand.rows]
    values = {(row.subject, row.property, row.value) for _, row in added}
    slots = {
        (row.subject, row.property)
        for _, row in added
        if row.value[0].isdigit() or row.value[0] == "-" or row.property in COMPLETE
    }
    kept = [
        (name, row)
        for name, row in drawn.rows
        if (row.subject, row.property, row.value) not in values and (row.subject, row.property) not in slots
    ]
    return kept + added


def entity_rows(
    rows: Iterable[tuple[str, SampleStatement]], world: SampleWorld, hand: CheckedSample
) -> list[list[str]]:
    """A row for each entity that a statement or a type names, in ascending order; types are named, too."""
    todo = {qid for _, row in rows for qid in (row.subject, row.item()) if qid}
    todo |= {int(part.split("=Q")[1]) for _, row in rows for part in row.qualifiers.split("|") if "=Q" in part}
    listed: dict[int, list[str]] = {}
    while todo:
        qid = todo.pop()
        terms = world.terms.get(qid) or hand.terms[qid]
        kinds = world.types.get(qid) or hand.types.get(qid, [])
        kinds = [kind for kind in kinds if kind in world.terms or kind in hand.terms]
        listed[qid] = [
            f"Q{qid}",
            _clean(terms.label),
            _clean(terms.description),
            "|".join(_clean(alias) for alias in terms.aliases if "|" not in alias),
            "|".join(f"Q{kind}" for kind in kinds),
            "",
            terms.source,
        ]
        todo |= set(kinds) - listed.keys()
    return [listed[qid] for qid in sorted(listed)]


def _clean(text: str) -> str:
    return " ".join(text.split())


def statement_rows(rows: Iterable[tuple[str, SampleStatement]]) -> list[list[str]]:
    """Sorted by domain, subject, property, value; equal ones once."""
    seen = {(name, *row[:5]): row.source for name, row in rows}
    keys = sorted(seen, key=lambda one: (one[0], one[1], one[2], one[3], one[5], one[4]))
    return [
        [name, f"Q{s}", f"P{p}", value, rank, marks, seen[name, s, p, value, rank, marks]]
        for name, s, p, value, rank, marks in keys
    ]


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = ["\t".join(header), *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(rows: Sequence[Sequence[str]], drawn: DrawnSample, folder: Path) -> Iterator[str]:
    """Lines that say what each domain has, and where the file carries less than is wanted."""
    by_domain: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        dated = SampleStatement(0, 0, row[3], "", row[5], "").dated()
        by_domain[row[0]].update([
            "all",
            *(["dated"] if dated else []),
            *(["hand"] if row[6].startswith(_HAND) else []),
        ])
    yield f"{'domain':16} statements  dated  hand-checked  of seeds in the whole file"
    for name in sorted(by_domain):
        one = by_domain[name]
        short = f"  short of {LEAST}" if one["all"] < LEAST else ""
        yield f"{name:16} {one['all']:10} {one['dated']:6} {one['hand']:13} {drawn.carried.get(name, 0):10}{short}"
    total = sum(by_domain.values(), Counter())
    size = sum(path.stat().st_size for path in folder.glob("*.tsv"))
    yield f"{'all':16} {total['all']:10} {total['dated']:6} {total['hand']:13}"
    yield f"{len({row[1] for row in rows})} subjects, {len({row[2] for row in rows})} properties, {size} bytes"


def carried(data: Path) -> SampleWorld:
    """What the merged file has from sources with a licence."""
    world = read(data / "wikidata-merged.nt.gz", OLDER)
    return licensed(world, provenance(data / "provenance.tsv.gz"))


def main() -> None:
    """Make the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder wikidata-merged")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the tables go")
    given = parser.parse_args()
    world = carried(given.data)
    hand, written = checked(), checked(WRITTEN)
    names = CheckedSample([], {**hand.terms, **written.terms}, {**hand.types, **written.types})
    drawn = draw(world, load_domains(REPOSITORY / "config" / "domains.yaml"), QUOTAS, WITHOUT, CROWD)
    rows = statement_rows(joined(drawn, hand, written.rows))
    known = properties()
    if unknown := sorted({row[2] for row in rows if int(row[2][1:]) not in known}):
        sys.stdout.write(f"without a row in properties.tsv, left out: {', '.join(unknown)}\n")
        rows = [row for row in rows if row[2] not in unknown]
    kept = [(row[0], SampleStatement(int(row[1][1:]), int(row[2][1:]), row[3], row[4], row[5], row[6])) for row in rows]
    entities = entity_rows(kept, world, names)
    _write(
        given.folder / "entities.tsv",
        ("qid", "label", "description", "aliases", "types", "sitelinks", "source"),
        entities,
    )
    header = ("domain", "subject", "property", "value", "rank", "qualifiers", "source")
    _write(given.folder / "statements.tsv", header, rows)
    sys.stdout.writelines(f"{line}\n" for line in report(rows, drawn, given.folder))


if __name__ == "__main__":
    main()
