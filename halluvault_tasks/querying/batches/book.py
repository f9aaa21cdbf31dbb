"""What is known of an evaluation's batches, in Postgres: every step is committed before the next one is taken.

A batch is written down before anything is uploaded, with what it asks; then with the ids that the API gives. What a
process that was killed did not write down, the API is asked for by our key.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, exists, func, insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.querying.batches.forms import RemoteBatch
from halluvault_tasks.querying.batches.paper import PaperAnswer
from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.replies import storable
from halluvault_tasks.querying.transport import loads
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import batch, batch_line, response

_LINE = ("batch_key", "number", "evaluation_id", "case_id", "sample")
_HEARD = ("number", "status", "body")

UNASKED = 0
"""Status of a request that the API never put to its model: expired, cancelled, timed out."""

Asked = tuple[str, int]
"""Case and sample."""


class ForeignLines(Exception):
    """A file of a batch answers what nobody asked in it.

    Args:
        custom_id: the first such id.
    """

    def __init__(self, custom_id: str) -> None:
        super().__init__(custom_id)
        self.custom_id = storable(custom_id[:80])


class SentLine(NamedTuple):
    """One request that was handed in, and what became of it."""

    answer: PaperAnswer | None
    """None: its batch ended without one."""
    error: str
    """Why its batch came to nothing; empty: it did not."""
    round: int
    """That it was handed in with."""

    @property
    def unasked(self) -> str:
        """Why the API never put it to its model; empty: it did."""
        if self.answer is None or self.answer.status != UNASKED:
            return ""
        raw = json.loads(self.answer.body)["error"]
        told = (
            [str(raw[name]) for name in ("code", "message") if raw.get(name)] if isinstance(raw, dict) else [str(raw)]
        )
        return storable(" ".join(": ".join(told).split()))[:300] or "an error without words"


class BatchBook:
    """The batches of one evaluation.

    Args:
        session: used by nobody else meanwhile; committed with each step.
        evaluation_id: whose prompts they ask.
        model: registry name.
    """

    def __init__(self, session: Session, evaluation_id: str, model: str) -> None:
        self._session, self._evaluation, self._model = session, evaluation_id, model
        self._mine = batch.c.evaluation_id == evaluation_id

    def open(self) -> Sequence[Row[Any]]:
        """Batches that are neither collected nor given up, the oldest first."""
        mine = select(batch).where(self._mine, batch.c.ended_at.is_(None))
        found = self._session.execute(mine.order_by(batch.c.created_at, batch.c.key)).all()
        self._session.commit()
        return found

    def newest_round(self) -> int:
        """0: none was ever made."""
        found = self._session.scalar(select(func.max(batch.c.round)).where(self._mine))
        self._session.commit()
        return found or 0

    def begin(self, key: str, number: int, turn: int, asked: Sequence[Asked]) -> None:
        """Write a batch of a round down, before the API hears of it."""
        row = {"key": key, "evaluation_id": self._evaluation, "model": self._model, "round": number, "turn": turn,
               "requests": len(asked), "status": "made"}  # fmt: skip
        self._session.execute(insert(batch).values(row))
        lines = ((key, place, self._evaluation, *one) for place, one in enumerate(asked))
        copy_rows(self._session, batch_line, _LINE, lines)
        self._session.commit()

    def uploaded(self, key: str, file: str) -> None:
        """Write down where its requests are."""
        self._update(key, file_id=file)

    def told(self, key: str, remote: RemoteBatch) -> None:
        """Write down what the API says of it."""
        self._update(
            key, batch_id=remote.id, status=remote.status, completed=remote.completed, failed=remote.failed,
            submitted_at=func.coalesce(batch.c.submitted_at, func.clock_timestamp()),
            polled_at=func.clock_timestamp(),
        )  # fmt: skip

    def drop(self, key: str) -> None:
        """Forget a batch that the API never had."""
        self._session.execute(delete(batch).where(batch.c.key == key))
        self._session.commit()

    def close(self, key: str, error: str, status: str | None = None) -> None:
        """End a batch of which nothing came or will come."""
        given = {} if status is None else {"status": status}
        self._update(key, error=storable(error), ended_at=func.clock_timestamp(), **given)

    def fruitless(self, number: int) -> None:
        """Nothing at all came of a round: it counts against no prompt."""
        self._session.execute(update(batch).where(self._mine, batch.c.round == number).values(fruitless=True))
        self._session.commit()

    def stage(self) -> "LineStage":
        """Where the lines of a batch gather until they are all there."""
        return LineStage(self._session)

    def kept(self, key: str, staged: "LineStage") -> int:
        """Write what was staged to a batch's lines; returns how many have their answer. Not committed."""
        return staged.keep(key)

    def collected(self, key: str, error: str) -> None:
        """End a batch whose lines have what came: both or neither is committed."""
        self._update(key, ended_at=func.clock_timestamp(), error=storable(error) or None)

    def roll_back(self) -> None:
        """Forget what was staged."""
        self._session.rollback()

    def lines(self, items: Sequence[FeedItem]) -> Mapping[Asked, list[SentLine]]:
        """What was handed in for these prompts and came of it, oldest first; fruitless rounds are left out."""
        if not items:
            return {}
        line = batch_line.c
        statement = (
            select(line.case_id, line.sample, line.status, line.body, batch.c.error, batch.c.round)
            .join(batch, batch.c.key == line.batch_key)
            .where(line.evaluation_id == self._evaluation, line.case_id.between(items[0].case_id, items[-1].case_id))
            .where(batch.c.ended_at.is_not(None), batch.c.fruitless.is_(False))
            .order_by(batch.c.round, batch.c.created_at)
        )
        found: dict[Asked, list[SentLine]] = defaultdict(list)
        for row in self._session.execute(statement):
            answer = None if row.body is None else PaperAnswer(row.status, row.body)
            found[row.case_id, row.sample].append(SentLine(answer, row.error or "", row.round))
        self._session.commit()
        return found

    def tidy(self) -> None:
        """Forget the lines of prompts that have their response."""
        done = exists().where(
            response.c.evaluation_id == batch_line.c.evaluation_id,
            response.c.case_id == batch_line.c.case_id,
            response.c.sample == batch_line.c.sample,
        )
        ended = select(batch.c.key).where(self._mine, batch.c.ended_at.is_not(None))
        mine = batch_line.c.evaluation_id == self._evaluation
        self._session.execute(delete(batch_line).where(mine, batch_line.c.batch_key.in_(ended), done))
        self._session.commit()

    def errors(self, number: int) -> Sequence[str]:
        """Why batches of a round came to nothing."""
        statement = select(batch.c.error).where(self._mine, batch.c.round == number, batch.c.error.is_not(None))
        found = self._session.scalars(statement).all()
        self._session.commit()
        return [str(one) for one in found]

    def _update(self, key: str, **values: Any) -> None:
        self._session.execute(update(batch).where(batch.c.key == key).values(values))
        self._session.commit()


class LineStage:
    """A batch's answers in a table of the transaction, so that its lines are kept all at once.

    Args:
        session: in whose transaction it is.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        columns = "number integer, status smallint, body text, place serial"
        session.execute(text(f"CREATE TEMPORARY TABLE heard_line ({columns}) ON COMMIT DROP"))

    def add(self, heard: Sequence["HeardLine"]) -> None:
        """Take in answers."""
        rows = ((one.number, one.answer.status, one.answer.body) for one in heard)
        copy_rows(self._session, batch_line, _HEARD, rows, into="heard_line")

    def keep(self, key: str) -> int:
        """Write them to their lines; of several to one request, an answer goes before an error, then the first."""
        written = self._session.connection().execute(
            text(
                "UPDATE batch_line SET status = heard.status, body = heard.body FROM (SELECT DISTINCT ON (number) "
                "number, status, body FROM heard_line ORDER BY number, status <> 200, place) AS heard "
                "WHERE batch_line.batch_key = :key AND batch_line.number = heard.number"
            ),
            {"key": key},
        )
        return int(written.rowcount)


class HeardLine(NamedTuple):
    """One line of a file of answers."""

    number: int
    answer: PaperAnswer


def custom_id(key: str, number: int) -> str:
    """Of a request, for the API."""
    return f"{key}-{number}"


def heard(line: bytes, key: str, requests: int) -> HeardLine | None:
    """Read a line of a file; None: it says nothing, as one that was cut.

    Args:
        line: JSON.
        key: of the batch whose file it is.
        requests: how many it has.

    Raises:
        ForeignLines: it answers what was not asked in this batch.
    """
    try:
        raw = loads(line)
    except (ValueError, RecursionError):
        return None
    given = raw.get("custom_id") if isinstance(raw, dict) else None
    if not isinstance(given, str):
        return None
    place = re.fullmatch(rf"{key}-([0-9]{{1,9}})", given)
    if place is None or int(place[1]) >= requests or custom_id(key, int(place[1])) != given:
        raise ForeignLines(given)
    answer = _answer(raw)
    return None if answer is None else HeardLine(int(place[1]), answer)


def _answer(raw: Mapping[str, Any]) -> PaperAnswer | None:
    """What came back to a request: an answer of HTTP, or what kept it from being asked as one."""
    came, error = raw.get("response"), raw.get("error")
    if isinstance(came, Mapping) and isinstance(status := came.get("status_code", 200), int) and 100 <= status < 600:
        return PaperAnswer(status, _json(came.get("body")))
    return PaperAnswer(UNASKED, _json({"error": error})) if error else None


def _json(body: Any) -> str:
    """In ASCII, which Postgres keeps whatever is escaped in it."""
    return json.dumps(body)
