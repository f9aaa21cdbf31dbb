"""The gate of propensity: no part is frozen whose false facts look false to somebody who does not know them.

Of each family of many pairs, and of all together, a cross-fitted model says by four figures (`resemblance`) how true a
pair looks; the area under its curve must lie near one half (semantics.md §3.5). Squares exchange values between near
subjects and so are matched by design; where a family leans all the same, the blocks that tell most are not asked, until
it does not, and counted. A family that takes too many of them refuses the part.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.selection.balance import Block, Chosen
from halluvault_tasks.benchmark.selection.propensity.curve import PairSample, area, propensity, strongest, telling
from halluvault_tasks.benchmark.selection.propensity.resemblance import FIGURES, AskedPair, Resemblance
from halluvault_tasks.wikidata.relation import Relation

ALL = "all"
"""What stands for all families together."""


class AreaBounds(NamedTuple):
    """Where an area must lie, and where matching brings it to, so that the next fit finds it within, too."""

    low: float
    high: float
    inner_low: float
    inner_high: float

    def closer(self) -> "AreaBounds":
        """With the inner bounds for the outer ones."""
        return AreaBounds(self.inner_low, self.inner_high, self.inner_low, self.inner_high)


OF_FAMILY, OF_ALL = AreaBounds(0.40, 0.60, 0.43, 0.57), AreaBounds(0.45, 0.55, 0.46, 0.54)

PAIRS = 400
"""Pairs of a family from which on it is held to its bounds."""

PAIRS_OF_ALL = 200
"""The same of all together: of fewer the area is off by .04 by chance alone."""

_TOLD = 100
"""Pairs from which on its area is told."""

MOST_GONE = 0.8
"""Share of a family's blocks that matching may take."""

_ROUNDS = 8  # matchings of one family; each is fitted anew


class Curve(NamedTuple):
    """What the propensity of a family tells.

    Attributes:
        family: kind of rule, main operator or property; `ALL`.
        pairs: facts that it was measured on, true and false.
        area: under the curve: how often a true pair looks truer than a false one, cross-fitted.
        goes_by: what tells most.
        held: whether the gate holds it to its bounds: of few pairs the figure is told alone.
        over: beyond them.
    """

    family: str
    pairs: int
    area: float
    goes_by: str = ""
    held: bool = False
    over: bool = False

    def as_json(self) -> dict[str, Any]:
        """As it is stored in a benchmark's counts."""
        return self._asdict() | {"area": round(self.area, 4)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Out of a part's counts, whichever version wrote it."""
        return cls(**{name: stored[name] for name in cls._fields if name in stored})


class Matching(NamedTuple):
    """What the gate found.

    Attributes:
        curves: of all and of each family, as it is chosen.
        telling: numbers of the blocks (`Chosen.block`) without which every family is within its bounds, as far as it
            may give them up.
    """

    curves: tuple[Curve, ...] = ()
    telling: frozenset[int] = frozenset()

    @property
    def held(self) -> frozenset[str]:
        """The families that the gate holds to their bounds."""
        return frozenset(one.family for one in self.curves if one.held)


def matched(
    blocks: Sequence[Block], resemblance: Callable[[], Resemblance], stood: Collection[str] = ()
) -> list[Block]:
    """What a month can ask without the blocks that tell most, so that what is chosen of the rest hardly leans.

    Args:
        blocks: all that a suite can ask.
        resemblance: reads what figures are made of.
        stood: groups that were asked before: of what must go they go last (semantics.md §3.4).
    """
    groups = [Chosen(one, 0, number, block.licence) for number, block in enumerate(blocks) for one in block.candidates]
    gone = match(groups, resemblance, stood=stood, closer=True).telling
    return [block for number, block in enumerate(blocks) if number not in gone]


def match(
    chosen: Sequence[Chosen],
    resemblance: Callable[[], Resemblance],
    held: frozenset[str] = frozenset(),
    *,
    stood: Collection[str] = (),
    closer: bool = False,
) -> Matching:
    """Measure what is chosen, and say which blocks are to go.

    Args:
        chosen: groups of one suite.
        resemblance: reads what figures are made of; asked only where there is a pair to measure.
        held: families that were held before some of their blocks went: they stay so, however few are left.
        stood: groups that were asked before: of what must go they go last.
        closer: bring families as near to one half as matching aims at, whether they are within their bounds or not.
    """
    asked = _pairs(chosen)
    if not asked:
        return Matching()
    sample = PairSample(
        resemblance().figures([pair for _, pair in asked]),
        np.array([one.candidate.truth for one, _ in asked]),
        np.array([one.block for one, _ in asked]),
        np.array([(pair.s, pair.o) for _, pair in asked]),
    )
    of_pair = [{ALL, *_families(one.candidate)} for one, _ in asked]
    curves: list[Curve] = []
    gone: set[int] = set()
    last = {one.block for one, _ in asked if one.candidate.group in stood}
    # Families first: what they give up may bring all together within its bounds.
    for name in sorted(set().union(*of_pair), key=lambda name: (name == ALL, name)):
        mine = sample.take(np.array([name in names for names in of_pair]))
        if mine.size < _TOLD and name not in held:
            continue
        curve = _curve(name, mine, held=name in held or mine.size >= (PAIRS_OF_ALL if name == ALL else PAIRS))
        curves.append(curve)
        if curve.over or (closer and curve.held):
            bounds = _bounds(name).closer() if closer else _bounds(name)
            gone |= _telling(mine.take(~np.isin(mine.blocks, sorted(gone))), bounds, last)
    return Matching(tuple(curves), frozenset(gone))


def check(curves: Iterable[Curve], gone: int) -> None:
    """Refuse a part whose pairs look as true or false as they are.

    Args:
        curves: of what is chosen.
        gone: groups that matching took before.

    Raises:
        PartRefused: names the family, its area and what it goes by.
    """
    over = sorted((one for one in curves if one.over), key=lambda one: (-abs(one.area - 0.5), one.family))
    if not over:
        return
    worst, bounds = over[0], _bounds(over[0].family)
    raise PartRefused(
        f"what is false looks false: of {worst.family} ({worst.pairs} pairs) a true pair looks truer than a false one "
        f"to somebody who knows neither in {worst.area:.1%}; {bounds.low:.0%} to {bounds.high:.0%} may be. Matching "
        f"took {gone} facts and did not bring it there. It goes by {worst.goes_by}",
        "draw its foils nearer (config/measured.yaml), or lower its share in config/benchmark.yaml",
    )


def _pairs(chosen: Sequence[Chosen]) -> list[tuple[Chosen, AskedPair]]:
    """The pairs of items that are asked; none that a block asks as true and as false, by time or turned round."""
    found = [(one, pair) for one in chosen if not one.candidate.balanced and (pair := _pair(one.candidate))]
    told: dict[tuple[int, AskedPair], set[bool]] = {}
    for one, pair in found:
        told.setdefault((one.block, pair), set()).add(one.candidate.truth)
    kept = [(one, pair) for one, pair in found if len(told[one.block, pair]) == 1]
    subjects: dict[int, set[int]] = {}
    for one, pair in kept:
        subjects.setdefault(one.block, set()).add(pair.s)
    return [(one, pair._replace(beside=frozenset(subjects[one.block]))) for one, pair in kept]


def _pair(one: Candidate) -> AskedPair | None:
    if one.object is None:
        return None
    if isinstance(one.source, str):
        return AskedPair(Relation.of(one.pid), one.subject, one.object) if one.pid else None
    return AskedPair(one.base.relation, one.base.s, one.base.end)


def _families(one: Candidate) -> tuple[str, ...]:
    """As figures are grouped: by kind, true and wrong values of a property together, and by property."""
    return one.kind.partition(".")[0], one.about


def _bounds(family: str) -> AreaBounds:
    return OF_ALL if family == ALL else OF_FAMILY


def _telling(sample: PairSample, bounds: AreaBounds, last: Collection[int]) -> set[int]:
    """Blocks without which a sample lies within its bounds, as far as as many may go."""
    gone: set[int] = set()
    most = int(MOST_GONE * len(set(sample.blocks.tolist())))
    for _ in range(_ROUNDS):
        left = sample.take(~np.isin(sample.blocks, sorted(gone)))
        scores = propensity(left)
        if bounds.low <= area(scores, left.truth) <= bounds.high:
            break
        more = telling(left, scores, bounds.inner_low, bounds.inner_high, last).tolist()
        if len(gone) + len(more) > most:
            break
        gone.update(more)
    return gone


def _curve(family: str, sample: PairSample, *, held: bool) -> Curve:
    found, bounds = area(propensity(sample), sample.truth), _bounds(family)
    over = held and not bounds.low <= found <= bounds.high
    return Curve(family, sample.size, found, strongest(sample, FIGURES), held, over)
