"""What the licensed classes offer on one snapshot, worked out when it is first asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from halluvault_tasks.reasoning.measuring.classes import MeasuredClass
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME, of_relation
from halluvault_tasks.reasoning.measuring.offers import Offers, near_subjects, offers
from halluvault_tasks.reasoning.measuring.recorded import StatedItems
from halluvault_tasks.reasoning.world.lists import Lists
from halluvault_tasks.wikidata.relation import Relation

_NEAREST = 12  # lists of a property that values are exchanged with
_SHOWN = 8  # values of a subject that a proof shows beside the one that the foil stands beside


class Measures:
    """The classes of foils of one snapshot.

    Args:
        classes: at most one of a relation; those that may be asked, or that a sheet is drawn from.
        load: reads what the snapshot states about some relations; asked once, and never where nothing is licensed.
        lists: complete lists, beside which near values are drawn, too (`foils.listed`).
    """

    def __init__(
        self,
        classes: Iterable[MeasuredClass],
        load: Callable[[Sequence[Relation]], StatedItems] | None,
        lists: Lists = Lists(),
    ) -> None:
        self._lists = lists
        self._near: dict[int, Mapping[int, Sequence[int]]] = {}
        self._classes: Mapping[Relation, MeasuredClass] = {one.relation: one for one in classes}
        self._load = load
        self._offers: dict[Relation, Offers] = {}

    def licensed(self, relation: Relation) -> MeasuredClass | None:
        """The class by which foils of a relation may be asked; None: there is none."""
        return self._classes.get(relation)

    def partners(self, relation: Relation, s: int, o: int) -> Sequence[tuple[int, int]]:
        """True facts (subject, object) each of which may exchange objects with this one."""
        return self._of(relation).partners(s, o) if relation in self._classes else ()

    def allows(self, relation: Relation, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether a true fact's subject may be asked with the object of another, near or not."""
        return relation in self._classes and self._of(relation).allows(one, other)

    def asked(self) -> set[tuple[int, int]]:
        """Ends (subject, object) of the facts that may exchange objects with another, of every class."""
        return {ends for relation in self._classes for ends in self._of(relation).asked}

    def beside(self, relation: Relation, s: int) -> Sequence[int]:
        """Statements of what a subject has for a relation, some of them where there are many."""
        return self._recorded.statements(relation, s, _SHOWN)

    def near_lists(self, p: int, s: int) -> Sequence[int]:
        """Of the subjects whose objects are all known those that are nearest to one of them."""
        if p not in self._near:
            self._near[p] = self._nearest(p, sorted(s for q, s in self._lists.of if q == p))
        return self._near[p].get(s, ())

    def _nearest(self, p: int, subjects: Sequence[int]) -> Mapping[int, Sequence[int]]:
        nearness = of_relation(Relation.of(p))
        if nearness is None or len(subjects) < 2:
            return {}
        near = near_subjects(self._recorded, nearness, np.array(subjects), _NEAREST)
        return {s: [subjects[other] for other in near[at].indices] for at, s in enumerate(subjects)}

    def _of(self, relation: Relation) -> Offers:
        if relation not in self._offers:
            self._offers[relation] = offers(self._recorded, BY_NAME[self._classes[relation].near], relation).exchanges
        return self._offers[relation]

    @cached_property
    def _recorded(self) -> StatedItems:
        assert self._load is not None
        return self._load(sorted(self._classes.keys() | set(map(Relation.of, self._lists.properties))))
