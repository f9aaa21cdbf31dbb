"""API keys of model servers: found where the registry says, checked before they are sent, and never in a message."""

import json

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import Model
from halluvault_tasks.querying.servers import token_of


def model(**fields: str) -> Model:
    return Model(name="llama", dialect="openai", server="gpu", base_urls=("http://a:8000",), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["hunter2", "Hunter2Hunter", "hunter2_hunter2"])
def test_a_name_that_may_be_a_key_is_not_shown_where_it_is_not_set(name: str) -> None:
    with pytest.raises(UserError, match="the environment variable that token_env names is missing") as caught:
        token_of(model(token_env=name))
    assert "hunter" not in str(caught.value).lower()
    with pytest.raises(UserError, match="the environment variable GPU_1_TOKEN is missing"):
        token_of(model(token_env="GPU_1_TOKEN"))


@pytest.mark.parametrize("key", ["hunter2\nhunter2", "hunter2–hunter2", "hunter2\x00", "hünter2"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_GPU", json.dumps({"password": key}))
    with pytest.raises(UserError, match="line break or a letter that no header can carry") as caught:
        token_of(model(token_connection="gpu"))
    assert "nter2" not in str(caught.value)


def test_blanks_around_a_key_are_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPU_KEY", " hunter2\r\n")
    assert token_of(model(token_env="GPU_KEY")) == "hunter2"


@pytest.mark.parametrize(
    ("uri", "key"),
    [
        ("http://:hunter2@hunter2@gpu-1", "hunter2@hunter2"),
        ("http://u:hunter%2F2@gpu-1:8000/x", "hunter/2"),
        ("http://u:hunter/2@gpu-1", None),
        ("http://u:hunter?2@gpu-1", None),
        ("http://u:hunter#2@gpu-1", None),
        ("http://u:[hunter2@gpu-1", None),
        ("{hunter2", None),
        ('["hunter2"]', None),
    ],
)
def test_a_connections_password_is_taken_whole_or_missed_without_a_word_of_it(
    monkeypatch: pytest.MonkeyPatch, uri: str, key: str | None
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_GPU", uri)
    if key is not None:
        assert token_of(model(token_connection="gpu")) == key
        return
    with pytest.raises(UserError, match=r"AIRFLOW_CONN_GPU .* is missing") as caught:
        token_of(model(token_connection="gpu"))
    assert "hunter" not in str(caught.value)
