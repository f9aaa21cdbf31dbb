"""What a model thinks before it answers, and how that stands in its text."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.draws import share
from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.tokens import pieces

_MUSINGS = (
    "Yes, at first sight this looks so.",
    "Hmm, wait.",
    "What I recall of the dates says otherwise.",
    "So the answer is no?",
    "No. Or yes after all: I may be mixing up two people.",
    "I don't know this for certain yet.",
    "Let me go through it once more, step by step.",
)
"""Whoever takes a thought for the answer reads every verdict in it, whatever the answer is."""

_LENGTHS = tuple(len(pieces(f" {musing}")) for musing in _MUSINGS)


class ThoughtfulText(NamedTuple):
    """What a model generates."""

    thought: str
    """Before its answer, marks included where they stand in the text; empty where it did not think."""
    answer: str
    apart: bool = False
    """The thought is held apart from the text."""


class _Glue(NamedTuple):
    """What stands between the marks of a format, its thought and the answer."""

    opens: str = "\n"
    closes: str = "\n"
    answers: str = "\n\n"


_GLUE: Mapping[str, _Glue] = {
    "harmony": _Glue("", "<|end|><|start|>assistant", ""),
    "harmony, stripped": _Glue("", "", ""),
    "bracket": _Glue("", "", ""),
    "channel": _Glue("\n", "", ""),
    "medgemma": _Glue("\n", "", ""),
    "command": _Glue("", "", ""),
    "granite": _Glue(" ", "\n\n", " "),
}
"""By the format's name, where it is not as in `_Glue()`."""


def said(manner: ServerManner, asked: str, answer: str, quiet: bool) -> ThoughtfulText:
    """A model's answer with the thought before it.

    Args:
        manner: how it thinks.
        asked: the prompt or conversation.
        answer: what it says.
        quiet: it was told not to think.
    """
    prompt = conversation.key(asked)
    if quiet or not manner.thinks_about(prompt):
        return ThoughtfulText("", answer)
    thought = musing(prompt, manner.thought_tokens)
    form = manner.format
    if form is None:
        return ThoughtfulText(thought, answer, apart=True)
    glue = _GLUE.get(form.name, _Glue())
    start = "" if manner.opened else form.start + glue.opens
    opens, closes = form.answer if manner.wrapped else ("", "")
    return ThoughtfulText(f"{start}{thought}{glue.closes}{form.end}{glue.answers}", f"{opens}{answer}{closes}")


def musing(prompt: str, tokens: int) -> str:
    """A thought of at least so many tokens, by less than a sentence more; where it begins depends on the prompt."""
    first = int(share("musing", prompt) * len(_MUSINGS))
    written: list[str] = []
    for number in count(first):
        if tokens <= 0:
            break
        place = number % len(_MUSINGS)
        written.append(_MUSINGS[place])
        tokens -= _LENGTHS[place]
    return " ".join(written)


def without_words(asked: str, words: Sequence[str]) -> tuple[str, bool]:
    """What is asked without the word behind it that switches thoughts off, and whether there was one.

    Args:
        asked: a prompt, or a conversation in canonical JSON.
        words: like /no_think.
    """
    messages = conversation.parse(asked)
    last = asked if messages is None else str(messages[-1]["content"]) if messages else ""
    word = next((word for word in words if last.rstrip().endswith(word)), "")
    if not word:
        return asked, False
    kept = last.rstrip().removesuffix(word).rstrip()
    if messages is None:
        return kept, True
    return conversation.canonical([*messages[:-1], {**messages[-1], "content": kept}]), True
