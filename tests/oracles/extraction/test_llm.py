import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validate

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.extraction.base import Unread
from halluvault_tasks.oracles.extraction.llm import SCHEMA, ServedModel, read

PASSAGE = ["Charles Dickens was born in Portsmouth.", "He wrote Bleak House."]


def _reply(*triples: tuple[str, str, str]) -> str:
    return json.dumps({"triples": [dict(zip(("subject", "relation", "object"), t, strict=True)) for t in triples]})


def test_each_passage_is_asked_once_with_the_grammar_and_an_empty_one_never() -> None:
    asked: list[str] = []

    def generate(prompts: Sequence[str], schema: Mapping[str, Any]) -> list[str]:
        asked.extend(prompts)
        reply = _reply(("Charles Dickens", "was born in", "Portsmouth"))
        validate(json.loads(reply), schema)
        return [reply for _ in prompts]

    extract = ServedModel(generate, "reader")
    assert extract([PASSAGE, [], PASSAGE]) == [[Triple("Charles Dickens", "was born in", "Portsmouth")], [], [
        Triple("Charles Dickens", "was born in", "Portsmouth")]]  # fmt: skip
    assert len(asked) == 2
    assert extract.name == "llm:reader"


def test_a_triple_about_things_that_the_text_does_not_name_is_left_out() -> None:
    reply = _reply(("Charles Dickens", "wrote", "Bleak House"), ("Charles Dickens", "was born in", "London"))
    assert read(reply, PASSAGE) == [Triple("Charles Dickens", "wrote", "Bleak House")]


@pytest.mark.parametrize(
    "reply",
    ["", "yes", '{"triples": [{"subject": "Charles Dick', "[]", '{"triples": [{"subject": 1}]}', "{}", "\0", "<b>"],
)
def test_a_reply_that_breaks_the_grammar_is_no_reading(reply: str) -> None:
    assert isinstance(read(reply, PASSAGE), Unread)


@given(st.text(max_size=200))
def test_no_reply_whatever_it_holds_raises(reply: str) -> None:
    assert isinstance(read(reply, PASSAGE), list | Unread)


def test_a_passage_without_a_reply_is_unread_while_the_model_reads_the_known_sentence() -> None:
    good = _reply(("Charles Dickens", "was born in", "Portsmouth"))
    extract = ServedModel(lambda prompts, _: ["" if "Bleak" in each else good for each in prompts], "reader")
    assert extract([PASSAGE, PASSAGE[:1]]) == [
        Unread("no reply"),
        [Triple("Charles Dickens", "was born in", "Portsmouth")],
    ]


def test_a_model_that_reads_not_even_the_known_sentence_ends_the_run() -> None:
    with pytest.raises(UserError, match=r"llm:reader does not read “Charles Dickens"):
        ServedModel(lambda prompts, _: [""] * len(prompts), "reader")([PASSAGE])


def test_the_schema_forbids_what_the_reader_would_refuse() -> None:
    validate({"triples": [{"subject": "a", "relation": "b", "object": "c"}]}, SCHEMA)
