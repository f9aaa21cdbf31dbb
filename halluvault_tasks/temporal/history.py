"""Atoms from a snapshot's dated statements: who lived, what lasted, happened or was held, and when.

`verbalise` says which statements make which kind of atom. Closed atoms have one start and one end statement and nothing
deprecated beside them (or are a point with one statement, or an earliest publication); positions, marriages and awards
are open within the subject's own closed span (semantics.md §2.3). Statements whose source hedges (P1480, P5102, P1310)
are left out. Items without a label are no atoms: they can be in no question.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import RowMapping, and_, or_, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import tables
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Cutoff, Point, Row, Span, Timed, cutoff, span, timed
from halluvault_tasks.temporal.units import DayBounds, Granularity, unit_of
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import widened_days, widened_years

_SPANS = {"life": (wd.BIRTH, wd.DEATH), "run": (wd.START, wd.END), "existence": (wd.INCEPTION, wd.DISSOLUTION)}
_POINTS = {
    "birth": (wd.BIRTH, ""),
    "death": (wd.DEATH, ""),
    "founding": (wd.INCEPTION, "existence"),
    "event": (wd.POINT_IN_TIME, "run"),
}
DATED: Mapping[str, tuple[int, ...]] = {
    **_SPANS, **{kind: (p,) for kind, (p, _) in _POINTS.items()}, "publication": (wd.PUBLICATION,),
}  # fmt: skip
"""Kind of a closed atom → properties of the dates that it depends on."""

_TERMS = {wd.POSITION: "position", wd.SPOUSE: "marriage"}


class HistoryAtom(NamedTuple):
    """An atom with where it comes from.

    Args:
        timed: its dates in units.
        kind: see `verbalise`.
        qid: the item it is about.
        p: property of the (first) statement.
        o: object of a position, marriage or award.
        sids: the statements, ascending; a span's start statement before its end statement.
        domain: of the item.
    """

    timed: Timed
    kind: str
    qid: int
    p: int
    o: int | None
    sids: tuple[int, ...]
    domain: str | None


class History(NamedTuple):
    """All atoms of a snapshot, by name, in the order of their names' items."""

    atoms: dict[str, HistoryAtom]
    limit: Cutoff
    granularity: Granularity

    @property
    def timed(self) -> dict[str, Timed]:
        """What the encoder needs."""
        return {name: atom.timed for name, atom in self.atoms.items()}


def load(session: Session, snapshot: str, as_of: date, granularity: Granularity, lag_months: int) -> History:
    """Read the atoms of a snapshot.

    Args:
        session: open session; nothing is written.
        snapshot: key.
        as_of: date of the data.
        granularity: unit of all times.
        lag_months: recording lag (semantics.md §2.2).
    """
    limit = cutoff(as_of, granularity, lag_months)
    deprecated = _deprecated(session, snapshot)
    atoms: dict[str, HistoryAtom] = {}
    for subject, rows in _by_subject(session, snapshot):
        reader = _Subject(subject, rows, deprecated, limit, granularity)
        atoms.update((atom.timed.name, atom) for atom in reader.atoms())
    return History(atoms, limit, granularity)


def _deprecated(session: Session, snapshot: str) -> frozenset[tuple[int, int]]:
    table = tables.deprecated_value
    rows = session.execute(
        select(table.c.s, table.c.p).where(table.c.snapshot == snapshot, table.c.p.in_(wd.DATES)).distinct()
    )
    return frozenset((s, p) for s, p in rows)


def _by_subject(session: Session, snapshot: str) -> Iterator[tuple[RowMapping, list[RowMapping]]]:
    st, subject, obj = tables.statement, tables.entity, tables.entity.alias("obj")
    dated = or_(st.c.start_earliest.is_not(None), st.c.end_latest.is_not(None), st.c.point_earliest.is_not(None))
    query = (
        select(st, subject.c.label, subject.c.domain, obj.c.label.label("object_label"))
        .join(subject, and_(subject.c.snapshot == st.c.snapshot, subject.c.qid == st.c.s))
        .outerjoin(obj, and_(obj.c.snapshot == st.c.snapshot, obj.c.qid == st.c.o))
        .where(
            st.c.snapshot == snapshot,
            subject.c.label.is_not(None),
            or_(st.c.p.in_(wd.DATES), and_(st.c.p.in_(wd.DATED_BY_QUALIFIERS), st.c.kind == "item", dated)),
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
        spans = {kind: lasting for kind, pair in _SPANS.items() if (lasting := self._span(kind, *pair))}
        yield from spans.values()
        for kind, (p, instead) in _POINTS.items():
            if instead not in spans and (moment := self._point(kind, p)):
                yield moment
        if published := self._publication():
            yield published
        within = self._within(spans.get("life"))
        for p, kind in _TERMS.items():
            yield from self._terms(kind, p, within)
        yield from self._awards()

    def _only(self, p: int) -> RowMapping | None:
        """The one statement of a property; None where there are several, or one deprecated or hedged."""
        rows = self.values.get(p, [])
        if len(rows) != 1 or (self.qid, p) in self.deprecated or rows[0]["hedged"]:
            return None
        return rows[0]

    def _atom(
        self, kind: str, rows: Sequence[Row], sids: Sequence[int], p: int, *, o: RowMapping | None = None,
        within: Interval | None = None,
    ) -> HistoryAtom:  # fmt: skip
        name, note = f"{kind}_Q{self.qid}", f"{kind} of {self.label}"
        if o is not None:
            name, note = f"{name}_Q{o['o']}", f"{note}, {o['object_label']}"
        ordered = tuple(sorted(set(rows), key=lambda row: [(end is not None, end or 0) for end in row]))
        known = timed(name, ordered, open_within=within, limit=self.limit, note=note)
        return HistoryAtom(known, kind, self.qid, p, None if o is None else o["o"], tuple(sids), self.domain)

    def _span(self, kind: str, start_p: int, end_p: int) -> HistoryAtom | None:
        start, end = self._only(start_p), self._only(end_p)
        if start is None or end is None or start["kind"] != "time" or end["kind"] not in ("time", "unknown"):
            return None
        try:
            row = span(_value(start, self.granularity), _value(end, self.granularity), self.granularity)
        except UserError:
            return None  # it ends before it starts: one of the two is wrong, and we do not know which
        return self._atom(kind, [row], [start["sid"], end["sid"]], start_p)

    def _point(self, kind: str, p: int) -> HistoryAtom | None:
        row = self._only(p)
        point = (
            None if row is None or row["kind"] != "time" else _point(_value(row, self.granularity), self.granularity)
        )
        return self._atom(kind, [point], [row["sid"]], p) if row is not None and point is not None else None

    def _publication(self) -> HistoryAtom | None:
        """The earliest publication: countries follow one another, the first is one point."""
        rows = self.values.get(wd.PUBLICATION, [])
        doubtful = any(row["hedged"] or row["kind"] != "time" for row in rows)
        if not rows or doubtful or (self.qid, wd.PUBLICATION) in self.deprecated:
            return None
        points = [point for row in rows if (point := _point(_value(row, self.granularity), self.granularity))]
        if len(points) < len(rows):
            return None
        earliest = Point(min(point.first for point in points), min(point.last for point in points))
        return self._atom("publication", [earliest], [row["sid"] for row in rows], wd.PUBLICATION)

    def _within(self, life: HistoryAtom | None) -> Interval:
        """Where unlisted terms may lie: the subject's own closed span, else anywhere."""
        if life is None or not isinstance(life.timed.rows[0], Span):
            return Interval(None, None)
        row = life.timed.rows[0]
        return Interval(row.s1, row.e2)

    def _terms(self, kind: str, p: int, within: Interval) -> Iterator[HistoryAtom]:
        for rows in self._by_object(p):
            spans, sids = [], []
            for row in rows:
                start, end = (_qualifier(row, which, self.granularity) for which in ("start", "end"))
                if start == end == DayBounds(None, None):
                    continue
                try:
                    spans.append(_inside(span(start, end, self.granularity), within))
                except UserError:
                    continue
                sids.append(row["sid"])
            if spans:
                yield self._atom(kind, spans, sids, p, o=rows[0], within=within)

    def _awards(self) -> Iterator[HistoryAtom]:
        for rows in self._by_object(wd.AWARD):
            points = {
                row["sid"]: point
                for row in rows
                if (point := _point(_qualifier(row, "point", self.granularity), self.granularity))
            }
            if points:
                # Awards are given after death too, so the subject's span does not close them.
                everywhere = Interval(None, None)
                yield self._atom("award", [*points.values()], [*points], wd.AWARD, o=rows[0], within=everywhere)

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
