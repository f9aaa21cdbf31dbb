"""Swaps of summaries of a document."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.paragraphs import cited
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatement, SoleStatements, StoredPremise
from halluvault_tasks.reasoning.case_proofs import members
from halluvault_tasks.reasoning.case_proofs.members import Falsity

_LEAST, _MOST = 3, 6
"""Sentences of a document."""


class SummedDocument(NamedTuple):
    """What a document tells, and which two statements of it the right summary says."""

    told: Sequence[StoredPremise]
    said: Sequence[StoredPremise]


class SummarySwaps:
    """Swaps of summaries.

    Args:
        statements: what documents tell.
    """

    def __init__(self, statements: SoleStatements) -> None:
        self._statements = statements

    def of(self, one: SoleStatement, among: Collection[int] | None) -> Iterator[Swap]:
        """The swaps of a statement, with these values in the right one's place, else with drawn ones."""
        others = self._others(one)
        if len(others) <= _LEAST:
            return
        split = min(_MOST, len(others) - 1)
        held, left_out = others[:split], others[split:]
        told = [one.premise, *held[:-1]]
        whole, without = SummedDocument(told, told[:2]), SummedDocument(held, held[:2])
        first, second = (each["sentence"] for each in told[:2])
        false = [
            (other, self._statements.sentence(one, other), members.excluded(one.o, foil))
            for other, foil in self._statements.foils(one, among)
        ]
        for other, wrong, shown in false:
            yield _swap("intrinsic", one, other, whole, f"{wrong} {second}", shown)
        # The slot is left out of the document, and the summary tells it wrongly.
        if len(told) > _LEAST:
            for other, wrong, shown in false:
                yield _swap("non-factual", one, other, without, f"{second} {wrong}", shown, one.premise)
        told_of = {each["property"] for each in told}
        for each in left_out:
            if each["property"] not in told_of:  # the document may say as much in other words
                shown = members.left_out(one.s, each["property"])
                yield _swap("factual", one, one.o, whole, f"{first} {each['sentence']}", shown, each)

    def _others(self, one: SoleStatement) -> list[StoredPremise]:
        """Statements about the subject on other properties, each sentence once, in a drawn order."""
        beside = [each for each in self._statements.told(one.s) if each["property"] != one.p]
        others = list({each["sentence"]: each for each in beside}.values())
        Random(f"{self._statements.seed}:{one.s}:{one.p}:document").shuffle(others)
        return others


def _swap(
    pattern: str, one: SoleStatement, other: int, document: SummedDocument, false: str, shown: Falsity,
    beside: StoredPremise | None = None,
) -> Swap:  # fmt: skip
    text, right = (" ".join(each["sentence"] for each in several) for several in document)
    premises = (*document.told, *([beside] if beside else ()))
    support = members.saying(map(cited, document.said), map(cited, document.told))
    return Swap("summary", pattern, one.s, one.p, one.o, other, text, right, false, "", premises, shown, support)
