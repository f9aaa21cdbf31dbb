"""Pairs that are functional both ways in a snapshot: one right end, and no other left end has it, in any month."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.memory.settings import Pairing
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import names_overlap
from halluvault_tasks.benchmark.wording.premises import premise_item
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.sole_values import both_ways
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_APART = ",;\n"
"""Separators of the names in an answer, which no name may contain."""


class MemoryPair(NamedTuple):
    """One pair of a relation.

    Attributes:
        s: left item.
        o: right item.
        asked: the left end's name within a sentence.
        left: its label.
        right: the right end's label, which is the answer.
        names: every name of the right end that is its own.
        fame: logarithm of how well the less known end is known.
        premise: the statement, as `benchmark_case.premises` has it.
    """

    s: int
    o: int
    asked: str
    left: str
    right: str
    names: tuple[str, ...]
    fame: float
    premise: Mapping[str, Any]


class Pool(NamedTuple):
    """The pairs of one relation, the least known first, and why other pairs are none: reason → pairs."""

    pairing: Pairing
    pairs: Sequence[MemoryPair]
    dropped: Counter[Unasked]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.pairs)


def pool(material: Material, pairing: Pairing, most: int, seed: int) -> Pool:
    """The pairs of a relation that may be asked, at most this many, spread evenly over how well known they are."""
    found: list[MemoryPair] = []
    dropped: Counter[Unasked] = Counter()
    taken: set[str] = set()
    rows = both_ways(material.session, material.snapshot, pairing.property)
    material.stability.ask(row.sid for row in rows)
    for row in rows:
        pair = _pair(material, pairing, row)
        if isinstance(pair, Unasked):
            dropped[pair] += 1
        # Two films of one name, or a father and a son: what is asked must mean one pair.
        elif taken & (ends := {fold(name) for name in (pair.left, pair.right, *pair.names)}):
            dropped[Hindrance.NAME_OF_ANOTHER_PAIR()] += 1
        else:
            taken |= ends
            found.append(pair)
    found.sort(key=lambda one: (one.fame, one.s))
    return Pool(pairing, _evenly(found, most, seed), dropped)


def _evenly(pairs: list[MemoryPair], most: int, seed: int) -> list[MemoryPair]:
    """So many of a sorted list, one drawn from each of as many equal stretches."""
    if len(pairs) <= most:
        return pairs
    random = Random(f"{seed}:pairs")
    edges = [len(pairs) * n // most for n in range(most + 1)]
    return [random.choice(pairs[edges[n] : edges[n + 1]]) for n in range(most)]


_PRESENT = frozenset({wd.CAPITAL})
"""Properties that are asked in the present tense: what is over has no capital any more."""

_SHORTEST = 4
"""Letters of an alias: a shorter one never links (semantics.md §3.4)."""


def _pair(material: Material, pairing: Pairing, stated: Premise) -> MemoryPair | Unasked:
    index, stability, ends = material.index, material.stability, (stated.s, stated.o or 0)
    s, o = (index.namer.named(qid) for qid in ends)
    if reason := _unnamed(s) or _unnamed(o):
        return reason
    if not stability.named(ends) or not stability.stated((stated.sid,)):
        return Hindrance.TOO_NEW()
    if pairing.property in _PRESENT and index.over(stated.s):
        return Hindrance.OVER()
    if names_overlap(s, o):
        return Hindrance.NAMES_ALIKE()
    premise = premise_item(stated, index, material.lexicon)
    if isinstance(premise, Unasked):
        return premise
    fame = min(index.fame.get(qid, 0.0) for qid in ends)
    return MemoryPair(*ends, s.name, s.bare, o.bare, _answers(index, o, ends[1]), fame, premise)


def _unnamed(name: Named) -> Unasked | None:
    """Why a name cannot stand in a list; None where it can."""
    if not name.name or name.described:
        return name.why
    return Hindrance.COMMA_IN_NAME() if _parted(name.bare) else None


def _answers(index: EntityIndex, named: Named, qid: int) -> tuple[str, ...]:
    """Every name of a right end that can stand in a list and is long enough to link."""
    aliases = (name for name in index.entities[qid].aliases if not _parted(name) and len(fold(name)) >= _SHORTEST)
    return tuple(dict.fromkeys((named.bare, *aliases)))


def _parted(name: str) -> bool:
    return any(mark in name for mark in _APART)
