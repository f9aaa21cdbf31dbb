"""Where what lies beside the project, or comes from the system, is missing, tests are skipped, and in CI they fail."""

import os

import pytest

_REQUIRED = os.environ.get("HALLUVAULT_REQUIRE_PEERS") == "1"
# Read here once: no test sees the settings of the machine it runs on.


def require(condition: object, reason: str) -> None:
    """Skip where something is missing; fail instead where HALLUVAULT_REQUIRE_PEERS=1 says that it must be there."""
    if condition:
        return
    if _REQUIRED:
        pytest.fail(f"{reason}, and HALLUVAULT_REQUIRE_PEERS=1")
    pytest.skip(reason)
