"""Every set of texts judged by `replay/syntax`, and what of it is counted: one table (`oracle measure all`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from halluvault_tasks.oracles.measure.texts import SetText, TextSet, TextSets
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
    """The sets with everything that reading and judging them needs, except what rests on rules of reading.

    Args:
        folder: `studies/texts`.
        sets: of it.
        months: cut → its month.
    """

    def __init__(self, folder: Path, sets: TextSets, months: Mapping[str, EvidenceMonth]) -> None:
        self._folder, self._months = folder, months
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

    def of_kind(self, kind: str) -> Iterator[tuple[TextSet, Path]]:
        """Sets of a kind, with their files."""
        return ((one, self._folder / one.file) for one in self.sets if one.kind == kind)

    def verdicts(self, tell: Callable[[str], None]) -> dict[str, list[TextVerdict]]:
        """Every set judged by `replay/syntax`, by name.

        Args:
            tell: what is done now.
        """
        found = {}
        for name, month in self._months.items():
            tell(f"reading the month {name}")
            embed = SentenceBert(settings().embedding_model)
            scorer = Scorer(
                month.session, month.snapshot, embed, wanted=[replay_profile.PROFILE], placed=self.cases[name]
            )
            mine = [one for one in self.sets if one.judged and one.evidence == name]
            done, total = 0, sum(len(self.texts[one.name]) for one in mine)
            for one in mine:
                tell(f"judging {one.name}, {done} of {total} texts of {name} done")
                found[one.name] = _judged(self.texts[one.name], scorer)
                done += len(found[one.name])
        return {one.name: found[one.name] for one in self.sets if one.name in found}

    def claims_by_line(self) -> dict[str, list[tuple[str, int, int]]]:
        """Of each line of labelled claims what is read, how many labels that finds, and how many are wrong; by set."""
        config = settings().config_dir
        read = readers.claims(config)
        found = {}
        for one, file in self.of_kind("claims"):
            several = []
            for line in readers.labelled_sentences([file], config):
                given = list(read(line))
                counted = of_claims.counted(line, given)
                several.append((repr(given), counted.found.total(), counted.wrong.total()))
            found[one.name] = several
        return found

    def answers_by_line(self) -> dict[str, list[tuple[str, bool]]]:
        """Of each published answer what it is read as, and whether rightly, by set."""
        found = {}
        for one, file in self.of_kind("answers"):
            lines = labelled.read([file], labelled.LabelledAnswer)
            kinds = readers.answers([(line.text, line.question) for line in lines])
            found[one.name] = [(kind, of_answers.accepted(line, kind)) for line, kind in zip(lines, kinds, strict=True)]
        return found

    def claims(self) -> dict[str, ClaimFigures]:
        """What is found of labelled claims, by set."""
        config = settings().config_dir
        return {
            one.name: of_claims.measure(readers.labelled_sentences([file], config), readers.claims(config))
            for one, file in self.of_kind("claims")
        }

    def answers(self) -> dict[str, AnswerFigures]:
        """How published answers are read, by set."""
        return {
            one.name: of_answers.measure(labelled.read([file], labelled.LabelledAnswer), readers.answers)
            for one, file in self.of_kind("answers")
        }


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
