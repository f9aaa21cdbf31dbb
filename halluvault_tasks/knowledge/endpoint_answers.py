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
from typing import NamedTuple

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots, tail
from halluvault_tasks.knowledge.answer_failures import TooMuch
from halluvault_tasks.knowledge.answer_source import AnswerSource, RequestStep, UnansweredBatch
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.counted_answers import CountedAnswer, Row, read_results
from halluvault_tasks.knowledge.prefetch import Ahead
from halluvault_tasks.knowledge.progress import PullProgress, Report
from halluvault_tasks.knowledge.pulled_vs_written import StoredBody
from halluvault_tasks.knowledge.queries import SelectQuery, render
from halluvault_tasks.knowledge.requests import (
    ClassMembers,
    ItemsInTail,
    MembersBySitelinks,
    MembersWithoutSitelinks,
    NumberedRequest,
    ServiceRequest,
    StatementQualifiers,
    StoreSamples,
    SubjectStatements,
    TailMembers,
)
from halluvault_tasks.knowledge.store_shape import NOT_AT_ALL, SAMPLES, StoreShape, as_statements, told_by
from halluvault_tasks.storage.tables import pull_batch

_log = logging.getLogger(__name__)

SPLIT, QUARANTINE = "split", "quarantine"
"""Values of `pull_batch.stage` for queries without an answer: halved, and given up."""
MOST_SITELINKS = 1200
"""More than there are wikis: no item can have this many sitelinks."""

NUMBERS = 1000
"""Items that are asked about at a time, of which few belong to the class: their numbers are most of the query."""
_COMPRESSION = 1  # bodies are read again soon; a third larger than at level 6, in a fifth of the time
_HASHES = 5000  # that are looked up at a time


class StoredBatches(NamedTuple):
    """What `pull_batch` holds of a part of a pull."""

    batches: int
    rows: int
    quarantined: int


class EndpointAnswers(AnswerSource):
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
        self.given_up: dict[str, UnansweredBatch] = {}
        self.read: dict[str, StoredBody] = {}
        self.floor = floor
        """Least size to which a batch that is too much is halved."""
        self._engine = ""
        self._session = session
        self._report = report
        self._shape: StoreShape | None = None

    @property
    def shape(self) -> StoreShape:
        """How the store is asked: what its first answer says, which is stored as all are."""
        if self._shape is None:
            asked = StoreSamples(sorted(SAMPLES))
            known = bool(self.stored_hashes([render(asked)]))
            rows = self.fetch("metadata", "", asked, 1)
            unanswered = [name for batch in self.given_up.values() for name in batch.ids]
            self._shape = told_by(rows, unanswered)
            if not known:
                for remark in self._shape.remarks():
                    _log.warning("%s: %s", self.client.endpoint, remark)
            snapshots.note(self._session, self.snapshot, {"store": self._shape.as_json()})
            self._session.commit()
        return self._shape

    def query(self, request: ServiceRequest) -> SelectQuery:
        """The query that puts a request to this store."""
        return render(request) if isinstance(request, StoreSamples) else render(request, self.shape)

    def together(
        self, steps: Sequence[RequestStep], domain: str, size: int
    ) -> Iterator[tuple[Sequence[int], list[list[Row]]]]:
        """As `AnswerSource.together`, asking for the next batches while the caller works on one."""
        batches = list(zip(*(step.request.batches(size) for step in steps), strict=True))
        queries = [self.query(request) for batch in batches for request in batch]
        known = self.stored_hashes(queries)
        stages = dict(zip(queries, [step.stage for step in steps] * len(batches), strict=True))
        ahead = Ahead(self.client, [query for query in queries if _hash(query) not in known])
        try:
            for number, batch in enumerate(batches, start=1):
                answers = []
                for step, request in zip(steps, batch, strict=True):
                    fresh = None if _hash(self.query(request)) in known else ahead.take
                    answers.append(self.fetch(step.stage, domain, request, self.floor, fresh))
                yield batch[0].ids, answers
                if self._report:
                    self._report(PullProgress(steps[0].stage, domain, number, len(batches)))
        finally:
            for query, answer in ahead.close():
                self.keep(query, stages[query], domain, answer)

    def rows(self, stage: str, domain: str, request: NumberedRequest) -> list[Row]:
        """As `AnswerSource.rows`."""
        return self.fetch(stage, domain, request, self.floor)

    def later(self, stage: str, domain: str, request: StatementQualifiers, size: int) -> "RowsUnderWay":
        """As `AnswerSource.later`."""
        return RowsUnderWay(self, stage, domain, request.batches(size))

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
        request: ServiceRequest,
        floor: int,
        fresh: Callable[[], CountedAnswer] | None = None,
    ) -> list[Row]:
        """Rows of one batch; where it is too much, of its halves, one after the other.

        A class whose members are too much even alone is asked for by number of sitelinks, a tail of one by number of
        item; what else is too much at the floor is given up.

        Args:
            stage: what the answer is filed under.
            domain: likewise; empty for all.
            request: of the batch.
            floor: least size of a part.
            fresh: takes the answer where it is under way already.
        """
        query = self.query(request)
        try:
            rows = self._ask(stage, domain, query, fresh)
        except TooMuch as error:
            split = isinstance(error, _Split)
            count = len(request.ids)
            if not isinstance(request, ClassMembers | TailMembers) and (count == 1 or (count <= floor and not split)):
                self._quarantine(stage, domain, request, query, error)
                return []
            if not split:
                _log.warning("%s %s: a batch of %d is too much (%s); asked in parts", stage, domain, count, error)
                self._keep(query, SPLIT, domain, b"", 0, 0.0)
        else:
            came = len(rows)
            if isinstance(request, SubjectStatements) and not self.shape.statements.shown:
                rows = as_statements(rows)
            self.read[_hash(query)] = StoredBody.of(stage, len(request.ids), rows)._replace(rows=came)
            return rows
        if isinstance(request, ClassMembers) and len(request.ids) == 1:
            return self._by_sitelinks(stage, domain, request)
        if isinstance(request, TailMembers) and len(request.ids) == 1:
            return self._by_number(stage, domain, request)
        return [row for half in request.halves() for row in self.fetch(stage, domain, half, floor)]

    def _by_sitelinks(self, stage: str, domain: str, request: ClassMembers) -> list[Row]:
        """Members of a class that is too large to be asked for at once."""
        (large,) = request.ids
        _log.warning("Q%d is too large to ask at once: asked in parts, by number of sitelinks", large)
        rows = [
            row
            for counts in ([] if self.shape.sitelinks is NOT_AT_ALL else _growing(request.sitelinks, MOST_SITELINKS))
            for row in self.fetch(stage, domain, MembersBySitelinks(counts, request.mode, large), floor=1)
        ]
        # Wikidata counts the sitelinks of every item; another source may not, and must not lose those.
        if self.client.local or not rows:
            rows += self.fetch(stage, domain, MembersWithoutSitelinks(request.ids, request.mode), floor=1)
        return rows

    def _by_number(self, stage: str, domain: str, request: TailMembers) -> list[Row]:
        """The tail of a class that is too large to be asked for even in part.

        Of a shorter ending there is nothing to add: it has the longest one's items first, and so large a class has
        enough of those.
        """
        (large,) = request.ids
        if len(request.ending) < tail.LONGEST:
            return []
        _log.warning("Q%d is too large to ask for a thousandth of it: asked item by item", large)
        listed = ItemsInTail(tail.candidates(request.ending), request.mode, large, request.sitelinks)
        return [row for batch in listed.batches(NUMBERS) for row in self.fetch(stage, domain, batch, floor=self.floor)]

    def _ask(self, stage: str, domain: str, query: SelectQuery, fresh: Callable[[], CountedAnswer] | None) -> list[Row]:
        if fresh is None and (rows := self._stored(query)) is not None:
            return rows
        answer = fresh() if fresh is not None else self.client.select(query)
        if self.keep(query, stage, domain, answer):
            return answer.rows
        rows = self._stored(query)  # somebody else's answer came first: it is the one that counts
        return answer.rows if rows is None else rows

    def _stored(self, query: SelectQuery) -> list[Row] | None:
        batch = self._session.execute(
            select(pull_batch.c.stage, pull_batch.c.body).where(
                pull_batch.c.snapshot == self.snapshot, pull_batch.c.query_hash == _hash(query)
            )
        ).first()
        if batch is not None and batch.stage == SPLIT:
            raise _Split
        if batch is None or batch.stage == QUARANTINE:
            return None
        return read_results(zlib.decompress(batch.body), query)

    def _quarantine(
        self, stage: str, domain: str, request: ServiceRequest, query: SelectQuery, error: Exception
    ) -> None:
        # An ill service would have every batch given up, one after the other: make sure that it is the batch.
        self.client.probe()
        given_up = UnansweredBatch(stage, domain, request.named(), str(error))
        _log.warning("given up, to be tried again later: %s", given_up)
        self._keep(query, QUARANTINE, domain, json.dumps(given_up).encode(), 0, 0.0)
        self.given_up[_hash(query)] = given_up

    def stored_hashes(self, queries: Sequence[SelectQuery]) -> set[str]:
        """Hashes of those queries that are stored in whatever way; looked up in one go, not one by one."""
        hashes = [_hash(query) for query in queries]
        return {
            known
            for start in range(0, len(hashes), _HASHES)
            for known in self._session.scalars(
                select(pull_batch.c.query_hash).where(
                    pull_batch.c.snapshot == self.snapshot,
                    pull_batch.c.query_hash.in_(hashes[start : start + _HASHES]),
                )
            )
        }

    def keep(self, query: SelectQuery, stage: str, domain: str, answer: CountedAnswer) -> bool:
        """Store an answer and commit; False if another process stored one first."""
        self.asked += 1
        if answer.engine and not self._engine:
            # With the first answer that shows it: a later run may find all answers stored and meet no engine.
            self._engine = answer.engine
            snapshots.note(self._session, self.snapshot, {"engine": answer.engine})
        return self._keep(query, stage, domain, answer.body, len(answer.rows), answer.seconds, answer.requests)

    def _keep(
        self, query: SelectQuery, stage: str, domain: str, body: bytes, rows: int, seconds: float, requests: int = 1
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


class RowsUnderWay:
    """Answers under way; made by `EndpointAnswers.later`.

    Args:
        answers: whose they are.
        stage: what they are filed under.
        domain: likewise.
        requests: a batch each.
    """

    def __init__(
        self, answers: EndpointAnswers, stage: str, domain: str, requests: Sequence[StatementQualifiers]
    ) -> None:
        self._answers, self._stage, self._domain, self._requests = answers, stage, domain, requests
        queries = [answers.query(request) for request in requests]
        self._known = answers.stored_hashes(queries)
        self._ahead = Ahead(answers.client, [query for query in queries if _hash(query) not in self._known])
        self._ahead.begin()

    def rows(self) -> list[Row]:
        """All rows; call it once. Raises as `EndpointAnswers.rows`."""
        rows: list[Row] = []
        for request in self._requests:
            fresh = None if _hash(self._answers.query(request)) in self._known else self._ahead.take
            rows += self._answers.fetch(self._stage, self._domain, request, self._answers.floor, fresh)
        return rows

    def close(self) -> None:
        """Store answers that arrived but were not used."""
        for query, answer in self._ahead.close():
            self._answers.keep(query, self._stage, self._domain, answer)


class _Split(TooMuch):
    """This batch was too much before and is asked in parts."""


def stored(session: Session, snapshot: str, domain: str | None = None) -> StoredBatches:
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
    return StoredBatches(int(count), int(rows), int(quarantined))


def quarantined(session: Session, snapshot: str) -> list[UnansweredBatch]:
    """Every batch that was given up, with the reason."""
    bodies = session.scalars(
        select(pull_batch.c.body)
        .where(pull_batch.c.snapshot == snapshot, pull_batch.c.stage == QUARANTINE)
        .order_by(pull_batch.c.query_hash)
    )
    return [
        UnansweredBatch(stage, domain, tuple(ids), reason)
        for stage, domain, ids, reason in (json.loads(zlib.decompress(body)) for body in bodies)
    ]


def _growing(first: int, last: int) -> Iterator[range]:
    """Consecutive ranges, each a quarter as long as its start: the better known, the fewer items there are."""
    while first <= last:
        following = min(last + 1, first + max(1, first // 4))
        yield range(first, following)
        first = following


def _hash(query: SelectQuery) -> str:
    return hashlib.sha256(query.text.encode()).hexdigest()
