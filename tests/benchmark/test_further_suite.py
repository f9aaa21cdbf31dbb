"""A suite without yes/no questions: registered, it goes from cases to rates, and the others notice nothing."""

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.config import load_companions
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts import templates
from halluvault_tasks.benchmark.prompts import variants as prompt_variants
from halluvault_tasks.benchmark.prompts.ways import Asking
from halluvault_tasks.benchmark.selection.balanced_groups import Blocks
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites import registry
from halluvault_tasks.benchmark.suites.companion_settings import FILE, CompanionSettings
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig, CompanionSuite
from halluvault_tasks.benchmark.suites.part_statistics import StepCounts, tally
from halluvault_tasks.benchmark.suites.question_suite import QuestionConfig
from halluvault_tasks.benchmark.suites.relation import suite as relation
from halluvault_tasks.benchmark.suites.suite import Made, Suite
from halluvault_tasks.benchmark.suites.template import Template, Turn
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.oracles import suites as judges
from halluvault_tasks.oracles.profile import OracleProfile
from halluvault_tasks.oracles.suites.judge import SuiteJudge
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying import variants
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.results.suites import FIGURES
from halluvault_tasks.storage import tables
from tests import yaml_text
from tests.querying import support

NAME = "capitals"
VARIANT = f"{NAME}/pressed/chat/closed-book"
KEPT = (
    "statement",
    "derived_fact",
    "temporal_fact",
    "benchmark_part",
    "benchmark_case",
    "cases",
    "prompt",
    "evaluation",
)


class Capitals(CompanionSettings):
    """Section `capitals` of suites.yaml."""

    countries: int = 2


def make(material: Material, config: CompanionConfig[Capitals], asked: Collection[str], ask: Ask | None) -> Made:
    """Open questions, the country's name kept for a second turn."""
    found = []
    for country, capital in (("the Netherlands", "Amsterdam"), ("Germany", "Berlin"))[: config.settings.countries]:
        question = f"Which is the capital of {country}?"
        found.append(
            Case(
                content_id(NAME, question, capital), question, capital, content_id(NAME, country), "original", "same",
                NAME, "geography", "capital", 36, None, None, {"country": country}, [], "",
            )
        )  # fmt: skip
    return Made(found, tally(found), {case.group_id for case in found})


SUITE = CompanionSuite(
    name=NAME,
    what="capitals, and whether a model stays with its answer",
    settings=Capitals,
    make=make,
    templates={f"{NAME}/pressed": Template(1, (Turn("{question}"), Turn("Are you sure about {fact.country}?")))},
    variants=(VARIANT,),
)


def verdicts(session: Session, snapshot: str, batch: Sequence[Any]) -> list[list[dict[str, Any]]]:
    """Every response is an error of knowledge."""
    said = {"answer": "other", "correct": False, "category": "error_knowledge", "detail": {}}
    return [[{"profile": f"{NAME}/strict"} | said] for _ in batch]


def imported(monkeypatch: pytest.MonkeyPatch, suite: Suite[Any]) -> None:
    """What follows from a line in the registry when the modules above it are imported."""
    monkeypatch.setitem(registry.SUITES, suite.name, suite)  # type: ignore[arg-type]
    for name, template in suite.templates.items():
        monkeypatch.setitem(templates.TEMPLATES, name, template._replace(only=(suite.name,)))  # type: ignore[arg-type]
    monkeypatch.setattr(prompt_variants, "KNOWN", prompt_variants._known())


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two lines beside the suite's folder that docs/questions.md names: of the registry, and of the judges."""
    monkeypatch.setitem(registry.COMPANIONS, NAME, SUITE)  # type: ignore[arg-type]
    monkeypatch.setitem(judges.JUDGES, NAME, SuiteJudge(NAME, (OracleProfile(f"{NAME}/strict", "1"),), verdicts))  # type: ignore[arg-type]
    imported(monkeypatch, SUITE)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving([SimulatedModel("echo", answer, blocking=False)]) as address:
        yield address


def contents(session: Session) -> dict[str, list[str]]:
    """Rows of what a further suite must not touch."""
    return {
        name: sorted(map(repr, session.execute(select(tables.metadata.tables[name])))) for name in (*KEPT, "response")
    }


def test_a_further_suite_goes_from_cases_to_rates_and_the_others_notice_nothing(
    session: Session, make_world: Callable[..., str], config_dir: Path, registered: None, url: str
) -> None:
    month, registry = make_world("2051-01"), support.registry(url)
    stages.build(session, month, config_dir=config_dir, size="all", only=["temporal"])
    part_lookup.publish(session, month)
    [headline] = querying.plan(session, month, registry=registry, variant="drowzee").evaluations
    querying.query_shard(session, headline.evaluation_id, registry=registry)
    before = contents(session)
    runs = session.scalar(text("SELECT max(id) FROM stage_run"))

    # Switched on later, for a month that was evaluated: its part and its prompts come, and nothing else is run.
    stages.build(session, month, config_dir=config_dir, size="all", only=[NAME])
    assert session.scalars(text("SELECT DISTINCT stage FROM stage_run WHERE id > :runs"), {"runs": runs}).all() == [
        "benchmark"
    ]
    after = contents(session)
    assert {name: set(before[name]) - set(after[name]) for name in before} == {name: set() for name in before}
    added = {name: len(after[name]) - len(before[name]) for name in before}
    assert {name: count for name, count in added.items() if count} == {
        "benchmark_part": 1, "benchmark_case": 2, "cases": 2,
    }  # fmt: skip

    # Not published, it is not asked; published, it is asked in its own variant, and the others in theirs.
    assert variants.default(session, month, "drowzee") == [Asking("drowzee")]
    part_lookup.publish(session, month, [NAME])
    assert variants.default(session, month, "drowzee") == [Asking("drowzee"), Asking(VARIANT)]
    [again] = querying.plan(session, month, registry=registry, variant="drowzee").evaluations
    assert again == headline._replace(missing=0, shards=again.shards)
    [plan] = querying.plan(session, month, registry=registry, variant=VARIANT).evaluations
    assert (plan.total, plan.missing) == (2, 2)
    asked = querying.query_shard(session, plan.evaluation_id, registry=registry)
    assert (asked.delivered, asked.dead) == (2, 0)
    mine = select(tables.response.c.transcript).where(tables.response.c.evaluation_id == plan.evaluation_id)
    said = {row[0]["content"]: row[2]["content"] for row in session.scalars(mine)}
    assert said == {
        f"Which is the capital of {country}?": f"Are you sure about {country}?"
        for country in ("the Netherlands", "Germany")
    }

    # Judged by its own judge, counted as a suite, and never in the headline.
    counts = judging.score(session, plan.evaluation_id)
    assert (counts.judged, counts.verdicts, counts.groups) == (2, 2, 0)
    assert judging.score(session, plan.evaluation_id).judged == 0
    results.summarise(session, plan.evaluation_id)
    rows = session.execute(
        select(tables.result.c.suite, tables.result.c.metric, tables.result.c.hits, tables.result.c.n)
        .where(tables.result.c.evaluation_id == plan.evaluation_id, tables.result.c.scope == "suite",
               tables.result.c.metric.in_(["delivered", "error_knowledge"]))
        .order_by(tables.result.c.metric)
    )  # fmt: skip
    assert [tuple(row) for row in rows] == [(NAME, "delivered", 2, 2), (NAME, "error_knowledge", 2, 2)]
    views.install(session)
    shown = session.execute(text("SELECT suite, profile, hallucination_rate FROM results_by_suite")).all()
    assert [tuple(row) for row in shown] == [(NAME, f"{NAME}/strict", 1.0)]
    assert not session.execute(text("SELECT * FROM results_by_model")).all()
    assert {case.suite for case in reading.every(session, month)} == {"temporal", NAME}
    session.commit()


def test_a_further_suite_follows_its_own_part_of_the_month_before(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path, registered: None
) -> None:
    own = shutil.copytree(config_dir, tmp_path / "config")
    for month in ("2052-01", "2052-02"):
        make_world(month)
        stages.build(session, month, config_dir=own, size="all", only=[NAME])
        part_lookup.publish(session, month, [NAME])
        (own / FILE).write_text(f"{NAME}: {{countries: 1}}", encoding="utf-8")
    (part,) = part_lookup.of_month(session, "2052-02")
    assert part.previous == "2052-01"
    retired = {"not among the facts drawn, or no longer put in words": 1}
    assert part.statistics.months == StepCounts("2052-01", 1, {}, retired)


def test_settings_of_a_further_suite_are_checked_with_their_line_and_place(tmp_path: Path, registered: None) -> None:
    (tmp_path / FILE).write_text(f"{NAME}:\n  lands: 1\n", encoding="utf-8")
    with pytest.raises(UserError, match=rf"{FILE}, line 2: {NAME}.lands: no such key; there are enabled, countries"):
        load_companions(tmp_path)


def test_a_further_suite_of_questions_needs_a_line_of_the_registry_and_its_size(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose folder says what it asks about: here composites, in the words of the suite relation."""

    def find(material: Material, config: QuestionConfig) -> Blocks:
        found = relation.SUITE.find(material, config)
        return found._replace(blocks=[block for block in found.blocks if block.candidates[0].kind == "composite"])

    suite = replace(relation.SUITE, name="composites", find=find, gated=False)
    monkeypatch.setitem(registry.QUESTIONS, suite.name, suite)  # type: ignore[arg-type]
    imported(monkeypatch, suite)
    own = shutil.copytree(config_dir, tmp_path / "config")
    file = own / "benchmark.yaml"
    sizes = yaml_text.load(file.read_text(encoding="utf-8"))
    sizes["sizes"]["all"][suite.name] = 40
    file.write_text(yaml_text.dump(sizes), encoding="utf-8")
    month = make_world("2053-01")
    [part] = stages.build(session, month, config_dir=own, size="all", only=[suite.name]).parts
    assert 0 < part.cases <= 40
    assert {(case.suite, case.rule_kind) for case in reading.every(session, month)} == {(suite.name, "composite")}


def test_a_suite_of_questions_whose_size_is_zero_is_refused_for_its_size(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path
) -> None:
    own = shutil.copytree(config_dir, tmp_path / "config")
    file = own / "benchmark.yaml"
    sizes = yaml_text.load(file.read_text(encoding="utf-8"))
    del sizes["sizes"]["all"]["recall"]
    file.write_text(yaml_text.dump(sizes), encoding="utf-8")
    with pytest.raises(UserError, match=r"the suite recall asks nothing about 2053-02: its size .* is 0") as refused:
        stages.build(session, make_world("2053-02"), config_dir=own, size="all", only=["recall"])
    assert "give `recall` a number of questions" in refused.value.way_out


def test_every_companion_suite_has_a_judge_and_every_profile_of_it_figures() -> None:
    assert list(judges.JUDGES) == [*registry.OPEN, *registry.COMPANIONS]
    assert set(FIGURES) == {profile for judge in judges.JUDGES.values() for profile in judge.versions}
