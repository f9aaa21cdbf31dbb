"""From a text to a generated sequence: where it ends, its tokens, and how the imitated server shows them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.tokens import Token, end_token, tokens


class Draft(NamedTuple):
    """One generated sequence."""

    text: str
    tokens: list[Token]
    finish_reason: str
    """length, stop_sequence or eos_token."""
    seed: int | None


def cut(text: str, allowed: int, stops: Sequence[str], seed: int | None, salt: str) -> Draft:
    """End a text where TGI would: length is tested before end-of-sequence and stop; the stop text stays."""
    drawn = tokens(text, salt)
    if stops:
        written = ""
        for position, token in enumerate(drawn[:allowed], 1):
            written += token.text
            if position < allowed and any(stop and stop in written[-len(stop) - len(token.text) :] for stop in stops):
                return Draft(written, drawn[:position], "stop_sequence", seed)
    if len(drawn) >= allowed:
        del drawn[allowed:]
        return Draft("".join(token.text for token in drawn), drawn, "length", seed)
    drawn.append(end_token())
    return Draft(text, drawn, "length" if len(drawn) >= allowed else "eos_token", seed)


def details(draft: Draft) -> dict[str, Any]:
    """TGI's `details` of one sequence; what it would leave out is left out."""
    return {
        "finish_reason": draft.finish_reason,
        "generated_tokens": len(draft.tokens),
        "seed": draft.seed,
        "prefill": [],
        "tokens": [token.shown() for token in draft.tokens],
    }
