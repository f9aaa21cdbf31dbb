"""Recognition: what asking it costs, and planted faults from a server to rates by task, pattern and way."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS
from halluvault_tasks.cli import app, register
from halluvault_tasks.local import planted_vs_measured, row_counts
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.oracles.suites import recognition as judge
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.results.suites import recognition as figures
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions
from tests import papers
from tests.benchmark.recognition.conftest import LABELLED, MONTH, asked, mended, registered


def estimated(output: str, model: str) -> list[str]:
    """Cases and prompts in a model's row of the printed estimate."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in output.splitlines()]
    return next(row[2:4] for row in rows if row[1:2] == [model])


def test_the_estimate_says_what_a_generator_has_yet_to_write_and_counts_it_as_if_all_were_kept(
    session: Session, suites_dir: Path, configured: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = shutil.copytree(suites_dir, tmp_path / "config")
    content = yaml.safe_load((directory / "suites.yaml").read_text(encoding="utf-8"))
    monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(directory))
    printed = []
    for generator in (None, {"model": "simulated/refuser", "pairs": 10, "seeds": 3}):
        content["recognition"]["generator"] = generator
        (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        settings.cache_clear()
        shown = CliRunner().invoke(app, ["suites", "estimate", "--suite", "recognition"])
        assert shown.exception is None, shown.output
        printed.append(shown.output)
    alone, both = printed
    tasks, members, texts = 3, 2, 4
    assert estimated(both, "simulated/refuser, writing first") == ["", f"up to {texts * 3 * 10 * tasks}"]
    (cases, prompts), (before, fewer) = (estimated(each, "simulated/careful") for each in (both, alone))
    assert int(cases) == int(before) + members * 10 * tasks
    ways = (int(prompts) - int(fewer)) / (members * 10 * tasks)
    assert 3 <= ways <= 4, "base, with reasoning, with both members, and with knowledge where there is any"


def test_the_estimate_counts_the_prompts_that_an_evaluation_asks_and_writes_nothing(
    session: Session, database_url: str, suites_dir: Path, configured: None
) -> None:
    before = row_counts.count(session)
    session.rollback()
    shown = CliRunner().invoke(app, ["suites", "estimate", "--suite", "recognition"])
    assert shown.exception is None, shown.output
    cases = asked(session)
    prompts = 2 * len(cases) + sum(bool(fact.knowledge) + bool(fact.contrast) for _, fact in cases)
    prompts += len(mended(session))
    assert estimated(shown.output, "simulated/careful") == [str(len(cases) + len(mended(session))), str(prompts)]
    assert row_counts.added(before, row_counts.count(session)) == {}
    unwritten = CliRunner().invoke(app, ["suites", "estimate", "--suite", "memory_external"])
    assert "240" in unwritten.output, "nothing is rephrased yet: as if every document were there"
    unknown = CliRunner().invoke(app, ["suites", "estimate", "--suite", "memry"])
    assert "no companion suite 'memry'; there are memory, memory_external, recognition, pressure" in str(
        unknown.exception
    )
    listed = CliRunner().invoke(app, ["suites"]).output
    cells = [[cell.strip() for cell in line.split("│")[1:4]] for line in listed.splitlines() if line.startswith("│")]
    assert [on for name, on, _ in cells if name or on] == ["yes", *["no"] * 4], "open, then the companions"


@pytest.fixture
def configured(database_url: str, suites_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    models = REPOSITORY / "config" / "demo" / "models.yaml"
    for name, value in {
        "DATABASE_URL": database_url, "CONFIG_DIR": str(suites_dir), "MODELS_FILE": str(models),
        "BENCHMARK_SIZE": "demo",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"HALLUVAULT_{name}", value)
    settings.cache_clear()
    register("suites")
    yield
    settings.cache_clear()


def by_topic(session: Session, evaluation: str) -> dict[str, int]:
    """Topic → judgements that an evaluation delivered."""
    rows = text("SELECT key, n FROM result WHERE evaluation_id = :e AND scope = 'topic' AND metric = 'recognised'"
                " AND profile = :p")  # fmt: skip
    return dict(session.execute(rows, {"e": evaluation, "p": judge.STRICT}).all())


def test_a_topic_is_the_same_for_every_evaluation_whatever_was_delivered(
    session: Session, server: tuple[str, str]
) -> None:
    registry = registered(server[0])
    one, other = (
        querying
        .plan(session, MONTH, registry=registry, variant=f"recognition/{way}/chat/closed-book")
        .evaluations[0]
        .evaluation_id
        for way in ("base", "cot")
    )
    pairs = sorted({fact.pair for _, fact in asked(session)})
    parts = {one: set(pairs[: len(pairs) * 2 // 3]), other: set(pairs[len(pairs) // 3 :])}
    topic = figures.topics_of((fact, case.question) for case, fact in asked(session))
    assert {fact.pair for _, fact in asked(session) if fact.task != "general"} <= topic.keys()
    found = {}
    for evaluation, chosen in parts.items():
        some = frozenset(case.id for case, fact in asked(session) if fact.pair in chosen)
        querying.query_shard(session, evaluation, registry=registry, part=some)
        judging.score(session, evaluation)
        results.summarise(session, evaluation)
        found[evaluation] = by_topic(session, evaluation)
        delivered = [fact.pair for _, fact in asked(session) if fact.pair in chosen]
        assert found[evaluation] == Counter(topic[pair] for pair in delivered if pair in topic)
    assert found[one] != found[other]
    assert {key.partition(",")[0] for key in found[one]} >= PATTERNS.keys()
    assert len(found[one].keys() & found[other].keys()) > 0.9 * len(set(topic.values())), "the same words, too"
    results.summarise(session, one)
    assert by_topic(session, one) == found[one], "fitted again, it is the same"


def test_planted_faults_go_from_server_to_rates_by_task_pattern_and_way(
    session: Session, server: tuple[str, str]
) -> None:
    registry = registered(server[0])
    plan = querying.plan_default(session, MONTH, "halluvault/plain", registry=registry)
    _questions, _open, *planned = plan.evaluations
    cases = asked(session)
    known = [fact for _, fact in cases if fact.knowledge]
    both = [fact for _, fact in cases if fact.contrast]
    mending = mended(session)
    assert {one.task: 0 for _, one in mending}.keys() == {"qa", "dialogue"}
    assert [one.total for one in planned] == [len(cases), len(known), len(cases), len(both), len(mending)]
    assert len(both) == len(cases) - len(LABELLED), "what people labelled has no other member to stand beside"
    assert len(known) < len(cases), "a summary has its document, and no knowledge beside it"
    for one in planned:
        querying.query_shard(session, one.evaluation_id, registry=registry)
        judged = judging.score(session, one.evaluation_id)
        assert (judged.delivered, judged.verdicts) == (one.total, 2 * one.missing)
        results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()
    with sessions.session(server[1]) as simulation:
        compared = {row.profile: row for row in planted_vs_measured.compare(simulation, session, MONTH)}
    strict, legacy = compared[judge.STRICT], compared[judge.LEGACY]
    assert (strict.missed, strict.false_alarms, strict.same_category) == (0, 0, strict.cases)
    assert legacy.missed == 0 < legacy.false_alarms, "what gives no judgement is wrong by the published rule"

    rows = session.execute(
        text("SELECT variant, profile, scope, key, metric, value, low, high FROM results_v1.metrics"
             " WHERE suite = 'recognition' AND is_current")
    ).all()  # fmt: skip
    assert {row.variant.split(" ")[0] for row in rows} == {
        "recognition/base", "recognition/knowledge", "recognition/cot", "recognition/contrast",
        "recognition/refined",
    }  # fmt: skip
    by = {
        (row.profile, row.scope, row.key, row.metric): row
        for row in rows if row.variant.startswith("recognition/base")
    }  # fmt: skip
    rates = RATES["weak-at-time"]
    for task in PATTERNS:
        key = f"{task}, licensed swaps"
        read = by[judge.STRICT, "task", key, "recognised_among_answered"]
        assert read.low <= 1 - rates.misjudged / (1 - rates.failed) <= read.high
        recognised = by[judge.LEGACY, "task", key, "recognised"]
        assert recognised.low <= 1 - rates.misjudged - rates.failed <= recognised.high
        assert by[judge.STRICT, "task", key, "length_rule"].value == by[judge.STRICT, "task", key, "always_yes"].value
        assert by[judge.STRICT, "task", key, "always_yes"].value == 0.5
    failed = by[judge.STRICT, "task", "summary, licensed swaps", "failed_rate"]
    assert failed.low <= rates.failed <= failed.high
    assert by[judge.STRICT, "task", "qa, HaluEval", "length_rule"].value == 1, "its false members are the longer ones"
    assert by[judge.STRICT, "task", "general, HaluEval", "recognised"].value is not None
    for task in ("qa", "dialogue"):
        wanted = (judge.STRICT, "refined", task, "mended")
        refined = next(row for row in rows if (row.profile, row.scope, row.key, row.metric) == wanted)
        assert refined.low <= 1 - rates.unmended <= refined.high
    assert not session.execute(text("SELECT * FROM results_v1.by_model")).all()
    assert [count > 0 for count in papers.rows(session, "HELMA")] == [True] * 10
