"""Conversations as text: one canonical form that benchmark, querying room and simulated server agree on.

A chat prompt is the canonical JSON of a list of `{"role", "content"}`; `content: null` in an assistant's turn means
that the model itself gives it. So a conversation that a server receives is looked up with the assistant's words reset
to null.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]


def canonical(messages: Sequence[Message]) -> str:
    """The conversation in canonical JSON, word for word; the form in which a chat request's prompt is handed on."""
    kept = [{"role": each["role"], "content": each["content"]} for each in messages]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def parse(prompt: str) -> list[dict[str, Any]] | None:
    """The conversation behind a prompt, or None where the prompt is plain text."""
    if not prompt.startswith('[{"role":'):
        return None
    try:
        messages = json.loads(prompt)
    except ValueError:
        return None
    fits = isinstance(messages, list) and all(
        isinstance(each, dict) and set(each) == {"role", "content"} for each in messages
    )
    return messages if fits else None


def key(prompt: str) -> str:
    """What was asked, whatever the model itself said before.

    Of a conversation that is a single user message: its text. Of a longer one: its canonical JSON with all
    assistants' words put back to null. Of plain text: the text.
    """
    messages = parse(prompt)
    if messages is None:
        return prompt
    if len(messages) == 1 and messages[0]["role"] == "user" and isinstance(messages[0]["content"], str):
        return str(messages[0]["content"])
    return canonical([{**each, "content": None} if each["role"] == "assistant" else each for each in messages])


def digests(prompt: str) -> tuple[str, ...]:
    """The sha256 under which a benchmark may hold this prompt.

    Of a conversation: as it stands, with all assistants' words put back to null, and its only message's text.
    """
    forms = dict.fromkeys((prompt, key(prompt)))
    return tuple(hashlib.sha256(form.encode("utf-8", "surrogatepass")).hexdigest() for form in forms)
