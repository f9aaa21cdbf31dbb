"""Who and what of a snapshot bears a name, and how two of its things stand to each other; read once for many."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from halluvault_tasks.reading.open_answer import likeness
from halluvault_tasks.reading.open_answer.likeness import key
from halluvault_tasks.reasoning.classes import TOWN_TYPES, above, below
from halluvault_tasks.reasoning.world import containment, naming
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.storage.tables import statement

_PERSON = 5
_NOBODY: tuple[int, ...] = ()
_NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class KnownThings:
    """A snapshot's things by their names.

    Attributes:
        named: `likeness.key` of a label or alias, joined by blanks → who bears it, ascending.
        containment: what lies above and beside what, and of which classes things are.
        common: words that many labels hold (`naming.common_words`).
    """

    named: Mapping[str, Sequence[int]]
    containment: Containment
    common: Collection[str] = frozenset()

    def prepare(self) -> None:
        """Work out what is the same for all answers."""
        _ = self._containers, self._town_types, self.of_surname, self.containment.nested_types

    def bearers(self, name: str) -> tuple[int, ...]:
        """Who bears a name as it is said: in so many words, else without titles."""
        whole = self._of(key(name))
        return whole or self._of(likeness.bare(name))

    def _of(self, words: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.named.get(" ".join(words), _NOBODY))

    def synonyms(self, one: str, other: str) -> bool:
        """Whether two words are both names of one thing: Torino, Turin."""
        return not set(self.named.get(one, _NOBODY)).isdisjoint(self.named.get(other, _NOBODY))

    def is_person(self, qid: int) -> bool:
        """Whether it is somebody."""
        return _PERSON in self.containment.types.get(qid, _NOTHING)

    def is_place(self, qid: int) -> bool:
        """Whether it is said to lie somewhere, or that something lies in it."""
        places = self.containment
        return qid in places.inside or qid in places.countries or qid in self._containers

    @cached_property
    def _containers(self) -> frozenset[int]:
        return frozenset(high for each in self.containment.inside.values() for high in each)

    def lie_apart(self, one: int, other: int) -> bool:
        """Whether two places are shown to be two.

        They are in different countries, of a type of which none lies in another, or towns of which neither may contain
        the other.
        """
        places = self.containment
        here, there = self._countries(one), self._countries(other)
        if here and there and not any(places.related(mine, theirs) for mine in here for theirs in there):
            return True
        mine, theirs = places.types.get(one, _NOTHING), places.types.get(other, _NOTHING)
        if (mine & theirs) - places.nested_types:
            return True
        return not self._may_contain(one, other) and not self._may_contain(other, one)

    def _may_contain(self, outer: int, inner: int) -> bool:
        """Whether a place may contain another without a statement that says so.

        No town does in which nothing is said to lie, nor one beside which the other is said to lie somewhere else.
        """
        if self.containment.types.get(outer, _NOTHING).isdisjoint(self._town_types):
            return True
        return outer in self._containers and inner not in self.containment.inside

    @cached_property
    def _town_types(self) -> frozenset[int]:
        return below(TOWN_TYPES, self.containment.superclasses)

    def _countries(self, place: int) -> frozenset[int]:
        """The countries that a place is said to be in."""
        stated = frozenset(self.containment.countries.get(place, {}))
        own = self.containment.place_of(place).country
        return stated or (frozenset({own}) if own else stated)

    def is_kind_of(self, qid: int, klass: int) -> bool:
        """Whether a class says what a thing is, directly or from above: a city, of Turin."""
        direct = self.containment.types.get(qid, _NOTHING)
        return klass in direct or any(self.is_class_above(one, klass) for one in direct)

    def is_class_above(self, lower: int, upper: int) -> bool:
        """Whether a class lies above another."""
        return upper in above(self.containment.superclasses, lower)

    @cached_property
    def of_surname(self) -> Mapping[str, Sequence[int]]:
        """Last word of a person's label or alias → who bears it."""
        found: dict[str, set[int]] = defaultdict(set)
        for name, qids in self.named.items():
            last = name.rpartition(" ")[2]
            for qid in qids:
                if self.is_person(qid):
                    found[last].add(qid)
        return {last: tuple(sorted(qids)) for last, qids in found.items()}


def of_rows(rows: Iterable[Row[Any]], places: Containment) -> KnownThings:
    """A snapshot's things by their names.

    Args:
        rows: `naming.entities`.
        places: of the same snapshot.
    """
    found: dict[str, list[int]] = defaultdict(list)
    labels: list[tuple[str, ...]] = []
    for row in rows:
        if not row.label:
            continue
        own = {key(row.label), *map(key, row.aliases)}
        bare = row.label.partition(" (")[0]
        own |= {key(bare)} if bare != row.label else set()
        labels.append(key(row.label))
        for words in own:
            found[" ".join(words)].append(row.qid)
    found.pop("", None)
    return KnownThings({name: tuple(sorted(qids)) for name, qids in found.items()}, places, naming.common_words(labels))


_read: WeakKeyDictionary[Session, dict[str, KnownThings]] = WeakKeyDictionary()
"""A snapshot never changes, and a stage judges all its responses by one session."""


def load(session: Session, snapshot: str) -> KnownThings:
    """The things of a snapshot; those that the session last asked for are kept as long as it is.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
    """
    kept = _read.setdefault(session, {})
    if snapshot not in kept:
        kept.clear()
        rows = naming.entities(session, snapshot)
        kept[snapshot] = of_rows(rows, containment.load(session, snapshot, rows))
    return kept[snapshot]


def forget(session: Session) -> None:
    """Keep nothing of what a session read."""
    _read.pop(session, None)


def slot_values(session: Session, snapshot: str, items: Collection[int], properties: Collection[int]) -> frozenset[int]:
    """Which of some items stand at either end of a statement of one of these properties.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        items: of whom it is asked.
        properties: their numbers.
    """
    st = statement.c
    of_them = (st.snapshot == snapshot, st.kind == "item", st.p.in_(sorted(properties)))
    ends = [
        session.scalars(select(end).where(*of_them, end.in_(sorted(items))).distinct()).all() for end in (st.s, st.o)
    ]
    return frozenset(qid for each in ends for qid in each if qid is not None)
