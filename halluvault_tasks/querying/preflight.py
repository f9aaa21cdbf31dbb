"""Failures that can be known before anything is asked: limits that no prompt fits, parameters that a server ignores."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import conversation, servers
from halluvault_tasks.querying.registry import Model, ModelServer
from halluvault_tasks.querying.replies import ChatMessage, Failure
from halluvault_tasks.querying.retry_policy import A_MOMENT, patiently

_RESERVED_AT_ONCE = 1024
"""TGI, which alone states a limit of the prompt, checks at most this many new tokens; a longer answer is continued."""


_TOKENS_A_WORD = 0.8
_FEWEST_WORDS = 50
_LONG_WORDS = 3000
"""More than a context of 2,048 tokens holds, the size that servers are known to fill silently."""
_WORDS = ("table", "river", "green", "seven", "cloud", "paper", "music", "stone", "bread", "horse", "north", "glass")
"""Each one token, in an order for which no tokenizer has a token of several."""
_SHORT_TOKENS = 16


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
    budget, total = entry.thinking.budget, found.limits.max_total_tokens
    if budget is not None and total is not None and budget + entry.sampling.max_new_tokens >= total:
        raise UserError(
            f"{entry.name}: thinking.budget is {budget} beside {entry.sampling.max_new_tokens} max_new_tokens, but the "
            f"server allows {total} tokens in all, prompt included",
            "lower them, or raise the server's context (vLLM: --max-model-len, TGI: --max-total-tokens)",
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
    home: ModelServer,
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
    wanted = entry.sampling.max_new_tokens + (entry.thinking.budget or 0)
    if most_input is not None:
        wanted = min(wanted, _RESERVED_AT_ONCE)
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


def looks_truncated(sent: str, prompt_tokens: int | None) -> bool:
    """Whether a server read less than it was sent, by its own count of the prompt's tokens.

    A token of BPE or SentencePiece spans no blank, so a text has at least as many as words. Superword tokenizers span
    them: SuperBPE takes up to a third fewer than BPE, which takes 1.3 for a word of English (Liu et al., 2025); that
    is 0.87, and 0.8 leaves a margin. A text of few words may be one idiom, so nothing is said of it.

    Args:
        sent: all that was sent: a prompt, or the contents of a conversation's messages.
        prompt_tokens: `Reply.prompt_tokens`; None, or 0: the server does not count.
    """
    words = len(sent.split())
    return words >= _FEWEST_WORDS and 0 < (prompt_tokens or 0) < _TOKENS_A_WORD * words


async def cuts_prompts(
    http: servers.Http, entry: Model, home: ModelServer, found: servers.Identified, parameters: Mapping[str, Any]
) -> str:
    """Whether a replica reads less than a long prompt, by its own count.

    Args:
        http: of the process.
        entry: the model.
        home: its server.
        found: who the replicas say they are.
        parameters: of its evaluations.

    Returns:
        A warning; empty where none cuts it, or none would say so.
    """
    total = found.limits.max_input_tokens or found.limits.max_total_tokens
    words = _LONG_WORDS if total is None else min(_LONG_WORDS, total // 2)
    prompt = f"{' '.join(Random(0).choices(_WORDS, k=words))}. Which of these words is the last one?"
    asked = dict(parameters) | {"max_new_tokens": _SHORT_TOKENS}
    asked["thinking"] = {name: value for name, value in asked.get("thinking", {}).items() if name != "budget"}
    cut = []
    for replica in servers.clients(http, entry, home, parameters=asked):
        try:
            reply = await patiently(partial(replica.complete, prompt), A_MOMENT, Random())
        except Failure:
            continue  # who refuses it for its length cuts none
        if looks_truncated(prompt, reply.prompt_tokens):
            cut.append(f"{replica.base_url} counted {reply.prompt_tokens} tokens in {len(prompt.split())} words")
    if not cut:
        return ""
    return (
        f"{entry.name}: prompts seem to be cut: {'; '.join(cut)}; raise the server's context (Ollama: num_ctx), unless "
        "it counts only what it had not read before"
    )


def _read(text: str, chat: bool) -> str | list[ChatMessage]:
    """A prompt as it is counted: plain text, or a conversation with the model's own turns empty."""
    if not chat:
        return text
    # Only the roles that are there matter: every turn is a message of the template.
    return [{"role": turn.role, "content": turn.content or ""} for turn in conversation.turns_of(text)]  # type: ignore[typeddict-item]
