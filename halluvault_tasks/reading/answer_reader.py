"""The answer, the conclusions and the steps of responses; claims are `syntax.reader`'s business."""

from collections.abc import Sequence

from halluvault_tasks.reading import steps, verdict_turn
from halluvault_tasks.reading.base import Conclusion, ReaderInput, Reading
from halluvault_tasks.reading.conclusions.sentences import ResponseSentence, Sign
from halluvault_tasks.reading.conclusions.signs import signs
from halluvault_tasks.reading.conclusions.standing import standing_answer, sure
from halluvault_tasks.reading.document import DocumentParser, ResponseDocument
from halluvault_tasks.reading.parser import Parser
from halluvault_tasks.reading.propositions.proposition import UnderstoodQuestion, understood
from halluvault_tasks.reading.questions import framed

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

    def _read(self, given: ReaderInput, document: ResponseDocument) -> Reading:
        asked = self._asked[given.question, given.topic]
        said = [ResponseSentence(one.heard, one.parse) for one in document.sentences if not one.heard.copied]
        found = signs(said, asked)
        standing = standing_answer(said, found, asked)
        stands = [sign for sign in found if sign.sentence >= standing.since]
        answer = standing.answer if given.verdict is None else verdict_turn.read(given.verdict)
        return Reading(answer, (), steps.read(said, stands), document.unread, _conclusions(said, stands), document)


def _conclusions(text: Sequence[ResponseSentence], found: Sequence[Sign]) -> tuple[Conclusion, ...]:
    concluding = [sign for sign in found if sign.how in _CONCLUDES and sign.kind in ("yes", "no")]
    return tuple(
        Conclusion(sign.span, "yes" if sign.kind == "yes" else "no", sign.plain) for sign in sure(text, concluding)
    )
