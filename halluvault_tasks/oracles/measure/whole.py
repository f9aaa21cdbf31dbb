"""Every set of texts read or judged by `replay/syntax`, and what of it is counted: one table (`oracle measure all`)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.measure import answers as of_answers
from halluvault_tasks.oracles.measure import claims as of_claims
from halluvault_tasks.oracles.measure import labelled, readers, responses
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure.answers import AnswerFigures
from halluvault_tasks.oracles.measure.claims import ClaimFigures
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.oracles.measure.labelled import LabelledCase
from halluvault_tasks.oracles.measure.responses import TextVerdict, VerdictFigures
from halluvault_tasks.oracles.measure.texts import SetText, TextSet, TextSets
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.parses import StoredParses
from halluvault_tasks.settings import settings


class ReadOutcome(NamedTuple):
    """How one text or line is read.

    Attributes:
        seen: what is compared: category, answer and row of a verdict; claims; an answer.
        right: how right that is: of a verdict or answer 1 or 0, of claims hits less errors.
    """

    seen: str
    right: int


class WholeMeasure(NamedTuple):
    """The table.

    Attributes:
        skipped: set → why it could not be measured.
        convicted: set → its sound texts that are convicted.
    """

    verdicts: list[VerdictFigures]
    claims: dict[str, ClaimFigures]
    answers: dict[str, AnswerFigures]
    skipped: dict[str, str]
    convicted: dict[str, list[TextVerdict]]


class SetReaders:
    """What reads and judges sets; each reader is made when it is needed, or all of them by `make`.

    Args:
        months: cut → its month.
        cases: cut → the cases that are judged by it.
    """

    def __init__(self, months: Mapping[str, EvidenceMonth], cases: Mapping[str, list[LabelledCase]]) -> None:
        self._months, self._cases = months, cases
        self._scorers: dict[str, Scorer] = {}
        self._claims: of_claims.Read | None = None

    def scorer(self, evidence: str) -> Scorer:
        """The judge of a cut's cases."""
        if evidence not in self._scorers:
            month = self._months[evidence]
            embed = SentenceBert(settings().embedding_model)
            self._scorers[evidence] = Scorer(
                month.session, month.snapshot, embed, wanted=[replay_profile.PROFILE], placed=self._cases[evidence]
            )
        return self._scorers[evidence]

    @property
    def claims(self) -> of_claims.Read:
        """The reader of claims."""
        self._claims = self._claims or readers.claims(settings().config_dir)
        return self._claims

    def make(self) -> None:
        """Make every reader now."""
        for evidence in self._months:
            self.scorer(evidence)
        _ = self.claims

    @contextmanager
    def others(self) -> Iterator[None]:
        """Have other readers in the place of these."""
        kept = self._scorers, self._claims
        self._scorers, self._claims = {}, None
        try:
            yield
        finally:
            self._scorers, self._claims = kept

    def forget(self) -> None:
        """Have the readers forget what they understood of questions."""
        for scorer in self._scorers.values():
            scorer.forget()


class MeasuredSet(ABC):
    """A set with what reads it; its texts or lines have numbers from 0.

    Attributes:
        lines: line of its file of each text, from 1.
    """

    lines: list[int]

    @abstractmethod
    def outcomes(self, numbers: Sequence[int]) -> list[ReadOutcome]:
        """How some are read."""

    def grounds(self, numbers: Sequence[int]) -> list[str]:
        """What the outcomes of some follow from; as much needs no Prolog."""
        return [one.seen for one in self.outcomes(numbers)]


class JudgedSet(MeasuredSet):
    """Texts on cases, which are judged."""

    def __init__(self, texts: Sequence[SetText], evidence: str, by: SetReaders) -> None:
        self.texts, self._evidence, self._by = texts, evidence, by
        self.lines = [one.source for one in texts]

    def thinned(self) -> "JudgedSet":
        """With one case of each wording."""
        first = {one.source: one for one in reversed(self.texts)}
        return JudgedSet([first[source] for source in sorted(first)], self._evidence, self._by)

    def judged(self, numbers: Sequence[int]) -> list[TextVerdict]:
        """The verdicts of some."""
        return readers.judged([self.texts[number] for number in numbers], self._by.scorer(self._evidence))

    def outcomes(self, numbers: Sequence[int]) -> list[ReadOutcome]:
        """How some are judged."""
        return [
            ReadOutcome(f"{one.category} {one.answer} {one.row}", int(one.convicted == one.said.faulty))
            for one in self.judged(numbers)
        ]

    def grounds(self, numbers: Sequence[int]) -> list[str]:
        """What the verdicts of some follow from."""
        items = [self.texts[number].unstored(number) for number in numbers]
        return list(map(repr, self._by.scorer(self._evidence).grounds(items)))


class ClaimSet(MeasuredSet):
    """Sentences whose claims are labelled."""

    def __init__(self, file: Path, by: SetReaders) -> None:
        self._sentences, self._by = readers.labelled_sentences([file], settings().config_dir), by
        self.lines = list(range(1, len(self._sentences) + 1))

    def figures(self) -> ClaimFigures:
        """What is found of the claims."""
        return of_claims.measure(self._sentences, self._by.claims)

    def outcomes(self, numbers: Sequence[int]) -> list[ReadOutcome]:
        """What is read of some, and how many labels that finds, less what is wrong."""
        found = []
        for number in numbers:
            given = list(self._by.claims(self._sentences[number]))
            counted = of_claims.counted(self._sentences[number], given)
            found.append(ReadOutcome(repr(given), counted.found.total() - counted.wrong.total()))
        return found


class AnswerSet(MeasuredSet):
    """Published answers."""

    def __init__(self, file: Path) -> None:
        self._answers = labelled.read([file], labelled.LabelledAnswer)
        self.lines = list(range(1, len(self._answers) + 1))

    def figures(self) -> AnswerFigures:
        """How they are read."""
        return of_answers.measure(self._answers, readers.answers)

    def outcomes(self, numbers: Sequence[int]) -> list[ReadOutcome]:
        """What some are read as, and whether rightly."""
        lines = [self._answers[number] for number in numbers]
        kinds = readers.answers([(line.text, line.question) for line in lines])
        return [
            ReadOutcome(kind, int(of_answers.accepted(line, kind))) for line, kind in zip(lines, kinds, strict=True)
        ]


class Bench:
    """The sets with everything that reading and judging them needs.

    Args:
        folder: `studies/texts`.
        sets: of it.
        months: cut → its month.
        thin: judge one case of each wording.
    """

    def __init__(
        self, folder: Path, sets: TextSets, months: Mapping[str, EvidenceMonth], *, thin: bool = False
    ) -> None:
        cases = {name: of_texts.cases(folder, sets, name) for name in sets.evidence if name in months}
        self.readers = SetReaders(months, cases)
        self.skipped = {one.name: why for one in sets.sets if (why := of_texts.missing(folder, one))}
        self.unplaced: dict[str, int] = {}
        self.sets: dict[str, MeasuredSet] = {}
        for one in sets.sets:
            if one.name not in self.skipped:
                self.sets[one.name] = self._set(one, folder, cases, thin)

    def _set(self, one: TextSet, folder: Path, cases: Mapping[str, list[LabelledCase]], thin: bool) -> MeasuredSet:
        if one.kind == "claims":
            return ClaimSet(folder / one.file, self.readers)
        if one.kind == "answers":
            return AnswerSet(folder / one.file)
        every = of_texts.texts(folder, one)
        placed = of_texts.placed(every, cases[one.evidence])
        self.unplaced[one.name] = len(every) - len(placed)
        found = JudgedSet(placed, one.evidence, self.readers)
        return found.thinned() if thin and one.kind == "wordings" else found


def keep_parses(state: Path) -> None:
    """Have this process take parses from a file of a folder, and keep them there."""
    parser = spacy_parser()
    parser.stored = StoredParses(state, parser.identity)


def measure(made: Bench, tell: Callable[[str], None]) -> WholeMeasure:
    """Read and judge everything, and count.

    Args:
        tell: what is done now.
    """
    found = WholeMeasure([], {}, {}, made.skipped, {})
    for name, one in made.sets.items():
        tell(f"reading {name}, {len(one.lines)} texts")
        match one:
            case JudgedSet():
                judged = one.judged(range(len(one.texts)))
                found.verdicts.append(responses.figures(name, judged, made.unplaced[name]))
                found.convicted[name] = [each for each in judged if each.convicted and responses.is_sound(each.said)]
            case ClaimSet():
                found.claims[name] = one.figures()
            case AnswerSet():
                found.answers[name] = one.figures()
    return found
