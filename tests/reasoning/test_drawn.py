"""Facts that are drawn: which ones, in which order, and what proves them and the foils beside them."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as settings_of
from hypothesis import strategies as st
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli.reasoning import derive as commands
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import links
from halluvault_tasks.reasoning import foils, stages
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.exchanged_number import outside_its_whole
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import AGE, AMOUNT, SOLE, YEAR
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.proving.asked import Asked
from halluvault_tasks.reasoning.records import Composed, DerivedFact, DrawnFact, Premise, Proof, Rule
from halluvault_tasks.reasoning.rules import drawn_facts, stored_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.reasoning.world.slots import Bounds, Known, Slots
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.wikidata.calendars import widened_years
from halluvault_tasks.wikidata.days import civil, day_number, full_years
from halluvault_tasks.wikidata.relation import Relation

Derive = Callable[..., Any]
DAYS = st.integers(day_number(1700), day_number(2000))
RULE = Rule(1, "", YEAR, (569,), Relation.of(569), "", {}, "active", "")


def day(s: int, p: int, year: int, month: int = 6, of_month: int = 15) -> dict[str, Any]:
    at = day_number(year, month, of_month)
    return statement(s, p, kind="time", earliest=at, latest=at, precision=11)


def world(session: Session, key: str, pages: Mapping[int, int], rows: Sequence[dict[str, Any]]) -> None:
    """Statements; each of the items named is in a domain, with so many pages about it."""
    fill(session, key, rows)
    for qid, number in pages.items():
        session.execute(
            text("UPDATE entity SET domain = 'people', sitelinks = :pages WHERE snapshot = :key AND qid = :qid"),
            {"key": key, "qid": qid, "pages": number},
        )
    session.commit()


def known(session: Session, key: str) -> Neighbourhood:
    return neighbourhood.load(session, key, load_world(session, key), links.load(session, key))


def proved(session: Session, key: str, fact: Asked) -> Proof:
    (proof,) = prove(session, key, [fact], known(session, key).world)
    assert isinstance(proof, Proof), proof
    return proof


def answer(proof: Proof, directory: Path) -> str:
    (directory / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=directory, check=True, timeout=60, capture_output=True, text=True)
    return ran.stdout.strip()


def sid_of(session: Session, key: str, s: int, p: int) -> int:
    found = text("SELECT sid FROM statement WHERE snapshot = :key AND s = :s AND p = :p")
    return int(session.execute(found, {"key": key, "s": s, "p": p}).scalar_one())


def ends(session: Session, key: str, kind: DrawingKind) -> list[tuple[int, int]]:
    return [(fact.s, fact.end) for fact in drawn_facts(session, key, kind)]


@pytest.fixture(scope="module")
def people(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Q1 to Q6 are born, Q1 and Q2 die; Q2, born in Q20, alone is the father of Q7; Q8 has an atomic number."""
    dates = [day(1, 569, 1930), day(2, 569, 1901), statement(3, 569, year=1932), day(4, 569, 1903, 1, 1)]
    dates += [day(5, 569, 1904), day(6, 569, 1905), day(6, 569, 1906), day(1, 570, 1990, 6, 14), day(2, 570, 1990, 12)]
    others = [statement(7, 22, 2), statement(2, 19, 20), statement(8, 1086, kind="quantity", amount=79, unit=199)]
    key = next_snapshot()
    with sessions.session(database_url) as session:
        world(session, key, {1: 5, 2: 50, 3: 20, 4: 10, 6: 9}, [*dates, *others])
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("drawn"), anew=True)
    return key


def test_years_are_drawn_of_the_best_known_first_where_the_one_date_lies_in_one_year(
    session: Session, people: str
) -> None:
    # Q4 may be of the year before, Q5 is in no domain, Q6 has two births.
    births = [fact for fact in drawn_facts(session, people, YEAR) if fact.relation.pid == 569]
    assert [(fact.s, fact.end) for fact in births] == [(2, 1901), (3, 1932), (1, 1930)]
    assert [fact.place for fact in births] == [0, 1, 3], "what is left out keeps its place"


def test_an_age_is_drawn_where_no_possible_day_changes_it(session: Session, people: str) -> None:
    # A day more at either end, since a date depends on a time zone: it may have been Q1's sixtieth birthday.
    assert ends(session, people, AGE) == [(2, 89)]


def test_the_one_father_and_the_one_number_are_drawn(session: Session, people: str) -> None:
    assert ends(session, people, SOLE) == [(7, 2)]
    assert ends(session, people, AMOUNT) == [(8, 79)]


@pytest.mark.parametrize(
    ("kind", "counted"),
    [
        (YEAR, ("negation.polarity:P569", "negation.polarity")),
        (AGE, ("composite:P569/P570", "composite")),
        (AMOUNT, ("negation.polarity:P1086", "negation.polarity")),
        (SOLE, ("negation.polarity:P22", "negation.polarity")),
    ],
)
def test_a_drawn_fact_is_proved_by_its_statements(
    session: Session, people: str, tmp_path: Path, kind: DrawingKind, counted: tuple[str, str]
) -> None:
    fact = drawn_facts(session, people, kind)[0]
    proof = proved(session, people, fact)
    assert (proof.rule_name, proof.kind) == counted
    assert proof.triple == (fact.relation, fact.s, fact.end)
    assert tuple(premise.sid for premise in proof.premises) == fact.evidence
    assert answer(proof, tmp_path) == "yes"


def test_of_somebody_who_is_called_by_a_child_both_rows_are_proved(
    session: Session, people: str, tmp_path: Path
) -> None:
    (father,), year = drawn_facts(session, people, SOLE), drawn_facts(session, people, YEAR)[0]
    proof = proved(session, people, Composed(year, father))
    assert (proof.rule_name, proof.kind) == ("composite:P22/P569", "composite")
    assert [premise.p for premise in proof.premises] == [569, 22]
    assert "sole(7, Who, yes), in_year(Who, 1901, yes)" in proof.program
    assert answer(proof, tmp_path) == "yes"


def test_a_derived_fact_of_somebody_who_is_called_by_a_child_is_proved_by_its_rule_and_that_row(
    session: Session, people: str, tmp_path: Path
) -> None:
    (father,), rules = drawn_facts(session, people, SOLE), stored_rules(session, people)
    rule = next(rule.rule for rule in rules if rule.name == "negation.polarity:P19")
    born = DerivedFact(rule, Relation.of(19), 2, 20, (sid_of(session, people, 2, 19),))
    proof = proved(session, people, Composed(born, father))
    assert (proof.rule_name, proof.kind, proof.truth) == ("composite:P22/P19", "composite", True)
    assert [premise.p for premise in proof.premises] == [19, 22]
    assert "sole(7, Who, yes), holds(Who, 20)" in proof.program
    assert answer(proof, tmp_path) == "yes"
    other = proof.program.replace("only(22, 7, 2).", "only(22, 7, 3).")
    assert answer(proof._replace(program=other), tmp_path) == "unproven", "of another father it would say nothing"


def test_the_year_of_another_is_a_foil_that_is_proved_to_be_false(
    session: Session, people: str, tmp_path: Path
) -> None:
    one, other, *_ = drawn_facts(session, people, YEAR)
    foil = foils.draw(known(session, people), one, other)
    assert isinstance(foil, Foil)
    assert (foil.s, foil.o, foil.value) == (2, None, 1932)
    (father,) = drawn_facts(session, people, SOLE)
    for asked, name in ((foil, "negation.value:P569"), (Composed(foil, father), "composite:P22/P569")):
        proof = proved(session, people, asked)
        assert (proof.rule_name, proof.truth) == (name, False)
        assert answer(proof, tmp_path) == "no"


def test_the_own_year_is_no_foil(session: Session, people: str) -> None:
    one = drawn_facts(session, people, YEAR)[0]
    assert isinstance(foils.draw(known(session, people), one, one), Refusal)


def test_of_a_publication_no_year_beside_its_own_is_a_foil(session: Session, people: str) -> None:
    """A film of 1942 may have been first shown in 1941."""
    one = DrawnFact(1, Relation.of(577), 9, None, 1942, (1,), 0)
    near = foils.ExchangedYear().believable(one, one._replace(value=1941), known(session, people))
    far = foils.ExchangedYear().believable(one, one._replace(value=1940), known(session, people))
    assert (near, far) == (False, True)


@pytest.mark.parametrize(("year", "outside"), [(1936, True), (1939, False), (1941, False), (1945, False), (1946, True)])
def test_no_part_of_a_war_is_said_to_have_begun_outside_of_it(year: int, outside: bool) -> None:
    """Nobody would ask whether the Eastern Front of World War II began in 1936."""
    front, war = 1, 2
    begun, over = (day_number(1939, 9, 1),) * 2, (day_number(1945, 9, 2),) * 2
    slots = Slots(
        known={(361, front): Known(1, {war: 7})},
        bounds={(580, war): Bounds(8, 1, (begun,)), (582, war): Bounds(9, 1, (over,))},
    )
    days = day_number(year, 1, 1), day_number(year, 12, 31)
    assert outside_its_whole(World(slots=slots), front, *days) is outside


def test_a_rule_draws_no_more_than_it_may(session: Session, next_snapshot: Callable[[], str], tmp_path: Path) -> None:
    key = next_snapshot()
    world(session, key, {1: 5, 2: 50, 3: 20}, [day(one, 569, 1900 + one) for one in (1, 2, 3)])
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "settings: {drawn: {most: 2}}\n"
        "functional: {P569: {by_nature: true, reason: once}}\n"
        "drawn: {year: {P569: a birth}}\n"
    )
    stages.type_rules(session, key, rules_file=rules)
    stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path, anew=True)
    assert ends(session, key, YEAR) == [(2, 1902), (3, 1903)]


def test_nothing_is_drawn_of_what_is_not_shown_to_have_one_value(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    world(session, key, {1: 5}, [day(1, 569, 1900)])
    rules = tmp_path / "rules.yaml"
    rules.write_text("drawn: {year: {P569: a birth}}\n")
    stages.type_rules(session, key, rules_file=rules)
    (year,) = [rule for rule in stored_rules(session, key) if rule.kind is YEAR]
    assert (year.verdict, year.reason) == ("candidate", "P569 is not known to be functional")


def test_a_drawn_row_that_is_missing_stops_the_check(session: Session, people: str) -> None:
    session.execute(text("DELETE FROM drawn_fact WHERE snapshot = :key AND s = 2 AND value = 1901"), {"key": people})
    with pytest.raises(UserError, match="rule year:P569 has 2 rows, its manifest says 3"):
        stages.check_derivation(session, people, shards=1)
    session.rollback()


def test_drawn_facts_are_one_and_the_same_however_the_rules_are_split(
    session: Session, people: str, derive: Derive
) -> None:
    before = [drawn_facts(session, people, kind) for kind in (SOLE, YEAR, AGE, AMOUNT)]
    derive(people, shards=3)
    assert [drawn_facts(session, people, kind) for kind in (SOLE, YEAR, AGE, AMOUNT)] == before


def command(database_url: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_is_drawn_is_listed_and_explained_like_what_is_derived(
    database_url: str, people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = command(database_url, monkeypatch, "facts", "--snapshot", people, "--rule", "year:P569")
    assert "P569 Q2 1901   name2 (Q2): property 569 (P569): year 1901   [year:P569]" in listed
    told = command(database_url, monkeypatch, "explain", "P569 Q2 1901", "--snapshot", people)
    assert "therefore name2 (Q2): property 569 (P569): year 1901" in told
    assert "answer(yes) :- in_year(2, 1901, yes)." in told


@settings_of(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(DAYS, st.integers(1, 40_000), st.integers(-2, 2)), min_size=1, max_size=20))
def test_prolog_counts_years_and_ages_as_what_draws_them(lives: list[tuple[int, int, int]]) -> None:
    """One engine for many people: whoever is born on a day and dies so many days later, asked of an age so far off."""
    lines, asks, expected = [], [], []
    for s, (born, lived, off) in enumerate(lives, 1):
        dates = [Premise(1, "", s, p, None, "time", on, on, 11, None) for p, on in ((569, born), (570, born + lived))]
        age, year = full_years(born, born + lived), civil(born).year
        lines += [*(AGE.stated(date) for date in dates), YEAR.stated(dates[0])]
        asks += [f"aged({s}, {age + off}, Answer)", f"in_year({s}, {year + off}, Answer)"]
        first, last = (civil(day).year for day in widened_years(born, born))
        lies = "no" if not first <= year + off <= last else "yes" if first == last else "open"
        expected += ["no" if off else "yes", lies]
    rules = [line for kind in (AGE, YEAR) for line in kind.clauses(RULE)]
    ask = [f":- ( {goal} -> true ; Answer = open ), writeln(Answer)." for goal in asks]
    with TemporaryDirectory() as name:
        (Path(name) / "all.pl").write_text("\n".join([":- style_check(-discontiguous).", *lines, *rules, *ask]) + "\n")
        ran = subprocess.run(
            ["swipl", "-g", "halt", "all.pl"], cwd=name, check=True, timeout=60, capture_output=True, text=True
        )  # fmt: skip
    assert ran.stdout.split() == expected, ran.stderr
