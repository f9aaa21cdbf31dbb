"""How well known things are."""

import math

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.knowledge.fame import FameCounts

LOVELACE, TOWN, RIVER, SAINT = 1, 2, 3, 4


def test_pages_count_where_the_source_counts_them() -> None:
    known = FameCounts({LOVELACE: 160, TOWN: 3}, {LOVELACE: 20, TOWN: 900})
    assert known.fame() == {LOVELACE: math.log(160), TOWN: math.log(3)}
    assert known.tail() == {TOWN}


def test_a_source_without_pages_is_ranked_by_its_statements() -> None:
    known = FameCounts({}, {LOVELACE: 20, TOWN: 1})
    assert known.fame() == {LOVELACE: math.log(20), TOWN: 0.0}
    assert known.tail() == {TOWN}, "it stands in one statement alone"


def test_what_a_source_passes_over_is_as_well_known_as_what_stands_in_as_many_statements() -> None:
    pages = {10: 20, 11: 40, 12: 80, 13: 160}
    known = FameCounts(pages, {10: 1, 11: 3, 12: 7, 13: 15, RIVER: 7, SAINT: 1, TOWN: 1000})
    fame = known.fame()
    assert math.isclose(fame[RIVER], math.log(80), abs_tol=1e-6), "twice the statements, twice the pages"
    assert math.isclose(fame[TOWN], math.log(160)), "no better than the best that is counted"
    assert fame[SAINT] < fame[RIVER], "although nobody counted the pages of either"
    assert known.tail() == {SAINT}


@given(st.dictionaries(st.integers(1, 30), st.tuples(st.none() | st.integers(0, 300), st.integers(1, 500)), min_size=1))
def test_of_two_that_nobody_counted_the_one_with_more_statements_is_no_less_known(
    items: dict[int, tuple[int | None, int]],
) -> None:
    pages = {qid: number for qid, (number, _) in items.items() if number is not None}
    fame = FameCounts(pages, {qid: stated for qid, (_, stated) in items.items()}).fame()
    assert fame.keys() == items.keys()
    others = sorted((items[qid][1], fame[qid]) for qid in items if qid not in pages)
    assert [known for _, known in others] == sorted(known for _, known in others)
