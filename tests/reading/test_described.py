"""Whom and what a noun means that a question calls somebody or something by."""

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ClaimTriple, ReaderInput
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from tests.reading.material import book, file, shown

FILM, DIRECTOR, OTHER, DAUGHTER, FATHER, ACTOR, PLAYER = 1, 2, 3, 4, 5, 6, 7
HUMAN, SCREEN = frozenset(["human"]), frozenset(["screen"])
NAMES = Names([
    EntityName(FILM, "Gandhi", (), SCREEN, frozenset(["film"])),
    EntityName(DIRECTOR, "Richard Attenborough", (), HUMAN),
    EntityName(OTHER, "Sergio Leone", (), HUMAN),
    EntityName(DAUGHTER, "Anjelica Huston", (), HUMAN),
    EntityName(FATHER, "John Huston", (), HUMAN),
    EntityName(ACTOR, "actor", (), frozenset(["occupation"])),
    EntityName(PLAYER, "Bruce Willis", (), HUMAN),
])
READER = SyntaxReader(NAMES, book(), predicates.demonyms(file()), spacy_parser())
DIRECTED = ReaderInput(
    "", "Was the director of the 1982 film “Gandhi” born in 1930?", DIRECTOR, frozenset([FILM, DIRECTOR]),
    frozenset([57, 569]), (ClaimTriple(57, FILM, DIRECTOR),), frozenset([DIRECTOR]),
)  # fmt: skip
BEGOT = ReaderInput(
    "", "Was Anjelica Huston's father born in 1908?", FATHER, frozenset([DAUGHTER, FATHER]), frozenset([22, 569]),
    (ClaimTriple(22, DAUGHTER, FATHER),), frozenset([FATHER]),
)  # fmt: skip
PLAYED = ReaderInput("", "Was Bruce Willis, the American actor, born in 1955?", PLAYER, frozenset([PLAYER]))


def stated(text: str, about: ReaderInput) -> set[str]:
    """What may convict."""
    (reading,) = READER.read([about._replace(text=text)])
    return {shown(one) for one in reading.claims if not one.guards}


@pytest.mark.parametrize(
    "text",
    [
        "The director of the 1982 film “Gandhi” was born in 1930.",
        "The director of Gandhi was born in 1930.",
        "The director of the film was born in 1930.",
        "Gandhi's director was born in 1930.",
        "The film came out in India. Its director was born in 1930.",
        "The director was born in 1930.",
    ],
)
def test_whom_the_question_calls_by_a_noun_is_meant_by_it(text: str) -> None:
    assert {one for one in stated(text, DIRECTED) if "P569" in one} == {"P569(Richard Attenborough, 1930)"}


def test_her_father_is_the_father_of_whom_the_question_names() -> None:
    for text in ["Her father was born in 1908.", "Anjelica Huston's father was born in 1908."]:
        assert stated(text, BEGOT) == {"P569(John Huston, 1908)"}


def test_who_is_named_beside_the_noun_is_said_to_be_the_film_s() -> None:
    for text in ["The director, Sergio Leone, was born in 1929.", "The director is Sergio Leone."]:
        found = stated(text, DIRECTED)
        assert "P57(Gandhi, Sergio Leone)" in found
        assert "P569(Richard Attenborough, 1929)" not in found
    assert "not P57(Gandhi, Sergio Leone)" in stated("The director was not Sergio Leone.", DIRECTED)


def test_the_film_is_the_question_s_only_one() -> None:
    assert "P577(Gandhi, 1982)" in stated("The film was released in 1982.", DIRECTED)
    assert not stated("He met Sergio Leone. The actor was born in 1955.", PLAYED)
    assert not stated("The singer was born in 1955.", PLAYED)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (DIRECTED, "The art director was born in 1930."),
        (DIRECTED, "The director of photography was born in 1930."),
        (DIRECTED, "The director of the 1953 film “Gandhi” was born in 1930."),
        (DIRECTED, "The first director was born in 1930."),
        (DIRECTED, "The director's wife was born in 1930."),
        (DIRECTED, "The director of its sequel was born in 1930."),
        (DIRECTED, "If the director was born in 1930, he was 52."),
        (DIRECTED, "Some say the director was born in 1930."),
        (DIRECTED, "Was the director born in 1930?"),
        (DIRECTED, "The director Sergio Leone lost to was born in 1930."),
        (BEGOT, "She was born in 1951."),
        (BEGOT, "Her father's father was born in 1883."),
        (BEGOT, "Her father-in-law was born in 1908."),
        (BEGOT, "Sergio Leone was her friend. His father was born in 1908."),
        (BEGOT, "Her father was John Huston. His father was born in 1883."),
    ],
)
def test_another_s_noun_means_nobody_of_the_question(about: ReaderInput, text: str) -> None:
    assert not {one for one in stated(text, about) if "P569(Richard" in one or "P569(John" in one}


def test_a_year_within_what_a_noun_is_of_dates_no_birth() -> None:
    assert "P569(Richard Attenborough, 1982)" not in stated(
        "The director of Gandhi, of 1982, was born in 1923.", DIRECTED
    )


def test_a_pronoun_after_somebody_else_s_name_repeats_nothing_of_what_was_asked() -> None:
    reader = AnswerReader(spacy_parser())
    for text in [
        "No. Sergio Leone was her friend; his father was born in 1908.",
        "No. Her father-in-law was born in 1908.",
        "No. Her husband's father was born in 1908.",
    ]:
        (reading,) = reader.read([ReaderInput(text, BEGOT.question)])
        assert reading.answer.kind == "no", text
