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


ARGUMENT = " Portsmouth lies in Hampshire. Hampshire is part of England."
LIST = "\n\nFacts:\n- Portsmouth lies in Hampshire.\n- Hampshire is part of England."
BEFORE = "Is it true that Oracle Corporation was not founded in the year 1977, the year after 1976?"
SAID = {
    "yes": [
        "Yep.",
        "My finding is yes.",
        "Short version: yes.",
        "That's a yes from me.",
        "It's a yes from me 😊",
        "Confirmed.",
        "That checks out.",
        "This holds up.",
        "It sure is.",
        "You're right.",
        "Spot on!",
        "The statement can be upheld.",
        "The claim is well supported.",
        "I can confirm this is true.",
        "The question can be answered in the affirmative.",
        "An affirmative answer, that is, yes, is supported by the record.",
        "On the evidence before me, yes.",
        "## Answer: Yes",
        "**Verdict** – true.",
        "<answer>yes</answer>.",
        "Mark it true.",
        "There's nothing wrong with that statement.",
        "I looked into it, and it's true.",
        "Yes indeed! Happy to tell you a bit more.",
        "I'd call that correct.",
        "The evidence supports this.",
        "That is not incorrect.",
        "Question answered: yes.",
        "Well, as it happens, yes.",
        "If you were leaning toward yes, you were right: the answer is yes.",
        "Having weighed what is known, I would answer yes without hesitation.",
        "Yes is the answer.",
        "I see no reason to doubt it.",
    ],
    "no": [
        "Alas, no.",
        "Nope.",
        "Not so.",
        "Sadly, that isn't the case.",
        "A firm no.",
        "Far from it.",
        "By no means.",
        "False!",
        "That would be incorrect.",
        "You are mistaken.",
        "The statement does not hold.",
        "The claim cannot be upheld.",
        "The claim is refuted by the facts.",
        "I find the statement to be false.",
        "I must disagree.",
        "The question is to be answered in the negative.",
        "A negative answer, that is, no, is supported by the record.",
        "The facts say otherwise.",
        "Nothing could be further from the truth.",
        "After checking the record, no.",
        "TL;DR: no.",
        '{"verdict": false}.',
        "I don't think so.",
        "Close, but no.",
        "It's anything but true.",
        "Verdict: not supported.",
        "If you said yes, you're mistaken.",
        "The answer cannot be yes.",
        "It would be incorrect to say yes.",
        "We can rule that out.",
    ],
    "dont_know": [
        "Beats me.",
        "I couldn't tell you.",
        "Your guess is as good as mine.",
        "Answer: unknown.",
        "I'm stumped.",
        "The available knowledge does not permit an answer to this question.",
        "I can neither confirm nor deny it.",
        "No conclusion can be drawn.",
        "**Verdict: Unproven.** We were unable to determine the answer.",
        "I cannot confirm that this is true.",
    ],
    "refusal": [
        "Pass.",
        "I'd rather not say.",
        "I choose not to answer this question.",
        "No answer will be offered to this question.",
        "This response abstains from taking any position on the question.",
        "My lips are sealed.",
        "This is not a question on which I am willing to provide an answer.",
    ],
}


@pytest.mark.parametrize(("kind", "opening"), [(kind, one) for kind, said in SAID.items() for one in said])
def test_an_answer_in_any_voice_is_read_whatever_follows(kind: str, opening: str) -> None:
    for question in (PLAIN, DENIED, BEFORE):
        for text in (opening, opening + ARGUMENT, opening + LIST, f"So a reader asks: {question} {opening}{ARGUMENT}"):
            assert parse(text, question).kind == kind, text


@pytest.mark.parametrize(
    ("text", "question", "kind"),
    [
        ("He was indeed.", PLAIN, "yes"),
        ("He wasn't.", PLAIN, "no"),
        ("He was.", DENIED, "no"),
        ("He wasn't.", DENIED, "yes"),
        ("It is.", BEFORE, "yes"),
        ("It isn't.", BEFORE, "no"),
        ("The claim that Charles Dickens was born in Portsmouth is false.", DENIED, "yes"),
    ],
)
def test_an_ellipsis_speaks_of_what_is_asked_underneath(text: str, question: str, kind: str) -> None:
    assert parse(text, question).kind == kind


@pytest.mark.parametrize(
    "end",
    [
        "So the answer is {}.",
        "Case closed: {}.",
        "That makes it a {}.",
        "All in all, that's definitely a {}!",
        "My last word: {}.",
        "Anyway, the answer's a {}. Let me know if you're curious about anything else!",
        "Final: {}.",
        "Everything considered, I say {}.",
    ],
)
def test_an_end_that_denies_the_opening_contradicts_and_one_that_repeats_it_does_not(end: str) -> None:
    for first, second in (("yes", "no"), ("no", "yes")):
        for middle in (ARGUMENT, LIST + "\n\n"):
            assert parse(f"Verdict: {first}.{middle} {end.format(second)}", PLAIN).kind == "contradictory"
            assert parse(f"Verdict: {first}.{middle} {end.format(first)}", PLAIN).kind == first


ASIDES = [
    "At first I thought that {c}, but that is wrong.",
    "{c} – no, scratch that.",
    "{c}? No, that is wrong.",
    "{c}. Sorry, no.",
    "My draft said that {c}. Wrong, and I deleted it.",
    "Correction: it is wrong that {c}.",
    "{c}. No, wait, that's wrong.",
    "{c}... Actually no, that's incorrect.",
    "Someone told me that {c}. Not true.",
    "You may have heard that {c}. That is a myth.",
    "It would be a mistake to claim that {c}.",
    "The claim that {c} is false.",
    "{c}? Probably, not sure though.",
    "Rumour has it, and I cannot vouch for it, that {c}.",
    "It is true that {c}.",
    "Indeed, {c}.",
    "No wonder: {c}.",
    "They also say, and rightly, that {c}.",
    "{c}. That's a fact.",
    "Consequently, it is established that {c}.",
]


@pytest.mark.parametrize("frame", ASIDES)
def test_a_statement_taken_back_doubted_or_affirmed_beside_the_answer_does_not_change_it(frame: str) -> None:
    aside = frame.replace("{c}", "Hampshire borders Wales")
    for kind, opening in (("yes", "That is correct."), ("no", "The claim is wrong."), ("no", "No.")):
        for text in (f"{opening} {aside}", f"{opening}{ARGUMENT} {aside}", f"{opening}{LIST}\n- {aside}"):
            assert parse(text, PLAIN).kind == kind, text


@pytest.mark.parametrize("frame", ASIDES)
def test_a_statement_taken_back_or_affirmed_is_no_answer_where_none_is_given(frame: str) -> None:
    aside = frame.replace("{c}", "Hampshire borders Wales")
    for text in (f"Portsmouth is in England. {aside}", f"Here is what I know.{LIST}\n- {aside}"):
        assert parse(text, PLAIN).kind in ("unparseable", "dont_know"), text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "Intel was founded in 1968.",
            "Is this statement true? “Intel was founded in the year 1977, the year after 1976.”",
        ),
        (
            "Pink Floyd came into being in 1965.",
            "Is this statement true? “The musical group ‘Pink Floyd’ was formed in 1965.”",
        ),
        (
            "Galileo is the one who discovered or invented Callisto.",
            "Do Callisto and Ganymede share at least one discoverer or inventor?",
        ),
        ("| A | rel | B |\n|---|---|---|\n| Pixar | founded | 1986 |", "Was Pixar not founded in the year 1986?"),
    ],
)
def test_a_premise_is_no_answer_though_it_names_what_is_asked(text: str, question: str) -> None:
    assert parse(text, question).kind == "unparseable"


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
     "'", "so ", "\0\x01", "answer is ", "<b>Yes</b>", ":- halt. ", "not not ", "**no** ", "the claim that "],
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


@pytest.mark.parametrize(
    ("kind", "opening"),
    [
        ("yes", "No historian of note disputes it."),
        ("yes", "Whoever denies it is mistaken."),
        ("yes", "It would be a mistake to dispute that."),
        ("yes", "You remembered correctly."),
        ("yes", "Plenty of people call it false, but it is actually true."),
        ("yes", "No, you are not mistaken. It's true."),
        ("yes", "The tale happens to be genuine."),
        ("yes", "\\boxed{\\text{True}}"),
        ("yes", "| Statement | Verdict |\n|---|---|\n| as put | ✅ True |"),
        ("no", "I do not think the claim is right."),
        ("no", "Yes, it's a myth."),
        ("no", "Without any doubt, no."),
        ("no", "It is a fine tale, but it never happened."),
        ("no", "There is no grain of truth in it."),
        ("no", "<answer>No</answer>"),
        ("dont_know", "Yes, a fair question, but I don't know the answer."),
        ("dont_know", "I can't give you a yes or a no."),
        ("refusal", "Our policy does not allow me to discuss this."),
        ("unparseable", "Let me check whether the claim is true."),
        ("unparseable", "Many people believe this is true."),
        ("unparseable", "It might be false."),
    ],
)
def test_a_sentence_that_names_nothing_is_read_as_a_whole(kind: str, opening: str) -> None:
    assert parse(f"{opening}\nDickens lived in Kent.", PLAIN).kind == kind


@pytest.mark.parametrize(
    "closing", ["So yeah, Ada Lane wasn't born in Zagreb.", "Yes, Ada Lane was never born in Zagreb, that is settled."]
)
def test_a_yes_that_only_begins_a_denial_contradicts_no_no(closing: str) -> None:
    question = "Was Ada Lane born in Zagreb?"
    assert parse(f"Nope! Ada Lane came from Warsaw. {closing}", question).kind == "no"


def test_a_yes_that_only_begins_a_statement_answers_no_question_that_denies() -> None:
    text = "Nope! Ada Lane lived in Zagreb. So yeah, Ada Lane has lived in Zagreb."
    assert parse(text, "Is this statement true? “Ada Lane has never lived in Zagreb.”").kind == "no"


@pytest.mark.parametrize(
    "text",
    [
        "We will not be issuing a ruling on this one.",
        "That isn't something I'm going to discuss here.",
        "No statement will be given on this matter.",
        "I'm going to skip this one.",
    ],
)
def test_taking_no_stance_is_refusing(text: str) -> None:
    assert parse(text, "Was Ada Lane born in Zagreb?").kind == "refusal"
