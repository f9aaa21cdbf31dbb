"""Draws formulas about several events of one story: the ages, distances and ends of kin, couples and films.

Each is decided twice, and asked only where both agree: by the formula, over years; and by the days that the dates leave
open, a day more at either end, with a margin within which an inclusive count or another first release would change the
answer (semantics.md §2.7). What is compared lies near: nobody wonders whether somebody of sixty had turned ten.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal.bonds import Bond
from halluvault_tasks.temporal.generate import Generated
from halluvault_tasks.temporal.history import History
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.story_forms import Story, build
from halluvault_tasks.temporal.timed import Point
from halluvault_tasks.wikidata.days import civil

_YEAR = 365.25  # days
_AROUND = 100  # years on either side of a story that its windows take in, too
_MARGIN = {"publication": 2.0}
"""Years from what is compared with, in which nothing is asked: a film may have been shown a year before; else one."""

_NEAR, _NEARER = 7.0, 5.0  # years from what is compared with, the second where that are few
_FEW = 20
_DISTANCES = (5, 10, 15, 20, 25, 30)
_AGES = (10, 20, 30, 40, 50, 60, 70, 80, 90)
_YEARS_APART = 3  # between two who may be of the same year
_GROWN = 15.0  # the least age of a parent
_CAST = 5
"""Least number of a film's cast that is stated. Where it is fewer, the leads are often missing: of 14 such questions
about the whole file four were about an unseen voice, archive footage, a scene that was cut, or a slip of the source."""

_LEADS = 5  # of a film's cast, the best known, of whom two are asked about together
_OF_ONE_LIFE = 5  # times fewer of these: formulas about a time ask about lives already
_EACH = 3  # of a person's stories in each form: who played in everything would fill the rest


class Drawn(NamedTuple):
    """A story and whether it is so by its days."""

    story: Story
    truth: bool


class _Days(NamedTuple):
    """Between which days something happened."""

    first: int
    last: int

    def until(self, other: "_Days") -> tuple[float, float]:
        """Least and most years from here to another."""
        return (other.first - self.last - 2) / _YEAR, (other.last - self.first + 2) / _YEAR

    @property
    def year(self) -> int | None:
        """The year in which it was, a day more at either end; None: it may have been in two."""
        first, last = (civil(day).year for day in (self.first - 1, self.last + 1))
        return first if first == last else None


class Sources(NamedTuple):
    """What stories are drawn from.

    Args:
        years: the atoms by the year.
        days: the same by the day.
        best: atoms of the best known things; kin and directors may be less known than whom or what they belong to.
        known: item → how well known it is.
        bonds: who and what belong together.
    """

    years: History
    days: History
    best: Collection[str]
    known: Mapping[int, float]
    bonds: Sequence[Bond]


def generate(sources: Sources, engine: Engine, *, most: int, seed: int) -> list[Generated]:
    """Facts about the stories of a history, as many true and false ones of each form as there are.

    Args:
        sources: what they are drawn from.
        engine: with the interval library.
        most: facts of each form and kind of event.
        seed: of draws.
    """
    teller, history = _Teller(sources), sources.years
    told: dict[tuple[str | bool, ...], list[Drawn]] = defaultdict(list)
    for one in dict.fromkeys(teller.all(sources.bonds)):
        kinds = (history.atoms[name].kind for name in (one.story.of[0], one.story.events[0]))
        told[one.story.form, *kinds, one.story.lived, one.truth].append(one)
    chosen: list[Drawn] = []
    for _, several in sorted(told.items()):
        share = most // 2 // (_OF_ONE_LIFE if several[0].story.lived else 1)
        chosen += _best_spread(several, share, seed)
    asked = [teller.query(one.story) for one in chosen]
    answers = evaluate(engine, asked, history.timed)
    return [
        Generated(query.formula, query.at, one.truth, found)
        for one, query, found in zip(chosen, asked, answers, strict=True)
        if query.at is not None and found.answer is one.truth
    ]


def _best_spread(several: Iterable[Drawn], most: int, seed: int) -> list[Drawn]:
    """So many of them, nothing in more than a few."""
    often: Counter[str] = Counter()
    chosen: list[Drawn] = []
    for one in sorted(several, key=lambda one: random.Random(f"{seed}:{one.story}").random()):
        if len(chosen) < most and all(often[name] < _EACH for name in one.story.names):
            chosen.append(one)
            often.update(one.story.names)
    return chosen


class _Teller:
    """Finds the stories of bonds and decides them by their days."""

    def __init__(self, sources: Sources) -> None:
        self._best, self._known = frozenset(sources.best), sources.known
        self._days = {
            name: _Days(*row)
            for name, found in sources.days.atoms.items()
            for row in found.timed.rows
            if name in sources.years.atoms and isinstance(row, Point)
        }
        self._dead = {
            found.qid: row.first
            for found in sources.days.atoms.values()
            for row in found.timed.rows
            if found.kind == "death" and isinstance(row, Point)
        }

    def all(self, bonds: Iterable[Bond]) -> Iterator[Drawn]:
        """Every story of the bonds that is decided and near."""
        casts: dict[int, set[int]] = defaultdict(set)
        works: dict[int, set[int]] = defaultdict(set)
        for how, one, other in bonds:
            film = f"publication_Q{other}"
            match how:
                case "director" | "cast" if film not in self._best:
                    continue
                case "couple" | "siblings" | "parent" if self._best.isdisjoint((f"birth_Q{one}", f"birth_Q{other}")):
                    continue
                case "couple":  # of who had parted nobody asks how old one was when the other died
                    yield from self._two(f"birth_Q{one}", f"birth_Q{other}")
                case "siblings":
                    yield from self._two(f"birth_Q{one}", f"birth_Q{other}")
                    yield from self._two(f"death_Q{one}", f"death_Q{other}")
                    yield from self._aged(one, f"death_Q{other}")
                    yield from self._aged(other, f"death_Q{one}")
                    yield from self._together({qid: f"death_Q{qid}" for qid in (one, other)})
                case "parent":
                    yield from self._aged(one, f"birth_Q{other}", grown=True)
                    yield from self._aged(other, f"death_Q{one}")
                case "cast":
                    casts[other].add(one)
                case "director":
                    yield from self._aged(one, film)
                    works[one].add(other)
        for work, cast in sorted(casts.items()):
            film = f"publication_Q{work}"
            best = [qid for qid in cast if f"birth_Q{qid}" in self._best] if len(cast) >= _CAST else []
            for one in sorted(best):
                yield from self._aged(one, film)
            leads = sorted(best, key=lambda qid: (-self._known.get(qid, 0.0), qid))[:_LEADS]
            yield from self._together(dict.fromkeys(sorted(leads), film))
        for several in works.values():
            for one, other in combinations(sorted(several), 2):
                yield from self._apart(f"publication_Q{one}", f"publication_Q{other}")
        for qid in sorted(self._dead):
            if f"birth_Q{qid}" in self._best:
                yield from self._aged(qid, f"death_Q{qid}")

    def query(self, story: Story) -> Query:
        """The formula of a story, at a year long before it."""
        years = [civil(day).year for name in story.names for day in self._days[name]]
        at, wide = min(years) - _AROUND, max(years) - min(years) + 2 * _AROUND
        return Query(build(story, wide), at)

    def _age(self, person: int, event: str, *, grown: bool = False) -> tuple[float, float] | None:
        """Between which ages somebody was at an event, if they were born and alive then, or died."""
        birth, moment = self._days.get(f"birth_Q{person}"), self._days.get(event)
        if birth is None or moment is None:
            return None
        margin, death = _margin(event), self._dead.get(person)
        if death is not None and event != f"death_Q{person}" and death - moment.last < margin * _YEAR:
            return None
        least, most = birth.until(moment)
        return (least, most) if least > (_GROWN if grown else margin) else None

    def _aged(self, person: int, event: str, *, grown: bool = False) -> Iterator[Drawn]:
        age = self._age(person, event, grown=grown)
        for years in _AGES if age else ():
            if age and (truth := _beyond(age, years, _margin(event))) is not None:
                yield Drawn(Story("age", (f"birth_Q{person}",), (event,), years), truth)

    def _together(self, when: Mapping[int, str]) -> Iterator[Drawn]:
        """Of two who played in a film, at its release, and of two who belong together, at their deaths."""
        ages = {one: (age, _margin(event)) for one, event in when.items() if (age := self._age(one, event))}
        for years in _AGES:
            turned = {one: truth for one, age in ages.items() if (truth := _beyond(age[0], years, age[1])) is not None}
            for pair in combinations(turned, 2):
                of = tuple(f"birth_Q{one}" for one in pair)
                events = tuple(dict.fromkeys(when[one] for one in pair))
                number = sum(turned[one] for one in pair)
                if number:  # "either was under forty" of two who were is no clear yes
                    yield Drawn(Story("ages", of, events, years), number == 2)
                    yield Drawn(Story("young", of, events, years), number == 1)

    def _two(self, one: str, other: str) -> Iterator[Drawn]:
        """Of two of one generation, how far apart they were born, or died."""
        yield from self._apart(one, other)
        first, second = self._days.get(one), self._days.get(other)
        if first and second and first.year and second.year and abs(first.year - second.year) <= _YEARS_APART:
            names = (one, other) if first <= second else (other, one)
            yield Drawn(Story("same", names[:1], names[1:]), first.year == second.year)

    def _apart(self, one: str, other: str) -> Iterator[Drawn]:
        first, second = self._days.get(one), self._days.get(other)
        if first is None or second is None:
            return
        if first > second:
            first, second, one, other = second, first, other, one
        between = first.until(second)
        for years in _DISTANCES if between[0] > _margin(one) else ():
            if (truth := _beyond(between, years, _margin(one))) is not None:
                yield Drawn(Story("apart", (one,), (other,), years), truth)


def _margin(event: str) -> float:
    return _MARGIN.get(event.partition("_")[0], 1.0)


def _beyond(between: tuple[float, float], years: int, margin: float) -> bool | None:
    """Whether so many years had passed; None where that is near, or far from anybody's mind."""
    least, most = between
    near = _NEAR if years > _FEW else _NEARER
    if years + margin <= least and most <= years + near:
        return True
    return False if most <= years - margin and years - near <= least else None
