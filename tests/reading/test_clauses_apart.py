"""What one clause denies or leaves out is said of no other: true prose must not be read as false."""

import pytest

from tests.reading.material import stated


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "[Ann Lee|human] was born in 1952, so she was not born in 1955.",
            {"P569(Ann Lee, 1952)", "not P569(Ann Lee, 1955)"},
        ),
        (
            "[Ann Lee|human] died in 1931; therefore, she did not die in 1930.",
            {"P570(Ann Lee, 1931)", "not P570(Ann Lee, 1930)"},
        ),
        (
            "No – [Ann Lee|human] did not die in 1930; she died in 1931.",
            {"P570(Ann Lee, 1931)", "not P570(Ann Lee, 1930)"},
        ),
        ("[Ann Lee|human] was born in 1952 rather than in 1955.", {"P569(Ann Lee, 1952)", "not P569(Ann Lee, 1955)"}),
        ("[Ann Lee|human] was born in 1952, not in 1955.", {"P569(Ann Lee, 1952)", "not P569(Ann Lee, 1955)"}),
        (
            "[Ann Lee|human] is a native of [Leeds|place] and not of [York|place].",
            {"P19(Ann Lee, Leeds)", "not P19(Ann Lee, York)"},
        ),
        ("[Chlorine|element] has the atomic number 17, not 16.", {"P1086(Chlorine, 17)", "not P1086(Chlorine, 16)"}),
    ],
)
def test_a_clause_is_denied_by_its_own_words_alone(text, claims):
    assert stated(text) == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "[Ann Lee|human] was born in 1971 and [Bob Bell|human] in 1968.",
            {"P569(Ann Lee, 1971)"},
        ),
        (
            "[Ann Lee|human] was born in 1971, [Bob Bell|human] in 1968.",
            {"P569(Ann Lee, 1971)"},
        ),
        (
            "[Titanic|screen] was released in 1997 and [Avatar|screen] in 2009.",
            {"P577(Titanic, 1997)"},
        ),
        (
            "The [Gulf War|conflict] began in 1990 and ended in 1991, the [Bosnian War|conflict] in 1995.",
            {"P580(Gulf War, 1990)", "P582(Gulf War, 1991)"},
        ),
        (
            "[Ann Lee|human] was born in 1971 in [Leeds|place], [Bob Bell|human] in 1968 in [York|place].",
            {"P569(Ann Lee, 1971)", "P19(Ann Lee, Leeds)"},
        ),
        ("[Ann Lee|human] was born in 1971, her brother in 1968.", {"P569(Ann Lee, 1971)"}),
        ("[Ann Lee|human] was born in 1971, and [Bob Bell|human] in 1990 joined her.", {"P569(Ann Lee, 1971)"}),
        ("[Ann Lee|human] was not born in 1971 and [Bob Bell|human] in 1968.", {"not P569(Ann Lee, 1971)"}),
        ("[Ann Lee|human] was born in 1971 and [Bob Bell|human] not in 1968.", {"P569(Ann Lee, 1971)"}),
        (
            "[Ann Lee|human] (born 1971) and [Bob Bell|human] (born 1968) met.",
            {"P569(Ann Lee, 1971)", "P569(Bob Bell, 1968)"},
        ),
        (
            "[Ann Lee|human] was born in 1971, not [Bob Bell|human], who was born in 1968.",
            {"P569(Ann Lee, 1971)", "P569(Bob Bell, 1968)"},
        ),
        (
            "[Ann Lee|human] was born in [Leeds|place] in 1971 and died in [York|place] in 2001.",
            {"P19(Ann Lee, Leeds)", "P569(Ann Lee, 1971)", "P20(Ann Lee, York)", "P570(Ann Lee, 2001)"},
        ),
    ],
)
def test_what_stands_behind_a_name_without_a_verb_is_not_said_of_the_name_before(text, claims):
    assert stated(text) == claims


def test_a_label_that_names_a_property_is_read():
    assert stated("Answer: Yes. End: 1917", topic="Somme", topic_kinds="event") == {"P582(Somme, 1917)"}


def test_a_date_beside_a_name_in_an_adjunct_dates_not_the_verb():
    for text in [
        "[Ann Lee|human] was born in 1971, three years after [Bob Bell|human] in 1968.",
        "[Ann Lee|human] was born in 1971, and in 1968 [Bob Bell|human].",
    ]:
        assert {one for one in stated(text) if "P569" in one and "1968" in one} == set(), text


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The date of [Ann Lee|human]'s death was 3 May 1950.", {"P570(Ann Lee, 3 May 1950)"}),
        ("1889 is the year of [Ann Lee|human]'s birth.", {"P569(Ann Lee, 1889)"}),
        ("The year of [Ann Lee|human]'s birth was not 1889.", {"not P569(Ann Lee, 1889)"}),
        ("The year of [Ann Lee|human]'s first novel was 1937.", set()),
        ("The year after [Ann Lee|human]'s birth was 1890.", set()),
        ("The year of [Ann Lee|human]'s mother's death was 1937.", set()),
        ("The date of [Ann Lee|human]'s death was announced in 1951.", set()),
    ],
)
def test_the_date_of_an_event_is_its_date(text, claims):
    assert stated(text) == claims
