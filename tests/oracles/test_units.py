"""What a response claims and what it only mentions, reports, doubts or takes back; tables and lists as clauses."""

import re

import pytest

from halluvault_tasks.oracles import tables
from halluvault_tasks.oracles.units import Unit, units

CLAUSE = "Charles Dickens was born in Paris"

NOT_CLAIMED = """
It was once put to me that {c}; I reject that as false.|Edit: I had written that {c}, which is false.
I long believed that {c}. I was wrong.|{c} – no, scratch that.|It has been claimed that {c}; this claim is incorrect.
You may have read that {c}. That is a myth.|{c}, you may hear; that is a mistake.
Earlier I stated that {c}. I retract that.|{c}. Correction: that is not so.
Some sources claim that {c}, but they confuse two people.|The notion that {c} is a myth.
I take back my earlier remark that {c}.|Contrary to what some say ({c}), he came from Portsmouth.
It is tempting to say that {c}, yet this is not the case.|I mistakenly thought that {c}.
My notes once said that {c}; I have since corrected them.|Whoever says that {c} is mistaken.
Saying that {c} is an error.|Initially I believed that {c}. Checking again, I see that this was an error.
{c}? No, that is wrong.|The rumor that {c} is unfounded.|I've seen it claimed that {c}. This is not supported.
You'll sometimes see it stated that {c}; that's an error.|{c}. Actually, no. That is wrong.
{c}. Not true, on reflection.|~~{c}~~ (deleted)|It is widely but wrongly believed that {c}.
{c}: that is what many think, and they are wrong.|Until recently I was convinced that {c}, but it is not so.
It used to be thought that {c}; that view has been abandoned.
Some older books still say that {c}; newer ones have corrected this.
The popular tale that {c} has no foundation in fact.|I must retract what I said about {c}.
Nobody should believe that {c}.|I had {c} in my notes, but that is incorrect.|{c} – strike that, it's wrong.
{c}. Hmm, no, that's wrong.|{c}. That was an error on my part.|By mistake I first assumed that {c}.
Someone once told me that {c}, but I found that this isn't true.
The often repeated statement that {c} must be rejected.|A false lead: {c}.|People confuse things and say that {c}.
You may come across the assertion that {c}, which does not hold.
It is not correct, as is sometimes claimed, that {c}.
"""
DOUBTED = """
It might well be that {c}.|Could be that {c}, don't quote me.|Unsure: maybe {c}.
Rumour has it, and I cannot vouch for it, that {c}.|I think that perhaps {c}.|I am not certain, but possibly {c}.
If I remember right, {c}.|It appears likely that {c}.|If memory serves, {c}.|{c}, I think.|{c} (?).
{c}. I'm not sure about that, though.|Don't quote me on this, but {c}.|My best guess is that {c}.
I want to say that {c}.|As far as I recall, {c}.|I can't swear to it, but {c}.|{c}, or so the story goes.
Unverified: {c}.|{c}, supposedly.|I wouldn't bet on it, but {c}.|{c} – though that is only a guess.
I'm fairly unsure here, but {c}.|Word has it that {c}.|I vaguely recall that {c}.|{c}. Please double-check that.
There's some possibility that {c}, though I have no proof.|I cannot say for sure that {c}.
{c}, at least that is what I seem to recall.|I have a hunch that {c}.|Some say {c}, others disagree; I can't tell.
Without having checked it, I'd say {c}.|I lean towards thinking that {c}.|Unless my memory deceives me, {c}.
I half remember that {c}.|For all I know, {c}.|{c}; I would not swear to it.|{c} (I'm not certain of this).
Low confidence: {c}.|Hearsay: {c}.|Perhaps, and only perhaps, {c}.
"""
CLAIMED = """
I note in passing that {c}.|Trivia: {c}.|They also say, and rightly, that {c}.|By the way, {c}.|Fun fact: {c}.
For completeness, {c}.|Bottom line: {c}.|Result: {c}.|Therefore {c}.|Consequently, {c}.
Not strictly relevant, but {c}.|Nobody disputes that {c}.|On a side note, {c}.|Interestingly, {c}.
According to the records, {c}.|Let me add that {c}.|It bears mentioning that {c}.|So we can say that {c}.
The upshot is that {c}.|So it is true that {c}.|This is why I say that {c}.|In case you're wondering, {c}.
Without question, {c}.|As it happens, {c}.|I'd like to point out that {c}.|So, in conclusion, {c}.
What I can say is that {c}.|All of which means {c}.|To add a detail nobody asked for: {c}.
Let me note in passing that {c}.|On an unrelated note, {c}.|For the curious: {c}.|I should mention that {c}.
Of course, {c}.|From this we can deduce that {c}.|Putting the pieces together, we see that {c}.|That is to say, {c}.
This leads to the conclusion that {c}.|It must therefore be the case that {c}.|Conclusion: {c}.
The bottom line is that {c}.|We know that {c}.|{c}, as is well known.|{c}, which is a nice detail.
{c}, for what that's worth.|This has nothing to do with your question, yet {c}.|{c}; this is beyond dispute.
It's easy to verify that {c}.|Sources agree that {c}.|One relevant fact is that {c}.|I remember that {c}.
"""


def _frames(listed: str) -> list[str]:
    return re.split(r"\||\n", listed.strip())


def _claiming(frame: str) -> list[Unit]:
    said = frame.replace("{c}", CLAUSE)
    found = units(f"Yes.\n\n- The reasons are these.\n- {said[:1].upper()}{said[1:]}")
    return [unit for unit in found if "Dickens" in unit.text and "Paris" in unit.text]


@pytest.mark.parametrize("frame", _frames(NOT_CLAIMED))
def test_what_is_reported_rejected_or_taken_back_claims_nothing(frame: str) -> None:
    assert not _claiming(frame)


@pytest.mark.parametrize("frame", _frames(DOUBTED))
def test_a_doubt_before_behind_or_in_the_next_sentence_is_heard(frame: str) -> None:
    assert all(unit.doubted for unit in _claiming(frame))


@pytest.mark.parametrize("frame", _frames(CLAIMED))
def test_what_is_asserted_in_passing_or_concluded_is_claimed(frame: str) -> None:
    (unit,) = _claiming(frame)
    assert not unit.doubted
    assert not re.search(r"\b(?:not|no|nothing|never)\b", unit.text.partition(",")[0])


def test_a_judgement_takes_back_the_sentence_before_it_and_no_other() -> None:
    first, _, third = "Dickens wrote novels.", "Some say that Dickens was born in Paris.", "He was born in Portsmouth."
    text = f"Yes. {first} Some say that Dickens was born in Paris. That is wrong. {third}"
    assert [kept for unit in units(text) if len(kept := unit.text.strip()) > 20] == [first, third]


def test_the_verdict_on_the_question_takes_nothing_back() -> None:
    for verdict in ("So the statement is false.", "The claim is incorrect.", "Therefore, that is wrong."):
        assert any("Portsmouth" in unit.text for unit in units(f"No. Dickens was born in Portsmouth. {verdict}"))


@pytest.mark.parametrize(
    ("table", "wording"),
    [
        ("| Party | Ground | Fact |\n|---|---|---|\n| Dickens | was born in | Paris |", "Dickens was born in Paris."),
        (
            "| A | rel | B |\n|---|---|---|\n| Dickens | birthplace | not Paris |",
            "The birthplace of Dickens is not Paris.",
        ),
        (
            "| Of whom | is told | that |\n|---|---|---|\n| Dickens | Father | Paris ❌ |",
            "The father of Dickens is not Paris.",
        ),
        (
            "| # | Person | Birthplace |\n|---|---|---|\n| 1 | **Dickens**[1] | [Paris](u) |",
            "The birthplace of **Dickens** is Paris.",
        ),
        ("| | Dickens |\n|---|---|\n| Birthplace | Paris |", "The birthplace of Dickens is Paris."),
        ("| Attribute | Value |\n|---|---|\n| Birthplace | Paris |", "birthplace: Paris."),
        (
            "| Step | Statement | True? |\n|---|---|---|\n| 1 | Dickens was born in Paris. | ✓ |",
            "Dickens was born in Paris..",
        ),
        ("| Dickens | born in | Paris |", "Dickens born in Paris."),
    ],
)
def test_a_row_is_read_in_the_way_in_which_it_is_meant(table: str, wording: str) -> None:
    (row,) = tables.rows(table)
    assert wording in row.wordings


@pytest.mark.parametrize(
    "table",
    [
        "| Claim | True? |\n|---|---|\n| Dickens was born in Paris | No |",
        "| Who | What | Whom | Verdict |\n|---|---|---|---|\n| Dickens | born in | Paris | rejected |",
        "| Myth |\n|---|\n| Dickens was born in Paris |",
        "| Person | Birthplace |\n|---|---|\n| Dickens | unknown |",
    ],
)
def test_a_row_that_is_marked_untrue_claims_nothing(table: str) -> None:
    assert not [row for row in tables.rows(table) if any("Paris" in wording for wording in row.wordings)]


def test_a_question_mark_in_a_cell_is_a_doubt_and_struck_text_is_gone() -> None:
    (row,) = tables.rows("| Person | Birthplace |\n|---|---|\n| Dickens | Paris (?) |")
    assert row.doubted
    assert not units("~~Dickens was born in Paris.~~")
