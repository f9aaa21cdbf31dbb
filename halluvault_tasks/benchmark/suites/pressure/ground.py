"""What the generators of pressure cases draw from: a snapshot's sentences, names, spans and licensed falsehoods."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, literal, select

from halluvault_tasks.benchmark.selection import strata
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Expected, Inputs, Line, Oracle
from halluvault_tasks.benchmark.suites.pressure.settings import Pressure, Restated
from halluvault_tasks.benchmark.suites.recognition.swaps import Swaps
from halluvault_tasks.reasoning.licence.slot import has_settled_date
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.names import fold

_MOST = 400
"""Subjects of each property that are looked at."""
_LEAST, _OF_DOMAIN = 5, 60
"""Statements of a document at least, and documents of each domain."""
_RECENT_DAYS = 3 * 365
"""Before the snapshot's date."""


class Stated(NamedTuple):
    """A statement whose slot has one value, in words.

    Attributes:
        name: the subject's, as within a sentence.
        value: the object's.
        sentence: the statement.
        restated: the same in other words.
        premise: as `benchmark_case.premises` has it.
    """

    s: int
    p: int
    o: int
    name: str
    value: str
    sentence: str
    restated: str
    ask: str
    premise: Mapping[str, Any]


class Spoken(NamedTuple):
    """How a kind of span is spoken of.

    Attributes:
        during: what it is as long as it lasts.
        after: what it is then.
        began, ended: what happened in the two years.
    """

    p: int
    until: int
    during: str
    after: str
    began: str
    ended: str


class Span(NamedTuple):
    """What certainly began in a year and ended in a year: a life, a war, an organisation.

    Attributes:
        kind: how it is spoken of.
        premises: of the beginning and of the end.
    """

    s: int
    kind: Spoken
    name: str
    start: int
    end: int
    premises: tuple[Mapping[str, Any], Mapping[str, Any]]


_HEADED: Mapping[int, str] = {wd.HEAD_OF_GOVERNMENT: "head of government of ", wd.HEAD_OF_STATE: "head of state of "}
"""The subject is what is headed."""

KINDS = (
    Spoken(wd.BIRTH, wd.DEATH, "alive", "dead", "birth", "death"),
    Spoken(wd.START, wd.END, "going on", "over", "beginning", "end"),
    Spoken(wd.INCEPTION, wd.DISSOLUTION, "in existence", "dissolved", "founding", "end"),
)


class Term(NamedTuple):
    """Who certainly held an office from within a year to within a year."""

    holder: int
    office: int
    name: str
    title: str
    start: int
    end: int
    guid: str


class Work(NamedTuple):
    """A work and who made it."""

    s: int
    title: str
    maker: str
    guid: str

    @property
    def url(self) -> str:
        """Its address in the closed index."""
        return f"https://www.wikidata.org/wiki/Q{self.s}"


class Draft(NamedTuple):
    """A case before it is chosen.

    Attributes:
        hardness: greater is harder, within its class.
        s: subject, or 0.
        p: property, or None.
        facts: Prolog facts and clauses from which `proving` derives the gold answer.
    """

    inputs: Inputs
    constraints: Constraints
    oracle: Oracle
    tags: tuple[str, ...]
    hardness: float
    s: int
    p: int | None
    o: int | None
    premises: tuple[Mapping[str, Any], ...]
    why: str
    facts: tuple[str, ...]


class Ground:
    """One snapshot, as far as pressure cases need it.

    Args:
        material: the snapshot; only read.
        settings: of the suite.
        seed: of every draw.

    `wanted` is how many cases a class is to have.
    """

    def __init__(self, material: Material, settings: Pressure, seed: int) -> None:
        self.material, self.seed, self.wanted = material, seed, settings.cases
        self._asked: dict[int, Restated] = {one.property: one for one in settings.questions}
        self.swaps = Swaps(material, {p: one.ask for p, one in self._asked.items()}, seed, _MOST)

    def random(self, *key: object) -> Random:
        """A generator of its own for each draw."""
        return Random(":".join(map(str, (self.seed, *key))))

    def name(self, qid: int) -> str:
        """A name that identifies, without a comma at its end; empty where there is none."""
        return self.material.index.namer.named(qid).name.rstrip(",")

    def within(self, qid: int) -> str:
        """The same as it stands within a sentence: the comma that closes a description stays."""
        return self.material.index.namer.named(qid).name

    def spellings(self, qid: int, *against: int) -> tuple[str, ...]:
        """Names of a thing that none of the others bears, the one that is shown first."""
        entities = self.material.index.entities
        others = {fold(name) for one in against if one in entities
                  for name in (entities[one].label or "", *entities[one].aliases)}  # fmt: skip
        known = entities[qid]
        plain = self.material.index.namer.plain(qid)
        names = dict.fromkeys([plain, *(alias for alias in known.aliases if len(alias) >= 4)])
        return tuple(name for name in names if fold(name) not in others) or (plain,)

    def containers(self, place: int) -> frozenset[int]:
        """What a place lies in by P131, step by step, as far as it has a name."""
        inside, found, next_ones = self.material.world.containment.inside, set[int](), [place]
        while next_ones:
            above = set(inside.get(next_ones.pop(), ())) - found
            found |= above
            next_ones += above
        return frozenset(one for one in found - {place} if one in self.material.index.entities)

    def fame(self, qid: int) -> float:
        """How well known."""
        return self.material.index.fame.get(qid, 0.0)

    def rare(self, subjects: Iterable[int]) -> frozenset[int]:
        """The least known third of these, by `strata`'s edges."""
        known = {s: self.fame(s) for s in subjects}
        edges = strata.edges(known.values())
        return frozenset(s for s, fame in known.items() if strata.third(fame, edges) == 0)

    @cached_property
    def stated(self) -> list[Stated]:
        """Statements whose slot has one value."""
        found = []
        for one in self.swaps.stated:
            form, name, value = self._asked[one.p], self.within(one.s), self.name(one.o)
            if name and value:
                restated = closed(form.restated.replace("{s}", name).replace("{o}", value))
                found.append(
                    Stated(one.s, one.p, one.o, name, value, one.premise["sentence"], restated[:1].upper()
                           + restated[1:], closed(form.ask.replace("{s}", name)), one.premise)
                )  # fmt: skip
        return found

    @cached_property
    def _swapped(self) -> dict[tuple[int, int], Any]:
        return {(one.s, one.p): one for one in self.swaps.stated}

    def false(self, one: Stated) -> tuple[int, str, str, str] | None:
        """A value that the licence refuses: item, its name, the false sentence, and why; None where there is none."""
        swap = self._swapped[one.s, one.p]
        for other, why in self.swaps.others(swap):
            if not set(fold(self.name(other)).split()) & set(fold(one.value).split()):
                return other, self.name(other), self.swaps.said(swap, other), why
        return None

    def sentences(self, s: int, but: Iterable[int] = ()) -> list[str]:
        """True sentences about a subject, without those on some properties, in a drawn order."""
        skipped = set(but)
        found = list(dict.fromkeys(one["sentence"] for one in self.swaps.told(s) if one["property"] not in skipped))
        self.random("sentences", s).shuffle(found)
        return found

    @cached_property
    def spans(self) -> list[Span]:
        """Spans of which both ends are single dates that the licence knows, by kind and item."""
        found = []
        for kind in KINDS:
            both = (kind.p, kind.until)
            subjects = self.drawn(kind.p, kind.until)
            told = self.swaps.worded(subjects)
            for s in subjects:
                ends = [[one for one in told.get(s, ()) if one["property"] == p] for p in both]
                if not all(len(each) == 1 and has_settled_date(self.material.world, p, s)
                           and each[0]["object"].get("precision", 0) >= 9 and each[0]["object"]["date"][:1] != "-"
                           for p, each in zip(both, ends, strict=True)):  # fmt: skip
                    continue
                (begin,), (end,) = ends
                start, last = (int(each["object"]["date"][:4]) for each in (begin, end))
                if start >= 1000 and last - start > 2 and self.name(s):
                    found.append(Span(s, kind, self.within(s), start, last, (begin, end)))
        return found

    def drawn(self, *properties: int) -> list[int]:
        """At most so many subjects that have statements of all these properties, drawn by hash."""
        c = statement.c
        order = func.md5(func.concat_ws(":", literal(str(self.seed)), c.s))
        query = (
            select(c.s)
            .where(c.snapshot == self.material.snapshot, c.p.in_(properties), ~c.hedged)
            .group_by(c.s)
            .having(func.count(c.p.distinct()) == len(properties))
            .order_by(order)
            .limit(_MOST)
        )
        return sorted(self.material.session.scalars(query))

    @cached_property
    def documents(self) -> list[tuple[int, Sequence[Mapping[str, Any]]]]:
        """Subjects of each domain with at least five statements in words, and these, drawn by hash."""
        index, c = self.material.index, statement.c
        several = set(
            self.material.session.scalars(
                select(c.s)
                .where(c.snapshot == self.material.snapshot, c.kind == "item", ~c.hedged)
                .group_by(c.s)
                .having(func.count() >= _LEAST)
            )
        )
        by: dict[str, list[int]] = defaultdict(list)
        for s in sorted(several):
            by[index.domains.get(s, "general")].append(s)
        drawn = [s for domain in sorted(by) for s in self.random("document", domain).sample(by[domain],
                 min(_OF_DOMAIN, len(by[domain])))]  # fmt: skip
        told = self.swaps.worded(drawn)
        return [(s, told[s]) for s in drawn if len(told.get(s, ())) >= _LEAST and self.name(s)]

    @cached_property
    def recent(self) -> list[Mapping[str, Any]]:
        """Dated statements of the last years before the snapshot's date, as premises, the newest first."""
        c, as_of = statement.c, self.material.row.as_of
        today = day_number(as_of.year, as_of.month, as_of.day)
        rows = self.material.session.execute(
            select(c.s)
            .where(c.snapshot == self.material.snapshot, c.kind == "time", ~c.hedged, c.precision >= 9,
                   c.latest <= today, c.earliest >= today - _RECENT_DAYS)
            .order_by(c.s).distinct().limit(5 * _MOST)
        ).all()  # fmt: skip
        subjects = [row.s for row in rows]
        since = as_of.year - _RECENT_DAYS // 365
        found = [
            one for several in self.swaps.worded(subjects).values() for one in several
            if one["object"].get("date", "")[:1] not in ("", "-") and since <= int(one["object"]["date"][:4])
            and one["object"]["date"] <= as_of.isoformat() and one["object"]["precision"] >= 9
        ]  # fmt: skip
        return sorted(found, key=lambda one: (one["object"]["date"], one["sid"]), reverse=True)

    @cached_property
    def terms(self) -> list[Term]:
        """Terms of office with a certain beginning and end."""
        c = statement.c
        rows = self.material.session.execute(
            select(c.guid, c.s, c.p, c.o, c.start_latest, c.end_earliest)
            .where(
                c.snapshot == self.material.snapshot, c.p.in_((wd.POSITION, *_HEADED)), c.kind == "item", ~c.hedged,
                c.start_earliest.is_not(None), c.start_latest.is_not(None), c.end_earliest.is_not(None),
                c.end_latest.is_not(None), c.start_latest - c.start_earliest < 366,
                c.end_latest - c.end_earliest < 366, c.start_latest < c.end_earliest,
            )
            .order_by(c.p, c.s, c.guid)
        ).all()  # fmt: skip
        found = []
        for row in rows:
            holder, office = (row.s, row.o) if row.p == wd.POSITION else (row.o, row.s)
            name, title = self.within(holder), self.within(office)
            head = _HEADED.get(row.p, "")
            if name and title:
                start, end = civil(row.start_latest).year, civil(row.end_earliest).year
                found.append(Term(holder, office * 10 + list(_HEADED).index(row.p) + 1 if head else office * 10, name,
                                  head + title, start, end, row.guid))  # fmt: skip
        return found

    @cached_property
    def works(self) -> list[Work]:
        """Works with one maker, drawn by hash."""
        c = statement.c
        rows = self.material.session.execute(
            select(c.guid, c.s, c.o)
            .where(c.snapshot == self.material.snapshot, c.p.in_(wd.ARTISTS), c.kind == "item", ~c.hedged)
            .order_by(c.s, c.guid)
        ).all()
        by: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            by[row.s].append(row)
        plain = self.material.index.namer.plain
        entities = self.material.index.entities
        found = [
            Work(s, plain(s), plain(several[0].o), several[0].guid)
            for s, several in by.items()
            if len(several) == 1 and s in entities and several[0].o in entities and entities[s].label
            and entities[several[0].o].label and len(plain(s)) >= 4
        ]  # fmt: skip
        titles: dict[str, int] = defaultdict(int)
        for one in found:
            titles[fold(one.title)] += 1
        found = [one for one in found if titles[fold(one.title)] == 1]
        self.random("works").shuffle(found)
        return found

    @cached_property
    def labels(self) -> frozenset[str]:
        """Every label and alias of the snapshot, folded."""
        entities = self.material.index.entities.values()
        return frozenset(fold(name) for one in entities for name in (one.label or "", *one.aliases))


def closed(text: str) -> str:
    """A text whose names bring their own commas, without those that stand before another mark."""
    return re.sub(r",(?=[,.?!)])", "", text)


def numbered(texts: Sequence[str]) -> tuple[Line, ...]:
    """Lines of context with ids L1, L2 …; line breaks within a text are closed up."""
    return tuple(Line(id=f"L{number}", text=" ".join(text.split())) for number, text in enumerate(texts, 1))


def ids_of(lines: Sequence[Line], texts: Iterable[str]) -> tuple[str, ...]:
    """Ids of the lines that hold these texts."""
    wanted = {" ".join(text.split()) for text in texts}
    return tuple(line.id for line in lines if line.text in wanted)


def expecting(expected: Expected, *right: Sequence[str], **more: Any) -> Oracle:
    """An oracle of exact names."""
    return Oracle(kind=more.pop("kind", "exact"), expected=expected, right=tuple(map(tuple, right)), **more)


Generator = Iterator[Draft]
