"""What the cross-examiner is asked of a statement: whether a text says it; whether it denies it or leaves it open.

Who says yes to everything, or obeys what a text tells its reader, upholds nothing: one of the two answers must be no.
"""

import hashlib
from typing import NamedTuple

from halluvault_tasks.oracles.cross_examination.statements import ExaminedStatement
from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.reading.markup import within_limit

VERSION = "1"
"""Raise it with every change of a question's words, or of how statements are worded."""

_PROMPT = """Somebody answered a question.

Question: {question}
{meant}
Text of the answer:
<<<
{text}
>>>

{asked} It does not matter whether that is true; only the text counts. Answer yes or no."""


class CrossQuestion(NamedTuple):
    """A statement about a text, asked both ways round.

    Attributes:
        question: what the text answers.
        text: what was read.
        statement: what was read in it.
        meant: whom the question calls by something else, as sentences.
    """

    question: str
    text: str
    statement: ExaminedStatement
    meant: tuple[str, ...] = ()

    @property
    def preface(self) -> str:
        """What is said before the text: whom the question means."""
        return f"For reference: {'; '.join(self.meant)}.\n" if self.meant else ""

    @property
    def says(self) -> str:
        """What is to be answered yes."""
        verb = "deny" if self.statement.denied else "say"
        return f"Does the text {verb} that {self.statement.text}?"

    @property
    def otherwise(self) -> str:
        """What is to be answered no."""
        verb = "say" if self.statement.denied else "deny"
        return f"Does the text {verb} that {self.statement.text}, or leave that open?"

    @property
    def prompts(self) -> tuple[str, str]:
        """What is sent, for `says` and for `otherwise`."""
        first, second = (
            _PROMPT.format(question=self.question, meant=self.preface, text=within_limit(self.text), asked=asked)
            for asked in (self.says, self.otherwise)
        )
        return first, second

    @property
    def key(self) -> str:
        """First 16 hex digits of the sha256 of both prompts."""
        return hashlib.sha256("\0".join(self.prompts).encode()).hexdigest()[:16]


def read(reply: str) -> str:
    """A reply, as strictly as a verdict turn is read: yes, no, dont_know, or unparseable."""
    return verdict_turn.read(reply).kind


def upheld(says: str, otherwise: str) -> bool:
    """Whether two replies uphold a statement: by yes and no, and by nothing else."""
    return (read(says), read(otherwise)) == ("yes", "no")
