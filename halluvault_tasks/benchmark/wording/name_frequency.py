"""Names that do not identify anybody by themselves: common names of people, and people whom few have heard of.

A snapshot has few of the people called Brian Jones, but it shows how common "Brian" and "Jones" are. Such a name is
given with the description in apposition (by `identifying_names`), or is not asked about (semantics.md §3.4, §3.7).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from halluvault_tasks.wikidata.names import fold

_PEOPLE = 5_000_000
"""People whom encyclopaedias might have an article on: about half of the people in Wikidata."""

_OF_ONE_WORD = 10.0  # Mako: only the best known are identified by a single word
_LEAST = 4  # product of two counts, from which on a small snapshot says that both names are common
_MANY = 100  # things of a sort below which nothing is known of how well known one is beside the others
LITTLE_KNOWN = 0.6
"""Share of the things of one sort, by how well known they are, that a name alone does not identify."""

LITTLE_KNOWN_PEOPLE = 0.75
"""The same of people: even heads of government share their names with others whom a snapshot has not."""


LITTLE_KNOWN_TOWNS = 0.95
"""The same of towns of a US state and the like that are called by one word where it is asked where they lie: there are
two Claremonts."""

LITTLE_KNOWN_MOONS = 0.1
"""The same of moons: a moonlet has a nickname such as Sikorsky."""


class Namesakes:
    """How common the names of a snapshot's people are.

    Args:
        names: of all people.
    """

    def __init__(self, names: Iterable[str]) -> None:
        parts = [fold(name).split() for name in names]
        self._first = Counter(several[0] for several in parts if len(several) > 1)
        self._last = Counter(several[-1] for several in parts if len(several) > 1)
        self._people = sum(self._first.values())

    def expected(self, name: str) -> float:
        """How many people would have a two-word name if first and last names were independent; 0 for longer names."""
        parts = fold(name).split()
        if len(parts) == 1:
            return _OF_ONE_WORD
        if len(parts) != 2 or not self._people:
            return 0.0
        together = self._first[parts[0]] * self._last[parts[1]]
        return _PEOPLE * together / self._people**2 if together >= _LEAST else 0.0


class Renown:
    """How well known the things of one sort are, beside each other.

    Args:
        several: the things.
        fame: how well known, as a logarithm.
        little: the share of them that is little known.
    """

    def __init__(self, several: Collection[int], fame: Mapping[int, float], little: float = LITTLE_KNOWN) -> None:
        self._fame, self._of = fame, frozenset(several)
        self._known = sorted(fame.get(qid, 0.0) for qid in several)
        self._enough = len(self._known) >= _MANY
        self._little = self._known[int(little * len(self._known))] if self._enough else 0.0

    def little_known(self, qid: int) -> bool:
        """Whether it is one of them, and of the share that is known least."""
        return qid in self._of and self._fame.get(qid, 0.0) < self._little

    def as_known(self, qid: int) -> float:
        """The share of them that are at least as well known, itself included; 1 where too few are there to tell."""
        if not self._enough:
            return 1.0
        return 1 - bisect_left(self._known, self._fame.get(qid, 0.0)) / len(self._known)
