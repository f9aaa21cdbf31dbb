"""What can be known before, or from the first reply: prompts that a server cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.preflight import looks_truncated


def test_a_count_far_below_what_was_sent_shows_a_cut_prompt() -> None:
    assert looks_truncated("word " * 190, 12)
    assert not looks_truncated("word " * 190, 190)


@pytest.mark.parametrize("uncounted", [None, 0])
def test_a_server_that_does_not_count_shows_nothing(uncounted: int | None) -> None:
    assert not looks_truncated("word " * 5000, uncounted)


def test_a_window_of_4096_tokens_of_which_the_newer_half_is_kept_is_seen() -> None:
    """Ollama keeps half its window and counts what it kept (ollama/ollama#17427); names take 1.5 tokens a word."""
    assert looks_truncated("name " * round(4100 / 1.5), 4096 // 2 + 2)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1), max_size=200))
def test_no_tokenizer_whose_tokens_span_no_blank_is_ever_suspected(words: list[str]) -> None:
    assert not looks_truncated(" ".join(words), len(words))


def test_a_short_idiom_of_a_superword_tokenizer_is_not_suspected() -> None:
    assert not looks_truncated("By the way, I am a fan of the Milky Way.", 7)
