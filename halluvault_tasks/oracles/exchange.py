"""What was said to a model and what it said, as far as the reader needs it: text, verdict turn, copied words.

A prompt's last turn may ask for nothing but a form (`"guide": "verdict"`, `"guide": "conduct"`). The model's turn
before it is then the text that argues, and the reply stored as the response is the verdict, or what it did. Where that
turn asks how sure the answer is (`"guide": "confidence"`), the response answers by the reply before.

Thoughts are no part of it (semantics.md §4.1), and what says nothing is read by nobody (§4.4).
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from halluvault_tasks.querying import thoughts
from halluvault_tasks.querying.replies import Finish, finish_of
from halluvault_tasks.reading.base import Answer, Reading, TextSpan, Unsaid
from halluvault_tasks.reading.markup import plain

COLUMNS = ("case_id", "sample", "text", "transcript", "finish_reason", "thought", "refusal")
"""Columns of `response` that a response is heard from."""


_SHORT = 100
"""Characters beyond which a response is no mere mark."""


class HeardResponse(NamedTuple):
    """A response as it is judged.

    Attributes:
        text: the reply, with empty lines in the place of thoughts; empty where it says nothing that may be read.
        turns: what else the model said before, in order, likewise.
        chat: whether there were turns at all.
        prompt: what was sent, as it is stored; empty where it was not asked for.
        unsaid: why there is nothing to read.
        cut: it ended at its limit of new tokens.
        stated: the reply to a last turn that asks how sure the answer is; `text` is then the reply before it. None: no
            such reply.
    """

    case_id: str
    sample: int
    text: str
    turns: tuple[str, ...] = ()
    chat: bool = False
    prompt: str = ""
    unsaid: Unsaid = ""
    cut: bool = False
    stated: str | None = None

    def settled(self, reading: Reading) -> Reading:
        """A reading of it, with the reason why it gives no verdict, if that is not its words."""
        why: Unsaid = self.unsaid or ("cut_off" if self.cut and reading.answer.kind == "unparseable" else "")
        if not why:
            return reading
        answer = Answer("unparseable", TextSpan(0, 0), why.replace("_", " "), why)
        return reading._replace(answer=answer)


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


def heard(row: Any) -> HeardResponse:
    """A response as it is judged.

    A part of an answer is never one: what its API cut short or refused is not read, whatever came of it.

    Args:
        row: with `COLUMNS` and, where what was copied from it matters, `prompt`.
    """
    # Responses of before 28 November 2026 hold their thoughts.
    answer = thoughts.blanked if row.thought is None else str
    said = [answer(turn["content"]) for turn in row.transcript or () if turn["role"] == "assistant"]
    prompt = getattr(row, "prompt", None) or ""
    text, stated = answer(row.text or ""), None
    unsaid, cut = _unsaid(row, text), finish_of(row.finish_reason or "") is Finish.LENGTH
    if _asks_how_sure(prompt, len(said)):
        # Reason and refusal are those of the last reply.
        *said, text, stated = said
        unsaid, cut = "no_answer" if _is_silent(text) else "", False
        said.append(text)
    return HeardResponse(
        row.case_id, row.sample, "" if unsaid else text, tuple(said[:-1]), bool(row.transcript), prompt, unsaid, cut,
        stated,
    )  # fmt: skip


def _unsaid(row: Any, text: str) -> Unsaid:
    """Why there is nothing to read in a reply."""
    finish = finish_of(row.finish_reason or "")
    if row.refusal is not None or finish is Finish.REFUSED:
        return "api_refusal"
    if _is_silent(text) or (row.finish_reason and finish is None):
        return "cut_off" if finish is Finish.LENGTH else "no_answer"
    return ""


def _asks_how_sure(prompt: str, replies: int) -> bool:
    """Whether the last of so many replies says how sure the answer is."""
    if replies < 2 or '"confidence"' not in prompt:
        return False
    asked = [turn for turn in json.loads(prompt) if turn["role"] == "user"]
    return len(asked) == replies and asked[-1].get("guide") == "confidence"


def _is_silent(text: str) -> bool:
    """Whether nothing is said: blanks, special tokens, empty tags."""
    said = text.strip()
    return not any(map(str.isalnum, plain(said).text if len(said) <= _SHORT else said))


def ended_by(said: HeardResponse, known: Iterable[str]) -> Exchange:
    """The exchange that a response ends.

    Args:
        said: with its prompt: plain text, or messages as JSON where there are turns before it.
        known: question and sentences of the evidence: who says them says something.
    """
    text, prompt, verdict = said.text, said.prompt, None
    if said.chat:
        asked = [turn for turn in json.loads(prompt or "[]") if turn["role"] == "user"]
        prompt = "\n".join(turn["content"] for turn in asked)
        if asked and asked[-1].get("guide", "free") != "free" and said.turns:
            text, verdict = "" if said.unsaid else said.turns[-1], text
    for one in known:
        prompt = prompt.replace(one, " ")
    return Exchange(text, verdict, prompt)
