"""Beyond the seeds: which other entities a snapshot mentions, their names, and their classes and containers."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.plan import Group, PullPlan
from halluvault_tasks.knowledge.requests import EntityTerms
from halluvault_tasks.wikidata.iris import PREFIXES, item

_SINGLE_VALUE = frozenset({19_474_404, 52_060_874})
"""Single-value and single-best-value constraint."""
_SAME_AS = PREFIXES["owl"] + "sameAs"
_SITELINKS = PREFIXES["wikibase"] + "sitelinks"


class Mentions:
    """Entities that statements mention, by what is to be done with them.

    Args:
        domains: the configuration.
        constraints: of each property, for its single-value constraint.
    """

    def __init__(self, domains: Domains, constraints: Mapping[int, Iterable[int]]) -> None:
        self.followed: set[int] = set()
        """Values whose chains are asked for."""
        self.named: set[int] = set()
        """Other values and units: only their names and types."""
        single = {pid for pid, kinds in constraints.items() if _SINGLE_VALUE.intersection(kinds)}
        self._follow = single | {*domains.chain, *domains.followed}

    def add(self, group: Group) -> None:
        """Note what a batch of seeds' statements mentions."""
        self.named |= group.units()
        for pid, value in group.items():
            (self.followed if pid in self._follow else self.named).add(value)


class DescribedEntities(NamedTuple):
    """What the source says of some entities, redirects apart."""

    entities: Sequence[int]
    rows: list[Row]
    types: Mapping[int, tuple[int, ...]]
    """P31, ascending, if any is known."""
    sitelinks: Mapping[int, int]


class Reach:
    """The walk beyond the seeds; every entity is asked once.

    Args:
        plan: what is asked.
    """

    def __init__(self, plan: PullPlan) -> None:
        self.redirects: dict[int, int] = {}
        """Merged entity → what the source names in its stead, which may be merged itself."""
        self._plan = plan
        self._types: dict[int, tuple[int, ...]] = {}

    def walk(self, seeded: frozenset[int], mentions: Mentions) -> Iterator[DescribedEntities | Group]:
        """Describe seeds and what they mention; follow values and types upward to the roots.

        Args:
            seeded: every seed; they have been asked for chains and links already.
            mentions: what the seeds' statements mention.

        Yields:
            What each batch of entities is called and is, and each batch of statements above.
        """
        chain = self._plan.domains.chain
        direct = yield from self._describe(seeded | mentions.followed | mentions.named)
        named = self._resolve(mentions.named)
        front = (self._resolve(mentions.followed) | self._types_of(direct)) - seeded
        expanded: set[int] = set()
        while front:
            front = (self._resolve((yield from self._describe(front))) - seeded) - expanded
            expanded |= front
            above: set[int] = set()
            for group in self._plan.of_values(front):
                yield group
                named |= group.units()
                for pid, value in group.items():
                    (above if pid in chain else named).add(value)
            front = self._resolve(above) - seeded - expanded
        described = yield from self._describe(named | expanded)
        yield from self._describe(self._types_of(described))

    def _describe(self, entities: Iterable[int]) -> Generator[DescribedEntities, None, set[int]]:
        """Ask for those not yet asked, and for what replaces the merged ones; returns all of them, resolved."""
        wanted = set(entities)
        while True:
            wanted |= {self.redirects[qid] for qid in wanted if qid in self.redirects}
            fresh = sorted(wanted - self._types.keys())
            if not fresh:
                return self._resolve(wanted)
            size = self._plan.domains.batches.entities
            for qids, rows in self._plan.source.each("entities", "", EntityTerms(fresh), size):
                yield self._take(qids, rows)

    def _take(self, qids: Sequence[int], rows: list[Row]) -> DescribedEntities:
        types: dict[int, set[int]] = {qid: set() for qid in qids}
        sitelinks: dict[int, int] = {}
        merged: dict[int, int] = {}
        for row in rows:
            qid, kind, value = item(row["e"]["value"]), row["k"]["value"], row["x"]["value"]
            if qid not in types:
                continue
            if kind == _SITELINKS and value.isdigit():
                sitelinks[qid] = int(value)
                continue
            other = item(value) if row["x"]["type"] == "uri" else None
            if other is not None and kind != _SAME_AS:
                types[qid].add(other)
            elif other is not None and other != qid:
                merged[qid] = other
        ascending = {qid: tuple(sorted(kinds)) for qid, kinds in types.items()}
        self._types.update(ascending)
        self.redirects.update(merged)
        return DescribedEntities([qid for qid in qids if qid not in merged], rows, ascending, sitelinks)

    def standing_for(self) -> dict[int, int]:
        """Every merged entity → the one that stands for it at the end of its redirects."""
        return {qid: target for qid in sorted(self.redirects) for target in self._resolve([qid]) if target != qid}

    def _types_of(self, entities: Iterable[int]) -> set[int]:
        return self._resolve(kind for qid in entities for kind in self._types.get(qid, ()))

    def _resolve(self, entities: Iterable[int]) -> set[int]:
        """The same entities, the merged ones replaced by what stands for them; a circle of redirects stays as it is."""
        standing = set()
        for qid in entities:
            passed = {qid}
            while (following := self.redirects.get(qid)) is not None and following not in passed:
                qid = following
                passed.add(qid)
            standing.add(qid)
        return standing
