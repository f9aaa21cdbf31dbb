"""True facts in squares with the foils that exchange their values (`reasoning.foils`), all four in words."""

from collections.abc import Iterable

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood, reach_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.records import DerivedFact


class Exchanges:
    """Exchanges values between the true facts of a snapshot.

    Args:
        worder: words.
        known: what foils are drawn from.
    """

    def __init__(self, worder: Worder, known: Neighbourhood) -> None:
        self._worder, self._known = worder, known

    def swaps(self, facts: Iterable[Candidate], *, seed: int) -> list[Swap]:
        """Fours of all families that have exactly one value.

        Args:
            facts: candidates of which the true ones of such families are used.
            seed: of the order.
        """
        by_reach: dict[float, list[Candidate]] = {}
        for one in facts:
            if one.truth and self.decided_by(one):
                by_reach.setdefault(reach_of(_derived(one).relation.pid), []).append(one)
        found: list[Swap] = []
        for reach in sorted(by_reach):
            found += swaps(by_reach[reach], self._position, self._exchanged, reach=reach, seed=seed)
        return found

    def decided_by(self, one: Candidate) -> int:
        """The property whose single value decides the fact; 0: none does."""
        if one.balanced or not isinstance(one.source, DerivedFact):
            return 0
        return foils.decided_by(self._known, one.source)

    def _position(self, one: Candidate) -> Position | None:
        year = self._worder.index.years.get(one.subject)
        if year is None:
            return None
        country = self._known.country(_derived(one), self.decided_by(one))
        return Position(year, country, self._worder.index.fame.get(one.subject, 0.0))

    def _exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        foil = foils.draw(self._known, _derived(one), _derived(other))
        if isinstance(foil, Refusal):
            return None
        false = self._worder.candidate(one.domain, foil, self._known.rules[foil.beside.rule])
        return None if isinstance(false, Unasked) else false


def _derived(one: Candidate) -> DerivedFact:
    """What a candidate that has one deciding property asks about."""
    assert isinstance(one.source, DerivedFact)
    return one.source
