"""Atoms from a snapshot's dated statements: who lived, what lasted, happened or was held, and when.

`kinds` says which statements make which kind of atom. Closed atoms have one start and one end statement and nothing
deprecated beside them (or are a point with one statement, or an earliest publication); positions, marriages and awards
are open within the subject's own closed span (semantics.md §2.3). Statements whose source hedges (P1480, P5102, P1310)
are left out. Items without a label are no atoms: they can be in no question.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import RowMapping, and_, or_, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import tables
from halluvault_tasks.temporal.kinds import KINDS, LIFE, AtomKind
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Cutoff, Point, Row, Span, Timed, cutoff, span, timed
from halluvault_tasks.temporal.units import DayBounds, Granularity, unit_of
from halluvault_tasks.wikidata.calendars import widened_days, widened_years

_DATES = frozenset(p for kind in KINDS.values() for p in kind.dates)
_DATED_BY_QUALIFIERS = frozenset(kind.p for kind in KINDS.values() if kind.by_qualifiers)


class HistoryAtom(NamedTuple):
    """An atom with where it comes from.

    Args:
        timed: its dates in units.
        kind: of event or state.
        qid: the item it is about.
        o: object of a position, marriage or award.
        sids: the statements, ascending; a span's start statement before its end statement.
        domain: of the item; of a term of office that of the office, where it has one, since others held it beside.
        rivals: names of the terms of others that keep it from having held then.
    """

    timed: Timed
    kind: AtomKind
    qid: int
    o: int | None
    sids: tuple[int, ...]
    domain: str | None
    rivals: tuple[str, ...] = ()

    @property
    def seat(self) -> int | None:
        """The office or country that it is a term of."""
        return self.o if self.kind.seated_by == "object" else self.qid if self.kind.seated_by == "subject" else None

    @property
    def holder(self) -> int | None:
        """Who held it, or the city that was the capital."""
        return self.qid if self.kind.seated_by == "object" else self.o

    @property
    def p(self) -> int:
        """Property of the (first) statement."""
        return self.kind.p


class History(NamedTuple):
    """All atoms of a snapshot, by name, in the order of their names' items."""

    atoms: dict[str, HistoryAtom]
    limit: Cutoff
    granularity: Granularity

    @property
    def timed(self) -> dict[str, Timed]:
        """What the encoder needs."""
        return {name: atom.timed for name, atom in self.atoms.items()}


Seats = Mapping[int, Collection[int]]
"""Property → offices, countries or prizes of which one holds it at a time."""


def load(
    session: Session,
    snapshot: str,
    as_of: date,
    granularity: Granularity,
    lag_months: int,
    exclusive: Seats = MappingProxyType({}),
) -> History:
    """Read the atoms of a snapshot.

    Args:
        session: open session; nothing is written.
        snapshot: key.
        as_of: date of the data.
        granularity: unit of all times.
        lag_months: recording lag (semantics.md §2.2).
        exclusive: what one holds at a time (semantics.md §2.3).
    """
    limit = cutoff(as_of, granularity, lag_months)
    deprecated = _deprecated(session, snapshot)
    atoms: dict[str, HistoryAtom] = {}
    for subject, rows in _by_subject(session, snapshot):
        reader = _Subject(subject, rows, deprecated, limit, granularity)
        atoms.update((atom.timed.name, atom) for atom in reader.atoms())
    return History(_kept_apart(atoms, exclusive), limit, granularity)


def _kept_apart(atoms: dict[str, HistoryAtom], exclusive: Seats) -> dict[str, HistoryAtom]:
    """The atoms, each term of what one holds at a time with the terms of others that leave it no room.

    Who held it beside another, or in a dispute, shows nothing: such a term is nobody's rival.
    """
    seats: dict[tuple[AtomKind, int], list[HistoryAtom]] = defaultdict(list)
    for atom in atoms.values():
        if atom.seat is not None and atom.kind.begins is None and atom.seat in exclusive.get(atom.p, ()):
            seats[atom.kind, atom.seat].append(atom)
    narrowed = dict(atoms)
    for several in seats.values():
        alone = [one for one in several if not any(_beside(one, each) for each in several if each is not one)]
        for one in several:
            rivals = [each for each in alone if each is not one]
            others = tuple(row for each in rivals for row in each.timed.rows)
            narrowed[one.timed.name] = one._replace(
                timed=one.timed._replace(others=others), rivals=tuple(each.timed.name for each in rivals)
            )
    return narrowed


def _beside(one: HistoryAtom, other: HistoryAtom) -> bool:
    """Whether two certainly held the same at once, the units of a handover left out."""
    return any(_meet(mine, theirs) for mine in one.timed.rows for theirs in other.timed.rows)


def _meet(mine: Row, theirs: Row) -> bool:
    """Whether two rows share a unit that is inside one of them; of two prizes the one unit."""
    if isinstance(mine, Point) or isinstance(theirs, Point):
        return mine == theirs
    one, other = certain(mine), certain(theirs)
    if one is None or other is None:
        return False
    shared = range(max(one[0], other[0]), min(one[1], other[1]) + 1)
    return any(one[0] < unit < one[1] or other[0] < unit < other[1] for unit in (*shared[:1], *shared[-1:]))


def certain(row: Span) -> tuple[int, int] | None:
    """First and last unit in which a term is certain (semantics.md §2.1)."""
    latest_start = [end for end in (row.s2, row.e2) if end is not None]
    earliest_end = [end for end in (row.e1, row.s1) if end is not None]
    if not latest_start or not earliest_end:
        return None
    first, last = min(latest_start), max(earliest_end)
    return (first, last) if first <= last else None


def _deprecated(session: Session, snapshot: str) -> frozenset[tuple[int, int]]:
    table = tables.deprecated_value
    rows = session.execute(
        select(table.c.s, table.c.p).where(table.c.snapshot == snapshot, table.c.p.in_(_DATES)).distinct()
    )
    return frozenset((s, p) for s, p in rows)


def _by_subject(session: Session, snapshot: str) -> Iterator[tuple[RowMapping, list[RowMapping]]]:
    st, subject, obj = tables.statement, tables.entity, tables.entity.alias("obj")
    dated = or_(st.c.start_earliest.is_not(None), st.c.end_latest.is_not(None), st.c.point_earliest.is_not(None))
    query = (
        select(
            st,
            subject.c.label,
            subject.c.domain,
            obj.c.label.label("object_label"),
            obj.c.domain.label("object_domain"),
        )
        .join(subject, and_(subject.c.snapshot == st.c.snapshot, subject.c.qid == st.c.s))
        .outerjoin(obj, and_(obj.c.snapshot == st.c.snapshot, obj.c.qid == st.c.o))
        .where(
            st.c.snapshot == snapshot,
            subject.c.label.is_not(None),
            or_(st.c.p.in_(_DATES), and_(st.c.p.in_(_DATED_BY_QUALIFIERS), st.c.kind == "item", dated)),
        )
        .order_by(st.c.s, st.c.sid)
    )
    rows: list[RowMapping] = []
    for row in session.execute(query, execution_options={"yield_per": 10_000}).mappings():
        if rows and rows[0]["s"] != row["s"]:
            yield rows[0], rows
            rows = []
        rows.append(row)
    if rows:
        yield rows[0], rows


class _Subject:
    """The dated statements of one item."""

    def __init__(
        self,
        subject: RowMapping,
        rows: Sequence[RowMapping],
        deprecated: frozenset[tuple[int, int]],
        limit: Cutoff,
        granularity: Granularity,
    ) -> None:
        self.qid: int = subject["s"]
        self.label: str = subject["label"]
        self.domain: str | None = subject["domain"]
        self.limit, self.granularity = limit, granularity
        self.deprecated = deprecated
        self.values: dict[int, list[RowMapping]] = defaultdict(list)
        for row in rows:
            self.values[row["p"]].append(row)

    def atoms(self) -> Iterator[HistoryAtom]:
        """Every atom about this item."""
        dated: dict[AtomKind, HistoryAtom] = {}
        for kind in KINDS.values():
            if kind.begins is not None:
                yield from self._starts(kind)
            elif kind.by_qualifiers:
                yield from self._terms(kind, self._within(kind, dated.get(LIFE)))
            elif kind.instead not in dated and (atom := self._dated(kind)):
                dated[kind] = atom
                yield atom

    def _dated(self, kind: AtomKind) -> HistoryAtom | None:
        if kind.lasts:
            return self._span(kind)
        return self._earliest(kind) if kind.earliest else self._point(kind)

    def _only(self, p: int) -> RowMapping | None:
        """The one statement of a property; None where there are several, or one deprecated or hedged."""
        rows = self.values.get(p, [])
        if len(rows) != 1 or (self.qid, p) in self.deprecated or rows[0]["hedged"]:
            return None
        return rows[0]

    def _atom(
        self, kind: AtomKind, rows: Iterable[Row], sids: Iterable[int], *, o: RowMapping | None = None,
        within: Interval | None = None,
    ) -> HistoryAtom:  # fmt: skip
        name, note = kind.of(self.qid), f"{kind.name} of {self.label}"
        if o is not None:
            name, note = f"{name}_Q{o['o']}", f"{note}, {o['object_label']}"
        ordered = tuple(sorted(set(rows), key=lambda row: [(end is not None, end or 0) for end in row]))
        known = timed(name, ordered, open_within=within, limit=self.limit, note=note)
        domain = (o["object_domain"] if o is not None and kind.seated_by == "object" else None) or self.domain
        return HistoryAtom(known, kind, self.qid, None if o is None else o["o"], tuple(sids), domain)

    def _span(self, kind: AtomKind) -> HistoryAtom | None:
        start, end = map(self._only, kind.properties)
        if start is None or end is None or start["kind"] != "time" or end["kind"] not in ("time", "unknown"):
            return None
        try:
            row = span(_value(start, self.granularity), _value(end, self.granularity), self.granularity)
        except UserError:
            return None  # it ends before it starts: one of the two is wrong, and we do not know which
        return self._atom(kind, [row], [start["sid"], end["sid"]])

    def _point(self, kind: AtomKind) -> HistoryAtom | None:
        row = self._only(kind.p)
        point = (
            None if row is None or row["kind"] != "time" else _point(_value(row, self.granularity), self.granularity)
        )
        return self._atom(kind, [point], [row["sid"]]) if row is not None and point is not None else None

    def _earliest(self, kind: AtomKind) -> HistoryAtom | None:
        """The first of several dates, as one point."""
        rows = self.values.get(kind.p, [])
        doubtful = any(row["hedged"] or row["kind"] != "time" for row in rows)
        if not rows or doubtful or (self.qid, kind.p) in self.deprecated:
            return None
        points = [point for row in rows if (point := _point(_value(row, self.granularity), self.granularity))]
        if len(points) < len(rows):
            return None
        earliest = Point(min(point.first for point in points), min(point.last for point in points))
        return self._atom(kind, [earliest], [row["sid"] for row in rows])

    def _within(self, kind: AtomKind, life: HistoryAtom | None) -> Interval:
        """Where unlisted terms may lie: in the subject's own closed span; awards, also given after death, anywhere."""
        if not kind.lasts or life is None or not isinstance(life.timed.rows[0], Span):
            return Interval(None, None)
        row = life.timed.rows[0]
        return Interval(row.s1, row.e2)

    def _terms(self, kind: AtomKind, within: Interval) -> Iterator[HistoryAtom]:
        for rows in self._by_object(kind.p):
            terms = {row["sid"]: term for row in rows if (term := self._term(kind, row, within))}
            if terms:
                yield self._atom(kind, terms.values(), terms, o=rows[0], within=within)

    def _starts(self, kind: AtomKind) -> Iterator[HistoryAtom]:
        """When the terms of a kind began; open, since others may be unlisted."""
        for rows in self._by_object(kind.p):
            starts = {
                row["sid"]: start
                for row in rows
                if (start := _point(_qualifier(row, "start", self.granularity), self.granularity))
            }
            if starts:
                yield self._atom(kind, starts.values(), starts, o=rows[0], within=Interval(None, None))

    def _term(self, kind: AtomKind, row: RowMapping, within: Interval) -> Row | None:
        if not kind.lasts:
            return _point(_qualifier(row, "point", self.granularity), self.granularity)
        start, end = (_qualifier(row, which, self.granularity) for which in ("start", "end"))
        if start == end == DayBounds(None, None):
            return None
        try:
            return _inside(span(start, end, self.granularity), within)
        except UserError:
            return None

    def _by_object(self, p: int) -> Iterator[list[RowMapping]]:
        groups: dict[int, list[RowMapping]] = defaultdict(list)
        for row in self.values.get(p, []):
            if row["object_label"] is not None and not row["hedged"]:
                groups[row["o"]].append(row)
        yield from (groups[o] for o in sorted(groups))


def _point(bounds: DayBounds, granularity: Granularity) -> Point | None:
    if bounds.earliest is None or bounds.latest is None:
        return None
    return Point(unit_of(bounds.earliest, granularity), unit_of(bounds.latest, granularity))


def _inside(row: Span, within: Interval) -> Span:
    """An unknown end of a term cannot lie outside the subject's own span."""
    return Span(
        within.first if row.s1 is None else row.s1,
        within.last if row.s2 is None else row.s2,
        within.first if row.e1 is None else row.e1,
        within.last if row.e2 is None else row.e2,
    )


def _value(row: RowMapping, granularity: Granularity) -> DayBounds:
    """A time statement's bounds; unknown is unbounded."""
    return widened(DayBounds(row["earliest"], row["latest"]), granularity)


def _qualifier(row: RowMapping, which: str, granularity: Granularity) -> DayBounds:
    return widened(DayBounds(row[f"{which}_earliest"], row[f"{which}_latest"]), granularity)


def widened(bounds: DayBounds, granularity: Granularity = Granularity.YEAR) -> DayBounds:
    """Bounds that hold whichever calendar and new year a source counted by (`wikidata.calendars`)."""
    earliest, latest = bounds
    if earliest is None or latest is None:
        return bounds
    widen = widened_years if granularity is Granularity.YEAR else widened_days
    return DayBounds(*widen(earliest, latest))
