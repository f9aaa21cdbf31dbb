"""Why something is not asked about: stored by name, shown as a sentence, whichever version stored it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked, by_hindrance, by_sentence
from halluvault_tasks.benchmark.suites.ask_plan import AskPlan
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics

DETAILS = st.from_regex(re.compile(r"[A-Za-z0-9(][A-Za-z0-9 ,=()-]{0,20}[A-Za-z0-9)]"), fullmatch=True)


def unasked() -> st.SearchStrategy[Unasked]:
    return st.sampled_from(Hindrance).flatmap(lambda one: DETAILS.map(one) if "{}" in one.value else st.just(one()))


@given(unasked())
def test_what_is_stored_is_read_again_and_names_no_sentence(one: Unasked) -> None:
    assert Unasked.of(one.key) == one
    assert one.key.split(" ")[0] == one.hindrance.name


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("names begin alike", Hindrance.NAMES_ALIKE()),
        ("no wording of P57", Hindrance.NO_WORDING("P57")),
        ("more than 25 words", Hindrance.TOO_LONG("25")),
        ("calc: a right answer's name holds a wrong one's", Hindrance.RIGHT_HOLDS_WRONG("calc")),
        ("a reason of a version before", Hindrance.OTHER("a reason of a version before")),
    ],
)
def test_a_sentence_that_an_older_version_stored_is_the_same_hindrance(stored: str, read: Unasked) -> None:
    assert Unasked.of(stored) == read
    assert read.sentence == stored


def test_counts_are_told_by_hindrance_with_the_most_frequent_details() -> None:
    dropped = {Hindrance.NO_WORDING(f"P{p}"): p for p in range(1, 6)} | {Hindrance.NAMES_ALIKE(): 20}
    assert by_hindrance(dropped) == {"names begin alike": 20, "no wording of P5, P4, P3 and others": 15}
    assert list(by_sentence(dropped))[:2] == ["names begin alike", "no wording of P5"]


def test_statistics_keep_what_they_do_not_know_and_read_what_older_versions_stored() -> None:
    stored = {
        "cases": 3,
        "dropped": {"names begin alike": 2, "NAMES_ALIKE": 1},
        "temperatures": [0.95, 0.0],
        "samples": 5,
        "further_variants": ["recognition/refined/chat/closed-book"],
        "of_a_later_version": {"a": 1},
    }
    read = PartStatistics.of(stored)
    assert read.dropped == {Hindrance.NAMES_ALIKE(): 3}
    assert read.asked == AskPlan(("recognition/refined/chat/closed-book",), (0.95, 0.0), 5)
    assert read.asked.replies == 6
    assert read.own == {"of_a_later_version": {"a": 1}}
    assert PartStatistics.of(read.as_json()) == read
    assert PartStatistics.of({}).asked == AskPlan((), (None,), 1)
