"""Sums and orders in signs, and drawn conclusions: right is right, wrong is wrong, what dates things is none."""

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.parser import spacy_parser

READER = AnswerReader(spacy_parser())
QUESTION = "Was Charles Dickens alive in the year 1840?"


def says(text: str) -> list[str]:
    (reading,) = READER.read([ReaderInput(f"Yes. {text}", QUESTION)])
    return [step.says for step in reading.steps]


BEFORE = ["Check: {a} < {b}.", "{a} ≤ {b}."]
NOT_BEFORE = ["Check: {a} > {b}."]
INSIDE = ["{a} ≤ {n} ≤ {b}.", "{n} ∈ [{a}, {b}]."]
OUTSIDE = ["{n} ∉ [{a}, {b}]."]
COUNT = ["{b} - {a} = {n}.", "{a} + {n} = {b}."]
SETS = [
    (BEFORE, (1812, 1870, 0), (1870, 1812, 0)),
    (NOT_BEFORE, (1870, 1812, 0), (1812, 1870, 0)),
    (INSIDE, (1812, 1870, 1840), (1812, 1870, 1900)),
    (OUTSIDE, (1812, 1870, 1900), (1812, 1870, 1840)),
    (COUNT, (1812, 1870, 58), (1812, 1870, 69)),
]


@pytest.mark.parametrize(
    ("frame", "right", "wrong"), [(frame, right, wrong) for frames, right, wrong in SETS for frame in frames]
)
def test_arithmetic_alone_decides_a_step(frame: str, right: tuple[int, int, int], wrong: tuple[int, int, int]) -> None:
    for numbers, truth in ((right, "true"), (wrong, "false")):
        assert says(frame.format(**dict(zip("abn", numbers, strict=True)))) == [truth]


@pytest.mark.parametrize(
    "text",
    [
        "Born in 1812, died after 1870.",
        "Charles Dickens was born in 1812 and, after his father's arrest in 1824, worked in a warehouse.",
        "Polk, elected in 1844, was in office from 1845 to 1849.",
        "He served from 1841 to 1845 after losing in 1840.",
        "From 1939 to 1945 he was in office for 3 years.",
        "In 1812 the war began; before 1820 it ended.",
        "It existed from 1922 to 1991 and was not around in 2000.",
        "If 1870 were before 1812, the statement would be wrong.",
        "The city had 1200 inhabitants in 1850 and 3000 in 1900.",
        "He wrote 15 novels between 1836 and 1870.",
        "Perhaps 1870 is before 1812.",
        "Is 1870 before 1812?",
        "1812 is about 30 years before 1870.",
        "1 September 1939 is later than 31 August 1939.",
        "Some say that 1812 is after 1870, but that is wrong.",
        "I first wrote that 1812 is after 1870. That was wrong.",
        "1812 is after 1870 – no, wait, before.",
        "The claim that 1812 is later than 1870 is wrong.",
        "1812 > 1870 is false.",
        "1812 is not only after 1800 but also before 1870.",
        "It ran from 1995 to 2001, and 1990 is not in that range.",
        "Yale (1701) is younger than Harvard (1636).",
        "Aliens does not follow directly after Alien.",
    ],
)
def test_what_dates_things_or_doubts_is_no_false_step(text: str) -> None:
    assert "false" not in says(text)


@pytest.mark.parametrize(
    "text", ["1870 is before 1812.", "1812 and 1870 are 60 years apart.", "1900 falls within 1812 to 1870."]
)
def test_what_is_said_of_years_in_words_is_no_step(text: str) -> None:
    assert says(text) == []


def test_a_drawn_conclusion_is_a_step_and_a_bare_answer_is_none() -> None:
    assert says("Therefore he was alive in the year 1840.") == ["entails(yes)"]
    assert says("So the answer is no.") == ["entails(no)"]
    assert says("He was alive in the year 1840.") == []
    assert says("So nothing can be concluded.") == ["nothing_follows"]
    assert says("He was born in 1812 and died in 1870, so the statement follows.") == ["entails(yes)"]
    assert says("A statement and its denial can both fail, so this one fails.") == ["entails(no)"]


@pytest.mark.parametrize("text", ["Date of death: 2011-03-23.", "He died on 1986-04-14.", "It ran from 1939-09-01 on."])
def test_the_parts_of_a_date_are_no_difference_of_years(text: str) -> None:
    assert says(text) == []
