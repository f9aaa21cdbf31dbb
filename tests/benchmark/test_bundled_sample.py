"""The whole chain on the bundled sample: pulled, derived, asked; every proof replayed, every question looked at."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.export.reading import CaseView
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.relation.bridges import by_person
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.local import postgres
from halluvault_tasks.local.endpoint import load_sample
from halluvault_tasks.local.sample import CHECKED
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.temporal import story_forms
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.wikidata.relation import relation_of
from tests.conftest import SAMPLE_MONTH, copied


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.PostgresServer, demo_template: str) -> Iterator[str]:
    """The demo's month of the sample."""
    with copied(postgres_server, demo_template) as url:
        yield url


@pytest.fixture(scope="module")
def cases(database_url: str) -> list[CaseView]:
    """All cases of the demo benchmark of the sample."""
    with sessions.session(database_url) as session:
        return list(reading.every(session, SAMPLE_MONTH))


def test_the_demo_covers_seven_domains_and_more_within_its_bounds(cases: list[CaseView]) -> None:
    """So small a sample does not fill 186 relation questions nor 30 of recall within the bounds; they are fewer."""
    suites = Counter(case.suite for case in cases)
    assert 110 <= suites["relation"] <= 186
    assert 40 <= suites["temporal"] <= 56
    assert 20 <= suites["recall"] <= 30
    assert len({case.domain for case in cases}) >= 7
    headline = [case for case in cases if case.suite in HEADLINE]
    assert Counter(case.gold for case in headline)["yes"] * 2 == len(headline)
    relations = Counter(case.fact["relation"] for case in cases if case.suite == "relation")
    assert max(relations.values()) <= 0.35 * suites["relation"]


def test_nothing_that_has_one_value_is_asked_in_the_suite_recall(database_url: str, cases: list[CaseView]) -> None:
    """Of a film's several directors each would be a yes, and which of them made it would be open to argument."""
    with sessions.session(database_url) as session:
        lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
        material = Material(session, snapshots.get(session, SAMPLE_MONTH), lexicon)
        single = material.world.slots.functional.keys()
    asked = {relation_of(case.fact).pid for case in cases if case.suite == "recall"}
    assert asked and not asked & single
    assert not asked & {p for p, entries in lexicon.properties.items() if not any(one.recall for one in entries)}


def test_every_proof_of_the_sample_replays_to_its_gold(cases: list[CaseView], tmp_path: Path) -> None:
    from_gold = {case.proof: case.gold for case in cases}
    programs = sorted(proof for proof in from_gold if "turned(yes, no)." not in proof)
    programs += sorted(proof for proof in from_gold if "turned(yes, no)." in proof)[:12]

    def replayed(numbered: tuple[int, str]) -> str:
        file = tmp_path / f"proof-{numbered[0]}.pl"
        file.write_text(numbered[1], encoding="utf-8")
        run = subprocess.run(["swipl", str(file)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        return run.stdout.strip()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(replayed, enumerate(programs)))
    assert {proof: answer for proof, answer in zip(programs, answers, strict=True) if answer != from_gold[proof]} == {}


def test_every_question_of_the_sample_is_a_sentence(cases: list[CaseView]) -> None:
    for case in cases:
        said = case.question
        assert re.match(r"[A-Z]", said), said
        assert re.search(r"(\?|\.|\.”)$", said), said
        assert not re.search(r"\s\s|\s[,.?]|,[.?]|\{|\}|\bQ\d+|\bP\d+|\u2060", said), said
        assert not re.search(r"\b(could|might|possibl\w+)\b", said, re.IGNORECASE), said
        assert not re.search(r"\b(the the|a the|an the|the a|at at|a a|in in)\b", said, re.IGNORECASE), said
        assert said.count("“") == said.count("”"), said


def test_no_question_names_a_year_after_the_last_complete_one(cases: list[CaseView]) -> None:
    last = load_sample(CHECKED).as_of.year - 1
    for case in cases:
        if case.suite == "temporal":
            years = [int(year) for year in re.findall(r"\b(\d{4})\b(?! Summer)", case.question)]
            assert max(years, default=0) <= last, case.question  # a question about the year 476 has none of four


def test_both_wordings_of_a_question_have_both_answers(cases: list[CaseView]) -> None:
    golds: dict[bool, Counter[str]] = {}
    for case in cases:
        golds.setdefault(case.relation == "same", Counter())[case.gold] += 1
    for wording in golds.values():
        assert 0.3 < wording["yes"] / wording.total() < 0.7


def test_nobody_is_called_by_a_film_that_its_description_credits_to_others_too(
    cases: list[CaseView], database_url: str
) -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    with sessions.session(database_url) as session:
        material = Material(session, snapshots.get(session, SAMPLE_MONTH), lexicon)
        films = {bridge.work for bridges in by_person(material).values() for bridge in bridges if bridge.pid == 57}
        credits = {film: material.index.entities[film].description or "" for film in films}
    assert len(credits) > 20
    assert [told for told in credits.values() if not re.search(r" by [^,]+$", told) or " and " in told] == []


def test_a_story_is_asked_rightly_as_often_as_wrongly(cases: list[CaseView]) -> None:
    """A question about several events names no time: neither its words nor its names tell the answer."""
    groups: dict[str, Counter[str]] = {}
    for case in cases:
        if case.suite == "temporal" and story_forms.read(parse(case.fact["formula"])) is not None:
            groups.setdefault(case.group_id, Counter())[case.gold] += 1
            assert not re.search(r"\d{4}", case.question), case.question
    assert groups
    assert all(golds.keys() == {"yes", "no"} for golds in groups.values())
    assert len(set(sum(groups.values(), Counter()).values())) == 1, "as many yes as no over all"
