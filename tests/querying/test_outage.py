"""A server that is not there yet is waited for aloud, as long as its entry allows and no longer."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.outage import until_it_answers
from tests.querying import support


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)

    def clock(self) -> float:
        return self.now


def waited(answers_at: float, seconds: float, wrong: UserError | None = None) -> Time:
    time = Time()

    async def ask() -> str:
        if time.now < answers_at:
            raise wrong or Unavailable("connection refused")
        return "here"

    found = asyncio.run(until_it_answers(ask, "gpu-1", seconds, sleep=time.sleep, clock=time.clock))
    assert found == "here"
    return time


def test_a_server_away_for_twenty_minutes_is_waited_for_and_each_minute_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        time = waited(20 * 60, 30 * 60)
    assert 20 * 60 <= time.now < 20 * 60 + 10
    assert len(caplog.messages) == 20
    assert "waiting for gpu-1" in caplog.messages[5] and "at most 30 min: connection refused" in caplog.messages[5]


def test_one_that_stays_away_is_given_up_when_its_time_is_over() -> None:
    with pytest.raises(Unavailable, match="connection refused"):
        waited(10**9, 60)
    with pytest.raises(Unavailable, match="connection refused"):
        waited(1, 0)


def test_what_no_waiting_mends_is_said_at_once() -> None:
    with pytest.raises(UserError, match="another dialect"):
        waited(1, 10**9, UserError("another dialect"))


class Listener(logging.Handler):
    """Calls back with the first line that is logged."""

    def __init__(self, first: Callable[[], None]) -> None:
        super().__init__()
        self._first: Callable[[], None] | None = first

    def emit(self, record: logging.LogRecord) -> None:
        if self._first is not None:
            first, self._first = self._first, None
            first()


def test_planning_asks_a_server_that_comes_up_while_it_is_waited_for() -> None:
    model = SimulatedModel("echo", answer, blocking=False)
    with serving([model]) as url:
        port = int(url.rpartition(":")[2])
    registry = support.registry(url, outage_seconds=120)
    logger = logging.getLogger("halluvault_tasks.querying.outage")
    with ExitStack() as stack:
        # It starts when, and because, the log says that it is waited for.
        listener = Listener(lambda: stack.enter_context(serving([model], port=port)) and None)
        logger.addHandler(listener)
        stack.callback(logger.removeHandler, listener)
        found = asyncio.run(servers.identify_all(registry.models, registry))
    there = found["simulated/echo"]
    assert isinstance(there, servers.Identified) and there.identity.model_id == "simulated/echo"


def test_a_server_that_is_down_keeps_no_other_model_from_being_identified() -> None:
    with serving([SimulatedModel("echo", answer, blocking=False)]) as url:
        there, away = (
            support.registry(url, outage_seconds=0),
            support.registry("http://127.0.0.1:9", name="simulated/away"),
        )
        both = there.model_copy(update={"models": there.models + away.models})
        found = asyncio.run(servers.identify_all(both.models, both))
    assert isinstance(found["simulated/echo"], servers.Identified)
    assert isinstance(found["simulated/away"], Unavailable) and "cannot connect" in found["simulated/away"].message
