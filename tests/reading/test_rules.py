"""Each rule earns its place by its own example: taken out, that is read otherwise, and what only looks alike is not."""

from collections.abc import Sequence

import pytest

import halluvault_tasks.oracles.scorer  # noqa: F401  # every module that has rules
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.rules import RULES, without
from tests.reading.material import read

_ABOUT = "Ann Lee"
_ASKS = " → "


def _read(text: str) -> Sequence[object]:
    if _ASKS in text:
        question, response = text.split(_ASKS)
        (found,) = AnswerReader(spacy_parser()).read([ReaderInput(response, question)])
        return [found]
    return read(text, _ABOUT)


@pytest.mark.parametrize("name", sorted(name for name, rule in RULES.items() if rule.example))
def test_without_a_rule_its_example_is_read_otherwise(name: str) -> None:
    whole = _read(RULES[name].example)
    with without(name):
        assert _read(RULES[name].example) != whole


@pytest.mark.parametrize("name", sorted(name for name, rule in RULES.items() if rule.counterexample))
def test_without_a_rule_what_looks_alike_is_read_the_same(name: str) -> None:
    whole = _read(RULES[name].counterexample)
    with without(name):
        assert _read(RULES[name].counterexample) == whole


def test_a_rule_that_does_not_exist_cannot_be_taken_out() -> None:
    with pytest.raises(KeyError), without("claims.imagined"):
        pass
