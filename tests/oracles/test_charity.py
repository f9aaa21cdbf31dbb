"""What may be a misreading convicts nobody; what is read plainly still does."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from halluvault_tasks.oracles import charity
from halluvault_tasks.oracles.asked import CasePremise, CaseToJudge
from halluvault_tasks.oracles.roles import Cast
from halluvault_tasks.oracles.statuses import ClaimStatus
from halluvault_tasks.reading.base import Answer, Claim, ClaimTriple, Conclusion, DateInterval, Reading, TextSpan

BIRTH, DEATH, ANN, BOB, CID = 569, 570, 1, 2, 3
BORN = {ANN: 1950, BOB: 1952}
QUESTION = "Was Ann Lee born in 1955?"


def asked(question: str = QUESTION) -> CaseToJudge:
    evidence = tuple(CasePremise(BIRTH, who, 0, f"{year}-05-05", 11, None) for who, year in BORN.items())
    return CaseToJudge(
        question, "no", False, BIRTH, ANN, 0, evidence, "", 0, "year", False, "original", "", False, False
    )


def claim(who: int, year: int, *, sentence: int = 0, negative: bool = False, precision: int = 9) -> Claim:
    days = DateInterval(year, year, precision)
    triples = (ClaimTriple(BIRTH, who, 0),)
    return Claim(TextSpan(0, 20), sentence, triples, "", str(year), negative, (), ("syntax",), days)


def status(one: Claim) -> ClaimStatus:
    known = BORN.get(one.triples[0].s)
    if known is None or one.days is None:
        return ClaimStatus("unverifiable", 0, "")
    return ClaimStatus("supported" if (one.days.earliest == known) != one.negative else "contradicted", 7, "")


def doubtful(
    claims: Sequence[Claim],
    answer: str = "no",
    *,
    apart: bool = False,
    concludes: bool = False,
    question: str = QUESTION,
) -> list[bool]:
    concluded = (Conclusion(TextSpan(0, 5), "yes" if answer == "no" else "no"),) if concludes else ()
    reading = Reading(Answer(answer, TextSpan(0, 2)), tuple(claims), (), (), concluded)  # type: ignore[arg-type]
    found = charity.guarded(asked(question), reading, claims, status, apart=apart)
    return ["doubtful" in one.guards for one in found]


def test_a_wrong_date_alone_stays_what_it_is() -> None:
    assert doubtful([claim(ANN, 1960)]) == [False]
    assert doubtful([claim(ANN, 1960), claim(ANN, 1950, sentence=1)]) == [False, False]


def test_a_sentence_that_gives_the_known_date_as_well_convicts_nobody() -> None:
    assert doubtful([claim(ANN, 1960), claim(ANN, 1950)]) == [True, False]


def test_a_broader_right_date_takes_no_exact_wrong_one_back() -> None:
    assert doubtful([claim(ANN, 1960, precision=9), claim(ANN, 1950, precision=8)]) == [False, False]


def test_a_right_date_takes_no_wrong_age_back() -> None:
    aged = claim(ANN, 1960)._replace(days=None, amount=Decimal(80), triples=(ClaimTriple(DEATH, ANN, 0),))
    assert doubtful([aged, claim(ANN, 1950)]) == [False, False]


def test_a_right_denial_takes_no_wrong_date_back() -> None:
    assert doubtful([claim(ANN, 1960), claim(ANN, 1961, negative=True)]) == [False, False]


def test_what_the_text_itself_denies_is_only_spoken_of() -> None:
    denied = "Is this statement true? “Ann Lee was not born in 1955.”"
    for question, answer in [(QUESTION, "no"), (denied, "yes")]:
        assert doubtful([claim(ANN, 1955)], answer, question=question) == [True]
        assert doubtful([claim(ANN, 1960)], answer, question=question) == [False], "not in the question"
        assert doubtful([claim(ANN, 1955)], "unparseable", question=question) == [False]


def test_what_is_denied_and_set_right_elsewhere_is_only_spoken_of_however_plain() -> None:
    claims = [claim(ANN, 1955), claim(ANN, 1950, sentence=1)]
    assert doubtful(claims, "no", concludes=True) == [True, False]


def test_a_denial_that_the_text_denies_is_only_spoken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BORN, ANN, 1955)
    assert doubtful([claim(ANN, 1955, negative=True)], "yes") == [True]
    assert doubtful([claim(ANN, 1955, negative=True)], "no") == [False], "it is what is answered"


def test_what_a_text_affirms_or_concludes_convicts() -> None:
    assert doubtful([claim(ANN, 1955)], "yes") == [False], "the answer itself"
    assert doubtful([claim(ANN, 1955)], "no", concludes=True) == [False], "the text says so plainly"
    assert doubtful([claim(ANN, 1955)], "no", apart=True) == [False], "the text denies nothing: the verdict came apart"


def test_a_conclusion_in_a_larger_sentence_opposes_no_right_answer_whose_ground_is_given() -> None:
    spoken = Conclusion(TextSpan(30, 35), "yes", plain=False)
    born = claim(ANN, 1950)
    for answer, said, one, counts in [
        ("no", born, spoken, False),
        ("no", born, spoken._replace(plain=True), True),
        ("no", claim(ANN, 1960), spoken, True),
        ("no", claim(ANN, 1955, negative=True), spoken, True),
        ("yes", born, spoken, True),
    ]:
        reading = Reading(Answer(answer, TextSpan(0, 2)), (), (), (), (one,))  # type: ignore[arg-type]
        told = [(said, Cast("premise", said.triples[0]), status(said))]
        assert bool(charity.standing(asked(), reading, told)) == counts, (answer, said, one)
