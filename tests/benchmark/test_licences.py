"""What a case says of its licence: the weakest of its block, and of a false fact its own."""

import pytest

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence, cases_of
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.benchmark.selection.balance import Block, Design, choose
from halluvault_tasks.benchmark.selection.caps import Caps
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.exchanged import Exchanged
from halluvault_tasks.reasoning.grounds import Licence, LicenceKind, Reason
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.wikidata.relation import Relation

TRUE = DerivedFact(1, Relation.of(19), 1, 2, (7,))


def candidate(source: DerivedFact | Foil) -> Candidate:
    truth = isinstance(source, DerivedFact)
    words = Wordings(f"{source.o}?", f"{source.o}.", f"not {source.o}.")
    return Candidate("relation", "people", "negation.value", "a", (source.o, truth), 19, 1, source.o,
                     (1, source.o or 0), truth, words, source)  # fmt: skip


def foil(reason: Reason) -> Foil:
    return Foil(TRUE.relation, 1, 3 + reason, None, TRUE, Exchanged(), Licence(reason, 7, "why"), (7,))


@pytest.mark.parametrize(
    ("reasons", "weakest"),
    [
        ([], LicenceKind.PROVED),
        ([Reason.OTHER_VALUE, Reason.BOUNDS], LicenceKind.PROVED),
        ([Reason.LIST, Reason.CHECKED], LicenceKind.LIST),
        ([Reason.MEASURED, Reason.LIST], LicenceKind.MEASURED),
    ],
)
def test_a_block_rests_on_its_weakest_licence(reasons: list[Reason], weakest: LicenceKind) -> None:
    block = Block((candidate(TRUE), *(candidate(foil(reason)) for reason in reasons)))
    assert block.licence is weakest
    wanted = Design({("people", "negation.value"): 1.0}, 100, Caps(9, 9, 9), seed=1)
    chosen = choose([block], wanted).chosen
    assert {one.licence for one in chosen} == {weakest}


def test_every_case_carries_the_licence_of_its_block_and_a_false_fact_its_own() -> None:
    evidence = Evidence({}, [], ":- initialization(main, main).\n")
    true = cases_of(candidate(TRUE), 0, evidence, LicenceKind.MEASURED)
    false = cases_of(candidate(foil(Reason.LIST)), 0, evidence, LicenceKind.MEASURED)
    assert {case.licence for case in (*true, *false)} == {LicenceKind.MEASURED}
    assert {case.fact.get("licence") for case in true} == {None}
    assert {case.fact["licence"] for case in false} == {"list"}
