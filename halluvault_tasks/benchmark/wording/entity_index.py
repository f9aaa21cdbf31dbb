"""What a snapshot says about the entities that questions are about: names, kinds, and whether they are over."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from sys import intern
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.wording import standing, told
from halluvault_tasks.benchmark.wording.articles import head
from halluvault_tasks.benchmark.wording.forms import EndKinds
from halluvault_tasks.benchmark.wording.identifying_names import Facts, Namer
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.benchmark.wording.standing import Standings
from halluvault_tasks.knowledge import fame
from halluvault_tasks.knowledge import years as years_of
from halluvault_tasks.reasoning.classes import HISTORIC_TYPES
from halluvault_tasks.storage.tables import entity, statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.names import fold

_OCCURRENCE = 1656682  # event: what an untyped item with a start or a point in time is


class Ending(NamedTuple):
    """Who and what is over at the snapshot's date, and who is not."""

    dead: frozenset[int]
    ended: frozenset[int]
    living: frozenset[int] = frozenset()
    """People of whom a birth in the last century is stated and no death."""
    aged: frozenset[int] = frozenset()
    """People born so long ago that the past tense is right, whether or not a death is stated."""
    since: Mapping[int, int] = MappingProxyType({})
    """Of both, the day (number) by which that was so: the last possible one of its date, else the snapshot's."""
    standings: Standings = MappingProxyType({})
    """What may be asked about in the present."""


_DATED = ("dated", "over")  # fields of an entry of the lexicon


class EntityIndex:
    """One snapshot, as far as wording needs it. Loaded once for a build; it is never changed.

    Attributes:
        namer: names of all entities.
        domains: entity → domain, for entities that have one.
        ending: who and what is over.
        years: entity → the year of its beginning, else of its end, as far as one is stated.
        fame: entity → logarithm of the number of its Wikipedia pages and the like; where the source counts none, of
            the statements that it stands in.
        dated: statements of properties that are asked about only with a start or an end, and that have one; of those
            that are asked about only once they are over, the ones with an end.
        general: classes that the lexicon sorts by, or that many others of the snapshot lie below.
        heads: last words of the names of these.
    """

    def __init__(
        self,
        entities: dict[int, Facts],
        domains: dict[int, str],
        lexicon: Lexicon,
        ending: Ending,
        years: dict[int, int] | None = None,
        known: Mapping[int, float] | None = None,
        dated: frozenset[int] = frozenset(),
    ) -> None:
        self.dated = dated
        self.years = years or {}
        self.fame = known or {}
        self.general = _general(entities) | {qid for several in lexicon.kinds.values() for qid in several}
        self.entities = entities
        self.domains = domains
        self.ending = ending
        self.namer = Namer(entities, lexicon, self.fame)
        general = (entities[qid].label for qid in self.general if qid in entities)
        self.heads = frozenset(fold(label).rpartition(" ")[2] for label in general if label)
        self._kinds = {name: frozenset(classes) for name, classes in lexicon.kinds.items()}

    def fits(self, qid: int, ends: EndKinds) -> bool:
        """Whether an entity is of a kind asked for and of none that is excluded.

        An entity of unknown type is of no kind: it fails `any` and passes `none`.
        """
        known = self.entities.get(qid)
        classes = known.classes if known else frozenset()
        if ends.any and not any(classes & self._kinds[kind] for kind in ends.any):
            return False
        if not _is_labelled_so(known.label if known else None, ends):
            return False
        if ends.begun_from is not None and self.years.get(qid, ends.begun_from - 1) < ends.begun_from:
            return False
        if ends.over_from is not None:
            over = self.ending.since.get(qid)
            if over is None or civil(over).year < ends.over_from:
                return False
        return not any(classes & self._kinds[kind] for kind in ends.none)

    def kind(self, name: str) -> frozenset[int]:
        """Classes of a kind of the lexicon; none where it has no such kind."""
        return self._kinds.get(name, frozenset())

    def over(self, qid: int) -> bool:
        """Whether the entity has died, been dissolved or ended."""
        return qid in self.ending.dead or qid in self.ending.ended or qid in self.ending.aged

    def maybe_over(self, qid: int) -> bool:
        """Whether it has, is of a kind of what is over, or a person of whom nothing shows that he or she lives."""
        known = self.entities.get(qid)
        if self.over(qid) or (known and known.direct & HISTORIC_TYPES):
            return True
        return bool(known and known.types & self._kinds.get("human", frozenset())) and qid not in self.ending.living


def _is_labelled_so(label: str | None, ends: EndKinds) -> bool:
    """Whether what an entity is called may stand at this end."""
    if ends.named and (not label or label.islower()):
        return False
    if label and len(label.split()) < ends.least_words:
        return False
    if ends.head and (not label or fold(head(label)) not in ends.head):
        return False
    return not label or (fold(head(label)) not in ends.no_head and fold(label) not in ends.no_label)


MANY = 8
"""Things below a class from which on everybody knows it for the upper one."""

_LONGEST = 105  # years after which the past tense is right of a person
_LIFETIME = 100  # years after which nobody is taken to live because no death is recorded


def _general(entities: Mapping[int, Facts]) -> set[int]:
    below: Counter[int] = Counter()
    for qid, known in entities.items():
        below.update(known.classes - known.types - {qid})
    return {qid for qid, number in below.items() if number >= MANY}


def _superclasses(parents: dict[int, set[int]], classes: Iterable[int]) -> frozenset[int]:
    found: set[int] = set()
    waiting = list(classes)
    while waiting:
        klass = waiting.pop()
        if klass not in found:
            found.add(klass)
            waiting.extend(parents.get(klass, ()))
    return frozenset(found)


def load(session: Session, snapshot: str, lexicon: Lexicon, as_of: date) -> EntityIndex:
    """Read the index of a snapshot.

    Args:
        session: open session.
        snapshot: key.
        lexicon: kinds and names.
        as_of: the snapshot's date; an end counts when its last possible day is not after it.
    """
    parents: dict[int, set[int]] = defaultdict(set)
    for child, parent in session.execute(
        select(statement.c.s, statement.c.o).where(
            statement.c.snapshot == snapshot, statement.c.p == wd.SUBCLASS_OF, statement.c.kind == "item"
        )
    ):
        parents[child].add(parent)
    happened = set(
        session.scalars(
            select(statement.c.s)
            .where(statement.c.snapshot == snapshot, statement.c.p.in_(wd.HAPPENING), statement.c.kind == "time")
            .distinct()
        )
    )
    ending = _ending(session, snapshot, as_of)
    trades, directors = told.trades(session, snapshot, lexicon.trades), told.directors(session, snapshot)
    # Many are of the same classes, and sets of some hundred superclasses are most of the index: each is kept once.
    superclasses = cache(lambda classes: _superclasses(parents, classes))
    entities: dict[int, Facts] = {}
    domains: dict[int, str] = {}
    columns = (entity.c.qid, entity.c.label, entity.c.description, entity.c.aliases, entity.c.types, entity.c.domain)
    for qid, label, description, aliases, types, domain in session.execute(
        select(*columns).where(entity.c.snapshot == snapshot).order_by(entity.c.qid)
    ):
        # Classes are subclasses of other things, not only instances: a disease's own superclasses say what it is.
        if not types and qid in happened:
            types = (_OCCURRENCE,)
        direct = frozenset(types)
        above = superclasses(direct)
        below = frozenset(parents.get(qid, ()))
        classes = superclasses(direct | below) if below else above
        entities[qid] = Facts(
            qid,
            label and intern(label),
            description and intern(description),
            tuple(aliases),
            above,
            classes,
            direct,
            trade=trades.get(qid, ""),
            director=directors.get(qid, ""),
            dead=qid in ending.dead,
        )
        if domain:
            domains[qid] = domain
    years = years_of.load(session, snapshot)
    # Of the living: `years` has the birth of a person before any other date.
    living = frozenset(qid for qid, year in years.items() if year > as_of.year - _LIFETIME) - ending.dead
    people = frozenset(lexicon.kinds.get("human", ()))
    long_ago = (qid for qid, year in years.items() if year <= as_of.year - _LONGEST)
    return EntityIndex(
        entities,
        domains,
        lexicon,
        ending._replace(
            living=living,
            aged=frozenset(qid for qid in long_ago if entities[qid].types & people),
            standings=standing.load(session, snapshot, lexicon),
        ),
        years=years,
        known=fame.load(session, snapshot),
        dated=_dated(session, snapshot, lexicon, as_of),
    )


def _dated(session: Session, snapshot: str, lexicon: Lexicon, as_of: date) -> frozenset[int]:
    c, entries = statement.c, lexicon.properties.items()
    dated, over = ([p for p, several in entries if any(getattr(one, name) for one in several)] for name in _DATED)
    ended = c.p.in_(over) & (c.end_latest <= day_number(as_of.year, as_of.month, as_of.day))
    either = c.p.in_(dated) & func.coalesce(c.start_earliest, c.end_latest).is_not(None)
    return frozenset(session.scalars(select(c.sid).where(c.snapshot == snapshot, ended | either)))


def _ending(session: Session, snapshot: str, as_of: date) -> Ending:
    last = day_number(as_of.year, as_of.month, as_of.day)
    dead: set[int] = set()
    ended: set[int] = set()
    since: dict[int, int] = {}
    for s, p, kind, latest in session.execute(
        select(statement.c.s, statement.c.p, statement.c.kind, statement.c.latest).where(
            statement.c.snapshot == snapshot,
            statement.c.p.in_((wd.DEATH, *wd.ENDINGS, *wd.SHOWS_DEATH)),
            statement.c.kind != "none",
        )
    ):
        if p in wd.SHOWS_DEATH or (p == wd.DEATH and (kind == "unknown" or (latest is not None and latest <= last))):
            dead.add(s)
        elif p in wd.ENDINGS and latest is not None and latest <= last:
            ended.add(s)
        else:
            continue
        if p not in wd.SHOWS_DEATH:
            day = last if latest is None else latest
            since[s] = max(day, since.get(s, day))
    # A place of death alone shows that it was before the snapshot.
    return Ending(frozenset(dead), frozenset(ended), since={s: since.get(s, last) for s in dead | ended})
