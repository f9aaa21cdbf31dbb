"""Property metadata: from the source, or from the bundled table if the source has none."""

from collections.abc import Iterable, Mapping, Sequence
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
    found = _fetch(source, sorted(wanted))
    inverses = {pid for row in found.values() for pid in (*row.declared, row.metadata.inverse or 0) if pid} - wanted
    found |= _fetch(source, sorted(inverses))
    chosen = {pid: row.metadata._replace(inverse=_inverse(pid, found)) for pid, row in found.items()}
    return {pid: row._replace(metadata=chosen[pid]) for pid, row in found.items()}


def _inverse(pid: int, found: Mapping[int, Property]) -> int | None:
    """The one inverse of a property: of several the one that names it as its own, none where that is said of several.

    The first by number is as often another relation's (a child's "father", given of every parent).
    """
    row = found[pid]
    if len(row.declared) < 2:
        return row.metadata.inverse
    mutual = [other for other in row.declared if other in found and pid in found[other].declared]
    return mutual[0] if len(mutual) == 1 else None


def datatypes(properties: Mapping[int, Property]) -> dict[int, str]:
    """Datatype of each property for which any is known."""
    return {pid: row.metadata.datatype for pid, row in properties.items() if row.origin != "absent"}


def _fetch(source: AnswerSource, pids: Sequence[int]) -> dict[int, Property]:
    terms = [row for _, rows in source.each(STAGE, "", PropertyTerms(pids), _BATCH) for row in rows]
    hints = [row for _, rows in source.each(STAGE, "", PropertyConstraints(pids), _BATCH) for row in rows]
    known = bundled.properties()
    return {pid: _merge(pid, terms, hints, known.get(pid)) for pid in pids}


def _merge(pid: int, terms: Iterable[Row], hints: Iterable[Row], known: PropertyMetadata | None) -> Property:
    values: dict[str, set[str]] = {}
    labels: dict[str, str] = {}
    for row in terms:
        if property_number(row["p"]["value"]) != pid:
            continue
        if row["x"]["type"] == "uri":
            values.setdefault(row["k"]["value"].rsplit("/", 1)[-1], set()).add(row["x"]["value"])
        else:
            labels[row["x"].get("xml:lang", "")] = clean(row["x"]["value"])
    label = labels.get("en") or labels.get("mul")
    datatype = DATATYPES.get(min(values.get("ontology#propertyType", {""})).removeprefix(WIKIBASE), "other")
    if "ontology#propertyType" not in values:
        if known is not None:
            return Property(known._replace(label=label or known.label), "bundled")
        return Property(PropertyMetadata(pid, label or f"P{pid}", "unknown", None, (), (), ()), "absent")
    mine = [row for row in hints if property_number(row["p"]["value"]) == pid and row["rank"]["value"] != _DEPRECATED]
    inverses = sorted({number for iri in values.get(f"P{wd.INVERSE}", ()) if (number := property_number(iri))})
    return Property(
        PropertyMetadata(
            pid=pid,
            label=label or (known.label if known else f"P{pid}"),
            datatype=datatype,
            inverse=inverses[0] if len(inverses) == 1 else None,
            classes=_items(values.get(f"P{wd.INSTANCE_OF}", ())),
            constraints=_items(row["type"]["value"] for row in mine),
            separators=tuple(
                sorted({n for row in mine if "separator" in row and (n := property_number(row["separator"]["value"]))})
            ),
        ),
        "source",
        tuple(inverses),
    )


def _items(iris: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted({number for iri in iris if (number := item(iri))}))
