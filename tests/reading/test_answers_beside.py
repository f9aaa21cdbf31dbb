"""What is said beside an answer, of other dates, places, numbers and things, is no second one."""

import pytest

from tests.reading.test_answers import BORN, read

NUMBER, REACHED = "Does copper have the atomic number 28?", "Did Ada Lovelace reach the age of forty?"
DIED = "Did Ada Lovelace die in 1853?"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("He died in 1995.", "unparseable"),
        ("He not only died in 1995, he was famous.", "unparseable"),
        ("He did not die in 1995.", "no"),
        ("He died on 3 December 1995.", "yes"),
        ("He did not die on 3 December 1995.", "unparseable"),
        ("No. Alonzo Church died in 1995.", "no"),
    ],
)
def test_a_date_affirms_none_that_is_more_exact_and_its_denial_none_that_is_broader(text: str, kind: str) -> None:
    assert read(text, "Did Alonzo Church die in December 1995?").kind == kind


def test_the_first_of_a_month_is_no_other_day_of_it() -> None:
    question = "Was Freddie Mercury born on 1 September 1946?"
    assert read("No. He was born on 5 September 1946.", question).kind == "no"
    assert read("He was born on 1 September 1946.", question).kind == "yes"


def test_what_is_denied_in_brackets_denies_no_whole() -> None:
    assert read("Yes. She was born in France (not England).").kind == "yes"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("No. Ada Lovelace was born in London, as opposed to France.", BORN),
        ("No. Ada Lovelace was born in London, many miles from France.", BORN),
        ("No. Ada Lovelace was born in London, far away from France.", BORN),
        ("No. Ada Lovelace was born neither in France nor anywhere else but in London.", BORN),
        ("No. Ada Lovelace died in 1852 (1852 < 1853).", DIED),
        ("No. Despite the 1853 in the question, Ada Lovelace died in 1852.", DIED),
        ("No. Ada Lovelace was still alive in 1851 and died in 1852.", DIED.replace("1853", "1851")),
        ("No. Ada Lovelace did not die in 1853, nor in any year other than 1852.", DIED),
        ("Yes. Ada Lovelace did not die in any year except 1852.", DIED.replace("1853", "1852")),
        ("Yes. Ada Lovelace died in 1852, so neither in 1851 nor in 1853.", DIED.replace("1853", "1852")),
        ("Yes. Ada Lovelace died in 1852, so not in the same year as Gogol.", DIED.replace("1853", "1852")),
        ("Yes. It would be mistaken to place the death of Ada Lovelace in 1853.", DIED.replace("1853", "1852")),
        ("No. Copper comes after nickel, which has the atomic number 28, so copper has 29.", NUMBER),
        ("No. Unlike nickel, which has the atomic number 28, copper has the atomic number 29.", NUMBER),
        ("No. 28 is the atomic number of nickel, whereas copper has 29.", NUMBER),
        ("No. Copper has an atomic number of 29, and nickel of 28.", NUMBER),
        ("No. It is nickel that has the atomic number 28.", NUMBER),
        ("No. Ada Lovelace reached the age of 36.", REACHED),
    ],
)
def test_what_is_said_of_another_place_number_or_thing_is_no_second_answer(text: str, about: str) -> None:
    assert read(text, about).kind == text.partition(".")[0].lower()


def test_a_contradiction_is_still_one() -> None:
    assert read("No. Copper has the atomic number 28.", NUMBER).kind == "contradictory"
    assert read("No. Ada Lovelace died in 1853.", DIED).kind == "contradictory"
    assert read("No. Ada Lovelace reached the age of 40.", REACHED).kind == "contradictory"
    assert read("No. Ada Lovelace was born in France, far away from England.").kind == "contradictory"


def test_a_date_set_right_in_few_words_is_no_no() -> None:
    about = DIED.replace("1853", "1852")
    assert read("Yes. Ada Lovelace died in 1852. Again: 1852, not 1853.", about).kind == "yes"
    assert read("Certainly not.", about).kind == "no"


def test_no_matter_what_denies_nothing() -> None:
    about = DIED.replace("1853", "1852")
    assert read("Yes. No matter what the question says, Ada Lovelace died in 1852.", about).kind == "yes"
