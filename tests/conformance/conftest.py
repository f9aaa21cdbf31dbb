"""Fixtures of the conformance tests: one simulated server, and the published description where it is at hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import Limits
from halluvault_tasks.local.simulator.server import serving
from tests.conformance.published import Published
from tests.local.simulated import echo


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    small = Limits(max_input_tokens=1024, max_total_tokens=2048)
    models = [
        SimulatedModel("echo", echo, limits=small),
        SimulatedModel("full", echo, limits=small._replace(max_concurrent_requests=0)),
        SimulatedModel("local", echo, revision=None),
    ]
    with serving(models) as base:
        yield base


@pytest.fixture(scope="session")
def published(shared_data: Path) -> Published:
    return Published(shared_data / "tgi/openapi.json")


@pytest.fixture(scope="session")
def recorded(shared_data: Path) -> Path:
    return shared_data / "tgi/recorded"
