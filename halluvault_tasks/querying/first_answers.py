"""The first answers of a run: a model of which nothing can be read is stopped before a month is spent on it.

A wrong template, thoughts in marks that nobody knows, or a budget that never suffices make every answer unreadable.
What can be read is decided above this room (`reading`), so whoever starts a lane passes it in.
"""

import asyncio
from collections.abc import Callable, Sequence

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.replies import Finish, Reply
from halluvault_tasks.untrusted import visible

Readable = Callable[[Sequence[str]], bool]
"""Whether anything can be read in any of these answers, each without its thought."""

ENOUGH, FEWEST = 50, 20
"""Answers that are looked at; and at the end of a shorter run at least so many, as fewer may be chance."""

_SHOWN, _LINE = 3, 160


def any_text(texts: Sequence[str]) -> bool:
    """The least that can be asked of answers in free words."""
    return any(text.strip() for text in texts)


class Unreadable(UserError):
    """Nothing can be read in the first answers of a run; they are stored."""


class FirstAnswers:
    """The first replies of a lane that its API did not refuse.

    Args:
        model: registry name.
        readable: whether anything can be read in them.
    """

    def __init__(self, model: str, readable: Readable) -> None:
        self._model = model
        self._readable = readable
        self._replies: list[Reply] = []
        self._looked_at = False

    def take(self, reply: Reply | None) -> bool:
        """Take what a prompt was settled with, None for a dead letter; returns whether it was the last one needed."""
        if self._looked_at or len(self._replies) == ENOUGH or reply is None or reply.finish is Finish.REFUSED:
            return False
        self._replies.append(reply._replace(thought=None))
        return len(self._replies) == ENOUGH

    async def look(self, *, at_the_end: bool = False) -> None:
        """Look at them once there are enough; at the end of a run, if there are not too few.

        Raises:
            Unreadable: nothing can be read in any of them.
        """
        if self._looked_at or len(self._replies) < (FEWEST if at_the_end else ENOUGH):
            return
        self._looked_at = True
        # A parser may have to be loaded for it.
        if await asyncio.to_thread(self._readable, [reply.text for reply in self._replies]):
            self._replies.clear()
            return
        told = "; ".join(_line(reply) for reply in self._replies[:_SHOWN])
        raise Unreadable(
            f"{self._model}: nothing can be read in its first {len(self._replies)} answers, such as {told}",
            f"`halluvault models check --model {self._model}` shows what is wrong: thoughts in marks that nobody knows "
            "(`thinking: {start: …, end: …}` in models.yaml), too few tokens to think (`thinking: {budget: …}`), or "
            "the wrong `route`; then run the same command again",
        )


def _line(reply: Reply) -> str:
    words = visible(" ".join(reply.text.split()))
    if not words:
        return f"(nothing, finish_reason {visible(reply.finish_reason)})"
    return f"“{words}”" if len(words) <= _LINE else f"“{words[:_LINE]} …”"
