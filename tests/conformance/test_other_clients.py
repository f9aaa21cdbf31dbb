"""Clients that cannot or need not live beside this project read every answer of the simulated server.

`text-generation` 0.7.0, TGI's own legacy client, pins a huggingface_hub below 1; `openai` is nobody's dependency here.
`make clients` makes an environment for both; where there is none the tests skip.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from halluvault_tasks.settings import REPOSITORY
from tests.local.simulated import TEXT


@pytest.fixture(scope="module")
def python() -> str:
    """The interpreter of the environment that has the clients."""
    found = os.environ.get("HALLUVAULT_CLIENTS_PYTHON", str(REPOSITORY / ".venv-clients/bin/python"))
    if not Path(found).exists():
        pytest.skip("no environment with text-generation 0.7.0 and openai; `make clients` makes one")
    return found


def _run(python: str, script: str, url: str) -> dict[str, Any]:
    command = [python, str(Path(__file__).with_name(script)), url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_legacy_client_reads_answers_streams_errors_and_chats(url: str, python: str) -> None:
    found = _run(python, "text_generation_client.py", url)
    assert (found["text"], found["reason"]) == (TEXT, "eos_token")
    assert found["tokens"][0] == found["tokens"][1]
    assert (found["default"], found["seed"]) == (20, 7)
    assert (found["stream"], found["end"]) == (TEXT, [TEXT, "eos_token"])
    overloaded, invalid, streamed = found["errors"]
    assert overloaded == ["OverloadedError", "Model is overloaded"]
    assert invalid[0] == "ValidationError" and "`inputs` must have less than 1024 tokens" in invalid[1]
    assert streamed == ["stream", "Model is overloaded"]
    assert found["chat"] == [TEXT, "stop"]
    assert found["several"] == [TEXT] * 8


def test_openais_client_reads_models_chats_completions_and_errors(url: str, python: str) -> None:
    found = _run(python, "openai_client.py", url)
    assert found["models"] == ["simulated/echo"]
    text, reason, tokens = found["chat"]
    assert (text, reason) == (TEXT, "stop")
    assert (found["stream"], found["usage"]) == (TEXT, tokens)
    assert found["plain"] == [[0, TEXT, "stop"], [1, TEXT, "stop"]]
    # TGI streams the end token's text on this route, and the raw reason.
    assert found["parts"] == [f"{TEXT}</s>", "eos_token"]
    overloaded, invalid, streamed = found["errors"]
    assert overloaded == ["RateLimitError", 429, "Model is overloaded"]
    assert invalid[:2] == ["UnprocessableEntityError", 422]
    assert streamed == ["APIError", "Model is overloaded"]
