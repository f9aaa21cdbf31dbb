"""Rewritten questions: what decides the answer survives, or the question stays; what was stored is what is used."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.wording import rewrite
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator import server, texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.querying.asking import asker
from halluvault_tasks.storage import tables

KEPT = [
    ("Was Charles Dickens born in Portsmouth?", "Did Charles Dickens come into the world in Portsmouth?"),
    ("Was the film “Up” directed by Jane Director?", "Has the film “Up” been directed by Jane Director?"),
    ("In the year 1812, was Charles Dickens alive?", "Was Charles Dickens alive in the year 1812?"),
    ("Is Munich in a part of Germany?", "Does Munich lie in a part of Germany?"),
]
LOST = [
    ("Was Charles Dickens born in Portsmouth?", "Was Charles Darwin born in Portsmouth?", "a name"),
    ("Was Charles Dickens born in Portsmouth?", "Was the writer born in Portsmouth?", "a name"),
    ("Is Ada the mother of Carl?", "Is Carl the mother of Ada?", "order of names"),
    ("Is Ada the mother of Carl?", "Is Ada's mother Carl?", "direction of a relation"),
    ("Was Delft shelled by Dordrecht?", "Did Delft shell Dordrecht?", "direction of a relation"),
    ("In the year 1812, was it so?", "In the year 1821, was it so?", "a date or number"),
    ("Did it end in 44 BC?", "Did it end in 44?", "a date or number"),
    ("Was Ada born in Delft?", "Wasn't Ada born in Delft?", "a negation"),
    ("Was Ada not born in Delft?", "Was Ada born in Delft?", "a negation"),
    ("Was Ada born in a place that is not in Delft?", "Wasn't Ada born in a place that is in Delft?", "a negation"),
    ("Was Ada queen before Bert?", "Was Ada queen after Bert?", "an order in time"),
    ("Was it so in every year?", "Was it so in some year?", "a quantity"),
    ("Was Ada alive and Bert at war?", "Was Ada alive, Bert at war?", "a clause"),
    ("Was Ada born in Delft?", "Could Ada be born in Delft?", "a hedge"),
    ("Was Ada born in Delft?", "Ada was born in Delft.", "no single question"),
    ("Was Ada born in Delft?", "Sure! Here it is. Was Ada born in Delft?", "more than the question"),
    ("Was Ada born in Delft?", "Was Ada born in Delft? Or was she?", "no single question"),
    ("Was Ada born in Delft?", "Was Ada\nborn in Delft?", "no single question"),
    ("Was the film “Up” good?", "Was the film “Down” good?", "a quoted title"),
    ("Was Ada born in Delft?", "Was Ada born in Delft?", "unchanged"),
]


@pytest.mark.parametrize(("question", "text"), KEPT)
def test_other_words_for_the_same_are_kept(question: str, text: str) -> None:
    assert rewrite.lost(question, text) == ""


@pytest.mark.parametrize(("question", "text", "reason"), LOST)
def test_what_does_not_survive_is_named(question: str, text: str, reason: str) -> None:
    assert reason in rewrite.lost(question, text)


def test_a_common_noun_that_is_asked_about_must_stay() -> None:
    question, text = "Is influenza a viral disease?", "Is the flu a viral disease?"
    assert rewrite.lost(question, text) == ""
    assert "a name" in rewrite.lost(question, text, {"influenza", "viral disease", "cough"})


NAMES = st.sampled_from(["Ada", "Bert", "Carl", "Dora", "Delft"])
YEARS = st.integers(1000, 2026)


@given(NAMES, NAMES, YEARS, st.data())
def test_no_exchanged_name_or_year_is_ever_kept(one: str, other: str, year: int, data: st.DataObject) -> None:
    question = f"In the year {year}, was {one} older than {other}?"
    for changed in (
        question.replace(str(year), str(data.draw(YEARS.filter(lambda new: new != year)))),
        question.replace(one, data.draw(NAMES.filter(lambda new: new != one)), 1) if one != other else "",
        f"In the year {year}, was {other} older than {one}?" if one != other else "",
    ):
        assert rewrite.lost(question, changed)


@pytest.fixture
def rewriting_config(config_dir: Path, tmp_path: Path) -> Path:
    directory = shutil.copytree(config_dir, tmp_path / "config")
    path = directory / "benchmark.yaml"
    quotas = yaml.safe_load(path.read_text(encoding="utf-8"))
    quotas["rewrite"] = {"model": "scripted"}
    path.write_text(yaml.safe_dump(quotas), encoding="utf-8")
    return directory


def scripted(model: str, prompts: Sequence[str]) -> list[str | None]:
    """Replies as a model might: mostly harmless, some that change the meaning, some none."""
    replies: list[str | None] = []
    for number, prompt in enumerate(prompts):
        question = prompt.rsplit("Question: ", 1)[1]
        replies.append((f"So {question[0].lower()}{question[1:]}", question.replace("?", " not?"), None)[number % 3])
    return replies


def test_a_rebuild_from_stored_rewritings_is_the_same_to_the_byte(
    session: Session, make_world: Callable[..., str], rewriting_config: Path
) -> None:
    def build(ask: rewrite.Ask | None) -> stages.BenchmarkCounts:
        return stages.build(session, make_world("2060-01"), config_dir=rewriting_config, size="all", ask=ask)

    first = build(scripted)
    lines = list(reading.export(session, "2060-01"))
    told = {suite: of.own["rewritten"] for suite, of in part_lookup.statistics(session, "2060-01").items()}
    assert {one["model"] for one in told.values()} == {"scripted"}
    assert told["relation"]["kept"] > 0
    assert told["relation"]["rejected"]["a negation"] > 0
    cases = list(reading.every(session, "2060-01"))
    changed = [case for case in cases if "rewritten_from" in case.fact]
    assert len(changed) == told["relation"]["kept"] + told["temporal"]["kept"]
    assert all(case.question.startswith("So ") and case.question != case.fact["rewritten_from"] for case in changed)
    assert not [case for case in changed if "this statement true" in case.question]
    stored = set(session.scalars(select(tables.generation.c.input_hash)))
    # Questions without a reply have nothing stored; given one now, all are known, and nobody is asked a third time.
    build(lambda model, prompts: ["" for _ in prompts])
    again = build(None)
    assert list(reading.export(session, "2060-01")) == lines
    assert [part.content_hash for part in again.parts] == [part.content_hash for part in first.parts]
    assert stored < set(session.scalars(select(tables.generation.c.input_hash)))


def test_without_a_model_to_ask_a_build_says_so_and_freezes_nothing(
    session: Session, make_world: Callable[..., str], rewriting_config: Path
) -> None:
    path = rewriting_config / "benchmark.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("model: scripted", "model: away"), encoding="utf-8")
    snapshot = make_world("2060-02")
    with pytest.raises(UserError, match=r"questions rewritten by away, and \d+ have no stored rewriting"):
        stages.build(session, snapshot, config_dir=rewriting_config, size="all")
    session.rollback()
    with pytest.raises(UserError, match="has no benchmark"):
        part_lookup.statistics(session, snapshot)


def test_a_served_model_is_asked_and_a_dead_one_gives_no_reply(tmp_path: Path) -> None:
    models = tmp_path / "models.yaml"
    served = SimulatedModel("any", texts.answer, pacing=Pacing(latency_seconds=0.0), blocking=False)
    with server.serving([served]) as url:
        home = {"name": "s", "pool": "p", "slots": 1, "in_flight": 4, "attempts": 1, "deadline_seconds": 5}
        entry = {"name": "simulated/any", "dialect": "tgi", "server": "s", "base_urls": [f"{url}/any"]}
        models.write_text(yaml.safe_dump({"servers": [home], "models": [entry]}), encoding="utf-8")
        replies = asker(models, {})("simulated/any", ["one", "two"])
    assert all(replies)
    assert asker(models, {})("simulated/any", ["one"]) == [None]
    with pytest.raises(UserError):
        asker(models, {})("nobody", ["one"])
