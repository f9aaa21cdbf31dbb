"""Which prompts are asked: of published parts alone, in any variant, made where they are missing."""

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts import store
from halluvault_tasks.benchmark.prompts.variants import parse
from halluvault_tasks.cli import query as commands
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage.tables import benchmark_part, evaluation, prompt, response
from tests.querying import support

CASES = 30  # a third of them temporal


@pytest.fixture
def month(session: Session, request: pytest.FixtureRequest) -> str:
    """A published month of its own for each test."""
    key = f"20{30 + len(part_lookup.months(session))}-01"
    support.build(session, key, CASES)
    return key


@pytest.fixture(scope="module")
def registry() -> Iterator[Registry]:
    with serving([SimulatedModel("echo", answer, blocking=False)]) as url:
        yield support.registry(url)


def stored(session: Session, month: str, variant: str) -> dict[str, str]:
    mine = select(prompt.c.case_id, prompt.c.text).where(
        prompt.c.snapshot == month, prompt.c.variant_id == parse(variant).id
    )
    return dict(session.execute(mine).all())  # type: ignore[arg-type]


def test_a_variant_that_nobody_made_is_made_before_it_is_asked(
    session: Session, month: str, registry: Registry
) -> None:
    wanted = "drowzee/plain/with-evidence"
    assert stored(session, month, wanted) == {}
    [plan] = stages.plan(session, month, registry=registry, variant=wanted).evaluations
    assert (plan.total, plan.missing) == (CASES, CASES)
    made = stored(session, month, wanted)
    assert len(made) == CASES
    assert all("Evidence: the following statements are true." in text for text in made.values())
    assert stages.query_shard(session, plan.evaluation_id, registry=registry).delivered == CASES
    [again] = stages.plan(session, month, registry=registry, variant="drowzee/plain/with-evidence").evaluations
    assert (again.evaluation_id, again.missing) == (plan.evaluation_id, 0)
    assert stored(session, month, wanted) == made


def test_a_part_that_is_not_published_is_not_asked_and_one_that_comes_later_is_asked_alone(
    session: Session, month: str, registry: Registry
) -> None:
    late = (benchmark_part.c.snapshot == month) & (benchmark_part.c.suite == "temporal")
    session.execute(update(benchmark_part).where(late).values(published=False))
    session.commit()
    [plan] = stages.plan(session, month, registry=registry, variant="drowzee").evaluations
    assert (plan.total, plan.missing) == (CASES * 2 // 3, CASES * 2 // 3)
    stages.query_shard(session, plan.evaluation_id, registry=registry)
    part_lookup.publish(session, month, ["temporal"])
    [later] = stages.plan(session, month, registry=registry, variant="drowzee").evaluations
    assert later.evaluation_id == plan.evaluation_id
    assert (later.total, later.missing) == (CASES, CASES // 3)
    assert stages.query_shard(session, plan.evaluation_id, registry=registry).asked == CASES // 3


def test_two_turns_are_asked_in_one_conversation_and_no_server_sees_a_guide(
    session: Session, month: str, registry: Registry
) -> None:
    [plan] = stages.plan(session, month, registry=registry, variant="halluvault/two-turn").evaluations
    counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert (counts.delivered, counts.dead) == (CASES, 0)
    prompts = stored(session, month, "halluvault/two-turn")
    for row in session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)):
        asked = json.loads(prompts[row.case_id])
        assert [message["role"] for message in row.transcript] == ["user", "assistant"] * 2
        assert [row.transcript[place]["content"] for place in (0, 2)] == [asked[place]["content"] for place in (0, 2)]
        assert all(set(message) == {"role", "content"} for message in row.transcript)
        assert row.text == row.transcript[-1]["content"]


def test_a_variant_that_no_case_has_is_refused_before_anything_is_asked(
    session: Session, month: str, registry: Registry
) -> None:
    with pytest.raises(UserError, match=r"no case of .* has a prompt in the variant 'drowzee/chat/out-"):
        stages.plan(session, month, registry=registry, variant="drowzee/chat/out-of-distribution")
    assert store.count(session, month, parse("drowzee/chat/out-of-distribution").id) == 0


@pytest.mark.parametrize("size", ["demo", "full"])
def test_where_nobody_names_a_variant_the_configured_one_is_asked(
    session: Session, month: str, registry: Registry, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    assert config.default_variant(REPOSITORY / "config", size) == "halluvault/two-turn/chat/closed-book"
    monkeypatch.setenv("HALLUVAULT_BENCHMARK_SIZE", size)
    settings.cache_clear()
    try:
        [plan] = commands.plan(session, month, registry, ["simulated/echo"], "").evaluations
    finally:
        settings.cache_clear()
    asked = session.scalar(select(evaluation.c.variant_id).where(evaluation.c.id == plan.evaluation_id))
    assert asked == parse("halluvault/two-turn").id
