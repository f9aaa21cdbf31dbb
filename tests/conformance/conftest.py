"""Fixtures of the conformance tests: one simulated server, and the published description where it is at hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from halluvault_tasks.local.simulator.server import serving
from tests.conformance.published import Published
from tests.local.simulated import echoes


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(echoes()) as base:
        yield base


@pytest.fixture(scope="session")
def published(shared_data: Path) -> Published:
    return Published(shared_data / "tgi/openapi.json")


@pytest.fixture(scope="session")
def recorded(shared_data: Path) -> Path:
    return shared_data / "tgi/recorded"
