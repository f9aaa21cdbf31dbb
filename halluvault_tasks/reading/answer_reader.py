"""The answer, the conclusions and the steps of responses, by dependency parse; claims are other readers' business."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.reading import answers, echoes, steps, verdict_turn
from halluvault_tasks.reading.base import Conclusion, Given, Reading
from halluvault_tasks.reading.echoes import Heard
from halluvault_tasks.reading.parser import Parse, Parser
from halluvault_tasks.reading.propositions import Asked, asked
from halluvault_tasks.reading.signs import Said, Sign, is_read, signs
from halluvault_tasks.reading.text import Text, cut

_CONCLUDES = ("leading", "labelled", "verdict", "restated")


class _Cut(NamedTuple):
    given: Given
    asked: Asked
    text: Text
    heard: list[Heard]


class AnswerReader:
    """Reads answers; one for all responses of a process.

    Args:
        parser: what it makes of sentences is part of every verdict.
    """

    name = "answer"

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._asked: dict[str, Asked] = {}

    def read(self, batch: Sequence[Given]) -> list[Reading]:
        """A reading of each response, in their order, without claims."""
        fresh = list(dict.fromkeys(one.question for one in batch if one.question not in self._asked))
        self._asked |= zip(fresh, asked(fresh, self._parser), strict=True)
        texts = [self._cut(given) for given in batch]
        wanted = list(dict.fromkeys(one.sentence.text for text in texts for one in text.heard if is_read(one.sentence)))
        parses = dict(zip(wanted, self._parser.parse(wanted), strict=True))
        return [self._read(text, [parses.get(one.sentence.text, ()) for one in text.heard]) for text in texts]

    def _cut(self, given: Given) -> _Cut:
        question, text = self._asked[given.question], cut(given.text)
        return _Cut(given, question, text, echoes.hear(text, given.question, question.statement, given.prompt))

    def _read(self, one: _Cut, parses: Sequence[Parse]) -> Reading:
        said = [Said(heard, parse) for heard, parse in zip(one.heard, parses, strict=True)]
        found = signs(said, one.asked)
        read = answers.read(said, found, one.asked)
        stands = [sign for sign in found if sign.sentence >= read.since]
        answer = read.answer if one.given.verdict is None else verdict_turn.read(one.given.verdict)
        return Reading(answer, (), steps.read(said, stands), one.text.unread, _conclusions(stands))


def _conclusions(found: Sequence[Sign]) -> tuple[Conclusion, ...]:
    return tuple(
        Conclusion(one.span, "yes" if one.kind == "yes" else "no")
        for one in found
        if one.how in _CONCLUDES and one.kind in ("yes", "no")
    )
