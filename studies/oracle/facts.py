"""What the study may know of a snapshot: its statements and labels, and the cases that are asked about them.

Read straight from the tables. Aliases only keep two things apart (rule 1.2 of semantics.md asks that no word of their
names be shared); the texts name things by their labels alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas.fault_kinds import KnownDate, Thing, read_date
from halluvault_tasks.storage.tables import benchmark_case, cases, entity, statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import relation_of

_WORD = re.compile(r"\w+")


class Premise(NamedTuple):
    """One piece of a case's evidence."""

    sid: int
    subject: Thing
    property: int
    item: Thing | None
    date: KnownDate | None


class Case(NamedTuple):
    """One question of the benchmark, with what proves its answer."""

    id: str
    group: str
    question: str
    gold: str
    opposed: bool
    """Whether the question denies the base proposition."""

    suite: str
    kind: str
    rule: str
    pid: int
    """Of the fact asked about, or `Relation.key` of what is no property; 0 is a formula."""

    subject: Thing | None
    object: Thing | None
    formula: str
    at: int
    premises: tuple[Premise, ...]

    @property
    def truth(self) -> bool:
        """Whether the base proposition is true."""
        return (self.gold == "yes") != self.opposed

    @property
    def properties(self) -> frozenset[int]:
        """Every property the case rests on or asks about (also -57 of `share:P57`, as 57)."""
        return frozenset({premise.property for premise in self.premises} | ({abs(self.pid)} - {0}))

    @property
    def entities(self) -> frozenset[int]:
        """Every entity the case names or rests on."""
        ends = [self.subject, self.object]
        ends += [end for premise in self.premises for end in (premise.subject, premise.item)]
        return frozenset(end.qid for end in ends if end)


class Facts:
    """Statements and labels of one snapshot.

    Args:
        labels: entity → label; entities without one are left out.
        types: entity → classes.
        items: (subject, property) → objects of every rank, in a fixed order.
        dates: (subject, property) → dates.
        words: entity → folded words of its label and aliases.
    """

    def __init__(
        self,
        labels: Mapping[int, str],
        types: Mapping[int, frozenset[int]],
        items: Mapping[tuple[int, int], tuple[int, ...]],
        dates: Mapping[tuple[int, int], tuple[KnownDate, ...]],
        words: Mapping[int, frozenset[str]],
    ) -> None:
        self.labels, self.types, self.items, self.dates, self.words = labels, types, items, dates, words

    @cached_property
    def by_property(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """Property → (subject, object) pairs, ascending."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (s, p), objects in self.items.items():
            found[p] += [(s, o) for o in objects]
        return {p: tuple(sorted(pairs)) for p, pairs in found.items()}

    @cached_property
    def about(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """Subject → (property, object) pairs, ascending."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (s, p), objects in self.items.items():
            found[s] += [(p, o) for o in objects]
        return {s: tuple(sorted(pairs)) for s, pairs in found.items()}

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """Labels, case folded, that several entities bear."""
        seen: dict[str, int] = defaultdict(int)
        for label in self.labels.values():
            seen[label.casefold()] += 1
        return frozenset(label for label, count in seen.items() if count > 1)

    def thing(self, qid: int) -> Thing | None:
        """The entity, if it has a label of its own."""
        label = self.labels.get(qid)
        return Thing(qid, label) if label and label.casefold() not in self.ambiguous else None

    def above(self, qid: int, property: int) -> list[int]:
        """What lies above over one property, nearest first."""
        reached, frontier = [], [qid]
        while frontier:
            frontier = [
                o for one in frontier for o in self.items.get((one, property), ()) if o not in reached and o != qid
            ]
            reached += list(dict.fromkeys(frontier))
        return reached

    def country(self, place: int) -> int | None:
        """The one country a place is recorded in, itself or through its containers; None if there is not one."""
        found = {o for one in (place, *self.above(place, wd.LOCATED_IN)) for o in self.items.get((one, wd.COUNTRY), ())}
        return found.pop() if len(found) == 1 else None

    def objects_of(self, property: int) -> list[Thing]:
        """What the property is said of anything, by QID; without those that bear no label of their own."""
        found = sorted({o for _, o in self.by_property.get(property, ())})
        return [thing for o in found if (thing := self.thing(o))]

    def states(self, s: int, p: int, o: int) -> bool:
        """Whether the snapshot states it, at any rank."""
        return o in self.items.get((s, p), ())

    def of_a_kind(self, one: int, other: int) -> bool:
        """Whether two entities share a class."""
        return not self.types.get(one, frozenset()).isdisjoint(self.types.get(other, frozenset()))

    def joined(self, left: int, right: int) -> bool:
        """Whether any statement joins two entities, either way."""
        return right in {o for _, o in self.about.get(left, ())} or left in {o for _, o in self.about.get(right, ())}


def load(session: Session, snapshot: str) -> Facts:
    """Read the facts of a snapshot."""
    labels, types, words = {}, {}, {}
    columns = (entity.c.qid, entity.c.label, entity.c.types, entity.c.aliases)
    for qid, label, classes, aliases in session.execute(select(*columns).where(entity.c.snapshot == snapshot)):
        if label:
            labels[qid] = label
            words[qid] = frozenset(
                word for name in (label, *(aliases or ())) for word in _WORD.findall(name.casefold())
            )
        types[qid] = frozenset(classes or ())
    items: dict[tuple[int, int], list[int]] = defaultdict(list)
    dates: dict[tuple[int, int], list[KnownDate]] = defaultdict(list)
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, c.kind, c.o, c.earliest, c.precision).where(c.snapshot == snapshot).order_by(c.sid)
    )
    for row in rows:
        if row.kind == "item" and row.o is not None:
            items[row.s, row.p].append(row.o)
        elif row.kind == "time" and row.earliest is not None and (row.precision or 0) >= 9:
            day = civil(row.earliest)
            month, number = (day.month if row.precision >= 10 else 0), (day.day if row.precision >= 11 else 0)
            dates[row.s, row.p].append(KnownDate(day.year, month, number))
    return Facts(
        labels,
        types,
        {key: tuple(dict.fromkeys(objects)) for key, objects in items.items()},
        {key: tuple(found) for key, found in dates.items()},
        words,
    )


def load_cases(session: Session, snapshot: str) -> list[Case]:
    """Cases of a benchmark that ask the base proposition or its denial, by id.

    Raises:
        UserError: the snapshot has no benchmark.
    """
    columns = (
        cases.c.id,
        cases.c.group_id,
        cases.c.question,
        cases.c.gold,
        cases.c.relation,
        cases.c.suite,
        benchmark_case.c.rule_kind,
        benchmark_case.c.fact,
        benchmark_case.c.premises,
    )
    rows = session.execute(
        select(*columns)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(
            benchmark_case.c.snapshot == snapshot,
            cases.c.relation.in_(("same", "contradictory")),
            cases.c.gold.in_(("yes", "no")),  # open questions are judged by a study of their own
        )
        .order_by(cases.c.id)
    ).all()
    if not rows:
        raise UserError(
            f"snapshot {snapshot!r} has no benchmark to plant faults in", "`halluvault benchmark build` makes one"
        )
    named = select(entity.c.qid, entity.c.label).where(entity.c.snapshot == snapshot, entity.c.label.is_not(None))
    labels = {row.qid: row.label for row in session.execute(named)}
    # The voices count in years: what is asked by the month they could not tell.
    return [_case(row, labels) for row in rows if row.fact.get("granularity", "year") == "year"]


def _case(row: Any, labels: Mapping[int, str]) -> Case:
    fact = row.fact
    return Case(
        id=row.id,
        group=row.group_id,
        question=row.question,
        gold=row.gold,
        # Not by the relation: of a formula that denies something the affirmative is asked.
        opposed=(row.gold == "yes") != fact["truth"],
        suite=row.suite,
        kind=row.rule_kind,
        rule=str(fact.get("rule", "")),
        pid=relation.key if (relation := relation_of(fact)) else 0,
        subject=_thing(fact.get("s"), labels),
        object=_thing(fact.get("o"), labels),
        formula=str(fact.get("formula", "")),
        at=int(fact.get("at") or 0),
        premises=tuple(_premises(row.premises, labels)),
    )


def _thing(qid: object, labels: Mapping[int, str]) -> Thing | None:
    return Thing(qid, labels[qid]) if isinstance(qid, int) and qid in labels else None


def _premises(stored: Iterable[Mapping[str, Any]], labels: Mapping[int, str]) -> Iterable[Premise]:
    for one in stored:
        value = one["object"]
        subject = _thing(one["subject"].get("qid"), labels) or Thing(0, str(one["subject"].get("label", "")))
        yield Premise(
            sid=int(one["sid"]),
            subject=subject,
            property=int(one["property"]),
            item=_thing(value.get("qid"), labels),
            date=_date(str(value.get("date", "")), int(value.get("precision", 0))),
        )


def _date(iso: str, precision: int) -> KnownDate | None:
    """None where there is none, or it is coarser than a year."""
    return read_date(iso, precision) if iso and precision >= 9 else None
