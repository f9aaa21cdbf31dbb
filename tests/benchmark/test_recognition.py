"""Recognition: licensed pairs without a length tell, judged by two rules."""

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark import companions, config, reading, stages
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.generations import AS_REGISTERED
from halluvault_tasks.benchmark.suites import general, pair_sheet
from halluvault_tasks.benchmark.suites.recognition import RecognitionFact
from halluvault_tasks.benchmark.suites.registry import SUITES
from halluvault_tasks.benchmark.suites.swaps import PATTERNS
from halluvault_tasks.cli import app, register
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import stages as knowledge
from halluvault_tasks.local import planted_vs_measured, postgres, row_counts
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.oracles.suites import recognition as judge
from halluvault_tasks.querying import asking
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.results.suites import recognition as figures
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import roles, sessions
from tests import papers
from tests.benchmark.test_halueval import HALUEVAL
from tests.conftest import SAMPLE_MONTH, copied, simulators
from tests.querying import support

MONTH = SAMPLE_MONTH
LABELLED = {
    general.Responded("Who wrote Zog?", "Ann did.", 0.2): ("yes", ["Ann"]),
    general.Responded("Sing!", "La la la.", 0.4): ("no", []),
} | {
    general.Responded(f"Tell me about {thing} {number}.", f"I know some {thing}: {more}.", 0.5): ("no", [])
    for number in range(5)
    for thing, more in zip(
        ("rivers", "castles", "recipes", "comets", "violins", "bridges", "otters", "tariffs", "poems", "tides"),
        ("water", "stone", "butter", "ice", "wood", "steel", "fur", "money", "verse", "moon"),
        strict=True,
    )
}  # fmt: skip
"""What `halluvault oracle label votes` writes of people's labels."""


@pytest.fixture(scope="module")
def suites_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = shutil.copytree(REPOSITORY / "config", tmp_path_factory.mktemp("suites") / "config")
    (directory / "qa_data.json").write_text("\n".join(map(json.dumps, HALUEVAL)), encoding="utf-8")
    general.write(list(LABELLED), directory / "general.jsonl", {one.id: said for one, said in LABELLED.items()})
    content = yaml.safe_load((directory / "suites.yaml").read_text(encoding="utf-8"))
    content["recognition"] |= {
        "pairs": 100,
        "refined": 30,
        "halueval": [{"task": "qa", "file": "qa_data.json"}, {"task": "general", "file": "general.jsonl"}],
        "generator": {"model": "simulated/weak-at-time", "pairs": 20, "seeds": 5},
    }
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def server(database_url: str) -> Iterator[tuple[str, str]]:
    """A simulated model, which writes false texts as well as it judges them, and the URL of what it looks up."""
    with sessions.session(database_url) as session:
        roles.grant(session, ())
        session.commit()
    url = simulators(database_url)
    with serving([SimulatedModel("weak-at-time", Personas(sessions.engine(url)).answer)]) as address:
        yield address, url
    sessions.engine(url).dispose()


def registered(address: str) -> Registry:
    found = support.registry(address, name="simulated/weak-at-time")
    models = [one.model_copy(update={"base_urls": (f"{address}/weak-at-time",)}) for one in found.models]
    return found.model_copy(update={"models": tuple(models)})


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.Server, demo_template: str) -> Iterator[str]:
    """The demo's month."""
    with copied(postgres_server, demo_template) as url:
        yield url


@pytest.fixture(scope="module")
def month(database_url: str, suites_dir: Path, server: tuple[str, str]) -> str:
    """The demo's month, and the suite beside it."""
    with sessions.session(database_url) as session:
        ask = partial(asking.ask, registered(server[0]))
        stages.build(
            session, MONTH, config_dir=suites_dir, size="demo", only=["recognition"],
            ask=lambda model, prompts, manner=AS_REGISTERED: ask(model, prompts, manner=manner),
        )  # fmt: skip
        part_lookup.publish(session, MONTH)
        part_lookup.publish(session, MONTH, ["recognition"])
        knowledge.publish_snapshot(session, MONTH)
        session.commit()
    return MONTH


def asked(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    """What is to be judged."""
    return [(case, fact) for case, fact in _all(session) if fact.refine is None]


def mended(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    return [(case, fact) for case, fact in _all(session) if fact.refine is not None]


def _all(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    found = reading.every(session, MONTH, ["recognition"])
    return [(case, RecognitionFact.model_validate(case.fact)) for case in found]


def test_each_task_has_a_hundred_pairs_and_its_patterns_and_length_tells_nothing(session: Session, month: str) -> None:
    pairs: dict[str, dict[str, dict[str, RecognitionFact]]] = defaultdict(lambda: defaultdict(dict))
    for case, fact in asked(session):
        assert case.gold == ("yes" if fact.member == "false" else "no")
        if fact.generator == "licensed swaps":
            pairs[fact.task][fact.pair][fact.member] = fact
    for task, patterns in PATTERNS.items():
        both = list(pairs[task].values())
        assert len(both) >= 100
        assert {one["false"].pattern for one in both} == set(patterns)
        for measure in ("words", "characters"):
            longer = sum(getattr(one["false"], measure) > getattr(one["right"], measure) for one in both)
            shorter = sum(getattr(one["false"], measure) < getattr(one["right"], measure) for one in both)
            assert 0.45 <= longer / len(both) <= 0.55, (task, measure)
            assert longer + shorter == len(both)


def test_a_sheet_of_pairs_is_drawn_evenly_over_patterns_and_shows_both_members_and_no_proof(
    session: Session, month: str
) -> None:
    known = {(fact.pair, fact.member): (case.question, fact) for case, fact in asked(session)}
    found = pair_sheet.draw(session, month, 40, 7)
    assert found == pair_sheet.draw(session, month, 40, 7) != pair_sheet.draw(session, month, 40, 8)
    kinds = Counter(one.kind for one in found)
    every = {f"{fact.task}, {fact.pattern}, {fact.generator}" for _, fact in known.values() if fact.other_words}
    assert len(found) == 40 and set(kinds) == every and max(kinds.values()) - min(kinds.values()) <= 1
    written = pair_sheet.sheet(found)
    for one in found:
        for member, shown in (("right", one.right), ("false", one.false)):
            question, fact = known[one.id, member]
            assert question.startswith(f"{one.setting}\n") and question.endswith(f": {shown}")
            assert shown in written and fact.why not in written.partition("## 1:")[2]
    with pytest.raises(UserError, match="has no pair of the suite recognition"):
        pair_sheet.draw(session, "2033-01", 1, 1)


def test_what_a_served_model_wrote_is_shown_to_be_false_and_tells_nothing_by_its_length(
    session: Session, month: str
) -> None:
    [part] = part_lookup.of_month(session, month, ["recognition"])
    told = part.counts["generated"]
    false = [fact for _, fact in asked(session) if fact.generator.startswith("sampled") and fact.member == "false"]
    assert Counter(fact.task for fact in false) == told["pairs"]
    for task in PATTERNS:
        mine = [fact for fact in false if fact.task == task]
        assert len(mine) >= 4, task
        assert sum(fact.words > fact.other_words for fact in mine) * 2 == len(mine)
        assert sum(fact.characters > fact.other_characters for fact in mine) * 2 == len(mine)
        assert told[task]["dropped"]["the right text again"] > 0
    licensed = {case.question for case, fact in asked(session) if fact.generator == "licensed swaps"}
    assert not licensed & {case.question for case, fact in asked(session) if fact.generator.startswith("sampled")}


def test_every_answer_follows_from_what_is_cited(session: Session, month: str, replayed: Callable[[str], str]) -> None:
    drawn: dict[str, tuple[reading.CaseView, RecognitionFact]] = {}
    for case, fact in asked(session):
        drawn[f"{case.rule_kind} {fact.member} {fact.generator}"] = (case, fact)
    made = [name for name in drawn if "sampled by" not in name]
    assert len(made) == 2 * sum(len(patterns) for patterns in PATTERNS.values()) + 2 + 2 < len(drawn), (
        "HaluEval, general"
    )
    for name, (case, _) in drawn.items():
        assert replayed(case.proof) == case.gold, name


def without(proof: str, start: str) -> str:
    """A proof without the facts that begin so."""
    left = [line for line in proof.splitlines() if not line.startswith(start)]
    assert len(left) < len(proof.splitlines()), start
    return "\n".join([*left, ""])


def test_no_member_is_right_or_false_without_the_facts_that_its_proof_cites(
    session: Session, month: str, replayed: Callable[[str], str]
) -> None:
    drawn = {
        (fact.task, fact.pattern, fact.member, fact.refine is not None): case
        for case, fact in _all(session) if fact.generator == "licensed swaps"
    }  # fmt: skip
    assert len(drawn) >= 2 * sum(len(patterns) for patterns in PATTERNS.values()) + 2
    for (task, pattern, member, mended_), case in drawn.items():
        assert replayed(case.proof) == case.gold
        if member == "false" and not mended_:
            assert replayed(without(case.proof, "stated(")) == "undecided", pattern
            continue
        said = re.findall(r"^says\((.*)\)\.$", case.proof, re.MULTILINE)
        assert len(said) == (0 if pattern == "inference" else 2 if task == "summary" else 1)
        needed = [f"stated({each})" for each in said] + [f"held({each})" for each in said if task == "summary"]
        needed += ["stated(", "contains("] if pattern == "inference" else ["says("]
        for fact in needed:
            assert replayed(without(case.proof, fact)) == "undecided", (pattern, fact)
        # Each fact of a right member is a statement that is cited, above it and in `premises`.
        cited = re.findall(r"^% statement (\S+): .*\nstated\((\d+), (\d+), ", case.proof, re.MULTILINE)
        assert [tuple(each) for each in cited] == [
            (one["guid"], str(one["subject"]["qid"]), str(one["property"])) for one in case.premises
        ]


def test_no_false_member_is_stated_anywhere_in_the_snapshot(session: Session, month: str) -> None:
    """An independent look: what a swap claims of a slot with one value is no statement at any rank."""
    stated = {
        tuple(row)
        for row in session.execute(
            text("SELECT s, p, o FROM statement WHERE snapshot = :m AND kind = 'item'"
                 " UNION SELECT s, p, o FROM deprecated_value WHERE snapshot = :m"), {"m": month},
        )
    }  # fmt: skip
    swapped = [
        (case, fact) for case, fact in asked(session)
        if fact.member == "false" and fact.pattern in (
            "factualness", "comprehension", "extrinsic-soft", "extrinsic-hard", "extrinsic-grouped", "intrinsic",
            "non-factual",
        )
    ]  # fmt: skip
    assert len(swapped) > 150
    rows = text("SELECT subject, property, object FROM benchmark_case WHERE snapshot = :m AND case_id = :c")
    for case, fact in swapped:
        assert tuple(session.execute(rows, {"m": month, "c": case.id}).one()) not in stated, fact.why


def test_soft_swaps_are_of_one_type_and_one_country_or_time_and_hard_ones_are_not(session: Session, month: str) -> None:
    """An independent look: types, countries and years as the statements have them."""
    types = dict(session.execute(text("SELECT qid, types FROM entity WHERE snapshot = :m"), {"m": month}).all())
    over = set(session.scalars(text("SELECT s FROM statement WHERE snapshot = :m AND p IN (576, 582)"), {"m": month}))
    countries: dict[int, set[int]] = defaultdict(set)
    rows = text("SELECT s, o FROM statement WHERE snapshot = :m AND p = 17 AND kind = 'item' AND NOT hedged"
                " AND end_earliest IS NULL AND end_latest IS NULL")  # fmt: skip
    for place, country in session.execute(rows, {"m": month}):
        countries[place] |= {country} - over
    born = dict(
        session.execute(
            text("SELECT s, extract(year FROM date '0001-01-01' + min(earliest) - 1)::int FROM statement"
                 " WHERE snapshot = :m AND p = 569 AND kind = 'time' GROUP BY s"), {"m": month},
        ).all()
    )  # fmt: skip
    member = text("SELECT property, object FROM benchmark_case WHERE snapshot = :m AND case_id = :c")
    values: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    patterns: dict[str, str] = {}
    for case, fact in asked(session):
        if fact.pattern in ("extrinsic-soft", "extrinsic-hard"):
            patterns[fact.pair] = fact.pattern
            values[fact.pair][fact.member] = tuple(session.execute(member, {"m": month, "c": case.id}).one())
    seen = Counter[tuple[str, bool]]()
    for pair, pattern in patterns.items():
        (p, right), (_, false) = values[pair]["right"], values[pair]["false"]
        place = p in (19, 20)
        if place:
            near = bool(countries[right] & countries[false])
        else:
            near = {right, false} <= born.keys() and abs(born[right] - born[false]) <= 50
        alike = near and bool(set(types[right]) & set(types[false]))
        assert alike == (pattern == "extrinsic-soft"), (pattern, p, right, false)
        seen[pattern, place] += 1
    assert len(seen) == 4, "both patterns, of places and of people"
    assert min(seen[pattern, True] for pattern in ("extrinsic-soft", "extrinsic-hard")) > 10


def test_every_right_member_says_what_a_cited_statement_says_and_nothing_else(session: Session, month: str) -> None:
    named = {"qa": "Answer", "dialogue": "Response", "summary": "Summary"}
    looked = Counter[str]()
    for case, fact in asked(session):
        if fact.member != "right" or fact.generator != "licensed swaps":
            continue
        text_ = case.question.rpartition(f"\n{named[fact.task]}: ")[2]
        if fact.task == "qa":
            if fact.pattern == "inference":  # two steps: the country of a place
                continue
            [label] = [each["object"]["label"] for each in case.premises]
            assert label in text_, case.question
        else:
            left = text_
            for premise in case.premises:
                left = left.replace(premise["sentence"], "")
            assert not left.strip(), case.question
        looked[fact.task] += 1
    assert min(looked[task] for task in named) > 50


def test_a_file_counts_by_its_bytes_and_not_by_where_it_lies(suites_dir: Path, tmp_path: Path) -> None:
    def hash_of(directory: Path) -> str:
        return SUITES["recognition"].configured(config.load(directory, "demo")).hash

    moved = shutil.copytree(suites_dir, tmp_path / "moved")
    assert hash_of(moved) == hash_of(suites_dir)
    (moved / "qa_data.json").write_text(json.dumps(HALUEVAL[0]), encoding="utf-8")
    assert hash_of(moved) != hash_of(suites_dir)
    (moved / "qa_data.json").unlink()
    with pytest.raises(UserError, match=r"recognition\.halueval names 'qa_data\.json', which cannot be read"):
        companions.load(moved)


def estimated(output: str, model: str) -> list[str]:
    """Cases and prompts in a model's row of the printed estimate."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in output.splitlines()]
    return next(row[2:4] for row in rows if row[1:2] == [model])


def test_the_estimate_says_what_a_generator_has_yet_to_write_and_counts_it_as_if_all_were_kept(
    session: Session, month: str, suites_dir: Path, configured: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    session: Session, database_url: str, month: str, suites_dir: Path, configured: None
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
    assert [on for name, on, _ in cells if name or on] == ["no"] * 4


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
    session: Session, server: tuple[str, str], month: str
) -> None:
    registry = registered(server[0])
    one, other = (
        querying.plan(session, month, registry=registry, variant=f"recognition/{way}/chat/closed-book")[0].evaluation_id
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
    session: Session, server: tuple[str, str], month: str
) -> None:
    registry = registered(server[0])
    _questions, *planned = querying.plan_default(session, month, "halluvault/plain", registry=registry)
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
        compared = {row.profile: row for row in planted_vs_measured.compare(simulation, session, month)}
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
