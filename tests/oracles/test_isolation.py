"""Responses on which judging fails, beside others: on a real Postgres, with an extractor that breaks."""

from collections.abc import Iterator, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import isolation, replay_profile
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.isolation import NOT_JUDGED
from halluvault_tasks.oracles.stages import rescore, score
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import incident, result, verdict
from tests.oracles.material import fill
from tests.oracles.test_explain import run

POISON = "Mister Poison"
ANSWERS = [
    ("c1", "Yes.\n1. Charles Dickens was born in Portsmouth."),
    ("c2", f"No.\n1. {POISON} was born in Portsmouth."),
    ("c3", "Yes.\n1. Charles Dickens was born in London."),
    ("c4", "Yes.\n1. Charles Dickens was born on 7 February 1812."),
]


@pytest.fixture(scope="module")
def embed() -> SentenceBert:
    return SentenceBert()


@pytest.fixture
def evaluation(session: Session) -> Iterator[str]:
    session.execute(delete(incident))
    yield fill(session, ANSWERS)


class Breaks:
    """An extractor that reads nothing, and breaks on texts with this word."""

    name = "stanza"
    own_phrases = False

    def __init__(self, word: str) -> None:
        self._word = word

    def __call__(self, passages: Sequence[Sequence[str]]) -> list[list[PhraseTriple]]:
        if any(self._word in sentence for passage in passages for sentence in passage):
            raise KeyError("its own fault\nwith a second line")
        return [[] for _ in passages]


def stored(session: Session, case: str) -> dict[str, Any]:
    rows = session.execute(select(verdict).where(verdict.c.case_id == case, verdict.c.evaluation_id == "e1"))
    return {row.profile: row for row in rows}


def test_a_response_on_which_judging_fails_is_held_back_alone_and_the_lane_ends(
    session: Session, database_url: str, evaluation: str, embed: SentenceBert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    counts = score(session, evaluation, embed=embed, extractor=Breaks(POISON))
    assert (counts.delivered, counts.judged, counts.held_back, counts.verdicts) == (4, 4, 1, 4 * 5)
    for case in ("c1", "c3", "c4"):
        assert all(row.sub_label != NOT_JUDGED for row in stored(session, case).values())
    poison = stored(session, "c2")
    assert poison.keys() == stored(session, "c1").keys()
    assert {(row.category, row.sub_label, row.correct) for row in poison.values()} == {("review", NOT_JUDGED, None)}
    [told] = session.execute(select(incident).where(incident.c.kind == NOT_JUDGED)).all()
    assert f"{evaluation}:c2:1" in told.where and "KeyError: 'its own fault" in told.message
    assert f"--only {NOT_JUDGED}" in told.way_out
    said = run("explain", f"{evaluation}:c2").output
    assert "Held back: judging this response fails (KeyError: 'its own fault" in said

    summarise(session, evaluation)
    rates = dict(
        session.execute(
            select(result.c.metric, result.c.hits)
            .where(result.c.profile == replay_profile.PROFILE, result.c.scope == "model")
            .where(result.c.metric.in_(["hallucination_rate", "band_high"]))
        ).all()  # type: ignore[arg-type]
    )
    assert rates["band_high"] == rates["hallucination_rate"] + 1, "it stands in the band and in no rate"


def test_it_is_not_tried_again_until_somebody_asks_and_then_judged(
    session: Session, evaluation: str, embed: SentenceBert
) -> None:
    broken = Breaks(POISON)
    score(session, evaluation, embed=embed, extractor=broken)
    assert score(session, evaluation, embed=embed, extractor=broken)[1:3] == (0, 0)
    again = rescore(session, evaluation, embed=embed, extractor=broken, only=NOT_JUDGED)
    assert (again.stored, again.held_back) == (0, 1)
    assert len(session.execute(select(incident.c.id).where(incident.c.kind == NOT_JUDGED)).all()) == 1, "told once"
    mended = rescore(session, evaluation, embed=embed, extractor=Breaks("nothing"), only=NOT_JUDGED)
    assert (mended.verdicts, mended.different, mended.held_back) == (5, 5, 0)
    assert all(row.sub_label != NOT_JUDGED for row in stored(session, "c2").values())


def test_rescoring_keeps_what_stands_of_a_response_that_cannot_be_judged_any_more(
    session: Session, evaluation: str, embed: SentenceBert
) -> None:
    score(session, evaluation, embed=embed, extractor=Breaks("nothing"))
    before = stored(session, "c2")
    assert rescore(session, evaluation, embed=embed, extractor=Breaks(POISON)).held_back == 1
    assert stored(session, "c2") == before


def test_the_last_response_left_is_told_apart_from_a_judge_that_judges_nothing(
    session: Session, evaluation: str, embed: SentenceBert
) -> None:
    score(session, evaluation, embed=embed, extractor=Breaks("nothing"))
    session.execute(delete(verdict).where(verdict.c.case_id == "c2"))
    session.commit()
    assert score(session, evaluation, embed=embed, extractor=Breaks(POISON)).held_back == 1


def test_a_judge_that_can_judge_nothing_stops_and_convicts_no_response(
    session: Session, evaluation: str, embed: SentenceBert
) -> None:
    with pytest.raises(UserError, match=r"none of 4 responses could be judged, the first \(c1\) because of KeyError"):
        score(session, evaluation, embed=embed, extractor=Breaks(""))
    assert stored(session, "c1") == {}
    assert session.scalar(select(incident.c.id)) is None
    assert score(session, evaluation, embed=embed, extractor=Breaks("nothing"))[:2] == (4, 4)


def test_of_any_batch_exactly_the_faulty_are_told_and_the_others_done_in_order(session: Session) -> None:
    random = Random(7)
    for size in (1, 2, 3, 7, isolation.BATCH):
        for share in (0.0, 0.02, 0.3, 0.9):
            batch = [SimpleNamespace(case_id=f"c{number:02}", sample=1) for number in range(size)]
            faulty = {row.case_id for row in batch if random.random() < share} - {"c00"}

            def judge(part: Sequence[Any], faulty: set[str] = faulty) -> list[str]:
                for row in part:  # what a part wrote before it failed must be gone
                    statement = "INSERT INTO incident (kind, \"where\", message, way_out) VALUES ('t', :case, '', '')"
                    session.execute(text(statement), {"case": row.case_id})
                    if row.case_id in faulty:
                        session.execute(text("SELECT 1 / 0"))
                return [row.case_id for row in part]

            done, faults = isolation.each_by_itself(session, batch, judge, lambda: True)
            told = session.scalars(text("SELECT \"where\" FROM incident WHERE kind = 't' ORDER BY 1")).all()
            session.rollback()
            sound = [row.case_id for row in batch if row.case_id not in faulty]
            assert {fault.case_id for fault in faults} == faulty
            assert [case for part in done for case in part] == told == sound


def test_of_any_batch_exactly_those_are_told_that_take_longer_than_any_may(session: Session) -> None:
    now, random = 0.0, Random(26)
    for size in (1, 2, 7, 50):
        batch = [SimpleNamespace(case_id=f"c{number:02}", sample=1) for number in range(size)]
        slow = {row.case_id for row in batch if random.random() < 0.2}
        loaded = False

        def judge(part: Sequence[Any], slow: set[str] = slow) -> list[str]:
            nonlocal now, loaded
            now += sum(11 if row.case_id in slow else 0.1 for row in part) + (0 if loaded else 60)
            loaded = True  # models are loaded once, whoever comes first
            return [row.case_id for row in part]

        done, faults = isolation.each_by_itself(session, batch, judge, lambda: True, lambda: now)
        assert {fault.case_id for fault in faults} == slow
        assert all("it takes 11 s, 10 are allowed" in fault.reason for fault in faults)
        assert [case for part in done for case in part] == [row.case_id for row in batch if row.case_id not in slow]


def test_a_database_that_goes_away_is_nobodys_fault(session: Session) -> None:
    def judge(part: Sequence[Any]) -> None:
        session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(OperationalError):
        isolation.each_by_itself(session, [SimpleNamespace(case_id="c", sample=1)], judge, lambda: True)
    session.invalidate()
