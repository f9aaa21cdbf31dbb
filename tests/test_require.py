"""What CI must have is never skipped there."""

import pytest

from tests import require as module
from tests.require import require


@pytest.mark.parametrize(("required", "ends"), [(True, pytest.fail.Exception), (False, pytest.skip.Exception)])
def test_what_is_missing_fails_where_it_must_be_there_and_is_skipped_elsewhere(
    monkeypatch: pytest.MonkeyPatch, required: bool, ends: type[BaseException]
) -> None:
    monkeypatch.setattr(module, "_REQUIRED", required)
    require("there", "it is missing")
    with pytest.raises(ends, match="it is missing"):
        require(None, "it is missing")
