"""An RDF dump in Wikidata's shape, read into the rows that the bundled sample is drawn from.

Only what the sample's tables can hold is kept: items, times of day to century precision, plain numbers, and the
qualifiers that a pull asks for (`knowledge.queries`).
"""

import gzip
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.iris import DIMENSIONLESS, JULIAN, PREFIXES
from halluvault_tasks.wikidata.times import julian_day_number

QUALIFIERS = (*wd.TIME_QUALIFIERS, *wd.HEDGES)
_TIME = re.compile("|".join(f"P{pid}=" for pid in wd.TIME_QUALIFIERS))

_REFORM = (1582, 10, 15)
_LINE = re.compile(r"<([^>]*)> <([^>]*)> (.*) \.\n")
_DAY = re.compile(r'"([-+]?)(\d+)-(\d\d)-(\d\d)T')
_SHORT = {iri: f"{prefix}:" for prefix, iri in sorted(PREFIXES.items(), key=lambda one: -len(one[1]))}
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)")
_PLAIN = {"t": "\t", "n": "\n", "r": "\r"}


class SampleStatement(NamedTuple):
    """One statement, its value and qualifiers written as in statements.tsv."""

    subject: int
    property: int
    value: str
    rank: str
    qualifiers: str
    source: str

    def item(self) -> int | None:
        """The value's number, where it is an item."""
        return int(self.value[1:]) if self.value[0] == "Q" else None

    def dated(self) -> bool:
        """Whether the value or a qualifier is a time."""
        return self.value[0].isdigit() or self.value[0] == "-" or self.has_term()

    def has_term(self) -> bool:
        """Whether a qualifier is a time."""
        return bool(_TIME.search(self.qualifiers))


class SampleEntity(NamedTuple):
    """An entity's row, without its types."""

    label: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    source: str = ""


class SampleWorld(NamedTuple):
    """What a file says."""

    rows: list[SampleStatement]
    """Every statement but P31, in the file's order."""
    terms: dict[int, SampleEntity]
    types: dict[int, list[int]]
    """P31, ascending."""


def read(path: Path, source: str) -> SampleWorld:
    """Read a packed N-Triples file.

    Args:
        path: the file (.nt.gz).
        source: what its rows give as their source.
    """
    parts = _Parts()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if match := _LINE.fullmatch(line):
                parts.add(_short(match[1]), _short(match[2]), match[3])
    return parts.world(source)


def _short(iri: str) -> str:
    # What is cut behind the last / or # is nearly always a prefix that is known; four million IRIs are cut.
    cut = max(iri.rfind("/"), iri.rfind("#")) + 1
    if prefix := _SHORT.get(iri[:cut]):
        return prefix + iri[cut:]
    for long, other in _SHORT.items():
        if iri.startswith(long):
            return other + iri[len(long) :]
    return iri


def _text(literal: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _PLAIN.get(match[3], match[3])

    return _ESCAPED.sub(plain, literal[1 : literal.rindex('"')])


class _Parts:
    """The triples of a file, sorted into what they are about."""

    def __init__(self) -> None:
        self.label: dict[int, str] = {}
        self.description: dict[int, str] = {}
        self.aliases: dict[int, list[str]] = defaultdict(list)
        self.owner: dict[str, tuple[int, int]] = {}
        self.value: dict[str, str] = {}
        self.rank: dict[str, str] = {}
        self.qualifiers: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self.nodes: dict[str, dict[str, str]] = defaultdict(dict)

    def add(self, subject: str, predicate: str, value: str) -> None:
        kind, _, name = subject.partition(":")
        about, _, local = predicate.partition(":")
        if kind == "wd" and name[0] == "Q":
            self._of_entity(int(name[1:]), about, local, predicate, value)
        elif kind == "wds":
            if about == "ps":
                self.value.setdefault(name, value)
            elif about == "psv":
                self.value[name] = value
            elif predicate == "wikibase:rank":
                self.rank[name] = value[1:-1].rsplit("#", 1)[1].removesuffix("Rank").lower()
            elif about in {"pq", "pqv"} and int(local[1:]) in QUALIFIERS:
                self.qualifiers[name].append((int(local[1:]), value))
        elif kind == "wdv":
            self.nodes[name][local] = value

    def _of_entity(self, qid: int, about: str, local: str, predicate: str, value: str) -> None:
        if about == "p":
            self.owner[_short(value[1:-1]).partition(":")[2]] = (qid, int(local[1:]))
        elif predicate == "rdfs:label":
            self.label[qid] = _text(value)
        elif predicate == "schema:description":
            self.description[qid] = _text(value)
        elif predicate == "skos:altLabel":
            self.aliases[qid].append(_text(value))

    def world(self, source: str) -> SampleWorld:
        rows: list[SampleStatement] = []
        types: dict[int, list[int]] = defaultdict(list)
        for name, (subject, p) in self.owner.items():
            value = self._written(self.value.get(name, ""))
            # A time stands twice among the qualifiers: plain, and as a node with its precision.
            marks = [(q, self._written(given)) for q, given in self.qualifiers.get(name, ()) if given[0] == "<"]
            if value is None or any(given is None for _, given in marks):
                continue  # a value that the tables cannot hold
            if p == wd.INSTANCE_OF:
                types[subject].append(int(value[1:]))
            else:
                written = sorted((q, f"P{q}={given}") for q, given in marks)
                together = "|".join(text for _, text in written)
                rows.append(SampleStatement(subject, p, value, self.rank.get(name, "normal"), together, source))
        terms = {
            qid: SampleEntity(label, self.description.get(qid, ""), tuple(self.aliases.get(qid, ())), source)
            for qid, label in self.label.items()
        }
        return SampleWorld(rows, terms, {qid: sorted(set(found)) for qid, found in types.items()})

    def _written(self, value: str) -> str | None:
        name = _short(value[1:-1]) if value[:1] == "<" else ""
        if re.fullmatch(r"wd:Q\d+", name):
            return name[3:]
        if not name.startswith("wdv:"):
            return None
        node = self.nodes[name[4:]]
        if "timeValue" in node:
            return written_time(node["timeValue"], _number(node["timePrecision"]), _item(node["timeCalendarModel"]))
        if "quantityAmount" in node and _item(node["quantityUnit"]) == DIMENSIONLESS:
            return "=" + node["quantityAmount"].split('"')[1].removeprefix("+")
        return None


def _number(literal: str) -> int:
    return int(literal.split('"')[1])


def _item(iri: str) -> int:
    return int(iri[1:-1].rsplit("/Q", 1)[1])


def written_time(literal: str, precision: int, calendar: int) -> str | None:
    """A time as the sample writes it (`1812-02-07`, `193x`); None for a precision or date that it cannot write.

    Args:
        literal: `wikibase:timeValue`, Gregorian where it is a day.
        precision: Wikidata's number.
        calendar: item of the calendar model.
    """
    if not (match := _DAY.match(literal)) or not 7 <= precision <= 11:
        return None
    year, month, day = int(match[1] + match[2]), int(match[3]), int(match[4])
    if precision == 11 and calendar == JULIAN:
        number = day_number(year, month, day)
        near = (civil(number + shift) for shift in range(-40, 41))  # 32 days apart in 4713 BC
        date = next((one for one in near if julian_day_number(*one) == number), None)
        if date is None:  # 29 February of a year that has none in the other calendar
            return None
        year, month, day = date
    sign, years = "-" if year < 0 else "", f"{abs(year):04d}"
    if precision <= 8:
        if year <= 0:
            return None  # whence decades and centuries before Christ count differs between tools
        start = year // 10 * 10 if precision == 8 else (year - 1) // 100 * 100 + 1
        text = f"{start // 10:03d}x" if precision == 8 else f"{start // 100:02d}xx"
        written = (start, 1, 1)
    else:
        text = sign + "-".join((years, f"{month:02d}", f"{day:02d}")[: precision - 8])
        written = (year, month if precision > 9 else 1, day if precision > 10 else 1)
    assumed = written < _REFORM
    return text if assumed == (calendar == JULIAN) else text + (" J" if calendar == JULIAN else " G")
