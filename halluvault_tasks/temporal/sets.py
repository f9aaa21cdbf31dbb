"""Interval sets on the Python side: read from Prolog, queried, written as JSON. The algebra is Prolog's."""

import json
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias


class Interval(NamedTuple):
    """A closed interval of units; `first` None has no beginning (`inf`), `last` None no end (`sup`)."""

    first: int | None
    last: int | None


IntervalSet: TypeAlias = tuple[Interval, ...]
"""Ascending, disjoint, not adjacent."""


def contains(intervals: IntervalSet, point: int) -> bool:
    """Whether a point lies in the set."""
    return any((i.first is None or i.first <= point) and (i.last is None or point <= i.last) for i in intervals)


def edges(intervals: IntervalSet) -> Iterator[int]:
    """All finite first and last points, ascending."""
    for interval in intervals:
        for end in dict.fromkeys(interval):
            if end is not None:
                yield end


def to_json(intervals: IntervalSet) -> list[list[int | str]]:
    """`[[a, b], …]`, open ends as "inf" and "sup"."""
    return [["inf" if i.first is None else i.first, "sup" if i.last is None else i.last] for i in intervals]


def from_json(text: str) -> IntervalSet:
    """Read what `to_json` gives, as text."""
    return tuple(
        Interval(None if first == "inf" else first, None if last == "sup" else last) for first, last in json.loads(text)
    )


def with_point(intervals: IntervalSet, point: int) -> IntervalSet:
    """The set with one point more."""
    if contains(intervals, point):
        return intervals
    before = [i for i in intervals if i.last is not None and i.last < point]
    after = list(intervals[len(before) :])
    first: int | None = point
    last: int | None = point
    if before and before[-1].last == point - 1:
        first = before.pop().first
    if after and after[0].first == point + 1:
        last = after.pop(0).last
    return (*before, Interval(first, last), *after)


def without_point(intervals: IntervalSet, point: int) -> IntervalSet:
    """The set with one point fewer."""
    kept: list[Interval] = []
    for interval in intervals:
        if not contains((interval,), point):
            kept.append(interval)
            continue
        if interval.first != point:
            kept.append(Interval(interval.first, point - 1))
        if interval.last != point:
            kept.append(Interval(point + 1, interval.last))
    return tuple(kept)
