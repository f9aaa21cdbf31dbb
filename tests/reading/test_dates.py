"""Years in English text, before Christ and after."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import TextSpan


@given(
    st.integers(-3000, 2099),
    st.sampled_from(["in", "In", "since", "until", "by", "of", "in the year", "the year", "after", "around"]),
    st.sampled_from(["", ".", ", and then", " it was over"]),
)
def test_a_year_is_read_as_it_is_written_whatever_stands_before_it(year: int, before: str, after: str) -> None:
    """`year` is astronomical: 0 is 1 BC. A year of fewer than three digits after Christ is said with its era."""
    written = dates.dated(TextSpan(0, 0), year)
    assert written and written.text
    text = written.text if year <= 0 or year > 1000 else f"{written.text} AD"
    found = dates.find(f"The war began {before} {text}{after}")
    assert [(one.text, one.days) for one in found] == [(written.text, written.days)]


@pytest.mark.parametrize(
    "text", ["from 218 to 201 BC", "from 218 BC to 201 BC", "from 218–201 BCE", "of 218 until 201 B.C."]
)
def test_a_year_whose_end_is_before_christ_is_so_itself(text: str) -> None:
    assert [one.text for one in dates.find(f"It lasted {text}.")] == ["218 BC", "201 BC"]


def test_a_year_after_christ_that_follows_one_before_christ_stays_so() -> None:
    assert [one.text for one in dates.find("He reigned from 27 BC to 14 AD.")] == ["27 BC", "14"]
