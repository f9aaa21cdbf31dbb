"""What a response answers, by the forms in which answers are given, and what may not change it."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halluvault_tasks.querying import thoughts
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Answer, ReaderInput
from halluvault_tasks.reading.parser import spacy_parser
from tests.reading.wrapping import Wrap, full_width, wrapped, wraps

READER = AnswerReader(spacy_parser())
BORN = "Was Ada Lovelace born in France?"
JUDGED = "Is this statement true? “Ada Lovelace was not born in France.”"
WARS = "Did the Gulf War begin before the Bosnian War?"
DIVISORS = "Does 8089 have any divisors other than 1 and itself?"
SENATOR = "Was there ever a US senator who represented Maine and attended Rice University?"


def read(text: str, about: str = BORN, prompt: str = "") -> Answer:
    (reading,) = READER.read([ReaderInput(text, about, prompt=prompt)])
    return reading.answer


YES = [
    "Yes.",
    "**Yes**",
    "Yes, she was.",
    "Answer: Yes",
    "Final answer: **Yes**",
    "The answer is yes.",
    "\\boxed{Yes}",
    "The answer to the question is:\nYes.",
    'The answer is "Yes, she was born in France."',
    "I would say yes.",
    "She was born in Paris, so yes.",
    '{"answer": "yes"}',
    "| Question | Answer |\n|---|---|\n| Born there? | Yes |",
    "Yes or No? Yes, she was.",
    "True.",
    "She was.",
    "Guess: Yes\nProbability: 0.9",
]


@pytest.mark.parametrize("text", YES)
def test_a_leading_or_labelled_yes_or_no_is_the_answer(text: str) -> None:
    assert read(text).kind == "yes"
    swapped = text.replace("Yes", "No").replace("yes", "no")
    swapped = swapped.replace("True", "False").replace("She was.", "She was not.").replace("she was", "she was not")
    assert read(swapped.replace("No or No", "Yes or No")).kind == "no"


@settings(max_examples=200)
@given(
    st.sampled_from([
        ("Yes.", "yes"), ("No", "no"), ("I don't know.", "dont_know"), (full_width("No"), "no"),
        ("No. Ada Lovelace was born in London.", "no"),
        ("No, she was not born in France.\n\nShe was born in London.", "no"),
    ]),
    wraps(without="label"),
)  # fmt: skip
def test_what_wraps_a_whole_answer_does_not_change_it(answer: tuple[str, str], several: list[Wrap]) -> None:
    assert read(wrapped(answer[0], several)).kind == answer[1]


@pytest.mark.parametrize("name", ["think-11", "think-13", "think-15", "think-17", "think-19", "answer-3"])
def test_what_servers_were_seen_to_send_is_read(shared_data: Path, name: str) -> None:
    (file,) = (shared_data / "servers").glob(f"{name}-*.json")
    given = json.loads(file.read_text())["given"]
    told = given.get("reply", {}).get("json", {"choices": [{"message": {"content": given.get("text")}}]})
    text = thoughts.of_message(told["choices"][0]["message"]).text or ""
    text = text.replace("(T repeated to 12,000 characters)", 130 * given.get("T", ""))
    assert read(thoughts.split(text).answer).kind == ("yes" if name == "answer-3" else "no")


def test_the_proposition_restated_is_the_answer() -> None:
    for text in [
        "Ada Lovelace was born in France.",
        "She was born in France.",
        "I can confirm that she was born in France.",
        "It is true that Ada Lovelace was born in France.",
        "Ada Lovelace, a countess, was born in France and died there.",
    ]:
        assert read(text).kind == "yes", text
    for text in ["Ada Lovelace was not born in France.", "It is not true that she was born in France."]:
        assert read(text).kind == "no"


def test_another_proposition_is_no_answer() -> None:
    for text in ["Ada Lovelace was born in London.", "Byron was born in France.", "Ada Lovelace died in France."]:
        assert read(text).kind == "unparseable"
    assert read("The Bosnian War began before the Gulf War.", WARS).kind == "unparseable"
    assert read("The Gulf War began after the Bosnian War.", WARS).kind == "unparseable"
    assert read("The Gulf War began before the Bosnian War.", WARS).kind == "yes"


def test_another_number_is_another_proposition() -> None:
    question = "Is this statement true? “1 is not the atomic number of helium.”"
    assert read("2 is the atomic number of helium.", question).kind == "unparseable"
    assert read("1 is the atomic number of helium.", question).kind == "no"


def test_a_date_of_the_asked_event_answers_what_asks_for_its_decade() -> None:
    for question in [
        "Did Woodrow Wilson die in the 1930s?",
        "Is this statement true? “Woodrow Wilson died in the 1930s.”",
    ]:
        for text, kind in [
            ("Woodrow Wilson died on 3 February 1924.", "no"),
            ("Woodrow Wilson was born in 1856 and died on 3 February 1934, which is in the 1930s.", "yes"),
            ("Woodrow Wilson died in the 1920s.", "unparseable"),
            ("Woodrow Wilson died during the 1930s.", "yes"),
            ("Woodrow Wilson did not die in the 1930s.", "no"),
        ]:
            assert read(text, question).kind == kind, (question, text)


@pytest.mark.parametrize(
    "text",
    [
        "Woodrow Wilson was born in 1856.",
        "Woodrow Wilson, born in 1856, died in Washington.",
        "Woodrow Wilson did not die in 1934.",
        "Woodrow Wilson died before 1934.",
        "Woodrow Wilson died in Washington after a stroke in 1919.",
        "Woodrow Wilson's wife died in 1914.",
        "His wife died in 1914.",
        "Woodrow Wilson died in 1924. Woodrow Wilson died in 1934.",
    ],
)
def test_a_date_of_anything_else_answers_nothing_about_a_decade(text: str) -> None:
    assert read(text, "Did Woodrow Wilson die in the 1930s?").kind == "unparseable"


def test_a_date_beside_a_yes_or_no_is_no_second_answer() -> None:
    for answer, kind in [("Yes", "yes"), ("No", "no")]:
        assert read(f"{answer}. Woodrow Wilson died in 1924.", "Did Woodrow Wilson die in the 1930s?").kind == kind


def test_another_noun_that_is_predicated_is_another_proposition() -> None:
    question = "Was Alan Turing a doctoral advisor of Alonzo Church?"
    for noun, kind in [("student", "unparseable"), ("advisor", "yes")]:
        assert read(f"Alan Turing was a doctoral {noun} of Alonzo Church.", question).kind == kind


def test_a_relation_told_the_right_way_round_is_no_answer_to_the_question_that_turns_it_round() -> None:
    for question, text in [
        ("Was the Cold War part of the Vietnam War?", "The Vietnam War was part of the Cold War."),
        (
            "Was Ludwig von Mises a doctoral student of Murray Rothbard?",
            "Ludwig von Mises was a doctoral advisor of Murray Rothbard.",
        ),
        (
            "Is this statement true? “The taxon ‘Panthera’ does not belong to the taxon ‘leopard’.”",
            "Panthera is a parent taxon of leopard.",
        ),
    ]:
        assert read(text, question).kind == "unparseable", text
        assert read(f"No, that is wrong. {text}", question).kind == "no", text
    assert read("The Vietnam War was part of the Cold War.", "Was the Vietnam War part of the Cold War?").kind == "yes"


def test_what_is_set_apart_turns_a_proposition_round() -> None:
    for text in [
        "It is only divisible by 1 and itself.",
        "8089 has no divisors besides 1 and 8089.",
        "It has no other divisors.",
    ]:
        assert read(text, DIVISORS).kind == "no"
    assert read("8089 has divisors other than 1 and itself.", DIVISORS).kind == "yes"
    assert read("8089 is not only divisible by 1 and itself.", DIVISORS).kind == "yes"


def test_that_nobody_was_found_is_no_or_not_known() -> None:
    for text in [
        "There has never been a US senator who represented Maine and attended Rice University.",
        "No US senator from Maine has ever attended Rice University.",
        "There is no record of a US senator from Maine attending Rice University.",
    ]:
        assert read(text, SENATOR).kind == "no"
    for text in [
        "I could not find any US senator from Maine who attended Rice University.",
        "I do not have any information about US senators from Maine.",
        "No information is available on this.",
        "It is possible, but unlikely.",
        "Yes or No cannot be determined.",
        "I don't know.",
        "Not sure.",
    ]:
        assert read(text, SENATOR).kind == "dont_know"


def test_whoever_cannot_answer_refuses() -> None:
    for text in [
        "I'm sorry, I cannot provide an answer as no such senator exists.",
        "I can't help with that request.",
        "I am unable to discuss this.",
    ]:
        assert read(text, SENATOR).kind == "refusal", text


def test_a_verdict_on_the_statement_is_the_answer() -> None:
    for text in [
        "The statement is true.",
        "This claim is correct.",
        "The statement has been verified by scholars: the claim holds.",
        "The statement is a factual claim that has been verified by scholars.",
        'The statement "Ada Lovelace was not born in France" is true.',
        "The statement is not false.",
        "This is true.",
        'The claim "Ada Lovelace was born in France" is false.',
        "The statement that she was born in France is wrong.",
        "The statement is a fact that is not false.",
    ]:
        assert read(text, JUDGED).kind == "yes", text
    for text in [
        "The statement is false.",
        "The statement is not true.",
        "In conclusion, the claim is incorrect.",
        'The statement "Ada Lovelace was not born in France" is a factual error that can be corrected.',
        "The statement is a common misconception.",
        "The statement is a historical fact that has been debunked as false.",
        "This is a claim that has been shown to be wrong.",
    ]:
        assert read(text, JUDGED).kind == "no", text
    assert read("The statement is no error.", JUDGED).kind == "yes"
    for text in [
        "The statement is an example of an error of logic.",
        "The statement is not just a factual error but also an example of a fallacy.",
    ]:
        assert read(text, JUDGED).kind == "unparseable", text


def test_an_answer_before_a_colon_or_a_dash_is_one_and_denies_nothing_else() -> None:
    for text in [
        "No: she was born in Paris, hence she was not born in France.",
        "No – she was not born in France; she was born in London.",
        "No. She was born in London rather than France.",
        "No. She was born in London. If she had been born in France, the answer would be yes, but she was not.",
    ]:
        assert read(text).kind == "no", text


def test_a_condition_an_option_and_what_others_say_are_no_answer() -> None:
    for text in [
        "If she was born in France, then the statement is false.",
        "Whether the statement is true depends on her mother.",
        "Some say the statement is false.",
        "The answer cannot be yes.",
        "The answer must be either yes or no.",
        "Options: (1). Yes; (2). No;",
        "Statement 2: This statement is false.",
        'It ends with "the answer is yes", which settles nothing.',
    ]:
        assert read(text, JUDGED).kind == "unparseable", text
    assert read("If she was born in France, then yes.").kind == "dont_know"


def test_a_quotation_of_the_question_answers_nothing() -> None:
    assert (
        read('The statement "Ada Lovelace was not born in France" is a good example of a fallacy.', JUDGED).kind
        == "unparseable"
    )
    assert read('The answer to "Was Ada Lovelace born in France?" is: No.').kind == "no"


def test_what_is_copied_from_the_prompt_answers_nothing() -> None:
    example = (
        "Yes, during Barack Obama’s presidency from 2009 to 2017, one film directed by James Cameron was released."
    )
    assert read(example, prompt=f"Here is an example. {example}").kind == "unparseable"
    assert read(f"{example}\nNo.", prompt=f"Here is an example. {example}").kind == "no"


def test_two_answers_that_differ_contradict() -> None:
    for text in [
        "Yes. The answer is no.",
        "Yes, she was not born in France.",
        "No.\n\nTherefore she was born in France.",
    ]:
        assert read(text).kind == "contradictory", text
    text = (
        "Yes, 8089 has divisors other than 1 and itself. However, it is prime: it has no divisors besides 1 and itself."
    )
    assert read(text, DIVISORS).kind == "contradictory"
    text = "Yes, Susan Day represented Maine and attended Rice University. But she was a senator from Ohio, not Maine."
    assert read(text, SENATOR).kind == "contradictory"
    assert read("Yes and no.").kind == "contradictory"


def test_what_is_denied_of_a_part_denies_no_whole() -> None:
    for text in [
        "Yes. She was born in France, not in England.",
        "Yes. She was born in France, not England.",
        "Yes, she was not born in England but in France.",
    ]:
        assert read(text).kind == "yes", text


def test_reasoning_that_ends_elsewhere_is_no_second_answer() -> None:
    assert read("Yes.\n\nKnowledge:\n1. Ada Lovelace was not born in France.").kind == "yes"
    assert read("The statement is false. Ada Lovelace was not born in France.", JUDGED).kind == "no"


def test_a_corrected_answer_stands_as_corrected() -> None:
    for text in [
        "Yes. Correction: No.",
        "Yes. Wait, actually no, she was not.",
        "Yes, she was. I apologize, the answer is no.",
    ]:
        assert read(text).kind == "no", text
    assert read("Yes, she was born in France.\n\nNote: This answer is incorrect.").kind == "no"


def test_no_verdict_is_never_guessed() -> None:
    for text in [
        "",
        "   ",
        "Ada Lovelace was a mathematician.",
        "Hello!",
        "It depends on the source.",
        "Yes/No",
        "Да.",
    ]:
        assert read(text) == Answer("unparseable", (0, 0)), text


def test_the_span_holds_the_words_that_say_so() -> None:
    text = "Thank you for asking.\n\n**Final answer:** *No*, of course."
    span = read(text).span
    assert text[span.start : span.end] == "No"


EXPLICIT = st.sampled_from(["Yes.", "No.", "Yes, she was.", "No, she was not.", "Answer: no", "The answer is yes."])


@settings(max_examples=25, deadline=None)
@given(
    EXPLICIT,
    st.sampled_from([
        "",
        "> Was Ada Lovelace born in France?\n\n",
        'You ask "Was Ada Lovelace born in France?"\n\n',
        "**Question:** Was Ada Lovelace born in France?\n\n",
    ]),
    st.sampled_from(["{}", "**{}**", "- {}", "## {}", "`{}`", "<p>{}</p>"]),
    st.sampled_from([
        "",
        " I hope this helps!",
        "\n\nPlease let me know if you have any other questions.",
        "\n\n---\n",
    ]),
)
def test_quotation_markup_and_courtesy_change_no_answer(answer: str, before: str, markup: str, after: str) -> None:
    assert read(before + markup.format(answer) + after).kind == read(answer).kind


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=300))
@example("¹ is before ²; in ¹ he was ①.")
def test_any_text_is_read_and_its_span_lies_inside(text: str) -> None:
    found = read(text)
    assert 0 <= found.span.start <= found.span.end <= len(text)
