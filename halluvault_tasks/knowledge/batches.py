"""Answers kept as rows, keyed by the query's hash: what makes a pull resumable, and normalising repeatable.

A query is asked once per snapshot. Its raw body is committed before anything is done with it, so a killed pull goes
on with what is missing, on any machine that sees the database. A batch that is too heavy is halved and remembered
as such; one that is too heavy even at the floor is quarantined, and the gates refuse the month until it has passed.
"""

import hashlib
import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge.client import Answer, Row, TimedOut, WikidataClient, read_results
from halluvault_tasks.storage.tables import pull_batch

_log = logging.getLogger(__name__)

SPLIT, QUARANTINE = "split", "quarantine"
"""Values of `pull_batch.stage` for queries without a body: halved, and given up."""

Id = TypeVar("Id", int, str)


class Progress(NamedTuple):
    """How far one step of a pull has come."""

    stage: str
    """metadata, seeds, statements, chain, entities …"""
    domain: str
    """Empty for steps that serve all domains."""
    done: int
    total: int
    """Batches of this step."""


Report = Callable[[Progress], None]


class Stored(NamedTuple):
    """What `pull_batch` holds of a part of a pull."""

    batches: int
    rows: int
    quarantined: int


class Batches:
    """The answers of one snapshot: read where they are stored, asked for where they are missing.

    Args:
        session: open session; committed after every new answer.
        snapshot: exact key.
        client: asks for what is missing; None only reads: what was given up is then simply not there, and what was
            never asked is an error.
        floor: least size to which a batch that times out is halved.
        report: told after every batch.
    """

    def __init__(
        self,
        session: Session,
        snapshot: str,
        client: WikidataClient | None,
        *,
        floor: int = 5,
        report: Report | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.asked = 0
        self._given_up: set[str] = set()
        self._session = session
        self._client = client
        self._floor = floor
        self._report = report

    def ask(self, stage: str, domain: str, query: str) -> list[Row]:
        """The rows of one query's answer.

        Raises:
            TimedOut: it is too heavy.
            UserError: the endpoint refuses it or keeps failing.
        """
        key = _hash(query)
        found = self._session.execute(
            select(pull_batch.c.stage, pull_batch.c.body).where(
                pull_batch.c.snapshot == self.snapshot, pull_batch.c.query_hash == key
            )
        ).first()
        self._refuse_heavy(found.stage if found else None)
        if found is not None and found.stage != QUARANTINE:
            return read_results(zlib.decompress(found.body))
        return self._fetch(stage, domain, query, key).rows

    def ensure(self, stage: str, domain: str, query: str) -> None:
        """Have one query's answer stored, without reading it back; raises as `ask`."""
        key = _hash(query)
        found = self._session.scalar(
            select(pull_batch.c.stage).where(pull_batch.c.snapshot == self.snapshot, pull_batch.c.query_hash == key)
        )
        self._refuse_heavy(found)
        if found in (None, QUARANTINE):
            self._fetch(stage, domain, query, key)

    def each(
        self, stage: str, domain: str, ids: Sequence[Id], size: int, render: Callable[[Sequence[Id]], str]
    ) -> Iterator[tuple[Sequence[Id], list[Row]]]:
        """Ask for ids in batches of `size`; yields each batch's ids and rows."""
        for number, chunk in enumerate(chunks := list(batched(ids, size)), start=1):
            yield chunk, self.rows(stage, domain, chunk, render)
            if self._report:
                self._report(Progress(stage, domain, number, len(chunks)))

    def rows(self, stage: str, domain: str, ids: Sequence[Id], render: Callable[[Sequence[Id]], str]) -> list[Row]:
        """Ask for one batch of ids, in halves where it times out."""
        found: list[Row] = []
        self._halving(stage, domain, ids, render, lambda query: found.extend(self.ask(stage, domain, query)))
        return found

    def store(self, stage: str, domain: str, ids: Sequence[Id], render: Callable[[Sequence[Id]], str]) -> None:
        """As `rows`, but only make sure that the answers are stored."""
        self._halving(stage, domain, ids, render, lambda query: self.ensure(stage, domain, query))

    def forget_stale_quarantine(self) -> None:
        """Drop the marks of given-up queries that the plan no longer asks; call it when the whole plan was walked."""
        self._session.execute(
            delete(pull_batch).where(
                pull_batch.c.snapshot == self.snapshot,
                pull_batch.c.stage == QUARANTINE,
                pull_batch.c.query_hash.not_in(sorted(self._given_up)),
            )
        )
        self._session.commit()

    def _halving(
        self,
        stage: str,
        domain: str,
        ids: Sequence[Id],
        render: Callable[[Sequence[Id]], str],
        take: Callable[[str], None],
    ) -> None:
        query = render(ids)
        try:
            take(query)
        except TimedOut as error:
            mark = SPLIT if len(ids) > self._floor else QUARANTINE
            _log.warning("%s %s: a batch of %d timed out (%s); %s", stage, domain, len(ids), error, mark)
            if self._client is not None:
                self._keep(_hash(query), mark, domain, b"", 0, 0.0)
            if mark == QUARANTINE:
                self._given_up.add(_hash(query))
            if mark == SPLIT:
                middle = len(ids) // 2
                self._halving(stage, domain, ids[:middle], render, take)
                self._halving(stage, domain, ids[middle:], render, take)

    def _refuse_heavy(self, stage: str | None) -> None:
        if stage == SPLIT:
            raise TimedOut("this batch timed out before and is asked in halves")
        if stage == QUARANTINE and self._client is None:
            raise TimedOut("this batch was given up")

    def _fetch(self, stage: str, domain: str, query: str, key: str) -> Answer:
        if self._client is None:
            raise RuntimeError(f"a batch of {stage} {domain} went missing while the snapshot was normalised")
        answer = self._client.select(query)
        self.asked += 1
        self._keep(key, stage, domain, answer.body, len(answer.rows), answer.seconds)
        return answer

    def _keep(self, key: str, stage: str, domain: str, body: bytes, rows: int, seconds: float) -> None:
        values = {
            "stage": stage,
            "domain": domain or None,
            "sha256": hashlib.sha256(body).hexdigest(),
            "body": zlib.compress(body, 6),
            "rows": rows,
            "seconds": seconds,
        }
        statement = insert(pull_batch).values(snapshot=self.snapshot, query_hash=key, **values)
        # An answer may replace a quarantined or halved batch, never another answer.
        self._session.execute(
            statement.on_conflict_do_update(
                index_elements=["snapshot", "query_hash"],
                set_=values,
                where=pull_batch.c.stage.in_((SPLIT, QUARANTINE)),
            )
        )
        self._session.commit()


def stored(session: Session, snapshot: str, domain: str | None = None) -> Stored:
    """What `pull_batch` holds of a snapshot, or of one domain of it."""
    mine = [pull_batch.c.snapshot == snapshot]
    if domain is not None:
        mine.append(pull_batch.c.domain == domain)
    count, rows, quarantined = session.execute(
        select(
            func.count(),
            func.coalesce(func.sum(pull_batch.c.rows), 0),
            func.count().filter(pull_batch.c.stage == QUARANTINE),
        ).where(*mine)
    ).one()
    return Stored(int(count), int(rows), int(quarantined))


def batched(ids: Sequence[Id], size: int) -> Iterator[Sequence[Id]]:
    """Slices of at most `size`, in order."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _hash(query: str) -> str:
    return hashlib.sha256(query.encode()).hexdigest()
