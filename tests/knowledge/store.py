"""Small sources written in a test: statements as tuples, in the shape of Wikidata's RDF."""

from collections.abc import Iterable

import pyoxigraph

from halluvault_tasks.local import endpoint
from halluvault_tasks.wikidata.iris import PREFIXES, WIKIBASE

WD, PROP, LABEL = PREFIXES["wd"], PREFIXES["p"], PREFIXES["rdfs"] + "label"


def claim(s: int, p: int, o: int, *, guid: str = "", rank: str = "Normal") -> str:
    """A statement with an item."""
    name = f"<{WD}statement/{guid or f'Q{s}-{p}-{o}'}>"
    return (
        f"<{WD}Q{s}> <{PROP}direct/P{p}> <{WD}Q{o}> .\n<{WD}Q{s}> <{PROP}P{p}> {name} .\n"
        f"{name} <{PROP}statement/P{p}> <{WD}Q{o}> .\n{name} <{WIKIBASE}rank> <{WIKIBASE}{rank}Rank> .\n"
    )


def labelled(qid: int, label: str) -> str:
    """An English label."""
    escaped = label.translate({ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): "\\n", ord("\r"): "\\r", 0: "\\u0000"})
    return f'<{WD}Q{qid}> <{LABEL}> "{escaped}"@en .\n'


def sitelinks(qid: int, count: int) -> str:
    """A number of sitelinks."""
    return f'<{WD}Q{qid}> <{WIKIBASE}sitelinks> "{count}"^^<{PREFIXES["xsd"]}integer> .\n'


def merged(qid: int, target: int) -> str:
    """A redirect."""
    return f"<{WD}Q{qid}> <{PREFIXES['owl']}sameAs> <{WD}Q{target}> .\n"


def constrained(pid: int, constraint: int, datatype: str = "WikibaseItem") -> str:
    """A property with its datatype and one constraint."""
    name = f"<{WD}statement/P{pid}-{constraint}>"
    return (
        f"<{WD}P{pid}> <{WIKIBASE}propertyType> <{WIKIBASE}{datatype}> .\n<{WD}P{pid}> <{PROP}P2302> {name} .\n"
        f"{name} <{PROP}statement/P2302> <{WD}Q{constraint}> .\n{name} <{WIKIBASE}rank> <{WIKIBASE}NormalRank> .\n"
    )


def serve(lines: Iterable[str], name: str = "written") -> endpoint.Served:
    """A source of these triples."""
    store = pyoxigraph.Store()
    store.bulk_load(input="".join(lines).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return endpoint.Served(store, name, None, len(store))
