"""A few prompts to a registered model outside of any evaluation; nothing is stored here."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from halluvault_tasks.querying import servers
from halluvault_tasks.querying.registry import Registry, load_models
from halluvault_tasks.querying.replies import Failure, Grammar
from halluvault_tasks.querying.retries import Policy, patiently

_log = logging.getLogger(__name__)


def asker(models_file: Path, environ: Mapping[str, str]) -> Callable[[str, Sequence[str]], list[str | None]]:
    """`ask` for whoever knows no registry: it is read when something is asked, and not before."""
    return lambda model, prompts: ask(load_models(models_file, environ), model, prompts)


def ask(
    registry: Registry,
    model: str,
    prompts: Sequence[str],
    schema: Mapping[str, Any] | None = None,
    token: servers.TokenOf = servers.token_of,
) -> list[str | None]:
    """Each prompt by the model's route, with its registered sampling, as many at a time as its server allows.

    Args:
        registry: where the model is registered.
        model: its name.
        prompts: what is asked, each on its own.
        schema: JSON schema that every reply must follow.
        token: finds the key of its server.

    Returns:
        The replies in order; None where the server gave none in the end (the reason is logged).

    Raises:
        UserError: no such model, or its key is missing.
    """
    return asyncio.run(_ask(registry, model, prompts, schema, token))


async def _ask(
    registry: Registry, model: str, prompts: Sequence[str], schema: Mapping[str, Any] | None, token: servers.TokenOf
) -> list[str | None]:
    entry = registry.model(model)
    home = registry.server(entry.server)
    room = asyncio.Semaphore(home.in_flight)
    policy, random = Policy(home.attempts, home.deadline_seconds), Random(0)
    grammar = None if schema is None else Grammar("json", schema)
    async with servers.Http() as http:
        replicas = cycle(servers.clients(http, entry, home, token))

        async def once(prompt: str) -> str:
            async with room:
                return (await next(replicas).complete(prompt, grammar)).text

        async def one(prompt: str) -> str | None:
            try:
                return await patiently(partial(once, prompt), policy, random)
            except Failure as failure:
                _log.warning("%s gave no reply: %s", model, failure.reason)
                return None

        return list(await asyncio.gather(*(one(prompt) for prompt in prompts)))
