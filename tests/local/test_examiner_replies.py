"""What simulated models answer a cross-examiner: literal, planted, and the opposite to the opposite question."""

import json

import pytest

from halluvault_tasks.local.personas import examiner_replies
from halluvault_tasks.oracles.cross_examination.questions import CrossQuestion, upheld
from halluvault_tasks.oracles.cross_examination.statements import ExaminedStatement


@pytest.mark.parametrize(
    ("text", "statement", "denied", "found"),
    [
        ("Ada was born in 1815.", "Ada was born in 1815", False, True),
        ("She was born in 1816.", "Ada was born in 1816", False, False),
        ("Ada was not born in 1816.", "Ada was born in 1816", True, True),
        ("Ada was born in 1815.", "Ada was born in 1815", True, False),
    ],
)
def test_names_numbers_and_denials_are_found_and_asked_otherwise_the_answer_is_the_other(
    text: str, statement: str, denied: bool, found: bool
) -> None:
    asked = CrossQuestion("When?", text, ExaminedStatement(statement, denied), ("Ada is the mother of Ralph",))
    replies = [examiner_replies.reply(prompt) for prompt in asked.prompts]
    assert replies == (["yes", "no"] if found else ["no", "yes"]) and upheld(*replies) is found
    talk = [json.dumps([{"role": "user", "content": prompt}]) for prompt in asked.prompts]
    assert [examiner_replies.reply(one) for one in talk] == replies


def test_any_other_prompt_is_none_of_its_questions() -> None:
    assert examiner_replies.reply("Does the text say so?") == examiner_replies.reply("Is the sky blue?") == ""
