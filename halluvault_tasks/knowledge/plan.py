"""The pull plan: which queries are asked, in which order.

Every id list is sorted and every batch is cut from it, so every walk asks the very same queries: workers may store
the answers of one domain each, and the walk that normalises finds them. Seeds are fixed by the first answer of each
month.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from halluvault_tasks.knowledge import metadata, queries
from halluvault_tasks.knowledge.batches import Batches, Later, Step, batched
from halluvault_tasks.knowledge.config import Batching, Domains, Root
from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.queries import Query
from halluvault_tasks.wikidata.iris import DIMENSIONLESS, guid, item, property_number

_log = logging.getLogger(__name__)

MOST_SITELINKS = 1200
"""More than there are wikis: no item can have this many sitelinks."""


class Seed(NamedTuple):
    """An entity that a domain asks for."""

    qid: int
    sitelinks: int | None
    """None where the source has no such figure."""


class Group(NamedTuple):
    """Everything that is stored of one batch of subjects."""

    statements: list[Row]
    times: list[Row]
    quantities: list[Row]
    qualifiers: list[Row]

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


class Configured(NamedTuple):
    """How the ids of the configuration stand in the source."""

    moved: dict[int, int]
    """Merged into another item, with that one: it is asked for instead."""
    unknown: tuple[str, ...]
    """Ids not in the source, with where they are named: `Q99 (root of culture)`; without unanswered ones."""


class Plan:
    """What is asked of a source, in order. Walked again, it finds every answer stored and asks for nothing.

    Args:
        batches: the snapshot's answers.
        domains: the configuration.
    """

    def __init__(self, batches: Batches, domains: Domains) -> None:
        self.batches = batches
        self.domains = domains
        self.properties = metadata.fetch(batches, domains)
        self.configured = configured(batches, domains)
        self._datatypes = metadata.datatypes(self.properties)

    def seeds(self, domain: str) -> list[Seed]:
        """A domain's seeds, as `seeds`."""
        return seeds(self.batches, domain, self.domains, self.configured.moved)

    def instance_classes(self, domain: str) -> frozenset[int]:
        """Classes of which a domain's seeds are instances."""
        moved = self.configured.moved
        roots = (root for root in self.domains.require(domain).roots if "instance" in root.modes)
        return frozenset(
            qid
            for root in roots
            for qid in classes(
                self.batches, domain, root.model_copy(update={"qid": moved.get(root.qid, root.qid)}), self.domains
            )
        )

    def of_seeds(self, domain: str, qids: Iterable[int]) -> Iterator[Group]:
        """Statements of a domain's seeds."""
        asked = self.domains.asked_of_seeds(domain)
        return statements(
            self.batches, "statements", domain, sorted(qids), asked, self._datatypes, self.domains.batches
        )

    def of_values(self, qids: Iterable[int]) -> Iterator[Group]:
        """Statements of what lies above the seeds."""
        asked = self.domains.asked_of_values()
        return statements(self.batches, "chain", "", sorted(qids), asked, self._datatypes, self.domains.batches)


def configured(batches: Batches, domains: Domains) -> Configured:
    """Look up every class and item that `domains.yaml` names."""
    named: dict[int, str] = {}
    for domain, root in domains.roots():
        named.setdefault(root.qid, f"root of {domain}")
    for domain in domains.domains:
        for one in domains.require(domain).items:
            named.setdefault(one, f"item of {domain}")
    seen: set[int] = set()
    moved: dict[int, int] = {}
    for _chunk, rows in batches.each("metadata", "", sorted(named), domains.batches.entities, queries.known):
        for row in rows:
            qid, target = item(row["e"]["value"]), item(row.get("target", {}).get("value", ""))
            if qid is not None:
                seen.add(qid)
            if qid is not None and target is not None:
                moved[qid] = target
    # What the service did not answer about may be there or not.
    unanswered = {name for given_up in batches.given_up.values() for name in given_up.ids}
    missing = {qid for qid in named if qid not in seen and f"Q{qid}" not in unanswered}
    return Configured(moved, tuple(f"Q{qid} ({named[qid]})" for qid in sorted(missing)))


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


def seeds(batches: Batches, domain: str, domains: Domains, moved: Mapping[int, int]) -> list[Seed]:
    """A domain's seeds, ascending: members of its roots and single items, the best known first up to the limit.

    Args:
        batches: the snapshot's answers.
        domain: its name.
        domains: the configuration.
        moved: ids of the configuration that were merged into others, with those.
    """
    wanted = domains.require(domain)
    found: dict[int, Seed] = {}
    rows: list[Row] = []
    for root in wanted.roots:
        root = root.model_copy(update={"qid": moved.get(root.qid, root.qid)})
        members = classes(batches, domain, root, domains)
        least = wanted.sitelinks if root.sitelinks is None else root.sitelinks
        for mode in root.modes:
            for chunk in batched(members, domains.batches.entities):
                rows += _members(batches, domain, chunk, mode, least)
    listed = sorted({moved.get(qid, qid) for qid in wanted.items})
    for _chunk, more in batches.each("seeds", domain, listed, domains.batches.entities, queries.listed_seeds):
        rows += more
    for row in rows:
        if number := item(row["s"]["value"]):
            links = int(row["n"]["value"]) if "n" in row and row["n"]["value"].isdigit() else None
            found[number] = Seed(number, links)
    best = sorted(found.values(), key=lambda seed: (-(seed.sitelinks or 0), seed.qid))[: wanted.limit]
    return sorted(best)


def _members(batches: Batches, domain: str, chunk: Sequence[int], mode: str, least: int) -> list[Row]:
    """Members of a few classes; a class that is too much even alone is asked by number of sitelinks."""

    def by_sitelinks(one_class: int) -> list[Row]:
        _log.warning("Q%d is too large to ask at once: asked in parts, by number of sitelinks", one_class)
        found: list[Row] = []
        for counts in _growing(least, MOST_SITELINKS):
            found += batches.rows(
                "seeds", domain, counts, lambda part: queries.seeds_with(part, mode, one_class), floor=1
            )
        # Wikidata counts the sitelinks of every item; another source may not, and must not lose those.
        if batches.client.local or not found:
            found += batches.rows(
                "seeds", domain, [one_class], lambda part: queries.seeds_without_sitelinks(part, mode), floor=1
            )
        return found

    def whole(part: Sequence[int]) -> Query:
        return queries.seeds(part, mode, least)

    return batches.rows("seeds", domain, chunk, whole, finer=by_sitelinks)


def _growing(first: int, last: int) -> Iterator[list[int]]:
    """Consecutive ranges, each a quarter as long as its start: the better known, the fewer items there are."""
    while first <= last:
        following = min(last + 1, first + max(1, first // 4))
        yield list(range(first, following))
        first = following


def statements(
    batches: Batches,
    stage: str,
    domain: str,
    subjects: Sequence[int],
    properties: Sequence[int],
    datatypes: Mapping[int, str],
    sizes: Batching,
) -> Iterator[Group]:
    """Statements of subjects with their full values and qualifiers, batch by batch."""
    steps = [Step(stage, partial(_of_subjects, queries.statements, properties))]
    for name, datatype, render in (
        ("times", "time", queries.times),
        ("quantities", "quantity", queries.quantities),
    ):
        # Only properties that have such values, or of which nothing is known.
        if wanted := [pid for pid in properties if datatypes.get(pid, datatype) == datatype]:
            steps.append(Step(f"{stage} {name}", partial(_of_subjects, render, wanted)))
    size = sizes.statements
    pending: tuple[dict[str, list[Row]], Later] | None = None
    try:
        for _chunk, answers in batches.each_of(steps, domain, subjects, sizes.seeds):
            found = {step.stage: rows for step, rows in zip(steps, answers, strict=True)}
            # The service works on these qualifiers while the batch before is handed on.
            asked = batches.later(f"{stage} qualifiers", domain, _guids(found[stage]), size, queries.qualifiers)
            before, pending = pending, (found, asked)
            if before is not None:
                yield _group(stage, *before)
        if pending is not None:
            before, pending = pending, None
            yield _group(stage, *before)
    finally:
        if pending is not None:
            pending[1].close()


def _group(stage: str, found: dict[str, list[Row]], asked: Later) -> Group:
    try:
        qualifiers = asked.rows()
    finally:
        asked.close()
    return Group(found[stage], found.get(f"{stage} times", []), found.get(f"{stage} quantities", []), qualifiers)


def _of_subjects(
    render: Callable[[Sequence[int], Sequence[int]], Query], properties: Sequence[int], subjects: Sequence[int]
) -> Query:
    return render(subjects, properties)


def _guids(rows: Sequence[Row]) -> list[str]:
    return sorted({name for row in rows if (name := guid(row["st"]["value"]))})
