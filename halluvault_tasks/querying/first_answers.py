"""The first answers of a run: a model of which nothing can be read is stopped before a month is spent on it.

A wrong template, thoughts in marks that nobody knows, or a budget that never suffices make every answer unreadable.
What can be read is decided above this room (`reading`), so whoever starts a lane passes it in.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.replies import Finish, Reply
from halluvault_tasks.untrusted import visible


class FirstAnswer(NamedTuple):
    """An answer to a case."""

    case_id: str
    text: str
    """Without its thought."""
    finish_reason: str = ""


Readable = Callable[[Sequence[FirstAnswer]], bool]
"""Whether anything can be read in any of these answers."""

ENOUGH = 50
"""Answers that are looked at."""
FEWEST = 20
"""At the end of a shorter run at least so many are looked at, as fewer may be chance."""

_SHOWN, _LINE = 3, 160


def any_text(answers: Sequence[FirstAnswer]) -> bool:
    """The least that can be asked of answers in free words."""
    return any(one.text.strip() for one in answers)


class Unreadable(UserError):
    """Nothing can be read in the first answers of a run; they are stored."""


class FirstAnswers:
    """The first replies of a lane that its API did not refuse.

    Args:
        model: registry name.
        readable: whether anything can be read in them.
        in_thread: calls it beside the lane's requests: it may read from the database, and load a parser.
    """

    def __init__(
        self,
        model: str,
        readable: Readable,
        in_thread: Callable[[Readable, Sequence[FirstAnswer]], Awaitable[bool]],
    ) -> None:
        self._model = model
        self._readable = readable
        self._in_thread = in_thread
        self._answers: list[FirstAnswer] = []
        self._looked_at = False

    def take(self, case_id: str, reply: Reply | None) -> bool:
        """Take what a case was settled with, None for a dead letter; returns whether it was the last one needed."""
        if self._looked_at or len(self._answers) == ENOUGH or reply is None or reply.finish is Finish.REFUSED:
            return False
        self._answers.append(FirstAnswer(case_id, reply.text, reply.finish_reason))
        return len(self._answers) == ENOUGH

    async def look(self, *, at_the_end: bool = False) -> None:
        """Look at them once there are enough; at the end of a run, if there are not too few.

        Raises:
            Unreadable: nothing can be read in any of them.
        """
        if self._looked_at or len(self._answers) < (FEWEST if at_the_end else ENOUGH):
            return
        self._looked_at = True
        if await self._in_thread(self._readable, self._answers):
            self._answers.clear()
            return
        told = "; ".join(map(_line, self._answers[:_SHOWN]))
        raise Unreadable(
            f"{self._model}: nothing can be read in its first {len(self._answers)} answers, such as {told}",
            f"`halluvault models check --model {self._model}` shows what is wrong: thoughts in marks that nobody knows "
            "(`thinking: {start: …, end: …}` in models.yaml), too few tokens to think (`thinking: {budget: …}`), or "
            "the wrong `route`; then run the same command again",
        )


def _line(answer: FirstAnswer) -> str:
    words = visible(" ".join(answer.text.split()))
    if not words:
        return f"(nothing, finish_reason {visible(answer.finish_reason)})"
    return f"“{words}”" if len(words) <= _LINE else f"“{words[:_LINE]} …”"
