"""A month's benchmark is its parts: each made by what is its own, frozen and published by itself."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.config import load, load_quotas
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import compare, part_lookup
from halluvault_tasks.benchmark.prompts import store
from halluvault_tasks.benchmark.prompts.variants import parse
from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.open.open_suite import OpenSuite
from halluvault_tasks.benchmark.suites.question_suite import QuestionSuite
from halluvault_tasks.benchmark.suites.registry import COMPANIONS, OPEN, QUESTIONS, SUITES, chosen
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.times import DAY
from tests import yaml_text

CONFIG = REPOSITORY / "config"


def changed(source: Path, target: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> Path:
    """A configuration directory with quotas and lexicon changed."""
    names = ("benchmark.yaml", "lexicon.yaml")
    quotas, lexicon = (yaml_text.load((source / name).read_text(encoding="utf-8")) for name in names)
    change(quotas, lexicon)
    target.mkdir(exist_ok=True)
    for name, content in zip(names, (quotas, lexicon), strict=True):
        (target / name).write_text(yaml_text.dump(content), encoding="utf-8")
    for name in ("suites.yaml", "measured.yaml"):
        if (source / name).exists():
            shutil.copy(source / name, target)
    return target


def hashes(directory: Path, size: str = "demo") -> dict[str, str]:
    config = load(directory, size)
    return {name: suite.configured(config).hash for name, suite in SUITES.items()}


def rows(session: Session, snapshot: str, suite: str) -> list[Any]:
    """Everything that is stored of a part, prompts among it."""
    found: list[Any] = []
    for table in (tables.benchmark_part, tables.benchmark_case, tables.benchmark_change):
        here = select(table).where(table.c.snapshot == snapshot, table.c.suite == suite)
        found += sorted(map(repr, session.execute(here).all()))
    mine = select(tables.benchmark_case.c.case_id).where(
        tables.benchmark_case.c.snapshot == snapshot, tables.benchmark_case.c.suite == suite
    )
    prompts = select(tables.prompt).where(tables.prompt.c.snapshot == snapshot, tables.prompt.c.case_id.in_(mine))
    return found + sorted(map(repr, session.execute(prompts).all()))


def test_suites_are_built_in_the_order_of_the_registry_whatever_the_order_of_their_names() -> None:
    assert set(HEADLINE) <= set(QUESTIONS)
    assert [*QUESTIONS, *OPEN, *COMPANIONS] == list(SUITES)
    assert [suite.name for suite in chosen(["temporal", "relation"])] == ["relation", "temporal"]


def test_unknown_suites_are_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=rf"no suite 'recal'; there are {', '.join(SUITES)}"):
        chosen(["recal"])

    def misspell(quotas: dict[str, Any], _: object) -> None:
        quotas["suites"] = ["relation", "recal"]

    *others, last = map(repr, [*QUESTIONS, *OPEN])
    with pytest.raises(UserError, match=rf"suites.*'recal'.*{', '.join(others)} or {last}"):
        load(changed(CONFIG, tmp_path, misspell), "demo")


@pytest.mark.parametrize("suites", [["temporal"], ["temporal", "relation"]])
def test_another_suite_or_other_prompts_change_no_parts_hash(tmp_path: Path, suites: list[str]) -> None:
    def change(quotas: dict[str, Any], _: object) -> None:
        quotas["suites"] = suites
        quotas["variants"]["demo"] = ["halluvault/two-turn"]
        quotas["default_variant"]["demo"] = "halluvault/two-turn"

    assert hashes(changed(CONFIG, tmp_path, change)) == hashes(CONFIG)


def worded_from(section: str) -> set[str]:
    """The suites that use this section of the lexicon."""
    registered: dict[str, QuestionSuite | OpenSuite | CompanionSuite[Any]] = {**QUESTIONS, **OPEN, **COMPANIONS}
    return {name for name, suite in registered.items() if section in suite.wordings}


def weighed_by(section: str, key: str) -> set[str]:
    """The suites that a weight of benchmark.yaml has a say in."""
    quotas = load_quotas(CONFIG, "demo")
    before = getattr(quotas, section)
    other = quotas.model_copy(update={section: {**before, key: before[key] + 1}})
    return {name for name, suite in QUESTIONS.items() if suite.weights(quotas) != suite.weights(other)}


def say_otherwise(section: str, key: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def change(_: object, lexicon: dict[str, Any]) -> None:
        lexicon[section] = dict(lexicon[section])
        del lexicon[section][key]

    return change


@pytest.mark.parametrize(
    ("change", "touched"),
    [
        (lambda quotas, _: quotas.update(seed=7), {*QUESTIONS, *OPEN}),
        (lambda quotas, _: quotas.update(subject_cap=3), {*QUESTIONS, *OPEN}),
        (lambda quotas, _: quotas.update(guess_limit=0.1), set(OPEN)),
        (lambda quotas, _: quotas.update(rewrite={"model": "m"}), set(QUESTIONS)),
        (lambda quotas, _: quotas["sizes"]["demo"].update(relation=180), {"relation"}),
        (lambda quotas, _: quotas["sizes"]["demo"].update(temporal=50), {"temporal"}),
        (lambda quotas, _: quotas["sizes"]["full"].update(temporal=50), set()),
        (lambda quotas, _: quotas["kinds"].update(inverse=5), weighed_by("kinds", "inverse")),
        (lambda quotas, _: quotas["operators"].update(F=5), weighed_by("operators", "F")),
        (say_otherwise("properties", "P57"), worded_from("properties")),
        (say_otherwise("atoms", "life"), worded_from("atoms")),
        (say_otherwise("names", "Q1"), set(SUITES)),
    ],
)
def test_a_parts_hash_is_over_what_is_its_own(
    tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None], touched: set[str]
) -> None:
    def with_a_name(quotas: dict[str, Any], lexicon: dict[str, Any]) -> None:
        lexicon["names"] = {**lexicon.get("names", {}), "Q1": "the universe"}

    before = hashes(changed(CONFIG, tmp_path / "before", with_a_name))
    after = hashes(changed(tmp_path / "before", tmp_path / "after", change))
    assert {suite for suite in SUITES if before[suite] != after[suite]} == touched


@pytest.mark.parametrize("suite", sorted([*QUESTIONS, *OPEN]))
def test_a_part_rests_on_nothing_that_its_hash_does_not_cover(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path, suite: str
) -> None:
    """All wordings and weights that are another suite's are taken away, and the same bytes come out."""

    def strip(quotas: dict[str, Any], lexicon: dict[str, Any]) -> None:
        for section in set(lexicon) - set({**QUESTIONS, **OPEN}[suite].wordings):
            lexicon[section] = {}
        for weights in ("kinds", "operators"):
            if not any(suite in weighed_by(weights, key) for key in quotas[weights]):
                quotas[weights] = dict.fromkeys(quotas[weights], 0)

    def content(directory: Path) -> str:
        counts = stages.build(session, make_world("2048-01"), config_dir=directory, size="all", only=[suite])
        return counts.parts[0].content_hash

    bare = changed(config_dir, tmp_path / "bare", strip)
    assert hashes(bare, "all")[suite] == hashes(config_dir, "all")[suite]
    try:
        whole = content(config_dir)
    except UserError as refused:
        if suite in {*HEADLINE, "recall"} or "no question can be asked" not in refused.message:
            raise
        pytest.skip(f"the small world has nothing for a suite as narrow as {suite}")
    assert content(bare) == whole


def test_a_suite_that_is_switched_on_later_touches_no_row_of_the_others(
    session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2048-02")
    first = stages.build(session, snapshot, config_dir=config_dir, size="all", only=["temporal"])
    part_lookup.publish(session, snapshot)
    before = rows(session, snapshot, "temporal")
    assert len(before) > 20
    later = stages.build(session, snapshot, config_dir=config_dir, size="all", only=["relation"])
    assert [part.suite for part in later.parts] == ["relation"]
    assert rows(session, snapshot, "temporal") == before
    assert [part.published for part in part_lookup.of_month(session, snapshot)] == [False, True]
    part_lookup.publish(session, snapshot, ["relation"])
    assert [part.published for part in part_lookup.of_month(session, snapshot)] == [True, True]
    assert rows(session, snapshot, "temporal") == before
    # Apart or together, before or after: the parts are what they are.
    apart = {part.suite: part.content_hash for part in (*later.parts, *first.parts)}
    together = stages.build(session, make_world("2048-02"), config_dir=config_dir, size="all")
    assert apart == {part.suite: part.content_hash for part in together.parts}


def test_a_part_of_another_configuration_is_refused_and_the_missing_one_built(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path
) -> None:
    snapshot = make_world("2048-03")
    stages.build(session, snapshot, config_dir=config_dir, size="all", only=["relation"])

    def fewer(quotas: dict[str, Any], _: object) -> None:
        quotas["sizes"]["all"]["relation"] = 300

    counts = stages.build(session, snapshot, config_dir=changed(config_dir, tmp_path, fewer), size="all")
    assert [part.suite for part in counts.parts] == ["temporal"]
    (refused,) = counts.refused
    assert "the part relation of 2048-03 was frozen with another configuration" in refused.message
    assert len(part_lookup.of_month(session, snapshot)) == 2


def test_a_part_that_cannot_be_made_costs_itself_alone(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path
) -> None:
    def leak(quotas: dict[str, Any], _: object) -> None:
        quotas["kinds"] = {"symmetric": 1}  # always a yes, and so a matter of recall

    snapshot = make_world("2048-04")
    counts = stages.build(session, snapshot, config_dir=changed(config_dir, tmp_path, leak), size="all")
    assert [part.suite for part in counts.parts] == ["temporal"]
    assert "no question can be asked" in counts.refused[0].message
    assert {one.scope for of in part_lookup.statistics(session, snapshot).values() for one in of.baselines} == {
        "temporal"
    }
    incident = session.execute(select(tables.incident).where(tables.incident.c.snapshot == snapshot)).one()
    assert (incident.kind, incident.where) == ("part_refused", "benchmark build, suite relation")
    # What stands makes a month; both refused would be none.
    part_lookup.publish(session, snapshot)
    with pytest.raises(UserError, match="no question can be asked"):
        stages.build(session, snapshot, config_dir=tmp_path, size="all", only=["relation"])


def test_a_month_without_its_headline_is_not_published(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str]
) -> None:
    snapshot = make_world("2048-05")
    with pytest.raises(UserError, match="2048-05 has no benchmark"):
        part_lookup.publish(session, snapshot)
    values = {"seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}}
    session.execute(insert(tables.benchmark_part).values(snapshot=snapshot, suite="recall", **values))
    session.commit()
    with pytest.raises(UserError, match="neither relation nor temporal, which the headline is over"):
        part_lookup.publish(session, snapshot)
    with pytest.raises(UserError, match="has no part 'temporal'; it has recall"):
        part_lookup.publish(session, snapshot, ["temporal"])
    part_lookup.publish(session, snapshot, ["recall"])
    assert part_lookup.of_month(session, snapshot)[0].published


def test_a_question_that_another_part_of_the_month_asks_is_left_out_and_counted(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str], config_dir: Path
) -> None:
    taken = next(case for case in reading.every(session, "2040-01", ["relation"]) if case.mutation == "original")
    snapshot = make_world("2048-06")
    values = {"seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}}
    session.execute(insert(tables.benchmark_part).values(snapshot=snapshot, suite="recall", **values))
    session.execute(
        insert(tables.cases).values(
            id="another", question=taken.question, gold="yes", group_id="g-another", mutation="original",
            relation="same", suite="recall",
        )
    )  # fmt: skip
    session.execute(
        insert(tables.benchmark_case).values(
            snapshot=snapshot, suite="recall", case_id="another", domain="people", rule_kind="recall", fact={},
            premises=[], proof="",
        )
    )  # fmt: skip
    session.commit()
    stages.build(session, snapshot, config_dir=config_dir, size="all", only=["relation"])
    questions = [case.question for case in reading.every(session, snapshot, ["relation"])]
    assert len(set(questions)) == len(questions)
    assert taken.question not in questions
    assert taken.group_id not in {case.group_id for case in reading.every(session, snapshot, ["relation"])}
    assert part_lookup.statistics(session, snapshot)["relation"].dropped[Hindrance.REPEATED()] >= 1


def test_a_part_is_held_against_the_last_month_that_had_one_of_its_suite(
    session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    for month, only in (("2049-01", HEADLINE), ("2049-02", ["relation"]), ("2049-03", HEADLINE)):
        make_world(month)
        stages.build(session, month, config_dir=config_dir, size="all", only=only)
        part_lookup.publish(session, month)
        session.execute(update(tables.snapshot).where(tables.snapshot.c.snapshot == month).values(status="published"))
        session.commit()
    assert {part.suite: part.previous for part in part_lookup.of_month(session, "2049-03")} == {
        "relation": "2049-02", "temporal": "2049-01",
    }  # fmt: skip
    near = compare.between(session, "2049-02", "2049-03")
    assert (near.suites, near.apart) == (("relation",), ("temporal",))
    far = compare.between(session, "2049-01", "2049-03")
    assert (far.suites, far.apart) == (HEADLINE, ())
    assert far.path == ("2049-01", "2049-02", "2049-03")
    assert far.stays == sum(1 for _ in reading.every(session, "2049-03")), "nothing changed in the world"


def test_a_month_whose_rows_were_dropped_gets_no_further_part(
    session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2048-07")
    stages.build(session, snapshot, config_dir=config_dir, size="all", only=["relation"])
    session.execute(text("UPDATE snapshot SET dropped_at = now() WHERE snapshot = '2048-07'"))
    session.commit()
    with pytest.raises(UserError, match=r"rows of snapshot 2048-07 were dropped: no part temporal"):
        stages.build(session, snapshot, config_dir=config_dir, size="all", only=["temporal"])
    assert not stages.build(session, snapshot, config_dir=config_dir, size="all", only=["relation"]).built


# ---------------------------------------------------------------- prompts


def digest(session: Session, snapshot: str, variant: str) -> list[Any]:
    prompt = tables.prompt
    query = select(prompt.c.case_id, prompt.c.text, prompt.c.sha256).where(
        prompt.c.snapshot == snapshot, prompt.c.variant_id == parse(variant).id
    )
    return sorted(map(tuple, session.execute(query)))


def contents(session: Session, snapshot: str) -> Mapping[str, Any]:
    return {suite: rows(session, snapshot, suite)[:1] for suite in HEADLINE} | {
        "cases": list(reading.export(session, snapshot))
    }


@pytest.mark.parametrize("variant", ["drowzee/plain/with-evidence", "halluvault/two-turn/chat/with-evidence"])
def test_a_variant_is_added_to_a_frozen_month_and_making_it_again_gives_the_same_bytes(
    session: Session, january: stages.BenchmarkCounts, variant: str
) -> None:
    frozen = contents(session, "2040-01")
    made = store.add(session, "2040-01", parse(variant))
    assert (made.made, made.there) == (january.sum("cases"),) * 2, "every case has one"
    first = digest(session, "2040-01", variant)
    again = store.add(session, "2040-01", parse(variant))
    assert (again.made, again.there) == (0, made.there)
    assert digest(session, "2040-01", variant) == first
    session.execute(tables.prompt.delete().where(tables.prompt.c.variant_id == parse(variant).id))
    store.add(session, "2040-01", parse(variant))
    assert digest(session, "2040-01", variant) == first
    assert contents(session, "2040-01") == frozen
    session.rollback()


def test_a_stored_text_that_differs_is_an_error_and_stays(session: Session, january: stages.BenchmarkCounts) -> None:
    variant = parse("drowzee/plain/closed-book")
    one = session.execute(
        select(tables.prompt).where(tables.prompt.c.snapshot == "2040-01", tables.prompt.c.variant_id == variant.id)
    ).first()
    assert one is not None
    mine = (tables.prompt.c.snapshot == "2040-01") & (tables.prompt.c.case_id == one.case_id)
    session.execute(update(tables.prompt).where(mine, tables.prompt.c.variant_id == variant.id).values(text="edited"))
    with pytest.raises(
        UserError, match=f"case {one.case_id} of 2040-01 in drowzee/plain/closed-book differs"
    ) as caught:
        store.add(session, "2040-01", variant)
    assert "its own version" in caught.value.way_out
    assert (
        session.scalar(select(tables.prompt.c.text).where(mine, tables.prompt.c.variant_id == variant.id)) == "edited"
    )
    session.rollback()


def test_what_is_missing_is_made_for_published_parts_alone(
    session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2048-08")
    stages.build(session, snapshot, config_dir=config_dir, size="all")
    part_lookup.publish(session, snapshot, ["temporal"])
    variant = parse("halluvault/chat")
    store.ensure(session, snapshot, variant)
    temporal = {case.id for case in reading.every(session, snapshot, ["temporal"])}
    assert {row[0] for row in digest(session, snapshot, variant.name)} == temporal
    assert store.count(session, snapshot, variant.id) == len(temporal)
    part_lookup.publish(session, snapshot)
    store.ensure(session, snapshot, variant)
    every = {case.id for case in reading.every(session, snapshot)}
    assert {row[0] for row in digest(session, snapshot, variant.name)} == every > temporal


def test_the_events_of_a_part_do_not_change_when_another_part_comes(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path
) -> None:
    variant = parse("drowzee/chat/out-of-distribution")
    write("2048-09")
    statement = tables.statement.c
    # Something recent must have happened, for either suite: births of which the day is known, and deaths.
    born, died = ((2005, 2021), (2013, 2024), (2014, 2024)), ((2001, 2024), (2002, 2025), (2012, 2025))
    recent = (*((one, 569, year) for one, year in born), *((one, 570, year) for one, year in died))
    for one, pid, year in (*recent, (3001, 577, 2021), (3002, 577, 2024), *((one, 569, 1940) for one, _ in died)):
        date = (statement.snapshot == "2048-09") & (statement.s == one) & (statement.p == pid)
        known = (6, 15) if (one, year) in born else ()
        values = {"earliest": day_number(year, *known), "latest": day_number(year, *(known or (12, 31)))}
        session.execute(update(tables.statement).where(date).values(values | ({"precision": DAY} if known else {})))
    derive("2048-09")
    stages.build(session, "2048-09", config_dir=config_dir, size="all", only=["relation"])
    alone = store.add(session, "2048-09", variant)
    before = digest(session, "2048-09", variant.name)
    assert alone.made > 0
    session.commit()
    stages.build(session, "2048-09", config_dir=config_dir, size="all", only=["temporal"])
    assert store.add(session, "2048-09", variant).made > 0, "the other part has recent events of its own"
    assert set(before) < set(digest(session, "2048-09", variant.name))
    session.rollback()
