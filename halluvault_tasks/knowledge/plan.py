"""The pull plan: which queries are asked, in which order. Walked to fetch, and walked again to normalise.

Every id list is sorted and every batch is cut from it, so both walks ask the very same queries; the second finds
their answers stored. Seeds are frozen by the first answer of each month.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from halluvault_tasks.knowledge import queries
from halluvault_tasks.knowledge.batches import Batches, batched
from halluvault_tasks.knowledge.client import Row
from halluvault_tasks.knowledge.config import Domains, Root
from halluvault_tasks.knowledge.iris import DIMENSIONLESS, guid, item, property_number


class Seed(NamedTuple):
    """An entity that a domain asks for."""

    qid: int
    sitelinks: int | None
    """None where the source has no such figure."""
    labelled: bool
    """Whether the source showed a label when the seeds were frozen."""


class Group(NamedTuple):
    """Everything that is stored of one batch of subjects."""

    statements: list[Row]
    times: list[Row]
    quantities: list[Row]
    qualifiers: list[Row]


class Fetched(NamedTuple):
    """What the walk that fetches needs to know of a batch: which entities it mentions."""

    statements: list[Row]
    quantities: list[Row]

    def items(self) -> Iterator[tuple[int, int]]:
        """(property, item value) of every statement that has an item."""
        for row in self.statements:
            pid, value = property_number(row["c"]["value"]), item(row.get("v", {}).get("value", ""))
            if pid is not None and value is not None:
                yield pid, value

    def units(self) -> set[int]:
        """Items of the quantities' units."""
        found = {number for row in self.quantities if (number := item(row["unit"]["value"]))}
        return found - {DIMENSIONLESS}


class Reach(NamedTuple):
    """Which entities a snapshot speaks of, beyond its seeds."""

    expanded: frozenset[int]
    """Values, types and what lies above them: asked for chains and links."""
    leaves: frozenset[int]
    """Only mentioned: asked for labels and types."""
    rounds: tuple[tuple[int, ...], ...]
    """`expanded` once more, in the rounds in which it was asked."""
    types: dict[int, tuple[int, ...]]
    sitelinks: dict[int, int]


def classes(batches: Batches, domain: str, root: Root, domains: Domains) -> list[int]:
    """A root's class and those below it, as deep as the root says, ascending."""
    found, front = {root.qid}, [root.qid]
    for _ in range(root.depth):
        below: set[int] = set()
        for _chunk, rows in batches.each("seeds", domain, front, domains.batches.entities, queries.subclasses):
            below.update(number for row in rows if (number := item(row["s"]["value"])))
        front = sorted(below - found)
        found.update(front)
    return sorted(found)


def seeds(batches: Batches, domain: str, domains: Domains) -> list[Seed]:
    """A domain's seeds, ascending: members of its roots and single items, the best known first up to the limit."""
    wanted = domains.require(domain)
    found: dict[int, Seed] = {}
    rows: list[Row] = []
    for root in wanted.roots:
        members = classes(batches, domain, root, domains)
        least = wanted.sitelinks if root.sitelinks is None else root.sitelinks
        for mode in root.modes:
            render = partial(_seed_query, mode, least)
            for _chunk, more in batches.each("seeds", domain, members, domains.batches.entities, render):
                rows += more
    if wanted.items:
        for _chunk, more in batches.each(
            "seeds", domain, sorted(wanted.items), domains.batches.entities, queries.listed_seeds
        ):
            rows += more
    for row in rows:
        if number := item(row["s"]["value"]):
            links = int(row["n"]["value"]) if "n" in row and row["n"]["value"].isdigit() else None
            found[number] = Seed(number, links, row.get("labelled", {}).get("value") in {"true", "1"})
    best = sorted(found.values(), key=lambda seed: (-(seed.sitelinks or 0), seed.qid))[: wanted.limit]
    return sorted(best)


def _seed_query(mode: str, sitelinks: int, members: Sequence[int]) -> str:
    return queries.seeds(members, mode, sitelinks)


def fetch_statements(
    batches: Batches,
    stage: str,
    domain: str,
    subjects: Sequence[int],
    properties: Sequence[int],
    datatypes: Mapping[int, str],
    domains: Domains,
) -> Iterator[Fetched]:
    """Have everything about the subjects' statements stored; yields what they mention, batch by batch."""
    details = _details(properties, datatypes)
    render = partial(_statement_query, properties)
    for chunk, rows in batches.each(stage, domain, subjects, domains.batches.seeds, render):
        quantities: list[Row] = []
        for name, detail in details:
            if name == "quantities":
                quantities = batches.rows(f"{stage} {name}", domain, chunk, detail)
            else:
                batches.store(f"{stage} {name}", domain, chunk, detail)
        for names in batched(_guids(rows), domains.batches.statements):
            batches.store(f"{stage} qualifiers", domain, names, queries.qualifiers)
        yield Fetched(rows, quantities)


def load_statements(
    batches: Batches,
    stage: str,
    domain: str,
    subjects: Sequence[int],
    properties: Sequence[int],
    datatypes: Mapping[int, str],
    domains: Domains,
) -> Iterator[Group]:
    """What `fetch_statements` stored, whole."""
    details = _details(properties, datatypes)
    render = partial(_statement_query, properties)
    for chunk, rows in batches.each(stage, domain, subjects, domains.batches.seeds, render):
        more = {name: batches.rows(f"{stage} {name}", domain, chunk, detail) for name, detail in details}
        qualifiers = [
            row
            for names in batched(_guids(rows), domains.batches.statements)
            for row in batches.rows(f"{stage} qualifiers", domain, names, queries.qualifiers)
        ]
        yield Group(rows, more.get("times", []), more.get("quantities", []), qualifiers)


def _statement_query(properties: Sequence[int], subjects: Sequence[int]) -> str:
    return queries.statements(subjects, properties)


def _time_query(properties: Sequence[int], subjects: Sequence[int]) -> str:
    return queries.times(subjects, properties)


def _quantity_query(properties: Sequence[int], subjects: Sequence[int]) -> str:
    return queries.quantities(subjects, properties)


def _details(properties: Sequence[int], datatypes: Mapping[int, str]) -> list[tuple[str, partial[str]]]:
    """Queries for full values: only for properties that have them, or of which nothing is known."""
    found = []
    for name, datatype, render in (("times", "time", _time_query), ("quantities", "quantity", _quantity_query)):
        if wanted := [pid for pid in properties if datatypes.get(pid, datatype) == datatype]:
            found.append((name, partial(render, wanted)))
    return found


def _guids(rows: Sequence[Row]) -> list[str]:
    return sorted({name for row in rows if (name := guid(row["st"]["value"]))})


def reach(
    batches: Batches, seeded: frozenset[int], values: frozenset[int], datatypes: Mapping[int, str], domains: Domains
) -> Reach:
    """Follow values and types upward to the roots, until nothing new appears.

    Args:
        batches: the snapshot's answers.
        seeded: every seed; they have been asked for chains and links already.
        values: what the seeds' statements mention.
        datatypes: of properties.
        domains: the configuration.
    """
    asked = domains.asked_of_values()
    types: dict[int, tuple[int, ...]] = {}
    sitelinks: dict[int, int] = {}
    leaves: set[int] = set()
    _types(batches, sorted(seeded | values), domains, types, sitelinks)
    expanded: set[int] = set()
    rounds: list[tuple[int, ...]] = []
    front = {*values, *(kind for kinds in types.values() for kind in kinds)} - seeded
    while front:
        expanded |= front
        rounds.append(tuple(sorted(front)))
        above: set[int] = set()
        for fetched in fetch_statements(batches, "chain", "", rounds[-1], asked, datatypes, domains):
            leaves |= fetched.units()
            for pid, value in fetched.items():
                (above if pid in domains.chain else leaves).add(value)
        front = above - seeded - expanded
    rest = expanded - set(types)
    _types(batches, sorted(rest), domains, types, sitelinks)
    leaves |= {kind for qid in rest for kind in types.get(qid, ())}
    leaves -= expanded | seeded
    _types(batches, sorted(leaves), domains, types, sitelinks)
    leaves.update({kind for qid in leaves for kind in types.get(qid, ())} - expanded - seeded)
    return Reach(frozenset(expanded), frozenset(leaves), tuple(rounds), types, sitelinks)


def _types(
    batches: Batches,
    entities: Sequence[int],
    domains: Domains,
    types: dict[int, tuple[int, ...]],
    sitelinks: dict[int, int],
) -> None:
    for chunk, rows in batches.each("types", "", entities, domains.batches.entities, queries.types):
        found: dict[int, set[int]] = {qid: set() for qid in chunk}
        for row in rows:
            qid, kind = item(row["e"]["value"]), item(row["x"]["value"])
            if qid is not None and kind is not None and qid in found:
                found[qid].add(kind)
            elif qid is not None and row["x"]["value"].isdigit():
                sitelinks[qid] = int(row["x"]["value"])
        types.update({qid: tuple(sorted(kinds)) for qid, kinds in found.items()})
