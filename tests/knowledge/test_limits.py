"""An endpoint that means harm: endless, packed and nested bodies cost no memory, and no traceback."""

import time
import tracemalloc

import pytest

from halluvault_tasks.knowledge.answer_failures import BrokenAnswer, TimedOut
from halluvault_tasks.knowledge.counted_answers import read_results
from halluvault_tasks.knowledge.transport import fetch
from tests.knowledge.replies import reply, replying

KIND = "Content-Type: application/sparql-results+json"


def ask(url: str, most_bytes: int) -> bytes:
    return fetch(url, "q", agent="a", deadline=60, clock=time.monotonic, most_bytes=most_bytes).body


@pytest.mark.parametrize("packed", [False, True])
def test_a_body_may_have_as_many_bytes_as_are_allowed_and_not_one_more(packed: bool) -> None:
    body = '{"a": "' + "x" * 100_000 + '"}'
    with replying(reply("200 OK", body, KIND, packed=packed)) as service:
        assert ask(service.url, len(body)) == body.encode()
        with pytest.raises(TimedOut, match=r"more than 0\.09\d* MB"):
            ask(service.url, len(body) - 1)


def test_a_bomb_is_never_unpacked() -> None:
    with replying(reply("200 OK", "x" * (1 << 28), KIND, packed=True)) as service:
        tracemalloc.start()
        try:
            with pytest.raises(TimedOut, match="more than 1 MB"):
                ask(service.url, 1 << 20)
            assert tracemalloc.get_traced_memory()[1] < 16 << 20, "at its peak: not its 256 MB"
        finally:
            tracemalloc.stop()


def test_a_nesting_without_end_is_a_broken_answer() -> None:
    with pytest.raises(BrokenAnswer, match="nested without end"):
        read_results(b"[" * 200_000 + b"]" * 200_000)
