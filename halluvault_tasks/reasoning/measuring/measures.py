"""What the licensed classes offer on one snapshot, worked out when it is first asked for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from halluvault_tasks.reasoning.measuring.classes import MeasuredClass, MeasuredFile
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.reasoning.measuring.offers import Offers, offers
from halluvault_tasks.reasoning.measuring.recorded import StatedItems

_SHOWN = 8  # values of a subject that a proof shows beside the one that the foil stands beside


class Measures:
    """The licensed classes of one snapshot.

    Args:
        file: what was measured and read.
        load: reads what the snapshot states about some properties; asked once, and never where nothing is licensed.
    """

    def __init__(self, file: MeasuredFile, load: Callable[[Sequence[int]], StatedItems] | None) -> None:
        self._classes: Mapping[int, MeasuredClass] = {one.relation: one for one in file.licensed}
        self._load = load
        self._offers: dict[int, Offers] = {}

    def licensed(self, p: int) -> MeasuredClass | None:
        """The class by which foils of a property may be asked; None: there is none."""
        return self._classes.get(p)

    def partners(self, p: int, s: int, o: int) -> Sequence[tuple[int, int]]:
        """True facts (subject, object) each of which may exchange objects with this one."""
        return self._of(p).partners(s, o) if p in self._classes else ()

    def beside(self, p: int, s: int) -> Sequence[int]:
        """Statements of what a subject has for a property, some of them where there are many."""
        return self._recorded.statements(p, s)[:_SHOWN]

    def _of(self, p: int) -> Offers:
        if p not in self._offers:
            self._offers[p] = offers(self._recorded, BY_NAME[self._classes[p].near], p)
        return self._offers[p]

    @cached_property
    def _recorded(self) -> StatedItems:
        assert self._load is not None
        return self._load(sorted(self._classes))
