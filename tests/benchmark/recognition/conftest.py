"""The demo's month with the suite recognition beside it: built once a run, and copied for each module."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import yaml
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.recognition import general
from halluvault_tasks.benchmark.suites.recognition.fact import RecognitionFact
from halluvault_tasks.benchmark.wording.generations import AS_REGISTERED
from halluvault_tasks.knowledge import stages as knowledge
from halluvault_tasks.local import postgres
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import asking
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles, sessions
from tests.benchmark.test_halueval import HALUEVAL
from tests.conftest import PASSWORDS, SAMPLE_MONTH, copied, copy_database, simulators
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


@pytest.fixture(scope="session")
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


@contextmanager
def _served(database_url: str) -> Iterator[tuple[str, str]]:
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


@pytest.fixture(scope="session")
def recognition_template(
    postgres_server: postgres.PostgresServer, demo_template: str, once: Callable[..., str], suites_dir: Path
) -> str:
    """Name of a database with the demo's month, and the suite beside it."""

    def make() -> str:
        copy_database(postgres_server, demo_template, "recognition_template")
        url = postgres_server.url("recognition_template", "halluvault", PASSWORDS["halluvault"])
        with _served(url) as (address, _), sessions.session(url) as session:
            ask = partial(asking.ask, registered(address))
            stages.build(
                session, MONTH, config_dir=suites_dir, size="demo", only=["recognition"],
                ask=lambda model, prompts, manner=AS_REGISTERED: ask(model, prompts, manner=manner),
            )  # fmt: skip
            part_lookup.publish(session, MONTH)
            part_lookup.publish(session, MONTH, ["recognition"])
            knowledge.publish_snapshot(session, MONTH)
            session.commit()
        sessions.engine(url).dispose()
        return "recognition_template"

    return once("recognition", make)


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.PostgresServer, recognition_template: str) -> Iterator[str]:
    """The demo's month, and the suite beside it."""
    with copied(postgres_server, recognition_template) as url:
        yield url


@pytest.fixture(scope="module")
def server(database_url: str) -> Iterator[tuple[str, str]]:
    """`_served` by this module's database."""
    with _served(database_url) as found:
        yield found


def asked(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    """What is to be judged."""
    return [(case, fact) for case, fact in every(session) if fact.refine is None]


def mended(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    return [(case, fact) for case, fact in every(session) if fact.refine is not None]


def every(session: Session) -> list[tuple[reading.CaseView, RecognitionFact]]:
    found = reading.every(session, MONTH, ["recognition"])
    return [(case, RecognitionFact.model_validate(case.fact)) for case in found]
