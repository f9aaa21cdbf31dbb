"""What is asked first of a month: the draw by its law, and the command on a real Postgres and a simulated server."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import evaluate
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import sample
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import response, result_set
from tests.oracles import material
from tests.querying import support

CASES = 60
MONTH = "2026-10"
PLAIN = ("--variant", "halluvault/plain")

SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=6)


@given(sizes=SIZES, seed=st.integers(0, 5))
def test_every_first_part_has_the_same_share_of_each_stratum(sizes: list[int], seed: int) -> None:
    stratum = {f"g{s}-{n}": (f"s{s}",) for s, size in enumerate(sizes) for n in range(size)}
    order = sample.in_order(stratum, seed)
    assert sorted(order) == sorted(stratum)
    seen: Counter[str] = Counter()
    for group in order:
        seen[stratum[group][0]] += 1
        shares = [(seen[f"s{s}"], size) for s, size in enumerate(sizes)]
        for got, size in shares:
            for other, of in shares:
                # |got/size - other/of| <= 1/size + 1/of, in whole numbers
                assert abs(got * of - other * size) <= size + of


def test_a_small_stratum_comes_as_early_as_its_share_over_many_seeds() -> None:
    stratum = {f"g{n}": ("large",) for n in range(30)} | {"alone": ("small",)}
    places = [sample.in_order(stratum, seed).index("alone") for seed in range(400)]
    first_third = sum(place < 10 for place in places) / len(places)
    assert 0.25 < first_third < 0.42, "1/3 with a standard error of .024"


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    views.upgrade(database_url)
    with sessions.session(database_url) as session:
        ids = support.build(session, MONTH, CASES)
        material.put_rules(session, MONTH)
        session.commit()
        return ids


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path) -> Iterator[Any]:
    def configured(url: str) -> typer.Typer:
        models = tmp_path / "models.yaml"
        models.write_text(yaml.safe_dump(support.registry(url).model_dump(mode="json", exclude_none=True)))
        monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
        monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(models))
        monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(REPOSITORY / "config" / "demo"))
        settings.cache_clear()
        app = typer.Typer()
        evaluate.register(app)
        return app

    yield configured
    settings.cache_clear()


def test_a_larger_sample_holds_a_smaller_one_and_another_seed_draws_others(
    session: Session, case_ids: list[str]
) -> None:
    drawn = [sample.drawn(session, MONTH, count) for count in (1, 10, 30, CASES, 10 * CASES)]
    assert [len(one) for one in drawn] == [1, 10, 30, CASES, CASES]
    assert all(small < large for small, large in pairwise(drawn[:4]))
    assert sample.drawn(session, MONTH, 10, seed=2) != drawn[1]
    temporal = session.scalar(
        text("SELECT count(*) FROM cases WHERE suite = 'temporal' AND id = ANY(:ids)"), {"ids": sorted(drawn[2])}
    )
    assert temporal == 10, "a third, as of the month"


def test_a_sample_is_asked_judged_and_printed_and_the_rest_is_asked_by_the_same_command_without_it(
    session: Session, case_ids: list[str], configure: Any
) -> None:
    asked: list[str] = []

    def answer(model: str, prompt: str, seed: int | None) -> str:
        asked.append(prompt)
        return "Yes, that is so. " * 8

    with serving([SimulatedModel("echo", answer)]) as url:
        app = configure(url)
        done = CliRunner().invoke(app, ["--snapshot", MONTH, *PLAIN, "--sample", "12"], catch_exceptions=False)
        first = set(session.scalars(select(response.c.case_id)))
        stored = session.execute(select(result_set)).all()
        session.commit()
        again = len(asked)
        CliRunner().invoke(app, ["--snapshot", MONTH, *PLAIN, "--sample", "12"], catch_exceptions=False)
        assert len(asked) == again, "nothing is asked twice"
        CliRunner().invoke(app, ["--snapshot", MONTH, *PLAIN], catch_exceptions=False)
    assert done.exit_code == 0
    assert first == sample.drawn(session, MONTH, 12)
    assert "On 12 of 60 questions" in done.stdout and "%" in done.stdout
    assert stored == [], "an estimate is no month's result"
    questions = [prompt for prompt in asked if "Question: " in prompt]
    assert len(questions) == len(set(questions)) == CASES
    assert set(session.scalars(select(response.c.case_id))) == set(case_ids)
