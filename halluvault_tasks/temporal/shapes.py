"""The shapes of formulas that the generator draws from: each has an English wording with one reading.

An operator's shape is either plain (its operands are events or states) or nested once. A second event is drawn from
those that lie near the first in time, since a question about two things centuries apart is decided by common sense.
"""

import random
from bisect import bisect_left
from collections import defaultdict

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.history import History
from halluvault_tasks.temporal.timed import Row
from halluvault_tasks.temporal.verbalise import POINT_KINDS

_REACH = 40  # how far apart, in places of the list by time, partners are drawn,
_APART = 80  # and in units
_LATEST_BEGIN = 30  # units from t to a window
_LONGEST = 25  # units from a window's first to its last


class Shapes:
    """Draws formulas over the atoms of a history."""

    def __init__(self, history: History) -> None:
        self._by_domain: dict[str, list[str]] = defaultdict(list)
        placed: list[tuple[int, str]] = []
        self._states: set[str] = set()
        self._about: dict[str, int] = {}
        for name, found in history.atoms.items():
            if found.domain is not None:
                self._by_domain[found.domain].append(name)
            self._about[name] = found.qid
            if found.kind not in POINT_KINDS:
                self._states.add(name)
            middle = _middle(found.timed.rows)
            if middle is not None:
                placed.append((middle, name))
        placed.sort()
        self._moments = [moment for moment, _ in placed]
        self._placed = [name for _, name in placed]
        self._moment = {name: moment for moment, name in placed}

    def names(self, domain: str) -> list[str]:
        """Names of a domain's atoms, sorted."""
        return sorted(self._by_domain.get(domain, ()))

    def make(self, operator: str, first: str, depth: int, rng: random.Random) -> f.Formula | None:
        """A formula with this main operator and `first` as its first atom.

        Args:
            operator: symbol; empty for the atom itself.
            first: name of an atom.
            depth: 1 for a plain shape, 2 for a nested one.
            rng: source of every choice.

        Returns:
            The formula, or None where this atom does not carry such a shape.
        """
        atom = f.Atom(first)
        nested = depth > 1
        match operator:
            case "":
                return atom
            case "F":
                return f.Finally(*_window(rng), self._inside(first, nested, rng))
            case "G":
                if first not in self._states:
                    return f.Globally(*_window(rng), f.Not(atom)) if nested else None
                return f.Globally(*_window(rng), self._lasting(first, nested, rng))
            case "N":
                return f.Next(self._inside(first, nested, rng))
            case "U":
                return self._until(first, nested, rng)
            case "!":
                if not nested:
                    return f.Not(atom)
                inner = self.make(rng.choice("FGNU&|"), first, 1, rng)
                return None if inner is None else f.Not(inner)
            case _:
                return self._joined(operator, first, nested, rng)

    def _partner(self, first: str, rng: random.Random, states_only: bool = False) -> str | None:
        """Another item's atom that lies near in time."""
        if first not in self._moment:
            return None
        place = bisect_left(self._moments, self._moment[first])
        near = [
            name
            for name in self._placed[max(0, place - _REACH) : place + _REACH]
            if abs(self._moment[name] - self._moment[first]) <= _APART
            and self._about[name] != self._about[first]
            and (not states_only or name in self._states)
        ]
        return rng.choice(near) if near else None

    def _pair(self, first: str, rng: random.Random, states_only: bool = False) -> f.Formula:
        partner = self._partner(first, rng, states_only)
        if partner is None:
            return f.Not(f.Atom(first))
        return rng.choice((f.And, f.Or))(f.Atom(first), f.Atom(partner))

    def _inside(self, first: str, nested: bool, rng: random.Random) -> f.Formula:
        if not nested:
            return f.Atom(first)
        return f.Not(f.Atom(first)) if rng.random() < 1 / 3 else self._pair(first, rng)

    def _lasting(self, first: str, nested: bool, rng: random.Random) -> f.Formula:
        if not nested:
            return f.Atom(first)
        return f.Not(f.Atom(first)) if rng.random() < 1 / 3 else self._pair(first, rng, states_only=True)

    def _until(self, first: str, nested: bool, rng: random.Random) -> f.Formula | None:
        partner = self._partner(first, rng)
        if partner is None or (not nested and first not in self._states):
            return None
        begin, end = _window(rng)
        left: f.Formula = f.Atom(first)
        right: f.Formula = f.Atom(partner)
        if nested and (first not in self._states or rng.random() < 0.5):
            left = f.Not(left)
        elif nested:
            second = self._partner(partner, rng)
            if second is None or second in (first, partner):
                return None
            right = f.And(right, f.Atom(second))
        # From 2 on, so that the strict and the usual reading of "until" agree on the witness.
        return f.Until(max(2, begin // 2), max(2, begin // 2) + max(1, end - begin), left, right)

    def _joined(self, operator: str, first: str, nested: bool, rng: random.Random) -> f.Formula | None:
        partner = self._partner(first, rng)
        if partner is None:
            return None
        build = f.And if operator == "&" else f.Or
        left: f.Formula = f.Atom(first)
        if nested:
            inner = self.make(rng.choice("FG!"), first, 1, rng)
            if inner is None:
                return None
            left = inner
        return build(left, f.Atom(partner))


def _window(rng: random.Random) -> tuple[int, int]:
    begin = rng.randint(0, _LATEST_BEGIN)
    return begin, begin + rng.randint(1, _LONGEST)


def _middle(rows: tuple[Row, ...]) -> int | None:
    """A moment to sort by: the mean of the finite ends of the first row."""
    ends = [end for end in rows[0] if end is not None]
    return sum(ends) // len(ends) if ends else None
