"""What a snapshot keeps of a text: all that can be seen, composed, and the joiners."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import literal, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge.texts import clean, cleaned

CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
JOINERS = {"\u200c", "\u200d"}
FILLERS = {"\u115f", "\u1160", "\u17b4", "\u17b5", "\u3164", "\uffa0"}
"""Default ignorable, yet letters: they have a weight."""
ANCHORS = {"\ufff9", "\ufffa", "\ufffb"}


def test_what_is_left_out_is_just_what_unicode_calls_ignorable_and_controls() -> None:
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}|[\x1c-\x1f]")
    expected = {char for char in CHARACTERS if ignorable.fullmatch(char)} - JOINERS - FILLERS | ANCHORS
    assert {char for char in CHARACTERS if clean(f"a{char}b") == "ab"} == expected


@pytest.mark.parametrize(
    ("came", "kept"),
    [
        ("Ber\u00adlin\u200b \u200e(city)\u200f\u2060\ufeff", "Berlin (city)"),
        ("\u202eright to left\u202c \u2066isolated\u2069 \u061c", "right to left isolated "),
        ("Zu\u0308rich", "Z\u00fcrich"),
        ("e\u034f\u0301", "\u00e9"),  # what kept them apart is left out first
        ("می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"),
        ("\ufe0f\u2764\ufe0f", "\u2764"),
        ("two\nlines\tand\u0085a third\x07\0", "two\nlines\tand\u0085a third"),
        ("a\ud800b", "a\ufffdb"),
        ("'; DROP TABLE entity; --\"\\", "'; DROP TABLE entity; --\"\\"),
    ],
)
def test_invisible_characters_go_and_joiners_stay(came: str, kept: str) -> None:
    assert clean(came) == kept


@given(st.text())
def test_cleaning_twice_is_cleaning_once_and_leaves_composed_text(text: str) -> None:
    once = clean(text)
    assert clean(once) == once and unicodedata.is_normalized("NFC", once)
    assert clean(unicodedata.normalize("NFD", text)) == once


def test_postgres_cleans_as_python_does(session: Session) -> None:
    # Every character but those that Postgres or JSON cannot hold, each between two that it may compose with.
    text = "".join(f"e{char}\u0301" for char in CHARACTERS if char != "\0" and unicodedata.category(char) != "Cn")
    assert session.scalar(select(cleaned(literal(text)))) == clean(text)
