"""The sample's whole benchmark, made once for all tests of the study that look at cases."""

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import psycopg2
import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.local import month, postgres
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from studies.oracle import facts, plan, split
from studies.oracle.planned import Planned
from studies.oracle.planting import STYLES

SNAPSHOT = "2042-01"
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
    postgres_server: postgres.Server, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sample]:
    """The benchmark `full` of the bundled sample, its facts, its two parts and their plans."""
    admin = psycopg2.connect(
        host="127.0.0.1",
        port=postgres_server.port,
        user="postgres",
        password=postgres_server.password,
        dbname="postgres",
    )
    admin.autocommit = True
    with closing(admin), admin.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE oracle_study TEMPLATE {template_database} OWNER halluvault")
    url = postgres_server.url("oracle_study", "halluvault", "owner-secret")
    with sessions.session(url) as session:
        scratch = tmp_path_factory.mktemp("study")
        month.make(session, SNAPSHOT, scratch, REPOSITORY / "config", REPOSITORY / "prolog_rules", "full")
        known, cases = facts.load(session, SNAPSHOT), facts.load_cases(session, SNAPSHOT)
    parts = split.split(cases, 1)
    plans = {part: plan.make_plan(part, parts[part], known, [s.name for s in STYLES[part]], 1) for part in PARTS}
    yield Sample(url, SNAPSHOT, known, cases, parts, plans)
    sessions.engine(url).dispose()


@pytest.fixture
def sample_session(sample: Sample) -> Iterator[Session]:
    with sessions.session(sample.url) as session:
        yield session
