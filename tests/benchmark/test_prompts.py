"""The prompts as published, their forms and contexts; a changed text must be a new version."""

import hashlib
import json
import random
from datetime import date
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from halluvault_tasks.benchmark.cases import Case
from halluvault_tasks.benchmark.config import Recent, Variant
from halluvault_tasks.benchmark.contexts import Events
from halluvault_tasks.benchmark.prompts import VERSION, messages_json, prompts_of, text_of, variant_id


def premise(sentence: str, day: str = "") -> dict[str, Any]:
    return {"sentence": sentence, "object": {"date": day} if day else {"qid": 1, "label": "x"}}


def case(
    suite: str,
    question: str = "Was Charles Dickens born in Portsmouth?",
    premises: tuple[dict[str, Any], ...] = (premise("Charles Dickens was born in Portsmouth."),),
    group: str = "g",
) -> Case:
    identity = hashlib.sha256(question.encode()).hexdigest()[:16]
    return Case(
        identity,
        question,
        "yes",
        group,
        "original",
        "same",
        suite,
        "people",
        "inverse",
        19,
        1,
        2,
        {},
        list(premises),
        "",
    )


def variant(template: str, form: str = "plain", context: str = "closed-book") -> Variant:
    return Variant.model_validate({"template": template, "form": form, "context": context})


AS_OF = date(2026, 10, 31)


def test_drowzees_relation_prompt_is_the_published_one_with_the_date() -> None:
    assert text_of(variant("drowzee"), case("relation"), AS_OF) == (
        "Instruction: Answer the question with your knowledge and reasoning power.\n"
        "Query: Given the question: Was Charles Dickens born in Portsmouth?, please provide an answer with your "
        "knowledge and reasoning power. Think of it step by step with a human-like reasoning process. After giving the "
        "answer, list the knowledge used in your reasoning process in the form of declarative sentences and point by "
        "point. The answer must contain ‘Yes’, ‘No’ or ‘I don’t know’ at the beginning.\n"
        "The facts are to be judged as of 31 October 2026."
    )


def test_drowzees_temporal_prompt_asks_for_metric_temporal_logic() -> None:
    text = text_of(variant("drowzee"), case("temporal"), AS_OF)
    assert (
        "please provide an answer with your knowledge and reasoning power upon metric temporal logic. Think it" in text
    )
    assert "list the evidence from your temporal reasoning" in text


def test_halluvaults_prompt_is_one_shot_and_has_one_line_more_than_the_published_one() -> None:
    lines = text_of(variant("halluvault"), case("relation"), AS_OF).splitlines()
    assert lines[1].startswith("Query: Now given the question: Was Charles Dickens born in Portsmouth?, please provide")
    assert [line for line in lines if "31 October 2026" in line] == [
        "The facts are to be judged as of 31 October 2026."
    ]
    assert lines[-1] == "3. Cameron’s only film release during Obama’s presidency was Avatar in 2009."


def test_a_question_that_looks_like_a_slot_stays_a_question() -> None:
    question = "Was {as_of_line} born in {question}?"
    assert question in text_of(variant("drowzee"), case("relation", question), AS_OF)


def test_variants_have_ids_of_their_own() -> None:
    assert variant_id(variant("drowzee")) != variant_id(variant("halluvault"))


KINDS = [
    (template, form, context)
    for template, form, context in product(
        ("drowzee", "halluvault"), ("plain", "chat"), ("closed-book", "with-evidence", "out-of-distribution")
    )
    if (form, context) != ("plain", "out-of-distribution")
]
FIRES = tuple(
    case("temporal", f"Did fire {n} begin in 2025?", (premise(f"Fire {n} began in {m} 2025.", f"2025-0{n}"),), f"g{n}")
    for n, m in enumerate(("January", "February", "March", "April", "May", "June", "July", "August", "September"), 1)
)
RECENT = Events(FIRES, AS_OF, Recent(months=24, events=4), 7)


def test_every_variant_has_an_id_of_its_own_and_no_two_texts_are_alike() -> None:
    assert len({variant_id(variant(*kind)) for kind in KINDS}) == len(KINDS) == 10
    texts = [text_of(variant(*kind), FIRES[0], AS_OF, RECENT) for kind in KINDS]
    assert len(set(texts)) == len(texts)


def test_a_changed_text_is_a_new_version() -> None:
    texts = [
        text_of(variant(*kind), case(suite, premises=FIRES[0].premises), AS_OF, RECENT)
        for kind in KINDS
        for suite in ("relation", "temporal")
    ]
    digest = hashlib.sha256(json.dumps(texts).encode()).hexdigest()
    assert (VERSION, digest[:16]) == (1, "929fc4c68711962d"), "a published text was edited: make it a new version"


@pytest.mark.parametrize("template", ["drowzee", "halluvault"])
def test_chat_gives_the_published_text_as_one_users_turn(template: str) -> None:
    for context in ("closed-book", "with-evidence"):
        plain = text_of(variant(template, "plain", context), case("relation"), AS_OF)
        chat = text_of(variant(template, "chat", context), case("relation"), AS_OF)
        assert chat == messages_json([{"role": "user", "content": plain}])


def test_evidence_stands_before_the_query_each_sentence_once() -> None:
    given_twice = (premise("One."), premise("Two."), premise("One."))
    text = text_of(variant("drowzee", context="with-evidence"), case("relation", premises=given_twice), AS_OF)
    assert text is not None
    assert text.splitlines()[1:5] == [
        "Evidence: the following statements are true.",
        "1. One.",
        "2. Two.",
        text.splitlines()[4],
    ]
    assert text.splitlines()[4].startswith("Query:")
    rest = text.replace("Evidence: the following statements are true.\n1. One.\n2. Two.\n", "")
    assert rest == text_of(variant("drowzee"), case("relation"), AS_OF), "the rest is the closed-book prompt"


def test_recent_events_are_told_first_left_to_the_model_and_then_asked_about() -> None:
    text = text_of(variant("drowzee", "chat", "out-of-distribution"), FIRES[2], AS_OF, RECENT)
    assert text is not None
    messages = json.loads(text)
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] is None
    told = messages[0]["content"].splitlines()[1:-1]
    assert len(told) == 4
    assert any("Fire 3 began in March 2025." in line for line in told)
    assert messages[2]["content"] == text_of(variant("drowzee"), FIRES[2], AS_OF)
    assert text == messages_json(messages), "stored as it is canonically written"


def test_events_are_in_no_order_that_a_model_could_rely_on_and_in_the_same_for_a_group() -> None:
    whole = Events(FIRES, AS_OF, Recent(months=24, events=9), 7)
    told = [whole.told(one) for one in FIRES]
    assert all(sorted(one) == sorted(told[0]) for one in told)
    assert len({tuple(one) for one in told}) == len(FIRES), "each group has an order of its own"
    assert len({one.index(f"{fire.premises[0]['sentence']}") for one, fire in zip(told, FIRES, strict=True)}) > 3
    twin = FIRES[0]._replace(question="Is this statement true? …", mutation="negated")
    assert whole.told(twin) == told[0]
    assert Events(FIRES, AS_OF, Recent(months=24, events=9), 8).told(FIRES[0]) != told[0], "seeded"


@given(st.randoms())
def test_the_order_of_cases_changes_no_prompt(shuffle: random.Random) -> None:
    mixed = list(FIRES)
    shuffle.shuffle(mixed)
    events = Events(mixed, AS_OF, Recent(months=24, events=4), 7)
    assert [events.told(one) for one in FIRES] == [RECENT.told(one) for one in FIRES]


@pytest.mark.parametrize(
    ("day", "recent"),
    [
        ("2024-10", True), ("2024-09", False), ("2026-10-31", True), ("2026-11-01", False), ("2025", True),
        ("2024", False), ("-0043", False), ("", False), ("1812-02-07", False),
    ],
)  # fmt: skip
def test_recent_is_what_lies_in_the_months_before_the_snapshots_date(day: str, recent: bool) -> None:
    one = case("temporal", premises=(premise("It began.", day),))
    assert bool(Events([one], AS_OF, Recent(months=24), 1).told(one)) is recent


def test_a_case_that_rests_on_nothing_recent_has_no_out_of_distribution_prompt() -> None:
    kinds = [variant("drowzee"), variant("drowzee", "chat", "out-of-distribution")]
    old = case("relation")
    made = prompts_of(kinds, [old, FIRES[0]], AS_OF, RECENT)
    assert [(one.variant_id, one.case_id) for one in made] == [
        (variant_id(kinds[0]), old.id), (variant_id(kinds[0]), FIRES[0].id), (variant_id(kinds[1]), FIRES[0].id),
    ]  # fmt: skip


def test_two_turns_cannot_be_one_text() -> None:
    with pytest.raises(ValidationError, match="two turns: its form is chat"):
        variant("drowzee", "plain", "out-of-distribution")


@given(st.text(max_size=60))
def test_no_label_breaks_out_of_its_line_or_its_json(label: str) -> None:
    one = case("relation", f"Was {label} born?", (premise(f"{label} was born."),))
    stored = text_of(variant("halluvault", "chat", "with-evidence"), one, AS_OF)
    assert stored is not None
    (message,) = json.loads(stored)
    assert one.question in message["content"]
    if label.split():
        assert f"1. {' '.join(f'{label} was born.'.split())}" in message["content"]
