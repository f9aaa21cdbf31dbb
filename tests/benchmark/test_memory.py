"""Memory consistency, internal: what is asked is sound, and planted rates come out of the whole path."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
import yaml
from sqlalchemy import select, text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark import config, stages
from halluvault_tasks.benchmark import config as configuration
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites import switches
from halluvault_tasks.benchmark.suites.memory.fact import MemoryFact
from halluvault_tasks.cli import app, register
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.results import page_suites
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import tables
from tests import papers
from tests.benchmark import overconfident
from tests.benchmark.memory_world import COUNTRIES, add_countries, names

MONTH = "2055-01"


@pytest.fixture(scope="module")
def suites_dir(config_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite over capitals alone, with fewer permutations."""
    directory = shutil.copytree(config_dir, tmp_path_factory.mktemp("suites") / "config")
    content = yaml.safe_load((REPOSITORY / "config" / "suites.yaml").read_text(encoding="utf-8"))
    capitals = [one for one in content["memory"]["relations"] if one["property"] == 36]
    content["memory"] |= {"relations": capitals, "sets": 60, "permuted_sets": 3, "k": [2, 3, 5], "enabled": True}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return directory


@pytest.fixture
def month(session: Session, write: Callable[[str], None], derive: Callable[[str], None], suites_dir: Path) -> str:
    if MONTH not in part_lookup.months(session):
        write(MONTH)
        add_countries(session, MONTH)
        derive(MONTH)
        stages.build(session, MONTH, config_dir=suites_dir, size="all", only=["memory"])
        part_lookup.publish(session, MONTH, ["memory"])
    return MONTH


def asked(session: Session, month: str) -> list[tuple[reading.CaseView, MemoryFact]]:
    return [
        (case, MemoryFact.model_validate(case.fact)) for case in reading.every(session, month) if case.suite == "memory"
    ]


def test_pairs_are_functional_both_ways_and_every_case_follows_from_its_statements(
    session: Session, month: str, replayed: Callable[[str], str]
) -> None:
    found = asked(session, month)
    of = dict(names())
    singles = [(case, fact) for case, fact in found if fact.kind == "single"]
    # Two share a capital, one has two, and the small world's own pair begins another sentence.
    assert COUNTRIES - 3 <= len(singles) <= COUNTRIES - 1
    assert not {70_000, 70_001, 70_002} & {fact.pairs[0][0] for _, fact in found if fact.kind == "single"}
    label = {70_000 + n: country for n, (country, _) in enumerate(names())}
    for case, fact in found:
        if all(s in label for s, _ in fact.pairs):
            assert case.gold == ", ".join(of[label[s]] for s, _ in fact.pairs)
        assert len(set(fact.pairs)) == fact.k
    for case, fact in [*singles[:1], *[one for one in found if one[1].k == 5][:1]]:
        assert replayed(case.proof) == case.gold, fact


def test_sets_are_shuffled_once_or_in_every_order_and_lie_in_one_third_of_popularity(
    session: Session, month: str
) -> None:
    found = [fact for _, fact in asked(session, month) if fact.kind == "set"]
    assert all(sorted(fact.shown) == sorted(fact.right) for fact in found)
    once = Counter(fact.k for fact in found if fact.strategy == 1)
    assert once == {2: 60, 3: 60, 5: 60}
    for k in (2, 3, 5):
        sets = {fact.set for fact in found if fact.strategy == 2 and fact.k == k}
        assert len(sets) == 3
        for one in sets:
            mine = [fact for fact in found if fact.set == one and fact.strategy == 2]
            assert {fact.shown for fact in mine} == set(permutations(mine[0].right))
    assert {fact.stratum for fact in found if fact.k == 2} == {0, 1, 2}


def test_the_same_snapshot_and_settings_give_the_same_bytes_and_other_settings_another_part(
    session: Session, month: str, suites_dir: Path, tmp_path: Path
) -> None:
    again = stages.build(session, month, config_dir=suites_dir, size="all", only=["memory"])
    assert [part.built for part in again.parts] == [False]
    fewer = shutil.copytree(suites_dir, tmp_path / "config")
    file = fewer / "suites.yaml"
    file.write_text(file.read_text().replace("sets: 60", "sets: 50"), encoding="utf-8")
    with pytest.raises(UserError, match="the part memory of 2055-01 was frozen with another configuration"):
        stages.build(session, month, config_dir=fewer, size="all", only=["memory"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("memory: {enabled: true, sots: 3}", r"suites\.yaml, line 1: memory\.sots: no such key; there are .*samples"),
        ("memory: {enabled: true}", "`enabled` needs `relations`"),
        ("memory: {k: [1]}", "numbers of pairs from 2 to 100"),
        ("memory: {relations: [{property: 36, left: a, right: b, single: 'Capital of it?'}]}", "contains {s} once"),
    ],
)
def test_a_faulty_file_is_named_with_its_line_and_field(tmp_path: Path, change: str, said: str) -> None:
    (tmp_path / "suites.yaml").write_text(change, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        configuration.load_companions(tmp_path)


def test_every_suite_is_off_by_default_and_without_the_file(tmp_path: Path) -> None:
    assert switches.switched_on(REPOSITORY / "config") == []
    assert configuration.load_companions(tmp_path).on == []
    assert config.load(REPOSITORY / "config", "full").companions.sections["memory"].k == (2, 3, 5, 10)


def test_k_above_every_pool_is_a_refusal_that_says_how_many_pairs_there_are(
    session: Session, make_world: Callable[..., str], suites_dir: Path
) -> None:
    with pytest.raises(UserError, match=r"has no set of 2 pairs that are functional both ways: P36 \d"):
        stages.build(session, make_world("2055-02"), config_dir=suites_dir, size="all", only=["memory"])


def test_a_build_says_how_many_cases_each_relation_has_and_nothing_of_yes_and_no(
    session: Session, database_url: str, month: str, suites_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shutil.copytree(suites_dir, tmp_path / "config")  # commands read every file of a configuration
    for name in ("domains.yaml", "predicates.yaml", "rules.yaml"):
        shutil.copy(REPOSITORY / "config" / name, whole)
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(whole))
    settings.cache_clear()
    register("benchmark")
    told = CliRunner().invoke(app, ["benchmark", "build", "--suite", "memory", "--snapshot", month, "--size", "all"])
    settings.cache_clear()
    assert told.exit_code == 0, told.output
    rows = re.findall(r"│ \S+ +│ (single|set\.\d) +│ (\d+) +│\n", told.output)
    counted = Counter("single" if fact.kind == "single" else f"set.{fact.k}" for _, fact in asked(session, month))
    shown = Counter[str]()
    for kind, cases in rows:
        shown[kind] += int(cases)
    assert shown == counted
    assert "answer yes" not in told.output
    assert "Rules that know nothing" not in told.output


def test_a_suite_without_source_facts_is_refused_with_the_way_out_and_leaves_the_month_as_it_is(
    session: Session, month: str, suites_dir: Path, tmp_path: Path
) -> None:
    directory = shutil.copytree(suites_dir, tmp_path / "config")
    content = yaml.safe_load((directory / "suites.yaml").read_text(encoding="utf-8"))
    content["recognition"] |= {"enabled": True, "questions": [{"property": 25, "ask": "Who was the mother of {s}?"}]}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(UserError, match="no pair of a right and a licensed false text") as refused:
        stages.build(session, month, config_dir=directory, size="all", only=["recognition"])
    assert "`questions` in config/suites.yaml" in refused.value.way_out
    session.rollback()
    assert [part.suite for part in part_lookup.of_month(session, month)] == ["memory"]


@pytest.fixture
def servers(session: Session, database_url: str, month: str) -> Iterator[str]:
    with overconfident.served(session, database_url) as url:
        yield url


def test_planted_faults_go_from_server_to_figures_at_both_temperatures(
    session: Session, database_url: str, servers: str, month: str
) -> None:
    evaluations = overconfident.evaluate(session, month, servers, len(asked(session, month)))
    warmth = select(tables.evaluation.c.sampling).where(tables.evaluation.c.id.in_(evaluations))
    assert {one.get("temperature") for one in session.scalars(warmth)} == {0.95, None}
    overconfident.check_planted(session, database_url, month)
    rows = session.execute(
        text("SELECT variant, key, metric, value, low, high, n FROM results_v1.metrics WHERE suite = 'memory'"
             " AND scope = 'sets' AND is_current ORDER BY 1, 2, 3")
    ).all()  # fmt: skip
    by = {(row.key, row.metric): row for row in rows if row.variant.endswith("temperature 0.95")}
    assert {row.variant.rpartition(", ")[2] for row in rows} == {"temperature 0.95", "temperature 0"}
    rate = RATES["overconfident"].swapped
    for k in (2, 3, 5):
        figure = by[f"k = {k}, strategy 1", "internal_hallucination"]
        assert figure.low <= rate <= figure.high, k
        chance, echo = (by[f"k = {k}, strategy 1", name] for name in ("chance", "echo"))
        assert echo.low <= chance.value <= echo.high
    assert not session.execute(text("SELECT * FROM results_v1.by_model")).all(), "never in the headline"
    assert "k = 5, strategy 2" in page_suites.suites(session, month)
    assert [count > 0 for count in papers.rows(session, "Memory consistency")] == [True] * 3
    session.rollback()
