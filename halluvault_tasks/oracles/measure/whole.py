"""Every set of texts judged by `replay/syntax`, and what of it is counted: one table (`oracle measure all`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.oracles import replay_profile, stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.measure import answers as of_answers
from halluvault_tasks.oracles.measure import claims as of_claims
from halluvault_tasks.oracles.measure import labelled, readers
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure.answers import AnswerFigures
from halluvault_tasks.oracles.measure.claims import ClaimFigures
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.oracles.measure.labelled import LabelledCase
from halluvault_tasks.oracles.measure.parses import StoredParses
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.oracles.measure.texts import SetText, TextSets
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.settings import settings


class TextVerdict(NamedTuple):
    """A text of a set beside its verdict."""

    said: SetText
    category: str
    answer: str
    row: str
    """Of the decision table."""

    @property
    def convicted(self) -> bool:
        """Whether it is called a hallucination."""
        return self.category in CONVICTING


class VerdictFigures(NamedTuple):
    """What was measured of one set of judged texts."""

    name: str
    n: int
    unplaced: int
    """Texts beside these whose case is not kept, and that nothing judges."""

    sound_convicted: HitShare | None
    """Of texts with the right answer and without a fault: those convicted."""

    precision: HitShare | None
    recall: HitShare | None
    """Of faulty texts: those convicted."""

    right_faulty_found: HitShare | None
    """Of faulty reasons behind the right answer: those convicted."""


class WholeMeasure(NamedTuple):
    """The table."""

    verdicts: list[VerdictFigures]
    claims: dict[str, ClaimFigures]
    answers: dict[str, AnswerFigures]
    skipped: dict[str, str]
    """Set → why it could not be measured."""

    convicted: dict[str, list[TextVerdict]]
    """Set → its sound texts that are convicted."""


class Bench:
    """The sets with everything that reading and judging them needs.

    Args:
        folder: `studies/texts`.
        sets: of it.
        months: cut → its month.
    """

    def __init__(self, folder: Path, sets: TextSets, months: Mapping[str, EvidenceMonth]) -> None:
        self._months = months
        self.cases: dict[str, list[LabelledCase]] = {
            name: of_texts.cases(folder, sets, name) for name in sets.evidence if name in months
        }
        self.skipped = {one.name: why for one in sets.sets if (why := of_texts.missing(folder, one))}
        self.sets = [one for one in sets.sets if one.name not in self.skipped]
        every = {one.name: of_texts.texts(folder, one) for one in self.sets if one.judged}
        self.texts = {
            one.name: of_texts.placed(every[one.name], self.cases[one.evidence]) for one in self.sets if one.judged
        }
        self.unplaced = {name: len(found) - len(self.texts[name]) for name, found in every.items()}
        config = settings().config_dir
        self.sentences = {
            one.name: readers.labelled_sentences([folder / one.file], config)
            for one in self.sets
            if one.kind == "claims"
        }
        self.published = {
            one.name: labelled.read([folder / one.file], labelled.LabelledAnswer)
            for one in self.sets
            if one.kind == "answers"
        }
        self._scorers: dict[str, Scorer] = {}
        self._claims: of_claims.Read | None = None

    @contextmanager
    def others(self) -> Iterator[None]:
        """Have other readers in the place of these, made when they are needed."""
        kept = self._scorers, self._claims
        self._scorers, self._claims = {}, None
        try:
            yield
        finally:
            self._scorers, self._claims = kept

    def _scorer(self, evidence: str) -> Scorer:
        if evidence not in self._scorers:
            month = self._months[evidence]
            embed = SentenceBert(settings().embedding_model)
            self._scorers[evidence] = Scorer(
                month.session, month.snapshot, embed, wanted=[replay_profile.PROFILE], placed=self.cases[evidence]
            )
        return self._scorers[evidence]

    def make(self) -> None:
        """Make every reader now."""
        for evidence in self._months:
            self._scorer(evidence)
        self._claims = readers.claims(settings().config_dir)

    @property
    def _claim_reader(self) -> of_claims.Read:
        self._claims = self._claims or readers.claims(settings().config_dir)
        return self._claims

    def forget(self) -> None:
        """Have the readers forget what they understood of questions."""
        for scorer in self._scorers.values():
            scorer.forget()

    def judged(self, name: str, numbers: Sequence[int] | None = None) -> list[TextVerdict]:
        """Verdicts of `replay/syntax` on a set's texts, or on some of them, by number."""
        evidence = next(one.evidence for one in self.sets if one.name == name)
        every = self.texts[name]
        return _judged(every if numbers is None else [every[number] for number in numbers], self._scorer(evidence))

    def grounds(self, name: str, numbers: Sequence[int]) -> list[str]:
        """What verdicts on some texts follow from, or what is read of some lines: as much needs no Prolog."""
        if name in self.sentences:
            return [seen for seen, *_ in self.claims_of(name, numbers)]
        if name in self.published:
            return [kind for kind, _ in self.answers_of(name, numbers)]
        evidence = next(one.evidence for one in self.sets if one.name == name)
        items = [self.texts[name][number].unstored(number) for number in numbers]
        return [repr(one) for one in self._scorer(evidence).grounds(items)]

    def claims_of(self, name: str, numbers: Sequence[int]) -> Iterator[tuple[str, int, int]]:
        """What is read of some lines of labelled claims, how many labels that finds, and how many are wrong."""
        for number in numbers:
            line = self.sentences[name][number]
            given = list(self._claim_reader(line))
            counted = of_claims.counted(line, given)
            yield repr(given), counted.found.total(), counted.wrong.total()

    def answers_of(self, name: str, numbers: Sequence[int]) -> Iterator[tuple[str, bool]]:
        """What some published answers are read as, and whether rightly."""
        lines = [self.published[name][number] for number in numbers]
        kinds = readers.answers([(line.text, line.question) for line in lines])
        return ((kind, of_answers.accepted(line, kind)) for line, kind in zip(lines, kinds, strict=True))

    def lines(self) -> Iterator[tuple[str, list[int]]]:
        """Every set with the line of its file of each of its texts."""
        for name, texts in self.texts.items():
            yield name, [one.source for one in texts]
        sizes = {name: len(several) for name, several in self.sentences.items()}
        sizes |= {name: len(several) for name, several in self.published.items()}
        for name, size in sizes.items():
            yield name, list(range(1, size + 1))

    def verdicts(self, tell: Callable[[str], None]) -> dict[str, list[TextVerdict]]:
        """Every set judged by `replay/syntax`, by name.

        Args:
            tell: what is done now.
        """
        found: dict[str, list[TextVerdict]] = {}
        total = sum(map(len, self.texts.values()))
        for name in self.texts:
            tell(f"judging {name}, {sum(map(len, found.values()))} of {total} texts done")
            found[name] = self.judged(name)
        return found

    def claims(self) -> dict[str, ClaimFigures]:
        """What is found of labelled claims, by set."""
        return {name: of_claims.measure(lines, self._claim_reader) for name, lines in self.sentences.items()}

    def answers(self) -> dict[str, AnswerFigures]:
        """How published answers are read, by set."""
        return {name: of_answers.measure(lines, readers.answers) for name, lines in self.published.items()}


def keep_parses(state: Path) -> None:
    """Have this process take parses from a file of a folder, and keep them there."""
    parser = spacy_parser()
    parser.stored = StoredParses(state, parser.identity)


def measure(made: Bench, tell: Callable[[str], None]) -> WholeMeasure:
    """Read and judge everything, and count."""
    judged = made.verdicts(tell)
    tell("reading claims")
    claims = made.claims()
    tell("reading answers")
    return WholeMeasure(
        [figures(name, several, made.unplaced[name]) for name, several in judged.items()],
        claims,
        made.answers(),
        made.skipped,
        {name: [one for one in several if one.convicted and is_sound(one.said)] for name, several in judged.items()},
    )


def is_sound(said: SetText) -> bool:
    """Whether it gives the right answer and nothing in it is wrong."""
    return bool(said.right) and not said.faulty


def figures(name: str, judged: Sequence[TextVerdict], unplaced: int = 0) -> VerdictFigures:
    """Count the verdicts of one set, or of several together."""
    sound = [one.convicted for one in judged if is_sound(one.said)]
    faulty = [one.convicted for one in judged if one.said.faulty]
    flagged = [one.said.faulty for one in judged if one.convicted]
    behind = [one.convicted for one in judged if one.said.faulty and one.said.right]
    return VerdictFigures(
        name,
        len(judged),
        unplaced,
        share(sum(sound), len(sound)),
        share(sum(flagged), len(flagged)) if faulty else None,
        share(sum(faulty), len(faulty)),
        share(sum(behind), len(behind)),
    )


def _judged(said: Sequence[SetText], scorer: Scorer) -> list[TextVerdict]:
    rows = stages.judge([one.unstored(number) for number, one in enumerate(said)], scorer)
    by_number = {row["sample"]: row for row in rows}
    return [
        TextVerdict(one, row["category"], row["answer"], str(row["detail"].get("row", "")))
        for number, one in enumerate(said)
        if (row := by_number.get(number)) is not None
    ]
