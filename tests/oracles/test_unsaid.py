"""What says nothing is read by no profile, and thoughts by none: on a real Postgres, with the real parser."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import exchange, suites
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.stages import score
from halluvault_tasks.querying.thoughts import FORMATS
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.tables import prompt, response, verdict
from tests.oracles.material import SNAPSHOT, fill

THOUGHT = "Yes, at first sight this looks so. Hmm, wait. Charles Dickens was born in London. Maybe yes? No.\n"
ANSWER = "No. Charles Dickens was born in Portsmouth."
TURNS = [
    {"role": "user", "content": "Was Charles Dickens born in London? Explain in a few short sentences."},
    {"role": "assistant", "content": None},
    {"role": "user", "content": "What is your answer, then?", "guide": "verdict"},
]


def row(text: str | None, finish: str | None = "stop", refusal: str | None = None, thought: str | None = None) -> Any:
    return SimpleNamespace(
        case_id="c", sample=1, text=text, transcript=None, finish_reason=finish, refusal=refusal, thought=thought
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (row(""), "no_answer"),
        (row(None), "no_answer"),
        (row(" \n\u200b"), "no_answer"),
        (row("<|im_end|>"), "no_answer"),
        (row("</s>", "eos_token"), "no_answer"),
        (row("<p></p>"), "no_answer"),
        (row("", "length"), "cut_off"),
        (row("", "max_tokens"), "cut_off"),
        (row("<think>Yes. It is", "length"), "cut_off"),
        (row("<think>Yes. It is</think>"), "no_answer"),
        (row("Yes.", "stop", refusal="I cannot help with this one."), "api_refusal"),
        (row("", "stop", refusal=""), "api_refusal"),
        (row("Yes", "content_filter"), "api_refusal"),
        (row("Yes", "error"), "no_answer"),
        (row("Yes."), ""),
        (row("Yes.", "length"), ""),
        (row("Well", None), ""),
        (row("Нет"), ""),
    ],
)
def test_what_says_nothing_is_told_by_its_reason(said: Any, why: str) -> None:
    found = exchange.heard(said)
    assert (found.unsaid, bool(found.text)) == (why, not why)


def test_a_stored_thought_shows_that_the_text_beside_it_is_the_answer_as_it_was_given() -> None:
    said = "No. The tag </think> ends a thought."
    assert exchange.heard(row(said, thought="Yes?")).text == said
    assert "No" not in exchange.heard(row(said)).text
    quoted = "No. The tag `</think>` ends a thought."
    assert exchange.heard(row(quoted)).text == quoted


@pytest.fixture(scope="module")
def embed() -> SentenceBert:
    return SentenceBert()


def judged(session: Session, evaluation: str, embed: SentenceBert) -> dict[str, list[Any]]:
    score(session, evaluation, embed=embed)
    found: dict[str, list[Any]] = {}
    for one in session.execute(select(verdict).where(verdict.c.evaluation_id == evaluation)):
        found.setdefault(one.case_id, []).append(one)
    return found


def put(session: Session, **columns: Any) -> None:
    session.execute(update(response).values(**columns))
    session.commit()


def told(rows: Sequence[Any]) -> set[tuple[str, str, str | None, bool | None]]:
    return {(one.answer, one.category, one.sub_label, one.correct) for one in rows}


@pytest.mark.parametrize(
    ("text", "columns", "label"),
    [
        ("", {"finish_reason": "stop"}, "no_answer"),
        ("", {"finish_reason": "length"}, "cut_off"),
        ("Charles Dickens, the son of a clerk, was", {"finish_reason": "length"}, "cut_off"),
        ("Yes", {"finish_reason": "content_filter", "refusal": "content_filter"}, "api_refusal"),
        ("", {"finish_reason": "stop", "refusal": "I cannot help with this one."}, "api_refusal"),
        ("It depends.", {"finish_reason": "stop"}, None),
    ],
)
def test_every_profile_has_the_same_reason_for_what_is_unread(
    session: Session, embed: SentenceBert, text: str, columns: dict[str, str], label: str | None
) -> None:
    evaluation = fill(session, [("c1", text), ("c2", text)])
    put(session, **columns)
    for rows in judged(session, evaluation, embed).values():
        assert len(rows) == 3
        assert told(rows) == {("unparseable", "unparseable", label, None)}
        assert all(one.detail.get("claims", []) == [] for one in rows)


def test_an_answer_cut_at_its_limit_is_read_and_flagged(session: Session, embed: SentenceBert) -> None:
    evaluation = fill(session, [("c1", "Yes. Charles Dickens was born in Portsmouth and")])
    put(session, finish_reason="length")
    (rows,) = judged(session, evaluation, embed).values()
    assert {one.answer for one in rows} == {"yes"}
    assert {one.detail["flags"]["cut_short"] for one in rows if "flags" in one.detail} == {True}


def ask_in_turns(session: Session, argued: str, reply: str, **columns: Any) -> str:
    evaluation = fill(session, [("c3", reply)])
    said = [dict(TURNS[0]), {"role": "assistant", "content": argued}, dict(TURNS[2])]
    put(session, transcript=[*said, {"role": "assistant", "content": reply}], **columns)
    stored = {"snapshot": SNAPSHOT, "variant_id": "v1", "case_id": "c3", "text": json.dumps(TURNS), "sha256": "0"}
    session.execute(delete(prompt))
    session.execute(insert(prompt), [stored])
    session.commit()
    return evaluation


@pytest.mark.parametrize(
    ("reply", "columns", "label"),
    [
        ("", {}, "no_answer"),
        ("", {"finish_reason": "length"}, "cut_off"),
        ("No", {"refusal": "content_filter"}, "api_refusal"),
        ("<think>No.</think>", {}, "no_answer"),
    ],
)
def test_an_answer_in_the_text_does_not_replace_a_verdict_turn_that_says_nothing(
    session: Session, embed: SentenceBert, reply: str, columns: dict[str, str], label: str
) -> None:
    (rows,) = judged(session, ask_in_turns(session, ANSWER, reply, **columns), embed).values()
    assert told(rows) == {("unparseable", "unparseable", label, None)}
    session.execute(delete(prompt))
    session.commit()


def thinking(start: str, end: str, length: int, answer: str) -> str:
    return f"{start}{THOUGHT * (1 + length // len(THOUGHT))}{end}{answer}"


@pytest.mark.parametrize("length", [90, 16_000, 200_000])
@pytest.mark.parametrize("turns", [False, True])
def test_thoughts_of_stored_responses_are_read_by_nobody_in_any_format_or_length(
    session: Session, embed: SentenceBert, length: int, turns: bool
) -> None:
    formats = FORMATS if length < 10_000 else FORMATS[:2]
    for form in formats:
        for start in {form.start, form.start if form.first else ""}:  # its start may stand in the prompt
            if turns:
                argued = thinking(start, form.end, length, f"\n\n{ANSWER}")
                evaluation = ask_in_turns(session, argued, thinking(start, form.end, length, "\n\nno"))
                shown = argued
            else:
                shown = thinking(start, form.end, length, f"\n\n{ANSWER}")
                evaluation = fill(session, [("c3", shown)])
            (rows,) = judged(session, evaluation, embed).values()
            assert {one.answer for one in rows} == {"no"}, form
            (ours,) = (one for one in rows if one.profile == "replay/syntax")
            assert (ours.category, ours.correct) == ("normal", True), form
            (claim,) = ours.detail["claims"]
            assert shown[slice(*claim["span"])] == claim["text"] == ANSWER[4:-1], "places are those of what is stored"
    session.execute(delete(prompt))
    session.commit()


def test_a_thought_of_the_response_itself_is_not_read_twice(session: Session, embed: SentenceBert) -> None:
    evaluation = fill(session, [("c3", f"{ANSWER}\n</think>")])
    put(session, thought="Yes? No.")
    (rows,) = judged(session, evaluation, embed).values()
    assert {one.answer for one in rows} == {"no"}


# ------------------------------------------------------------------ companion suites


IPV6 = {
    "inputs": {"prompt": "What year was World IPv6 Launch Day?", "context": []}, "constraints": {},
    "oracle": {"kind": "exact", "right": [["2012"]], "wrong": [["2008"]]}, "class": "negation", "domain": "culture",
    "difficulty": "easy",
}  # fmt: skip
NAMED = {"guide": "name", "items": [{"qid": 2, "names": ["Portsmouth"]}]}
SUITES: dict[str, tuple[dict[str, Any], str]] = {
    "open": (
        {"asks": "where", "wanted": NAMED, "licence": "proved", "hops": 1, "difficulty": {}, "told": "It was there."},
        "Portsmouth",
    ),
    "memory": (
        {"kind": "single", "p": 36, "strategy": 0, "set": "", "pairs": [[8, 6]], "right": ["Berlin"], "shown": [],
         "accepted": {"Berlin": ["Berlin"]}, "stratum": 0},
        "Berlin",
    ),
    "memory_external": ({}, "A text."),
    "recognition": ({}, "Yes"),
    "pressure": (
        {"case": IPV6, "cluster": "c", "grading": "automatic", "source": "file", "why": "it is known"},
        "It was in 2012.",
    ),
}  # fmt: skip
"""Of each suite with a judge of its own a case, and a reply that it reads."""


@pytest.fixture
def placed(session: Session) -> None:
    fill(session, [("c1", "")])
    for suite, (fact, _) in SUITES.items():
        part = {"snapshot": SNAPSHOT, "suite": suite}
        frozen = {"seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}, "published": True}
        session.execute(upsert(tables.benchmark_part).on_conflict_do_nothing(), [part | frozen])
        asked = {"id": suite, "question": "Is it so?", "gold": "yes", "suite": suite, "group_id": suite}
        session.execute(
            upsert(tables.cases).on_conflict_do_nothing(), [asked | {"mutation": "original", "relation": "same"}]
        )
        of_it = {"case_id": suite, "domain": "d", "rule_kind": "r", "fact": fact, "premises": [], "proof": ""}
        session.execute(upsert(tables.benchmark_case).on_conflict_do_nothing(), [part | of_it])
    session.commit()


@pytest.mark.parametrize("suite", SUITES)
def test_no_suite_reads_what_says_nothing_or_what_was_thought(session: Session, placed: None, suite: str) -> None:
    judge, (_, good) = suites.JUDGES[suite], SUITES[suite]
    wrong = "No. It was in 2008. Delft, Rome. Maybe?"

    def verdicts(text: str, **columns: Any) -> list[dict[str, Any]]:
        said = row(text, **columns)
        said.case_id = suite
        return judge.judge(session, SNAPSHOT, [said])

    read = verdicts(good)
    assert {one["category"] for one in read} <= {"normal", "review"}
    for format_ in FORMATS:
        assert verdicts(f"{format_.start}{wrong}{format_.end}\n\n{good}") == read, format_.name
    for text, columns, why in [
        (good, {"refusal": "filtered"}, "api_refusal"),
        ("", {}, "no_answer"),
        (f"<think>{good}</think>", {}, "no_answer"),
        (f"<think>{good}", {"finish": "length"}, "cut_off"),
    ]:
        found = verdicts(text, **columns)
        assert [one["profile"] for one in found] == list(judge.versions)
        assert {(one["answer"], one["category"], one["sub_label"], one["correct"]) for one in found} == {
            ("unparseable", "unparseable", why, None)
        }
