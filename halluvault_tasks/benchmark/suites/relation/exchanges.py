"""True facts in squares with the foils that exchange their values (`reasoning.foils`), all four in words."""

from collections import defaultdict
from collections.abc import Iterable

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.stood import Stood
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, squares, swaps
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.base import Foil, WayOfNear
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood, reach_of
from halluvault_tasks.reasoning.grounds import LicenceKind, Refusal
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.wikidata import properties as wd


class Exchanges:
    """Exchanges values between the true facts of a snapshot.

    Args:
        worder: words.
        known: what foils are drawn from.
        stood: what was asked before.
    """

    def __init__(self, worder: Worder, known: Neighbourhood, stood: Stood) -> None:
        self._worder, self._known, self._stood = worder, known, stood

    def swaps(self, facts: Iterable[Candidate], *, seed: int) -> list[Swap]:
        """Fours: first those whose false facts are shown to be so, then of what is left those that near values make.

        Args:
            facts: candidates, of which the true ones are used that a foil is drawn beside.
            seed: of the order.
        """
        true = [one for one in facts if one.truth and self.decided_by(one)]
        proved: dict[int, list[Candidate]] = defaultdict(list)
        for one in true:
            if foils.proved(self._known, _derived(one)):
                proved[self.decided_by(one)].append(one)
        found: list[Swap] = []
        for p in sorted(proved):
            # Places are in no order of age, and of those that are near an area few are next to each other.
            most = {"looked_at": len(proved[p])} if p == wd.LOCATED_IN else {}
            found += swaps(
                proved[p], self._position, self._exchanged, reach=reach_of(p), seed=seed, stood=self._stood, **most
            )
        for way in foils.NEAR:
            taken = {one.identity for four in found for one in four}
            found += self._near(way, [one for one in true if one.identity not in taken], seed)
        return found

    def decided_by(self, one: Candidate) -> int:
        """The property by whose values the fact is weighed; 0: no foil is drawn beside it."""
        if one.balanced or not isinstance(one.source, DerivedFact):
            return 0
        return foils.decided_by(self._known, one.source)

    def _position(self, one: Candidate) -> Position | None:
        p = self.decided_by(one)
        year = self._worder.index.years.get(one.subject)
        # Places and moons need not be of one age; an asteroid was found where others were at that time.
        if p == wd.LOCATED_IN or p in wd.OF_THE_SKY:
            at = float(year or 0) if p == wd.DISCOVERY_SITE else 0.0
            return Position(at, self._known.country(_derived(one), p), self._fame(one))
        if year is None:
            return None
        country = self._known.country(_derived(one), p)
        return Position(year, country, self._fame(one))

    def _fame(self, one: Candidate) -> float:
        return self._worder.index.fame.get(one.subject, 0.0)

    def _near(self, way: WayOfNear, true: Iterable[Candidate], seed: int) -> list[Swap]:
        """Squares of facts of one wording whose subjects are near, stated or concluded: each has its own no."""
        alike: dict[str, dict[tuple[int, int | None], Candidate]] = defaultdict(dict)
        for one in true:
            if way.decided_by(self._known.rules[_derived(one).rule], self._known):
                alike[one.family][one.subject, one.object] = one

        stood: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for one in true:
            if (block := self._stood.block(one)) is not None and one.object is not None:
                stood[block].append((one.subject, one.object))

        def partners(one: Candidate) -> Iterable[tuple[int, int]]:
            block = self._stood.block(one)
            again = stood[block] if block is not None else []
            return dict.fromkeys((*again, *way.partners(_derived(one), self._known)))

        def exchanged(one: Candidate, other: Candidate) -> Candidate | None:
            foil = self._again(way, one, other) or way.draw(_derived(one), _derived(other), self._known)
            return self._in_words(one, foil)

        return [
            square
            for key in sorted(alike)
            for square in squares(alike[key], partners, exchanged, seed=seed, stood=self._stood)
        ]

    def _again(self, way: WayOfNear, one: Candidate, other: Candidate) -> Foil | None:
        """The foil of two that stood in one square, be they near or not, if its "No" rests on no less than it did.

        A list that is no longer complete makes a foil of it that nobody measured: that one must be near.
        """
        rested = self._stood.one_block(one, other)
        if rested is None:
            return None
        foil = way.draw_again(_derived(one), _derived(other), self._known)
        if isinstance(foil, Refusal):
            return None
        return foil if LicenceKind.weakest((foil.licence.reason.kind, rested)) is rested else None

    def _exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        return self._in_words(one, foils.draw(self._known, _derived(one), _derived(other)))

    def _in_words(self, one: Candidate, foil: Foil | Refusal) -> Candidate | None:
        if isinstance(foil, Refusal):
            return None
        false = self._worder.candidate(one.domain, foil, self._known.rules[foil.beside.rule])
        return None if isinstance(false, Unasked) else false


def _derived(one: Candidate) -> DerivedFact:
    """What a candidate that has one deciding property asks about."""
    assert isinstance(one.source, DerivedFact)
    return one.source
