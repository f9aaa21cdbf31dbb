"""True answers in everyday wordings: nothing is read that they do not say."""

import pytest

from tests.reading.material import stated

BORN, NOT_BORN = "P569(Ann Lee, 1952)", "not P569(Ann Lee, 1955)"


@pytest.mark.parametrize(
    "text",
    [
        "[Ann Lee|human] was born in **1952**, not **1955**.",
        "[Ann Lee|human] was born in *1952*, not in *1955*.",
        "**[Ann Lee|human]** was born in **1952**, **not** in **1955**.",
    ],
)
def test_an_emphasised_date_is_read_as_a_plain_one(text):
    assert stated(text) == {BORN, NOT_BORN}
