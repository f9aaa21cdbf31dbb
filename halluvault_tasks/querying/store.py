"""The database side of a lane: pages of missing prompts, stored answers, and the heartbeat.

Used from one thread at a time. If Postgres restarts during a run, it is waited for: each call is one transaction and is
retried as a whole, which is safe because rows are only ever added, never changed.
"""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeVar

import psycopg2
from sqlalchemy import Select, and_, case, func, literal_column, select, text, true, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DataError, DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import Unavailable
from halluvault_tasks.querying import conversation
from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome
from halluvault_tasks.querying.replies import storable
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.sessions import why
from halluvault_tasks.storage.tables import cases, evaluation, lane, prompt, prompt_variant, response

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_PAGE = 1000
_STEP_SECONDS = 0.25
ALIVE_SECONDS = 10.0
"""A lane without a heartbeat for so long no longer counts as one."""

_COLUMNS = (
    "evaluation_id", "case_id", "sample", "status", "text", "transcript", "finish_reason", "prompt_tokens",
    "generated_tokens", "queue_ms", "inference_ms", "total_ms", "attempts", "error", "model_id", "thought",
    "thought_tokens", "refusal",
)  # fmt: skip
_COUNTED = ("finish_reason", "prompt_tokens", "generated_tokens", "queue_ms", "inference_ms", "total_ms")

_REFUSED = (psycopg2.DataError, psycopg2.errors.ProgramLimitExceeded, DataError, ValueError)
"""What Postgres, or the way to it, says of a row that will never be taken."""


class Shard(NamedTuple):
    """Which prompts of which evaluation a lane asks."""

    evaluation_id: str
    snapshot: str
    model_id: str
    """Key of the model row, recorded on every response."""
    server: str
    """Registry name of the server."""
    number: int
    of: int
    part: frozenset[str] = frozenset()
    """The cases that are asked; empty means all."""


def missing(
    evaluation_id: str, snapshot: str, number: int = 0, of: int = 1, part: Collection[str] = ()
) -> Select[str, str, str, int, int | None]:
    """Case id, text, form, sample and seed of what has no response row, of every prompt of a published part.

    In order of case id and sample. Where an evaluation has several samples, each is sent a seed of its own: a server
    that was started with one would give the same reply each time. Of the cases of `part` alone, if it names any. A
    case's shard is the first three bytes of sha256(case id) modulo `of`: the same on every run.
    """
    wanted = (
        func.generate_series(1, evaluation.c.samples).table_valued("number").render_derived("wanted").lateral("wanted")
    )
    first = func.coalesce(evaluation.c.sampling["seed"].as_integer(), 1)
    seed = case((evaluation.c.samples > 1, first + wanted.c.number - 1))
    statement = (
        select(
            prompt.c.case_id, prompt.c.text, prompt_variant.c.form, wanted.c.number.label("sample"), seed.label("seed")
        )
        .join(evaluation, and_(evaluation.c.id == evaluation_id, evaluation.c.variant_id == prompt.c.variant_id))
        .join(prompt_variant, prompt_variant.c.id == prompt.c.variant_id)
        .join(wanted, true())
        .outerjoin(
            response,
            and_(
                response.c.evaluation_id == evaluation_id,
                response.c.case_id == prompt.c.case_id,
                response.c.sample == wanted.c.number,
            ),
        )
        .where(
            prompt.c.snapshot == snapshot,
            prompt.c.case_id.in_(part_lookup.asked(snapshot)),
            response.c.case_id.is_(None),
        )
        .order_by(prompt.c.case_id, wanted.c.number)
    )
    if part:
        statement = statement.where(prompt.c.case_id.in_(sorted(part)))
    if of > 1:
        hashed = func.sha256(func.convert_to(prompt.c.case_id, "UTF8"))
        place = func.get_byte(hashed, 0) * 65536 + func.get_byte(hashed, 1) * 256 + func.get_byte(hashed, 2)
        statement = statement.where(place % of == number)
    return statement


class Store:
    """Reads and keeps one shard's rows.

    Args:
        session: used by nobody else while the lane runs.
        shard: which prompts.
        patience_seconds: how long a database that went away is waited for.
    """

    def __init__(self, session: Session, shard: Shard, patience_seconds: float) -> None:
        self._session = session
        self._shard = shard
        self._patience = patience_seconds
        self._last = ("", 0)
        self._asked = 0

    def count(self) -> int:
        """How many prompts are missing now."""
        found = self._missing().subquery()
        return self._durably(lambda session: session.scalar(select(func.count()).select_from(found)) or 0)

    def page(self) -> Sequence[FeedItem]:
        """The next missing prompts in order of their case; read by key, so that no query holds them all."""
        place = tuple_(prompt.c.case_id, literal_column("wanted.number"))
        statement = self._missing().where(place > self._last).limit(_PAGE)
        rows = self._durably(lambda session: session.execute(statement).all())
        if rows:
            self._last = (rows[-1].case_id, rows[-1].sample)
        return [_item(row) for row in rows]

    def questions(self, case_ids: Sequence[str]) -> list[str]:
        """The questions of cases, in their order."""
        statement = select(cases.c.id, cases.c.question).where(cases.c.id.in_(case_ids))
        found = {row.id: row.question for row in self._durably(lambda session: session.execute(statement).all())}
        return [found[one] for one in case_ids]

    def store(self, outcomes: Sequence[PromptOutcome]) -> None:
        """Keep outcomes; one that is there already stays as it is, and one that Postgres refuses is a dead letter."""
        rows = [self._row(outcome) for outcome in outcomes]
        self._durably(lambda session: _write(session, rows))

    def beat(self, now: LaneProgress) -> int:
        """Write the heartbeat; returns how many lanes are on this server, this one included."""
        return self._durably(lambda session: self._beat(session, now, "asking", ""))

    def finished(self, now: LaneProgress) -> None:
        """The last heartbeat of a lane that went through."""
        self._durably(lambda session: self._beat(session, now._replace(in_flight=0), "finished", ""))

    def stopped(self, why: str) -> None:
        """The last heartbeat of one that did not; tried once, since its reason must not wait for a database."""
        mine = (lane.c.evaluation_id == self._shard.evaluation_id) & (lane.c.shard == self._shard.number)
        values = {"state": "stopped", "message": storable(why), "beat_at": func.clock_timestamp(), "in_flight": 0}
        self._session.rollback()
        self._session.execute(update(lane).where(mine).values(values))
        self._session.commit()

    def changed(self, cause: IdentityChanged) -> None:
        """Record the incident of a server that became another model."""
        where = f"query of {self._shard.server}, shard {self._shard.number + 1} of {self._shard.of}"

        def write(session: Session) -> None:
            incidents.record(session, "identity_changed", where, cause.message, cause.way_out, self._shard.snapshot)

        self._durably(write)

    def _missing(self) -> Select[str, str, str, int, int | None]:
        mine = self._shard
        return missing(mine.evaluation_id, mine.snapshot, mine.number, mine.of, mine.part)

    def _beat(self, session: Session, now: LaneProgress, state: str, message: str) -> int:
        values: dict[str, Any] = {
            "shards": self._shard.of,
            "server": self._shard.server,
            "state": state,
            "beat_at": func.clock_timestamp(),
            "total": now.total,
            "done": now.done,
            "dead": now.dead,
            "in_flight": now.in_flight,
            "allowed": now.allowed,
            "failures": dict(now.failures),
            "rate": now.rate,
            "eta_seconds": now.eta_seconds,
            "message": storable(message or now.remark),
        }
        key = {"evaluation_id": self._shard.evaluation_id, "shard": self._shard.number}
        if not self._asked:
            values["started_at"] = func.clock_timestamp()
            self._asked = 1
        session.execute(insert(lane).values(values | key).on_conflict_do_update(index_elements=list(key), set_=values))
        others = select(func.count()).where(
            lane.c.server == self._shard.server,
            lane.c.state == "asking",
            lane.c.beat_at > func.clock_timestamp() - text(f"interval '{ALIVE_SECONDS:g} seconds'"),
            (lane.c.evaluation_id != self._shard.evaluation_id) | (lane.c.shard != self._shard.number),
        )
        return 1 + (session.scalar(others) or 0)

    def _row(self, outcome: PromptOutcome) -> tuple[Any, ...]:
        work, reply = outcome.work, outcome.reply
        exchange = None
        if reply and work.item.turns:
            exchange = [
                {"role": message["role"], "content": storable(message["content"])}
                for message in conversation.transcript(work.item.turns, work.replies)
            ]
        return (
            self._shard.evaluation_id,
            work.item.case_id,
            work.item.sample,
            "delivered" if reply else "dead",
            storable(reply.text) if reply else None,
            exchange,
            *(getattr(reply, name) if reply else None for name in _COUNTED),
            min(work.attempts, 32_767),
            storable(outcome.error) or None,
            self._shard.model_id,
            storable(reply.thought) if reply and reply.thought else None,
            reply.thought_tokens if reply else None,
            storable(reply.refusal) if reply and reply.refusal is not None else None,
        )

    def _durably(self, action: Callable[[Session], _T]) -> _T:
        """Do it in one transaction; if Postgres does not answer, wait and do all of it again."""
        until = time.monotonic() + self._patience
        while True:
            try:
                done = action(self._session)
                self._session.commit()
            except (DBAPIError, psycopg2.Error) as error:
                self._session.invalidate()
                if not isinstance(self._outage(error), Unavailable) or time.monotonic() > until:
                    raise
                _log.warning("Postgres does not answer; waiting for it: %s", str(error).splitlines()[0])
                time.sleep(_STEP_SECONDS)
            else:
                return done

    def _outage(self, error: DBAPIError | psycopg2.Error) -> object:
        url = self._session.get_bind().engine.url.render_as_string(hide_password=False)
        if isinstance(error, DBAPIError):
            return why(error.orig, url, lost=error.connection_invalidated)
        return why(error, url, lost=isinstance(error, psycopg2.InterfaceError))


def _item(row: Any) -> FeedItem:
    """A prompt as it is asked; one that cannot be read says so and is not asked."""
    item = FeedItem(row.case_id, row.text, sample=row.sample, seed=row.seed)
    if row.form != "chat":
        return item
    try:
        return item._replace(turns=conversation.turns_of(row.text))
    except ValueError as error:
        return item._replace(fault=f"the stored prompt cannot be read: {error}")


def _write(session: Session, rows: Sequence[tuple[Any, ...]]) -> None:
    """Store rows in the session's transaction; where Postgres refuses them, half by half, down to the one at fault."""
    try:
        with session.begin_nested():
            _copy(session, rows)
    except _REFUSED as error:
        if len(rows) > 1:
            _write(session, rows[: len(rows) // 2])
            _write(session, rows[len(rows) // 2 :])
            return
        row = dict(zip(_COLUMNS, rows[0], strict=True))
        kept = {name: row[name] for name in ("evaluation_id", "case_id", "sample", "attempts", "model_id")}
        why = f"the answer cannot be stored: {str(error).strip().splitlines()[0]}"
        _copy(session, [tuple((kept | {"status": "dead", "error": storable(why)}).get(name) for name in _COLUMNS)])


def _copy(session: Session, rows: Sequence[tuple[Any, ...]]) -> None:
    # Straight into the table, which costs Postgres half of the other way; that is for the one case in a thousand that
    # another run of this shard has stored some of them meanwhile.
    try:
        with session.begin_nested():
            copy_rows(session, response, _COLUMNS, rows)
    except psycopg2.errors.UniqueViolation:
        session.execute(
            text("CREATE TEMPORARY TABLE incoming_response (LIKE response INCLUDING DEFAULTS) ON COMMIT DROP")
        )
        copy_rows(session, response, _COLUMNS, rows, into="incoming_response")
        session.execute(text("INSERT INTO response SELECT * FROM incoming_response ON CONFLICT DO NOTHING"))
        session.execute(text("DROP TABLE incoming_response"))
