"""Model servers as the registry names them: their clients, and who they say they are."""

import asyncio
import os
from collections.abc import Sequence

import aiohttp

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying.client import Failure, ServerInfo, TgiClient
from halluvault_tasks.querying.registry import Model, Registry, Server


async def identify(entry: Model, home: Server) -> ServerInfo:
    """Ask all replicas of a model who they are.

    Raises:
        Unavailable: a replica does not answer `/info`.
        UserError: two replicas differ in what they serve.
    """
    async with http() as session:
        found = []
        for client in clients(session, entry, home):
            try:
                found.append(await client.info())
            except Failure as failure:
                raise Unavailable(
                    f"{entry.name}: no model server at {client.base_url} ({failure.reason})",
                    "start it, or correct base_urls in models.yaml; `halluvault models check` asks all of them",
                ) from failure
    for url, info in zip(entry.base_urls, found, strict=True):
        if info.identity != found[0].identity:
            raise UserError(
                f"{entry.name}: {url} serves {info.identity}, but {entry.base_urls[0]} serves {found[0].identity}",
                "replicas must serve one and the same model; give the other one an entry of its own",
            )
    limits = [info.max_concurrent_requests for info in found]
    known = [limit for limit in limits if limit is not None]
    return found[0]._replace(max_concurrent_requests=sum(known) if len(known) == len(limits) else None)


async def identify_all(chosen: Sequence[Model], registry: Registry) -> dict[str, ServerInfo]:
    """Ask all models' servers at once; by registry name.

    Raises:
        UserError: names every model whose server did not answer, in one message; `Unavailable` if that is all.
    """
    answers = await asyncio.gather(
        *(identify(entry, registry.server(entry.server)) for entry in chosen), return_exceptions=True
    )
    if faults := [answer for answer in answers if isinstance(answer, BaseException)]:
        told = [fault for fault in faults if isinstance(fault, UserError)]
        if len(told) < len(faults):
            raise next(fault for fault in faults if not isinstance(fault, UserError))
        passing = all(isinstance(fault, Unavailable) for fault in told)
        kind = Unavailable if passing else UserError
        raise kind("; ".join(fault.message for fault in told), told[0].way_out)
    return {entry.name: answer for entry, answer in zip(chosen, answers, strict=True) if isinstance(answer, ServerInfo)}


def http() -> aiohttp.ClientSession:
    """A session for all clients of a process; the caller closes it."""
    # A dead keep-alive connection of a restarted server costs one retry; no limit, since lanes bound themselves.
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))


def clients(http: aiohttp.ClientSession, entry: Model, home: Server) -> list[TgiClient]:
    """One client per replica of a model.

    Raises:
        UserError: the model names a token variable that is empty.
    """
    token = os.environ.get(entry.token_env, "") if entry.token_env else ""
    if entry.token_env and not token:
        raise UserError(
            f"{entry.name}: the environment variable {entry.token_env} (token_env) is empty",
            "set it to the server's API key, or remove token_env from models.yaml",
        )
    return [TgiClient(http, url, home.timeout_seconds, token) for url in entry.base_urls]
