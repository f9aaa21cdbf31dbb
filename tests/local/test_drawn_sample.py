"""The bundled sample is drawn from real Wikidata: what it must hold, whence it comes, and that it can be drawn anew."""

import re
from collections import Counter, defaultdict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.knowledge.bundled import properties
from halluvault_tasks.knowledge.config import DOMAINS, load_domains
from halluvault_tasks.local import rdf, sample
from halluvault_tasks.local.sample import make
from halluvault_tasks.local.sample.draw import draw, seeds
from halluvault_tasks.local.sample.read import SampleEntity, SampleStatement, SampleWorld, read, written_time
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.iris import GREGORIAN, JULIAN

CONFIG = REPOSITORY / "config" / "domains.yaml"
SHORT = {"health", "natural_science"}
"""Domains of which the file carries less than is wanted; the sample's README names them."""

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
    assert said and said[1] == "health and natural science"


def test_every_row_says_whence_it_comes_and_what_has_no_licence_is_not_there() -> None:
    assert {line[6].partition(":")[0] for line in (*LINES, *ENTITIES)} == {"real", "hand-checked"}
    assert [line for line in LINES if line[2] == "P585" and line[6] == "real"] == []


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


def test_the_file_gives_the_same_bytes_again(shared_data: Path, tmp_path: Path) -> None:
    world = read(shared_data / "wikidata-real" / "wikidata-real.nt.gz", make.SOURCE)
    drawn = draw(world, load_domains(CONFIG), make.QUOTAS, make.WITHOUT)
    rows = make.statement_rows(make.joined(drawn, make.checked()))
    assert ["\t".join(row) for row in rows] == ["\t".join(line) for line in LINES]
