"""The temporal stage on real facts and on the edges."""

import subprocess
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from phrases import standard_phrase
from sqlalchemy import func, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import readings, story_forms
from halluvault_tasks.temporal.generate import ATOM, TemporalConfig, generate
from halluvault_tasks.temporal.history import load
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate, open_engine
from halluvault_tasks.temporal.stages import TemporalCounts, derive_temporal
from halluvault_tasks.temporal.units import Granularity, unit_of
from halluvault_tasks.temporal.verbalise import question

CONFIG = TemporalConfig(count=400)


def facts(session: Session, snapshot: str) -> list[dict[str, Any]]:
    table = tables.temporal_fact
    rows = session.execute(select(table).where(table.c.snapshot == snapshot).order_by(table.c.id)).mappings()
    return [dict(row) for row in rows]


def of_a_time(session: Session, snapshot: str) -> list[dict[str, Any]]:
    """The facts that are asked about a time; of several events of one story (`test_stories`) no time is named."""
    return [row for row in facts(session, snapshot) if story_forms.read(parse(row["formula"])) is None]


@pytest.fixture(scope="module")
def derived(database_url: str, sample_snapshot: str, prolog_dir: Path) -> TemporalCounts:
    with sessions.session(database_url) as session:
        return derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir)


def test_real_facts_give_every_operator_in_every_dated_domain(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    """Until is asked of terms alone."""
    assert len(facts(session, sample_snapshot)) == derived.facts
    rows = of_a_time(session, sample_snapshot)
    assert len(rows) > 200
    mains = {(row["domain"], f.symbol(parse(row["formula"]))) for row in rows}
    for domain in ("people", "history"):
        assert {operator for where, operator in mains if where == domain} >= {*f.OPERATORS, ""} - {"U", "&", "|"}
    assert {row["depth"] for row in rows} == {0, 1, 2}


def test_every_operator_and_depth_comes_in_its_set_proportion(
    session: Session, sample_snapshot: str, prolog_dir: Path
) -> None:
    """In a domain that carries them: main operators alike; what a depth does not carry, the others make up for."""
    config = TemporalConfig(count=1600, depth=4, nesting={1: 4, 2: 2, 3: 1, 4: 1})
    history = load(session, sample_snapshot, date(2026, 10, 1), Granularity.YEAR, 12)
    people = {name: found for name, found in history.atoms.items() if found.domain == "people"}
    batch = generate(history._replace(atoms=people), open_engine(prolog_dir), config)
    by_operator = Counter(f.symbol(query.formula) or ATOM for query in batch.queries)
    # Of few pairs somebody asks whether both, or either, were still alive; what is missing is told.
    assert {operator: 200 - number for operator, number in by_operator.items() if number < 200} == batch.shortfall
    assert max(by_operator.values()) == 200
    depths = Counter(query.formula.depth for query in batch.queries if f.symbol(query.formula) == "N")
    assert depths[1] > depths[2] > 0


@pytest.mark.parametrize("granularity", [Granularity.MONTH, Granularity.DAY])
def test_months_and_days_give_facts_that_can_be_said_and_proved(
    session: Session, sample_snapshot: str, prolog_dir: Path, tmp_path: Path, granularity: Granularity
) -> None:
    config = TemporalConfig(count=300, granularity=granularity)
    counts = derive_temporal(session, sample_snapshot, config=config, prolog_dir=prolog_dir)
    rows = facts(session, sample_snapshot)
    assert len(rows) == counts.facts > 100
    assert counts.true * 2 == counts.facts
    for n, row in enumerate(rows):
        assert row["granularity"] == granularity
        phrases = {n: standard_phrase(a["kind"], f"Q{a['qid']}", f"Q{a['o']}") for n, a in row["atoms"].items()}
        assert question(parse(row["formula"]), row["at"], phrases, granularity) is not None, row["formula"]
        if n % (len(rows) // 3) == 0:
            file = tmp_path / "proof.pl"
            file.write_text(row["program"], encoding="utf-8")
            ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
            assert ran.stdout.strip() == ("yes" if row["truth"] else "no"), row["formula"]
    derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir)


def test_yes_and_no_are_equally_frequent_for_every_formula_and_so_for_every_item(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    by_formula: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for row in of_a_time(session, sample_snapshot):
        by_formula[row["formula"], row["granularity"]][row["truth"]] += 1
    assert by_formula
    assert all(counts == {True: 1, False: 1} for counts in by_formula.values())


def test_a_true_fact_is_certain_and_a_false_one_impossible(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    def within(intervals: list[list[Any]], at: int) -> bool:
        return any((a == "inf" or a <= at) and (b == "sup" or at <= b) for a, b in intervals)

    for row in facts(session, sample_snapshot):
        if row["truth"]:
            assert within(row["certain"], row["at"])
        else:
            assert not within(row["possible"], row["at"])


def test_beside_facts_by_the_year_there_are_some_by_the_month_about_lives(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    rows = facts(session, sample_snapshot)
    by_month = [row for row in rows if row["granularity"] == Granularity.MONTH]
    assert 0 < len(by_month) <= 1.1 * CONFIG.months * CONFIG.count < len(rows), "rounded by domain and operator"
    assert {atom["kind"] for row in by_month for atom in row["atoms"].values()} == {"birth", "death", "life"}
    # Strangers found windows from one month to another arbitrary.
    assert {f.symbol(parse(row["formula"])) for row in by_month} <= {"", "N", "!"}
    assert not any(
        isinstance(part, f.Finally | f.Globally) for row in by_month for part in f.subformulas(parse(row["formula"]))
    )


def test_a_wrong_day_of_a_birth_or_death_is_at_least_four_from_the_right_one(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    """Of the other facts some are one unit from an edge."""
    rows = facts(session, sample_snapshot)
    by_day = [row for row in rows if row["granularity"] == Granularity.DAY]
    assert 0 < len(by_day) <= CONFIG.days * CONFIG.count
    assert {atom["kind"] for row in by_day for atom in row["atoms"].values()} == {"birth", "death"}

    def nearest(row: Mapping[str, Any]) -> int:
        [name] = f.atoms(parse(row["formula"]))
        [[first, last]] = row["atoms"][name]["possible"]
        return max(first - row["at"], row["at"] - last, 0)

    happened = [row for row in by_day if row["truth"] != row["formula"].startswith("!")]
    other = [row for row in by_day if row["truth"] == row["formula"].startswith("!")]
    assert {nearest(row) for row in happened} == {0}
    assert min(map(nearest, other)) >= 4


def test_no_other_reading_of_a_question_has_another_answer(
    session: Session, sample_snapshot: str, derived: TemporalCounts, prolog_dir: Path
) -> None:
    timed = load(session, sample_snapshot, date(2026, 10, 1), Granularity.YEAR, 12).timed
    filled = readings.filling(timed)
    asked = [
        (row, other)
        for row in facts(session, sample_snapshot)
        if row["granularity"] == Granularity.YEAR  # what is asked by the month has no window, and so no other reading
        for other in readings.others(parse(row["formula"]), filled) or ()
    ]
    queries = [Query(other, row["at"]) for row, other in asked]
    found = evaluate(open_engine(prolog_dir), queries, timed | {one.name: one for one in filled.values()})
    wrong = [
        (row["formula"], row["at"]) for (row, _), one in zip(asked, found, strict=True) if one.answer != row["truth"]
    ]
    assert asked
    assert wrong == []


def test_most_time_points_are_near_misses(session: Session, sample_snapshot: str, derived: TemporalCounts) -> None:
    near = 0
    rows = of_a_time(session, sample_snapshot)
    for row in rows:
        ends = [
            e
            for several in (row["certain"], row["possible"])
            for pair in several
            for e in pair
            if e not in ("inf", "sup")
        ]
        near += min(abs(row["at"] - end) for end in ends) <= 3
    assert near / len(rows) > 0.5


def test_every_fact_can_be_said_and_names_no_year_after_as_of(
    session: Session, sample_snapshot: str, derived: TemporalCounts
) -> None:
    as_of = session.scalar(select(tables.snapshot.c.as_of).where(tables.snapshot.c.snapshot == sample_snapshot))
    assert as_of is not None
    for row in of_a_time(session, sample_snapshot):
        formula = parse(row["formula"])
        phrases = {n: standard_phrase(a["kind"], f"Q{a['qid']}", f"Q{a['o']}") for n, a in row["atoms"].items()}
        assert question(formula, row["at"], phrases, Granularity(row["granularity"])) is not None, row["formula"]
        assert row["at"] + max(0, f.horizon(formula)[1]) < unit_of(as_of.toordinal(), Granularity(row["granularity"]))


def test_a_facts_program_run_by_swipl_prints_its_truth(
    session: Session, sample_snapshot: str, derived: TemporalCounts, tmp_path: Path
) -> None:
    rows = facts(session, sample_snapshot)
    for row in rows[:: max(1, len(rows) // 8)]:
        file = tmp_path / "proof.pl"
        file.write_text(row["program"], encoding="utf-8")
        ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
        assert ran.stdout.strip() == ("yes" if row["truth"] else "no"), row["formula"]


def test_atoms_point_to_their_dated_statements(session: Session, sample_snapshot: str, derived: TemporalCounts) -> None:
    st = tables.statement
    rows = {row["sid"]: row for row in session.execute(select(st)).mappings()}
    for fact in facts(session, sample_snapshot):
        for atom in fact["atoms"].values():
            assert {rows[sid]["s"] for sid in atom["sids"]} == {atom["qid"]}
            assert rows[atom["sids"][0]]["p"] == atom["p"]
            assert atom["o"] == (
                rows[atom["sids"][0]]["o"] if atom["kind"] in ("position", "marriage", "award") else None
            )


def test_running_again_changes_nothing(
    session: Session, sample_snapshot: str, derived: TemporalCounts, prolog_dir: Path
) -> None:
    before = facts(session, sample_snapshot)
    assert derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir) == derived
    assert facts(session, sample_snapshot) == before


def test_another_seed_asks_other_things_and_replaces_the_first(
    session: Session, sample_snapshot: str, derived: TemporalCounts, prolog_dir: Path
) -> None:
    before = {row["id"] for row in facts(session, sample_snapshot)}
    other = CONFIG.model_copy(update={"seed": 7})
    counts = derive_temporal(session, sample_snapshot, config=other, prolog_dir=prolog_dir)
    after = {row["id"] for row in facts(session, sample_snapshot)}
    assert len(after) == counts.facts
    assert after != before
    derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir)
    assert {row["id"] for row in facts(session, sample_snapshot)} == before


def test_formulas_are_drawn_over_settled_dates_alone(session: Session, sample_snapshot: str, prolog_dir: Path) -> None:
    derive_temporal(
        session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir, settled=lambda p, s: p in {569, 570}
    )
    kinds = {atom["kind"] for row in facts(session, sample_snapshot) for atom in row["atoms"].values()}
    assert "life" in kinds
    assert kinds <= {"life", "birth", "death", "position", "marriage", "award"}
    derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir)


def test_a_run_that_dies_half_way_leaves_what_was_there(
    session: Session, sample_snapshot: str, derived: TemporalCounts, prolog_dir: Path
) -> None:
    before = facts(session, sample_snapshot)
    session.execute(
        text(
            "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF NEW.at > 1900 THEN RAISE 'disk full'; END IF; RETURN NEW; END $$"
        )
    )
    session.execute(text("CREATE TRIGGER die BEFORE INSERT ON temporal_fact FOR EACH ROW EXECUTE FUNCTION die()"))
    session.commit()
    with pytest.raises(Exception, match="disk full"):
        derive_temporal(session, sample_snapshot, config=CONFIG, prolog_dir=prolog_dir)
    session.rollback()
    assert facts(session, sample_snapshot) == before
    session.execute(text("DROP FUNCTION die CASCADE"))
    session.commit()


def test_a_snapshot_without_dates_succeeds_with_nothing(session: Session, prolog_dir: Path) -> None:
    key = "2026-01"
    session.execute(
        insert(tables.snapshot).values(snapshot=key, month=key, as_of=date(2026, 1, 31), source="t", status="frozen")
    )
    session.commit()
    counts = derive_temporal(session, key, config=CONFIG, prolog_dir=prolog_dir)
    assert counts == TemporalCounts(0, 0, 0, 0, {})
    ended = select(func.count()).where(tables.stage_run.c.snapshot == key, tables.stage_run.c.ended_at.is_not(None))
    assert session.scalar(ended) == 1


def test_a_snapshot_still_being_pulled_is_refused(session: Session, prolog_dir: Path) -> None:
    key = "2026-02"
    session.execute(
        insert(tables.snapshot).values(snapshot=key, month=key, as_of=date(2026, 2, 28), source="t", status="pulling")
    )
    session.commit()
    with pytest.raises(UserError, match="still being pulled"):
        derive_temporal(session, key, config=CONFIG, prolog_dir=prolog_dir)
    with pytest.raises(UserError, match="there is no snapshot '2025-12'"):
        derive_temporal(session, "2025-12", config=CONFIG, prolog_dir=prolog_dir)
