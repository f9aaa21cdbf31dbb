"""The stage that has claims listed: each response once, by the model that gave it or by another one.

In its own conversation, after its free answer, the model is asked under a grammar made for that answer; what comes is
stored beside the response, with how much of it holds. Only what is missing is asked, so that responses of past months
are transcribed later in the same way. A server that obeys no JSON grammar is asked nothing: there `syntax` alone
speaks, and that is said.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.scorer import Scorer, delivered_rows
from halluvault_tasks.querying import evaluations, servers, thoughts
from halluvault_tasks.querying.registry import Model, Registry
from halluvault_tasks.querying.replies import ChatMessage, Failure, Grammar, Reply, storable
from halluvault_tasks.querying.retry_policy import Policy, patiently
from halluvault_tasks.querying.servers import TokenOf, token_of
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.reading import base
from halluvault_tasks.reading import snapshot as snapshot_names
from halluvault_tasks.reading.transcript import material
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import model, response, transcript, verdict

_log = logging.getLogger(__name__)

SAME = "transcript"
"""The reader whose listings the response's own model makes; another one's are `llm:NAME`."""

_PER_PLACE = 4
"""Responses of a batch for each request that may be open: what a killed run loses of a slow model is a minute."""

_TOKENS = 512


class Transcribed(NamedTuple):
    """What one run did."""

    asked: int
    listed: int
    """Claims that were listed."""
    kept: int
    """Of these, claims that the responses' own sentences hold."""
    failed: int
    """Responses whose listing did not come."""
    guided: bool
    """Whether the server obeys a JSON grammar; without it nothing is asked."""


class _Wanted(NamedTuple):
    row: Any
    given: base.ReaderInput
    messages: list[ChatMessage]
    grammar: Grammar


def transcribe(
    session: Session,
    evaluation_id: str,
    *,
    registry: Registry,
    by: str = SAME,
    token: TokenOf = token_of,
) -> Transcribed:
    """Have the claims of every response listed that is argued and has no listing yet. Commits by the batch.

    Args:
        by: `transcript` (the same model) or `llm:NAME`.
        token: where API keys come from.

    Raises:
        UserError: unknown evaluation or model; a model that was never checked.
    """
    row = evaluations.find(session, evaluation_id)
    entry = registry.model(row.name if by == SAME else _named(by))
    model_id = row.model_id if by == SAME else _newest(session, entry.name)
    behaviour = evaluations.seen_before(session, entry, model_id)
    with runs.stage(session, row.snapshot, "transcribe", f"{row.name} {by}") as summary:
        counts = Transcribed(0, 0, 0, 0, False)
        if not (behaviour and behaviour.guided_json and entry.route == "chat"):
            said = "%s: its server obeys no JSON grammar, so it lists no claims; only `syntax` reads them"
            _log.warning(said, entry.name)
        else:
            counts = counts._replace(guided=True)
            run = _Run(session, evaluation_id, row.snapshot, by, model_id, behaviour)
            for batch in run.batches(_PER_PLACE * registry.server(entry.server).in_flight):
                replies = asyncio.run(_asked(registry, entry, behaviour, batch, token))
                counts = run.store(batch, replies, counts)
                share = f"{counts.kept} of {counts.listed} listed claims kept"
                _log.info("%s by %s: %d responses, %s", row.name, by, counts.asked, share)
        summary |= counts._asdict()
    return counts


async def _asked(
    registry: Registry, entry: Model, behaviour: Behaviour, batch: Sequence[_Wanted], token: TokenOf
) -> list[Reply | Failure]:
    """The listings of a batch, as many at a time as the server allows; a failure where one did not come."""
    home = registry.server(entry.server)
    room, random, policy = asyncio.Semaphore(home.in_flight), Random(0), Policy(home.attempts, home.deadline_seconds)
    async with servers.Http() as http:
        parameters = entry.parameters() | behaviour.parameters
        clients = servers.clients(http, entry, home, token, parameters)

        async def one(place: int, wanted: _Wanted) -> Reply | Failure:
            call = partial(clients[place % len(clients)].chat, wanted.messages, wanted.grammar, _TOKENS)
            async with room:
                try:
                    return await patiently(call, policy, random)
                except Failure as failure:
                    return failure

        return list(await asyncio.gather(*(one(place, wanted) for place, wanted in enumerate(batch))))


class _Run:
    """One evaluation's responses on their way to their listings."""

    def __init__(
        self, session: Session, evaluation_id: str, snapshot: str, by: str, model_id: str, behaviour: Behaviour
    ) -> None:
        self._session, self._evaluation_id = session, evaluation_id
        self._by, self._model_id, self._behaviour = by, model_id, behaviour
        self._scorer = Scorer(session, snapshot, SentenceBert(), wanted=[replay_profile.PROFILE])
        assert self._scorer.replay is not None
        self._syntax = self._scorer.replay.syntax
        self._reader = snapshot_names.with_listings(session, snapshot, self._syntax, by)

    def batches(self, size: int) -> Sequence[Sequence[_Wanted]]:
        """Responses that lack a listing, argue for a yes or no, and name enough to claim anything."""
        have = select(transcript.c.case_id).where(
            transcript.c.evaluation_id == self._evaluation_id,
            transcript.c.reader == self._by,
            transcript.c.case_id == response.c.case_id,
            transcript.c.sample == response.c.sample,
        )
        rows = self._session.execute(
            delivered_rows(self._evaluation_id)
            .where(~have.exists(), response.c.case_id.in_(list(self._scorer.asked)))
            .order_by(response.c.case_id, response.c.sample)
        ).all()
        self._session.commit()  # a model may take minutes, in which no transaction stands open
        wanted = [one for row in rows if (one := self._wanted(row)) is not None]
        return [wanted[start : start + size] for start in range(0, len(wanted), size)]

    def _wanted(self, row: Any) -> _Wanted | None:
        given = self._scorer.argued(row)
        about = self._reader.material(given) if given else None
        grammar = material.schema(about) if about else None
        if not (given and about and grammar):
            return None
        messages = [*self._before(row), ChatMessage(role="user", content=material.request(about))]
        return _Wanted(row, given, messages, Grammar("json", grammar, self._behaviour.json_form))

    def _before(self, row: Any) -> list[ChatMessage]:
        """The conversation so far, for the model that had it; another one sees the sentences alone."""
        if self._by != SAME:
            return []
        said = thoughts.without if row.thought is None else str
        if not row.transcript:
            return [
                ChatMessage(role="user", content=row.prompt or ""),
                ChatMessage(role="assistant", content=said(row.text)),
            ]
        return [
            ChatMessage(
                role=turn["role"], content=said(turn["content"]) if turn["role"] == "assistant" else turn["content"]
            )
            for turn in row.transcript
        ]

    def store(self, batch: Sequence[_Wanted], replies: Sequence[Reply | Failure], counts: Transcribed) -> Transcribed:
        """Keep what came, and how much of it holds. Commits."""
        syntax = self._syntax.read([one.given for one in batch])
        rows: list[Mapping[str, Any]] = []
        for one, reply, reading in zip(batch, replies, syntax, strict=True):
            text = storable(reply.text) if isinstance(reply, Reply) else None
            listed = self._reader.listed(one.given._replace(transcript=text or ""), reading.claims)
            rows.append({
                "evaluation_id": self._evaluation_id,
                "case_id": one.row.case_id,
                "sample": one.row.sample,
                "reader": self._by,
                "text": text,
                "error": None if isinstance(reply, Reply) else storable(reply.reason),
                "finish_reason": reply.finish_reason if isinstance(reply, Reply) else None,
                "generated_tokens": reply.generated_tokens if isinstance(reply, Reply) else None,
                "total_ms": reply.total_ms if isinstance(reply, Reply) else None,
                "model_id": self._model_id,
                "listed": listed.listed,
                "kept": listed.kept,
                "dropped": dict(listed.dropped) if text is not None else {},
            })
        self._session.execute(insert(transcript).on_conflict_do_nothing(), rows)
        # A verdict of before was read without this listing.
        judged_without = [(one.row.case_id, one.row.sample) for one in batch]
        self._session.execute(
            delete(verdict).where(
                verdict.c.evaluation_id == self._evaluation_id,
                verdict.c.profile == replay_profile.profile_of(self._reader.name),
                tuple_(verdict.c.case_id, verdict.c.sample).in_(judged_without),
            )
        )
        self._session.commit()
        return counts._replace(
            asked=counts.asked + len(rows),
            listed=counts.listed + sum(row["listed"] for row in rows),
            kept=counts.kept + sum(row["kept"] for row in rows),
            failed=counts.failed + sum(row["text"] is None for row in rows),
        )


def _named(by: str) -> str:
    kind, _, name = by.partition(":")
    if kind != "llm" or not name:
        raise UserError(
            f"no reader {by!r}", f"give {SAME} (the model that answered) or llm:NAME with a model of models.yaml"
        )
    return name


def _newest(session: Session, name: str) -> str:
    found = session.scalar(select(model.c.id).where(model.c.name == name).order_by(model.c.first_seen.desc()).limit(1))
    if found is None:
        raise UserError(
            f"{name} was never asked anything, so that nobody knows what its server does", "`halluvault models check`"
        )
    return str(found)
