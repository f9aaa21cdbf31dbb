"""The bundled sample in the format of Wikidata's RDF dump, as N-Triples.

Follows the RDF dump format of Wikibase: truthy `wdt:` for the best rank only, full statements with value nodes,
skolem IRIs for unknown values, `wdno:` classes for no value, `owl:sameAs` from a merged id to its target, dates of day
precision in Gregorian.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from halluvault_tasks.knowledge.bundled import DATATYPES, PropertyMetadata
from halluvault_tasks.local.sample import Entity, NoValue, Sample, SampleQuantity, Statement, Time, Value
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.iris import DATA_SET, DIMENSIONLESS, JULIAN, PREFIXES
from halluvault_tasks.wikidata.times import DAY, julian_day_number

_SINGLE_VALUE = (19_474_404, 52_060_874)  # single-value and single-best-value constraint
_RANKS = {"preferred": "PreferredRank", "normal": "NormalRank", "deprecated": "DeprecatedRank"}
_LOCAL_NAMES = {name: local for local, name in reversed(DATATYPES.items()) if local not in {"Item", "Property", "Text"}}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def n_triples(sample: Sample) -> Iterator[str]:
    """Every triple of the sample, one line each with its newline, in a fixed order."""
    yield _line(f"<{DATA_SET}>", "schema:dateModified", _typed(f"{sample.as_of}T00:00:00Z", "dateTime"))
    for metadata in sample.properties:
        yield from _property(metadata)
    for entity in sample.entities:
        yield from _entity(entity)
    for redirect in sample.redirects:
        yield _line(f"wd:Q{redirect.old}", "owl:sameAs", _iri(f"wd:Q{redirect.new}"))
    kinds = {metadata.pid: metadata.datatype for metadata in sample.properties}
    typed = [
        Statement("", entity.qid, wd.INSTANCE_OF, item, "normal", (), f"Q{item}")
        for entity in sample.entities
        for item in entity.types
    ]
    yield from _statements([*sample.statements, *typed], kinds)


def statement_names(statements: Iterable[Statement]) -> list[str]:
    """A name for each statement, the same on every run; equal rows are told apart by their order."""
    seen: Counter[tuple[int, int, str]] = Counter()
    names = []
    for row in statements:
        key = (row.subject, row.property, row.text)
        seen[key] += 1
        digest = hashlib.sha256("|".join(map(str, (*key, seen[key]))).encode()).hexdigest()
        names.append(f"Q{row.subject}-{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}")
    return names


def _iri(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"<{PREFIXES[prefix]}{local}>"


def _line(subject: str, predicate: str, value: str) -> str:
    return f"{subject if subject[0] == '<' else _iri(subject)} {_iri(predicate)} {value} .\n"


def _text(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"@en'


def _typed(text: str, datatype: str) -> str:
    return f'"{text}"^^{_iri("xsd:" + datatype)}'


def _entity(entity: Entity) -> Iterator[str]:
    name = f"wd:Q{entity.qid}"
    if entity.label:
        yield _line(name, "rdfs:label", _text(entity.label))
    if entity.description:
        yield _line(name, "schema:description", _text(entity.description))
    for alias in entity.aliases:
        yield _line(name, "skos:altLabel", _text(alias))
    if entity.sitelinks is not None:
        yield _line(name, "wikibase:sitelinks", _typed(str(entity.sitelinks), "integer"))


def _property(metadata: PropertyMetadata) -> Iterator[str]:
    name, local = f"wd:P{metadata.pid}", f"P{metadata.pid}"
    yield _line(name, "rdf:type", _iri("wikibase:Property"))
    yield _line(name, "rdfs:label", _text(metadata.label))
    yield _line(name, "wikibase:propertyType", _iri(f"wikibase:{_LOCAL_NAMES[metadata.datatype]}"))
    for link, prefix in (
        ("directClaim", "wdt"),
        ("claim", "p"),
        ("statementProperty", "ps"),
        ("statementValue", "psv"),
        ("qualifier", "pq"),
        ("qualifierValue", "pqv"),
        ("novalue", "wdno"),
    ):
        yield _line(name, f"wikibase:{link}", _iri(f"{prefix}:{local}"))
    if metadata.inverse is not None:
        yield _line(name, f"wdt:P{wd.INVERSE}", _iri(f"wd:P{metadata.inverse}"))
    for item in metadata.classes:
        yield _line(name, f"wdt:P{wd.INSTANCE_OF}", _iri(f"wd:Q{item}"))
    for item in metadata.constraints:
        statement = f"wds:{local}-constraint-Q{item}"
        yield _line(name, f"wdt:P{wd.CONSTRAINT}", _iri(f"wd:Q{item}"))
        yield _line(name, f"p:P{wd.CONSTRAINT}", _iri(statement))
        yield _line(statement, f"ps:P{wd.CONSTRAINT}", _iri(f"wd:Q{item}"))
        yield _line(statement, "wikibase:rank", _iri("wikibase:NormalRank"))
        for separator in metadata.separators if item in _SINGLE_VALUE else ():
            yield _line(statement, f"pq:P{wd.SEPARATOR}", _iri(f"wd:P{separator}"))


def _statements(rows: list[Statement], datatypes: Mapping[int, str]) -> Iterator[str]:
    best: dict[tuple[int, int], str] = defaultdict(lambda: "normal")
    for row in rows:
        if row.rank == "preferred":
            best[row.subject, row.property] = "preferred"
    for name, row in zip(statement_names(rows), rows, strict=True):
        subject, pid, statement = f"wd:Q{row.subject}", f"P{row.property}", f"wds:{name}"
        _check(row, datatypes)
        yield _line(subject, f"p:{pid}", _iri(statement))
        yield _line(statement, "wikibase:rank", _iri(f"wikibase:{_RANKS[row.rank]}"))
        truthy = row.rank == best[row.subject, row.property]
        if isinstance(row.value, NoValue):
            yield _line(statement, "rdf:type", _iri(f"wdno:{pid}"))
            if truthy:
                yield _line(subject, "rdf:type", _iri(f"wdno:{pid}"))
        else:
            yield from _value(statement, f"ps:{pid}", f"psv:{pid}", row.value)
            if truthy:
                yield _line(subject, f"wdt:{pid}", _plain(row.value, f"{name} {pid}"))
        for qualifier, given in row.qualifiers:
            if isinstance(given, NoValue):
                yield _line(statement, "rdf:type", _iri(f"wdno:P{qualifier}"))
            else:
                yield from _value(statement, f"pq:P{qualifier}", f"pqv:P{qualifier}", given)


def _check(row: Statement, datatypes: Mapping[int, str]) -> None:
    """A value of another kind than its property takes is a slip of the pen in the sample."""
    expected = {int: "wikibase-item", Time: "time", SampleQuantity: "quantity"}.get(type(row.value))
    if expected is not None and datatypes.get(row.property, expected) != expected:
        raise ValueError(f"Q{row.subject} P{row.property} {row.text}: the property takes {datatypes[row.property]}")


def _value(subject: str, simple: str, full: str, value: Value) -> Iterator[str]:
    local = subject.partition(":")[2]
    yield _line(subject, simple, _plain(value, f"{local} {simple.partition(':')[2]}"))
    if isinstance(value, Time | SampleQuantity):
        node = f"wdv:{_digest('|'.join(map(str, value)))}"
        yield _line(subject, full, _iri(node))
        yield from _node(node, value)


def _node(node: str, value: Time | SampleQuantity) -> Iterator[str]:
    if isinstance(value, Time):
        yield _line(node, "rdf:type", _iri("wikibase:TimeValue"))
        yield _line(node, "wikibase:timeValue", _typed(_date_time(value), "dateTime"))
        yield _line(node, "wikibase:timePrecision", _typed(str(value.precision), "integer"))
        yield _line(node, "wikibase:timeTimezone", _typed("0", "integer"))
        yield _line(node, "wikibase:timeCalendarModel", _iri(f"wd:Q{value.calendar}"))
    else:
        yield _line(node, "rdf:type", _iri("wikibase:QuantityValue"))
        yield _line(node, "wikibase:quantityAmount", _typed(_signed(value.amount), "decimal"))
        yield _line(node, "wikibase:quantityUnit", _iri(f"wd:Q{value.unit or DIMENSIONLESS}"))


def _plain(value: Value, key: str) -> str:
    if isinstance(value, int):
        return _iri(f"wd:Q{value}")
    if isinstance(value, Time):
        return _typed(_date_time(value), "dateTime")
    if isinstance(value, SampleQuantity):
        return _typed(_signed(value.amount), "decimal")
    return f"<http://www.wikidata.org/.well-known/genid/{_digest(key)}>"


def _date_time(value: Time) -> str:
    year, month, day = value.year, value.month, value.day
    if value.calendar == JULIAN and value.precision >= DAY:
        year, month, day = civil(julian_day_number(year, month, day))
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day:02d}T00:00:00Z"


def _signed(amount: str) -> str:
    return amount if amount[0] in "+-" else f"+{amount}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
