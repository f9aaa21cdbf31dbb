"""A command that works on says so every ten seconds where nobody sees bars."""

import threading

import pytest

from halluvault_tasks.cli import knowledge
from halluvault_tasks.cli.heartbeat import SECONDS, heartbeat
from halluvault_tasks.knowledge.progress import Progress


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
    with heartbeat("x", every=0.0, tell=lines.append, watched=True):
        assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]
    assert lines == []


def test_a_pull_into_a_log_tells_step_batch_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, real = Lines(), heartbeat

    def fast(what: object) -> object:
        return real(what, every=0.001, tell=lines.append, watched=False)

    monkeypatch.setattr(knowledge, "heartbeat", fast)
    with knowledge.Told() as told:
        told.report(Progress("statements", "people", 3, 12))
        assert lines.third.wait(30)
    assert lines[-1].startswith("statements people: 3 of 12 batches")
