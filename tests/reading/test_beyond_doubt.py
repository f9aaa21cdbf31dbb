"""A right answer is convicted beyond doubt only: kinds of sentences of capable models that were misread once."""

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput, Reading
from halluvault_tasks.reading.parser import spacy_parser
from tests.reading.material import read, shown, stated

ANN = "Ann Lee"
BORN = "Is this statement true? “Ann Lee was born on 14 May 1939.”"
ALIVE = "Was Ann Lee still alive in July 2014?"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("She is the younger sister of [Paul Carr|human] (born 1939).", "P569(Ann Lee, 1939)"),
        ("She is the younger sister of P. C. (born 1939).", "P569(Ann Lee, 1939)"),
        ("She is the daughter of Paul Carr, who died in 1939.", "P570(Ann Lee, 1939)"),
    ],
)
def test_a_clause_that_is_nearer_to_another_says_nothing_of_somebody_beyond_doubt(text: str, claim: str) -> None:
    assert claim not in stated(text, ANN)


def test_a_clause_of_a_remake_may_be_that_of_the_film_that_is_nearer() -> None:
    text = 'It\'s a remake of the East German film "Jakob der Lügner" by [Frank Beyer|human], which came out in 1974.'
    assert "P577(Jakob the Liar, 1974)" not in stated(text, "Jakob the Liar", "screen,work")


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee, the daughter of [Paul Carr|human], was born in 1939.",
        "Ann Lee, who studied under Paul Carr, was born in 1939.",
        "It was Ann Lee, not [Paul Carr|human], who was born in 1939.",
    ],
)
def test_who_is_named_in_passing_takes_no_date_away(text: str) -> None:
    assert "P569(Ann Lee, 1939)" in stated(text, ANN)


@pytest.mark.parametrize(
    "text",
    [
        "Henrietta Maria was her mother. She was born in 1609.",
        "[Henrietta|asteroid] [Maria|asteroid] was her mother. She was born in 1609.",
        "Gustaf Carr, the father, lived from 1858 to 1950. He was born in 1609.",
    ],
)
def test_a_pronoun_behind_a_stranger_is_the_stranger(text: str) -> None:
    assert not any(shown(one) == "P569(Ann Lee, 1609)" for one in read(text, ANN))


def test_the_date_of_a_birth_is_not_that_of_the_death_beside_it() -> None:
    text = "With a birth on 22 April 1937 and a death on 25 August 2000, Ann Lee died aged 63."
    assert "P570(Ann Lee, 22 April 1937)" not in stated(text, ANN)


def test_what_is_denied_by_an_auxiliary_is_denied() -> None:
    text = "She has not been married to [James Brown|human]."
    assert stated(text, ANN) == {"not P26(Ann Lee, James Brown)"}


def _read(question: str, text: str, verdict: str | None = None) -> Reading:
    (found,) = AnswerReader(spacy_parser()).read([ReaderInput(text, question, verdict=verdict)])
    return found


@pytest.mark.parametrize(
    ("question", "text", "against"),
    [
        (BORN, "The year in the question is right, but the date is nine days too early.", "yes"),
        (BORN, "The month in the statement is correct, the year is not.", "yes"),
        (
            "Is this statement true? “Ann Lee died before turning ninety.”",
            "She was 93 when she died, so she had turned ninety before her death.",
            "yes",
        ),
        (
            "Is this statement true? “Carpo is not a moon of the planet Saturn.”",
            "Since it doesn't belong to Saturn, the statement is true.",
            "no",
        ),
        (
            "Is this statement true? “The series ‘Great Performances’ did not begin in 1972.”",
            "It has been on air since 1972, so claiming it did not begin that year is false.",
            "yes",
        ),
        (
            "Is this statement true? “Ann Lee was not born in Missouri.”",
            "Ann Lee grew up on Long Island. New York, not Missouri.",
            "no",
        ),
        (
            "Was the video game “Max Payne 3” developed by Codemasters?",
            "No, the video game “Max Payne 3” was developed by Rockstar Vancouver.",
            "yes",
        ),
        ("Did Ann Lee die of epilepsy?", "Ann Lee died in Los Angeles in May 1970 at the age of 85.", "yes"),
        (
            "Was Ann Lee Governor of Ohio at any time in 2006?",
            "On the one hand there is the time you ask about (2006), on the other the time from 1995 to 2004, when Ann "
            "Lee was Governor of Ohio.",
            "yes",
        ),
    ],
)
def test_what_only_looks_like_the_opposite_concludes_nothing(question: str, text: str, against: str) -> None:
    assert against not in {one.kind for one in _read(question, text, "no").conclusions}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes would be an easy answer and a wrong one.", "unparseable"),
        ("Yes, had death waited; but it came on 4 April 2007.", "unparseable"),
        ("Would I say no? Only if she had died in 2010.", "unparseable"),
        ("Alive, yes. She died on 14 September 2015. Not before.", "unparseable"),
        ("Had she died in 2010, the answer would be no; but she died in 2015, and it is yes.", "yes"),
        ("It would be no injustice to say so.", "unparseable"),
        ("Yes. She died in 2010. Wait, that needs sorting out: she died in 2009. So the answer is no.", "no"),
        ("Dead since 2010, she does not belong to the time asked about: no.", "no"),
        ("So the answer would be no.", "no"),
    ],
)
def test_a_yes_that_a_sentence_only_speaks_of_is_no_answer(text: str, answer: str) -> None:
    assert _read(ALIVE, text).answer.kind == answer
