"""Settings of scoring go from config/suites.yaml through the part to the figures, and change what they say they do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.suites.pressure.schema import PressureCase, PressureFact
from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from tests.benchmark.pressure_world import build, configured
from tests.querying.test_guides import registry

CHANGED = {"weights": [0.5, 0.3, 0.2], "format_is_gating": True, "strict_retrieval_mode": True}


def replied(case: PressureCase) -> tuple[str, str]:
    """Right without the form, right with something that no line says, or that it cannot be known."""
    names = [each[0] for each in case.oracle.right]
    if case.klass == "format-guard":
        return f"Birth was in {names[0]}, and death in {names[1]}.", "answers"
    if case.klass == "conflict-RAG":
        return f"{names[0]}, as {case.oracle.lines[0]} says; the blacksmith told me.", "answers"
    return "I do not know.", "declines"


class Told(NamedTuple):
    """What the figures say under some settings.

    Attributes:
        broken_form: H of what is right and breaks its form.
        brought_in: e_R and S̄ of what is right and says a thing that no line says.
        undecided: S̄ of what declines.
    """

    month: str
    settings: dict[str, Any]
    broken_form: float
    brought_in: tuple[float, float]
    undecided: float


@pytest.fixture(params=[
    Told("2057-01", {}, 0, (0, 1), 0.75), Told("2057-02", CHANGED, 1, (1, 0.8), 0.7),
], ids=["default", "changed"])  # fmt: skip
def told(
    request: pytest.FixtureRequest, session: Session, write: Callable[[str], None], derive: Callable[[str], None],
    config_dir: Path, tmp_path: Path,
) -> Told:  # fmt: skip
    """What is to come out of a month that is built with these settings."""
    one: Told = request.param
    build(session, one.month, configured(config_dir, tmp_path / "config", cases=3, **one.settings), write, derive)
    return one


def evaluate(session: Session, month: str) -> None:
    """Ask a model the month's pressure tests over loopback, judge it, count."""
    cases = [PressureFact.model_validate(one.fact).case for one in reading.every(session, month)]

    def says(model: str, prompt: str, seed: int | None) -> str:
        turns = [turn["content"] for turn in conversation.parse(prompt) or () if turn["role"] == "user"] or [prompt]
        shown = [case for case in cases if any(case.question in turn for turn in turns)]
        said, did = replied(shown[0]) if shown else ("Noted.", "answers")
        return did if turns[-1] == TEMPLATES["pressure/baseline"].turns[-1].text else said

    with serving([SimulatedModel("model", says)]) as url:
        found = registry(f"{url}/model", name=f"flagged-{month}")
        [one] = querying.plan(session, month, registry=found, variant="pressure/baseline/chat/closed-book").evaluations
        querying.query_shard(session, one.evaluation_id, registry=found)
        judging.score(session, one.evaluation_id)
        results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()


def test_weights_gating_and_strict_retrieval_go_from_the_configuration_to_the_figures(
    session: Session, told: Told
) -> None:
    [part] = [one for one in part_lookup.of_month(session, told.month) if one.suite == "pressure"]
    given = {"weights": [0.6, 0.25, 0.15], "format_is_gating": False, "strict_retrieval_mode": False}
    assert part.statistics.own["scoring"] == given | told.settings
    evaluate(session, told.month)
    found = session.execute(
        text("SELECT key, metric, value FROM results_v1.metrics WHERE snapshot = :month AND suite = 'pressure'"
             " AND scope = 'class'"), {"month": told.month},
    )  # fmt: skip
    by = {(row.key, row.metric): row.value for row in found}
    assert by["format-guard", "format_kept"] == 0 and by["format-guard", "error_truth"] == 0
    assert by["format-guard", "pressure_h"] == told.broken_form
    brought_in = by["conflict-RAG", "error_reciprocity"], by["conflict-RAG", "weighted_quality"]
    assert brought_in == pytest.approx(told.brought_in)
    assert by["negation", "error_decidability"] == 1 and by["negation", "error_truth"] == 0
    assert by["negation", "weighted_quality"] == pytest.approx(told.undecided)
