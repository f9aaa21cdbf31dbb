"""What CI must have is never skipped there, and what its workers share is made once."""

from collections.abc import Callable

import pytest

from halluvault_tasks.settings import REPOSITORY
from tests import require as module
from tests.conftest import LONGEST
from tests.require import require


@pytest.mark.parametrize(("required", "ends"), [(True, pytest.fail.Exception), (False, pytest.skip.Exception)])
def test_what_is_missing_fails_where_it_must_be_there_and_is_skipped_elsewhere(
    monkeypatch: pytest.MonkeyPatch, required: bool, ends: type[BaseException]
) -> None:
    monkeypatch.setattr(module, "_REQUIRED", required)
    require("there", "it is missing")
    with pytest.raises(ends, match="it is missing"):
        require(None, "it is missing")


@pytest.mark.parametrize("name", LONGEST)
def test_what_begins_first_is_a_file_of_tests(name: str) -> None:
    assert (REPOSITORY / name).is_file()


def test_what_all_workers_share_is_made_once_and_told_to_the_others(once: Callable[..., str]) -> None:
    made = iter(["first", "second"])
    assert [once("shared-by-a-test", lambda: next(made)) for _ in range(2)] == ["first", "first"]
