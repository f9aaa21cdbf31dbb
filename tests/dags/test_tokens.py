"""API keys as a task sees them."""

from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import Model


def model(**fields: str) -> Model:
    return Model(name="llama", dialect="openai", server="gpu", base_urls=("http://a:8000",), **fields)  # type: ignore[arg-type]


def test_a_key_comes_from_the_connection_or_the_variable_that_the_registry_names(
    airflow_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halluvault_airflow.tokens import token_of

    monkeypatch.setenv("AIRFLOW_CONN_GPU_2", "http://:hidden@gpu-2")
    monkeypatch.setenv("GPU_1_TOKEN", "other")
    assert token_of(model(token_connection="gpu_2")) == "hidden"
    assert token_of(model(token_env="GPU_1_TOKEN")) == "other"
    assert token_of(model()) == ""


def test_a_connection_that_is_missing_or_has_no_password_is_named_with_the_command_that_makes_it(
    airflow_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halluvault_airflow.tokens import token_of

    monkeypatch.setenv("AIRFLOW_CONN_EMPTY", "http://gpu-2")
    for connection in ("empty", "nowhere"):
        with pytest.raises(UserError, match=f"no connection '{connection}' with a password") as caught:
            token_of(model(token_connection=connection))
        assert f"airflow connections add {connection}" in caught.value.way_out
