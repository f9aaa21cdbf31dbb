"""Memory consistency asked several times: from the part over a server to the figures, which take most replies."""

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.memory.fact import MemoryFact
from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY
from tests.benchmark.memory_world import add_countries, names
from tests.querying import support

MONTH = "2055-05"
TIMES = 4
RIGHT_OF = (4, 3, 2, 4)
"""In how many of four replies a pair is right singly, by its place modulo four: half of them is not most."""


OWN = {"United Kingdom": "London"}
"""The one pair of the small world, which comes after the invented ones."""


def times_right(s: int) -> int:
    """In how many replies a country's capital is named rightly."""
    return RIGHT_OF[(s - 70_000 if s >= 70_000 else len(names())) % 4]


def knows(s: int) -> bool:
    return times_right(s) > TIMES / 2


class Wavering:
    """A model server that knows some pairs always and some now and then, by the seed that it is sent."""

    def __init__(self) -> None:
        self.capitals = dict(names()) | OWN
        self.number = {country: number for number, country in enumerate(self.capitals)}
        self.seeds: dict[str, Counter[int | None]] = defaultdict(Counter)

    def __call__(self, model: str, asked: str, seed: int | None) -> str:
        question = conversation.key(asked)
        self.seeds[question][seed] += 1
        if "\nMatch them." not in question:
            country = next((one for one in self.capitals if re.search(rf"\b{one}\b", question)), None)
            if country is None:  # the server is looked at before it is asked
                return "I am here."
            right = seed is None or seed <= RIGHT_OF[self.number[country] % 4]
            return self.capitals[country] if right else "Nowhere Town"
        listed = question.partition("Countries or regions: ")[2].splitlines()[0].rstrip(".").split("; ")
        said = [self.capitals[one] for one in listed]
        # Of the four replies to a set one is the wrong way round.
        return ", ".join(said[::-1] if seed == 1 else said)


@pytest.fixture
def month(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path, tmp_path: Path
) -> str:
    directory = shutil.copytree(config_dir, tmp_path / "config")
    content = yaml.safe_load((REPOSITORY / "config" / "suites.yaml").read_text(encoding="utf-8"))
    capitals = [one for one in content["memory"]["relations"] if one["property"] == 36]
    content["memory"] |= {"relations": capitals, "sets": 90, "permuted_sets": 3, "k": [2, 6, 50], "samples": TIMES}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    write(MONTH)
    add_countries(session, MONTH)
    derive(MONTH)
    stages.build(session, MONTH, config_dir=directory, size="all", only=["memory"])
    part_lookup.publish(session, MONTH, ["memory"])
    return MONTH


@pytest.fixture
def server() -> Iterator[tuple[str, Wavering]]:
    model = Wavering()
    with serving([SimulatedModel("wavering", model)]) as url:
        yield url, model


def test_each_case_is_asked_so_often_with_a_seed_of_its_own_and_most_replies_decide_what_is_known(
    session: Session, month: str, server: tuple[str, Wavering]
) -> None:
    cases = list(reading.every(session, month, ["memory"]))
    facts = [MemoryFact.model_validate(case.fact) for case in cases]
    [part] = part_lookup.of_month(session, month, ["memory"])
    # A k above the pool is said, and takes nothing away from the others.
    pool = sum(fact.kind == "single" for fact in facts)
    assert part.statistics.dropped[Hindrance.TOO_FEW_PAIRS("P36, k = 50")] == 1
    assert part.statistics.shortfall == {"sets of 50": {"sets": 90}}
    assert {fact.k for fact in facts} == {1, 2, 6}
    assert {fact.k for fact in facts if fact.strategy == 2} == {2}, "of six there would be 720 orders"
    assert pool < 50
    url, model = server

    registry = support.registry(url, name="simulated/wavering")
    planned = querying.plan_default(session, month, "halluvault/plain", registry=registry).evaluations
    assert [one.total for one in planned] == [TIMES * len(cases), len(cases)], "sampled so often, and greedily once"
    for one in planned:
        querying.query_shard(session, one.evaluation_id, registry=registry)
        assert judging.score(session, one.evaluation_id).verdicts == one.total
        results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()
    # One order of a set may be asked twice: as its shuffle, and among its permutations.
    for question, times in Counter(case.question for case in cases).items():
        [seeds] = [seeds for prompt, seeds in model.seeds.items() if question in prompt]
        assert seeds == dict.fromkeys((1, 2, 3, 4, None), times)

    rows = session.execute(
        text("SELECT variant, scope, key, metric, value, hits, n, clusters FROM results_v1.metrics"
             " WHERE suite = 'memory' AND is_current")
    ).all()  # fmt: skip
    several = {
        (row.scope, row.key, row.metric): row
        for row in rows
        if row.variant.endswith(f"temperature 0.95, {TIMES} samples")
    }
    right = sum(times_right(fact.pairs[0][0]) for fact in facts if fact.kind == "single")
    known = several["singles", "", "known_share"]
    assert (known.hits, known.n, known.clusters) == (right, TIMES * pool, pool), "of replies; a pair is a cluster"
    for strategy in (1, 2):
        mine = [fact for fact in facts if (fact.k, fact.strategy) == (2, strategy)]
        held = [fact for fact in mine if all(knows(s) for s, _ in fact.pairs)]
        assert 0 < len(held) < len(mine) or strategy == 2
        key = f"k = 2, strategy {strategy}"
        wrong = several["sets", key, "internal_hallucination"]
        # All replies of a set, in all its orders, are one cluster; in one of four the names have changed places.
        assert (wrong.hits, wrong.n) == (len(held), TIMES * len(held))
        assert wrong.value == pytest.approx(1 / TIMES) if held else wrong.value is None
        assert wrong.clusters == len({fact.set for fact in held})
        share = several["sets", key, "assessable_share"]
        assert (share.hits, share.n, share.clusters) == (
            TIMES * len(held), TIMES * len(mine), len({fact.set for fact in mine}),
        )  # fmt: skip
    once = [row for row in rows if row.variant.endswith("temperature 0") and row.metric == "known_share"]
    assert [(row.hits, row.n) for row in once] == [(pool, pool)], "greedily each is asked once, and right"
