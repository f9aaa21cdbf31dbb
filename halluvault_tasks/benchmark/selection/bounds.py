"""What a suite is to be made of: shares of its questions that a feature is to have at least, or may have at most."""

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from halluvault_tasks.benchmark.selection.features import Feature


class ShareBound(NamedTuple):
    """The share of a suite's questions that each value of a feature is to have.

    Attributes:
        feature: its name (`features.FEATURES`, or of a group).
        of: values that it is about, `*` for anything within them; none: each that there is.
        at_least: from 0 to 1; a floor.
        at_most: the same; a ceiling.
    """

    feature: str
    of: tuple[str, ...] = ()
    at_least: float = 0.0
    at_most: float = 1.0


class BoundStanding(NamedTuple):
    """How a suite stands to one bound.

    Attributes:
        feature, value: what it is about.
        share: of the questions.
        at_least, at_most: what is wanted.
    """

    feature: str
    value: str
    share: float
    at_least: float
    at_most: float

    @property
    def held(self) -> bool:
        """Whether the share is as wanted."""
        return self.at_least <= self.share <= self.at_most

    def __str__(self) -> str:
        floor = self.share < self.at_least or self.at_most == 1
        wanted = f"at least {self.at_least:.1%}" if floor else f"at most {self.at_most:.1%}"
        return f"{Feature(self.feature, self.value)}: {self.share:.1%} ({wanted})"


class SuiteBounds:
    """The bounds of a suite, by feature and value.

    Args:
        bounds: where two are about one value, both hold.
        there: values that each feature has, or should have: what a bound without values is about.
    """

    def __init__(self, bounds: Iterable[ShareBound], there: Iterable[Feature]) -> None:
        self._by: dict[Feature, tuple[float, float]] = {}
        each: dict[str, list[str]] = {}
        for feature in there:
            each.setdefault(feature.name, []).append(feature.value)
        for bound in bounds:
            for value in _values(bound.of, each.get(bound.feature, ())):
                low, high = self._by.get(Feature(bound.feature, value), (0.0, 1.0))
                self._by[Feature(bound.feature, value)] = max(low, bound.at_least), min(high, bound.at_most)

    def ceiling(self, feature: Feature) -> float:
        """The largest share that it may have."""
        return self._by.get(feature, (0.0, 1.0))[1]

    @property
    def floors(self) -> Mapping[Feature, float]:
        """The features that are to have a share, with it."""
        return {feature: low for feature, (low, _) in self._by.items() if low > 0}

    def standings(self, counted: Mapping[Feature, int], cases: int) -> list[BoundStanding]:
        """How a suite stands to each bound; where values have a ceiling alone, of the largest and all beyond it."""
        stand = [
            BoundStanding(*feature, counted.get(feature, 0) / cases if cases else 0.0, low, high)
            for feature, (low, high) in sorted(self._by.items())
        ]
        largest: dict[str, BoundStanding] = {}
        for one in stand:
            if one.feature not in largest or one.share > largest[one.feature].share:
                largest[one.feature] = one
        return [one for one in stand if one.at_least or not one.held or one is largest[one.feature]]


def _values(of: Collection[str], there: Collection[str]) -> set[str]:
    named = {value for value in of if "*" not in value}
    patterns = set(of) - named if of else {"*"}
    return named | {value for value in there if any(fnmatchcase(value, pattern) for pattern in patterns)}
