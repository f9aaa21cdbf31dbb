"""Real servers, as their makers ship them: where one is missing its tests are skipped, and in CI they fail."""

import os
from pathlib import Path

import pytest

PEERS = Path(__file__).resolve().parents[3] / "shared" / "peers"
"""Servers that lie beside the project; never committed."""

_REQUIRED = os.environ.get("HALLUVAULT_REQUIRE_PEERS") == "1"
# Read here once: no test sees the settings of the machine it runs on.


def require(condition: object, reason: str) -> None:
    """Skip where a peer is missing; fail instead where HALLUVAULT_REQUIRE_PEERS=1 says that it must be there."""
    if condition:
        return
    if _REQUIRED:
        pytest.fail(f"{reason}, and HALLUVAULT_REQUIRE_PEERS=1")
    pytest.skip(reason)
