"""Wikidata's IRIs, read and written.

Numbers inside, IRIs outside: an IRI from a source is data from strangers, so it is matched whole, never sliced.
"""

import re
from functools import lru_cache

ENTITY = "http://www.wikidata.org/entity/"
STATEMENT = "http://www.wikidata.org/entity/statement/"
NO_VALUE = "http://www.wikidata.org/prop/novalue/"
WIKIBASE = "http://wikiba.se/ontology#"
DATA_SET = "http://www.wikidata.org"
"""The data set itself, which carries its date."""

GENID = "/.well-known/genid/"

PREFIXES = {
    "wd": ENTITY,
    "wds": STATEMENT,
    "wdv": "http://www.wikidata.org/value/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "psv": "http://www.wikidata.org/prop/statement/value/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "pqv": "http://www.wikidata.org/prop/qualifier/value/",
    "wdno": NO_VALUE,
    "wikibase": WIKIBASE,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""Prefixes of the Wikidata RDF data model that this project reads or writes."""

GREGORIAN = 1_985_727
JULIAN = 1_985_786
"""Items of the two calendar models."""

DIMENSIONLESS = 199
"""Item that stands for "no unit"."""

_ITEM = re.compile(re.escape(ENTITY) + r"Q([1-9]\d{0,9})")
_PROPERTY = re.compile(r"http://www\.wikidata\.org/(?:entity|prop(?:/[a-z/]+)?)/P([1-9]\d{0,9})")
_STATEMENT = re.compile(re.escape(STATEMENT) + r"([A-Za-z0-9$_-]{1,120})")
_MAX_INTEGER = 2**31 - 1  # of Postgres's `integer`, which the tables use


@lru_cache(maxsize=1 << 16)
def item(iri: str) -> int | None:
    """42 for `http://www.wikidata.org/entity/Q42`; None for anything else."""
    match = _ITEM.fullmatch(iri)
    number = int(match[1]) if match else 0
    return number if 0 < number <= _MAX_INTEGER else None


@lru_cache(maxsize=1 << 13)
def property_number(iri: str) -> int | None:
    """19 for `wd:P19`, `p:P19`, `wdno:P19` …; None for anything else."""
    match = _PROPERTY.fullmatch(iri)
    number = int(match[1]) if match else 0
    return number if 0 < number <= _MAX_INTEGER else None


def of_property(prefix: str, pid: int) -> str:
    """`http://www.wikidata.org/prop/direct/P31` for `wdt` and 31; inverse of `property_number`."""
    return f"{PREFIXES[prefix]}P{pid}"


def guid(iri: str) -> str | None:
    """Local name of a statement's IRI, or None when it is not one."""
    match = _STATEMENT.fullmatch(iri)
    return match[1] if match else None


def is_unknown(iri: str) -> bool:
    """Whether an IRI stands for Wikidata's "unknown value" (a skolemised blank node)."""
    return GENID in iri
