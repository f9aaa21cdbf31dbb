"""The whole chain on the bundled sample: pulled, derived, asked; every proof replayed, every question looked at."""

import re
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from halluvault_tasks.benchmark import reading, stages
from halluvault_tasks.benchmark.reading import CaseView
from halluvault_tasks.knowledge import stages as knowledge
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.local.endpoint import Endpoint, load_sample
from halluvault_tasks.local.sample import CHECKED
from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal

SNAPSHOT = "2041-01"
CONFIG, PROLOG = REPOSITORY / "config", REPOSITORY / "prolog_rules"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = Endpoint(load_sample(CHECKED), 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/sparql"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def cases(database_url: str, endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> list[CaseView]:
    """All cases of the demo benchmark of the sample."""
    sample = load_sample(CHECKED)
    with sessions.session(database_url) as session:
        knowledge.pull(
            session, SNAPSHOT, client=WikidataClient(endpoint, ""), domains=load_domains(CONFIG / "domains.yaml"),
            source=sample.source, as_of=sample.as_of, progress=None,
        )  # fmt: skip
        type_rules(session, SNAPSHOT, rules_file=CONFIG / "rules.yaml")
        scratch = tmp_path_factory.mktemp("scratch")
        derive_shard(session, SNAPSHOT, shard=0, shards=1, prolog_dir=PROLOG, scratch=scratch)
        check_derivation(session, SNAPSHOT, shards=1)
        derive_temporal(session, SNAPSHOT, config=TemporalConfig(), prolog_dir=PROLOG)
        counts = stages.build(session, SNAPSHOT, config_dir=CONFIG, size="demo")
        return reading.sample(session, SNAPSHOT, count=counts.sum("cases"), seed=1)


def test_the_demo_covers_all_nine_domains_within_its_bounds(cases: list[CaseView]) -> None:
    """So small a sample does not fill 186 relation questions within the bounds; they are fewer, not of one sort."""
    suites = Counter(case.suite for case in cases)
    assert 110 <= suites["relation"] <= 186
    assert (suites["temporal"], suites["recall"]) == (54, 30)
    assert len({case.domain for case in cases}) == 9
    headline = [case for case in cases if case.suite != "recall"]
    assert Counter(case.gold for case in headline)["yes"] * 2 == len(headline)
    rules = Counter(case.fact["rule"] for case in cases if case.suite == "relation")
    assert max(rules.values()) <= 0.1 * suites["relation"]


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
