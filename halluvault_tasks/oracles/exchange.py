"""What was said to a model and what it said, as far as the reader needs it: text, verdict turn, copied words.

A prompt's last turn may ask for nothing but a form (`"guide": "verdict"`, `"guide": "conduct"`). The model's turn
before it is then the text that argues, and the reply stored as the response is the verdict, or what it did.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple


class Exchange(NamedTuple):
    """A response and what led to it.

    Attributes:
        text: what argues.
        verdict: the reply to a turn that asks for the verdict alone; None: `text` itself answers.
        prompt: what the model may have copied: the prompts without question and evidence.
    """

    text: str
    verdict: str | None
    prompt: str


def of(row: Any, known: Iterable[str]) -> Exchange:
    """The exchange of a row with `text`, `transcript` and `prompt`.

    Args:
        row: of a response; `prompt` as stored (plain text, or messages as JSON where there is a transcript), or None.
        known: question and sentences of the evidence: who says them says something.
    """
    text, prompt = row.text or "", row.prompt or ""
    verdict = None
    if row.transcript:
        asked = [turn for turn in json.loads(prompt or "[]") if turn["role"] == "user"]
        prompt = "\n".join(turn["content"] for turn in asked)
        said = [turn["content"] for turn in row.transcript if turn["role"] == "assistant"]
        if asked and asked[-1].get("guide", "free") != "free" and len(said) > 1:
            text, verdict = said[-2], text
    for one in known:
        prompt = prompt.replace(one, " ")
    return Exchange(text, verdict, prompt)
