"""The sample's whole benchmark, made once for all tests of the study that look at cases."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.local import postgres
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from studies.oracle import facts, plan, split
from studies.oracle.planned import Planned
from studies.oracle.planting import STYLES
from tests.conftest import PASSWORDS, SAMPLE_MONTH, copy_database

SNAPSHOT = SAMPLE_MONTH
PARTS: tuple[split.Part, ...] = ("development", "kept_back")


class Sample(NamedTuple):
    url: str
    snapshot: str
    facts: facts.Facts
    cases: list[facts.Case]
    parts: dict[split.Part, split.Parted]
    plans: dict[split.Part, list[Planned]]


@pytest.fixture(scope="session")
def sample(
    postgres_server: postgres.PostgresServer, sample_template: str, once: Callable[..., str]
) -> Iterator[Sample]:
    """The benchmark `full` of the bundled sample, its facts, its two parts and their plans."""
    url = postgres_server.url("oracle_study", "halluvault", PASSWORDS["halluvault"])

    def build() -> str:
        copy_database(postgres_server, sample_template, "oracle_study")
        with sessions.session(url) as session:
            stages.build(session, SNAPSHOT, config_dir=REPOSITORY / "config", size="full")
        return "oracle_study"

    once("study", build)
    with sessions.session(url) as session:
        known, cases = facts.load(session, SNAPSHOT), facts.load_cases(session, SNAPSHOT)
    parts = split.split(cases, 1)
    plans = {part: plan.make_plan(part, parts[part], known, [s.name for s in STYLES[part]], 1) for part in PARTS}
    yield Sample(url, SNAPSHOT, known, cases, parts, plans)
    sessions.engine(url).dispose()


@pytest.fixture
def sample_session(sample: Sample) -> Iterator[Session]:
    with sessions.session(sample.url) as session:
        yield session
