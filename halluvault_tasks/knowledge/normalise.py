"""Raw rows of the endpoint → rows of the tables. Pure: the same rows in give the same rows out.

Nothing is guessed. A value that cannot be read is counted and becomes an unknown value: it supports no answer, yet
still counts as a value of its subject.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.plan import Group
from halluvault_tasks.knowledge.texts import clean
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import (
    DIMENSIONLESS,
    JULIAN,
    NO_VALUE,
    PREFIXES,
    WIKIBASE,
    guid,
    is_unknown,
    item,
    property_number,
)
from halluvault_tasks.wikidata.times import UNBOUNDED, TimeBounds, bounds, is_before_christ, parse

NO_SUBJECT = "subject"
"""Reason for which a statement has no row: its subject or property cannot be read."""

_DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"
_QUALIFIER_NODE = PREFIXES["pqv"]
_TIME_PARTS = {"t", "precision", "calendar"}
_EXAMPLES, _LONGEST = 3, 40
_RANKS = {f"{WIKIBASE}{name.capitalize()}Rank": name for name in ("preferred", "normal", "deprecated")}


class StatementValue(NamedTuple):
    """A statement's value, one kind of columns filled."""

    kind: str
    """item, time, quantity, text, unknown or none."""
    o: int | None = None
    earliest: int | None = None
    latest: int | None = None
    precision: int | None = None
    amount: Decimal | None = None
    amount_low: Decimal | None = None
    amount_high: Decimal | None = None
    unit: int | None = None
    text: str | None = None


class StatementRow(NamedTuple):
    """One statement, with the columns of `statement` apart from snapshot and sid."""

    guid: str
    s: int
    p: int
    rank: str
    """preferred, normal or deprecated; what the source gives no rank stands as deprecated."""
    value: StatementValue
    start: TimeBounds
    end: TimeBounds
    point: TimeBounds
    unknown_qualifiers: tuple[int, ...]
    hedged: bool
    absent_qualifiers: tuple[int, ...] = ()
    """Qualifiers that say "no value": a term without an end, as opposed to one whose end is not given."""
    julian: tuple[int, ...] = ()
    """Of its own property and its qualifiers, those whose time the source gives in the Julian calendar."""


class EntityText(NamedTuple):
    """What an entity is called, as the source has it."""

    qid: int
    label: str | None
    description: str | None
    aliases: tuple[str, ...]


class _Qualifiers(NamedTuple):
    start: TimeBounds = UNBOUNDED
    end: TimeBounds = UNBOUNDED
    point: TimeBounds = UNBOUNDED
    unknown: tuple[int, ...] = ()
    hedged: bool = False
    absent: tuple[int, ...] = ()
    julian: tuple[int, ...] = ()


class NormaliserTally:
    """What was read of a snapshot, counted, and what could not be.

    Args:
        before_christ: whether the source's dates before Christ can be believed; they stand as unknown otherwise.
    """

    def __init__(self, before_christ: bool = True) -> None:
        self.faults: Counter[str] = Counter()
        """What could not be read, by reason."""
        self.times = 0
        """Times met, as values and as qualifiers, without those that are not believed."""
        self.unreadable = 0
        """Those of them that are not written as a time: a 13th month, a year of three digits, a word."""
        self.examples: list[str] = []
        """A few of these, as they came."""
        self.statements = 0
        """Statements that became rows."""
        self.rankless = 0
        """Those of them of which the source gives no rank, or one that nobody knows."""
        self._before_christ = before_christ

    def bounds(self, text: str, precision: str, calendar: str) -> TimeBounds | None:
        """The days that a full time may mean; None where it cannot be read, or not be believed."""
        if not self._before_christ and is_before_christ(text):
            self.faults["time before Christ, which this engine gets wrong,"] += 1
            return None
        self.times += 1
        moment, model = parse(text), item(calendar)
        days = None
        if moment is not None and model is not None and precision.isdecimal():
            days = bounds(moment, int(precision), model)
        if days is None:
            self.faults["time"] += 1
            self.unreadable += 1
            if len(self.examples) < _EXAMPLES:
                self.examples.append(text[:_LONGEST])
        return days


_Time = tuple[str, str, str]
"""Value, precision and calendar's IRI."""
_Quantity = tuple[str, str, str, str]
"""Amount, unit's IRI, lower and upper bound; the bounds empty where the source gives none."""


def statement_rows(group: Group, tally: NormaliserTally) -> Iterator[StatementRow]:
    """The statements of a batch, in order of their names; each name once.

    Args:
        group: what is stored of the batch.
        tally: counts what was read, and what could not be.
    """
    times = _times(group.times)
    quantities = _quantities(group.quantities)
    qualifiers = _qualifiers(group.qualifiers, tally)
    by_guid: dict[str, list[Row]] = {}
    for row in group.statements:
        if name := guid(row["st"]["value"]):
            by_guid.setdefault(name, []).append(row)
        else:
            tally.faults["statement name"] += 1
    for name, rows in sorted(by_guid.items()):
        subject, pid = item(rows[0]["s"]["value"]), property_number(rows[0]["c"]["value"])
        if subject is None or pid is None:
            tally.faults[NO_SUBJECT] += 1
            continue
        marks = qualifiers.get(name, _Qualifiers())
        own = (pid,) if _julian(times.get(name, set())) else ()
        yield StatementRow(
            name,
            subject,
            pid,
            _rank(rows, tally),
            _value(rows, times.get(name, set()), quantities.get(name, set()), tally),
            marks.start,
            marks.end,
            marks.point,
            marks.unknown,
            marks.hedged,
            marks.absent,
            tuple(sorted({*own, *marks.julian})),
        )


def entity_texts(rows: Iterable[Row]) -> dict[int, EntityText]:
    """Labels, descriptions and aliases by entity; English before the language-independent default."""
    texts: dict[int, dict[str, set[tuple[bool, str]]]] = {}
    for row in rows:
        if row["x"]["type"] == "uri" or (qid := item(row["e"]["value"])) is None:
            continue
        kind = row["k"]["value"].replace("#", "/").rsplit("/", 1)[-1]
        default = row["x"].get("xml:lang") != "en"
        if text := clean(row["x"]["value"]):
            texts.setdefault(qid, {}).setdefault(kind, set()).add((default, text))
    return {
        qid: EntityText(
            qid,
            _first(kinds.get("label")),
            _first(kinds.get("description")),
            tuple(sorted({text for _, text in kinds.get("altLabel", ())})),
        )
        for qid, kinds in texts.items()
    }


def _first(texts: set[tuple[bool, str]] | None) -> str | None:
    return min(texts)[1] if texts else None


def _rank(rows: list[Row], tally: NormaliserTally) -> str:
    ranks = {_RANKS.get(row["rank"]["value"], "") for row in rows if "rank" in row}
    tally.statements += 1
    if not ranks or "" in ranks:
        # It may be deprecated, so that it supports no answer; as such a one, it still counts as a value of its subject.
        tally.rankless += 1
        return "deprecated"
    return min(ranks)  # the least trusted: it comes first in the alphabet, too


def _value(rows: list[Row], times: set[_Time], quantities: set[_Quantity], tally: NormaliserTally) -> StatementValue:
    values = {(row["v"]["type"], row["v"]["value"]) for row in rows if "v" in row}
    if len(values) != 1:
        if not values and any("no" in row for row in rows):
            return StatementValue("none")
        tally.faults["statement with several values" if values else "statement without value"] += 1
        return StatementValue("unknown")
    ((kind, text),) = values
    if kind == "bnode" or (kind == "uri" and is_unknown(text)):
        return StatementValue("unknown")
    if times:
        return _time(times, tally)
    if quantities:
        return _quantity(quantities, tally.faults)
    if kind == "uri" and (qid := item(text)) is not None:
        return StatementValue("item", o=qid)
    if any(row.get("v", {}).get("datatype") == _DATE_TIME for row in rows):  # of a literal alone
        tally.faults["time without precision"] += 1
        return StatementValue("time")
    return StatementValue("text", text=clean(text))


def _time(times: set[_Time], tally: NormaliserTally) -> StatementValue:
    limits = {tally.bounds(*time) for time in times}
    precision = min(time[1] for time in times)
    days = limits.pop()
    if days is None or limits:
        if days is not None:
            tally.faults["statement with several times"] += 1
        return StatementValue("unknown")
    return StatementValue("time", earliest=days.earliest, latest=days.latest, precision=int(precision))


def _julian(times: set[_Time]) -> bool:
    return bool(times) and all(item(calendar) == JULIAN for _, _, calendar in times)


def _quantity(quantities: set[_Quantity], faults: Counter[str]) -> StatementValue:
    amount, unit, low, high = min(quantities)
    number, kind = _decimal(amount), item(unit)
    if len(quantities) > 1 or number is None or kind is None:
        faults["quantity"] += 1
        return StatementValue("unknown")
    least, most = _decimal(low), _decimal(high)
    if (low or high) and (least is None or most is None or not least <= number <= most):
        faults["quantity's tolerance"] += 1
        least = most = None
    return StatementValue(
        "quantity", amount=number, amount_low=least, amount_high=most, unit=None if kind == DIMENSIONLESS else kind
    )


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _times(rows: Iterable[Row]) -> dict[str, set[_Time]]:
    times: dict[str, set[_Time]] = {}
    for row in rows:
        if name := guid(row["st"]["value"]):
            times.setdefault(name, set()).add((row["t"]["value"], row["precision"]["value"], row["calendar"]["value"]))
    return times


def _quantities(rows: Iterable[Row]) -> dict[str, set[_Quantity]]:
    quantities: dict[str, set[_Quantity]] = {}
    for row in rows:
        if name := guid(row["st"]["value"]):
            low, high = (row.get(end, {}).get("value", "") for end in ("low", "high"))
            quantities.setdefault(name, set()).add((row["amount"]["value"], row["unit"]["value"], low, high))
    return quantities


class _Marks(NamedTuple):
    """The qualifiers of a statement as they came, by property."""

    values: dict[int, set[str]]
    times: dict[int, set[_Time]]
    absent: set[int]

    def read(self, tally: NormaliserTally) -> _Qualifiers:
        """What they say."""
        terms: dict[int, TimeBounds] = {}
        unknown = []
        for pid in wd.TIME_QUALIFIERS:
            if pid not in self.values:
                continue
            limits = {tally.bounds(*time) for time in self.times.get(pid, ())}
            # Two starts on one statement are two terms run together: no single bound is true of both.
            if len(self.values[pid]) > 1 or len(limits) != 1 or (days := limits.pop()) is None:
                unknown.append(pid)
                tally.faults["qualifier with no single time"] += not any(map(is_unknown, self.values[pid]))
            else:
                terms[pid] = days
        return _Qualifiers(
            terms.get(wd.START, UNBOUNDED),
            terms.get(wd.END, UNBOUNDED),
            terms.get(wd.POINT_IN_TIME, UNBOUNDED),
            tuple(unknown),
            any(pid in self.values for pid in wd.HEDGES),
            tuple(sorted(self.absent)),
            tuple(pid for pid in terms if _julian(self.times[pid])),
        )


def _qualifiers(rows: Iterable[Row], tally: NormaliserTally) -> dict[str, _Qualifiers]:
    marks: dict[str, _Marks] = defaultdict(lambda: _Marks({}, {}, set()))
    for row in rows:
        name, kind, value = guid(row["st"]["value"]), row["k"]["value"], row["node"]["value"]
        # For a type, the property is part of the value: `wdno:P582`.
        pid = property_number(value if value.startswith(NO_VALUE) else kind)
        if name is None or pid is None:
            tally.faults["qualifier"] += 1
        elif value.startswith(NO_VALUE):
            marks[name].absent.add(pid)
        elif not kind.startswith(_QUALIFIER_NODE):
            marks[name].values.setdefault(pid, set()).add(value)
        elif row.keys() >= _TIME_PARTS:
            time = (row["t"]["value"], row["precision"]["value"], row["calendar"]["value"])
            marks[name].times.setdefault(pid, set()).add(time)
    return {name: mark.read(tally) for name, mark in marks.items() if mark.values or mark.absent}
