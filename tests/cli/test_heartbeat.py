"""A command that works on says so every ten seconds where nobody sees bars."""

import logging
import threading

import pytest

from halluvault_tasks.cli import knowledge
from halluvault_tasks.cli.heartbeat import SECONDS, heartbeat
from halluvault_tasks.knowledge.progress import PullProgress


class Lines(list[str]):
    """Takes lines; `third` is set with the third."""

    def __init__(self) -> None:
        super().__init__()
        self.third = threading.Event()

    def append(self, line: str) -> None:
        super().append(line)
        if len(self) == 3:
            self.third.set()


def test_it_says_how_far_it_is_until_the_block_ends() -> None:
    lines, done, now = Lines(), 0, iter(range(0, 1000, 10))

    def state() -> str:
        nonlocal done
        done += 1
        return f"shard {done} of 9"

    with heartbeat(state, every=0.001, tell=lines.append, watched=False, clock=lambda: float(next(now))):
        assert lines.third.wait(30)
    said = len(lines)
    assert lines[:3] == ["shard 1 of 9: 10 s so far", "shard 2 of 9: 20 s so far", "shard 3 of 9: 30 s so far"]
    assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"] and len(lines) == said
    assert SECONDS == 10.0


def test_it_ends_with_a_block_that_fails_and_adds_nothing_to_bars() -> None:
    lines = Lines()
    with pytest.raises(ValueError), heartbeat("x", every=1000, tell=lines.append, watched=False):
        raise ValueError
    with heartbeat("x", bars=True, every=0.0, tell=lines.append, watched=True):
        assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]
    assert lines == []


def test_what_a_stage_logs_on_its_way_is_what_it_is_at() -> None:
    lines, logger = Lines(), logging.getLogger("halluvault_tasks.oracles.stages")
    level = logger.getEffectiveLevel()
    with heartbeat("judging x", every=0.001, tell=lines.append, watched=False, clock=lambda: 0.0):
        logger.info("x: %d of %d judged", 50, 720)
        assert lines.third.wait(30)
    assert (
        set(lines) <= {"judging x: 0 s so far", "judging x; x: 50 of 720 judged: 0 s so far"} and "50 of" in lines[-1]
    )
    assert logger.getEffectiveLevel() == level


def test_what_a_function_tells_is_not_replaced_by_what_is_logged() -> None:
    lines = Lines()
    with heartbeat(lambda: "starting", every=0.001, tell=lines.append, watched=False, clock=lambda: 0.0):
        logging.getLogger("halluvault_tasks.local.ports").info("postgres answers on port 1 from now on")
        assert lines.third.wait(30)
    assert set(lines) == {"starting: 0 s so far"}


def test_a_pull_into_a_log_tells_step_batch_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, real = Lines(), heartbeat

    def fast(what: object, *, bars: bool) -> object:
        assert bars
        return real(what, every=0.001, tell=lines.append, watched=False)

    monkeypatch.setattr(knowledge, "heartbeat", fast)
    with knowledge.PullReport() as told:
        told.report(PullProgress("statements", "people", 3, 12))
        lines.clear()
        lines.third.clear()
        assert lines.third.wait(30)
    assert lines[-1].startswith("statements people: 3 of 12 batches")
