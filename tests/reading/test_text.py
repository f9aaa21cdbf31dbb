"""A response is cut once: blocks, sentences, quotations, loops, each with its place in the response."""

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.markup import LIMIT
from halluvault_tasks.reading.text import LONGEST, cut
from halluvault_tasks.wikidata.names import fold


def sentences(response: str) -> list[str]:
    return [one.text for one in cut(response).sentences]


@given(
    st.text(alphabet=st.sampled_from(list("Ab1. \n*_`\"'‘’“”|>#<>&;-{}[]()\\é漢\0\u202e\U0001f600😀~")), max_size=300)
)
@example('"\\1"')
@settings(max_examples=300, deadline=None)
def test_every_character_of_a_sentence_stands_at_its_place(response):
    for sentence in cut(response).sentences:
        assert len(sentence.places) == len(sentence.text) + 1
        for character, place in zip(sentence.text, sentence.places, strict=False):
            if character.isalnum() and "&" not in response:
                escaped = response[place] == "\\"  # of a string of JSON: where the escape begins
                assert escaped or response[place] == character
        assert list(sentence.places) == sorted(sentence.places)
        assert 0 <= sentence.span().start <= sentence.span().end <= len(response)


def test_abbreviations_and_initials_end_no_sentence():
    assert sentences("Dr. J. R. R. Tolkien lived in St. Louis. No. 7 is his. No. He did not.") == [
        "Dr. J. R. R. Tolkien lived in St. Louis.", "No. 7 is his.", "No.", "He did not.",
    ]  # fmt: skip


def test_points_headings_rows_and_quotations_are_blocks_of_their_own():
    found = cut(
        "# Facts\n1. **Jaws** is a film. It is old.\n   - *old*\n> asked\n\n| Born | 1815 |\n|---|---|\n| A | B |"
    ).sentences
    assert [(one.kind, one.block, one.text) for one in found] == [
        ("heading", 0, "Facts"), ("point", 1, "Jaws is a film."), ("point", 1, "It is old."), ("point", 2, "old"),
        ("quote", 3, "asked"), ("head", 4, "Born | 1815"), ("row", 5, "A | B"),
    ]  # fmt: skip
    assert [found[5].text[start:end] for start, end in found[5].cells] == ["Born", "1815"]


def test_a_line_that_goes_on_in_lower_case_is_the_same_sentence():
    assert sentences("Paris is the capital\nof France.\nRome is not.") == [
        "Paris is the capital of France.",
        "Rome is not.",
    ]


def test_quotation_marks_of_every_kind_are_found_and_apostrophes_are_none():
    for marks in ("“”", '""', "‘’", "''", "«»"):
        (one,) = cut(f"They’re in {marks[0]}Don’t Look Now{marks[1]}, aren’t they").sentences
        assert [one.text[start:end] for start, end in one.quotes] == ["Don't Look Now"]


def test_no_sentence_ends_inside_a_short_quotation():
    assert sentences("He made “We’re Not Married! Or so”. It ran.") == [
        'He made "We\'re Not Married! Or so".',
        "It ran.",
    ]


def test_empty_lines_in_the_place_of_a_thought_are_not_counted_and_places_stay():
    gap = "\n" * 200_000
    found = cut(f"{gap}No. She was born in Rome.{gap}It is so.")
    assert [one.text for one in found.sentences] == ["No.", "She was born in Rome.", "It is so."]
    assert found.sentences[0].span() == (200_000, 200_003)
    assert not found.unread
    assert cut(f"{gap}{'Two cats. Six dogs. ' * LIMIT}").unread[0].span.start == 200_000 + LIMIT


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ("```\nNo. She was not.\n```", ["No.", "She was not."]),
        ("<|im_start|>assistant\nNo. She was not.<|im_end|>", ["No.", "She was not."]),
        ("<s>No. She was <s>not</s>.</s>", ["No.", "She was  ."]),
        ('{"why": "She was not.\\nNever.", "answer": "No"}', ["why: She was not.", "Never.", "answer: No"]),
        ("Answer:\n```\nNo\n```\nShe was not.", ["Answer:", "No", "She was not."]),
        ("Ｎｏ． Ｓｈｅ ｗａｓ ｎｏｔ．", ["No.", "She was not."]),
        ("No<|eot_id|>She was not.", ["No", "She was not."]),
    ],
)
def test_what_stands_around_an_answer_is_none_of_it(response, said):
    assert sentences(response) == said


@given(st.text(alphabet=st.sampled_from([*"Aeinouc \n.", "\u0301", "\u0323", "\u0327", "é", "\u200b"]), max_size=60))
def test_a_letter_and_its_marks_are_one_letter_and_its_span_holds_them(response):
    for sentence in cut(response).sentences:
        start, end = sentence.span()
        assert not any(map(unicodedata.combining, sentence.text))
        assert not unicodedata.combining((response + " ")[end])
        plain = "".join(one for one in response[start:end] if one != "\u200b")
        assert fold(sentence.text) == fold(plain)


def test_a_box_is_taken_off_what_it_holds():
    assert sentences("So.\n\\boxed{\\text{No}}") == ["So.", "No"]


def test_what_is_struck_out_is_gone():
    assert sentences("~~Paris.~~ Rome. <del>Oslo.</del>") == ["Rome."]


def test_fields_of_an_object_stand_on_lines_of_their_own():
    assert sentences('{"answer": "no", "why": "Paris is in France."}') == ["answer: no", "why: Paris is in France."]


@pytest.mark.parametrize("tail", ["", " The film is", " The film is good. It"])
def test_a_loop_to_the_end_is_flagged_and_its_first_round_is_read(tail):
    response = "No. " + "The film is good. It was made in 1990. " * 4 + tail.strip()
    found = cut(response)
    assert [one.text for one in found.sentences if not one.loop][:3] == [
        "No.",
        "The film is good.",
        "It was made in 1990.",
    ]
    assert sum(not one.loop for one in found.sentences) <= 4
    assert any(one.reason == "loop" for one in found.unread)


def test_saying_a_thing_twice_is_no_loop():
    assert not cut("The film was made in 1990 by him. The film was made in 1990 by him.").unread


def test_other_scripts_are_unread():
    found = cut("Москва — столица России.\nParis is nice.")
    assert [one.text for one in found.sentences] == ["Paris is nice."]
    assert [one.reason for one in found.unread] == ["not_english"]


def test_beyond_the_limit_nothing_is_read_and_the_rest_is_counted():
    response = "Paris is nice. " + "Two cats. Six dogs. " * LIMIT
    (rest,) = [one for one in cut(response).unread if one.reason == "too_long"]
    assert rest.span == (LIMIT, len(response))


@pytest.mark.parametrize("run", ["(" * 60, "( " * 60, "x" * 300, "- _ " * 30 + "a"])
def test_runs_reach_no_library_and_are_counted(run):
    found = cut(f"Paris is {run} nice.")
    assert all(len(one.text) < 30 for one in found.sentences)
    assert any(one.reason == "run" for one in found.unread)


def test_an_overlong_sentence_is_read_to_its_limit():
    found = cut("and so on " * 300 + "1 2 3.")
    assert all(len(one.text) <= LONGEST for one in found.sentences)
    assert [one.reason for one in found.unread if one.reason == "too_long"]
