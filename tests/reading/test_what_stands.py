"""What a text takes back is no claim; what it says of unknown things, or in unknown words, links to nothing."""

import pytest

from halluvault_tasks.wikidata.relation import Relation
from tests.reading.material import read, stated

ROME, OSLO = "P19(Ann Lee, Rome)", "P19(Ann Lee, Oslo)"


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Lee|human] was born in [Rome|place]. No, wait. She was born in [Oslo|place].",
        "[Ann Lee|human] was born in [Rome|place]. Correction: she was born in [Oslo|place].",
        "[Ann Lee|human] was born in [Rome|place]. That is wrong. She was born in [Oslo|place].",
        "[Ann Lee|human] was born in [Rome|place]. This is not true. She was born in [Oslo|place].",
        "I guessed that [Ann Lee|human] was born in [Rome|place], but that is wrong. She was born in [Oslo|place].",
        "I thought [Ann Lee|human] was born in [Rome|place], but that's a mistake. She was born in [Oslo|place].",
        "[Ann Lee|human] was born in [Rome|place]; this is not true. She was born in [Oslo|place].",
        "[Ann Lee|human] was born in [Rome|place] – no, scratch that. She was born in [Oslo|place].",
    ],
)
def test_what_is_taken_back_is_not_claimed(text):
    assert stated(text) == {OSLO}


@pytest.mark.parametrize("verdict", ["So this is false.", "The statement is false.", "That is correct.", "It is true."])
def test_a_verdict_on_what_was_asked_takes_nothing_back(verdict):
    assert stated(f"[Ann Lee|human] was born in [Rome|place]. {verdict}") == {ROME}


def test_a_claim_about_an_unknown_name_stays_a_claim_that_links_to_nothing():
    (claim,) = read("[Ann Lee|human] was born in Landport.")
    # In these words one asks for a country, too, in which the place of birth lies.
    assert {(one.p, one.o) for one in claim.triples} == {(19, 0), (Relation.chain(19, 131), 0)}
    assert (claim.object, claim.guards) == ("Landport", ("unknown_name",))


def test_a_sentence_of_two_names_in_unknown_words_claims_something_that_cannot_convict():
    (claim,) = read("[Ann Lee|human] outwitted [Tom Berg|human] at chess.")
    assert claim.unread
    assert (claim.subject, claim.object, claim.guards) == ("Ann Lee", "Tom Berg", ("inexact",))


@pytest.mark.parametrize("text", ["Did [Ann Lee|human] outwit [Tom Berg|human]?", "[Ann Lee|human] slept."])
def test_a_question_or_a_single_name_claims_nothing_unknown(text):
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[Nixon|human] was President in 1970.",
        "[Joan|human] was alive in 1427.",
        "[Joan|human] was alive at some time in the year 1427.",
        "[Joan|human] lived in the 15th century.",
    ],
)
def test_a_state_in_a_year_dates_neither_birth_nor_death(text):
    assert not {one.p for claim in read(text) for one in claim.triples} & {569, 570}


def test_a_release_in_a_country_convicts_nobody():
    def guards(text: str) -> set[str]:
        return {guard for claim in read(text) for one in claim.triples if one.p == 577 for guard in claim.guards}

    assert guards("[Jaws|screen] was released in [Peru|country] in 1990.") == {"inexact"}
    assert guards("[Jaws|screen] was released in 1990.") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[Ann Lee|human] was not born in [Rome|place] but in [Oslo|place].", {f"not {ROME}", OSLO}),
        ("[Ann Lee|human] was not born in [Rome|place], but rather in [Oslo|place].", {f"not {ROME}", OSLO}),
        ("Nobody but [Ann Lee|human] directed [Jaws|screen].", {"P57(Jaws, Ann Lee)"}),
        ("[Ann Lee|human] was not only born in [Rome|place].", {ROME}),
        ("She did much, but [Ann Lee|human] was not born in [Rome|place].", {f"not {ROME}"}),
        ("[Ann Lee|human], a poor but honest woman, was not born in [Rome|place].", {f"not {ROME}"}),
        ("[Ann Lee|human] was not born but adopted in 1950.", set()),
    ],
)
def test_what_but_sets_against_a_denial_is_so(text, found):
    assert stated(text) == found


def test_what_a_denied_event_is_set_against_in_time_is_its_time():
    for text in ["did not begin in 1971 but in 1973", "did not begin in 1971, but rather on 6 October 1973"]:
        found = stated(f"The [Yom Kippur War|conflict] {text}.")
        assert "not P580(Yom Kippur War, 1971)" in found
        assert any(one.startswith("P580") and "1973" in one for one in found), text


def test_what_it_states_is_somebody_else_s_word_and_a_quotation_in_a_quotation_is_quoted():
    for text in [
        "The sentence was wrong, as it stated that [Ann Lee|human] was born in [Rome|place].",
        'The question was: "Is this statement true? "[Ann Lee|human] was born in [Rome|place]."',
    ]:
        assert not stated(text), text
    assert stated("It is known that [Ann Lee|human] was born in [Rome|place].") == {ROME}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "[Ann Lee|human] was born neither in 1943 nor in 1927 but in 1936.",
            {"not P569(Ann Lee, 1943)", "not P569(Ann Lee, 1927)", "P569(Ann Lee, 1936)"},
        ),
        (
            "Far from being born in 1943, [Ann Lee|human] was born in 1936.",
            {"not P569(Ann Lee, 1943)", "P569(Ann Lee, 1936)"},
        ),
    ],
)
def test_neither_nor_and_far_from_deny(text, found):
    assert stated(text) == found
