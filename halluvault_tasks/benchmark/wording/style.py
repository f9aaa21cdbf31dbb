"""The style of every question: it can be read in one breath (semantics.md §3.7)."""

from collections import Counter
from collections.abc import Iterable

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.sentences import FRAME

MOST_WORDS = 25
"""Words of a question, or of the statement that is to be judged."""

LONG = Hindrance.TOO_LONG(str(MOST_WORDS))


def too_long(text: str) -> bool:
    """Whether a question has more words than one breath carries."""
    return len(text.removeprefix(FRAME).split()) > MOST_WORDS


class Readable:
    """Passes candidates whose wordings all are short enough, and counts the others."""

    def __init__(self) -> None:
        self.dropped: Counter[Unasked] = Counter()

    def keeps(self, one: Candidate) -> bool:
        """Whether every sentence of its wordings may be asked."""
        wordings = [one.wordings, *([one.converse.wordings] if one.converse else [])]
        texts = [text for each in wordings for text in (each.original, each.negated, *(it.text for it in each.more))]
        if any(map(too_long, texts)):
            self.dropped[LONG] += 1
            return False
        return True

    def kept(self, several: Iterable[Candidate]) -> list[Candidate]:
        """Those that pass."""
        return [one for one in several if self.keeps(one)]
