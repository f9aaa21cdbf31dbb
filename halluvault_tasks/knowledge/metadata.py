"""Property metadata: from the source, or from the bundled table if the source has none."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.knowledge import bundled
from halluvault_tasks.knowledge.answer_source import AnswerSource
from halluvault_tasks.knowledge.bundled import DATATYPES, PropertyMetadata
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.requests import PropertyConstraints, PropertyTerms
from halluvault_tasks.knowledge.texts import clean
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import WIKIBASE, item, property_number

STAGE = "metadata"
_BATCH = 100
_DEPRECATED = WIKIBASE + "DeprecatedRank"


class Property(NamedTuple):
    """One property of a snapshot."""

    metadata: PropertyMetadata
    origin: str
    """`source`, `bundled` where the source lacks metadata, or `absent` where both do: it licenses nothing then."""
    declared: tuple[int, ...] = ()
    """Every inverse that the source gives (P1696), ascending."""


def fetch(source: AnswerSource, domains: Domains) -> dict[int, Property]:
    """Every property of the configuration, of the qualifiers read, and of the inverses of all these."""
    wanted = {*domains.all_properties(), *wd.TIME_QUALIFIERS, *wd.HEDGES}
    rows = _fetch(source, sorted(wanted))
    inverses = {pid for row in rows.values() for pid in (*row.declared, row.metadata.inverse or 0) if pid} - wanted
    rows |= _fetch(source, sorted(inverses))
    chosen = {pid: row.metadata._replace(inverse=_inverse(pid, rows)) for pid, row in rows.items()}
    return {pid: row._replace(metadata=chosen[pid]) for pid, row in rows.items()}


def _inverse(pid: int, rows: Mapping[int, Property]) -> int | None:
    """The one inverse of a property: of several the one that names it as its own, none where that is said of several.

    The first by number is as often another relation's (a child's "father", given of every parent).
    """
    row = rows[pid]
    if len(row.declared) < 2:
        return row.metadata.inverse
    mutual = [other for other in row.declared if other in rows and pid in rows[other].declared]
    return mutual[0] if len(mutual) == 1 else None


def datatypes(properties: Mapping[int, Property]) -> dict[int, str]:
    """Datatype of each property for which any is known."""
    return {pid: row.metadata.datatype for pid, row in properties.items() if row.origin != "absent"}


def _fetch(source: AnswerSource, pids: Sequence[int]) -> dict[int, Property]:
    terms = _by_property(source.each(STAGE, "", PropertyTerms(pids), _BATCH))
    constraints = _by_property(source.each(STAGE, "", PropertyConstraints(pids), _BATCH))
    known = bundled.properties()
    return {pid: _merge(_stated(pid, terms.get(pid, ()), constraints.get(pid, ())), known.get(pid)) for pid in pids}


def _by_property(batches: Iterable[tuple[Sequence[int], list[Row]]]) -> dict[int, list[Row]]:
    rows: dict[int, list[Row]] = defaultdict(list)
    for _, batch in batches:
        for row in batch:
            if (pid := property_number(row["p"]["value"])) is not None:
                rows[pid].append(row)
    return rows


class _Stated(NamedTuple):
    """What the source says of a property."""

    pid: int
    label: str | None
    datatype: str | None
    """None where it says none: then it has no metadata."""
    inverses: tuple[int, ...]
    classes: tuple[int, ...]
    constraints: tuple[int, ...]
    separators: tuple[int, ...]


def _stated(pid: int, terms: Iterable[Row], constraints: Iterable[Row]) -> _Stated:
    values: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, str] = {}
    for row in terms:
        if row["x"]["type"] == "uri":
            values[row["k"]["value"].rsplit("/", 1)[-1]].add(row["x"]["value"])
        else:
            labels[row["x"].get("xml:lang", "")] = clean(row["x"]["value"])
    valid = [row for row in constraints if row["rank"]["value"] != _DEPRECATED]
    datatypes = values["ontology#propertyType"]
    return _Stated(
        pid,
        labels.get("en") or labels.get("mul"),
        DATATYPES.get(min(datatypes).removeprefix(WIKIBASE), "other") if datatypes else None,
        _numbers(values[f"P{wd.INVERSE}"], property_number),
        _numbers(values[f"P{wd.INSTANCE_OF}"], item),
        _numbers((row["type"]["value"] for row in valid), item),
        _numbers((row["separator"]["value"] for row in valid if "separator" in row), property_number),
    )


def _merge(stated: _Stated, known: PropertyMetadata | None) -> Property:
    label = stated.label or (known.label if known else f"P{stated.pid}")
    if stated.datatype is None:
        if known is not None:
            return Property(known._replace(label=label), "bundled")
        return Property(PropertyMetadata(stated.pid, label, "unknown", None, (), (), ()), "absent")
    inverse = stated.inverses[0] if len(stated.inverses) == 1 else None
    return Property(
        PropertyMetadata(
            stated.pid, label, stated.datatype, inverse, stated.classes, stated.constraints, stated.separators
        ),
        "source",
        stated.inverses,
    )


def _numbers(iris: Iterable[str], number: Callable[[str], int | None]) -> tuple[int, ...]:
    return tuple(sorted({value for iri in iris if (value := number(iri))}))
