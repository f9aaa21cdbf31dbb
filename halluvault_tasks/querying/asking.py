"""A few prompts to a registered model outside of any evaluation; nothing is stored here."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from halluvault_tasks.benchmark.wording.generations import AS_REGISTERED, Manner
from halluvault_tasks.querying import conversation, servers
from halluvault_tasks.querying.registry import Registry, SamplingParameters, load_models
from halluvault_tasks.querying.replies import ChatMessage, Failure, Grammar, Reply
from halluvault_tasks.querying.retry_policy import Policy, patiently

_log = logging.getLogger(__name__)


def asker(models_file: Path, environ: Mapping[str, str]) -> Callable[..., list[str | None]]:
    """`ask` for callers that know no registry (`generations.Ask`): it is read only when something is asked."""
    return lambda model, prompts, manner=AS_REGISTERED: ask(
        load_models(models_file, environ), model, prompts, manner=manner
    )


def ask(
    registry: Registry,
    model: str,
    prompts: Sequence[str],
    schema: Mapping[str, Any] | None = None,
    token: servers.TokenOf = servers.token_of,
    manner: Manner = AS_REGISTERED,
) -> list[str | None]:
    """Each prompt by the model's route, with its registered sampling, as many at a time as its server allows.

    Args:
        registry: where the model is registered.
        model: its name.
        prompts: what is asked, each on its own.
        schema: JSON schema that every reply must follow.
        token: finds the key of its server.
        manner: other sampling than the registered one, or conversations, which are asked turn by turn.

    Returns:
        The replies in order; None where the server gave none in the end (the reason is logged).

    Raises:
        UserError: no such model, or its key is missing.
    """
    return asyncio.run(_ask(registry, model, prompts, schema, token, manner))


async def _ask(
    registry: Registry,
    model: str,
    prompts: Sequence[str],
    schema: Mapping[str, Any] | None,
    token: servers.TokenOf,
    manner: Manner,
) -> list[str | None]:
    entry = registry.model(model)
    home = registry.server(entry.server)
    room = asyncio.Semaphore(home.in_flight)
    policy, random = Policy(home.attempts, home.deadline_seconds), Random(0)
    grammar = None if schema is None else Grammar("json", schema)
    if manner.sampling is not None:
        entry = entry.model_copy(update={"sampling": SamplingParameters.model_validate(manner.sampling)})
    async with servers.Http() as http:
        replicas = cycle(servers.clients(http, entry, home, token))

        async def once(prompt: str) -> Reply:
            async with room:
                return await next(replicas).complete(prompt, grammar)

        async def turn(messages: list[ChatMessage]) -> Reply:
            async with room:
                return await next(replicas).chat(messages, grammar)

        async def one(prompt: str) -> str | None:
            turns = conversation.turns_of(prompt) if manner.conversation else ()
            replies: list[Reply] = []
            try:
                while not replies or not conversation.over(turns, replies):
                    call = partial(turn, conversation.messages(turns, replies)) if turns else partial(once, prompt)
                    replies.append(await patiently(call, policy, random))
            except Failure as failure:
                _log.warning("%s gave no reply: %s", model, failure.reason)
                return None
            last = replies[-1]
            if not last.is_answer:
                _log.warning("%s gave no answer: %s", model, last.refusal or f"silent, {last.finish_reason}")
                return None
            return last.text

        return list(await asyncio.gather(*(one(prompt) for prompt in prompts)))
