"""A simulated server with one model, its evaluation planned, and what it must have answered."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.http_faults import HttpFaults
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage.tables import response
from tests.querying import support


def sent(prompt: str) -> str:
    """What the echo model writes: long, odd, and different for each prompt."""
    digest = hashlib.sha256(prompt.encode()).hexdigest()
    return f"Yes, \u202eodd\u202c \U0001f642 {digest}\r\n1. é\ttab \\ 'quote' \"double\" %s {{0}}\n" * 3


def shard_of(case: str, shards: int) -> int:
    """By definition: the first three bytes of sha256 of the id, modulo the number of shards."""
    return int.from_bytes(hashlib.sha256(case.encode()).digest()[:3]) % shards


def echo(model: str, prompt: str, seed: int | None) -> str:
    return sent(conversation.key(prompt))


def is_case(prompt: str) -> bool:
    """Whether it is a question of the benchmark, and none of those that every model is asked first."""
    return "Question: " in prompt


def told(session: Session, evaluation_id: str) -> dict[str, str | None]:
    rows = session.execute(select(response.c.case_id, response.c.text).where(response.c.evaluation_id == evaluation_id))
    found = [(row.case_id, row.text) for row in rows]
    assert len(found) == len(dict(found))
    return dict(found)


def expected(session: Session) -> dict[str, str]:
    rows = session.execute(text("SELECT case_id, text FROM prompt WHERE snapshot = '2026-10'"))
    return {row.case_id: sent(row.text) for row in rows}


@contextmanager
def planned(
    session: Session, name: str, answerer: Callable[[str, str, int | None], str] = echo,
    faults: HttpFaults = HttpFaults(), limits: ServerLimits = ServerLimits(), **server: object,
) -> Iterator[tuple[stages.PlannedEvaluation, Registry, SimulatedModel]]:  # fmt: skip
    """A running server with one model of this name, and its planned evaluation."""
    served = SimulatedModel(name, answerer, faults=faults, limits=limits)
    with serving([served]) as url:
        registry = support.registry(url, name=f"simulated/{name}", **server)
        [plan] = stages.plan(session, "2026-10", registry=registry).evaluations
        yield plan, registry, served
