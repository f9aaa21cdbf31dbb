"""The bundled sample is drawn from real Wikidata: what it must hold, whence it comes, and that it can be drawn anew."""

import gzip
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.knowledge.bundled import properties
from halluvault_tasks.knowledge.config import DOMAINS, load_domains
from halluvault_tasks.local import rdf, sample
from halluvault_tasks.local.sample import licences, make
from halluvault_tasks.local.sample.draw import draw, seeds
from halluvault_tasks.local.sample.read import SampleEntity, SampleStatement, SampleWorld, written_time
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.iris import GREGORIAN, JULIAN

CONFIG = REPOSITORY / "config" / "domains.yaml"
SHORT = {"natural_science"}
"""Domains of which licensed sources carry less than is wanted; the sample's README names them."""

LINES = [line.split("\t") for line in (sample.FOLDER / "statements.tsv").read_text(encoding="utf-8").split("\n")[1:-1]]
ENTITIES = [line.split("\t") for line in (sample.FOLDER / "entities.tsv").read_text(encoding="utf-8").split("\n")[1:-1]]


def dated(line: list[str]) -> bool:
    return re.fullmatch(r"-?\d.*", line[3]) is not None or "P58" in line[5]


def test_it_is_large_and_dated_and_small_enough_for_the_tree() -> None:
    assert len(LINES) >= 30_000
    assert sum(map(dated, LINES)) >= 4_000
    assert sum(path.stat().st_size for path in sample.FOLDER.glob("*.tsv")) <= 4_000_000


def test_every_domain_that_the_file_carries_has_1500_statements_and_the_readme_names_the_others() -> None:
    counted = Counter(line[0] for line in LINES)
    assert set(counted) == set(DOMAINS)
    assert {name for name, number in counted.items() if number < 1_500} == SHORT
    said = re.search(r"\*\*Short of 1,500\*\*: (.*?)\.", (sample.FOLDER / "README.md").read_text(encoding="utf-8"))
    assert said and said[1] == "natural science"


def test_every_row_says_whence_it_comes_and_what_has_no_licence_is_not_there() -> None:
    told = (sample.FOLDER / "README.md").read_text(encoding="utf-8")
    sources = {line[6].partition(":")[0] for line in (*LINES, *ENTITIES)}
    assert {"real", "hand-checked", "tom-james-watson/wikitrivia"} < sources
    assert [source for source in sources - {"hand-checked"} if f"`{source}`" not in told] == []
    assert [line for line in LINES if line[2] == "P585" and line[6] == "real"] == []


def test_a_statement_from_a_source_without_a_licence_is_left_out_and_so_is_a_name(tmp_path: Path) -> None:
    table = tmp_path / "provenance.tsv.gz"
    columns = ("subject", "property", "object", "qualifiers", "rank", "kept_back", "how", "repository", "licence")
    given = [
        ("Q1", "P22", "Q2", "x/none", "none stated"),
        ("Q1", "P26", "Q3", "x/none", "none stated"),
        ("Q1", "P26", "Q3", "x/ids", "MIT"),
        ("Q1", "P40", "Q4", "tom-james-watson/wikitrivia", "MIT"),
        ("Q1", "P569", "1900-02-01T00:00:00Z/11", "x/ids", "MIT"),
    ]
    with gzip.open(table, "wt", encoding="utf-8") as out:
        out.write("\t".join(columns) + "\n")
        for s, p, o, repository, licence in given:
            out.write("\t".join((s, p, o, "", "normal", "0", "", repository, licence)) + "\n")
    values = [(22, "Q2"), (26, "Q3"), (40, "Q4"), (569, "1900-02-01"), (25, "Q5"), (585, "1910")]
    rows = [SampleStatement(1, pid, value, "normal", "", "x") for pid, value in values]
    names = {qid: SampleEntity(f"person {qid}") for qid in range(1, 6)}
    left = licences.licensed(SampleWorld(rows, names, {1: [5]}), licences.provenance(table))
    assert [(row.property, row.source) for row in left.rows] == [
        (26, "x/ids"), (40, "tom-james-watson/wikitrivia"), (569, "x/ids"), (25, "real"),
    ]  # fmt: skip
    assert sorted(left.terms) == [1, 4, 5]  # the name of 3 has no licence, whatever the statement has


def test_every_item_has_a_label_and_every_property_metadata() -> None:
    named = {line[0] for line in ENTITIES if line[1]}
    mentioned = {line[1] for line in LINES} | {line[3] for line in LINES if line[3][0] == "Q"}
    mentioned |= {kind for line in ENTITIES for kind in line[4].split("|") if kind}
    assert mentioned - named == set()
    assert {int(line[2][1:]) for line in LINES} <= set(properties())


def test_it_reads_and_no_statement_stands_twice() -> None:
    loaded = sample.load()
    assert len(loaded.statements) == len(LINES) == len({tuple(line[1:6]) for line in LINES})


@given(st.integers(-3000, 2100), st.integers(1, 12), st.integers(1, 28), st.sampled_from([GREGORIAN, JULIAN]))
def test_a_written_day_means_the_day_of_the_dump(year: int, month: int, day: int, calendar: int) -> None:
    literal = f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}T00:00:00Z"
    text = written_time(f'"{literal}"^^<x>', 11, calendar)
    assert text is not None
    back = sample.value(text, "here")
    assert isinstance(back, sample.Time)
    assert (back.calendar, rdf._date_time(back)) == (calendar, literal)


def test_subjects_are_taken_whole_the_joined_first_and_only_what_a_pull_asks() -> None:
    domains = load_domains(CONFIG)
    people = {one: SampleEntity(f"person {one}") for one in (1, 2, 3, 5)}
    rows = [SampleStatement(1, 22, "Q2", "normal", "", "x"), SampleStatement(1, 106, "Q5", "normal", "", "x")]
    rows += [SampleStatement(2, 569, "1900", "normal", "", "x"), SampleStatement(3, 106, "Q5", "normal", "", "x")]
    rows += [SampleStatement(1, 9999, "Q2", "normal", "", "x"), SampleStatement(1, 26, "Q77", "normal", "", "x")]
    world = SampleWorld(rows, people, {1: [5], 2: [5], 3: [5]})
    assert set(seeds(world, domains)) >= {1, 2, 3}
    taken = draw(world, domains, defaultdict(int, people=1))
    assert sorted(row[:3] for _, row in taken.rows) == [(1, 22, "Q2"), (1, 106, "Q5")]
    assert taken.carried == {"people": 4}


def test_of_two_the_one_that_has_a_neighbour_comes_first() -> None:
    domains = load_domains(CONFIG)
    named = {one: SampleEntity(f"thing {one}") for one in (1, 2, 3, 11424, 7, 8)}
    rows = [SampleStatement(film, 57, f"Q{by}", "normal", "", "x") for film, by in ((1, 7), (2, 8), (3, 8))]
    world = SampleWorld(rows, named, {film: [11424] for film in (1, 2, 3)})
    taken = draw(world, domains, defaultdict(int, culture=2))
    assert sorted(row.subject for _, row in taken.rows) == [2, 3]


@pytest.mark.slow
def test_the_file_gives_the_same_bytes_again(shared_data: Path) -> None:
    world = make.carried(shared_data / "wikidata-merged")
    drawn = draw(world, load_domains(CONFIG), make.QUOTAS, make.WITHOUT, make.CROWD)
    rows = make.statement_rows(make.joined(drawn, make.checked(), make.checked(make.WRITTEN).rows))
    assert ["\t".join(row) for row in rows] == ["\t".join(line) for line in LINES]
