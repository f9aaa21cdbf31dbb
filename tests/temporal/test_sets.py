"""Sets of intervals on the Python side, against sets of their points."""

import json

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.temporal import sets
from halluvault_tasks.temporal.sets import Interval, IntervalSet

WINDOW = range(-12, 13)
points = st.frozensets(st.sampled_from(range(-10, 11)))


def of(found: frozenset[int]) -> IntervalSet:
    """The set as it must be: ascending, disjoint, not adjacent."""
    begun = [one for one in sorted(found) if one - 1 not in found]
    return tuple(Interval(one, next(end for end in range(one, 12) if end + 1 not in found)) for one in begun)


@given(points, st.sampled_from(range(-11, 12)))
def test_a_point_more_or_fewer_is_just_that_and_leaves_the_set_in_order(found: frozenset[int], point: int) -> None:
    assert sets.with_point(of(found), point) == of(found | {point})
    assert sets.without_point(of(found), point) == of(found - {point})
    assert {one for one in WINDOW if sets.contains(of(found), one)} == found


@given(points, st.sampled_from(range(-11, 12)))
def test_open_ends_stay_open(found: frozenset[int], point: int) -> None:
    inside = of(found)
    whole = (Interval(None, -20), *inside, Interval(20, None))
    assert sets.with_point(whole, point) == (whole[0], *sets.with_point(inside, point), whole[-1])
    assert sets.without_point(whole, point) == (whole[0], *sets.without_point(inside, point), whole[-1])
    assert sets.without_point((Interval(None, None),), point) == (Interval(None, point - 1), Interval(point + 1, None))
    assert sets.with_point((Interval(None, point - 1), Interval(point + 1, None)), point) == (Interval(None, None),)
    assert sets.from_json(json.dumps(sets.to_json(whole))) == whole
    assert list(sets.edges(whole)) == [-20, *sets.edges(inside), 20]


def test_the_edges_of_a_point_are_one() -> None:
    assert list(sets.edges((Interval(None, 3), Interval(5, 5), Interval(7, 9)))) == [3, 5, 7, 9]
