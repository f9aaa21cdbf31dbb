"""Values exchanged between neighbours: what is paired, and what is left alone."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.benchmark.selection.balanced_groups import relation_blocks, temporal_blocks
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, squares, swaps

WORDS = Wordings("q?", "s.", "n.")


def fact(s: int, o: int, *, truth: bool = True, family: str = "born", both_ways: bool = False) -> Candidate:
    kind = "negation.polarity" if truth else "negation.value"
    converse = ConverseWordings(WORDS, flips=True) if both_ways else None
    return Candidate(
        "relation", "people", kind, kind, (kind, s, o), 19, s, o, (s, o), truth, WORDS, None, converse, family
    )


def exchanged(one: Candidate, other: Candidate) -> Candidate | None:
    assert one.object is not None
    assert other.object is not None
    return fact(one.subject, other.object, truth=False, family=one.family) if one.object != other.object else None


YEARS = {1: 1800, 2: 1805, 3: 1990, 4: 1992, 5: 1800, 6: 1801}
COUNTRIES = {1: 7, 2: 7, 3: 7, 4: 8, 5: 9, 6: 7}


def position(one: Candidate) -> Position | None:
    return Position(YEARS[one.subject], COUNTRIES[one.subject]) if one.subject in YEARS else None


def test_two_true_facts_and_the_two_with_values_exchanged() -> None:
    ((one, two, three, four),) = swaps([fact(1, 11), fact(2, 12)], position, exchanged, reach=60, seed=1)
    assert (one.truth, two.truth, three.truth, four.truth) == (True, True, False, False)
    assert {(three.subject, three.object), (four.subject, four.object)} == {(1, 12), (2, 11)}


def test_every_subject_and_every_value_is_as_often_right_as_wrong() -> None:
    facts = [fact(subject, 10 + subject) for subject in YEARS]
    found = swaps(facts, position, exchanged, reach=500, seed=1)
    assert len(found) == 3
    tilt: dict[int | None, int] = {}
    for swap in found:
        for one in swap:
            for end in (one.subject, one.object):
                tilt[end] = tilt.get(end, 0) + (1 if one.truth else -1)
    assert set(tilt.values()) == {0}
    assert len({one.identity for swap in found for one in swap}) == 12, "no fact is in two of them"


def test_people_of_other_centuries_are_not_exchanged() -> None:
    assert swaps([fact(1, 11), fact(3, 13)], position, exchanged, reach=60, seed=1) == []


def test_the_same_country_comes_before_the_nearer_year() -> None:
    found = swaps([fact(1, 11), fact(5, 15), fact(6, 16)], position, exchanged, reach=60, seed=1)
    together = {one.subject for one in found[0][:2]}
    assert together in ({1, 6}, {5, 6}, {1, 5})
    assert len(found) == 1
    first = swaps([fact(1, 11), fact(5, 15), fact(2, 12)], position, exchanged, reach=60, seed=4)
    assert {one.subject for one in first[0][:2]} in ({1, 2}, {5, 1}, {5, 2})


def test_wordings_are_not_mixed_and_what_is_not_licensed_stays_alone() -> None:
    assert swaps([fact(1, 11), fact(2, 12, family="died")], position, exchanged, reach=60, seed=1) == []
    assert swaps([fact(1, 11), fact(2, 11)], position, exchanged, reach=60, seed=1) == []
    assert swaps([fact(1, 11), fact(99, 12)], position, exchanged, reach=60, seed=1) == []
    assert swaps([fact(1, 11), fact(2, 12)], position, lambda one, other: None, reach=60, seed=1) == []


def test_blocks_are_quads_groups_asked_both_ways_and_what_is_always_a_yes() -> None:
    facts = [fact(1, 11), fact(2, 12), fact(3, 13), fact(4, 14, truth=False), fact(5, 15, both_ways=True)]
    four = swaps(facts[:2], position, exchanged, reach=60, seed=1)
    found = relation_blocks(facts, four, seed=1)
    assert [len(block.candidates) for block in found.balanced] == [4, 1]
    assert [block.candidates[0].subject for block in found.true_only] == [3]
    assert found.dropped == {Hindrance.UNPAIRED(): 1}


def test_checked_negatives_are_asked_in_rings_that_say_of_each_end_a_yes_and_a_no() -> None:
    true = [fact(1, 13), fact(2, 11), fact(3, 12), fact(4, 12), fact(4, 11)]
    false = [fact(1, 11, truth=False), fact(2, 12, truth=False), fact(3, 13, truth=False), fact(5, 11, truth=False)]
    found = relation_blocks([*true, *false], [], seed=1)
    (ring,) = found.balanced
    said = Counter((end, one.truth) for one in ring.candidates for end in (one.subject, one.object))
    assert said == {(end, truth): 1 for end in (1, 2, 3, 11, 12, 13) for truth in (True, False)}
    # Of 5 nothing is true that could stand beside it; what is left and true is for recall.
    assert found.dropped == {Hindrance.UNPAIRED(): 1}
    assert {(block.candidates[0].subject, block.candidates[0].object) for block in found.true_only} == {
        (4, 12),
        (4, 11),
    }


def test_a_formula_is_asked_at_a_time_when_it_holds_and_one_when_it_does_not() -> None:
    def query(formula: str, at: int, truth: bool) -> Candidate:
        identity = (formula, at, "year")
        return Candidate("temporal", "people", "F", "a", identity, 569, 1, None, (1,), truth, WORDS, None)

    found = temporal_blocks([query("F[0,1] p", 1, True), query("F[0,1] p", 9, False), query("N p", 3, True)])
    assert [[one.truth for one in block.candidates] for block in found.blocks] == [[True, False]]
    assert found.dropped == {Hindrance.ONE_WAY(): 1}


@given(
    st.lists(
        st.tuples(st.sampled_from([1930, 1940, 1950]), st.sampled_from([-20, -10, 10]), st.booleans()), max_size=30
    )
)
def test_each_decade_is_named_in_as_many_right_questions_as_wrong_ones(events: list[tuple[int, int, bool]]) -> None:
    def query(person: int, decade: int, truth: bool, denies: bool) -> Candidate:
        asked = WORDS._replace(original=f"Was {person} born in the {decade}s?", denies=denies)
        identity = (f"F[0,9] {person}", decade, "year")
        # A formula that says that it did not happen is asked as its opposite.
        return Candidate(
            "temporal", "people", "F", "birth", identity, 569, person, None, (person,), truth != denies, asked, None,
            event="birth", decade=decade,
        )  # fmt: skip

    found = temporal_blocks(
        query(person, decade + (0 if right else off), right, denies)
        for person, (decade, off, denies) in enumerate(events)
        for right in (True, False)
    )
    asked = [one for block in found.blocks for one in block.candidates]
    said = Counter((one.decade, one.truth != one.wordings.denies) for one in asked)
    assert all(said[decade, True] == said[decade, False] for decade, _ in said)
    assert len(asked) + found.dropped.total() == 2 * len(events)
    assert all(len(block.candidates) in (4, 6) for block in found.blocks)


def test_a_decade_of_an_event_is_asked_about_once_however_many_formulas_ask_it() -> None:
    def query(formula: str, person: int, decade: int, truth: bool) -> Candidate:
        asked = WORDS._replace(original=f"Was {person} born in the {decade}s?")
        identity = (formula, decade, "year")
        return Candidate(
            "temporal", "people", "F", "birth", identity, 569, person, None, (person,), truth, asked, None,
            event="birth", decade=decade,
        )  # fmt: skip

    several = [
        query(formula, person, decade, decade == right)
        for person, right in ((1, 1940), (2, 1950))
        for formula in (f"F[0,9] {person}", f"F[1,10] {person}")
        for decade in (1940, 1950)
    ]
    found = temporal_blocks(several)
    assert len(found.blocks) == 1
    assert found.dropped == {Hindrance.REPEATED(): 4}


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(7, 12), st.sampled_from([20, 30]), st.booleans()),
        max_size=30,
        unique_by=lambda one: one[:3],
    )
)
def test_a_story_stands_beside_one_of_the_other_answer_in_the_same_words(
    told: list[tuple[int, int, int, bool]],
) -> None:
    """Nobody and nothing is in two blocks."""
    found = temporal_blocks(
        Candidate(
            "temporal", "culture", "F", "age", (f"{person} {years} {film}", 1900, "year"), 569, person, film,
            (person, film), truth, WORDS, None, paired=("age", years),
        )
        for person, film, years, truth in told
    )  # fmt: skip
    often: Counter[int] = Counter()
    for block in found.blocks:
        assert [one.truth for one in block.candidates] == [True, False]
        assert len({one.paired for one in block.candidates}) == 1
        often.update({qid for one in block.candidates for qid in one.entities})
    assert max(often.values(), default=1) == 1
    assert 2 * len(found.blocks) + found.dropped.total() == len(told)


def near_all(one: Candidate) -> list[tuple[int, int]]:
    return [(n, 100 + n) for n in range(40) if n != one.subject]


def of_near(facts: list[Candidate]) -> list[Swap]:
    return squares({(one.subject, one.object): one for one in facts}, near_all, exchanged, seed=1)


def test_near_facts_make_squares_and_no_fact_is_in_two() -> None:
    found = of_near([fact(n, 100 + n) for n in range(40)])
    assert len(found) >= 15, "few of forty are left over"
    used = [one.identity for square in found for one in square[:2]]
    assert len(set(used)) == len(used)
    for one, two, three, four in found:
        assert {(three.subject, three.object), (four.subject, four.object)} == {
            (one.subject, two.object), (two.subject, one.object),
        }  # fmt: skip


def test_facts_that_are_not_near_make_no_square() -> None:
    assert squares({(1, 11): fact(1, 11), (2, 12): fact(2, 12)}, lambda one: [], exchanged, seed=1) == []


def test_most_squares_stay_when_one_fact_goes() -> None:
    facts = [fact(n, 100 + n) for n in range(40)]
    before = {frozenset(one.identity for one in square) for square in of_near(facts)}
    for gone in range(0, 40, 5):
        after = {frozenset(one.identity for one in square) for square in of_near(facts[:gone] + facts[gone + 1 :])}
        assert len(before & after) >= 0.6 * len(before)
