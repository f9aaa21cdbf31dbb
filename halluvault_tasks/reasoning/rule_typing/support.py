"""Figures measured on a snapshot before a rule may run: set-based SQL, nothing sampled."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.reasoning.classes import below
from halluvault_tasks.reasoning.rule_typing.contested import contested
from halluvault_tasks.reasoning.rule_typing.reviewed import FunctionalEntry
from halluvault_tasks.reasoning.rule_typing.seats import SeatFigures, measure_seats
from halluvault_tasks.reasoning.world.naming import credits_alone
from halluvault_tasks.reasoning.world.slots import VALUES_SEEN
from halluvault_tasks.wikidata import properties as wd


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) when nothing was counted."""
    # Imported late: numpy takes a tenth of a second of every shard, and only the typing of rules needs it.
    from halluvault_tasks.statistics import shares

    return shares.wilson(hits / of if of else 0.0, of)


class Proportion(NamedTuple):
    """How many of how many."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        """0 when nothing was counted."""
        return self.hits / self.of if self.of else 0.0


class ByClass(NamedTuple):
    """Classes whose subjects have one value of a property."""

    single: Mapping[int, Proportion] = MappingProxyType({})
    """Type → its subjects with exactly one distinct value at any rank, of all its subjects."""

    by_nature: frozenset[int] = frozenset()
    """Classes that a person has named, and those up to two steps below them."""

    never: frozenset[int] = frozenset()
    """Classes that a person has ruled out, and all below them."""

    credited: Proportion = Proportion(0, 0)
    """Subjects with one value, of those whose description credits one of their values alone (`credits`)."""


class Support(NamedTuple):
    """What a snapshot shows about its properties; every mapping is by PID (or pair of PIDs)."""

    items: dict[int, int]
    """Item-valued statements, hedged ones left out."""

    values: dict[int, int]
    """Statements of any kind."""

    symmetric: dict[int, Proportion]
    """Pairs whose reverse is stated, of those whose object's own statements were pulled."""

    single: dict[int, Proportion]
    """Subjects with exactly one distinct value at any rank, of all subjects."""

    inverse: dict[tuple[int, int], Proportion]
    """For (p, q): pairs p(a, b) with q(b, a) stated, of those where b's statements were pulled."""

    types: dict[tuple[int, int], Proportion]
    """For (p, q): objects of p that share a type with some subject of q, of p's typed objects."""

    shows_ranks: bool
    """The source shows more than normal rank; one that does not can prove "exactly one value" by nature only."""

    containment: int
    """P131 statements: without any, nothing is said to be not in a place."""

    contested: Mapping[int, tuple[int, ...]] = MappingProxyType({})
    """Functional property → its statements that ground nothing (`contested.contested`)."""

    dated: frozenset[int] = frozenset()
    """Properties with an item statement that has a date."""

    checked: Mapping[int, int] = MappingProxyType({})
    """Property → statements that people found to be false, and that nothing contradicts so far."""

    kinds: Mapping[int, ByClass] = MappingProxyType({})
    """Property that has one value of some classes only → what is known of the classes."""

    seats: Mapping[int, Mapping[int, SeatFigures]] = MappingProxyType({})
    """Property of what one holds at a time → office, country or prize → what its terms show."""


_COUNTS = """
SELECT p, count(*) FILTER (WHERE kind = 'item' AND NOT hedged) AS items, count(*) AS n,
       count(*) FILTER (WHERE kind = 'item' AND (unknown_qualifiers <> '{}' OR num_nonnulls(
           start_earliest, start_latest, end_earliest, end_latest, point_earliest, point_latest) > 0)) AS dated,
       bool_or(rank = 'preferred') AS ranked
FROM statement WHERE snapshot = :snapshot GROUP BY p
"""

_REVERSE = """
WITH asked AS (SELECT * FROM unnest(CAST(:first AS integer[]), CAST(:second AS integer[])) AS one(p, q)),
     stated AS (SELECT p, s, o, bool_or(kind = 'item' AND NOT hedged AND s <> o) AS counts FROM statement
                WHERE snapshot = :snapshot AND p = ANY(CAST(:first AS integer[]) || CAST(:second AS integer[]))
                AND o IS NOT NULL GROUP BY p, s, o)
SELECT asked.p, asked.q, count(*) AS n, count(back.p) AS hits
FROM asked JOIN stated AS forth ON forth.p = asked.p AND forth.counts
JOIN entity e ON e.snapshot = :snapshot AND e.qid = forth.o AND e.seed
LEFT JOIN stated AS back ON back.p = asked.q AND back.s = forth.o AND back.o = forth.s
GROUP BY asked.p, asked.q
"""

_YEAR = 366
_SUBJECTS = f"""
SELECT p, s, count(*) = 1 OR count(*) = count(earliest) AND max(earliest) <= min(latest) + {_YEAR} AS single
FROM ({VALUES_SEEN}) AS seen GROUP BY p, s
"""  # noqa: S608 (constants of this package)
"""Dates that lie within a year of one another are one: a day and its year, two calendars, a new year in March."""

_SINGLE = f"SELECT p, count(*) AS n, count(*) FILTER (WHERE single) AS hits FROM ({_SUBJECTS}) AS subjects GROUP BY p"  # noqa: S608 (constants of this package)

_SINGLE_BY_CLASS = f"""
SELECT p, type, count(*) AS n, count(*) FILTER (WHERE single) AS hits FROM ({_SUBJECTS}) AS subjects
JOIN entity e ON e.snapshot = :snapshot AND e.qid = s, unnest(e.types) AS type GROUP BY p, type
"""  # noqa: S608 (constants of this package)

_CLASSES = f"SELECT DISTINCT s, o FROM statement WHERE snapshot = :snapshot AND p = {wd.SUBCLASS_OF} AND kind = 'item'"  # noqa: S608 (constants of this package)

_TYPES = """
WITH asked AS (SELECT * FROM unnest(CAST(:first AS integer[]), CAST(:second AS integer[])) AS one(p, q)),
     subjects AS (SELECT DISTINCT st.p, e.types FROM statement st
                  JOIN entity e ON e.snapshot = :snapshot AND e.qid = st.s
                  WHERE st.snapshot = :snapshot AND st.p = ANY(:second)),
     subject_types AS (SELECT p, array_agg(DISTINCT type) AS types FROM subjects, unnest(types) AS type GROUP BY p),
     objects AS (SELECT DISTINCT p, o FROM statement
                 WHERE snapshot = :snapshot AND p = ANY(:first) AND o IS NOT NULL)
SELECT asked.p, asked.q, count(*) AS n, count(*) FILTER (WHERE e.types && known.types) AS hits
FROM asked JOIN subject_types known ON known.p = asked.q JOIN objects ON objects.p = asked.p
JOIN entity e ON e.snapshot = :snapshot AND e.qid = objects.o AND e.types <> '{}'
GROUP BY asked.p, asked.q
"""

_DEPRECATES = "SELECT EXISTS (SELECT FROM deprecated_value WHERE snapshot = :snapshot)"

_CREDITS = """
SELECT st.s, e.description, o.label, o.aliases FROM statement st
JOIN entity e ON e.snapshot = st.snapshot AND e.qid = st.s
JOIN entity o ON o.snapshot = st.snapshot AND o.qid = st.o
WHERE st.snapshot = :snapshot AND st.p = :p AND e.description LIKE '% by %' AND o.label IS NOT NULL
"""


def measure(
    session: Session,
    snapshot: str,
    symmetric: list[int],
    functional: Mapping[int, FunctionalEntry],
    inverse: list[tuple[int, int]],
    exclusive: Mapping[int, Collection[int]] = MappingProxyType({}),
) -> Support:
    """Measure what the rules ask for.

    Args:
        session: open session.
        snapshot: key of a snapshot whose statements are in.
        symmetric: PIDs whose symmetry is wanted.
        functional: reviewed properties whose number of values is wanted.
        inverse: pairs of PIDs.
        exclusive: reviewed seats of properties, whose terms are held against each other.
    """
    at = {"snapshot": snapshot}
    counts = session.execute(text(_COUNTS), at).all()
    items = {row.p: row.items for row in counts}
    turned = [p for p in symmetric if items.get(p)]
    inverted = [pair for pair in inverse if items.get(pair[0])]
    reverse = _of_pairs(session, at, _REVERSE, {*inverted, *((p, p) for p in turned)})
    types = _of_pairs(session, at, _TYPES, set(inverted))
    return Support(
        items=items,
        values={row.p: row.n for row in counts},
        dated=frozenset(row.p for row in counts if row.dated),
        symmetric={p: reverse[p, p] for p in turned},
        single=_single(session, snapshot, functional),
        inverse={pair: reverse[pair] for pair in inverted},
        types=types,
        shows_ranks=any(row.ranked for row in counts) or bool(session.scalar(text(_DEPRECATES), at)),
        containment=items.get(wd.LOCATED_IN, 0),
        contested=_contested(session, snapshot, functional),
        checked=checked_negatives.counts(session),
        kinds=_by_class(session, snapshot, {p: functional[p] for p in functional.keys() & items.keys()}),
        seats=measure_seats(session, snapshot, exclusive),
    )


def _of_pairs(
    session: Session, at: Mapping[str, str], query: str, pairs: Collection[tuple[int, int]]
) -> dict[tuple[int, int], Proportion]:
    """The share of each pair of properties; nothing of nothing where none was counted."""
    ordered = sorted(pairs)
    bind = {**at, "first": [p for p, _ in ordered], "second": [q for _, q in ordered]}
    counted = {(row.p, row.q): Proportion(row.hits, row.n) for row in session.execute(text(query), bind)}
    return {pair: counted.get(pair, Proportion(0, 0)) for pair in ordered}


def _single(session: Session, snapshot: str, properties: Iterable[int]) -> dict[int, Proportion]:
    rows = session.execute(text(_SINGLE), {"snapshot": snapshot, "properties": sorted(properties)})
    return {row.p: Proportion(row.hits, row.n) for row in rows}


def _contested(
    session: Session, snapshot: str, entries: Mapping[int, FunctionalEntry]
) -> Mapping[int, tuple[int, ...]]:
    """A work may have several makers where it is credited to none alone: two of them do not contradict each other."""
    return contested(session, snapshot, [p for p, entry in entries.items() if not entry.credited])


def _by_class(session: Session, snapshot: str, functional: Mapping[int, FunctionalEntry]) -> dict[int, ByClass]:
    entries = {p: entry for p, entry in functional.items() if entry.by_class}
    if not entries:
        return {}
    at = {"snapshot": snapshot, "properties": sorted(entries)}
    single: dict[int, dict[int, Proportion]] = {p: {} for p in entries}
    for p, kind, n, hits in session.execute(text(_SINGLE_BY_CLASS), at):
        single[p][kind] = Proportion(hits, n)
    uppers: dict[int, list[int]] = {}
    for lower, upper in session.execute(text(_CLASSES), at):
        uppers.setdefault(lower, []).append(upper)
    return {
        p: ByClass(
            single[p],
            below(entry.classes, uppers, steps=2),
            below(entry.never, uppers),
            _credited(session, snapshot, p) if entry.credited else Proportion(0, 0),
        )
        for p, entry in entries.items()
    }


def _credited(session: Session, snapshot: str, p: int) -> Proportion:
    values: Counter[int] = Counter()
    alone: set[int] = set()
    for s, description, label, aliases in session.execute(text(_CREDITS), {"snapshot": snapshot, "p": p}):
        values[s] += 1
        if credits_alone(description, (label, *aliases)):
            alone.add(s)
    return Proportion(sum(values[s] == 1 for s in alone), len(alone))
