"""A simulated model that is served edited: what is planted comes out of the path from server to `results edited`."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import select, text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.cli.parts import mitigation
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas import knowledge_edits
from halluvault_tasks.local.personas.knowledge_edits import Edit, Edited
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.simulator.__main__ import main
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.results.mitigation import facts, gains
from halluvault_tasks.results.mitigation.gains import Gain
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import roles, sessions, tables
from tests.conftest import PASSWORDS
from tests.querying import support

MONTH, BASE = "2040-01", "simulated/wavering"
SUCCESS, COLLAPSE = 0.7, 0.4
SEED = 2
"""Of the faults: a draw that leaves the model something right, which an edit must keep."""


@pytest.fixture
def commands(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[typer.Typer]:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    app = typer.Typer()
    mitigation.register(app)
    yield app
    settings.cache_clear()


def evaluate(session: Session, simulation: str, edited: dict[str, Edited]) -> None:
    """Serve the persona, or what became of it, over loopback; ask it the month, judge it, count."""
    engine = sessions.engine(simulation)
    names = list(edited) or ["wavering"]
    with serving([SimulatedModel(name, Personas(engine, SEED, edited=edited).answer) for name in names]) as url:
        for name in names:
            registry = support.registry(url, name=f"simulated/{name}")
            [one] = querying.plan(session, MONTH, registry=registry, variant="halluvault/plain").evaluations
            querying.query_shard(session, one.evaluation_id, registry=registry)
            judging.score(session, one.evaluation_id)
            results.summarise(session, one.evaluation_id)
    views.install(session)
    session.commit()
    engine.dispose()


def compared(session: Session, name: str) -> dict[str, Gain]:
    before, after = (
        gains.outcomes(session, facts.evaluation(session, MONTH, one), MONTH) for one in (BASE, f"simulated/{name}")
    )
    return {one.part: one for one in gains.edited(session, BASE, before, after)}


def repeated(content: dict[str, Any], times: int) -> dict[str, Any]:
    return {key: (content[key] * times)[:times] for key in ("prompts", "target_new", "subject")}


def test_planted_edits_and_a_planted_collapse_come_out_of_the_whole_path(
    session: Session, january: BenchmarkCounts, database_url: str, commands: typer.Typer, tmp_path: Path
) -> None:
    part_lookup.publish(session, january.snapshot, ["relation"])
    roles.grant(session, ())
    session.commit()
    secret = (f"halluvault:{PASSWORDS['halluvault']}@", f"halluvault_sim:{PASSWORDS['halluvault_sim']}@")
    simulation = database_url.replace(*secret)
    evaluate(session, simulation, {})
    file, longer = tmp_path / "edits.json", tmp_path / "more.json"
    of_month = ["--snapshot", f"{MONTH}.1"]
    done = CliRunner().invoke(commands, ["edits", "--model", BASE, "--output", str(file), *of_month])
    assert done.exit_code == 0, done.output
    content = json.loads(file.read_text(encoding="utf-8"))
    longer.write_text(json.dumps(repeated(content, 1_500)), encoding="utf-8")
    few, many = knowledge_edits.read(file), knowledge_edits.read(longer)
    assert (set(many), len(many)) == (set(few), 1_500)
    planted = {"few": Edited("wavering", few, SUCCESS, COLLAPSE), "many": Edited("wavering", many, SUCCESS, COLLAPSE)}
    evaluate(session, simulation, planted)

    told = compared(session, "few")
    targets, rephrasings = told["targets"], told["rephrasings"]
    assert targets.difference.shared == len(few) and targets.before == 1
    assert targets.difference.low <= -SUCCESS <= targets.difference.high
    assert rephrasings.difference.low <= -SUCCESS * rephrasings.before <= rephrasings.difference.high
    assert told["locality"].difference.shared and told["locality"].after == told["locality"].before == 0
    assert told["meaningless responses"].after == 0
    # A fact is learned in all its wordings or in none.
    c = tables.mitigation_use.c
    groups = session.scalars(select(c.group_id).where(c.model == BASE, c.kind == "edit")).all()
    of_group = dict(session.execute(select(tables.cases.c.id, tables.cases.c.group_id)).all())  # type: ignore[arg-type]
    with sessions.session(simulation) as simulated:
        rows = simulated.execute(text("SELECT model, case_id, category, fault FROM simulation.planted")).all()
    labels = {(row.model, row.case_id): row for row in rows}
    took = {of_group[case] for (model, case), row in labels.items()
            if model == "simulated/few" and row.category == "normal" != labels[BASE, case].category}  # fmt: skip
    wrong = {of_group[case] for (model, case), row in labels.items()
             if model == "simulated/few" and row.category != "normal"}  # fmt: skip
    assert took & set(groups) and not took & set(groups) & wrong
    assert targets.after == len(set(groups) & wrong) / len(groups)

    lost = compared(session, "many")["meaningless responses"]
    planted = [row.fault == "meaningless" for (model, _), row in labels.items() if model == "simulated/many"]
    assert (lost.before, lost.after) == (0, sum(planted) / len(planted))
    assert lost.difference.low <= COLLAPSE <= lost.difference.high
    shown = CliRunner().invoke(commands, ["edited", "--before", BASE, "--after", "simulated/few", *of_month])
    assert shown.exit_code == 0 and "locality" in shown.output, shown.output


def test_an_edits_file_is_read_by_either_tools_keys(tmp_path: Path) -> None:
    file = tmp_path / "edits.json"
    easy = {"prompts": ["Ann was born in"], "target_new": ["Delft"], "subject": ["Ann"], "ground_truth": ["x"]}
    fast = [{"prompt": "{} was born in", "target": "Delft", "subject": "Ann", "queries": []}]
    for content in (easy, fast):
        file.write_text(json.dumps(content), encoding="utf-8")
        assert knowledge_edits.read(file) == (Edit("Ann", "Ann was born in", "Delft"),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "no JSON"),
        ("[]", "holds no edit"),
        ('[{"prompt": "Ann was born in", "subject": "Ann", "target": "Delft"}]', "EasyEdit's prompts, target_new"),
        ('{"prompts": ["a", "b"], "target_new": ["c"], "subject": ["a", "b"]}', r"have \[1, 2\] entries"),
    ],
)
def test_a_file_without_edits_is_refused_with_the_form_that_is_accepted(
    tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "edits.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=said) as refused:
        knowledge_edits.read(file)
    assert str(file) in str(refused.value) and "halluvault results edits" in str(refused.value)


def test_the_server_takes_edits_for_one_persona_under_a_name_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # this process is no server
    file = tmp_path / "edits.json"
    file.write_text('{"prompts": ["Ann was"], "target_new": ["b"], "subject": ["Ann"]}', encoding="utf-8")
    for more, said in {
        ("--models", "careful,wavering", "--edits", str(file)): "--edits takes one persona, not careful, wavering",
        ("--models", "careful", "--edits", str(file), "--edited-as", "wavering"): "not edited",
        ("--models", "careful", "--edited-as", "other"): "without --edits",
        ("--models", "nobody", "--edits", str(file)): "no persona 'nobody'",
    }.items():
        assert main(["--port", "1", *more]) == 2
        assert said in capsys.readouterr().err
