"""Simulated models, `overconfident` for most, asked a companion suite of a month: from their server to the figures."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy.orm import Session

from halluvault_tasks.local import planted_vs_measured
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions
from tests.conftest import simulators
from tests.querying import support


@contextmanager
def served(session: Session, database_url: str, names: Sequence[str] = ("overconfident",)) -> Iterator[str]:
    """Their server, by URL."""
    roles.grant(session, ())
    session.commit()
    engine = sessions.engine(simulators(database_url))
    with serving([SimulatedModel(name, Personas(engine).answer) for name in names]) as url:
        yield url
    engine.dispose()


def evaluate(session: Session, month: str, url: str, cases: int, name: str = "overconfident") -> list[str]:
    """Ask, judge and count so many cases of a month in both ways of its suite; returns the evaluations."""
    registry = support.registry(url, name=f"simulated/{name}")
    planned = querying.plan_default(session, month, "halluvault/plain", registry=registry).evaluations
    assert [one.missing for one in planned] == [cases] * 2
    for one in planned:
        querying.query_shard(session, one.evaluation_id, registry=registry)
        counts = judging.score(session, one.evaluation_id)
        assert counts.judged == counts.verdicts == one.total
        results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()
    return [one.evaluation_id for one in planned]


def check_planted(session: Session, database_url: str, month: str) -> None:
    """The judge finds what was planted, no more and no less."""
    with sessions.session(simulators(database_url)) as simulation:
        [found] = planted_vs_measured.compare(simulation, session, month)
    assert (found.missed, found.false_alarms, found.same_category) == (0, 0, found.cases)
