"""From a text to a generated sequence: where it ends, its tokens, and how the imitated server shows them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.tokens import GeneratedToken, end_token, tokens


class DraftSequence(NamedTuple):
    """One generated sequence."""

    text: str
    """All of it, a thought in tags included."""
    tokens: list[GeneratedToken]
    finish_reason: str
    """length, stop_sequence or eos_token; where a `Fate` struck, its own."""
    seed: int | None
    thought: int = 0
    """How many of the tokens, from the first on, are thought."""


class Fate(NamedTuple):
    """What becomes of a sequence that is not simply generated to its end."""

    part: float
    """How much comes of the answer behind the thought."""
    finish_reason: str


def cut(parts: Sequence[str], allowed: int, stops: Sequence[str], seed: int | None, salt: str) -> DraftSequence:
    """End a text where TGI would: length is tested before end-of-sequence and stop; the stop text stays.

    Args:
        parts: a thought, which may be empty, and what comes behind it.
        allowed: tokens.
        stops: texts that end it.
        seed: of the sampling, to be shown.
        salt: what log probabilities depend on.
    """
    drawn: list[GeneratedToken] = []
    thought = 0
    for part in parts:
        thought = len(drawn)
        drawn += tokens(part, salt)
    if stops:
        written = ""
        for position, token in enumerate(drawn[:allowed], 1):
            written += token.text
            if position < allowed and any(stop and stop in written[-len(stop) - len(token.text) :] for stop in stops):
                return DraftSequence(written, drawn[:position], "stop_sequence", seed, min(thought, position))
    if len(drawn) >= allowed:
        del drawn[allowed:]
        return DraftSequence("".join(token.text for token in drawn), drawn, "length", seed, min(thought, allowed))
    drawn.append(end_token())
    return DraftSequence("".join(parts), drawn, "length" if len(drawn) >= allowed else "eos_token", seed, thought)


def fated(draft: DraftSequence, fate: Fate) -> DraftSequence:
    """A sequence as its fate leaves it: the thought, and a part of the answer."""
    told = [token for token in draft.tokens if not token.special]
    kept = told[: draft.thought + int((len(told) - draft.thought) * fate.part)]
    # Somewhere a token comes, if only the one that ends the sequence.
    return draft._replace(
        text="".join(token.text for token in kept), tokens=[*kept, end_token()], finish_reason=fate.finish_reason
    )


def details(draft: DraftSequence) -> dict[str, Any]:
    """TGI's `details` of one sequence; what it would leave out is left out."""
    return {
        "finish_reason": draft.finish_reason,
        "generated_tokens": len(draft.tokens),
        "seed": draft.seed,
        "prefill": [],
        "tokens": [token.shown() for token in draft.tokens],
    }
