"""A simulated model that evidence and self-check mend at known rates: the planted gain comes out of `results gain`."""

from collections.abc import Iterator

import pytest
import typer
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.cli.parts import mitigation
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import planted_vs_measured
from halluvault_tasks.local.personas import reactions
from halluvault_tasks.local.personas.persona import PERSONAS, Personas
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.results.mitigation import facts, gains
from halluvault_tasks.results.mitigation.gains import CaseOutcome
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import roles, sessions
from tests.conftest import simulators
from tests.querying import support

MONTH, MODEL = "2040-01", "simulated/teachable"
PLAIN = "halluvault/two-turn/chat/closed-book"
WITH = {
    reactions.EVIDENCE: "halluvault/two-turn/chat/with-evidence",
    reactions.SELF_CHECK: "halluvault/self-check/chat/closed-book",
}


@pytest.fixture
def asked(
    session: Session, january: BenchmarkCounts, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The month asked plainly, with evidence and under self-check, over loopback, and judged."""
    part_lookup.publish(session, january.snapshot, ["relation"])
    roles.grant(session, ())
    session.commit()
    engine = sessions.engine(simulators(database_url))
    with serving([SimulatedModel("teachable", Personas(engine).answer)]) as url:
        registry = support.registry(url, name=MODEL)
        for variant in (PLAIN, *WITH.values()):
            [one] = querying.plan(session, MONTH, registry=registry, variant=variant).evaluations
            querying.query_shard(session, one.evaluation_id, registry=registry)
            judging.score(session, one.evaluation_id)
            results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()
    engine.dispose()
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    yield
    settings.cache_clear()


def outcomes(session: Session, variant: str) -> dict[str, CaseOutcome]:
    return gains.outcomes(session, facts.evaluation(session, MONTH, MODEL, variant), MONTH)


@pytest.mark.usefixtures("asked")
def test_planted_gains_of_evidence_and_self_check_lie_in_the_intervals_that_are_printed(
    session: Session, database_url: str
) -> None:
    before = outcomes(session, PLAIN)
    with sessions.session(simulators(database_url)) as simulation:
        compared = {one.profile: one for one in planted_vs_measured.compare(simulation, session, MONTH, [MODEL])}
        rows = simulation.execute(text("SELECT model, case_id, category FROM simulation.planted")).all()
    found = compared[replay_profile.PROFILE]
    assert found.false_alarms == 0 and found.missed < 0.2 * found.planted and found.cases == 3 * len(before)
    labels = {(row.model, row.case_id): row.category for row in rows}
    for way, rate in PERSONAS["teachable"].mends.items():
        every, *_ = gains.gains(before, outcomes(session, WITH[way]))
        # The rate is that of all responses, of which a sample was asked: within the interval of 99 %.
        assert abs(every.difference.difference + rate * every.before) <= 2.58 * every.difference.error, way
        assert every.difference.high < 0, way
        planted = [sum(labels[name, case] in facts.WRONG for case in before) / len(before)
                   for name in (MODEL, f"{MODEL}, {way}")]  # fmt: skip
        assert every.difference.low <= planted[1] - planted[0] <= every.difference.high, way
        right = [{case for case in before if labels[name, case] == "normal"} for name in (MODEL, f"{MODEL}, {way}")]
        assert right[0] < right[1], "nothing right is lost"
        printed = gain("--base", PLAIN, "--with", WITH[way])
        assert f"{100 * every.difference.difference:+.1f}" in printed and "What it does not change" in printed
    assert "can only fall" in gain("--base", PLAIN, "--with", WITH[reactions.EVIDENCE], "--failed")
    assert "has 0 evaluations under replay/syntax" in gain("--base", PLAIN, "--with", "halluvault/system")


def gain(*ways: str) -> str:
    """What `results gain` prints, or the error that it ends with."""
    commands = typer.Typer()
    mitigation.register(commands)
    done = CliRunner().invoke(commands, ["gain", "--model", MODEL, "--snapshot", f"{MONTH}.1", *ways])
    if done.exception is not None:
        assert isinstance(done.exception, UserError), done.output
        return str(done.exception)
    return done.output
