"""Swaps of answers to a question."""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from halluvault_tasks.benchmark.suites.paragraphs import cited
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatement, SoleStatements
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.reasoning.case_proofs import members
from halluvault_tasks.reasoning.case_proofs.members import Falsity
from halluvault_tasks.reasoning.foils import beside_statement
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.sole_values import takes_places
from halluvault_tasks.reasoning.whereabouts import countries, every_country
from halluvault_tasks.wikidata import properties as wd

LIFE_VERBS: Mapping[int, str] = {wd.BIRTHPLACE: "was born", wd.DEATHPLACE: "died"}
"""What happened in a place of life."""


class AnswerSwaps:
    """Swaps of answers.

    Args:
        statements: what is asked about.
        questions: property → open question, with `{s}`.
    """

    def __init__(self, statements: SoleStatements, questions: Mapping[int, str]) -> None:
        self._statements, self._questions, self._material = statements, questions, statements.material

    def of(self, one: SoleStatement, among: Collection[int] | None) -> Iterator[Swap]:
        """The swaps of a statement, with these values in the right one's place, else with drawn ones."""
        for other, foil in self._statements.foils(one, among):
            yield self._swap("factualness", one, other, members.excluded(one.o, foil))
        yield from self._of_other_slots(one)
        namer = self._material.index.namer
        for container in countries(self._material.world, one.o):
            if self._statements.plainly(container) and container != one.o:
                lies = f"{namer.plain(one.o)} lies in {namer.named(container).name.rstrip(',')}."
                yield self._swap("specificity", one, container, members.around(one.s, one.p, one.o, container), lies)
                yield from self._inferred(one, container, lies, among)

    def _of_other_slots(self, one: SoleStatement) -> Iterator[Swap]:
        """The place of death for that of birth, the mother for the father."""
        world = self._material.world
        for slot in self._questions:
            elsewhere = self._statements.of(one.s, slot)
            if elsewhere is None or slot == one.p or takes_places(world, slot) != takes_places(world, one.p):
                continue
            foil = beside_statement.item(world, one.p, one.s, elsewhere.o)
            if not isinstance(foil, Refusal):
                shown = members.excluded(one.o, foil, f"; it is the value of P{slot}")
                yield self._swap("comprehension", one, elsewhere.o, shown, elsewhere.premise["sentence"])

    def _swap(self, pattern: str, one: SoleStatement, other: int, shown: Falsity, beside: str = "") -> Swap:
        question = fill(self._questions[one.p], s=self._material.index.namer.named(one.s))
        knowledge = " ".join(filter(None, (one.premise["sentence"], beside)))
        right, false = self._statements.answer(one.o), self._statements.answer(other)
        return Swap("qa", pattern, one.s, one.p, one.o, other, question, right, false, knowledge, (one.premise,), shown,
                    members.saying([cited(one.premise)]))  # fmt: skip

    def _inferred(self, one: SoleStatement, country: int, lies: str, among: Collection[int] | None) -> Iterator[Swap]:
        """Two steps: today's country of a place of birth or death."""
        world = self._material.world
        verb = LIFE_VERBS.get(one.p)
        if verb is None:
            return
        asked = f"In which country of today does the place lie where {{s}} {verb}?"
        question = fill(asked, s=self._material.index.namer.named(one.s))
        every = every_country(world)
        drawn = sorted(every if among is None else every & set(among))
        Random(f"{self._statements.seed}:{one.s}:{verb}").shuffle(drawn)
        for other in drawn:
            if other == country or not self._statements.plainly(other):
                continue
            foil = beside_statement.country(world, one.o, country, other)
            if not isinstance(foil, Refusal):
                yield Swap("qa", "inference", one.s, one.p, country, other, question, self._statements.answer(country),
                           self._statements.answer(other), f"{one.premise['sentence']} {lies}", (one.premise,),
                           members.within_another(one.s, one.p, country, foil),
                           members.saying_within(one.s, one.p, one.o, country))  # fmt: skip
