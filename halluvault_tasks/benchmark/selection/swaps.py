"""Two true facts and the same two with their values exchanged, near each other: what words alone cannot tell apart.

A wrong value drawn from anywhere is often absurd (a father from another century, a town on another continent) and then
decided without knowledge. Exchanged between two people of one time and, where there are such, of one country, it fits
as well as the true one; and every subject and every value is asked about as often for a yes as for a no.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from operator import itemgetter
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.stood import NOTHING, Stood
from halluvault_tasks.statistics.seeds import drawn

Swap = tuple[Candidate, Candidate, Candidate, Candidate]

_LOOKED_AT = 40  # by default, so that work grows with the number of facts only


class Position(NamedTuple):
    """Where a fact stands among those that it could be exchanged with.

    Attributes:
        at: year of the subject, or a number: near is like.
        place: country or the like; the same one is nearer than any other.
        fame: of the subject, as a logarithm: the unknown are not exchanged with the famous where it can be helped.
    """

    at: float
    place: int = 0
    fame: float = 0.0


def swaps(
    facts: Iterable[Candidate],
    position: Callable[[Candidate], Position | None],
    exchanged: Callable[[Candidate, Candidate], Candidate | None],
    *,
    reach: float,
    seed: int,
    stood: Stood = NOTHING,
    looked_at: int = _LOOKED_AT,
) -> list[Swap]:
    """Pair true facts of one wording.

    Args:
        facts: true ones.
        position: of a fact; None: it is in no quad.
        exchanged: the first fact with the value of the second, if that is licensed as false and can be asked.
        reach: how far apart two positions may be.
        seed: of the order.
        stood: what was asked before: two that stood in one block are paired again.
        looked_at: neighbours on either side whose exchange is tried.

    Returns:
        Fours: two true, then the two with exchanged values. No fact is in two of them.
    """
    families: dict[str, list[tuple[Position, Candidate]]] = defaultdict(list)
    for one in facts:
        if (at := position(one)) is not None:
            families[one.family].append((at, one))

    def paired(placed: Sequence[tuple[Position, Candidate]]) -> list[Swap]:
        ordered = sorted(placed, key=lambda one: (one[0].at, one[0].place, one[1].identity))
        return _of_family(ordered, exchanged, reach, seed, looked_at)

    found: list[Swap] = []
    for family in sorted(families):
        found += stood.first(families[family], paired, itemgetter(1))
    return found


_TRIED = 16  # partners of a fact, drawn among those that are near, so that work grows with the number of facts only


def squares(
    facts: Mapping[tuple[int, int | None], Candidate],
    partners: Callable[[Candidate], Iterable[tuple[int, int]]],
    exchanged: Callable[[Candidate, Candidate], Candidate | None],
    *,
    seed: int,
    stood: Stood = NOTHING,
) -> list[Swap]:
    """Pair true facts with near ones, drawn evenly from all that are near.

    Which two are tried first depends on the two alone, so that what comes or goes elsewhere leaves most squares as they
    were (semantics.md A7).

    Args:
        facts: true ones of one wording, by subject and object.
        partners: subjects and objects of the facts that are near to one.
        exchanged: the first fact with the value of the second, if that may be asked as false.
        seed: of the order.
        stood: what was asked before: two that stood in one block are paired again.

    Returns:
        Fours: two true, then the two with exchanged values. No fact is in two of them.
    """

    def paired(several: Sequence[Candidate]) -> list[Swap]:
        return _drawn_squares({(one.subject, one.object): one for one in several}, partners, exchanged, seed)

    return stood.first(list(facts.values()), paired, lambda one: one)


def _drawn_squares(
    facts: Mapping[tuple[int, int | None], Candidate],
    partners: Callable[[Candidate], Iterable[tuple[int, int]]],
    exchanged: Callable[[Candidate, Candidate], Candidate | None],
    seed: int,
) -> list[Swap]:
    drawn_pairs: dict[str, tuple[Candidate, Candidate]] = {}
    for ends in sorted(facts, key=str):
        one = facts[ends]
        near = (facts[at] for at in partners(one) if at in facts)
        keyed = ((drawn(seed, "square", *sorted(map(str, (one.identity, other.identity)))), other) for other in near)
        drawn_pairs |= {key: (one, other) for key, other in nsmallest(_TRIED, keyed, key=itemgetter(0))}
    taken: set[tuple[object, ...]] = set()
    found: list[Swap] = []
    for _, pair in sorted(drawn_pairs.items()):
        one, two = sorted(pair, key=lambda each: str(each.identity))
        if not taken.isdisjoint((one.identity, two.identity)) or set(_ends(one)) & set(_ends(two)):
            continue
        three = exchanged(one, two)
        four = exchanged(two, one) if three else None
        if three and four and one.family == three.family == four.family:
            found.append((one, two, three, four))
            taken |= {one.identity, two.identity}
    return found


def _of_family(
    placed: list[tuple[Position, Candidate]],
    exchanged: Callable[[Candidate, Candidate], Candidate | None],
    reach: float,
    seed: int,
    looked_at: int,
) -> list[Swap]:
    moments = [at.at for at, _ in placed]
    taken: set[int] = set()
    found: list[Swap] = []
    for index in sorted(range(len(placed)), key=lambda n: drawn(seed, "quad", *placed[n][1].identity)):
        if index in taken:
            continue
        here, one = placed[index]
        first = max(index - looked_at, bisect_left(moments, here.at - reach))
        near = [
            other
            for other in range(first, min(len(placed), index + looked_at + 1))
            if other != index and other not in taken and abs(placed[other][0].at - here.at) <= reach
        ]
        near.sort(key=lambda n: (_distance(here, placed[n][0], reach), placed[n][1].identity))
        for other in near:
            two = placed[other][1]
            if set(_ends(one)) & set(_ends(two)):
                continue
            three = exchanged(one, two)
            four = exchanged(two, one) if three else None
            if three and four and one.family == three.family == four.family:
                found.append((one, two, three, four))
                taken |= {index, other}
                break
    return found


def _ends(one: Candidate) -> tuple[int, ...]:
    return (one.subject,) if one.object is None else (one.subject, one.object)


def _distance(one: Position, other: Position, reach: float) -> float:
    apart = abs(one.at - other.at) / reach if reach else 0.0
    return apart + (0.0 if one.place and one.place == other.place else 1.0) + abs(one.fame - other.fame) / 4
