"""Swaps of the last response of a dialogue."""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from halluvault_tasks.benchmark.suites.paragraphs import cited
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatement, SoleStatements
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.reasoning.case_proofs import members
from halluvault_tasks.reasoning.sole_values import takes_places
from halluvault_tasks.reasoning.whereabouts import share_country

_SAME_TIME = 50
"""Years between two births of people who are alike."""


class DialogueSwaps:
    """Swaps of responses.

    Args:
        statements: what is asked about.
        questions: property → open question, with `{s}`.
    """

    def __init__(self, statements: SoleStatements, questions: Mapping[int, str]) -> None:
        self._statements, self._questions, self._material = statements, questions, statements.material

    def of(self, one: SoleStatement, among: Collection[int] | None) -> Iterator[Swap]:
        """The swaps of a statement, with these values in the right one's place, else with drawn ones."""
        beside = [each for each in self._statements.told(one.s) if each["property"] != one.p]
        if not beside:
            return
        opening = Random(f"{self._statements.seed}:{one.s}").choice(beside)["sentence"]
        about, question = (
            fill(asked, s=self._material.index.namer.named(one.s))
            for asked in ("What do you know about {s}?", self._questions[one.p])
        )
        history = f"[Human]: {about}\n[Assistant]: {opening}\n[Human]: {question}"
        right = self._statements.sentence(one, one.o)
        swaps = [
            *((self._likeness(one, other), other, members.excluded(one.o, foil))
              for other, foil in self._statements.foils(one, among)),
            *(("extrinsic-grouped", other, members.of_another_kind(one.s, one.p, one.o, other))
              for other in self._of_other_kinds(one, among)),
        ]  # fmt: skip
        for pattern, other, shown in swaps:
            yield Swap("dialogue", pattern, one.s, one.p, one.o, other, history, right,
                       self._statements.sentence(one, other), one.premise["sentence"], (one.premise,), shown,
                       members.saying([cited(one.premise)]))  # fmt: skip

    def _of_other_kinds(self, one: SoleStatement, among: Collection[int] | None) -> Iterator[int]:
        """Values of any property that the statement's own does not take: a person for a place."""
        for p, values in self._statements.values.items():
            taken = values if among is None else [each for each in values if each in among]
            drawn = [each for each in taken if not self._material.index.fits(each, one.entry.object)]
            Random(f"{self._statements.seed}:{one.s}:{p}:type").shuffle(drawn)
            yield from drawn

    def _likeness(self, one: SoleStatement, other: int) -> str:
        return "extrinsic-soft" if self.alike(one.p, one.o, other) else "extrinsic-hard"

    def alike(self, p: int, one: int, other: int) -> bool:
        """Whether two values are highly similar: places of one country, people of one time; and of one type."""
        index, world = self._material.index, self._material.world
        mine, theirs = index.entities.get(one), index.entities.get(other)
        if not (mine and theirs and mine.direct & theirs.direct):
            return False
        if takes_places(world, p):
            return share_country(world, one, other)
        born, their_birth = index.years.get(one), index.years.get(other)
        return born is not None and their_birth is not None and abs(born - their_birth) <= _SAME_TIME
