"""The answer, the conclusions and the steps of responses, by dependency parse; claims are other readers' business."""

from collections.abc import Sequence

from halluvault_tasks.reading import answers, echoes, steps, verdict_turn
from halluvault_tasks.reading.base import Conclusion, ReaderInput, Reading
from halluvault_tasks.reading.parser import Parser
from halluvault_tasks.reading.propositions import UnderstoodQuestion, asked
from halluvault_tasks.reading.said import ResponseSentence, Sign, is_read
from halluvault_tasks.reading.signs import signs
from halluvault_tasks.reading.text import cut

_CONCLUDES = ("leading", "labelled", "verdict", "restated")


class AnswerReader:
    """Reads answers; one for all responses of a process.

    Args:
        parser: what it makes of sentences is part of every verdict.
    """

    name = "answer"

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._asked: dict[str, UnderstoodQuestion] = {}

    def read(self, batch: Sequence[ReaderInput]) -> list[Reading]:
        """A reading of each response, in their order, without claims."""
        fresh = list(dict.fromkeys(one.question for one in batch if one.question not in self._asked))
        self._asked |= zip(fresh, asked(fresh, self._parser), strict=True)
        heard = [
            echoes.hear(cut(one.text), one.question, self._asked[one.question].statement, one.prompt) for one in batch
        ]
        wanted = list(dict.fromkeys(one.sentence.text for each in heard for one in each if is_read(one.sentence)))
        parses = dict(zip(wanted, self._parser.parse(wanted), strict=True))
        said = [[ResponseSentence(one, parses.get(one.sentence.text, ())) for one in each] for each in heard]
        return [self._read(given, each) for given, each in zip(batch, said, strict=True)]

    def _read(self, given: ReaderInput, said: Sequence[ResponseSentence]) -> Reading:
        asked = self._asked[given.question]
        found = signs(said, asked)
        read = answers.read(said, found, asked)
        stands = [sign for sign in found if sign.sentence >= read.since]
        answer = read.answer if given.verdict is None else verdict_turn.read(given.verdict)
        return Reading(answer, (), steps.read(said, stands), cut(given.text).unread, _conclusions(said, stands))


def _conclusions(text: Sequence[ResponseSentence], found: Sequence[Sign]) -> tuple[Conclusion, ...]:
    concluding = [one for one in found if one.how in _CONCLUDES and one.kind in ("yes", "no")]
    sure = answers.sure(text, concluding)
    return tuple(Conclusion(one.span, "yes" if one.kind == "yes" else "no", one.plain) for one in sure)
