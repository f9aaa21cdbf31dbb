"""Answers stored as rows, keyed by the query's hash: this makes a pull resumable and normalising repeatable.

A query is asked once per snapshot. Its raw body is committed before it is used, so a killed pull continues with what is
missing, on any machine that sees the database. A batch that is too much is halved and recorded as such; one that is too
much even at the smallest size is quarantined, tried again after everything else has arrived, and otherwise reported to
the gates, which refuse the month.
"""

import hashlib
import json
import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.counted_answers import Answer, Row, TooMuch, read_results
from halluvault_tasks.knowledge.prefetch import Ahead
from halluvault_tasks.knowledge.progress import Progress, Report
from halluvault_tasks.knowledge.pulled_vs_written import Body
from halluvault_tasks.knowledge.queries import Query
from halluvault_tasks.storage.tables import pull_batch

__all__ = ["QUARANTINE", "SPLIT", "Batches", "Progress", "Quarantined", "Report", "Stored", "batched", "stored"]

_log = logging.getLogger(__name__)

SPLIT, QUARANTINE = "split", "quarantine"
"""Values of `pull_batch.stage` for queries without an answer: halved, and given up."""

_COMPRESSION = 1  # bodies are read again soon; a third larger than at level 6, in a fifth of the time

Id = TypeVar("Id", int, str)
Render = Callable[[Sequence[Id]], Query]


class Stored(NamedTuple):
    """What `pull_batch` holds of a part of a pull."""

    batches: int
    rows: int
    quarantined: int


class Quarantined(NamedTuple):
    """A batch that was given up."""

    stage: str
    domain: str
    ids: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        shown = ", ".join(self.ids[:5]) + (f" and {len(self.ids) - 5} more" if len(self.ids) > 5 else "")
        return f"{self.stage} {self.domain}".strip() + f" of {shown} not answered: {self.reason}"


class Step(NamedTuple):
    """One of the questions that are asked about every batch of ids."""

    stage: str
    render: Callable[[Sequence[int]], Query]


class Batches:
    """The answers of one snapshot: read where they are stored, asked for where they are missing.

    Args:
        session: open session; committed after every new answer.
        snapshot: exact key.
        client: asks for what is missing.
        floor: least size to which a batch that is too much is halved.
        report: told after every batch.
    """

    def __init__(
        self, session: Session, snapshot: str, client: WikidataClient, *, floor: int = 5, report: Report | None = None
    ) -> None:
        self.snapshot = snapshot
        self.client = client
        self.asked = 0
        """Queries answered by the service since this object was made."""
        self.given_up: dict[str, Quarantined] = {}
        """The batches that this walk could not get, by the hashes of their queries: not answered, whatever is true."""
        self.read: dict[str, Body] = {}
        """Every answer that this walk has read, by the hash of its query."""
        self._engine = ""
        self._session = session
        self.floor = floor
        """Least size to which a batch that is too much is halved."""
        self._report = report

    def each(
        self, stage: str, domain: str, ids: Sequence[int], size: int, render: Callable[[Sequence[int]], Query]
    ) -> Iterator[tuple[Sequence[int], list[Row]]]:
        """Ask for ids in batches of `size`; yields each batch's ids and rows."""
        for chunk, (rows,) in self.each_of([Step(stage, render)], domain, ids, size):
            yield chunk, rows

    def each_of(
        self, steps: Sequence[Step], domain: str, ids: Sequence[int], size: int
    ) -> Iterator[tuple[Sequence[int], list[list[Row]]]]:
        """Ask several questions about ids in batches of `size`; yields ids, and the rows of each question."""
        chunks = list(batched(ids, size))
        asked = [step.render(chunk) for chunk in chunks for step in steps]
        known = self.stored_hashes(asked)
        stages = dict(zip(asked, [step.stage for step in steps] * len(chunks), strict=True))
        ahead = Ahead(self.client, [query for query in asked if _hash(query) not in known])
        try:
            for number, chunk in enumerate(chunks, start=1):
                found = []
                for step in steps:
                    query = step.render(chunk)
                    fresh = None if _hash(query) in known else ahead.take
                    found.append(self.fetch(step.stage, domain, chunk, step.render, self.floor, fresh))
                yield chunk, found
                if self._report:
                    self._report(Progress(steps[0].stage, domain, number, len(chunks)))
        finally:
            for query, answer in ahead.close():
                self.keep(query, stages[query], domain, answer)

    def later(
        self, stage: str, domain: str, ids: Sequence[str], size: int, render: Callable[[Sequence[str]], Query]
    ) -> "Later":
        """Begin to ask for ids in batches of `size`, and go on: the rows are taken when they are needed."""
        return Later(self, stage, domain, list(batched(ids, size)), render)

    def rows(
        self,
        stage: str,
        domain: str,
        ids: Sequence[Id],
        render: Render[Id],
        *,
        floor: int | None = None,
        finer: Callable[[Id], list[Row]] | None = None,
    ) -> list[Row]:
        """Ask for one batch of ids, in parts where it is too much.

        Args:
            stage: what the answer is filed under.
            domain: likewise; empty for all.
            ids: of the batch.
            render: makes the query.
            floor: least size of a part; None means the usual one.
            finer: asks for a single id in another way, when it is too much alone; None quarantines it.
        """
        return self.fetch(stage, domain, ids, render, self.floor if floor is None else floor, None, finer)

    def forget_stale_quarantine(self) -> None:
        """Drop the marks of given-up queries that the plan no longer asks; call it when the whole plan was walked."""
        self._session.execute(
            delete(pull_batch).where(
                pull_batch.c.snapshot == self.snapshot,
                pull_batch.c.stage == QUARANTINE,
                pull_batch.c.query_hash.not_in(sorted(self.given_up)),
            )
        )
        self._session.commit()

    def fetch(
        self,
        stage: str,
        domain: str,
        ids: Sequence[Id],
        render: Render[Id],
        floor: int,
        fresh: Callable[[], Answer] | None = None,
        finer: Callable[[Id], list[Row]] | None = None,
    ) -> list[Row]:
        """As `rows`, taking the answer from `fresh` where it is under way already; parts are asked one by one."""
        query = render(ids)
        try:
            rows = self._ask(stage, domain, query, fresh)
        except TooMuch as error:
            split = isinstance(error, _Split)
            if finer is None and (len(ids) == 1 or (len(ids) <= floor and not split)):
                self._quarantine(stage, domain, ids, query, error)
                return []
            if not split:
                _log.warning("%s %s: a batch of %d is too much (%s); asked in parts", stage, domain, len(ids), error)
                self._keep(query, SPLIT, domain, b"", 0, 0.0)
        else:
            self.read[_hash(query)] = Body.of(stage, len(ids), rows)
            return rows
        if len(ids) == 1 and finer is not None:
            return finer(ids[0])
        middle = max(1, len(ids) // 2)
        return [
            row
            for part in (ids[:middle], ids[middle:])
            if part
            for row in self.fetch(stage, domain, part, render, floor, None, finer)
        ]

    def _ask(self, stage: str, domain: str, query: Query, fresh: Callable[[], Answer] | None) -> list[Row]:
        if fresh is None and (rows := self._stored(query)) is not None:
            return rows
        answer = fresh() if fresh is not None else self.client.select(query)
        if self.keep(query, stage, domain, answer):
            return answer.rows
        rows = self._stored(query)  # somebody else's answer came first: it is the one that counts
        return answer.rows if rows is None else rows

    def _stored(self, query: Query) -> list[Row] | None:
        found = self._session.execute(
            select(pull_batch.c.stage, pull_batch.c.body).where(
                pull_batch.c.snapshot == self.snapshot, pull_batch.c.query_hash == _hash(query)
            )
        ).first()
        if found is not None and found.stage == SPLIT:
            raise _Split
        if found is None or found.stage == QUARANTINE:
            return None
        return read_results(zlib.decompress(found.body), query)

    def _quarantine(self, stage: str, domain: str, ids: Sequence[Id], query: Query, error: Exception) -> None:
        # An ill service would have every batch given up, one after the other: make sure that it is the batch.
        self.client.probe()
        given_up = Quarantined(stage, domain, tuple(_named(one, query) for one in ids), str(error))
        _log.warning("given up, to be tried again later: %s", given_up)
        self._keep(query, QUARANTINE, domain, json.dumps(given_up).encode(), 0, 0.0)
        self.given_up[_hash(query)] = given_up

    def stored_hashes(self, asked: Sequence[Query]) -> set[str]:
        """Hashes of those queries that are stored in whatever way; asked in one go, not one by one."""
        hashes = [_hash(query) for query in asked]
        found: set[str] = set()
        for part in batched(hashes, 5000):
            found.update(
                self._session.scalars(
                    select(pull_batch.c.query_hash).where(
                        pull_batch.c.snapshot == self.snapshot, pull_batch.c.query_hash.in_(part)
                    )
                )
            )
        return found

    def keep(self, query: Query, stage: str, domain: str, answer: Answer) -> bool:
        """Store an answer and commit; False if another process stored one first."""
        self.asked += 1
        if answer.engine and not self._engine:
            # With the first answer that shows it: a later run may find all answers stored and meet no engine.
            self._engine = answer.engine
            snapshots.note(self._session, self.snapshot, {"engine": answer.engine})
        return self._keep(query, stage, domain, answer.body, len(answer.rows), answer.seconds, answer.requests)

    def _keep(
        self, query: Query, stage: str, domain: str, body: bytes, rows: int, seconds: float, requests: int = 1
    ) -> bool:
        values = {
            "stage": stage,
            "domain": domain or None,
            "sha256": hashlib.sha256(body).hexdigest(),
            "body": zlib.compress(body, _COMPRESSION),
            "rows": rows,
            "seconds": seconds,
            "requests": requests,
        }
        # Not waiting for the disk: what a crash of the whole database server might lose would only be asked again.
        self._session.execute(text("SET LOCAL synchronous_commit = off"))
        statement = insert(pull_batch).values(snapshot=self.snapshot, query_hash=_hash(query), **values)
        # An answer may replace a quarantined or halved batch, never another answer.
        kept = self._session.scalar(
            statement.on_conflict_do_update(
                index_elements=["snapshot", "query_hash"],
                set_=values,
                where=pull_batch.c.stage.in_((SPLIT, QUARANTINE)),
            ).returning(pull_batch.c.query_hash)
        )
        self._session.commit()
        return kept is not None


class Later:
    """Answers under way; made by `Batches.later`.

    Args:
        batches: whose answers they are.
        stage: what they are filed under.
        domain: likewise.
        chunks: ids of each query.
        render: makes the query.
    """

    def __init__(
        self,
        batches: Batches,
        stage: str,
        domain: str,
        chunks: list[Sequence[str]],
        render: Callable[[Sequence[str]], Query],
    ) -> None:
        self._batches, self._stage, self._domain, self._render = batches, stage, domain, render
        self._chunks = chunks
        self._asked = [render(chunk) for chunk in chunks]
        self._known = batches.stored_hashes(self._asked)
        self._ahead = Ahead(batches.client, [query for query in self._asked if _hash(query) not in self._known])
        self._ahead.begin()

    def rows(self) -> list[Row]:
        """All rows; call it once. Raises as `Batches.rows`."""
        found: list[Row] = []
        for chunk, query in zip(self._chunks, self._asked, strict=True):
            fresh = None if _hash(query) in self._known else self._ahead.take
            floor = self._batches.floor
            found += self._batches.fetch(self._stage, self._domain, chunk, self._render, floor, fresh)
        return found

    def close(self) -> None:
        """Store answers that arrived but were not used."""
        for query, answer in self._ahead.close():
            self._batches.keep(query, self._stage, self._domain, answer)


class _Split(TooMuch):
    """This batch was too much before and is asked in parts."""


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


def quarantined(session: Session, snapshot: str) -> list[Quarantined]:
    """Every batch that was given up, with the reason."""
    bodies = session.scalars(
        select(pull_batch.c.body)
        .where(pull_batch.c.snapshot == snapshot, pull_batch.c.stage == QUARANTINE)
        .order_by(pull_batch.c.query_hash)
    )
    found = []
    for body in bodies:
        stage, domain, ids, reason = json.loads(zlib.decompress(body))
        found.append(Quarantined(stage, domain, tuple(ids), reason))
    return found


def batched(ids: Sequence[Id], size: int) -> Iterator[Sequence[Id]]:
    """Slices of at most `size`, in order."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _named(one: int | str, query: Query) -> str:
    """An id as people know it."""
    if isinstance(one, str):
        return one
    asked = query.about[0] if query.about else ""
    return f"{'P' if asked.startswith('metadata') else 'sitelinks = ' if asked == 'seeds_with' else 'Q'}{one}"


def _hash(query: Query) -> str:
    return hashlib.sha256(query.text.encode()).hexdigest()
