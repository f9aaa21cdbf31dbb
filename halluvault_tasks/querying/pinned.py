"""A pinned model asked short questions outside of any evaluation: through a lane, as every model is asked.

So requests are bounded and spaced, retried, given up only if others are answered, and an answer is kept only once its
server has confirmed that it is still the pinned model.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import evaluations, readiness, servers
from halluvault_tasks.querying.conversation import ChatTurn
from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.kinship import NamedModel
from halluvault_tasks.querying.lane import Lane, LanePlan
from halluvault_tasks.querying.preflight import Extremes
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome, Replica
from halluvault_tasks.querying.replies import Identity
from halluvault_tasks.querying.retry_policy import Policy
from halluvault_tasks.querying.servers import TokenOf, token_of
from halluvault_tasks.querying.store import ALIVE_SECONDS
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.storage.tables import lane

_OF_NOBODY = "Is the sky blue? Answer yes or no."


class PinnedQuestion(NamedTuple):
    """A question to be answered with yes or no.

    Attributes:
        key: of what it is about.
        number: which question about that.
    """

    key: str
    number: int
    prompt: str


class PinnedReply(NamedTuple):
    """What came back; no `text` where the server refused for good to answer this one."""

    key: str
    number: int
    text: str


class PinnedModel(NamedTuple):
    """The model that models.yaml pins, as its server was seen.

    Attributes:
        name: registry name.
        key: of its row in table `model`.
    """

    name: str
    key: str
    identity: Identity
    behaviour: Behaviour

    @property
    def named(self) -> NamedModel:
        """As kinship takes it."""
        return NamedModel(self.name, self.identity.model_id, self.identity.model_sha)


def identified(
    session: Session, registry: Registry, prompts: Sequence[str] = (_OF_NOBODY,), token: TokenOf = token_of
) -> PinnedModel:
    """Ask the pinned model who it is and, once for each identity, what it does. Commits.

    Args:
        session: keeps what it was seen to do.
        registry: names the examiner.
        prompts: what it is to be asked.
        token: where API keys come from.

    Raises:
        Unavailable: its server does not answer.
        UserError: it is another model than the pinned one, or cannot be asked.
    """
    pin = registry.examiner
    if pin is None:
        raise UserError("no examiner is configured", "name one in models.yaml: `examiner: {model: …, model_id: …}`")
    by_length = sorted(prompts, key=lambda one: (len(one), one))
    extremes = Extremes(by_length[0], by_length[-1], "the longest text", chat=False)
    ready, left_out = readiness.of_models(session, [registry.model(pin.model)], registry, extremes, token)
    if left_out:
        raise left_out[0].why
    (one,) = ready
    found = one.found.identity
    if found.model_id != pin.model_id or (pin.model_sha and found.model_sha != pin.model_sha):
        raise UserError(
            f"the examiner {pin.model} is pinned as {' '.join(filter(None, (pin.model_id, pin.model_sha)))}, but its "
            f"server serves {found}",
            "serve the pinned one; or register the other under a name of its own and pin that",
        )
    evaluations.model_row(session, one.entry, found)
    session.commit()
    return PinnedModel(pin.model, evaluations.model_key(one.entry, found), found, one.behaviour)


def ask(
    session: Session,
    registry: Registry,
    model: PinnedModel,
    questions: Iterable[PinnedQuestion],
    keep: Callable[[Sequence[PinnedReply]], None],
    token: TokenOf = token_of,
) -> LaneProgress:
    """Ask questions under the grammar of a verdict, and hand over the replies every few seconds.

    Args:
        session: used from another thread meanwhile.
        keep: is called in that thread; it commits.

    Raises:
        IdentityChanged, ServerDown, Barred: as `Lane.run`; what was handed over before stays.
    """
    entry = registry.model(model.name)
    home = registry.server(entry.server)
    asked = [
        FeedItem(one.key, one.prompt, (ChatTurn("user", one.prompt, "verdict"),), sample=one.number)
        for one in questions
    ]
    plan = LanePlan(
        entry.name,
        model.identity,
        home.in_flight,
        Policy(home.attempts, home.deadline_seconds),
        home.outage_seconds,
        behaviour=model.behaviour,
        verdict_tokens=entry.sampling.verdict_tokens,
    )
    books = _Books(session, entry.server, asked, keep)

    async def run() -> LaneProgress:
        async with servers.Http() as http:
            parameters = entry.parameters() | model.behaviour.parameters
            replicas = [Replica(each) for each in servers.clients(http, entry, home, token, parameters)]
            return await Lane(plan, replicas, books, len(asked)).run()

    return asyncio.run(run())


class _Books:
    """Where a lane has its questions from, and takes the replies."""

    def __init__(
        self, session: Session, server: str, asked: Sequence[FeedItem], keep: Callable[[Sequence[PinnedReply]], None]
    ) -> None:
        self._session, self._server, self._keep = session, server, keep
        self._left = list(asked)

    def page(self) -> Sequence[FeedItem]:
        """All at once."""
        page, self._left = self._left, []
        return page

    def store(self, outcomes: Sequence[PromptOutcome]) -> None:
        """Hand replies over."""
        self._keep([
            PinnedReply(
                one.work.item.case_id, one.work.item.sample, one.reply.text if one.reply and one.reply.is_answer else ""
            )
            for one in outcomes
        ])

    def beat(self, now: LaneProgress) -> int:
        """How many lanes ask this server now, this one with them."""
        alive = lane.c.beat_at > func.clock_timestamp() - text(f"interval '{ALIVE_SECONDS:g} seconds'")
        others = select(func.count()).where(lane.c.server == self._server, lane.c.state == "asking", alive)
        found = 1 + (self._session.scalar(others) or 0)
        self._session.commit()
        return found

    def changed(self, cause: IdentityChanged) -> None:
        """Its replies are not kept; the run says why it ends."""
