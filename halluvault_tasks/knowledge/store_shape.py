"""How a store tells what a pull asks: the first request finds out, and what it lacks is named with its consequence.

Stores of Wikidata differ. The query service's loader moves the number of sitelinks from an item's page, where the dumps
have it, to the item ("munging"); a store that was filled with the dumps themselves (QLever's, many a copy) has it at
the page. A store of the truthy dump has neither statements with ranks nor qualifiers; an excerpt may have no sitelinks.

A feature of which the service says nothing is taken to be there, as the query service has it: the gates count what then
fails to come.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import (
    DIMENSIONLESS,
    GREGORIAN,
    JULIAN,
    NO_VALUE,
    PREFIXES,
    STATEMENT,
    WIKIBASE,
    item,
    of_property,
    property_number,
)

_Row = dict[str, dict[str, str]]

_EVERYWHERE = " ".join(f"wd:Q{number}" for number in (GREGORIAN, JULIAN, DIMENSIONLESS))
"""Well known items that every copy of Wikidata has."""
SAMPLES = {
    "ranks": "?s wikibase:rank ?o",
    "truthy": f"?s wdt:P{wd.INSTANCE_OF} ?o",
    "sitelinks": "?s wikibase:sitelinks ?o",
    "sitelinks of items": f"VALUES ?s {{ {_EVERYWHERE} }} ?s wikibase:sitelinks ?o",
    "sitelinks of pages": f"VALUES ?e {{ {_EVERYWHERE} }} ?s schema:about ?e . ?s wikibase:sitelinks ?o",
}
"""What is looked for: any one triple of each kind tells. In a store of the dumps that is kept up to date, some items
have sitelinks as the query service has them, too (QLever's issue 2600): so certain items are looked at first."""


class SitelinksPath(NamedTuple):
    """Where a store has an item's number of sitelinks; each kind is one object."""

    name: str
    path: str
    """Property path from the item to the number."""
    remark: str = ""
    """What people should know."""


OF_ITEMS = SitelinksPath("of items", "wikibase:sitelinks")
OF_PAGES = SitelinksPath(
    "of pages",
    "^schema:about/wikibase:sitelinks",
    "the source tells sitelinks of an item's page, as the dumps do, and is asked for them there",
)
NOT_AT_ALL = SitelinksPath(
    "none",
    "wikibase:sitelinks",
    "the source counts no sitelinks (wikibase:sitelinks): how well known something is goes by the statements that it "
    "stands in, no tail is drawn, and a class too large for one answer cannot be asked in parts",
)


class StatementNodes(NamedTuple):
    """Whether a store has statements with ranks and qualifiers; each kind is one object."""

    name: str
    shown: bool
    remark: str = ""


RANKED = StatementNodes("ranked", shown=True)
TRUTHY = StatementNodes(
    "truthy",
    shown=False,
    remark="the source has no ranks (wikibase:rank): only values of best rank are read (wdt:), without qualifiers and "
    "precise dates, and a No rests only on what is functional by nature",
)


class StoreShape(NamedTuple):
    """How a store is asked."""

    sitelinks: SitelinksPath = OF_ITEMS
    statements: StatementNodes = RANKED

    def remarks(self) -> list[str]:
        """One line for each thing that is not as the query service has it."""
        return [kind.remark for kind in self if kind.remark]

    def as_json(self) -> dict[str, object]:
        """For a snapshot's notes."""
        return {"sitelinks": self.sitelinks.name, "statements": self.statements.name, "remarks": self.remarks()}


USUAL = StoreShape()
"""Wikidata's query service."""


def told_by(rows: Iterable[_Row], unanswered: Sequence[str] = ()) -> StoreShape:
    """What a store's answer about `SAMPLES` says.

    Args:
        rows: `k` is the name of a sample, `s` the subject of its triple.
        unanswered: names of samples about which there was no answer.
    """
    found: Mapping[str, str] = {row["k"]["value"]: row["s"]["value"] for row in rows}
    sitelinks = OF_ITEMS
    if "sitelinks of pages" in found:
        sitelinks = OF_PAGES
    elif "sitelinks" in found and "sitelinks of items" not in found:
        sitelinks = OF_PAGES if item(found["sitelinks"]) is None else OF_ITEMS
    elif found and "sitelinks" not in {*found, *unanswered}:
        sitelinks = NOT_AT_ALL
    only_truthy = "truthy" in found and not {"ranks"}.intersection([*found, *unanswered])
    return StoreShape(sitelinks, TRUTHY if only_truthy else RANKED)


def as_statements(rows: Iterable[_Row]) -> list[_Row]:
    """Truthy triples (`s`, `c`, `v`) as the statements that they stand for, of normal rank, named by their content."""
    statements = []
    for row in rows:
        s, kind, value = item(row["s"]["value"]), row["c"]["value"], row["v"]
        pid = property_number(kind if kind.startswith(PREFIXES["wdt"]) else value["value"])
        if s is None or pid is None:
            continue
        none = value["value"].startswith(NO_VALUE) and not kind.startswith(PREFIXES["wdt"])
        made = {
            "s": row["s"],
            "c": _uri(of_property("p", pid)),
            "st": _uri(STATEMENT + (f"Q{s}-P{pid}-none" if none else truthy_name(s, pid, *_content(value)))),
            "rank": _uri(WIKIBASE + "NormalRank"),
        }
        statements.append(made | ({"no": value} if none else {"v": value}))
    return statements


def truthy_name(s: int | str, pid: int | str, kind: str, value: str, datatype: str) -> str:
    """Name of the statement that a truthy triple stands for.

    Args:
        s: number of the subject.
        pid: number of the property.
        kind: `uri`, `literal` or `bnode`.
        value: IRI or text.
        datatype: IRI, of a literal.
    """
    return f"Q{s}-P{pid}-{hashlib.sha256('|'.join((kind, value, datatype)).encode()).hexdigest()[:20]}"


def _content(value: Mapping[str, str]) -> tuple[str, str, str]:
    kind = value["type"].removeprefix("typed-")
    if kind == "bnode":  # an unknown value; its label is another one in every answer
        return kind, "", ""
    usual = PREFIXES["rdf"] + "langString" if "xml:lang" in value else PREFIXES["xsd"] + "string"
    return kind, value["value"], value.get("datatype", usual) if kind == "literal" else ""


def _uri(value: str) -> dict[str, str]:
    return {"type": "uri", "value": value}
