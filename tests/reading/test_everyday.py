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
        (
            "It was [Bob Bell|human], not [Ann Lee|human], who died in 1955.",
            {"P570(Bob Bell, 1955)", "not P570(Ann Lee, 1955)"},
        ),
        ("It was not [Ann Lee|human], who died in 1952.", {"P570(Ann Lee, 1952)"}),
        (
            "It's impossible for [Ann Lee|human] to have been born in 1955, since she was born in 1952.",
            {BORN, NOT_BORN},
        ),
        ("To say that [Ann Lee|human] was born in 1955 is a mistake; the right year is 1952.", set()),
        ("That [Ann Lee|human] was born in 1955 contradicts the record.", set()),
        ("That [Ann Lee|human] was born in 1955 is wrong.", set()),
        ("Given that [Ann Lee|human] was born in 1952, 1955 can't be right.", {BORN}),
        ("Given that [Ann Lee|human] was born in 1952, she was not alive in 1940.", {BORN}),
    ],
)
def test_what_a_sentence_denies_from_without_is_not_affirmed_nor_the_reason_of_a_denial_denied(text, claims):
    assert stated(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "In 1961, [Ann Lee|human] had already been born.",
        "In 1961, [Ann Lee|human] had long since died.",
        "In 1940 [Ann Lee|human] had not yet been born.",
        "[Ann Lee|human]'s fortieth birthday came in 1992.",
        "[Ann Lee|human]'s 80th birthday was in 2032.",
        "[Ann Lee|human] celebrated her last birthday in 2032.",
        "[Jaws|screen]'s second release was in 1980.",
        "[Ann Lee|human] was born in 1955 at the latest.",
    ],
)
def test_what_bounds_a_date_or_returns_each_year_is_no_date_of_it(text):
    assert stated(text) == set()
    assert stated("[Ann Lee|human] had been born in 1952.") == {BORN}


def test_a_sum_or_an_order_in_signs_dates_nothing():
    assert stated("[Ann Lee|human] was born in 1952 (1952 < 1955, 1952 + 3 = 1955).") == {BORN}


def test_it_stands_for_nothing_where_a_cleft_picks_something_out():
    text = "[Helium|element] is light. It is [Gold|element] that has the atomic number 79."
    assert stated(text) == {"P1086(Gold, 79)"}


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("[Ann Lee|human] was born in the year 1952, not in the year 1955.", {BORN, NOT_BORN}),
        (
            "It was [Bob Bell|human] rather than [Ann Lee|human] who was born in 1955.",
            {"P569(Bob Bell, 1955)", NOT_BORN},
        ),
        ("[Ann Lee|human]'s birth in 1952 and death in 1994 are known.", {BORN}),
        ("1952 is the year of birth and 1990 the year of death of [Ann Lee|human].", {"P570(Ann Lee, 1990)"}),
        ("When [Gulf War|conflict] ended in 1952, 1955 was still to come.", {"P582(Gulf War, 1952)"}),
        ("Suppose [Ann Lee|human] was born in 1955; then all is wrong.", set()),
        ("The rumor that [Ann Lee|human] was born in 1955 is unfounded.", set()),
    ],
)
def test_a_date_is_that_of_its_own_part_of_the_sentence(text, claims):
    assert stated(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "The birth of [Ann Lee|human] was in 1952, that of [Bob Bell|human] in 1955.",
        "As against [Bob Bell|human] in 1955, [Ann Lee|human] was born in 1952.",
        "Unlike [Bob Bell|human] in 1955, [Ann Lee|human] was born in 1952.",
    ],
)
def test_a_date_behind_another_name_in_a_comparison_is_not_the_subject_s(text):
    assert BORN in stated(text)
    assert not any("Ann" in one and "1955" in one for one in stated(text))


@pytest.mark.parametrize(
    "text", ["The birth date of [Ann Lee|human] was 3 May 1952.", "[Ann Lee|human]'s date of birth is 3 May 1952."]
)
def test_a_birth_date_is_no_anniversary(text):
    assert stated(text) == {"P569(Ann Lee, 3 May 1952)"}
