"""Draws formulas about several events of one story: the ages, distances and ends of kin, couples and films.

`knowledge.links` says only that two things belong together. What can be asked about two of a story depends on how: the
bonds of kin and couples, and of a film with who directed it or played in it.

Each is decided twice, and asked only where both agree: by the formula, over years; and by the days that the dates leave
open, a day more at either end, with a margin within which an inclusive count or another first release would change the
answer (semantics.md §2.7). What is compared lies near: nobody wonders whether somebody of sixty had turned ten.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.temporal.formula import text
from halluvault_tasks.temporal.generate import GeneratedQuery
from halluvault_tasks.temporal.history import History
from halluvault_tasks.temporal.kinds import BIRTH, DEATH, KINDS, PUBLICATION
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.story_forms import Story, build
from halluvault_tasks.temporal.timed import Point
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil

_YEAR = 365.25  # days
_AROUND = 100  # years on either side of a story that its windows take in, too
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


How = Literal["couple", "siblings", "parent", "director", "cast"]

_HOW: Mapping[int, How] = {
    wd.SPOUSE: "couple",
    wd.SIBLING: "siblings",
    wd.CHILD: "parent",
    wd.FATHER: "parent",
    wd.MOTHER: "parent",
    wd.DIRECTOR: "director",
    wd.CAST_MEMBER: "cast",
}
JOINING = frozenset(_HOW)
"""Properties that make a story of two things."""

_OF_THE_OTHER = frozenset({*wd.PARENTS, wd.DIRECTOR, wd.CAST_MEMBER})
"""Stated of the film, or the child: what comes first in a bond is its object."""


class Bond(NamedTuple):
    """What joins two items.

    Args:
        how: in which way.
        first: of couples and siblings the lower number; else the parent, or who directed the film or played in it.
        second: the other of the two, the child, the film.
    """

    how: How
    first: int
    second: int


def load_bonds(session: Session, snapshot: str) -> list[Bond]:
    """Read the bonds of a snapshot, each once, in a fixed order.

    Args:
        session: open session; only read.
        snapshot: key.
    """
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.kind == "item", c.p.in_(_HOW), c.s != c.o, c.hedged.is_(False)
        )
    )
    return sorted(set(_bonds(rows)))


def _bonds(rows: Iterator[tuple[int, int, int]]) -> Iterator[Bond]:
    for s, p, o in rows:
        first, second = (o, s) if p in _OF_THE_OTHER else (s, o)
        if _HOW[p] in ("couple", "siblings"):
            first, second = min(s, o), max(s, o)
        yield Bond(_HOW[p], first, second)


class DrawnStory(NamedTuple):
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


def generate(
    sources: Sources, engine: Engine, *, most: int, seed: int, before: Container[str] = ()
) -> list[GeneratedQuery]:
    """Facts about the stories of a history, as many true and false ones of each form as there are.

    Args:
        sources: what they are drawn from.
        engine: with the interval library.
        most: facts of each form and kind of event.
        seed: of draws.
        before: formulas that were asked before, as text: they come first.
    """
    teller, history = _Teller(sources), sources.years
    told: dict[tuple[str | bool, ...], list[DrawnStory]] = defaultdict(list)
    for drawn in dict.fromkeys(teller.all(sources.bonds)):
        kinds = (history.atoms[name].kind.name for name in (drawn.story.of[0], drawn.story.events[0]))
        told[drawn.story.form, *kinds, drawn.story.lived, drawn.truth].append(drawn)
    chosen: list[DrawnStory] = []
    for _, alike in sorted(told.items()):
        share = most // 2 // (_OF_ONE_LIFE if alike[0].story.lived else 1)
        again = [one for one in alike if text(teller.query(one.story).formula) in before] if before else []
        chosen += _best_spread(alike, share, seed, frozenset(again))
    queries = [teller.query(drawn.story) for drawn in chosen]
    answers = evaluate(engine, queries, history.timed)
    return [
        GeneratedQuery(query.formula, query.at, drawn.truth, answer)
        for drawn, query, answer in zip(chosen, queries, answers, strict=True)
        if query.at is not None and answer.answer is drawn.truth
    ]


def _best_spread(alike: Iterable[DrawnStory], most: int, seed: int, first: Container[DrawnStory]) -> list[DrawnStory]:
    """So many of them, nothing in more than a few."""
    often: Counter[str] = Counter()
    chosen: list[DrawnStory] = []
    for drawn in sorted(alike, key=lambda one: (one not in first, random.Random(f"{seed}:{one.story}").random())):
        if len(chosen) < most and all(often[name] < _EACH for name in drawn.story.names):
            chosen.append(drawn)
            often.update(drawn.story.names)
    return chosen


class _Teller:
    """Finds the stories of bonds and decides them by their days."""

    def __init__(self, sources: Sources) -> None:
        self._best, self._known = frozenset(sources.best), sources.known
        self._days = {
            name: _Days(*row)
            for name, atom in sources.days.atoms.items()
            for row in atom.timed.rows
            if name in sources.years.atoms and isinstance(row, Point)
        }
        self._dead = {
            atom.qid: row.first
            for atom in sources.days.atoms.values()
            for row in atom.timed.rows
            if atom.kind is DEATH and isinstance(row, Point)
        }

    def all(self, bonds: Iterable[Bond]) -> Iterator[DrawnStory]:
        """Every story of the bonds that is decided and near."""
        bonds = [bond for bond in bonds if self._is_known(bond)]
        for bond in bonds:
            yield from self._of_two(bond)
        for film, cast in sorted(_grouped((film, actor) for how, actor, film in bonds if how == "cast").items()):
            yield from self._of_cast(film, cast)
        for films in _grouped((director, film) for how, director, film in bonds if how == "director").values():
            for first, second in combinations(sorted(films), 2):
                yield from self._apart(PUBLICATION.of(first), PUBLICATION.of(second))
        for qid in sorted(self._dead):
            if BIRTH.of(qid) in self._best:
                yield from self._aged(qid, DEATH.of(qid))

    def _is_known(self, bond: Bond) -> bool:
        """Whether it is of a film that people know, or of somebody whom they do."""
        if bond.how in ("director", "cast"):
            return PUBLICATION.of(bond.second) in self._best
        return not self._best.isdisjoint((BIRTH.of(bond.first), BIRTH.of(bond.second)))

    def _of_two(self, bond: Bond) -> Iterator[DrawnStory]:
        how, first, second = bond
        match how:
            case "couple":  # of who had parted nobody asks how old one was when the other died
                yield from self._two(BIRTH.of(first), BIRTH.of(second))
            case "siblings":
                yield from self._two(BIRTH.of(first), BIRTH.of(second))
                yield from self._two(DEATH.of(first), DEATH.of(second))
                yield from self._aged(first, DEATH.of(second))
                yield from self._aged(second, DEATH.of(first))
                yield from self._together({qid: DEATH.of(qid) for qid in (first, second)})
            case "parent":
                yield from self._aged(first, BIRTH.of(second), grown=True)
                yield from self._aged(second, DEATH.of(first))
            case "director":
                yield from self._aged(first, PUBLICATION.of(second))
            case "cast":  # as a whole
                pass

    def _of_cast(self, film: int, cast: Collection[int]) -> Iterator[DrawnStory]:
        release = PUBLICATION.of(film)
        best = sorted(qid for qid in cast if BIRTH.of(qid) in self._best) if len(cast) >= _CAST else []
        for qid in best:
            yield from self._aged(qid, release)
        leads = sorted(best, key=lambda qid: (-self._known.get(qid, 0.0), qid))[:_LEADS]
        yield from self._together(dict.fromkeys(sorted(leads), release))

    def query(self, story: Story) -> Query:
        """The formula of a story, at a year long before it."""
        years = [civil(day).year for name in story.names for day in self._days[name]]
        at, wide = min(years) - _AROUND, max(years) - min(years) + 2 * _AROUND
        return Query(build(story, wide), at)

    def _age(self, person: int, event: str, *, grown: bool = False) -> tuple[float, float] | None:
        """Between which ages somebody was at an event, if they were born and alive then, or died."""
        birth, moment = self._days.get(BIRTH.of(person)), self._days.get(event)
        if birth is None or moment is None:
            return None
        margin, death = _margin(event), self._dead.get(person)
        if death is not None and event != DEATH.of(person) and death - moment.last < margin * _YEAR:
            return None
        least, most = birth.until(moment)
        return (least, most) if least > (_GROWN if grown else margin) else None

    def _aged(self, person: int, event: str, *, grown: bool = False) -> Iterator[DrawnStory]:
        age = self._age(person, event, grown=grown)
        for years in _AGES if age else ():
            if age and (truth := _beyond(age, years, _margin(event))) is not None:
                yield DrawnStory(Story("age", (BIRTH.of(person),), (event,), years), truth)

    def _together(self, when: Mapping[int, str]) -> Iterator[DrawnStory]:
        """Of two who played in a film, at its release, and of two who belong together, at their deaths."""
        ages = {qid: (age, _margin(event)) for qid, event in when.items() if (age := self._age(qid, event))}
        for years in _AGES:
            beyond = {qid: _beyond(age, years, margin) for qid, (age, margin) in ages.items()}
            turned = {qid: truth for qid, truth in beyond.items() if truth is not None}
            for pair in combinations(turned, 2):
                of = tuple(BIRTH.of(qid) for qid in pair)
                events = tuple(dict.fromkeys(when[qid] for qid in pair))
                number = sum(turned[qid] for qid in pair)
                if number:  # "either was under forty" of two who were is no clear yes
                    yield DrawnStory(Story("ages", of, events, years), number == 2)
                    yield DrawnStory(Story("young", of, events, years), number == 1)

    def _two(self, one_event: str, other_event: str) -> Iterator[DrawnStory]:
        """Of two of one generation, how far apart they were born, or died."""
        yield from self._apart(one_event, other_event)
        first, second = self._days.get(one_event), self._days.get(other_event)
        if first and second and first.year and second.year and abs(first.year - second.year) <= _YEARS_APART:
            names = (one_event, other_event) if first <= second else (other_event, one_event)
            yield DrawnStory(Story("same", names[:1], names[1:]), first.year == second.year)

    def _apart(self, one_event: str, other_event: str) -> Iterator[DrawnStory]:
        if one_event not in self._days or other_event not in self._days:
            return
        (first, earlier), (second, later) = sorted(
            ((self._days[event], event) for event in (one_event, other_event)), key=lambda dated: dated[0]
        )
        between, margin = first.until(second), _margin(earlier)
        for years in _DISTANCES if between[0] > margin else ():
            if (truth := _beyond(between, years, margin)) is not None:
                yield DrawnStory(Story("apart", (earlier,), (later,), years), truth)


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    groups: dict[int, set[int]] = defaultdict(set)
    for key, member in pairs:
        groups[key].add(member)
    return groups


def _margin(event: str) -> float:
    return KINDS[event.partition("_")[0]].story_margin


def _beyond(between: tuple[float, float], years: int, margin: float) -> bool | None:
    """Whether so many years had passed; None where that is near, or far from anybody's mind."""
    least, most = between
    near = _NEAR if years > _FEW else _NEARER
    if years + margin <= least and most <= years + near:
        return True
    return False if most <= years - margin and years - near <= least else None
