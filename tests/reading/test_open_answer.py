"""What replies to open questions name: names as people write them, dates, numbers, and how sure they are."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.open_answer import counting, cutting, dating, likeness, spelling
from halluvault_tasks.reading.open_answer.likeness import NameLikeness
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.times import MONTH_NAMES, julian_date

JAWS = "Who directed Jaws?"


@pytest.mark.parametrize(
    ("said", "known", "alike"),
    [
        ("steven SPIELBERG", "Steven Spielberg", NameLikeness.SAME),
        ("Sir Isaac Newton", "Isaac Newton", NameLikeness.SAME),
        ("Zemin Jiang", "Jiang Zemin", NameLikeness.SAME),
        ("Gabriel Garcia Marquez", "Gabriel García Márquez", NameLikeness.SAME),
        ("J.R.R. Tolkien", "J. R. R. Tolkien", NameLikeness.SAME),
        ("J. R. R. Tolkien", "John Ronald Reuel Tolkien", NameLikeness.FORM),
        ("JRR Tolkien", "John Ronald Reuel Tolkien", NameLikeness.FORM),
        ("John F. Kennedy", "John Fitzgerald Kennedy", NameLikeness.FORM),
        ("Francis Coppola", "Francis Ford Coppola", NameLikeness.FORM),
        ("Пётр Чайковский", "Pyotr Ilyich Tchaikovsky", NameLikeness.FORM),
        ("Mohamed Ali", "Muhammad Ali", NameLikeness.SPELT),
        ("Fyodor Dostoyevskiy", "Fyodor Dostoevsky", NameLikeness.SPELT),
        ("Tolkien", "J. R. R. Tolkien", NameLikeness.SURNAME),
        ("van Gogh", "Vincent van Gogh", NameLikeness.SURNAME),
        ("Leonardo", "Leonardo da Vinci", NameLikeness.PART),
        ("Christopher Tolkien", "J. R. R. Tolkien", NameLikeness.SHARED),
        ("Charles II", "Charles III", NameLikeness.OTHER),
        ("Robert Downey Jr.", "Robert Downey", NameLikeness.SPELT),
        ("Sophie Charlotte of Hanover", "Sophia Charlotte of Hanover", NameLikeness.SPELT),
        ("Sophia Dorothea of Hanover", "Sophia Charlotte of Hanover", NameLikeness.OTHER),
        ("Sophia of Hanover", "Sophia Charlotte of Hanover", NameLikeness.FORM),
        ("Janet Templeton", "Janet Sheen", NameLikeness.SHARED),
        ("R. Tolkien", "John Ronald Reuel Tolkien", NameLikeness.SHARED),
        ("George Lucas", "Steven Spielberg", NameLikeness.NONE),
    ],
)
def test_a_persons_name_is_known_by_surname_given_names_initials_and_titles(
    said: str, known: str, alike: NameLikeness
) -> None:
    assert likeness.like(said, known, person=True) is alike


@pytest.mark.parametrize(
    ("said", "known", "alike"),
    [
        ("Beatles", "The Beatles", NameLikeness.SAME),
        ("U.S.A.", "USA", NameLikeness.SAME),
        ("Second World War", "World War II", NameLikeness.SAME),
        ("St. Louis", "Saint Louis", NameLikeness.SAME),
        ("City of Turin", "Turin", NameLikeness.SAME),
        ("Apple", "Apple Inc.", NameLikeness.SAME),
        ("Łódź", "Lodz", NameLikeness.SAME),
        ("Universidad de Chile", "University of Chile", NameLikeness.FORM),
        ("Marrakesh", "Marrakech", NameLikeness.SPELT),
        ("MIT", "Massachusetts Institute of Technology", NameLikeness.PART),
        ("Oxford", "University of Oxford", NameLikeness.PART),
        ("New York City", "New York", NameLikeness.LONGER),
        ("University of Parma", "University of Palma", NameLikeness.SHARED),
        ("Milan", "Turin", NameLikeness.NONE),
    ],
)
def test_any_other_name_is_known_by_its_words(said: str, known: str, alike: NameLikeness) -> None:
    assert likeness.like(said, known, person=False) is alike


def test_a_word_of_another_language_for_what_it_is_and_a_towns_other_name_make_no_other_name() -> None:
    towns = {frozenset({"turin", "torino"}), frozenset({"munich", "munchen"})}

    def synonyms(one: str, other: str) -> bool:
        return frozenset({one, other}) in towns

    def of(said: str, known: str) -> NameLikeness:
        return likeness.like(said, known, person=False, synonyms=synonyms)

    assert of("Polytechnic University of Turin", "Politecnico di Torino") is NameLikeness.FORM
    assert of("Technische Universität München", "Technical University of Munich") is NameLikeness.FORM
    assert of("Observatoire de Paris", "Paris Observatory") is NameLikeness.FORM
    assert of("University of Turin", "Politecnico di Torino") is not NameLikeness.FORM
    assert of("Polytechnic University of Milan", "Politecnico di Torino") is not NameLikeness.FORM


@given(st.text(max_size=200), st.text(max_size=200), st.booleans())
@settings(max_examples=60)
def test_any_two_texts_are_compared(one: str, other: str, person: bool) -> None:
    assert likeness.like(one, other, person) in NameLikeness
    assert not likeness.key(one) or likeness.like(one, one, person) is NameLikeness.SAME


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("don't know", "dont_know"),
        ("I don't know who directed Jaws.", "dont_know"),
        ("Unknown", "dont_know"),
        ("N/A", "dont_know"),
        ("I'm not sure.", "dont_know"),
        ("I cannot provide that information.", "refusal"),
        ("Who directed Jaws?", "repeated"),
        ("**Who directed Jaws?**", "repeated"),
        ("I'm not sure, but I think Steven Spielberg", "text"),
        ("Unknown Pleasures", "text"),
        ("Steven Spielberg", "text"),
    ],
)
def test_a_reply_answers_declines_or_repeats_the_question(reply: str, kind: str) -> None:
    assert cutting.heard(reply, JAWS).kind == kind


@pytest.mark.parametrize(
    "reply",
    [
        "Steven Spielberg", "**Steven Spielberg**", "Answer: Steven Spielberg.", '{"name": "Steven Spielberg"}',
        "```json\n{\"name\": \"Steven Spielberg\"}\n```", "“Steven Spielberg”", "<b>Steven Spielberg</b>",
        "Who directed Jaws? Steven Spielberg", "The answer is Steven Spielberg.", "$\\boxed{Steven Spielberg}$",
        "<|im_start|>assistant\nSteven Spielberg<|im_end|>", "[Steven Spielberg](https://example.org)",
    ],
)  # fmt: skip
def test_what_wraps_an_answer_goes(reply: str) -> None:
    assert cutting.tidy(cutting.heard(reply, JAWS).text) == "Steven Spielberg"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was directed by Steven Spielberg in 1975.", ["Steven Spielberg"]),
        ("Jaws was directed by J. R. R. Tolkien.", ["J. R. R. Tolkien"]),
        ("Spielberg directed it.", ["Spielberg"]),
        ("The director is the Duke of York, of Kent", ["Duke of York", "Kent"]),
        ("nobody knows", []),
    ],
)
def test_names_in_a_sentence_are_runs_of_capitals_that_the_question_does_not_hold(text: str, found: list[str]) -> None:
    assert list(cutting.names_in(text, set(spelling.words(JAWS)))) == found


# ------------------------------------------------------------------ dates


@pytest.mark.parametrize(
    "text",
    [
        "14 March 1879", "March 14, 1879", "14th of March, 1879", "the 14th day of March 1879", "Mar. 14 1879",
        "14.3.1879", "14. 3. 1879", "14/03/1879", "03/14/1879", "1879-03-14", "1879/03/14", "1879 March 14",
        "He was born on 14 March 1879 in Ulm.", "14 march 1879", "1879年3月14日", "14-Mar-1879", "March 14th 1879 AD",
    ],
)  # fmt: skip
def test_a_day_is_read_in_every_usual_form(text: str) -> None:
    [said] = dating.find(text)
    assert [one[:2] for one in said.readings] == [(day_number(1879, 3, 14),) * 2]
    assert said.shown == "1879-03-14"


@given(st.dates(), st.sampled_from(["{d} {m} {y}", "{m} {d}, {y}", "{y:04d}-{n:02d}-{d:02d}", "{d}.{n}.{y:04d}"]))
@settings(max_examples=80)
def test_any_day_after_christ_is_read_back(day: date, form: str) -> None:
    text = form.format(d=day.day, m=MONTH_NAMES[day.month - 1], n=day.month, y=day.year)
    [said] = dating.find(text)
    assert said.readings[0][:2] == (day.toordinal(),) * 2
    [julian] = said.julian
    assert julian_date(julian.earliest) == (day.year, day.month, day.day)


def test_digits_that_may_be_day_and_month_have_both_readings() -> None:
    [said] = dating.find("03/04/1879")
    assert {civil(one.earliest)[1:] for one in said.readings} == {(3, 4), (4, 3)}
    [dotted] = dating.find("3.4.1879")
    assert [civil(one.earliest)[1:] for one in dotted.readings] == [(4, 3)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1879", (1879, 1879), None), ("44 BC", (-43, -43), None), ("AD 79", (79, 79), None), ("79", (79, 79), None),
        ("c. 1500", (1490, 1510), None), ("around 1500", (1490, 1510), None), ("the 1870s", (1870, 1879), None),
        ("between 1870 and 1880", (1870, 1880), None), ("1878–1880", (1878, 1880), None),
        ("sometime in 1879", (1879, 1879), None), ("the 1500s", (1500, 1509), (1500, 1599)),
    ],
)  # fmt: skip
def test_what_is_less_precise_is_an_interval_of_years(
    text: str, first: tuple[int, int], last: tuple[int, int] | None
) -> None:
    [said] = dating.find(text)
    years = [(civil(one.earliest).year, civil(one.latest).year) for one in said.readings]
    # "About" is reckoned in days.
    assert abs(years[0][0] - first[0]) <= (1 if "c." in text or "around" in text else 0)
    assert abs(years[0][1] - first[1]) <= (1 if "c." in text or "around" in text else 0)
    assert years[1:] == ([last] if last else [])


@pytest.mark.parametrize("text", ["30 February 1879", "31.4.1900", "1900-13-01", "45 March 1900", "99/99/1900"])
def test_a_day_that_no_calendar_has_has_no_reading(text: str) -> None:
    [said] = dating.find(text)
    assert (said.readings, said.julian) == ((), ())


def test_a_day_that_only_the_julian_calendar_has_is_of_that() -> None:
    [said] = dating.find("29 February 1900")
    assert not said.readings and len(said.julian) == 1


def test_a_date_without_a_year_is_of_the_year_that_is_known() -> None:
    [said] = dating.find("14 March", 1879)
    assert said.readings[0].earliest == day_number(1879, 3, 14) and not said.year
    assert dating.find("14 March") == []


@given(st.text(max_size=300))
@settings(max_examples=60)
def test_any_text_is_searched_for_dates_and_numbers(text: str) -> None:
    dating.find(text, 1900)
    counting.find(text)
    counting.confidence(text)


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42), ("forty-two", 42), ("42 years", 42), ("42 years and 3 months", 42), ("1,234", 1234),
        ("a dozen", 12), ("one hundred and five", 105), ("two", 2), ("twenty one years", 21), ("none", 0),
        ("three thousand two hundred", 3200), ("a hundred", 100), ("5 million", 5_000_000), ("zero", 0),
    ],
)  # fmt: skip
def test_a_number_is_read_in_digits_and_words(text: str, value: int) -> None:
    assert [one.value for one in counting.find(text)] == [value]


@pytest.mark.parametrize(
    ("reply", "sure"),
    [
        ("85", 85), ("85%", 85), ("0.85", 85), ("85/100", 85), ("9/10", 90), ("I am 90% sure", 90), ("100", 100),
        ("1", 1), ('{"confidence": "80"}', 80), ("Confidence: 75", 75), ("between 80 and 90", None), ("120", None),
        ("very", None), ("-5", None), ("", None),
    ],
)  # fmt: skip
def test_how_sure_a_reply_is_is_one_number_of_a_hundred(reply: str, sure: float | None) -> None:
    assert counting.confidence(reply) == sure
