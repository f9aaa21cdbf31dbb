"""Real systems, where they are installed: a test of one that is missing is skipped, unless CI asks for all."""

import os

import pytest

# Read at import: tests/conftest.py takes every HALLUVAULT_* out of the environment before each test.
_REQUIRED = os.environ.get("HALLUVAULT_REQUIRE_PEERS", "") not in ("", "0")


def require(condition: object, reason: str) -> None:
    """Skip the test where a peer is missing; with HALLUVAULT_REQUIRE_PEERS=1 fail it instead."""
    if not condition:
        (pytest.fail if _REQUIRED else pytest.skip)(reason)
