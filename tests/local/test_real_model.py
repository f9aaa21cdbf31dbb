"""The real model's entry is one that the registry takes, and a wrong interpreter is refused with the way out."""

import sys
from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import real_model
from halluvault_tasks.querying.registry import load_models


def test_it_is_registered_under_its_own_name_and_not_as_simulated(tmp_path: Path) -> None:
    [entry] = load_models(real_model.register(tmp_path, "http://127.0.0.1:9"), {}).models
    assert (entry.name, entry.dialect, entry.route, entry.greedy) == (real_model.NAME, "openai", "chat", True)


@pytest.mark.parametrize("python", [sys.executable, "/no/such/python"])
def test_an_interpreter_without_server_or_weights_is_refused_with_the_way_out(python: str) -> None:
    with pytest.raises(UserError) as caught:
        real_model.found(Path(python))
    assert python in caught.value.message and "`make real-model`" in caught.value.way_out
