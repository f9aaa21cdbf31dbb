"""A month of the bundled sample, stage by stage, and what it leaves, as digests that two months can be compared by."""

import logging
import os
import time
from collections.abc import Callable, Sequence
from datetime import date
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import Queue
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from sqlalchemy import DateTime, Text, cast, func, literal, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages as benchmark
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import Unavailable
from halluvault_tasks.knowledge import stages as knowledge
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains, load_domains
from halluvault_tasks.oracles import stages as oracles
from halluvault_tasks.oracles.embedding import Vectors
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.reasoning import stages as reasoning
from halluvault_tasks.results import stages as results
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import incident, lane, lease, metadata, result, stage_run
from halluvault_tasks.temporal import stages as temporal

CONFIG, PROLOG = REPOSITORY / "config", REPOSITORY / "prolog_rules"
MONTH, NEXT = "2026-09", "2026-10"

_NO_CONTENT = {stage_run, lease, lane, incident}
_NO_MATTER = {"body", "sha256", "seconds", "requests", "queue_ms", "inference_ms", "total_ms", "attempts"}
_CLOCKED = ("ms_median", "ms_p95", "attempts")
"""Metrics that the clock decides."""


class Place(NamedTuple):
    """Where a month is made, and of what."""

    database_url: str
    endpoint: str
    registry: str
    """As JSON."""
    scratch: Path
    config: Path
    """Where the word lists are."""


class Left(NamedTuple):
    """What a process leaves behind."""

    tables: dict[str, str]
    """Table → digest of its content, after the month."""
    later: dict[str, str]
    """As `tables`, after the next one."""
    waited: list[str]
    """What it said while it waited for others."""


class Letters:
    """Phrases as their letters: the scoring needs some vectors, and not the seconds of a real model."""

    name = "letters"

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        counts = np.array([[1 + phrase.lower().count(letter) for letter in ascii_lowercase] for phrase in phrases])
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), dtype=np.float32)


def make(place: Place, told: "Queue[Left]", barrier: Barrier | None, months: int) -> None:
    """A month, each stage in a session of its own, and again as often as the database goes away under it.

    Args:
        place: where.
        told: takes what is there at the end.
        barrier: passed before each stage, so that another process begins the same stage at the same moment.
        months: 2 goes on to the next month's facts, which are partly taken over from this one's.
    """
    os.environ["HALLUVAULT_CONFIG_DIR"] = str(place.config)
    waited = _listening()
    registry = Registry.model_validate_json(place.registry)
    evaluations: list[str] = []

    def plan(session: Session) -> None:
        [planned] = querying.plan(session, MONTH, registry=registry).evaluations
        evaluations.append(planned.evaluation_id)

    def ask(session: Session) -> None:
        querying.query_shard(session, evaluations[-1], registry=registry)

    def publish(session: Session) -> None:
        part_lookup.publish(session, MONTH)
        knowledge.publish_snapshot(session, MONTH)

    few = temporal.TemporalConfig(count=600)
    stages: list[Callable[[Session], object]] = [
        *_knowledge(place, MONTH),
        lambda session: temporal.derive_temporal(session, MONTH, config=few, prolog_dir=PROLOG),
        lambda session: benchmark.build(session, MONTH, config_dir=CONFIG, size="demo"),
        publish,
        plan,
        ask,
        lambda session: oracles.score(session, evaluations[-1], embed=Letters()),
        lambda session: results.summarise(session, evaluations[-1]),
    ]

    def run(stages: list[Callable[[Session], object]]) -> None:
        for stage in stages:
            if barrier:
                barrier.wait()
            _until_done(place.database_url, stage)
        if barrier:
            barrier.wait()

    run(stages)
    with sessions.session(place.database_url) as session:
        tables = digests(session)
    if months == 2:
        run(_knowledge(place, NEXT))
    with sessions.session(place.database_url) as session:
        told.put(Left(tables, digests(session), waited))


def digests(session: Session) -> dict[str, str]:
    """Every content table's rows, whatever the clock said meanwhile; Postgres itself reads and sorts them."""
    found = {}
    for table in metadata.sorted_tables:
        columns = [c for c in table.c if not isinstance(c.type, DateTime) and c.name not in _NO_MATTER]
        if table not in _NO_CONTENT:
            row = func.md5(cast(func.row(*columns), Text))
            query = select(func.count(), func.md5(func.string_agg(row, aggregate_order_by(literal(""), row))))
            if table is result:
                query = query.where(result.c.metric.not_in(_CLOCKED))
            count, digest = session.execute(query.select_from(table)).one()
            session.rollback()
            found[table.name] = f"{count} {digest}"
    return found


def _knowledge(place: Place, key: str) -> list[Callable[[Session], object]]:
    domains = two_domains()

    def pull(session: Session) -> object:
        client = WikidataClient(place.endpoint)
        return knowledge.pull(session, key, client=client, domains=domains, source="sample", as_of=date(2026, 10, 31))

    def derive(session: Session) -> object:
        return reasoning.derive_shard(session, key, prolog_dir=PROLOG, scratch=place.scratch)

    return [
        pull,
        lambda session: reasoning.type_rules(session, key, rules_file=CONFIG / "rules.yaml"),
        derive,
        lambda session: reasoning.check_derivation(session, key, shards=1),
    ]


def two_domains() -> Domains:
    """Of the nine that are configured, and some seeds of each: a pooler meets the same statements in all of them."""
    domains = load_domains(CONFIG / "domains.yaml")
    few = {name: domains.require(name).model_copy(update={"limit": 300}) for name in ("geography", "people")}
    return domains.model_copy(update={"domains": few})


def _until_done(url: str, stage: Callable[[Session], object]) -> None:
    """The same command again, as long as the database does not answer."""
    while True:
        try:
            with sessions.session(url) as session:
                stage(session)
            return
        except Unavailable:
            time.sleep(0.1)


def _listening() -> list[str]:
    said: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    logging.getLogger("halluvault_tasks.storage.leases").addHandler(Listener())
    return said
