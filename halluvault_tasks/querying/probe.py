"""One replica of a model while it is questioned before a run, which also shows what it refuses by name."""

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any, TypeVar

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.barred import not_before, way_out
from halluvault_tasks.querying.dialects.terms import LIMIT
from halluvault_tasks.querying.registry import Model, ModelServer
from halluvault_tasks.querying.replies import ChatTemplate, Client, Failure, Grammar, Reply, UnknownShape
from halluvault_tasks.querying.retry_policy import Policy, patiently

_T = TypeVar("_T")

_LIMITS = (LIMIT, "max_completion_tokens")
"""What the limit of new tokens may be called."""
_DISPENSABLE = ("temperature", "top_p", "seed", "stop", "frequency_penalty", "stream_options")
"""Fields of a request without which it can be asked, if otherwise than models.yaml says."""
_LONGEST_SECONDS = 300.0


class Probe:
    """Questions to one replica, each with all that is known by then.

    Args:
        http: of the process.
        entry: the model, asked with its own sampling parameters by its own route.
        home: its server.
        url: of the replica.
        key: of its server's API; empty for none.

    Attributes:
        thinking: `parameters["thinking"]` from now on.
        sends: parameters without which it would not be greedy.
        omit: fields that are not sent, since the server refuses them.
        limit_field: how the limit of new tokens is called there; empty: as usual.
        replies: to questions without a grammar, since they were last forgotten.
    """

    def __init__(self, http: servers.Http, entry: Model, home: ModelServer, url: str, key: str) -> None:
        self.url = url
        self._http, self._entry, self._home, self._key = http, entry, home, key
        self._given = entry.parameters()
        self.thinking: dict[str, Any] = dict(self._given.get("thinking", {}))
        self.sends: Mapping[str, Any] = {}
        self.omit: list[str] = list(self._given.get("omit", ()))
        self.limit_field: str = self._given.get("limit_field", "")
        self.replies: list[Reply] = []
        self._refused: set[str] = set()
        self._policy = Policy(home.attempts, min(home.deadline_seconds, _LONGEST_SECONDS))

    async def ask(
        self, question: str, tokens: int, *, seed: int | None = None, stop: bool = False, roomy: bool = True
    ) -> Reply:
        """The answer to a question.

        Args:
            question: as one user's turn, or raw, by the model's route.
            tokens: new ones at most, thoughts apart.
            seed: of its sampling.
            stop: end at the stop sequences of models.yaml, as in a run.
            roomy: put the budget for thoughts on top.

        Raises:
            UserError: it cannot be asked; `Unavailable` where it does not answer.
        """
        try:
            reply = await self.tried(question, tokens, seed=seed, stop=stop, roomy=roomy)
        except Failure as failure:
            raise self.fault(failure) from failure
        self.replies.append(reply)
        return reply

    async def tried(
        self,
        question: str,
        tokens: int,
        *,
        grammar: Grammar | None = None,
        seed: int | None = None,
        stop: bool = False,
        roomy: bool = True,
        attempts: int = 0,
    ) -> Reply:
        """The same, under a grammar or in a few attempts, where no answer is one, too.

        Raises:
            Failure: none came.
        """

        def call() -> Awaitable[Reply]:
            return self._client(tokens, seed, stop, roomy).complete(question, grammar)

        return await self._adapting(call, attempts)

    async def template(self) -> ChatTemplate:
        """Whether there is a chat template.

        Raises:
            UserError: it cannot be asked; `Unavailable` where it does not answer.
        """
        try:
            return await self._adapting(lambda: self._client(1, None, False, False).template(), 0)
        except Failure as failure:
            raise self.fault(failure) from failure

    def fault(self, failure: Failure) -> UserError:
        """What people are told of a question that was not answered."""
        if far_off := not_before(self._entry.name, self.url, failure, self._home.outage_seconds):
            return far_off
        lasts = not failure.kind.passes or isinstance(failure, UnknownShape)
        return (UserError if lasts else Unavailable)(
            f"{self._entry.name}: {self.url} does not answer an open question: {failure.reason}",
            way_out(failure) if lasts else "start it, or fix it; `halluvault models check` asks it",
        )

    async def _adapting(self, call: Callable[[], Awaitable[_T]], attempts: int) -> _T:
        """Ask, and again without each field that the server refuses by name; what was no help is not kept."""
        policy = self._policy._replace(attempts=attempts) if attempts else self._policy
        before = list(self.omit), self.limit_field, set(self._refused)
        while True:
            try:
                return await patiently(call, policy, Random(0))
            except Failure as failure:
                if not self._does_without(failure.param):
                    self.omit, self.limit_field, self._refused = before
                    raise

    def _does_without(self, name: str) -> bool:
        """Whether a refused field can be left out, or called otherwise, and was not yet."""
        self._refused.add(name)
        if name == (self.limit_field or LIMIT):
            self.limit_field = next((other for other in _LIMITS if other not in self._refused), "")
            return bool(self.limit_field)
        if name in _DISPENSABLE and name not in self.omit:
            self.omit.append(name)
            return True
        return False

    def _client(self, tokens: int, seed: int | None, stop: bool, roomy: bool) -> Client:
        given = {name: value for name, value in self._given.items() if stop or name != "stop"}
        thoughts = {name: value for name, value in self.thinking.items() if roomy or name != "budget"}
        learnt = {"thinking": thoughts, "omit": self.omit, "limit_field": self.limit_field}
        asked = (
            given | dict(self.sends) | {"max_new_tokens": tokens} | learnt | ({} if seed is None else {"seed": seed})
        )
        told = {name: value for name, value in asked.items() if name not in learnt or value}
        return servers.client(self._http, self._entry, self._home, self.url, told, self._key)
