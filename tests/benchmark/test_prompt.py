"""The prompts as published, their forms and contexts; a changed text must be a new version."""

import hashlib
import json
import random
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.prompts import variants
from halluvault_tasks.benchmark.prompts.contexts import RECENT_EVENTS, AskedCase, Events
from halluvault_tasks.benchmark.prompts.prompt import Prompt, messages_json, prompt_of, prompts_of
from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.prompts.variants import Variant, named, parse
from halluvault_tasks.benchmark.suites.template import VERDICTS
from halluvault_tasks.querying import conversation

KNOWN = tuple(one for one in variants.KNOWN if not TEMPLATES[one.template].only)
"""Of questions; a companion suite's are in its own tests."""


def premise(sentence: str, day: str = "") -> dict[str, Any]:
    return {"sentence": sentence, "object": {"date": day} if day else {"qid": 1, "label": "x"}}


def case(
    suite: str,
    question: str = "Was Charles Dickens born in Portsmouth?",
    premises: tuple[dict[str, Any], ...] = (premise("Charles Dickens was born in Portsmouth."),),
    group: str = "g",
) -> AskedCase:
    return AskedCase(hashlib.sha256(question.encode()).hexdigest()[:16], question, suite, group, "people", premises)


def variant(template: str, form: str = "plain", context: str = "closed-book") -> Variant:
    return parse(f"{template}/{form}/{context}")


def text_of(kind: Variant, one: AskedCase, as_of: date, events: Events | None = None) -> str:
    return made(kind, one, as_of, events).text


def made(kind: Variant, one: AskedCase, as_of: date, events: Events | None = None) -> Prompt:
    prompt = prompt_of(kind, one, as_of, events)
    assert prompt is not None
    return prompt


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


FIRES = tuple(
    case("temporal", f"Did fire {n} begin in 2025?", (premise(f"Fire {n} began in {m} 2025.", f"2025-0{n}"),), f"g{n}")
    for n, m in enumerate(("January", "February", "March", "April", "May", "June", "July", "August", "September"), 1)
)
RECENT = Events(FIRES, AS_OF, 7)
ENDING_IN_A_VERDICT = {"halluvault/two-turn", "halluvault/system", "halluvault/self-check"}
DIGESTS = {
    ("halluvault/plain/closed-book", 1): "28b661fb3e69eb5d",
    ("drowzee/plain/closed-book", 1): "a07920c319083b52",
    ("halluvault/plain/with-evidence", 1): "4f877cc692b9bc9c",
    ("drowzee/plain/with-evidence", 1): "bd261604e438bd58",
    ("halluvault/chat/closed-book", 1): "899d4feeb4c9f709",
    ("drowzee/chat/closed-book", 1): "5a0a85e5f1d95bb0",
    ("halluvault/two-turn/chat/closed-book", 1): "a6ce86eab325e0be",
    ("halluvault/chat/with-evidence", 1): "be80818b048a35a3",
    ("drowzee/chat/with-evidence", 1): "327b55bed8643989",
    ("halluvault/two-turn/chat/with-evidence", 1): "72572ac2fbf76951",
    ("halluvault/chat/out-of-distribution", 2): "7e5c4248aee6dd7f",
    ("drowzee/chat/out-of-distribution", 2): "5df2829d7e4ccac1",
    ("halluvault/two-turn/chat/out-of-distribution", 2): "c5a3d9fc6fd3a63c",
    ("halluvault/system/chat/closed-book", 1): "fc9e76c158c0e2b8",
    ("halluvault/self-check/chat/closed-book", 1): "c40d1cf36a449992",
    ("halluvault/system/chat/with-evidence", 1): "b9626b24327eeb3b",
    ("halluvault/self-check/chat/with-evidence", 1): "47548952a35e5218",
    ("halluvault/system/chat/out-of-distribution", 2): "601482da10ef1b95",
    ("halluvault/self-check/chat/out-of-distribution", 2): "021fc7f30b9d4359",
    ("halluvault/two-turn/chat/closed-book", 2): "5f24d20dc83ccbff",
    ("halluvault/system/chat/closed-book", 2): "4c0b03b7ef4402ba",
    ("halluvault/self-check/chat/closed-book", 2): "286323d63a76f527",
    ("halluvault/two-turn/chat/with-evidence", 2): "f7cf6ca14b1b4913",
    ("halluvault/system/chat/with-evidence", 2): "07cd5e7566cb3527",
    ("halluvault/self-check/chat/with-evidence", 2): "8b9046edd2b430ee",
    ("halluvault/two-turn/chat/out-of-distribution", 3): "507223abfc1f74d8",
    ("halluvault/system/chat/out-of-distribution", 3): "e8a48c31c5e52fa6",
    ("halluvault/self-check/chat/out-of-distribution", 3): "21dd28b1b2905053",
}
"""Variant and version → of its texts. Of two turns, version 1 (2 of recent events) is what
was asked until the prompt said what the index charges for."""


def test_every_variant_has_an_id_of_its_own_and_no_two_texts_are_alike() -> None:
    assert len({one.id for one in KNOWN}) == len(KNOWN) == 19
    texts = [text_of(one, FIRES[0], AS_OF, RECENT) for one in KNOWN]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("kind", KNOWN, ids=lambda one: one.name)
def test_a_changed_text_is_a_new_version(kind: Variant) -> None:
    texts = [
        text_of(kind, case(suite, premises=FIRES[0].premises), AS_OF, RECENT) for suite in ("relation", "temporal")
    ]
    digest = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    assert DIGESTS[kind.name, kind.version] == digest, "a published text was edited: make it a new version"


def test_a_name_means_plain_before_chat_and_the_model_alone_before_a_context() -> None:
    assert named("halluvault") == variant("halluvault")
    assert named("halluvault/chat") == variant("halluvault", "chat")
    assert named("halluvault/two-turn") == variant("halluvault/two-turn", "chat")
    assert [named(one.name) for one in KNOWN] == [named(one.id) for one in KNOWN] == list(KNOWN)
    for unknown in ("", "hallu", "halluvault/two-turn/plain", "drowzee/plain/out-of-distribution", "drowzee/plain/x"):
        assert named(unknown) is None
        with pytest.raises(ValueError, match=r"no prompt variant '.*; give TEMPLATE, .*halluvault/two-turn"):
            parse(unknown)


def test_the_two_turns_explain_first_and_give_a_verdict_of_three_words_then() -> None:
    text = text_of(variant("halluvault/two-turn", "chat"), case("relation"), AS_OF)
    messages = json.loads(text)
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[0]["content"] == (
        "Was Charles Dickens born in Portsmouth?\nThe facts are to be judged as of 31 October 2026.\n"
        "Explain in a few short sentences, one fact each."
    )
    assert messages[1]["content"] is None
    assert [message.get("guide", "free") for message in messages] == ["free", "free", "verdict"]
    assert all(word in messages[2]["content"] for word in VERDICTS)
    assert text == messages_json(messages), "stored as it is canonically written"


def test_contexts_stand_before_the_two_turns_as_before_one() -> None:
    told = json.loads(text_of(variant("halluvault/two-turn", "chat", "with-evidence"), case("relation"), AS_OF))
    assert told[0]["content"].startswith("Evidence: the following statements are true.\n1. Charles Dickens was born")
    recent = json.loads(text_of(variant("halluvault/two-turn", "chat", "out-of-distribution"), FIRES[2], AS_OF, RECENT))
    alone = json.loads(text_of(variant("halluvault/two-turn", "chat"), FIRES[2], AS_OF))
    assert [message["role"] for message in recent] == ["user", "assistant", "user", "assistant", "user"]
    assert recent[2:] == alone


@pytest.mark.parametrize("kind", [one for one in KNOWN if one.form == "chat"], ids=lambda one: one.name)
def test_a_server_sees_role_and_content_alone_and_that_is_what_the_digest_is_of(kind: Variant) -> None:
    prompt = made(kind, FIRES[2], AS_OF, RECENT)
    turns = conversation.turns_of(prompt.text)
    seen = messages_json([{"role": turn.role, "content": turn.content} for turn in turns])
    assert prompt.sha256 == hashlib.sha256(seen.encode()).hexdigest()
    assert [turn.guide for turn in turns if turn.role == "user"][-1] == (
        "verdict" if kind.template in ENDING_IN_A_VERDICT else "free"
    )


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
    assert len(told) == RECENT_EVENTS
    assert any("Fire 3 began in March 2025." in line for line in told)
    assert messages[2]["content"] == text_of(variant("drowzee"), FIRES[2], AS_OF)
    assert text == messages_json(messages), "stored as it is canonically written"


def test_events_are_in_no_order_that_a_model_could_rely_on_and_in_the_same_for_a_group() -> None:
    whole = Events(FIRES[:RECENT_EVENTS], AS_OF, 7)
    fires = FIRES[:RECENT_EVENTS]
    told = [whole.told(one) for one in fires]
    assert all(sorted(one) == sorted(told[0]) for one in told)
    assert len({tuple(one) for one in told}) == len(fires), "each group has an order of its own"
    assert len({one.index(f"{fire.premises[0]['sentence']}") for one, fire in zip(told, fires, strict=True)}) > 2
    twin = FIRES[0]._replace(question="Is this statement true? …")
    assert whole.told(twin) == told[0]
    assert Events(FIRES[:RECENT_EVENTS], AS_OF, 8).told(FIRES[0]) != told[0], "seeded"


@given(st.randoms())
def test_the_order_of_cases_changes_no_prompt(shuffle: random.Random) -> None:
    mixed = list(FIRES)
    shuffle.shuffle(mixed)
    events = Events(mixed, AS_OF, 7)
    assert [events.told(one) for one in FIRES] == [RECENT.told(one) for one in FIRES]


@pytest.mark.parametrize(
    ("day", "recent"),
    [
        ("2023-10", True), ("2023-09", False), ("2026-10-31", True), ("2026-11-01", False), ("2024", True),
        ("2023", False), ("-0043", False), ("", False), ("1812-02-07", False),
    ],
)  # fmt: skip
def test_recent_is_what_lies_in_the_months_before_the_snapshots_date(day: str, recent: bool) -> None:
    one = case("temporal", premises=(premise("It began.", day),))
    assert bool(Events([one], AS_OF, 1).told(one)) is recent


def test_a_case_that_rests_on_nothing_recent_has_no_out_of_distribution_prompt() -> None:
    kinds = [variant("drowzee"), variant("drowzee", "chat", "out-of-distribution")]
    old = case("relation")
    asked = [[one.case_id for one in prompts_of(kind, [old, FIRES[0]], AS_OF, RECENT)] for kind in kinds]
    assert asked == [[old.id, FIRES[0].id], [FIRES[0].id]]


@given(st.text(max_size=60))
def test_no_label_breaks_out_of_its_line_or_its_json(label: str) -> None:
    one = case("relation", f"Was {label} born?", (premise(f"{label} was born."),))
    stored = text_of(variant("halluvault", "chat", "with-evidence"), one, AS_OF)
    assert stored is not None
    (message,) = json.loads(stored)
    assert one.question in message["content"]
    if label.split():
        assert f"1. {' '.join(f'{label} was born.'.split())}" in message["content"]
