"""A real endpoint on loopback, and one that misbehaves as the public service is known to."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from halluvault_tasks.knowledge.config import Domains, load_domains
from halluvault_tasks.local import endpoint
from halluvault_tasks.local.sample import CHECKED
from halluvault_tasks.settings import REPOSITORY


class Planned:
    """The endpoint's own faults, by a plan: it names the fault of the n-th request (from 1) or of the query."""

    retry_after, drip = 7, 0.0

    def __init__(self, plan: Callable[[int, str], str | None]) -> None:
        self.plan = plan
        self.queries: list[str] = []
        self.agents: set[str] = set()
        self.done: Counter[str] = Counter()

    def pick(self, query: str, headers: Mapping[str, str]) -> str:
        assert headers["Content-Type"].startswith("application/x-www-form-urlencoded")
        self.queries.append(query)
        self.agents.add(headers["User-Agent"])
        fault = self.plan(len(self.queries), query) or ""
        self.done[fault or "none"] += 1
        return fault


class Faulty(endpoint.Endpoint):
    """Serves a store, except where `plan` says otherwise."""

    def __init__(self, served: endpoint.Served, plan: Callable[[int, str], str | None]) -> None:
        self.planned = Planned(plan)
        super().__init__(served, 0, faults=self.planned)

    @property
    def queries(self) -> list[str]:
        return self.planned.queries

    @property
    def agents(self) -> set[str]:
        return self.planned.agents

    @property
    def done(self) -> Counter[str]:
        return self.planned.done


@contextmanager
def serving(server: endpoint.Endpoint) -> Iterator[endpoint.Endpoint]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="session")
def sample_store() -> endpoint.Served:
    return endpoint.load_sample(CHECKED)


@pytest.fixture(scope="session")
def sample_url(sample_store: endpoint.Served) -> Iterator[str]:
    """A well-behaved endpoint over the sample."""
    with serving(endpoint.Endpoint(sample_store, 0)) as server:
        yield server.url


@pytest.fixture
def faulty(sample_store: endpoint.Served) -> Iterator[Callable[..., Faulty]]:
    """Make a server over the sample (or another store) that follows a plan of faults."""
    running: list[contextmanager] = []

    def make(
        plan: Callable[[int, str], str | None] = lambda _n, _q: None, store: endpoint.Served | None = None
    ) -> Faulty:
        manager = serving(Faulty(store or sample_store, plan))
        running.append(manager)
        return manager.__enter__()

    yield make
    for manager in running:
        manager.__exit__(None, None, None)


@pytest.fixture(scope="session")
def small() -> Domains:
    """Two domains of the sample: few requests, every kind of value."""
    return Domains.model_validate({
        "common": ["P576", "P580", "P582"],
        "batches": {"seeds": 40, "statements": 60, "entities": 80, "floor": 2},
        "domains": {
            "natural_science": {
                "roots": [{"qid": "Q11344"}, {"qid": "Q634", "depth": 1}],
                "items": ["Q544"],
                "properties": ["P1086", "P397", "P398", "P138"],
            },
            "people": {
                "roots": [{"qid": "Q5"}],
                "limit": 90,
                "properties": ["P19", "P20", "P26", "P39", "P40", "P569", "P570"],
            },
        },
    })


@pytest.fixture(scope="module")
def everything() -> Domains:
    """The real configuration."""
    return load_domains(REPOSITORY / "config" / "domains.yaml")
