"""From a text to a generated sequence: where it ends, its tokens, and how the imitated server shows them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.tokens import Token, end_token, tokens


class Draft(NamedTuple):
    """One generated sequence."""

    text: str
    tokens: list[Token]
    finish_reason: str
    """length, stop_sequence or eos_token."""
    seed: int | None

    @property
    def likelihood(self) -> float:
        """Mean log probability of its tokens."""
        return sum(token.logprob for token in self.tokens) / max(1, len(self.tokens))


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


def prefill(prompt: str) -> list[dict[str, object]]:
    """The prompt's tokens as `decoder_input_details` shows them; nothing precedes the first, so it has no chance."""
    return [
        {"id": token.id, "text": token.text, "logprob": token.logprob if position else None}
        for position, token in enumerate(tokens(prompt))
    ]


def details(draft: Draft, before: Sequence[Mapping[str, object]], top_n: int) -> dict[str, Any]:
    """TGI's `details` of one sequence; what it would leave out is left out.

    Args:
        draft: the sequence.
        before: the prompt's tokens where they were asked for.
        top_n: runners-up per token.
    """
    shown: dict[str, Any] = {
        "finish_reason": draft.finish_reason,
        "generated_tokens": len(draft.tokens),
        "seed": draft.seed,
        "prefill": list(before),
        "tokens": [token.shown() for token in draft.tokens],
    }
    if top_n:
        shown["top_tokens"] = [alternatives(token, top_n) for token in draft.tokens]
    return shown


def alternatives(token: Token, count: int) -> list[dict[str, object]]:
    """The drawn token and made-up runners-up, the most probable first."""
    others = (token._replace(id=token.id + n, logprob=token.logprob - n) for n in range(1, count))
    return [token.shown(), *(other.shown() for other in others)]
