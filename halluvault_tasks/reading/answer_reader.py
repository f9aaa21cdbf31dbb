"""The answer, the conclusions and the steps of responses; claims are `syntax.reader`'s business."""

from collections.abc import Sequence

from halluvault_tasks.reading import answers, steps, verdict_turn
from halluvault_tasks.reading.base import Conclusion, ReaderInput, Reading
from halluvault_tasks.reading.document import Document, DocumentParser
from halluvault_tasks.reading.parser import Parser
from halluvault_tasks.reading.propositions import UnderstoodQuestion, understood
from halluvault_tasks.reading.questions import framed
from halluvault_tasks.reading.said import ResponseSentence, Sign
from halluvault_tasks.reading.signs import signs

_CONCLUDES = ("leading", "labelled", "verdict", "restated")


class AnswerReader:
    """Reads answers; one for all responses of a process.

    Args:
        documents: makes them of responses; a parser alone knows no names.
    """

    name = "answer"

    def __init__(self, documents: DocumentParser | Parser) -> None:
        self._documents = documents if isinstance(documents, DocumentParser) else DocumentParser(documents)
        self._asked: dict[tuple[str, int], UnderstoodQuestion] = {}

    def read(self, batch: Sequence[ReaderInput]) -> list[Reading]:
        """A reading of each response, in their order, without claims."""
        fresh = {key: one for one in batch if (key := (one.question, one.topic)) not in self._asked}
        frames = [framed(one.question) for one in fresh.values()]
        parses = self._documents.written([one.text for one in frames], list(fresh.values()))
        self._asked |= zip(fresh, map(understood, frames, parses), strict=True)
        return [self._read(*one) for one in zip(batch, self._documents.documents(batch), strict=True)]

    def _read(self, given: ReaderInput, document: Document) -> Reading:
        asked = self._asked[given.question, given.topic]
        said = [ResponseSentence(one.heard, one.parse) for one in document.sentences if not one.heard.copied]
        found = signs(said, asked)
        read = answers.read(said, found, asked)
        stands = [sign for sign in found if sign.sentence >= read.since]
        answer = read.answer if given.verdict is None else verdict_turn.read(given.verdict)
        return Reading(answer, (), steps.read(said, stands), document.unread, _conclusions(said, stands), document)


def _conclusions(text: Sequence[ResponseSentence], found: Sequence[Sign]) -> tuple[Conclusion, ...]:
    concluding = [one for one in found if one.how in _CONCLUDES and one.kind in ("yes", "no")]
    sure = answers.sure(text, concluding)
    return tuple(Conclusion(one.span, "yes" if one.kind == "yes" else "no", one.plain) for one in sure)
