"""Fixed wordings, as gold strings: each was read for a second meaning."""

import pytest
from phrases import standard_phrase

from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.units import Granularity, parse_point, spoken_year
from halluvault_tasks.temporal.verbalise import question

PHRASES = {
    "d": standard_phrase("life", "Charles Dickens"),
    "v": standard_phrase("run", "the Victorian era"),
    "e": standard_phrase("event", "the Great Exhibition"),
    "c": standard_phrase("life", "Caesar"),
    "w": standard_phrase("position", "George Washington", "President of the United States"),
    "a": standard_phrase("taking", "John Adams"),
    "i": standard_phrase("founding", "iRobot"),
}


@pytest.mark.parametrize(
    ("formula", "at", "asked", "said", "denied"),
    [
        (
            "v", 1850,
            "Was the Victorian era in progress at any time in 1850?",
            "The Victorian era was in progress at some time in 1850.",
            "The Victorian era was not in progress at any time in 1850.",
        ),
        (
            "e", 1851,
            "Did the Great Exhibition take place in 1851?",
            "The Great Exhibition took place in 1851.",
            "The Great Exhibition did not take place in 1851.",
        ),
        (
            "!v", 1836,
            "Is this statement true? “The Victorian era was not in progress at any time in 1836.”",
            "The Victorian era was not in progress at any time in 1836.",
            "The Victorian era was in progress at some time in 1836.",
        ),
        (
            "F[0,40] v", 1800,
            "Was the Victorian era in progress at any time between 1800 and 1840?",
            "The Victorian era was in progress at some time between 1800 and 1840.",
            "",
        ),
        (
            "F[0,9] e", 1850,
            "Did the Great Exhibition take place in the 1850s?",
            "The Great Exhibition took place in the 1850s.",
            "",
        ),
        (
            "G[30,50] w", 1760,
            "Was George Washington President of the United States throughout the period from 1790 to 1810?",
            "George Washington was President of the United States throughout the period from 1790 to 1810.",
            "",
        ),
        (
            "N d", 1811,
            "Was Charles Dickens alive at any time in 1812?",
            "Charles Dickens was alive at some time in 1812.",
            "Charles Dickens was not alive at any time in 1812.",
        ),
        (
            "w U[2,6] a", 1791,
            "Was George Washington President of the United States throughout the period from 1791 until John Adams "
            "took office?",
            "George Washington was President of the United States throughout the period from 1791 until John Adams "
            "took office.",
            "",
        ),
        (
            "d & c", 1850,
            "Were both Charles Dickens and Caesar alive in 1850?",
            "Both Charles Dickens and Caesar were alive in 1850.",
            "Charles Dickens and Caesar were not both alive in 1850.",
        ),
        (
            "d | c", 1900,
            "Was either Charles Dickens or Caesar alive at any time in 1900?",
            "Either Charles Dickens or Caesar was alive at some time in 1900.",
            "Neither Charles Dickens nor Caesar was alive at any time in 1900.",
        ),
        (
            "F[0,9] (d | c)", 1860,
            "Was either Charles Dickens or Caesar alive at any time between 1860 and 1869?",
            "Either Charles Dickens or Caesar was alive at some time between 1860 and 1869.",
            "",
        ),
        (
            "G[2,11] !e", 1838,
            "Did the Great Exhibition take place in the 1840s?",
            "The Great Exhibition took place in the 1840s.",
            "",
        ),
        (
            "F[0,56] c", -100,
            "Was Caesar alive at any time between 101 BC and 45 BC?",
            "Caesar was alive at some time between 101 BC and 45 BC.",
            "",
        ),
        (
            "F[0,4] !(d & c)", 1866,
            "Is this statement true? “There was a time between 1866 and 1870 when Charles Dickens and Caesar were not "
            "both alive.”",
            "There was a time between 1866 and 1870 when Charles Dickens and Caesar were not both alive.",
            "Both Charles Dickens and Caesar were alive throughout the period from 1866 to 1870.",
        ),
        (
            "i", 1990,
            "Was iRobot founded in 1990?",
            "iRobot was founded in 1990.",
            "iRobot was not founded in 1990.",
        ),
    ],
)  # fmt: skip
def test_the_wording_is_fixed(formula: str, at: int, asked: str, said: str, denied: str) -> None:
    found = question(parse(formula), at, PHRASES)
    assert found is not None
    assert found.question == asked
    assert found.statement == said
    assert found.negated_statement == denied
    # That something did not happen within some years is not asked: what denies it is said, and marked.
    assert found.denies == (formula == "G[2,11] !e")


@pytest.mark.parametrize(
    ("formula", "at", "paraphrase"),
    [
        ("v", 1850, "Was the Victorian era in progress at any point in 1850?"),
        ("i", 1990, ""),
        ("N d", 1811, "Was Charles Dickens alive at any point in 1812?"),
        ("F[0,40] v", 1800, "Was the Victorian era in progress at any point between 1800 and 1840?"),
        ("F[0,9] e", 1850, ""),
        ("G[0,9] d", 1850, "Was Charles Dickens alive in every year from 1850 to 1859?"),
        ("d & c", 1850, ""),
        ("!d", 1850, ""),
    ],
)
def test_the_paraphrase_means_the_same(formula: str, at: int, paraphrase: str) -> None:
    found = question(parse(formula), at, PHRASES)
    assert found is not None
    assert found.paraphrase == paraphrase


def test_a_denial_is_a_statement_to_judge_and_its_opposite_a_plain_question() -> None:
    """ "No" to "Is it true that X was not alive?" may be meant either way."""
    found = question(parse("!d"), 1850, PHRASES)
    assert found is not None
    assert found.question == "Is this statement true? “Charles Dickens was not alive at any time in 1850.”"
    assert found.opposite == "Was Charles Dickens alive at any time in 1850?"
    affirmed = question(parse("d"), 1850, PHRASES)
    assert affirmed is not None and affirmed.opposite == ""


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("F[0,5] G[1,3] d", "a window inside a window would need relative years"),
        ("G[0,5] F[1,3] d", "the same"),
        ("d U[1,20] v", "a witness before t+2 makes the readings of until differ"),
        ("d U[0,1] v", "the same"),
        ("e U[2,9] v", "a point does not last"),
        ("d U[2,9] e", "until is asked of terms alone"),
        ("F[0,5] !e", "whatever the dates, it did not happen in each of several years"),
        ("G[0,5] e", "a point does not happen year after year"),
        ("N F[0,3] d", "next is said of one year"),
        ("d & d", "both of one and the same"),
        ("d & unknown", "no phrase"),
        ("F[0,3] (d & (v | c))", "three things in one window"),
        ("(d | v) & c", "three things at once"),
        ("d & v", "of a person and an era something else is said"),
        ("F[0,9] d & c", "two windows in one sentence"),
        ("F[0,9] (d & c)", "whether both at the same time"),
        ("!d & F[0,3] v", "to deny it would be a double negative"),
        ("!d U[2,9] v", "the same"),
        ("d U[2,9] !v", "the same"),
    ],
)
def test_what_has_more_than_one_reading_is_not_asked(formula: str, why: str) -> None:
    assert question(parse(formula), 1850, PHRASES) is None, why


@pytest.mark.parametrize(
    ("formula", "at", "asked", "denied"),
    [
        ("v", "1837-06", "Was the Victorian era in progress at any time in June 1837?",
         "The Victorian era was not in progress at any time in June 1837."),
        ("e", "1851-05-01", "Did the Great Exhibition take place on 1 May 1851?",
         ""),
        ("N d", "1812-01", "Was Charles Dickens alive at any time in February 1812?",
         "Charles Dickens was not alive at any time in February 1812."),
        ("F[0,40] v", "1837-05-20",
         "Was the Victorian era in progress at any time between 20 May 1837 and 29 June 1837?",
         ""),
        ("G[1,3] w", "1790-12",
         "Was George Washington President of the United States throughout the period from January to March 1791?",
         ""),
        ("F[1,12] w", "1790-12",
         "Was George Washington President of the United States at any time in 1791?",
         "George Washington was not President of the United States at any time in 1791."),
        ("G[1,12] w", "1790-12",
         "Was George Washington President of the United States throughout 1791?",
         "George Washington was President of the United States for only part of 1791."),
        ("w", "1791-05",
         "Was George Washington President of the United States in May 1791?",
         "George Washington was not President of the United States in May 1791."),
        ("d & c", "1837-06-20", "Were both Charles Dickens and Caesar alive on 20 June 1837?",
         ""),
        ("w U[2,90] a", "1795-05",
         "Was George Washington President of the United States throughout the period from May 1795 until John Adams "
         "took office?",
         ""),
    ],
)  # fmt: skip
def test_months_and_days_have_wordings_of_their_own(formula: str, at: str, asked: str, denied: str) -> None:
    granularity = Granularity.DAY if at.count("-") == 2 else Granularity.MONTH
    found = question(parse(formula), parse_point(at, granularity), PHRASES, granularity)
    assert found is not None
    assert (found.question, found.negated_statement) == (asked, denied)


@pytest.mark.parametrize(("at", "granularity"), [("-0043-03", Granularity.MONTH), ("-0043-03-15", Granularity.DAY)])
def test_a_month_or_day_before_christ_names_no_one_calendar(at: str, granularity: Granularity) -> None:
    assert question(parse("c"), parse_point(at, granularity), PHRASES, granularity) is None


@pytest.mark.parametrize("formula", ["!N d", "!G[1,2] d", "!(d & c)", "!!d"])
def test_denial_swaps_what_is_said_and_what_is_denied(formula: str) -> None:
    denied, plain = question(parse(formula), 1850, PHRASES), question(parse(formula[1:]), 1850, PHRASES)
    assert denied is not None
    assert plain is not None
    assert (denied.statement, denied.negated_statement) == (plain.negated_statement, plain.statement)


@pytest.mark.parametrize("formula", ["!F[1,2] d", "G[0,9] !e", "!G[0,9] !e", "!!F[1,2] d"])
def test_what_happened_within_a_window_is_never_worded_as_a_denial(formula: str) -> None:
    found = question(parse(formula), 1850, PHRASES)
    assert found is not None
    assert " not " not in found.question + found.statement + found.paraphrase
    assert not found.negated_statement
    assert found.denies == (formula.count("!") % 2 == 1)


def test_that_a_state_is_over_is_said_by_what_has_happened_by_then_where_people_say_that() -> None:
    phrases = {"d": PHRASES["d"]._replace(still=True, over="had died")}
    denied, plain = question(parse("!d"), 1875, phrases), question(parse("d"), 1875, phrases)
    assert denied is not None and plain is not None
    assert denied.statement == plain.negated_statement == "Charles Dickens had died by 1875."
    assert denied.opposite == plain.question == "Was Charles Dickens still alive in 1875?"
    silent = question(parse("!d"), 1875, {"d": PHRASES["d"]._replace(still=True)})
    assert silent is not None and silent.statement == "Charles Dickens was no longer alive in 1875."


@pytest.mark.parametrize(
    ("window", "at", "why"),
    [
        ("F[0,4]", 1850, "no decade"),
        ("F[0,9]", 1851, "not the years that people call one"),
        ("F[0,9]", 1900, "the 1900s may be a century"),
        ("F[0,9]", 850, "nobody says the 850s"),
    ],
)
def test_what_happens_once_is_asked_about_within_a_decade_or_not_at_all(window: str, at: int, why: str) -> None:
    assert question(parse(f"{window} e"), at, PHRASES) is None, why


def test_years_before_christ_count_from_one() -> None:
    assert [spoken_year(year) for year in (-43, 0, 1, 99, 100, 1837)] == [
        "44 BC",
        "1 BC",
        "AD 1",
        "AD 99",
        "100",
        "1837",
    ]
