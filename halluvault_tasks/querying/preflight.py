"""What can be known to fail before anything is asked: limits that no prompt fits, parameters that a route lacks."""

from typing import NamedTuple

import aiohttp

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.dialect_openai import UNSPOKEN
from halluvault_tasks.querying.registry import Model, Server

_RESERVED_AT_ONCE = 1024
"""TGI checks at most so many new tokens in advance; a longer answer is continued."""


class Extremes(NamedTuple):
    """The shortest and the longest prompt of a benchmark in one variant, by characters."""

    shortest: str
    longest: str
    longest_case: str
    chat: bool


def parameters_fit(entry: Model, chat: bool) -> None:
    """Raise where a model's sampling cannot be said on the route its prompts take.

    Raises:
        UserError: names the parameter.
    """
    unspoken = [name for name in UNSPOKEN if getattr(entry.sampling, name) is not None]
    if chat and entry.dialect == "tgi" and unspoken:
        raise UserError(
            f"{entry.name}: sampling.{unspoken[0]} cannot be sent with a chat prompt: TGI's /v1/chat/completions has "
            "no such field",
            "ask a plain variant, or give the model another entry without it",
        )
    if chat and entry.dialect == "openai" and entry.route == "completions":
        raise UserError(
            f"{entry.name}: route is completions, which takes no conversation",
            "ask a plain variant, or set route: chat",
        )


async def lengths_fit(
    http: aiohttp.ClientSession,
    entry: Model,
    home: Server,
    found: servers.Identified,
    prompts: Extremes,
    token: servers.TokenOf,
) -> str:
    """Whether the prompts fit the server's limits, as far as it states them and counts tokens.

    Returns:
        A warning that names the longest prompt, where it is too long; else an empty string.

    Raises:
        UserError: not even the shortest prompt fits.
    """
    _model, _requests, most_input, most_total = found.limits
    wanted = min(entry.sampling.max_new_tokens, _RESERVED_AT_ONCE)
    if most_total is not None and wanted >= most_total:
        raise UserError(
            f"{entry.name}: max_new_tokens is {entry.sampling.max_new_tokens}, but the server allows {most_total} "
            "tokens in all, prompt included",
            "lower sampling.max_new_tokens, or raise the server's --max-total-tokens",
        )
    if prompts.chat or entry.sampling.truncate is not None:
        return ""
    bounds = [bound for bound in (most_input, None if most_total is None else most_total - wanted) if bound is not None]
    if not bounds:
        return ""
    asked = servers.clients(http, entry, home, token)[0]
    longest = await asked.count_tokens(prompts.longest)
    if longest is None or longest <= min(bounds):
        return ""
    shortest = await asked.count_tokens(prompts.shortest)
    room = f"the server takes {min(bounds)} tokens beside {wanted} new ones"
    if shortest is not None and shortest > min(bounds):
        raise UserError(
            f"{entry.name}: no prompt fits: the shortest has {shortest} tokens, {room}",
            "lower sampling.max_new_tokens, or raise the server's limits",
        )
    return (
        f"{entry.name}: prompts are too long: case {prompts.longest_case} has {longest} tokens, {room}; such "
        "cases will be dead-lettered with the server's words"
    )
