"""A second answer contradicts the first only where its sentence says nothing else."""

import pytest

from halluvault_tasks.reading.base import ReaderInput
from tests.reading.test_answers import BORN, READER, read

STATEMENT = "Is this statement true? “Ada Lovelace was born in France.”"


@pytest.mark.parametrize(
    "text",
    [
        "No. The statement would be true were it not for the country.",
        "No. But for the country, which ought to be England, the statement would be correct.",
        'No. Strike the word "France" and the sentence is true.',
        "No. What the statement denies is true, namely that Ada Lovelace was born in England.",
        "No. It is easy to assume that Ada Lovelace was born in France, when in truth she was born in England.",
        "No. Ada Lovelace was born either in France or in England, and the records leave only the second.",
        "No. To say that Ada Lovelace was born in France is to misplace her birth.",
        "Student: Ada Lovelace was born in France. Right?\nTeacher: The statement is false.\n\nAnswer: No",
    ],
)
@pytest.mark.parametrize("question", [BORN, STATEMENT])
def test_what_a_sentence_does_more_with_is_no_second_answer(text: str, question: str) -> None:
    assert read(text, question).kind == "no", text
    [reading] = READER.read([ReaderInput(text, question)])
    assert {one.kind for one in reading.conclusions} == {"no"}, text


@pytest.mark.parametrize(
    "text",
    [
        "No. The statement is true.",
        "No. The statement is indeed true, because she lived there.",
        "No. Therefore we see that the statement is true.",
        "No, the statement is wrong. The answer is yes.",
        "No.\nFinal answer: the statement is true.",
        "No.\nStep 3: The statement is true.",
    ],
)
def test_two_plain_answers_that_differ_contradict(text: str) -> None:
    assert read(text, STATEMENT).kind == "contradictory", text


@pytest.mark.parametrize("text", ["Born there: yes\nAnswer: no", '{"answer": "No", "born_in_country": true}'])
def test_a_field_called_answer_speaks_for_the_others(text: str) -> None:
    assert read(text).kind == "no"


@pytest.mark.parametrize(
    "text",
    ["The answer is no because she was born in England.", "No, no and no.", "In France? No.", "No, no longer."],
)
def test_an_answer_may_be_repeated_reasoned_or_given_to_the_question_put_again(text: str) -> None:
    assert read(text).kind == "no"


def test_right_with_a_question_mark_answers_nothing() -> None:
    assert read("Right?", STATEMENT).kind == "unparseable"
    assert read("Right? No.", STATEMENT).kind == "no"


def test_a_yes_or_no_answers_no_question_for_when_or_who_and_may_answer_any_other() -> None:
    asked = "Is this statement true? “Frank Sinatra died in 1998.”"
    aloud = "Let me think: 1997? No, that is not right. 1998, rather: Frank Sinatra died on 14 May 1998. Hence yes."
    assert read(aloud, asked).kind == "yes"
    assert read("When did Frank Sinatra die? In 1998. Who says so? All sources. Yes.", asked).kind == "yes"
    assert read("Did Frank Sinatra live to see 1998? Yes.", asked).kind == "unparseable"
    assert read("Did he die before 1990? He died in 1998. No.", asked.replace("died", "was still alive")).kind != "no"


def test_a_verdict_on_another_statement_is_none_on_this_one() -> None:
    denied = "Is this statement true? “Ada Lovelace was not born in 1815.”"
    assert read("No. The statement that Ada Lovelace was born in 1815 is true.", STATEMENT).kind == "no"
    assert read("No. Without the “not”, the statement is true.", denied).kind == "no"
    assert read("Ada Lovelace was born in London, not in France.", "Was Ada Lovelace born in London?").kind == "yes"


def test_it_is_false_after_a_no_says_the_same_and_beside_another_statement_nothing() -> None:
    assert (
        read("No: read England for France and the sentence is right. As it is written it is false.", STATEMENT).kind
        == "no"
    )
    assert read("Yes. It may be said that she was born in England. It is not so. She was not.", STATEMENT).kind == "yes"


def test_close_but_no_is_an_answer_and_no_to_a_thought_is_none() -> None:
    assert read("Close, but no. She was born in England.").kind == "no"
    assert read("One might think of England, but no, she was born in France. Yes.").kind == "yes"


def test_true_that_concedes_something_is_no_second_answer() -> None:
    assert read("No. True, Ada Lovelace loved France; but she was born in England.", STATEMENT).kind == "no"
