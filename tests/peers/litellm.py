"""A real LiteLLM proxy before an OpenAI-compatible server, where an environment of its own has it.

python3 -m venv .venv-litellm && .venv-litellm/bin/pip install "litellm[proxy]"
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from halluvault_tasks.local import processes
from halluvault_tasks.settings import REPOSITORY

BINARY = REPOSITORY / ".venv-litellm/bin/litellm"


@contextmanager
def before(upstream: str, served_as: str, folder: Path) -> Iterator[str]:
    """Run LiteLLM before a server.

    Args:
        upstream: the server's URL without `/v1`.
        served_as: the name under which the proxy serves its one model.
        folder: for configuration and log.

    Yields:
        The proxy's URL without a slash at the end.
    """
    port = processes.free_port()
    model = {"model": "openai/tgi", "api_base": f"{upstream}/v1", "api_key": "none"}
    file = folder / "litellm.yaml"
    # JSON is YAML.
    file.write_text(json.dumps({"model_list": [{"model_name": served_as, "litellm_params": model}]}))
    command = [str(BINARY), "--config", str(file), "--host", "127.0.0.1", "--port", str(port), "--telemetry", "False"]
    environment = {
        "PATH": f"{BINARY.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # no network
        "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",  # on loopback, for as long as a test
    }
    with (folder / "litellm.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            until = time.monotonic() + 180
            while process.poll() is None and time.monotonic() < until:
                try:
                    with urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5):
                        break
                except (URLError, OSError):
                    time.sleep(0.2)
            else:
                raise AssertionError(f"LiteLLM did not start: {(folder / 'litellm.log').read_text()[-500:]}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
