"""Draws facts about terms of what one holds at a time: offices, headships, capitals, yearly prizes (semantics.md §2.3).

Two who held the same are asked about with their times exchanged: each name and each time has a yes and a no, and every
no rests on the other's term. Only such a time is named as somebody's that the term fills, and a unit on either side, so
that it does not matter when in the unit it was held, or whether a window includes its ends (semantics.md §2.7). Beside
these squares, a holder's first or last year, which the term fills in part, is weighed against a whole one.

Every choice is made by a hash of what it is between, so that what leaves the source changes nothing else.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.generate import GeneratedQuery
from halluvault_tasks.temporal.history import History, HistoryAtom, certain
from halluvault_tasks.temporal.kinds import KINDS, AtomKind
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.story_forms import Story, build
from halluvault_tasks.temporal.timed import Point, Row
from halluvault_tasks.temporal.units import Granularity

_SQUARES = 3
"""Most pairs of holders of one seat in each form: what can be asked of a seat is capped anyway (`selection.caps`)."""

_NEAR = 6
"""Units from one's term to another's time: of a president of 1880 nobody wonders whether it was so in 1990."""

_MONTHS = 12
_LONG = (2, 4)  # years from a window's first to its last
_LATEST_BEGIN = 20  # units from t to a window
_LEAST_MONTHS = 12
"""Months of a term that is asked about by the month: a shorter one is often of somebody who acted."""

_BESIDE = 3
"""Places from one winner of a prize to another, so that others have the years beside either's."""

_DIRECTLY = 3
"""Units from the last that one fills to the first that who followed fills, at most."""

_AROUND = 100  # years on either side of a story that its windows take in, too


class Asked(NamedTuple):
    """A fact before it is evaluated.

    Attributes:
        shown_by: the terms of others that show a no.
    """

    formula: f.Formula
    at: int
    truth: bool
    shown_by: tuple[str, ...] = ()


class _Stretch(NamedTuple):
    """Units that a term fills, the first and the last."""

    first: int
    last: int

    def of(self, length: int) -> Iterator[int]:
        """The first units of windows of a length within it."""
        return iter(range(self.first, self.last - length + 2))


class _Holder(NamedTuple):
    """Somebody's terms of one seat."""

    atom: HistoryAtom
    filled: tuple[_Stretch, ...]

    @property
    def name(self) -> str:
        return self.atom.timed.name

    def times(self, length: int) -> list[int]:
        """The first units of windows that a term of it fills."""
        return [first for stretch in self.filled for first in stretch.of(length)]

    def fills(self, first: int, last: int) -> bool:
        """Whether one term fills all these units."""
        return any(stretch.first <= first and last <= stretch.last for stretch in self.filled)


class Anchor(NamedTuple):
    """Something by which a time is named: a death, a first release, a battle.

    Attributes:
        ties: what a statement of substance joins it to: nobody thinks of a chancellor when a physicist of his country
            dies, or a film is released (semantics.md §3.7).
    """

    name: str
    qid: int
    year: int
    margin: int
    ties: frozenset[int]


class Company(NamedTuple):
    """What terms are asked about beside.

    Attributes:
        anchors: what is well known.
        met: names that were asked about together before: they meet again.
    """

    anchors: Sequence[Anchor]
    met: Collection[frozenset[str]] = frozenset()


def anchors(history: History, links: Links) -> list[Anchor]:
    """The moments of a history by the year that may stand for a time.

    Args:
        history: with the best known things alone.
        links: which things belong together.
    """
    found = []
    for name, atom in history.atoms.items():
        row = atom.timed.rows[0]
        if atom.kind.anchors and isinstance(row, Point) and row.first == row.last and len(atom.timed.rows) == 1:
            found.append(Anchor(name, atom.qid, row.first, atom.kind.margin, frozenset(links.joined(atom.qid))))
    return found


def generate(
    history: History, days: History, engine: Engine, *, seed: int, company: Company | None = None
) -> list[GeneratedQuery]:
    """Facts about the terms of a history that others leave no room beside.

    Args:
        history: atoms by the year or by the month; those with rivals are asked about.
        days: the same by the day: whether nobody held it for a while between two terms, no year and no month shows.
        engine: with the interval library.
        seed: of draws.
        company: by the year, what names a time in stories; None: no stories.
    """
    teller = _Teller(history, days, seed, company)
    groups = [group for group in dict.fromkeys(teller.all()) if group]
    answers = evaluate(engine, [Query(one.formula, one.at) for group in groups for one in group], history.timed)
    found: dict[tuple[f.Formula, int], GeneratedQuery] = {}
    for group in groups:
        decided = [GeneratedQuery(one.formula, one.at, one.truth, next(answers), one.shown_by) for one in group]
        if all(query.sets.answer is query.truth and query.sets.how == "bounds" for query in decided):
            found |= {(query.formula, query.at): query for query in decided}
    return list(found.values())


class _Teller:
    """Goes through the seats and the forms."""

    def __init__(self, history: History, days: History, seed: int, company: Company | None) -> None:
        self._history, self._days, self._seed = history, days, seed
        self._company = company
        self._starts = {kind.begins: kind for kind in KINDS.values() if kind.begins is not None}
        self._yearly = history.granularity is Granularity.YEAR
        self._reach = _NEAR if self._yearly else _NEAR * _MONTHS

    def all(self) -> Iterator[tuple[Asked, ...]]:
        """Every fact, by seat, those together that weigh each other."""
        for holders in self._seats():
            if holders[0].atom.kind.lasts:
                forms = self._by_year() if self._yearly else self._by_month()
                for form, ask in forms.items():
                    for pair in self._pairs(form, holders):
                        yield tuple(ask(*pair))
                yield from self._until(holders)
            else:
                yield from self._given(holders)

    def _by_year(self) -> "dict[str, _Form]":
        forms: dict[str, _Form] = {
            "unit": lambda a, b: self._square(a, b, 1, lambda name, at: (f.Atom(name), at)),
            "next": lambda a, b: self._square(a, b, 1, lambda name, at: (f.Next(f.Atom(name)), at - 1)),
            "some": lambda a, b: self._windows(a, b, f.Finally),
            "throughout": lambda a, b: self._windows(a, b, f.Globally),
        }
        if self._company is not None:
            forms["held"] = lambda a, b: self._stories("held", a, b)
            forms["after"] = lambda a, b: self._stories("after", a, b)
        return forms

    def _by_month(self) -> "dict[str, _Form]":
        return {
            "unit": lambda a, b: self._square(a, b, 1, lambda name, at: (f.Atom(name), at)),
            "some year": lambda a, b: self._years(a, b, f.Finally),
            "whole year": lambda a, b: self._years(a, b, f.Globally),
        }

    def _seats(self) -> Iterator[list[_Holder]]:
        """The holders of each seat who fill a unit, in the order of their terms."""
        seats: dict[tuple[AtomKind, int | None], list[_Holder]] = defaultdict(list)
        for atom in self._history.atoms.values():
            if atom.rivals and (filled := tuple(self._filled(atom))):
                seats[atom.kind, atom.seat].append(_Holder(atom, filled))
        for _, holders in sorted(seats.items(), key=lambda item: (item[0][0].name, item[0][1] or 0)):
            if len(holders) > 1:
                yield sorted(holders, key=lambda holder: (holder.filled, holder.name))

    def _filled(self, atom: HistoryAtom) -> Iterator[_Stretch]:
        latest = self._history.limit.recorded
        for row in atom.timed.rows:
            if isinstance(row, Point):
                if row.first == row.last <= latest:
                    yield _Stretch(row.first, row.last)
            elif (held := certain(row)) and held[1] - held[0] >= (2 if self._yearly else _LEAST_MONTHS):
                yield _Stretch(held[0] + 1, min(held[1] - 1, latest))

    def _pairs(self, form: str, holders: Sequence[_Holder], step: int = 1) -> list[tuple[_Holder, _Holder]]:
        """Those who followed one another, at that many steps, each in one pair."""
        near = (pair for pair in zip(holders, holders[step:], strict=False) if self._followed(*pair))
        ordered = sorted(near, key=lambda pair: drawn(self._seed, form, pair[0].name, pair[1].name))
        met: set[str] = set()
        chosen: list[tuple[_Holder, _Holder]] = []
        for pair in ordered:
            if len(chosen) < _SQUARES and met.isdisjoint(one.name for one in pair):
                chosen.append(pair)
                met.update(one.name for one in pair)
        return chosen

    def _least(self, several: Iterable[int], *key: object) -> int | None:
        """The one of some units that the hash of it and of what it is for comes first."""
        return min(several, key=lambda unit: drawn(self._seed, *key, unit), default=None)

    def _near(self, mine: _Holder, other: _Holder, length: int) -> list[int]:
        """Times of mine near the other's."""
        theirs = other.times(1)
        return [at for at in mine.times(length) if min(abs(at - unit) for unit in theirs) <= self._reach]

    def _followed(self, a: _Holder, b: _Holder) -> bool:
        """Whether the terms of two lie near each other."""
        return any(abs(after.first - before.last) <= self._reach for before in a.filled for after in b.filled)

    def _square(self, a: _Holder, b: _Holder, length: int, said: "_Said") -> Iterator[Asked]:
        """Two holders and a time of each: two yes and two no."""
        times = {
            one.name: self._least(self._near(one, other, length), one.name, other.name, length)
            for one, other in ((a, b), (b, a))
        }
        mine, theirs = times[a.name], times[b.name]
        if mine is None or theirs is None:
            return
        for holder, at in product((a, b), (mine, theirs)):
            truth = at == times[holder.name]
            other = b if holder is a else a
            yield Asked(*said(holder.name, at), truth, () if truth else (other.name,))

    def _given(self, holders: Sequence[_Holder]) -> Iterator[tuple[Asked, ...]]:
        """Of a prize of one winner a year: a no rests on who got it in that year and in the years beside it."""
        for pair in self._pairs("given", holders, _BESIDE):
            square = self._square(*pair, 1, lambda name, at: (f.Atom(name), at))
            yield tuple(one if one.truth else one._replace(shown_by=_beside(one.at, holders)) for one in square)

    def _windows(self, a: _Holder, b: _Holder, operator: type[f.Finally | f.Globally]) -> Iterator[Asked]:
        """A window of years that each filled."""
        shift = 1 + int(drawn(self._seed, operator.__name__, a.name, b.name)[:4], 16) % _LATEST_BEGIN
        for long in range(_LONG[1], _LONG[0] - 1, -1):

            def of_window(name: str, at: int, last: int = shift + long) -> tuple[f.Formula, int]:
                return operator(shift, last, f.Atom(name)), at - shift

            if square := list(self._square(a, b, long + 1, of_window)):
                yield from square
                return

    def _years(self, a: _Holder, b: _Holder, operator: type[f.Finally | f.Globally]) -> Iterator[Asked]:
        """Of a pair of holders the year in which one followed the other, and a whole year of either."""
        for mine, other in ((a, b), (b, a)):
            parted = [year for year in self._whole(mine, other) if year is not None]
            if not parted:
                continue
            full, part, away = parted
            formula = operator(0, _MONTHS - 1, f.Atom(mine.name))
            if operator is f.Finally:
                yield Asked(formula, _MONTHS * part, True)
                yield Asked(formula, _MONTHS * away, False, (other.name,))
            else:
                yield Asked(formula, _MONTHS * full, True)
                yield Asked(formula, _MONTHS * part, False, (other.name,))

    def _whole(self, mine: _Holder, other: _Holder) -> tuple[int, ...]:
        """A year that mine filled, the one in which one followed the other, and one that the other filled; or none."""
        of_mine, of_other = (
            [at // _MONTHS for at in each.times(_MONTHS) if at % _MONTHS == 0] for each in (mine, other)
        )
        both = {unit // _MONTHS for unit in self._inner(mine)} & {unit // _MONTHS for unit in self._inner(other)}
        near = [
            (full, part, away)
            for part in both
            for full in of_mine
            for away in of_other
            if 0 < abs(full - part) <= _LONG[1] and 0 < abs(away - part) <= _LONG[1]
        ]
        key = lambda years: drawn(self._seed, mine.name, other.name, *years)  # noqa: E731
        return min(near, key=key, default=())

    @staticmethod
    def _inner(holder: _Holder) -> Iterator[int]:
        """Months of terms that are neither the first nor the last of a year."""
        return (unit for unit in holder.times(1) if 0 < unit % _MONTHS < _MONTHS - 1)

    def _until(self, holders: Sequence[_Holder]) -> Iterator[tuple[Asked, ...]]:
        """Whether a term lasted from a time until another took over: yes of one in it, no of one in the term before."""
        begin = self._starts.get(holders[0].atom.kind)
        if begin is None:
            return
        every = list(zip(holders, holders[1:], holders[2:], strict=False))
        every.sort(key=lambda three: drawn(self._seed, "until", *(one.name for one in three)))
        chosen = 0
        for before, mine, after in every:
            start = self._history.atoms.get(after.name.replace(mine.atom.kind.name, begin.name, 1))
            if start is None or len(start.timed.rows) > 1 or len(mine.atom.timed.rows) > 1 or chosen == _SQUARES:
                continue
            row = start.timed.rows[0]
            if not isinstance(row, Point) or row.first != row.last or not _directly(before, mine):
                continue
            if not self._took_over(mine, start):
                continue
            yes = self._least((at for at in mine.times(1) if at + 2 < row.first), "yes", mine.name, after.name)
            earlier = [at for at in before.times(2) if at + 2 < mine.filled[0].first]
            no = self._least(earlier[-_NEAR:], "no", mine.name, before.name)
            if yes is None or no is None:
                continue
            formula = f.Until(2, row.first - no, f.Atom(mine.name), f.Atom(start.timed.name))
            chosen += 1
            yield Asked(formula, yes, True), Asked(formula, no, False, (before.name,))

    def _took_over(self, mine: _Holder, start: HistoryAtom) -> bool:
        """Whether a term began on the day on which another ended: else nobody held it for a day, or somebody acted."""
        ended, began = self._days.atoms[mine.name].timed.rows, self._days.atoms[start.timed.name].timed.rows
        held, first = certain(ended[0]) if not isinstance(ended[0], Point) else None, began[0]
        if held is None or not isinstance(first, Point) or first.first != first.last or held[1] != _last(ended[0]):
            return False
        return bool(first.first == held[1])

    def _stories(self, form: str, a: _Holder, b: _Holder) -> Iterator[Asked]:
        """Two holders and two events, one in the time of each; by `after`, in the year that followed each."""
        one, other = self._anchor(form, a, b), self._anchor(form, b, a)
        if one is None or other is None or one.name == other.name:
            return
        for holder, anchor in product((a, b), (one, other)):
            truth = (holder is a) == (anchor is one)
            years = [one.year, other.year]
            at, wide = min(years) - _AROUND, max(years) - min(years) + 2 * _AROUND
            formula = build(Story("held" if form == "held" else "after", (anchor.name,), (holder.name,)), wide)
            yield Asked(formula, at, truth, () if truth else (b.name if holder is a else a.name,))

    def _anchor(self, form: str, holder: _Holder, other: _Holder) -> Anchor | None:
        """The event in somebody's time, tied to them or what they held, that the hash puts first."""
        assert self._company is not None
        home = {holder.atom.seat, holder.atom.holder}
        fit = [
            anchor
            for anchor in self._company.anchors
            if not home.isdisjoint(anchor.ties)
            and anchor.qid not in (holder.atom.holder, other.atom.holder)
            and holder.fills(anchor.year - anchor.margin, anchor.year + anchor.margin + (form == "after"))
        ]
        met = self._company.met

        def order(anchor: Anchor) -> tuple[bool, str]:
            return frozenset((holder.name, anchor.name)) not in met, drawn(self._seed, form, holder.name, anchor.name)

        return min(fit, key=order, default=None)


def _beside(year: int, holders: Iterable[_Holder]) -> tuple[str, ...]:
    """To whom a prize was given in a year and in those beside it."""
    return tuple(each.name for each in holders if any(abs(given - year) <= 1 for given in each.times(1)))


def _directly(before: _Holder, after: _Holder) -> bool:
    """Whether one followed the other: nobody wonders about a window that others held before."""
    return any(0 < late.first - early.last <= _DIRECTLY for early in before.filled for late in after.filled)


def _last(row: Row) -> int | None:
    return row.last if isinstance(row, Point) else row.e2


_Said = Callable[[str, int], tuple[f.Formula, int]]
"""The formula of a holder and the unit at which it is asked for a time."""

_Form = Callable[[_Holder, _Holder], Iterator[Asked]]
