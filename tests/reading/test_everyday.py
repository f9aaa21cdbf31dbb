"""True answers in everyday wordings: nothing is read that they do not say."""

import pytest

from tests.reading.material import stated

BORN, NOT_BORN = "P569(Ann Lee, 1952)", "not P569(Ann Lee, 1955)"


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Lee|human] was born in **1952**, not **1955**.",
        "[Ann Lee|human] was born in *1952*, not in *1955*.",
        "**[Ann Lee|human]** was born in **1952**, **not** in **1955**.",
    ],
)
def test_an_emphasised_date_is_read_as_a_plain_one(text):
    assert stated(text) == {BORN, NOT_BORN}


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "It was [Bob Bell|human] and not [Ann Lee|human] who died in 1955.",
            {"P570(Bob Bell, 1955)", "not P570(Ann Lee, 1955)"},
        ),
        ("It was [Bob Bell|human], not [Ann Lee|human], who died in 1955.", {"not P570(Ann Lee, 1955)"}),
        ("It was not [Ann Lee|human], who died in 1952.", {"P570(Ann Lee, 1952)"}),
        ("It's impossible for [Ann Lee|human] to have been born in 1955, since she was born in 1952.", {BORN, NOT_BORN}),
        ("To say that [Ann Lee|human] was born in 1955 is a mistake; the right year is 1952.", set()),
        ("That [Ann Lee|human] was born in 1955 contradicts the record.", set()),
        ("That [Ann Lee|human] was born in 1955 is wrong.", set()),
        ("Given that [Ann Lee|human] was born in 1952, 1955 can't be right.", {BORN}),
        ("Given that [Ann Lee|human] was born in 1952, she was not alive in 1940.", {BORN}),
    ],
)
def test_what_a_sentence_denies_from_without_is_not_affirmed_nor_the_reason_of_a_denial_denied(text, claims):
    assert stated(text) == claims
