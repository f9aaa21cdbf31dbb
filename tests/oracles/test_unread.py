"""Responses that an extractor could not read: on a real Postgres, with a loopback CoreNLP."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import typer
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import doctor, evaluate, scoring
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.extraction.corenlp import CoreNlp
from halluvault_tasks.oracles.stages import rescore, score
from halluvault_tasks.oracles.unjudged import NOT_READ
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage.tables import incident, verdict
from tests.oracles.extraction.loopback import FAULTS, POISON, Loopback, loopback
from tests.oracles.material import SNAPSHOT, fill

PROFILE = "paper/corenlp"
GATED = "paper/corenlp/answer-gated"
ANSWERS = [
    ("c1", "Yes.\n1. Charles Dickens was born in Portsmouth."),
    ("c2", f"No.\n1. {POISON} was born in Portsmouth."),
    ("c3", "I don't know."),
    ("c4", "Yes.\n1. Charles Dickens was born on 7 February 1812."),
]


@pytest.fixture(scope="module")
def embed() -> SentenceBert:
    return SentenceBert()


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


@pytest.fixture
def evaluation(session: Session) -> str:
    session.execute(delete(incident))
    return fill(session, ANSWERS)


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch, database_url: str, server: Loopback) -> Iterator[None]:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    monkeypatch.setenv("HALLUVAULT_CORENLP_URL", server.url)
    settings.cache_clear()
    yield
    settings.cache_clear()


def judged(session: Session, profile: str = PROFILE) -> dict[str, Any]:
    session.rollback()
    rows = session.execute(select(verdict).where(verdict.c.profile == profile).order_by(verdict.c.case_id))
    return {row.case_id: row for row in rows}


def incidents(session: Session) -> list[Any]:
    return list(session.execute(select(incident).where(incident.c.kind == NOT_READ)).all())


@pytest.mark.parametrize("name", ["password", "no models", "a page", "an empty body"])
def test_a_server_that_reads_nothing_leaves_no_verdict(
    session: Session, evaluation: str, server: Loopback, embed: SentenceBert, name: str
) -> None:
    server.fault = FAULTS[name]
    with pytest.raises(UserError, match="does not read"):
        score(session, evaluation, embed=embed, extractor=CoreNlp(server.url))
    assert judged(session) == {}
    assert incidents(session) == []


def test_a_response_that_is_refused_is_an_incident_until_it_is_read(
    session: Session, evaluation: str, server: Loopback, embed: SentenceBert
) -> None:
    extract = CoreNlp(server.url)
    server.fault, server.only = FAULTS["its own time-out"], POISON
    counts = score(session, evaluation, embed=embed, extractor=extract)
    assert (counts.judged, counts.unread) == (4, 1)
    assert judged(session).keys() == judged(session, GATED).keys() == {"c1", "c3", "c4"}
    assert judged(session, replay_profile.PROFILE).keys() == {"c1", "c2", "c3", "c4"}, (
        "other profiles do not wait for it"
    )
    [one] = incidents(session)
    assert one.snapshot == SNAPSHOT
    assert f"{evaluation}:c2:1" in one.where
    assert "CoreNLP request timed out" in one.message
    assert "score run --extractor corenlp" in one.way_out

    assert score(session, evaluation, embed=embed, extractor=extract).unread == 1
    assert len(incidents(session)) == 1, "told once, however often it is tried"
    server.fault = None
    assert score(session, evaluation, embed=embed, extractor=extract)[1:3] == (1, 2)
    assert judged(session).keys() == {"c1", "c2", "c3", "c4"}


def test_a_verdict_says_what_read_it(session: Session, evaluation: str, server: Loopback, embed: SentenceBert) -> None:
    score(session, evaluation, embed=embed, extractor=CoreNlp(server.url))
    rows = judged(session)
    assert rows["c1"].detail["extractor"] == "corenlp"
    assert rows["c1"].detail["read_by"]["tool"] == "Stanford CoreNLP 4.5.7"
    assert rows["c1"].detail["read_by"]["options"]["ssplit.eolonly"] == "true"
    assert "read_by" not in rows["c3"].detail, "nothing was read of it"
    assert rows["c1"].category == "normal", "an echo of the proof"


def test_a_case_whose_proof_cannot_be_read_gets_no_verdict(
    session: Session, evaluation: str, server: Loopback, embed: SentenceBert
) -> None:
    server.fault, server.only = FAULTS["too long"], "Charles Dickens was born in Portsmouth."
    with pytest.raises(UserError):  # the known sentence is this one
        score(session, evaluation, embed=embed, extractor=CoreNlp(server.url))
    server.only = "7 February 1812."
    score(session, evaluation, embed=embed, extractor=CoreNlp(server.url))
    assert judged(session).keys() == {"c1", "c2", "c3"}
    [one] = incidents(session)
    assert "c4" in one.where


class _Deaf:
    """What an older version made of a server that answered nothing but errors: readings without a triple."""

    name = "corenlp"
    own_phrases = False

    def __call__(self, passages: Sequence[Sequence[str]]) -> list[list[PhraseTriple]]:
        return [[] for _ in passages]


def run(*arguments: str) -> Any:
    app = typer.Typer()
    scoring.register(app)
    doctor.register(app)
    evaluate.register(app)
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "250"})


def test_rescore_mends_what_was_judged_as_no_reasoning_whatever_is_configured(
    session: Session, evaluation: str, server: Loopback, embed: SentenceBert, configure: None
) -> None:
    score(session, evaluation, embed=embed, extractor=_Deaf())
    assert {row.sub_label for row in judged(session).values()} == {"no_reasoning", "abstained"}
    others = judged(session, replay_profile.PROFILE)
    mend = ("score", "rescore", "--profile", PROFILE, "--profile", GATED, "--extractor", "corenlp", "--only")
    done = run(*mend, "no_reasoning")
    assert done.exit_code == 0, done.output
    rows = judged(session)
    assert {row.sub_label for row in rows.values()} == {None, "abstained"}
    assert rows["c1"].category == "normal"
    assert judged(session, replay_profile.PROFILE) == others
    asked = len(server.asked)
    assert run(*mend, "no_reasoning", "--check").exit_code == 0
    assert len(server.asked) == asked, "nothing was left to mend"


def test_rescore_keeps_what_is_stored_of_a_response_that_cannot_be_read_now(
    session: Session, evaluation: str, server: Loopback, embed: SentenceBert
) -> None:
    extract = CoreNlp(server.url)
    score(session, evaluation, embed=embed, extractor=extract)
    before = judged(session)
    server.fault, server.only = FAULTS["busy"], POISON
    assert rescore(session, evaluation, [PROFILE], embed=embed, extractor=extract).unread == 1
    assert judged(session) == before
    assert len(incidents(session)) == 1


def test_the_configured_extractor_holds_for_score_and_rescore_and_another_profile_does_not_need_it(
    session: Session, evaluation: str, server: Loopback, configure: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_EXTRACTOR", "corenlp")
    settings.cache_clear()
    assert run("score", "run").exit_code == 0
    assert judged(session).keys() == {"c1", "c2", "c3", "c4"}
    assert run("score", "rescore", "--check").exit_code == 0
    server.fault = FAULTS["password"]
    assert run("score", "rescore", "--profile", replay_profile.PROFILE).exit_code == 0
    refused = run("score", "rescore", "--profile", PROFILE)
    assert isinstance(refused.exception, UserError)
    assert "HTTP 401" in str(refused.exception)


def test_evaluate_has_the_configured_extractor_read_before_it_asks_a_model(
    server: Loopback, configure: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_EXTRACTOR", "corenlp")
    monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(REPOSITORY / "config" / "demo" / "models.yaml"))
    monkeypatch.setenv("HALLUVAULT_SIM_A_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HALLUVAULT_SIM_B_URL", "http://127.0.0.1:9")
    settings.cache_clear()
    server.fault = FAULTS["no models"]
    refused = run("evaluate").exception
    assert isinstance(refused, UserError)
    assert "does not read" in str(refused)


def test_doctor_annotates_a_sentence(server: Loopback, configure: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_EXTRACTOR", "corenlp")
    settings.cache_clear()
    assert "Stanford CoreNLP 4.5.7" in run("doctor").output
    server.fault = FAULTS["no models"]
    assert "English models' jar" in " ".join(run("doctor").output.split())
