"""A name that is only a part of a longer one means somebody or something else."""

import pytest

from tests.reading.material import read, stated


def ends(text: str, topic: str = "") -> set[tuple[str, int, bool]]:
    """Who is dated, with the item, and whether the claim may convict."""
    return {(one.subject, one.triples[0].s, not one.guards) for one in read(text, topic) if one.days}


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("[John Huston|human]", "Walter Huston was born in 1884."),
        ("[John Huston|human]", "W. Huston was born in 1884."),
        ("[Robert De Niro|human]", "Raphael De Niro was born in 1976."),
        ("[Vincent van Gogh|human]", "Theo van Gogh was born in 1857."),
        ("[John F. Kennedy|human]", "Robert F. Kennedy was born in 1925."),
        ("[John F. Kennedy|human]", "John F. Kennedy Jr. was born in 1960."),
        ("[Marie Curie|human]", "Irène Joliot-Curie was born in 1897."),
        ("[Jaws|screen]", "Jaws 2 was released in 1978."),
        ("[Jaws|screen]", "Lego Jaws was released in 1978."),
        ("[Gulf War|conflict]", "The Second Gulf War began in 2003."),
        ("[World War I|conflict]", "World War II began in 1939."),
    ],
)
def test_a_part_of_a_longer_name_links_to_nobody(known: str, text: str) -> None:
    assert not any(item for _, item, _ in ends(f"It is about {known}. {text}"))


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("[John Huston|human]", "Mr. Huston was born in 1906."),
        ("[John Huston|human]", "J. Huston was born in 1906."),
        ("[Robert De Niro|human]", "De Niro was born in 1943."),
        ("[Vincent van Gogh|human]", "The painter van Gogh was born in 1853."),
        ("[John F. Kennedy|human]", "John Fitzgerald Kennedy was born in 1917."),
        ("[John F. Kennedy|human]", "Thus John F. Kennedy was born in 1917."),
        ("[Jaws|screen]", "Jaws was released in 1975."),
    ],
)
def test_a_form_of_the_name_links(known: str, text: str) -> None:
    assert any(item and plain for _, item, plain in ends(f"It is about {known}. {text}"))


def test_more_names_than_are_known_convict_nobody_but_whoever_is_introduced_by_them() -> None:
    assert ends("John Quincy Adams was born in 1767.", "John Adams") == {("John Adams", 10**6, True)}
    for text in [
        "John Adams had a son. John Quincy Adams was born in 1767.",
        "John Quincy Adams, the son of John Adams, was born in 1767.",
        "Thomas John Adams was born in 1767.",
    ]:
        assert {plain for *_, plain in ends(text, "John Adams")} == {False}, text


def test_a_word_of_doubt_before_a_name_is_none_of_its_names() -> None:
    assert not stated("Perhaps Tom Berg was born in 1950.", "Tom Berg")


def test_an_article_counts_nothing_where_two_names_overlap() -> None:
    text = "[The Pacific|screen] tells of the [Pacific War|conflict]. The Pacific War ended in 1945."
    assert "P582(Pacific War, 1945)" in stated(text)
