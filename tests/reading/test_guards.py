"""What may not convict is guarded, and true statements are read as nothing that they do not say."""

import pytest

from halluvault_tasks.reading.names import EntityName, Names
from tests.reading.material import read, shown, stated

CLAIM = "[Tom Berg|human] was born in [Oslo|place]"


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        (f"The statement “{CLAIM}” is well known.", "quotation"),
        (f"> {CLAIM}.", "quotation"),
        (f"If {CLAIM}, then he is Norwegian.", "condition"),
        (f"We must ask whether {CLAIM}.", "condition"),
        (f"Unless {CLAIM}, he is old.", "condition"),
        ("Was [Tom Berg|human] born in [Oslo|place]?", "question"),
        (f"Some people say that {CLAIM}.", "attribution"),
        (f"According to his brother, {CLAIM}.", "attribution"),
        (f"According to what I was told, {CLAIM}.", "attribution"),
        (f"The claim that {CLAIM} is false.", "attribution"),
        (f"There is no evidence that {CLAIM}.", "attribution"),
        ("The idea of [Tom Berg|human] being born in [Oslo|place] is absurd.", "attribution"),
        (f"This does not mean that {CLAIM}.", "attribution"),
        ("[Tom Berg|human] is said to be born in [Oslo|place].", "attribution"),
        ("[Tom Berg|human] was probably born in [Oslo|place].", "hedge"),
        ("[Tom Berg|human] may have been born in [Oslo|place].", "hedge"),
        (f"It is possible that {CLAIM}.", "hedge"),
        (f"I think that {CLAIM}.", "hedge"),
        ("[Tom Berg|human] wanted to join the [Labour Party|party].", "hedge"),
        ("[Tom Berg|human] was born to Zadok Frunz in [Oslo|place].", "unknown_name"),
        ("[Tom Berg|human] was the assistant director of [Night Train|screen].", "inexact"),
        ("[Ann Lee|human] is the adoptive mother of [Tom Berg|human].", "inexact"),
    ],
)
def test_what_the_clause_stands_in_is_a_guard(text, guard):
    claims = [one for one in read(text) if not one.which]
    assert claims and all(guard in one.guards for one in claims), [(shown(one), one.guards) for one in claims]


@pytest.mark.parametrize(
    "text",
    [
        f"{CLAIM}.",
        f"Yes, {CLAIM}.",
        f"We know that {CLAIM}.",
        f"It is true that {CLAIM}.",
        f"This means that {CLAIM}.",
        f"My conclusion is that {CLAIM}.",
        f"In 1960, when {CLAIM}, all was well.",
        f"Although {CLAIM}, he died in [Rome|place].",
        f"{CLAIM}, which is in Norway.",
        "If he is old, he is wise. [Tom Berg|human], who was born in [Oslo|place], is old.",
    ],
)
def test_a_plain_clause_has_no_guard(text):
    assert "P19(Tom Berg, Oslo)" in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tom Berg was President in 1970.",
        "Tom Berg was alive in 1427.",
        "Tom Berg was alive at some time in the year 1427.",
        "Tom Berg was active from 1970 to 1990.",
        "Tom Berg was in [Oslo|place] in 1970.",
        "Tom Berg was crowned in [Oslo|place].",
        "Tom Berg was raised in [Oslo|place].",
        "Tom Berg left [Oslo|place] in 1970.",
        "Tom Berg was arrested in [Oslo|place] in 1970.",
        "Tom Berg travelled to [Oslo|place].",
        "Tom Berg met [Ann Lee|human] in [Oslo|place].",
        "Tom Berg wrote about [Ann Lee|human].",
        "Tom Berg admired [Ann Lee|human].",
        "Tom Berg is the father-in-law of [Ann Lee|human].",
        "Tom Berg is the stepfather of [Ann Lee|human].",
        "Tom Berg was portrayed as an [actor|occupation] by critics.",
        "Tom Berg was succeeded as mayor in 1970.",
        "Tom Berg nearly died in 1970.",
        "Tom Berg survived the [Bergen Fire|event] in 1970.",
        "Tom Berg's statue stands in [Oslo|place].",
        "Tom Berg was a contemporary of [Ann Lee|human].",
        "[Night Train|screen] was inspired by Tom Berg.",
        "[Night Train|screen] was reviewed by Tom Berg in 1970.",
        "[Acme|body] was sold by Tom Berg in 1970.",
        "[Acme|body] was reorganised in 1970.",
        "[Oslo|place] had 200,000 people in 1970.",
        "[Oslo|place] was bombed in 1970.",
        "[Ann Lee|human]'s house in [Oslo|place] was built in 1970.",
        "Norway became independent in 1970.",
        "The film won a prize in 1970.",
    ],
)
def test_true_statements_about_other_things_are_read_as_no_property_that_could_convict(text):
    assert not stated(text, "Tom Berg"), stated(text, "Tom Berg")


def test_a_date_before_or_after_which_something_was_is_no_date_of_it():
    for word in ("before", "after", "by"):
        assert not stated(f"Tom Berg died {word} 1970.", "Tom Berg")


def test_one_end_may_be_denied_by_itself():
    assert stated(f"{CLAIM}, not in [Rome|place].") == {"P19(Tom Berg, Oslo)", "not P19(Tom Berg, Rome)"}
    assert stated("[Tom Berg|human] was born in neither [Oslo|place] nor [Rome|place].") == {
        "not P19(Tom Berg, Oslo)", "not P19(Tom Berg, Rome)",
    }  # fmt: skip


def test_code_and_what_is_struck_out_claim_nothing():
    assert not stated(f"So:\n```python\n{CLAIM}.\n```\n~~{CLAIM}.~~")


def test_a_loop_claims_once():
    assert len(read(f"{CLAIM}. " * 6)) == 1


def test_a_name_that_several_bear_links_to_none_unless_one_was_spoken_of():
    two = "[Springfield (Iowa)|place] and [Springfield (Ohio)|place] are towns. "
    (claim,) = [one for one in read(two + "Tom Berg was born in Springfield.", "Tom Berg") if not one.unread]
    assert claim.triples[0].o == 0


def test_what_is_written_unlike_its_name_does_not_link():
    assert not stated("Tom Berg was born in an [Oslo|place] oslo.".replace("[Oslo|place] ", ""), "Tom Berg")


def test_a_name_is_not_cut_short_by_one_that_ends_inside_it():
    names = Names([EntityName(1, "Union", ("The North",)), EntityName(2, "North African Campaign")])
    assert [one.qids for one in names.find("The North African Campaign ended.")] == [(2,)]
    assert [one.qids for one in names.find("The North won.")] == [(1,)]


def test_a_year_is_no_novel():
    assert stated("Tom Berg died in 1984. [1984|book] is old.", "Tom Berg") == {"P570(Tom Berg, 1984)"}
