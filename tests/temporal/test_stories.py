"""Formulas about several events of one story: built, read back, said, and decided as plain arithmetic decides them."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import add_entities, add_statements, open_snapshot, statement
from mtl_definition import truths, worlds
from phrases import standard_phrase
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import stories
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.history import load
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.stages import derive_temporal
from halluvault_tasks.temporal.story_forms import NUMBERS, Story, build, read, worded
from halluvault_tasks.temporal.timed import Point
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.wikidata.days import civil

_WORDS = {word: number for number, word in NUMBERS.items()}

EVERY = [
    *(Story("age", ("birth_Q1",), ("publication_Q9",), years) for years in NUMBERS),
    *(Story("age", ("birth_Q1",), ("death_Q1",), years) for years in NUMBERS),
    *(Story("ages", ("birth_Q1", "birth_Q2"), ("publication_Q9",), years) for years in NUMBERS),
    *(Story("young", ("birth_Q1", "birth_Q2"), ("publication_Q9",), years) for years in NUMBERS),
    *(Story("ages", ("birth_Q1", "birth_Q2"), ("death_Q1", "death_Q2"), years) for years in NUMBERS),
    *(Story("young", ("birth_Q1", "birth_Q2"), ("death_Q1", "death_Q2"), years) for years in NUMBERS),
    *(Story("apart", ("birth_Q1",), ("birth_Q2",), years) for years in NUMBERS),
    *(Story("apart", ("death_Q1",), ("death_Q2",), years) for years in NUMBERS),
    Story("same", ("birth_Q1",), ("birth_Q2",)),
    Story("same", ("death_Q1",), ("death_Q2",)),
]


def spoken(story: Story) -> dict[str, Any]:
    return {name: standard_phrase(name.partition("_")[0], name.partition("_")[2]) for name in story.names}


@pytest.mark.parametrize("story", EVERY, ids=str)
def test_a_story_is_read_back_from_the_text_of_its_formula(story: Story) -> None:
    assert read(parse(f.text(build(story, 250)))) == story


@pytest.mark.parametrize(
    "written",
    ["F[3,12] publication_Q1", "!life_Q1", "life_Q1 & life_Q2", "F[3,9] (life_Q1 | life_Q2)", "G[0,9] !life_Q1"],
)
def test_a_formula_about_a_time_is_no_story(written: str) -> None:
    assert read(parse(written)) is None


@pytest.mark.parametrize(
    ("story", "question", "statement_", "denied", "opposite"),
    [
        (
            Story("age", ("birth_Q1",), ("death_Q2",), 30),
            "Had Q1 already turned thirty when Q2 died?",
            "Q1 had already turned thirty when Q2 died.",
            "Q1 was still under thirty when Q2 died.",
            "Was Q1 still under thirty when Q2 died?",
        ),
        (
            Story("ages", ("birth_Q1", "birth_Q3"), ("publication_Q2",), 40),
            "Had both Q1 and Q3 already turned forty when Q2 was first published?",
            "both Q1 and Q3 had already turned forty when Q2 was first published.",
            "at least one of Q1 and Q3 was still under forty when Q2 was first published.",
            "Was either Q1 or Q3 still under forty when Q2 was first published?",
        ),
        (
            Story("age", ("birth_Q1",), ("death_Q1",), 70),
            "Did Q1 reach the age of seventy?",
            "Q1 reached the age of seventy.",
            "Q1 died before turning seventy.",
            "Did Q1 die before turning seventy?",
        ),
        (
            Story("young", ("birth_Q1", "birth_Q2"), ("death_Q1", "death_Q2"), 60),
            "Did either Q1 or Q2 die before turning sixty?",
            "at least one of Q1 and Q2 died before turning sixty.",
            "both Q1 and Q2 reached the age of sixty.",
            "Did both Q1 and Q2 reach the age of sixty?",
        ),
        (
            Story("apart", ("publication_Q1",), ("publication_Q2",), 10),
            "Was Q1 first published more than ten years before Q2?",
            "Q1 was first published more than ten years before Q2.",
            "Q1 was first published less than ten years before Q2.",
            "Was Q1 first published less than ten years before Q2?",
        ),
        (
            Story("apart", ("birth_Q1",), ("birth_Q2",), 10),
            "Was Q1 born more than ten years before Q2?",
            "Q1 was born more than ten years before Q2.",
            "Q1 was born less than ten years before Q2.",
            "Was Q1 born less than ten years before Q2?",
        ),
        (
            Story("apart", ("death_Q1",), ("death_Q2",), 20),
            "Did Q2 outlive Q1 by more than twenty years?",
            "Q2 outlived Q1 by more than twenty years.",
            "Q2 outlived Q1 by less than twenty years.",
            "Did Q2 outlive Q1 by less than twenty years?",
        ),
        (
            Story("same", ("death_Q1",), ("death_Q2",)),
            "Did Q1 and Q2 die in the same year?",
            "Q1 and Q2 died in the same year.",
            "Q1 and Q2 died in different years.",
            "Did Q1 and Q2 die in different years?",
        ),
        (
            Story("same", ("birth_Q1",), ("birth_Q2",)),
            "Were Q1 and Q2 born in the same year?",
            "Q1 and Q2 were born in the same year.",
            "Q1 and Q2 were born in different years.",
            "Were Q1 and Q2 born in different years?",
        ),
    ],
)
def test_a_story_is_said_as_people_say_it(
    story: Story, question: str, statement_: str, denied: str, opposite: str
) -> None:
    said = worded(story, spoken(story))
    assert (said.question, said.statement, said.negated_statement, said.opposite) == (
        question, statement_, denied, opposite,
    )  # fmt: skip


def test_either_of_two_is_the_opposite_of_both() -> None:
    both, either = (
        Story("ages", ("birth_Q1", "birth_Q3"), ("death_Q2",), 40),
        Story("young", ("birth_Q1", "birth_Q3"), ("death_Q2",), 40),
    )
    assert worded(both, spoken(both)).opposite == worded(either, spoken(either)).question


@pytest.fixture(scope="module")
def told(database_url: str, sample_snapshot: str, prolog_dir: Path) -> list[dict[str, Any]]:
    """The stories of the hand-checked sample."""
    with sessions.session(database_url) as session:
        derive_temporal(session, sample_snapshot, config=TemporalConfig(count=2000), prolog_dir=prolog_dir)
        rows = session.execute(
            select(tables.temporal_fact)
            .where(tables.temporal_fact.c.snapshot == sample_snapshot)
            .order_by(tables.temporal_fact.c.id)
        ).mappings()
        return [dict(row) for row in rows if read(parse(row["formula"])) is not None]


def test_the_definition_answers_a_story_whatever_the_true_years_are(told: list[dict[str, Any]]) -> None:
    """One year after the other, by an evaluator that shares nothing with the interval algebra."""
    assert len(told) > 60
    for row in told:
        # What lies within the recording lag is possible without end: what is stated of it is certain.
        known = {name: [atom["possible"], atom["certain"]] for name, atom in row["atoms"].items()}
        rows = {name: [Point(*next(one for [one] in both if "sup" not in one))] for name, both in known.items()}
        formula = parse(row["formula"])
        for world in worlds(rows):
            assert truths(formula, row["at"], row["at"], world) == [row["truth"]], row["formula"]


def _spans(session: Session, snapshot: str, row: Mapping[str, Any], name: str) -> tuple[int, int]:
    """Between which days a statement puts an event; of several releases the first."""
    c = tables.statement.c
    found = session.execute(
        select(c.earliest, c.latest).where(c.snapshot == snapshot, c.sid.in_(row["atoms"][name]["sids"]))
    ).all()
    return min(one for one, _ in found), min(other for _, other in found)


def _age(born: int, on: int) -> int:
    """Full years from one day to another."""
    (y1, *day1), (y2, *day2) = civil(born), civil(on)
    return y2 - y1 - (day2 < day1)


_SAID: Mapping[str, re.Pattern[str]] = {
    "turned": re.compile(r"^(?:both )?(Q\d+)(?: and (Q\d+))? (?:had already turned|reached the age of) (\w+)"),
    "under": re.compile(r"^at least one of (Q\d+) and (Q\d+) (?:was still under|died before turning) (\w+)"),
    "apart": re.compile(r"^(Q\d+) (?:was born|was first published|outlived) (?:(Q\d+) by )?more than (\S+) years"),
    "same": re.compile(r"^(Q\d+) and (Q\d+) (?:were born|died) in the same year\.$"),
}


def _by_the_english(sentence: str, born: Mapping[str, int], then: Mapping[str, int]) -> bool:
    """What a sentence says, decided by days alone: first events and last events, by whose they are."""
    (first, *_), (last, *_) = born.values(), then.values()
    if found := _SAID["turned"].match(sentence):
        people = [who for who in (found[1], found[2]) if who]
        return all(_age(born[who], then.get(who, last)) >= _WORDS[found[3]] for who in people)
    if found := _SAID["under"].match(sentence):
        return any(_age(born[who], then.get(who, last)) < _WORDS[found[3]] for who in (found[1], found[2]))
    if found := _SAID["apart"].match(sentence):
        return _age(first, last) >= _WORDS[found[3]]
    assert _SAID["same"].match(sentence), sentence
    return civil(first).year == civil(last).year


def test_the_english_of_a_story_says_what_is_so_by_its_days(
    session: Session, sample_snapshot: str, told: list[dict[str, Any]]
) -> None:
    """However the days fall that the statements leave open, and a year before or after where an age is told."""
    seen: Counter[str] = Counter()
    for row in told:
        story = read(parse(row["formula"]))
        assert story is not None
        sentence = worded(story, spoken(story)).statement
        spans = {name: _spans(session, sample_snapshot, row, name) for name in story.names}
        near = (0,) if story.form == "same" else (-300, 0, 300)
        for ends, off in product(product(*spans.values()), near):
            days = dict(zip(spans, ends, strict=True))
            born = {name.partition("_")[2]: days[name] for name in story.of}
            then = {name.partition("_")[2]: days[name] + off for name in story.events}
            assert _by_the_english(sentence, born, then) == row["truth"], (sentence, days)
        seen[story.form, row["truth"]] += 1
    assert {("age", True), ("age", False), ("apart", True), ("apart", False)} <= set(seen)


def test_a_storys_program_prints_its_answer(told: list[dict[str, Any]], tmp_path: Path) -> None:
    for row in told[:: max(1, len(told) // 8)]:
        file = tmp_path / "proof.pl"
        file.write_text(row["program"], encoding="utf-8")
        ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
        assert ran.stdout.strip() == ("yes" if row["truth"] else "no"), row["formula"]


CAST = [(9, 161, qid) for qid in range(1, 6)]
"""Who played in the film, some of them without dates."""


def _people(
    snapshot: str, session: Session, lives: Mapping[int, tuple[str, str]], *links: tuple[int, int, int]
) -> None:
    open_snapshot(session, snapshot, date(2026, 10, 1))
    add_entities(session, snapshot, [(qid, f"P{qid}", "people") for qid in lives] + [(9, "Film", "culture")])
    rows = []
    for qid, (born, died) in lives.items():
        rows.append(statement(2 * qid, qid, 569, when=born))
        if died:
            rows.append(statement(2 * qid + 1, qid, 570, when=died))
    rows.append(statement(90, 9, 577, when="1980-06-01"))
    rows += [statement(100 + n, s, p, o=o) for n, (s, p, o) in enumerate(links)]
    add_statements(session, snapshot, rows)


def _drawn(session: Session, snapshot: str, engine: Engine) -> Iterator[tuple[Story, bool]]:
    years, days = (load(session, snapshot, date(2026, 10, 1), unit, 12) for unit in (Granularity.YEAR, Granularity.DAY))
    sources = stories.Sources(years, days, years.atoms, {}, stories.load_bonds(session, snapshot))
    for one in stories.generate(sources, engine, most=100, seed=1):
        story = read(one.formula)
        assert story is not None
        yield story, one.truth


@pytest.mark.parametrize(
    ("born", "asked"),
    [
        ("1945-02-10", {30: True, 40: False}),
        # 31 in 1980, or thirty if the film was shown in 1979; and nine years from forty.
        ("1949-03-10", {30: None, 40: None}),
        ("1951-02-10", {30: None}),
        # Nobody wonders whether somebody of twenty-five had turned twenty.
        ("1955-02-10", {20: None, 30: False}),
        ("1957-02-10", {20: True, 30: False}),
    ],
)
def test_an_age_is_compared_with_one_that_is_near_but_not_next_to_it(
    session: Session, engine: Engine, born: str, asked: dict[int, bool | None]
) -> None:
    _people("2026-04", session, {1: (born, "")}, *CAST)
    found = {story.years: truth for story, truth in _drawn(session, "2026-04", engine) if story.form == "age"}
    assert {years: found.get(years) for years in asked} == asked


def test_nobody_is_asked_about_who_was_dead_by_then(session: Session, engine: Engine) -> None:
    lives = {1: ("1945-02-10", "1979-02-10"), 2: ("1945-02-10", "1999-02-10")}
    _people("2026-04", session, lives, *CAST)
    told = [story for story, _ in _drawn(session, "2026-04", engine) if "publication_Q9" in story.names]
    assert {story.of for story in told} == {("birth_Q2",)}


def test_two_of_a_film_are_asked_about_only_where_one_of_them_settles_it(session: Session, engine: Engine) -> None:
    """Of two who were both under forty "either" is no clear yes."""
    lives = {1: ("1938-02-10", ""), 2: ("1945-02-10", ""), 3: ("1946-02-10", "")}
    _people("2026-04", session, lives, *CAST)
    found = {(story.form, story.of, story.years): truth for story, truth in _drawn(session, "2026-04", engine)}
    pairs = {key: truth for key, truth in found.items() if len(key[1]) == 2}
    assert pairs[("ages", ("birth_Q1", "birth_Q2"), 40)] is False
    assert pairs[("young", ("birth_Q1", "birth_Q2"), 40)] is True
    assert pairs[("ages", ("birth_Q2", "birth_Q3"), 30)] is True
    assert ("young", ("birth_Q2", "birth_Q3"), 40) not in pairs


def test_who_was_born_on_a_days_edge_of_the_year_is_in_no_question_about_the_same_year(
    session: Session, engine: Engine
) -> None:
    lives = {1: ("1945-12-31", ""), 2: ("1945-06-01", ""), 3: ("1945-07-01", "")}
    _people("2026-04", session, lives, (1, 26, 2), (2, 26, 3))
    same = [story for story, truth in _drawn(session, "2026-04", engine) if story.form == "same"]
    assert same == [Story("same", ("birth_Q2",), ("birth_Q3",))]


def test_of_a_couple_nobody_asks_about_the_deaths_since_they_may_have_parted(session: Session, engine: Engine) -> None:
    lives = {1: ("1920-02-10", "1990-02-10"), 2: ("1932-02-10", "1998-02-10")}
    for link, asked in ((26, {"birth_Q2"}), (3373, {"birth_Q2", "death_Q1", "death_Q2"})):
        _people("2026-04", session, lives, (1, link, 2))
        told = {story for story, _ in _drawn(session, "2026-04", engine) if not story.lived}
        assert {event for story in told for event in story.events} == asked


def test_of_a_film_with_few_of_its_cast_stated_nobody_is_asked_about(session: Session, engine: Engine) -> None:
    for cast, asked in ((CAST, True), (CAST[:4], False)):
        _people("2026-04", session, {1: ("1945-02-10", "")}, *cast)
        assert any(_drawn(session, "2026-04", engine)) == asked


def test_films_of_one_director_are_compared_and_of_one_actor_not(session: Session, engine: Engine) -> None:
    for link, asked in ((57, {5: True, 10: False}), (161, {})):
        _people("2026-04", session, {1: ("1940-02-10", "")}, (9, link, 1), (8, link, 1))
        add_entities(session, "2026-04", [(8, "Film", "culture")])
        add_statements(session, "2026-04", [statement(91, 8, 577, when="1987-09-01")])
        told = {story.years: truth for story, truth in _drawn(session, "2026-04", engine) if story.form == "apart"}
        assert told == asked
