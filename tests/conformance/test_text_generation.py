"""TGI's own legacy client, text-generation 0.7.0, reads every answer of the simulated server.

It pins a huggingface_hub below 1 and so cannot live beside this project: `make text-generation-client` makes an
environment for it, and where there is none the test skips.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from halluvault_tasks.settings import REPOSITORY
from tests.local.simulated import TEXT

SCRIPT = Path(__file__).with_name("text_generation_client.py")


@pytest.fixture(scope="module")
def python() -> str:
    """The interpreter of the environment that has the client."""
    found = os.environ.get("HALLUVAULT_TEXT_GENERATION_PYTHON", str(REPOSITORY / ".venv-text-generation/bin/python"))
    if not Path(found).exists():
        pytest.skip("no environment with text-generation 0.7.0; `make text-generation-client` makes one")
    return found


def test_the_legacy_client_reads_answers_streams_errors_and_chats(url: str, python: str) -> None:
    done = subprocess.run([python, str(SCRIPT), url], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["text"], found["reason"]) == (TEXT, "eos_token")
    assert found["tokens"][0] == found["tokens"][1]
    assert (found["default"], found["prefill"], found["best_of"], found["seed"]) == (20, 2, 1, 7)
    assert (found["stream"], found["end"]) == (TEXT, [TEXT, "eos_token"])
    overloaded, invalid, streamed = found["errors"]
    assert overloaded == ["OverloadedError", "Model is overloaded"]
    assert invalid[0] == "ValidationError" and "`inputs` must have less than 1024 tokens" in invalid[1]
    assert streamed == ["stream", "Model is overloaded"]
    assert found["chat"] == [TEXT, "stop"]
    assert found["several"] == [TEXT] * 8
