"""The pull plan: which queries are asked, in which order.

Every id list is sorted and every batch is cut from it, so every walk asks the very same queries: workers may store
the answers of one domain each, and the walk that normalises finds them. Seeds are fixed by the first answer of each
month.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.knowledge import metadata, tail
from halluvault_tasks.knowledge.answer_source import AnswerSource, PendingRows, RequestStep
from halluvault_tasks.knowledge.config import BatchSizes, Domains, Root
from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.requests import (
    ClassMembers,
    KnownItems,
    ListedItems,
    StatementQualifiers,
    Subclasses,
    SubjectQuantities,
    SubjectStatements,
    SubjectTimes,
    TailMembers,
)
from halluvault_tasks.wikidata.iris import DIMENSIONLESS, guid, item, property_number


class DomainSeed(NamedTuple):
    """An entity that a domain asks for."""

    qid: int
    sitelinks: int | None
    """None where the source has no such figure."""
    tail: bool = False
    """Whether it was drawn from those that few know."""


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
        return {unit for row in self.quantities if (unit := item(row["unit"]["value"]))} - {DIMENSIONLESS}


class Configured(NamedTuple):
    """How the ids of the configuration stand in the source."""

    moved: dict[int, int]
    """Merged into another item, with that one: it is asked for instead."""
    unknown: tuple[str, ...]
    """Ids not in the source, with where they are named: `Q99 (root of culture)`; without unanswered ones."""


class PullPlan:
    """What is asked of a source, in order. Walked again, it finds every answer stored and asks for nothing.

    Args:
        source: answers it.
        domains: the configuration.
        kept: domain → its tail in the last month of the same source.
    """

    def __init__(self, source: AnswerSource, domains: Domains, kept: Mapping[str, Sequence[int]]) -> None:
        self.source = source
        self.domains = domains
        self.kept = kept
        self.properties = metadata.fetch(source, domains)
        self.configured = configured(source, domains)
        self._datatypes = metadata.datatypes(self.properties)

    def seeds(self, domain: str) -> list[DomainSeed]:
        """A domain's seeds, ascending: as `seeds`, and its tail."""
        moved = self.configured.moved
        head = seeds(self.source, domain, self.domains, moved)
        return sorted([*head, *tail_seeds(self.source, domain, self.domains, moved, head, self.kept.get(domain, ()))])

    def instance_classes(self, domain: str) -> frozenset[int]:
        """Classes of which a domain's seeds are instances."""
        moved = self.configured.moved
        roots = (root for root in self.domains.require(domain).roots if "instance" in root.modes)
        return frozenset(
            qid
            for root in roots
            for qid in classes(
                self.source, domain, root.model_copy(update={"qid": moved.get(root.qid, root.qid)}), self.domains
            )
        )

    def of_seeds(self, domain: str, qids: Iterable[int]) -> Iterator[Group]:
        """Statements of a domain's seeds."""
        asked = self.domains.asked_of_seeds(domain)
        return statements(self.source, "statements", domain, sorted(qids), asked, self._datatypes, self.domains.batches)

    def of_values(self, qids: Iterable[int]) -> Iterator[Group]:
        """Statements of what lies above the seeds."""
        asked = self.domains.asked_of_values()
        return statements(self.source, "chain", "", sorted(qids), asked, self._datatypes, self.domains.batches)


def configured(source: AnswerSource, domains: Domains) -> Configured:
    """Look up every class and item that `domains.yaml` names."""
    places = _places(domains)
    known: set[int] = set()
    moved: dict[int, int] = {}
    for _, rows in source.each("metadata", "", KnownItems(sorted(places)), domains.batches.entities):
        for row in rows:
            if (qid := item(row["e"]["value"])) is None:
                continue
            known.add(qid)
            if (target := item(row.get("target", {}).get("value", ""))) is not None:
                moved[qid] = target
    # What the service did not answer about may be there or not.
    unanswered = {name for batch in source.given_up.values() for name in batch.ids}
    missing = {qid for qid in places if qid not in known and f"Q{qid}" not in unanswered}
    return Configured(moved, tuple(f"Q{qid} ({places[qid]})" for qid in sorted(missing)))


def _places(domains: Domains) -> dict[int, str]:
    """Where each item that the configuration names is named first."""
    places: dict[int, str] = {}
    for domain, root in domains.roots():
        places.setdefault(root.qid, f"root of {domain}")
    for domain in domains.domains:
        for qid in domains.require(domain).items:
            places.setdefault(qid, f"item of {domain}")
    return places


def classes(source: AnswerSource, domain: str, root: Root, domains: Domains) -> list[int]:
    """A root's class and those below it, as deep as the root says, ascending."""
    reached, front = {root.qid}, [root.qid]
    for _ in range(root.depth):
        below: set[int] = set()
        for _, rows in source.each("seeds", domain, Subclasses(front), domains.batches.entities):
            below.update(number for row in rows if (number := item(row["s"]["value"])))
        front = sorted(below - reached)
        reached.update(front)
    return sorted(reached)


def seeds(source: AnswerSource, domain: str, domains: Domains, moved: Mapping[int, int]) -> list[DomainSeed]:
    """A domain's seeds, ascending: members of its roots and single items, the best known first up to the limit.

    Args:
        source: answers it.
        domain: its name.
        domains: the configuration.
        moved: ids of the configuration that were merged into others, with those.
    """
    wanted = domains.require(domain)
    size = domains.batches.entities
    rows: list[Row] = []
    for root in wanted.roots:
        root = root.model_copy(update={"qid": moved.get(root.qid, root.qid)})
        members = classes(source, domain, root, domains)
        least = wanted.sitelinks if root.sitelinks is None else root.sitelinks
        for mode in root.modes:
            for batch in ClassMembers(members, mode, least).batches(size):
                rows += source.rows("seeds", domain, batch)
    listed = ListedItems(sorted({moved.get(qid, qid) for qid in wanted.items}))
    for _, more in source.each("seeds", domain, listed, size):
        rows += more
    seeds_by_qid = {seed.qid: seed for row in rows if (seed := _seed(row))}
    best = sorted(seeds_by_qid.values(), key=lambda seed: (-(seed.sitelinks or 0), seed.qid))[: wanted.limit]
    return sorted(best)


def tail_seeds(
    source: AnswerSource,
    domain: str,
    domains: Domains,
    moved: Mapping[int, int],
    head: Sequence[DomainSeed],
    kept: Sequence[int],
) -> list[DomainSeed]:
    """What is drawn of a domain's members that few know, and what was drawn before.

    Args:
        source: answers it.
        domain: its name.
        domains: the configuration.
        moved: ids of the configuration that were merged into others, with those.
        head: its other seeds; without any figure among them, nothing is drawn.
        kept: its tail in the month before.
    """
    wanted, size = domains.require(domain), domains.batches.entities
    if (settings := wanted.tail) is None or all(seed.sitelinks is None for seed in head):
        return []  # none is wanted, or the source has no such figure
    roots = [root.model_copy(update={"qid": moved.get(root.qid, root.qid)}) for root in wanted.roots]

    def members(of: Sequence[int], mode: str, ending: str) -> dict[int, int]:
        batches = TailMembers(of, mode, settings.sitelinks, ending).batches(size)
        return _counted(row for batch in batches for row in source.rows("tail", domain, batch))

    drawn = tail.draw(settings, [(root, classes(source, domain, root, domains)) for root in roots], members)
    listed = ListedItems(sorted(kept))
    stay = _counted(row for _, rows in source.each("tail", domain, listed, size) for row in rows)
    return [DomainSeed(qid, sitelinks, tail=True) for qid, sitelinks in tail.settled(settings, drawn, stay, head)]


def _counted(rows: Iterable[Row]) -> dict[int, int]:
    """Seed → its sitelinks, where it has some."""
    return {seed.qid: seed.sitelinks for row in rows if (seed := _seed(row)) and seed.sitelinks}


def _seed(row: Row) -> DomainSeed | None:
    qid, sitelinks = item(row["s"]["value"]), row.get("n", {}).get("value", "")
    return DomainSeed(qid, int(sitelinks) if sitelinks.isdigit() else None) if qid else None


def statements(
    source: AnswerSource,
    stage: str,
    domain: str,
    subjects: Sequence[int],
    properties: Sequence[int],
    datatypes: Mapping[int, str],
    sizes: BatchSizes,
) -> Iterator[Group]:
    """Statements of subjects with their full values and qualifiers, batch by batch."""
    steps = [RequestStep(stage, SubjectStatements(subjects, properties))]
    for name, datatype, detail in (("times", "time", SubjectTimes), ("quantities", "quantity", SubjectQuantities)):
        # Only properties that have such values, or of which nothing is known.
        if wanted := [pid for pid in properties if datatypes.get(pid, datatype) == datatype]:
            steps.append(RequestStep(f"{stage} {name}", detail(subjects, wanted)))
    pending: tuple[dict[str, list[Row]], PendingRows] | None = None
    try:
        for _, answers in source.together(steps, domain, sizes.seeds):
            rows = {step.stage: answer for step, answer in zip(steps, answers, strict=True)}
            # The service works on these qualifiers while the batch before is handed on.
            qualifiers = StatementQualifiers(_guids(rows[stage]))
            before, pending = pending, (rows, source.later(f"{stage} qualifiers", domain, qualifiers, sizes.statements))
            if before is not None:
                yield _group(stage, *before)
        if pending is not None:
            before, pending = pending, None
            yield _group(stage, *before)
    finally:
        if pending is not None:
            pending[1].close()


def _group(stage: str, rows: Mapping[str, list[Row]], pending: PendingRows) -> Group:
    try:
        qualifiers = pending.rows()
    finally:
        pending.close()
    return Group(rows[stage], rows.get(f"{stage} times", []), rows.get(f"{stage} quantities", []), qualifiers)


def _guids(rows: Sequence[Row]) -> list[str]:
    return sorted({name for row in rows if (name := guid(row["st"]["value"]))})
