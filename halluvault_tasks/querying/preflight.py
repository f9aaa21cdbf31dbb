"""Failures that can be known before anything is asked: limits that no prompt fits, parameters that a server ignores."""

from functools import partial
from random import Random
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import conversation, servers
from halluvault_tasks.querying.registry import Model, Server
from halluvault_tasks.querying.replies import Failure, Message
from halluvault_tasks.querying.retry_policy import A_MOMENT, patiently

_RESERVED_AT_ONCE = 1024
"""TGI checks at most this many new tokens in advance; a longer answer is continued."""


class Extremes(NamedTuple):
    """The shortest and the longest prompt of a benchmark in one variant, by characters."""

    shortest: str
    longest: str
    longest_case: str
    chat: bool


def variant_fits(entry: Model, chat: bool) -> None:
    """Raise where a prompt variant cannot go by a model's route.

    Args:
        entry: the model.
        chat: whether the variant's prompts are conversations.

    Raises:
        UserError: a conversation needs the route chat.
    """
    if chat and entry.route == "completions":
        raise UserError(
            f"{entry.name}: route is completions, which takes no conversation; this prompt variant needs chat",
            "ask a plain variant, or set `route: chat` if the model was made for conversations",
        )


def parameters_fit(entry: Model, found: servers.Identified) -> None:
    """Raise if the registry asks for more than this server supports.

    Raises:
        UserError: names the parameter, what the server takes, and the way out.
    """
    most = found.limits.max_stop_sequences
    if most is not None and len(entry.sampling.stop) > most:
        raise UserError(
            f"{entry.name}: sampling.stop has {len(entry.sampling.stop)} sequences, but the server takes {most} "
            "(max_stop_sequences)",
            "remove some, or raise the server's --max-stop-sequences where it has one",
        )
    reads = found.limits.reads
    if reads and (ignored := sorted(set(entry.sampling.extra) - reads.fields)):
        raise UserError(
            f"{entry.name}: sampling.extra has {ignored[0]!r}, which {reads.route} silently ignores; it reads: "
            f"{', '.join(sorted(reads.fields))}",
            "remove it; a base model's raw prompts can take it with `dialect: tgi` and `route: completions`",
        )


async def lengths_fit(
    http: servers.Http,
    entry: Model,
    home: Server,
    found: servers.Identified,
    prompts: Extremes,
    token: servers.TokenOf,
) -> str:
    """Whether the prompts fit the server's limits, as far as it states them and counts tokens.

    Counted is what the model reads: on the route chat, the text in the template. Of a conversation the turns that the
    model is to give itself count as nothing, so what is found too long is so whatever it says.

    Returns:
        A warning that names the longest prompt, where it is too long; else an empty string.

    Raises:
        UserError: not even the shortest prompt fits.
    """
    most_input, most_total = found.limits.max_input_tokens, found.limits.max_total_tokens
    wanted = min(entry.sampling.max_new_tokens, _RESERVED_AT_ONCE)
    if most_total is not None and wanted >= most_total:
        raise UserError(
            f"{entry.name}: max_new_tokens is {entry.sampling.max_new_tokens}, but the server allows {most_total} "
            "tokens in all, prompt included",
            "lower sampling.max_new_tokens, or raise the server's --max-total-tokens",
        )
    bounds = [bound for bound in (most_input, None if most_total is None else most_total - wanted) if bound is not None]
    if not bounds or entry.sampling.truncate is not None:
        return ""
    asked = servers.clients(http, entry, home, token)[0]

    async def tokens(text: str) -> int | None:
        try:
            return await patiently(partial(asked.count_tokens, _read(text, prompts.chat)), A_MOMENT, Random())
        except Failure:
            return None

    longest = await tokens(prompts.longest)
    if longest is None or longest <= min(bounds):
        return ""
    shortest = await tokens(prompts.shortest)
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


def _read(text: str, chat: bool) -> str | list[Message]:
    """A prompt as it is counted: plain text, or a conversation with the model's own turns empty."""
    if not chat:
        return text
    # Only the roles that are there matter: every turn is a message of the template.
    return [{"role": turn.role, "content": turn.content or ""} for turn in conversation.turns_of(text)]  # type: ignore[typeddict-item]
