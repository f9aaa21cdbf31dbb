"""Whether a class of foils may be asked is computed from what was measured and read (semantics.md §1.10)."""

from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.measuring import classes
from halluvault_tasks.reasoning.measuring.classes import Chance, MeasuredClass, MeasuredFile, MissingValues, ReadSheet
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.relation import Relation

NEAR = "another film of that director or year"


def sheet(**changes: object) -> ReadSheet:
    fields: dict[str, object] = {
        "attempt": 1, "version": 1, "read_on": "2026-11-28", "reader": "somebody", "kind": "people", "foils": 100,
        "decided": 97, "false": 0, "planted": 100, "recognised": 90,
    }  # fmt: skip
    return ReadSheet.model_validate(fields | changes)


def film_cast(*sheets: ReadSheet, high: float = 0.001, m: float = 1.28, version: int = 1) -> MeasuredClass:
    return MeasuredClass(
        relation="P161",
        near=NEAR,
        version=version,
        pi=Chance(snapshot="2026-10", share=0.0005, high=high, subjects=400, objects=300),
        m=MissingValues(high=m, floor=m),
        sheets=sheets,
    )


def test_a_class_that_was_measured_and_read_without_a_fault_may_be_asked() -> None:
    assert film_cast(sheet()).verdict.licensed


@pytest.mark.parametrize(
    ("measured", "why"),
    [
        (film_cast(), "no sheet was read"),
        (film_cast(sheet(), high=0.002), "m · π is 0.26%"),
        (film_cast(sheet(false=1)), "1 of 97 foils hold in the world"),
        (film_cast(sheet(recognised=79)), "recognised 79 of 100"),
        (film_cast(sheet(attempt=2)), "attempt 2 takes 125 foils, not 100"),
        (film_cast(sheet(), version=99), "measured at version 99"),
        (film_cast(sheet(version=99)), "the last sheet is of version 99"),
        (film_cast(sheet(), sheet(attempt=2, foils=125, decided=120, false=2)), "2 of 120 foils hold"),
    ],
)
def test_a_class_that_lacks_anything_may_not_be_asked(measured: MeasuredClass, why: str) -> None:
    assert not measured.verdict.licensed
    assert why in measured.verdict.why


def test_a_second_attempt_opens_what_the_first_closed() -> None:
    assert film_cast(sheet(false=1), sheet(attempt=2, foils=125, decided=121)).verdict.licensed


def test_what_refused_the_foils_of_a_relation_is_named() -> None:
    closed, cast = MeasuredFile(classes=(film_cast(sheet(false=1)),)), Relation.of(161)
    assert "1 of" in closed.refusal(cast)
    assert closed.refusal(Relation.of(780)) == "no way draws its foils"
    assert MeasuredFile(classes=(film_cast(sheet()),)).refusal(cast) == "too little is near these facts"


def test_a_missing_file_licenses_nothing_and_a_faulty_one_is_named(tmp_path: Path) -> None:
    assert classes.load(tmp_path / "measured.yaml").licensed == []
    faulty = tmp_path / "measured.yaml"
    faulty.write_text("classes:\n  - relation: P161\n    near: nowhere\n    version: 1\n")
    with pytest.raises(UserError, match=r"measured.yaml.*pi"):
        classes.load(faulty)


def test_the_file_in_the_tree_can_be_read() -> None:
    classes.load(REPOSITORY / "config" / "measured.yaml")
