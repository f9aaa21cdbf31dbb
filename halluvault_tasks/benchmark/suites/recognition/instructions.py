"""The instructions of HELMA's sampling and filtering (§2.1; tables 2, 3 and 11 to 14), in our words.

An instruction is intention, pattern and demonstration. In one pass all of it is sent at once; in a conversation the
model acknowledges the first two parts before it is given the text. It is asked to change one thing and keep the rest
word by word, which the paper does not ask: only then can we show afterwards what the text claims.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Task
from halluvault_tasks.benchmark.wording.generations import Instruction, Manner

VERSION = 1
"""Of all these texts."""

NOUNS: Mapping[Task, tuple[str, str]] = {
    "qa": ("Question", "answer"),
    "dialogue": ("Dialogue history", "response"),
    "summary": ("Document", "summary"),
}

SAMPLED = Manner({"max_new_tokens": 256, "temperature": 1.0, "do_sample": True})
"""Temperature and top-p of 1, 256 tokens: as published. TGI takes no top-p of 1, and means it by none."""
CONVERSED = SAMPLED._replace(conversation=True)
CHOSEN = Manner({"max_new_tokens": 16})
"""Greedily."""

WRONG = "Wrong"
RIGHT = "Right"

_INTENTION = {
    "qa": "Write a wrong answer to a question. You are given what is known, the question and the right answer. The "
    "wrong answer is to sound plausible.",
    "dialogue": "Write a wrong response in a dialogue. You are given what is known, the dialogue so far and the "
    "right response. The wrong response is to sound plausible.",
    "summary": "Write a wrong summary of a document. You are given the document and the right summary. The wrong "
    "summary is to sound plausible.",
}
_KEEP = (
    "Change as little as you can, keep every other word, make it about as long as the right {noun}, and write nothing "
    "else."
)

_DEMONSTRATED: Mapping[str, tuple[str, str, str, str, str]] = {
    "comprehension": (
        "It misunderstands the question, and answers another one about the same thing.",
        "Ada Brook was born in Leeds. Ada Brook died in Vienna.", "Where was Ada Brook born?", "Leeds", "Vienna",
    ),
    "factualness": (
        "It contradicts what is known.",
        "Ada Brook was born in Leeds.", "Where was Ada Brook born?", "Leeds", "Hamburg",
    ),
    "specificity": (
        "It is too general, or too specific, for what is asked.",
        "Ada Brook was born in Leeds. Leeds lies in the United Kingdom.", "Where was Ada Brook born?", "Leeds",
        "The United Kingdom",
    ),
    "inference": (
        "It does not follow from what is known, though it looks as if it did.",
        "Ada Brook was born in Leeds. Leeds lies in the United Kingdom.",
        "In which country of today does the place lie where Ada Brook was born?", "The United Kingdom", "Ireland",
    ),
    "extrinsic-soft": (
        "It names a thing very much like the true one in its place.",
        "Ada Brook was born in Leeds.", "[Human]: Where was Ada Brook born?", "Ada Brook was born in Leeds.",
        "Ada Brook was born in Bradford.",
    ),
    "extrinsic-hard": (
        "It names a thing of the same type as the true one, but not alike, in its place.",
        "Ada Brook was born in Leeds.", "[Human]: Where was Ada Brook born?", "Ada Brook was born in Leeds.",
        "Ada Brook was born in Nairobi.",
    ),
    "extrinsic-grouped": (
        "It names a thing of another type in the place of the true one.",
        "Ada Brook was born in Leeds.", "[Human]: Where was Ada Brook born?", "Ada Brook was born in Leeds.",
        "Ada Brook was born in Charles Dickens.",
    ),
    "factual": (
        "It tells something true that the document does not hold.",
        "", "Ada Brook was born in Leeds. Ada Brook is a painter.",
        "Ada Brook was born in Leeds. Ada Brook is a painter.",
        "Ada Brook was born in Leeds. Ada Brook died in Vienna.",
    ),
    "non-factual": (
        "It tells something made up that the document does not speak of.",
        "", "Ada Brook is a painter. Ada Brook lived in Vienna.", "Ada Brook is a painter. Ada Brook lived in Vienna.",
        "Ada Brook is a painter. Ada Brook was born in Nairobi.",
    ),
    "intrinsic": (
        "It contradicts the document.",
        "", "Ada Brook was born in Leeds. Ada Brook is a painter.",
        "Ada Brook was born in Leeds. Ada Brook is a painter.",
        "Ada Brook was born in Nairobi. Ada Brook is a painter.",
    ),
}  # fmt: skip
"""Pattern → what it is, and an invented demonstration: known, setting, right, wrong."""


class Seed(NamedTuple):
    """What a model is given to write a false text about; its JSON is the input that generations are kept by."""

    task: Task
    pattern: str
    setting: str
    right: str
    knowledge: str

    def json(self) -> str:
        """As text."""
        return json.dumps(self, ensure_ascii=False)


class Choice(NamedTuple):
    """Two candidates in the order in which they are shown; its JSON is the input that choices are kept by."""

    task: Task
    setting: str
    knowledge: str
    first: str
    second: str

    def json(self) -> str:
        """As text."""
        return json.dumps(self, ensure_ascii=False)


def sampling(task: Task) -> tuple[Instruction, Instruction]:
    """The two channels of a task: in one pass, and in a conversation."""
    return (
        Instruction(f"recognition/{task}/one pass", VERSION, one_pass, manner=SAMPLED),
        Instruction(f"recognition/{task}/conversation", VERSION, conversation, manner=CONVERSED),
    )


def filtering(task: Task) -> Instruction:
    """The choice between two candidates."""
    return Instruction(f"recognition/{task}/filter", VERSION, choice, manner=CHOSEN)


def one_pass(given: str) -> str:
    """Everything at once."""
    seed = Seed(*json.loads(given))
    return "\n\n".join([_intended(seed.task), _shown(seed), _put(seed.task, seed.knowledge, seed.setting, seed.right)])


def conversation(given: str) -> str:
    """Intention, then pattern and demonstration, then the text; as table `prompt` keeps conversations."""
    seed = Seed(*json.loads(given))
    said = [
        f"{_intended(seed.task)}\n\nReply with: understood.",
        f"{_shown(seed)}\n\nReply with: understood.",
        _put(seed.task, seed.knowledge, seed.setting, seed.right),
    ]
    turns: list[dict[str, str | None]] = []
    for text in said:
        turns += [{"role": "assistant", "content": None}] if turns else []
        turns.append({"role": "user", "content": text})
    return json.dumps(turns, ensure_ascii=False, separators=(",", ":"))


def choice(given: str) -> str:
    """Which of two is the better one; a demonstration has the right text and a wrong one, as in the paper."""
    of = Choice(*json.loads(given))
    noun = NOUNS[of.task][1]
    put = partial(_compared, of.task)
    known, setting, right, wrong = _DEMONSTRATED[PATTERNS[of.task][-1]][1:]
    return "\n\n".join([
        f"Of two {_plural(noun)}, choose the one that is better and more likely to be right. If both are wrong, choose "
        "the one that is nearer to the truth. Reply with 1 or 2, and with nothing else.",
        f"{put(known, setting, right, wrong)} 1",
        put(of.knowledge, of.setting, of.first, of.second),
    ])  # fmt: skip


def chosen(reply: str) -> int:
    """1 or 2 where a reply is that number alone; else 0."""
    said = reply.strip().strip("*.\"' ")
    return int(said) if said in ("1", "2") else 0


def _intended(task: Task) -> str:
    return f"{_INTENTION[task]} {_KEEP.replace('{noun}', NOUNS[task][1])}"


def _shown(seed: Seed) -> str:
    what, known, setting, right, wrong = _DEMONSTRATED[seed.pattern]
    return f"How it is wrong: {what} An example:\n\n{_put(seed.task, known, setting, right)} {wrong}"


def _put(task: Task, knowledge: str, setting: str, right: str) -> str:
    above, noun = NOUNS[task]
    known = [f"Known: {knowledge}"] if knowledge else []
    return "\n".join([*known, f"{above}: {setting}", f"{RIGHT} {noun}: {right}", f"{WRONG} {noun}:"])


def _compared(task: Task, knowledge: str, setting: str, first: str, second: str) -> str:
    above, noun = NOUNS[task]
    known = [f"Known: {knowledge}"] if knowledge else []
    lines = [*known, f"{above}: {setting}", f"{noun.capitalize()} 1: {first}", f"{noun.capitalize()} 2: {second}"]
    return "\n".join([*lines, "Better:"])


def _plural(noun: str) -> str:
    return "summaries" if noun == "summary" else f"{noun}s"
