"""The shapes of formulas that the generator draws from: each has an English wording with one reading.

Beyond `DEPTHS` no wording has one reading: a window inside a window would need years relative to a year that has no
name. A second event is drawn from those of the same story: of a thing that a statement of substance joins to the first
(`knowledge.links`), or another term of the same one; and near it in time, since a question about two things centuries
apart is decided by common sense.
"""

import random
from bisect import bisect_left
from collections import defaultdict

from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.history import History
from halluvault_tasks.temporal.timed import Row
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.temporal.verbalise import POINT_KINDS

DEPTHS: dict[str, tuple[int, ...]] = {
    "": (0,),
    "F": (1, 2, 3),
    "G": (1, 2, 3),
    "N": (1, 2, 3),
    "U": (1, 2),
    "!": (1, 2, 3, 4),
    "&": (1, 2, 3),
    "|": (1, 2, 3),
}
"""Depths of which each main operator has shapes."""

DEEPEST = 4

_REACH = 40  # how far apart, in places of the list by time, partners are drawn,
_APART = {Granularity.YEAR: 80, Granularity.MONTH: 480, Granularity.DAY: 7300}  # and in units
_LATEST_BEGIN = 30  # units from t to a window
_LONGEST = 25  # units from a window's first to its last


class Shapes:
    """Draws formulas over the atoms of a history.

    Args:
        history: the atoms.
        links: which things belong together; None: all of them do.
    """

    def __init__(self, history: History, links: Links | None = None) -> None:
        self._links = links
        self._terms = {name for name, found in history.atoms.items() if found.o is not None}
        self._of: dict[int, list[str]] = defaultdict(list)
        self._by_domain: dict[str, list[str]] = defaultdict(list)
        placed: list[tuple[int, str]] = []
        self._states: set[str] = set()
        self._about: dict[str, int] = {}
        for name, found in history.atoms.items():
            if found.domain is not None:
                self._by_domain[found.domain].append(name)
            self._about[name] = found.qid
            self._of[found.qid].append(name)
            if found.kind not in POINT_KINDS:
                self._states.add(name)
            middle = _middle(found.timed.rows)
            if middle is not None:
                placed.append((middle, name))
        placed.sort()
        self._apart = _APART[history.granularity]
        self._moments = [moment for moment, _ in placed]
        self._placed = [name for _, name in placed]
        self._moment = {name: moment for moment, name in placed}

    def names(self, domain: str) -> list[str]:
        """Names of a domain's atoms, sorted."""
        return sorted(self._by_domain.get(domain, ()))

    def make(self, operator: str, first: str, depth: int, rng: random.Random, listed: bool = True) -> f.Formula | None:
        """A formula with this main operator, of just this depth, and `first` as its first atom.

        Args:
            operator: symbol; empty for the atom itself.
            first: name of an atom.
            depth: one of `DEPTHS[operator]`.
            rng: source of every choice.
            listed: whether two clauses may be joined inside; a list inside a list has no one reading.

        Returns:
            The formula, or None where this atom does not carry such a shape.
        """
        match operator:
            case "":
                return f.Atom(first)
            case "F" | "G" | "N":
                inner = self._inside(first, depth, rng, lasting=operator == "G", listed=listed)
                if inner is None:
                    return None
                if operator == "N":
                    return f.Next(inner)
                return (f.Finally if operator == "F" else f.Globally)(*_window(rng), inner)
            case "U":
                return self._until(first, depth > 1, rng)
            case "!":
                if depth == 1:
                    return f.Not(f.Atom(first))
                inner = self.make(_carrier("FGNU&|" if listed else "FGNU", depth - 1, rng), first, depth - 1, rng)
                return None if inner is None else f.Not(inner)
            case _:
                return self._joined(operator, first, depth, rng)

    def _partner(self, first: str, rng: random.Random, states_only: bool = False) -> str | None:
        """Another atom of the story that lies near in time."""
        if first not in self._moment:
            return None
        near = [
            name
            for name in self._story(first)
            if name in self._moment
            and abs(self._moment[name] - self._moment[first]) <= self._apart
            and (not states_only or name in self._states)
        ]
        return rng.choice(near) if near else None

    def _story(self, first: str) -> list[str]:
        """Atoms of what belongs together with an atom's item, and other terms of that item; sorted."""
        mine = self._about[first]
        if self._links is None:
            place = bisect_left(self._moments, self._moment[first])
            around = self._placed[max(0, place - _REACH) : place + _REACH]
            return [name for name in around if self._about[name] != mine]
        terms = [name for name in self._of[mine] if name != first and {name, first} <= self._terms]
        return sorted(terms + [name for qid in self._links.joined(mine) for name in self._of.get(qid, ())])

    def _inside(
        self, first: str, depth: int, rng: random.Random, lasting: bool, listed: bool = True
    ) -> f.Formula | None:
        """What stands inside F, G or N: an atom, the denial or pair of atoms, the denial of a pair.

        `lasting` wants something that can hold unit after unit: a state, or any denial. Not `listed`, it stands in a
        list itself: then nothing is denied, and a pair is joined by & alone.
        """
        atom = f.Atom(first)
        may_last = not lasting or first in self._states
        if depth == 1:
            return atom if may_last else None
        if depth == 2 and listed and (not may_last or rng.random() < 1 / 3):
            return f.Not(atom)
        partner = self._partner(first, rng, states_only=lasting and depth == 2)
        if partner is None:
            return f.Not(atom) if depth == 2 and listed else None
        pair = (rng.choice((f.And, f.Or)) if listed else f.And)(atom, f.Atom(partner))
        if depth == 2:
            return pair
        return f.Not(pair) if listed else None

    def _until(self, first: str, nested: bool, rng: random.Random) -> f.Formula | None:
        partner = self._partner(first, rng)
        # What lasts until then is a state; "it had not happened until" would deny twice where the whole is denied.
        if partner is None or first not in self._states:
            return None
        begin, end = _window(rng)
        left: f.Formula = f.Atom(first)
        right: f.Formula = f.Atom(partner)
        if nested:
            second = self._partner(partner, rng)
            if second is None or second in (first, partner):
                return None
            right = f.And(right, f.Atom(second))
        # From 2 on, so that the strict and the usual reading of "until" agree on the witness.
        return f.Until(max(2, begin // 2), max(2, begin // 2) + max(1, end - begin), left, right)

    def _joined(self, operator: str, first: str, depth: int, rng: random.Random) -> f.Formula | None:
        partner = self._partner(first, rng)
        if partner is None:
            return None
        left: f.Formula | None = f.Atom(first)
        right: f.Formula | None = f.Atom(partner)
        if depth > 1:
            left = self.make(_carrier("FGU", depth - 1, rng), first, depth - 1, rng, listed=False)
        if depth > 2 and rng.random() < 0.5:
            right = self.make("F", partner, 1, rng)
        if left is None or right is None:
            return None
        return (f.And if operator == "&" else f.Or)(left, right)


def _carrier(operators: str, depth: int, rng: random.Random) -> str:
    """One of the operators that has a shape of this depth."""
    return rng.choice([one for one in operators if depth in DEPTHS[one]])


def _window(rng: random.Random) -> tuple[int, int]:
    begin = rng.randint(0, _LATEST_BEGIN)
    return begin, begin + rng.randint(1, _LONGEST)


def _middle(rows: tuple[Row, ...]) -> int | None:
    """A moment to sort by: the mean of the finite ends of the first row."""
    ends = [end for end in rows[0] if end is not None]
    return sum(ends) // len(ends) if ends else None
