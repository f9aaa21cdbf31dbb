"""A stored chat prompt, played turn by turn: the assistant's turns are asked for.

It is stored as canonical JSON of a list of `{"role", "content"}`; an assistant's turn with content null is asked for
with the messages before it, and the reply to the last user's turn is the response. `"guide"` on a user's turn says what
form the reply must have; a server is sent only role and content.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.template import GUIDES
from halluvault_tasks.querying.replies import ChatMessage, Reply

_ROLES = ("system", "user", "assistant")
_COUNTS = ("prompt_tokens", "generated_tokens", "queue_ms", "inference_ms", "total_ms", "thought_tokens")
"""Fields of a reply that add up over an exchange."""


class ChatTurn(NamedTuple):
    """One message of a chat prompt.

    Attributes:
        content: None is the model's own to give.
        guide: of a user's turn, how it is to be answered: `benchmark.suites.template.Guide`.
    """

    role: str
    content: str | None
    guide: str = "free"


def turns_of(text: str) -> tuple[ChatTurn, ...]:
    """Read a stored chat prompt.

    Raises:
        ValueError: it is no list of messages that ends with a user's.
    """
    raw = json.loads(text)
    if not isinstance(raw, list) or not raw:
        raise ValueError(f"a chat prompt must be a list of messages, not {text[:80]!r}")
    turns = []
    for entry in raw:
        role, content = (entry.get("role"), entry.get("content")) if isinstance(entry, dict) else (None, None)
        if role not in _ROLES or not (isinstance(content, str) or (content is None and role == "assistant")):
            raise ValueError(f"no message of a chat prompt: {str(entry)[:80]!r}")
        guide = entry.get("guide", "free")
        if guide not in GUIDES or (guide != "free" and role != "user"):
            raise ValueError(f"a user's turn is answered {' or '.join(GUIDES)}, not as in {str(entry)[:80]!r}")
        turns.append(ChatTurn(str(role), content, guide))
    if turns[-1].role != "user":
        raise ValueError(f"a chat prompt must end with a user's message, not with {turns[-1].role!r}")
    return tuple(turns)


def asks(turns: Sequence[ChatTurn]) -> int:
    """How often the model is asked on the way through."""
    return sum(turn.content is None for turn in turns) + 1


def over(turns: Sequence[ChatTurn], replies: Sequence[Reply]) -> bool:
    """Whether nothing more is asked: every turn has its reply, or the last one says nothing to go on from.

    Args:
        turns: of a chat prompt; empty for a plain one, which is asked once.
        replies: at least one.
    """
    return not replies[-1].is_answer or len(replies) >= (asks(turns) if turns else 1)


def messages(turns: Sequence[ChatTurn], replies: Sequence[Reply]) -> list[ChatMessage]:
    """What to send for the next reply: everything before the first turn that no reply fills yet; never a thought."""
    sent: list[ChatMessage] = []
    given = iter(replies)
    for turn in turns:
        content = turn.content
        if content is None:
            reply = next(given, None)
            if reply is None:
                return sent
            content = reply.text
        sent.append({"role": turn.role, "content": content})  # type: ignore[typeddict-item]  # checked in turns_of
    return sent


def guide(turns: Sequence[ChatTurn], given: int) -> str:
    """The form required of the next reply, after this many."""
    asked = [before.guide for before, turn in pairwise(turns) if turn.content is None] + [turns[-1].guide]
    return asked[given]


def transcript(turns: Sequence[ChatTurn], replies: Sequence[Reply]) -> list[ChatMessage]:
    """The whole exchange, the last reply included."""
    return [*messages(turns, replies[:-1]), {"role": "assistant", "content": replies[-1].text}]


def total(replies: Sequence[Reply]) -> Reply:
    """The last reply, with the thoughts, tokens and times of the whole exchange."""
    last = replies[-1]
    if len(replies) == 1:
        return last
    thoughts = [reply.thought for reply in replies if reply.thought]
    counts: dict[str, Any] = {name: _sum([getattr(reply, name) for reply in replies]) for name in _COUNTS}
    return last._replace(thought="\n\n".join(thoughts) or None, **counts)


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
