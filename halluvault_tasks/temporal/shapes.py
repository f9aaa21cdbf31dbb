"""The shapes of formulas that the generator draws from: each has an English wording with one reading.

Beyond `DEPTHS` no wording has one reading: a window inside a window would need years relative to a year that has no
name. A second event is drawn from the same story: of a thing that a statement of substance joins to the first
(`knowledge.links`), or another term of the same one; and near it in time, since common sense decides a question about
two things centuries apart.
"""

import random
from bisect import bisect_left
from collections import defaultdict

from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.history import History
from halluvault_tasks.temporal.timed import Row
from halluvault_tasks.temporal.units import Granularity

DEPTHS: dict[str, tuple[int, ...]] = {
    "": (0,),
    "F": (1, 2, 3),
    "G": (1, 2, 3),
    "N": (1, 2, 3),
    "!": (1, 2, 3, 4),
    "&": (1,),
    "|": (1,),
}
"""Depths of which each main operator has shapes."""

DEEPEST = 4

_REACH = 40  # how far apart, in places of the list by time, partners are drawn,
_APART = {Granularity.YEAR: 80, Granularity.MONTH: 480, Granularity.DAY: 7300}  # and in units
_LATEST_BEGIN = 30  # units from t to a window
_LONG = {Granularity.YEAR: (3, 12), Granularity.MONTH: (2, 5), Granularity.DAY: (3, 25)}
"""Units from a window's first to its last: strangers found 20 years trivial, and months of two years arbitrary."""


class Shapes:
    """Draws formulas over the atoms of a history.

    Args:
        history: the atoms.
        links: which things belong together; None: all of them do.
        seed: of the choice of partners.
    """

    def __init__(self, history: History, links: Links | None = None, seed: int = 0) -> None:
        self._links, self._seed = links, seed
        self._atoms = history.atoms
        self._unit = history.granularity
        self._of: dict[int, list[str]] = defaultdict(list)
        self._by_domain: dict[str, list[str]] = defaultdict(list)
        for name, atom in history.atoms.items():
            self._of[atom.qid].append(name)
            if atom.domain is not None:
                self._by_domain[atom.domain].append(name)
        middles = ((_middle(atom.timed.rows), name) for name, atom in history.atoms.items())
        placed = sorted((middle, name) for middle, name in middles if middle is not None)
        self._moments = [moment for moment, _ in placed]
        self._placed = [name for _, name in placed]
        self._moment = {name: moment for moment, name in placed}

    def names(self, domain: str) -> list[str]:
        """Names of a domain's atoms, sorted."""
        return sorted(self._by_domain.get(domain, ()))

    def make(self, operator: str, first: str, depth: int, rng: random.Random) -> f.Formula | None:
        """A formula with this main operator, of just this depth, and `first` as its first atom.

        Args:
            operator: symbol; empty for the atom itself.
            first: name of an atom.
            depth: one of `DEPTHS[operator]`.
            rng: source of every choice.

        Returns:
            The formula, or None where this atom does not carry such a shape.
        """
        match operator:
            case "":
                return None if self._asked_already(first) else f.Atom(first)
            case "F" | "G" | "N":
                return self._later(operator, first, depth, rng)
            case "!" if depth == 1:
                return None if self._asked_already(first) else f.Not(f.Atom(first))
            case "!":
                inner = self.make(_carrier("FGN&|", depth - 1, rng), first, depth - 1, rng)
                return None if inner is None else f.Not(inner)
            case _:
                return self._pair(f.And if operator == "&" else f.Or, first, rng)

    def _asked_already(self, name: str) -> bool:
        """The year of what happens once is asked about in the suite relation, in the same words."""
        return self._unit is Granularity.YEAR and self._atoms[name].kind.once

    def _is_state(self, name: str) -> bool:
        return self._atoms[name].kind.lasts

    def _partner(self, first: str, rng: random.Random, alike: bool = False) -> str | None:
        """Another atom of the story that lies near in time; `alike`: one of which the same is said."""
        if first not in self._moment:
            return None
        near = [
            name
            for name in self._story(first)
            if name in self._moment
            and abs(self._moment[name] - self._moment[first]) <= _APART[self._unit]
            and (not alike or self._atoms[name].kind is self._atoms[first].kind)
        ]
        # By the pair alone: who else is near does not matter to it.
        key = rng.getrandbits(32)
        return min(near, key=lambda name: drawn(self._seed, key, first, name), default=None)

    def _story(self, first: str) -> list[str]:
        """Atoms of what belongs together with an atom's item, sorted."""
        mine = self._atoms[first]
        if self._links is None:
            place = bisect_left(self._moments, self._moment[first])
            around = self._placed[max(0, place - _REACH) : place + _REACH]
            return [name for name in around if self._atoms[name].qid != mine.qid]
        return sorted(name for qid in self._links.joined(mine.qid) for name in self._of.get(qid, ()))

    def _pair(self, joined: type[f.And | f.Or], first: str, rng: random.Random) -> f.Formula | None:
        if not self._atoms[first].kind.paired:
            return None
        partner = self._partner(first, rng, alike=True)
        return None if partner is None else joined(f.Atom(first), f.Atom(partner))

    def _later(self, operator: str, first: str, depth: int, rng: random.Random) -> f.Formula | None:
        inner = self._inside(operator, first, depth, rng)
        if inner is None:
            return None
        if operator == "N":
            return f.Next(inner)
        window = self._window(rng, decade=not self._is_state(first))
        return (f.Finally if operator == "F" else f.Globally)(*window, inner)

    def _inside(self, operator: str, first: str, depth: int, rng: random.Random) -> f.Formula | None:
        """What stands inside F, G or N: an atom or two, or their denial.

        What lasts throughout a window is one state or both of two; that there was a time without it denies that. Within
        a window one event happened, or one of two.
        """
        if operator == "N" and self._asked_already(first):
            return None
        lasts = self._atoms[first].kind.throughout
        if depth == 1:
            return f.Atom(first) if lasts or operator != "G" else None
        denied = _denied(operator, depth, lasts, rng)
        if denied is None:
            return None
        if depth == 2 and denied:
            return f.Not(f.Atom(first))
        pair = self._pair(_joined(operator, denied, rng), first, rng)
        if pair is None:
            return f.Not(f.Atom(first)) if depth == 2 and (operator != "F" or lasts) else None
        return f.Not(pair) if denied else pair

    def _window(self, rng: random.Random, *, decade: bool = False) -> tuple[int, int]:
        begin = rng.randint(1, _LATEST_BEGIN)
        by_decade = decade and self._unit is Granularity.YEAR
        return begin, begin + (9 if by_decade else rng.randint(*_LONG[self._unit]))


def _throughout(operator: str, denied: bool) -> bool:
    """Whether what is said inside an operator, or denied there, is said of every unit of the window."""
    return operator != "N" and (operator == "G") != denied


def _denied(operator: str, depth: int, lasts: bool, rng: random.Random) -> bool | None:
    """Whether what stands inside an operator is a denial; None where this depth has nothing to say of it."""
    denied = depth == 3 or rng.random() < 1 / 3
    if lasts or not _throughout(operator, denied):
        return denied
    return None if depth == 3 else not denied


def _joined(operator: str, denied: bool, rng: random.Random) -> type[f.And | f.Or]:
    if operator == "N":
        return rng.choice((f.And, f.Or))
    return f.And if _throughout(operator, denied) else f.Or


def _carrier(operators: str, depth: int, rng: random.Random) -> str:
    """One of the operators that has a shape of this depth."""
    return rng.choice([operator for operator in operators if depth in DEPTHS[operator]])


def _middle(rows: tuple[Row, ...]) -> int | None:
    """A moment to sort by: the mean of the finite ends of the first row."""
    ends = [end for end in rows[0] if end is not None]
    return sum(ends) // len(ends) if ends else None
