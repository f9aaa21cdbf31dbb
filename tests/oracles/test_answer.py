import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.oracles.answer import parse

PLAIN = "Was Charles Dickens born in Portsmouth?"
DENIED = "Is this statement true? 'Charles Dickens was not born in Portsmouth.'"


@pytest.mark.parametrize(
    ("text", "question", "kind", "span"),
    [
        ("Yes.", PLAIN, "yes", "Yes"),
        ("No, he was born in London.", PLAIN, "no", "No"),
        ("**No**, he was not.", PLAIN, "no", "No"),
        ("The answer is: **No**.", PLAIN, "no", "No"),
        ("Final Answer: \\boxed{Yes}", PLAIN, "yes", "Yes"),
        ('{"answer": "No"}', PLAIN, "no", "No"),
        ("1. No", PLAIN, "no", "No"),
        ("It is not true that Charles Dickens was born in Portsmouth.", PLAIN, "no", "not true"),
        ("It is not true that Charles Dickens was born in Portsmouth.", DENIED, "yes", "not true"),
        ("The statement 'Charles Dickens was not born in Portsmouth' is false.", DENIED, "no", "false"),
        ("Question: Was Charles Dickens born in Portsmouth? Answer: No", PLAIN, "no", "No"),
        ("Was Charles Dickens born in Portsmouth?\n\nNo. He was born in Kent.", PLAIN, "no", "No"),
        ("Answer with yes or no: Yes", PLAIN, "yes", "Yes"),
        ("Yes, he was born there. Wait, actually, no. He was born in London.", PLAIN, "no", "no"),
        ("I apologize for the earlier answer. The correct answer is no.", PLAIN, "no", "no"),
        ("Let me think. Dickens was born in 1812. So, the answer is yes.", PLAIN, "yes", "yes"),
        ("<think>Is it yes? No, hmm no.</think>Yes, he was.", PLAIN, "yes", "Yes"),
        ("so maybe no</think>\nYes", PLAIN, "yes", "Yes"),
        ("No.\nKnowledge:\n1. Yes, it is.\n2. No films were made.", PLAIN, "no", "No"),
        ("Yes. It is not true that he was born in Kent.", PLAIN, "yes", "Yes"),
        ("Absolutely not.", PLAIN, "no", "Absolutely not"),
        ("I don't think so.", PLAIN, "no", "I don't think so"),
        ("Not sure, but yes, he was.", PLAIN, "yes", "yes"),
        ("Charles Dickens was born in Portsmouth.", PLAIN, "yes", "Charles Dickens was born in Portsmouth."),
        ("Charles Dickens was not born in Portsmouth.", DENIED, "yes", "Charles Dickens was not born in Portsmouth."),
        ("Charles Dickens was born in Portsmouth.", DENIED, "no", "Charles Dickens was born in Portsmouth."),
        ("I don't know.", PLAIN, "dont_know", "don't know"),
        (
            "Charles Dickens was born in Portsmouth, but it is unclear whether he was.",
            PLAIN,
            "dont_know",
            "it is unclear",
        ),
        ("I don’t know whether Charles Dickens was born in Portsmouth.", PLAIN, "dont_know", "don’t know"),
        ("No information is available.", PLAIN, "dont_know", "No information"),
        ("I am not certain, would you like me to search?", PLAIN, "dont_know", "am not certain"),
        ("I'm sorry, but I cannot answer that question.", PLAIN, "refusal", None),
        ("I can't help with that request.", PLAIN, "refusal", None),
        ("Yes. 1. He was born there.\nTherefore, no.", PLAIN, "contradictory", None),
        ("Yes and no.", PLAIN, "contradictory", "Yes and no"),
        ("<think>No, hmm", PLAIN, "unparseable", ""),
        ("Lamar Alexander.", PLAIN, "unparseable", ""),
        ("Oui, il est né là.", PLAIN, "unparseable", "Oui"),
        ("はい、そうです。", PLAIN, "unparseable", "はい"),
        ("", PLAIN, "unparseable", ""),
    ],
)
def test_an_answer_is_read_with_the_span_that_decides_it(text: str, question: str, kind: str, span: str | None) -> None:
    answer = parse(text, question)
    assert answer.kind == kind
    if span is not None:
        assert text[answer.start : answer.end] == span


def test_of_the_real_answers_that_open_with_yes_or_no_none_is_read_as_the_other(shared_data: Path) -> None:
    for line in (shared_data / "real-answers" / "senator.jsonl").read_text().splitlines():
        row = json.loads(line)
        for text in row["answers"]:
            for word, other in (("Yes,", "no"), ("No,", "yes")):
                if text.startswith(word):
                    # one of them says "This answer is incorrect" of itself: then the other is right
                    assert parse(text, row["question"]).kind != other or "answer is incorrect" in text


def _labelled(data: Path) -> list[tuple[str, str, str, str]]:
    """Response, question, label by hand and draw."""
    rows = [json.loads(line) for line in (data / "real-answers" / "senator.jsonl").read_text().splitlines()]
    lines = (Path(__file__).parent / "data" / "senator_labels.tsv").read_text().splitlines()
    fields = [line.split("\t") for line in lines if not line.startswith(("#", "line"))]
    return [(rows[int(i)]["answers"][int(j)], rows[int(i)]["question"], label, draw) for i, j, label, draw in fields]


@pytest.mark.parametrize(("draw", "wrong"), [("random", 1), ("hard", 1), ("unseen", 0)])
def test_the_parser_errs_on_real_answers_read_by_hand_no_more_than_documented(
    shared_data: Path, draw: str, wrong: int
) -> None:
    read = [(parse(text, question).kind, label) for text, question, label, d in _labelled(shared_data) if d == draw]
    assert len(read) >= 80
    assert sum(kind != label for kind, label in read) <= wrong


def test_no_real_yes_is_read_as_no_nor_a_no_as_yes(shared_data: Path) -> None:
    for text, question, label, _ in _labelled(shared_data):
        if label in ("yes", "no"):
            assert parse(text, question).kind in (label, "dont_know"), text


def test_most_real_answers_are_parsed(shared_data: Path) -> None:
    rows = [json.loads(line) for line in (shared_data / "real-answers" / "senator.jsonl").read_text().splitlines()]
    kinds = [parse(text, row["question"]).kind for row in rows for text in row["answers"]]
    assert kinds.count("unparseable") <= len(kinds) // 100
    assert {"yes", "no", "dont_know", "refusal"} <= set(kinds)


@pytest.mark.parametrize(
    "piece",
    ["no ", "a", "(", "*", "it is ", "I do not have ", " \n", "1. x\n", "the statement ", "Is? ", "<think>", "wait ",
     "'", "so ", "\0\x01", "answer is ", "<b>Yes</b>", ":- halt. ", "not not "],
)  # fmt: skip
def test_a_megabyte_of_anything_gets_an_answer(piece: str) -> None:
    assert parse(piece * (1_000_000 // len(piece)), PLAIN).kind in (
        "yes", "no", "dont_know", "refusal", "contradictory", "unparseable",
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_gets_an_answer_whose_span_lies_in_it(text: str, question: str) -> None:
    answer = parse(text, question)
    assert 0 <= answer.start <= answer.end <= len(text)
    assert (answer.kind == "unparseable") == (answer.marker in ("none", "foreign"))
