"""Real systems beside the project: where one is missing, its tests are skipped, unless they are required."""

import os

import pytest


def require(condition: object, reason: str) -> None:
    """Skip where a peer is missing; fail instead where `HALLUVAULT_REQUIRE_PEERS=1` says that all must be met."""
    if condition:
        return
    if _REQUIRED:
        pytest.fail(f"HALLUVAULT_REQUIRE_PEERS is set, but {reason}")
    pytest.skip(reason)


# Read once: the suite clears HALLUVAULT_… for each test, so that no test depends on them.
_REQUIRED = os.environ.get("HALLUVAULT_REQUIRE_PEERS", "") not in ("", "0")
