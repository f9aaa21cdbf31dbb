"""The gate of propensity: what is measured, what matching takes, and when a part is refused."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.benchmark.selection.balance import Block, Chosen
from halluvault_tasks.benchmark.selection.propensity import curve, gate
from halluvault_tasks.benchmark.selection.propensity.curve import PairSample
from halluvault_tasks.benchmark.selection.propensity.gate import ALL, Curve
from halluvault_tasks.benchmark.selection.propensity.resemblance import FIGURES, AskedPair, Resemblance
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.wikidata.relation import Relation

BORN, DIED, FATHER, CHILD, CITY = 19, 20, 22, 40, 31
WORDS = Wordings("q?", "s.", "n.")


def sample(figures: np.ndarray, truth: np.ndarray, blocks: np.ndarray | None = None) -> PairSample:
    """Pairs of entities that stand in one pair each; four a block."""
    rows = np.arange(len(truth))
    return PairSample(figures, truth, rows // 4 if blocks is None else blocks, np.stack([rows, rows + 10**6], axis=1))


def noise(rows: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, len(FIGURES)))


HALF = np.arange(400) % 2 == 0


def test_figures_that_tell_nothing_give_an_area_of_one_half() -> None:
    assert 0.4 < curve.area(curve.propensity(sample(noise(400), HALF)), HALF) < 0.6


@pytest.mark.parametrize("told", [lambda t: t, lambda t: -t, lambda t: np.where(t, 0.5, np.arange(400) % 4 > 1)])
def test_a_figure_that_tells_is_found_whichever_way_it_runs(told: Callable[[np.ndarray], np.ndarray]) -> None:
    figures = noise(400)
    figures[:, 0] = told(HALF.astype(float))
    assert curve.area(curve.propensity(sample(figures, HALF)), HALF) > 0.95


def test_nothing_is_learnt_of_the_entities_that_it_is_tested_on() -> None:
    """Each block has a figure of its own, which tells its answer: a model that has seen the block knows it."""
    figures, truth = noise(400), np.repeat(np.random.default_rng(5).random(100) < 0.5, 4)
    figures[:, 0] = np.repeat(np.random.default_rng(3).random(100), 4)
    assert 0.35 < curve.area(curve.propensity(sample(figures, truth)), truth) < 0.65
    apart = sample(figures, truth, np.arange(400))
    apart = apart._replace(ends=np.stack([np.arange(400), np.arange(400) + 10**6], axis=1))
    assert curve.area(curve.propensity(apart), truth) > 0.7, "each pair by itself: the block's others have told it"
    joined = apart._replace(ends=np.stack([np.arange(400), 10**6 + np.arange(400) // 4], axis=1))
    assert 0.35 < curve.area(curve.propensity(joined), truth) < 0.65, "an item that they share keeps them together"


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_the_area_is_the_share_of_true_pairs_that_score_higher(rows: list[tuple[int, bool]]) -> None:
    right, wrong = [score for score, true in rows if true], [score for score, true in rows if not true]
    points = [(a > b) + 0.5 * (a == b) for a in right for b in wrong]
    wanted = sum(points) / len(points) if points else 0.5
    scores, truth = (np.array(column) for column in zip(*rows, strict=True))
    assert curve.area(scores.astype(float), truth.astype(bool)) == pytest.approx(wanted)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 2))
def test_matching_takes_blocks_until_the_area_leans_that_way_no_more(seed: int, lean: float) -> None:
    random = np.random.default_rng(seed)
    some = sample(noise(200), HALF[:200])
    scores = random.normal(size=200) + lean * some.truth
    gone = curve.telling(some, scores, 0.43, 0.57)
    left = ~np.isin(some.blocks, gone)
    before, after = curve.area(scores, some.truth), curve.area(scores[left], some.truth[left])
    assert (after <= 0.57 or before <= 0.57) and (after >= 0.43 or before > 0.57)
    assert gone.tolist() == curve.telling(some, scores, 0.43, 0.57).tolist()
    assert bool(len(gone)) == (not 0.43 <= before <= 0.57)


# ---------------------------------------------------------------- figures

ADA, BEA, CYD, DOT, LEEDS, YORK, BATH, WIT, CLUB = 1, 2, 3, 4, 11, 12, 13, 21, 22


def known(*statements: tuple[int, int, int], following: dict[int, frozenset[int]] | None = None) -> Resemblance:
    labels = {ADA: "Ada York", BEA: "Bea", LEEDS: "Leeds", YORK: "York"}
    return Resemblance(np.array(sorted(statements), dtype=np.int64), labels, following or {})


def figures(found: Resemblance, s: int, o: int, p: int = BORN, *beside: int) -> dict[str, float]:
    (row,) = found.figures([AskedPair(Relation.of(p), s, o, frozenset(beside))])
    return dict(zip(FIGURES, row.tolist(), strict=True))


PEERS, FREQUENCY, DISTANCE, COMMON, LIKENESS = FIGURES


def test_peers_share_something_rare_with_the_subject_and_the_fact_itself_counts_for_nothing() -> None:
    club = [(one, 463, CLUB) for one in (ADA, BEA, CYD)]
    found = known(*club, (ADA, BORN, LEEDS), (BEA, BORN, LEEDS), (CYD, BORN, YORK), (DOT, BORN, BATH))
    assert figures(found, ADA, LEEDS)[PEERS] == 0.5, "of Bea and Cyd one was born there"
    assert figures(found, ADA, YORK)[PEERS] == 0.5
    assert figures(found, DOT, LEEDS)[PEERS] == 0, "nothing joins her with the others"
    assert figures(found, ADA, LEEDS)[FREQUENCY] == pytest.approx(np.log(2)), "Bea alone, besides the subject"


def test_what_the_block_itself_asks_is_left_out_of_peers_and_frequency() -> None:
    """Else each of two couples would tell that the other's wife is not his."""
    club = [(one, 463, CLUB) for one in (ADA, BEA, CYD)]
    found = known(*club, (ADA, BORN, LEEDS), (BEA, BORN, YORK), (CYD, BORN, BATH))
    assert figures(found, ADA, YORK)[PEERS] == 0.5
    assert figures(found, ADA, YORK, BORN, ADA, BEA)[PEERS] == 0
    assert figures(found, ADA, YORK, BORN, ADA, BEA)[FREQUENCY] == figures(found, ADA, LEEDS)[FREQUENCY] == 0


def test_the_distance_leaves_out_what_is_asked_and_what_follows_from_it() -> None:
    found = known((ADA, FATHER, CYD), (CYD, CHILD, ADA), (BEA, FATHER, DOT), following={FATHER: frozenset({CHILD})})
    assert figures(found, ADA, CYD, FATHER)[DISTANCE] == 4
    told = known((ADA, FATHER, CYD), (CYD, CHILD, ADA), (BEA, FATHER, DOT))
    assert figures(told, ADA, CYD, FATHER)[DISTANCE] == 1, "where nobody says that the one follows from the other"


def test_steps_are_counted_through_what_two_items_share() -> None:
    found = known((ADA, 463, CLUB), (YORK, 463, CLUB), (BATH, 47, YORK), (ADA, DIED, LEEDS), (BEA, BORN, BATH))
    assert [figures(found, ADA, town)[DISTANCE] for town in (LEEDS, YORK, BATH, WIT)] == [1, 2, 3, 4]
    assert figures(found, ADA, YORK)[COMMON] == pytest.approx(np.log(2))


def test_labels_are_alike_that_share_letters() -> None:
    found = known((ADA, BORN, LEEDS), (BEA, BORN, YORK))
    assert figures(found, ADA, YORK)[LIKENESS] > 0 == figures(found, ADA, LEEDS)[LIKENESS]


def test_a_chain_and_a_share_are_held_by_whoever_their_statements_say() -> None:
    region, work, other = 31, 41, 42
    found = known(
        *((one, 463, CLUB) for one in (ADA, BEA)), (BEA, BORN, LEEDS), (LEEDS, 131, region),
        (work, 57, ADA), (other, 57, ADA), (work, 161, BEA), (other, 161, BEA),
    )  # fmt: skip
    (row,) = found.figures([AskedPair(Relation.chain(BORN, 131), ADA, region)])
    assert row[0] == 1.0, "the peer was born in a place there"
    (row,) = found.figures([AskedPair(Relation.share(57), work, other)])
    assert row[2] == 2, "two films with an actor in common, whoever directed them"


# ---------------------------------------------------------------- the gate


def asked(number: int, truth: bool, subject: int, object_: int, kind: str = "negation") -> Chosen:
    name = f"{kind}.polarity" if truth else f"{kind}.value"
    source = DerivedFact(1, Relation.of(BORN), subject, object_, (1,))
    one = Candidate(
        "relation", "people", name, name, (name, subject, object_), BORN, subject, object_, (subject, object_), truth,
        WORDS, source,
    )  # fmt: skip
    return Chosen(one, 0, number, LicenceKind.PROVED)


def month(squares: int, leaning: int) -> tuple[list[Chosen], Resemblance]:
    """Squares of two people and two towns; in `leaning` of them each has a colleague who was born in the right town.

    In a third of the others it is one colleague of both, whose town is the one's.
    """
    chosen, statements = [], []
    for n in range(squares):
        a, b, here, there = (10 * n + each for each in range(1, 5))
        statements += [(a, BORN, here), (b, BORN, there)]
        for one, town, colleague, club in ((a, here, 10 * n + 5, 10 * n + 7), (b, there, 10 * n + 6, 10 * n + 8)):
            if n < leaning:
                statements += [(one, 463, club), (colleague, 463, club), (colleague, BORN, town)]
            elif n % 3 == 0:
                statements += [(one, 463, 10 * n + 7), (10 * n + 5, 463, 10 * n + 7), (10 * n + 5, BORN, here)]
        for one, town, truth in ((a, here, True), (b, there, True), (a, there, False), (b, here, False)):
            chosen.append(asked(n, truth, one, town))
    return chosen, Resemblance(np.unique(np.array(statements, dtype=np.int64), axis=0), {}, {})


def test_squares_whose_colleagues_know_nothing_are_left_as_they_are() -> None:
    chosen, found = month(120, 0)
    matching = gate.match(chosen, lambda: found)
    assert not matching.telling
    assert {one.family: one.held for one in matching.curves} == {"P19": True, "negation": True, ALL: True}
    assert all(one.pairs == 480 and abs(one.area - 0.5) < 0.05 for one in matching.curves)


def test_what_leans_is_matched_until_it_does_not_and_then_stands() -> None:
    chosen, found = month(240, 80)
    before = gate.match(chosen, lambda: found)
    assert any(one.over for one in before.curves)
    assert before.telling == gate.match(chosen[::-1], lambda: found).telling, "the same in whatever order"
    kept = [one for one in chosen if one.block not in before.telling]
    after = gate.match(kept, lambda: found, before.held)
    assert not any(one.over for one in after.curves)
    assert len(kept) >= len(chosen) / 2
    gate.check(after.curves, len(chosen) - len(kept))


def test_a_month_is_matched_before_anything_is_chosen_and_what_stood_goes_last() -> None:
    chosen, found = month(240, 80)
    by_block: dict[int, list[Candidate]] = {}
    for one in chosen:
        by_block.setdefault(one.block, []).append(one.candidate)
    blocks = [Block(tuple(several)) for several in by_block.values()]
    kept = gate.matched(blocks, lambda: found)
    again = [Chosen(one, 0, n, LicenceKind.PROVED) for n, block in enumerate(kept) for one in block.candidates]
    assert all(abs(one.area - 0.5) <= 0.07 for one in gate.match(again, lambda: found).curves)
    first = blocks[0]
    assert first not in kept, "it leans"
    assert first in gate.matched(blocks, lambda: found, {one.group for one in first.candidates})


def test_a_part_in_which_everything_leans_is_refused_with_what_it_goes_by() -> None:
    chosen, found = month(240, 240)
    matching = gate.match(chosen, lambda: found)
    with pytest.raises(PartRefused) as refused:
        gate.check(matching.curves, 0)
    assert "P19 (960 pairs)" in str(refused.value) or "negation (960 pairs)" in str(refused.value)
    assert "share of near peers" in str(refused.value)
    assert "measured.yaml" in refused.value.way_out


def test_of_few_pairs_the_area_is_told_and_nothing_refused() -> None:
    chosen, found = month(40, 40)
    matching = gate.match(chosen, lambda: found)
    assert matching.curves and not matching.telling
    gate.check(matching.curves, 0)
    held = gate.match(chosen, lambda: found, frozenset({"P19"}))
    assert [one.family for one in held.curves if one.over] == ["P19"], "unless it was held when it had more"


def test_pairs_that_a_block_asks_both_true_and_false_are_not_measured() -> None:
    def never() -> Resemblance:
        raise AssertionError

    one = asked(0, True, ADA, LEEDS)
    times = [one, one._replace(candidate=one.candidate._replace(truth=False))]
    assert gate.match(times, never) == gate.Matching()


def test_a_curve_is_read_as_it_was_stored() -> None:
    one = Curve("P19", 960, 0.61234567, "labels", True, True)
    assert Curve.of(one.as_json() | {"of another version": 1}) == one._replace(area=0.6123)
