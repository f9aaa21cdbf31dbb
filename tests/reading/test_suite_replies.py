"""Replies to companion suites: what copies the prompt, denies nothing, or is a sentence with commas."""

import pytest
from hypothesis import given

from halluvault_tasks.reading import conduct, listed
from halluvault_tasks.reading.conduct import Sought
from halluvault_tasks.reading.parser import spacy_parser
from tests.reading.wrapping import Wrap, wrapped, wraps

PROMPT = (
    "Context:\n[L1] “Amber Harbour” by Ann Roe: https://example.org/Q77\nThe context is the complete index of our "
    "library: what is not in it, we do not have. Give the address of “Brass Harbour” by Ann Roe.\nThe facts are to be "
    "judged as of 1 August 2019."
)


@pytest.mark.parametrize(
    ("said", "reported", "does"),
    [
        ("The facts are to be judged as of 1 August 2019.", "declines", "unread"),
        ("The facts are to be judged as of 1 August 2024.", "answers", "unread"),
        ("It is not in the index, so there is no address to give.", "declines", "declines"),
        ("Brass Harbour is a novel that Ann Roe wrote in her youth.", "declines", "answers"),
        ("Its address is https://example.org/Q78, though I cannot say so for sure.", "declines", "answers"),
        ("Which Ann Roe do you mean?", "declines", "asks"),
    ],
)
def test_what_a_model_says_of_itself_is_believed_as_far_as_its_own_words_bear_it(
    said: str, reported: str, does: str
) -> None:
    sought = Sought(identifiers=["https://example.org/Q77"], shown=PROMPT)
    assert conduct.read(said, reported, sought, PROMPT).conduct == does


@given(wraps())
def test_the_word_that_says_what_a_model_did_is_read_whatever_wraps_it(several: list[Wrap]) -> None:
    said = "It is not in the index, so there is no address to give."
    sought = Sought(identifiers=["https://example.org/Q77"], shown=PROMPT)
    assert conduct.read(said, wrapped("declines", several), sought, PROMPT).reported == "declines"


@pytest.mark.parametrize("reply", ["declines or asks", "It declines.", '{"conduct": "asks", "n": 1}', "declined", ""])
def test_of_more_than_one_word_what_a_model_did_is_not_guessed(reply: str) -> None:
    assert conduct.read("What?", reply, Sought()).reported == ""


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("She was no longer alive in 1877, by L2.", True, False),
        ("By 1877 she wasn't alive (L2).", True, False),
        ("In 1877 she was not dead.", False, True),
        ("Alive, by L1.", False, True),
        ("She had died; she was dead.", True, False),
    ],
)
def test_who_denies_one_of_two_states_asserts_the_other(said: str, right: bool, wrong: bool) -> None:
    found = conduct.read(said, "answers", Sought(right=[["dead"]], wrong=[["alive"]], opposite=True))
    assert (found.right, found.wrong) == ((right,), wrong)


@pytest.mark.parametrize(
    ("reply", "states"),
    [
        ("Paris, Rome, Madrid", False),
        ("Sidney Lumet, Curtis Hanson, Federico Fellini", False),
        ("The capital of Turkey is Istanbul, as far as is known", True),
        ("It was directed by Anthony James, who also wrote it", True),
    ],
)
def test_a_sentence_with_commas_states_something_and_a_list_of_names_does_not(reply: str, states: bool) -> None:
    assert listed.states(reply, spacy_parser()) is states


def test_what_a_colon_or_semicolon_sets_apart_is_no_name_by_commas_unless_all_are_known() -> None:
    assert listed.read("Films: Thor, 8 Mile; Mumford.", {"ang lee": "Ang Lee"}).form == "other"
    assert listed.read("2001: A Space Odyssey, Thor", {"2001: a space odyssey": "2001", "thor": "Thor"}).form == "list"
