"""Pairs that are functional both ways in a snapshot: one right end, and no other left end has it, in any month."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, select, union

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.stability import TOO_NEW
from halluvault_tasks.benchmark.suites.memory.settings import Pairing
from halluvault_tasks.benchmark.wording.leakage import names_overlap
from halluvault_tasks.benchmark.wording.premises import premise_item
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.storage.tables import deprecated_value, statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_APART = ",;\n"
"""Separators of the names in an answer, which no name may contain."""


class Pair(NamedTuple):
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
    pairs: Sequence[Pair]
    dropped: Counter[str]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.pairs)


def pool(material: Material, pairing: Pairing, most: int, seed: int) -> Pool:
    """The pairs of a relation that may be asked, at most this many, spread evenly over how well known they are."""
    found: list[Pair] = []
    dropped: Counter[str] = Counter()
    taken: set[str] = set()
    rows = _both_ways(material, pairing.property)
    material.stability.ask(row.sid for row in rows)
    for row in rows:
        pair = _pair(material, pairing, row)
        if isinstance(pair, str):
            dropped[pair] += 1
        # Two films of one name, or a father and a son: what is asked must mean one pair.
        elif taken & (ends := {fold(name) for name in (pair.left, pair.right, *pair.names)}):
            dropped["a name that another pair has"] += 1
        else:
            taken |= ends
            found.append(pair)
    found.sort(key=lambda one: (one.fame, one.s))
    return Pool(pairing, _evenly(found, most, seed), dropped)


def _evenly(pairs: list[Pair], most: int, seed: int) -> list[Pair]:
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


def _both_ways(material: Material, p: int) -> Sequence[Any]:
    """Statements whose subject has no other value and whose value no other subject, at any rank and in any month."""
    ever = [select(table.c.s, table.c.o).where(table.c.p == p) for table in (statement, deprecated_value)]
    values, holders = defaultdict[int, set[int | None]](set), defaultdict[int | None, set[int]](set)
    for s, o in material.session.execute(union(*ever)):
        values[s].add(o)  # None: an unknown value, which is another one
        holders[o].add(s)
    columns = ("sid", "guid", "s", "p", "o", "kind", "earliest", "latest", "precision", "amount")
    rows = material.session.execute(
        select(*(statement.c[name] for name in columns))
        .where(
            statement.c.snapshot == material.snapshot,
            statement.c.p == p,
            statement.c.kind == "item",
            ~statement.c.hedged,
            # A value that ended is not what is asked as of the month's date.
            func.coalesce(statement.c.end_earliest, statement.c.end_latest).is_(None),
        )
        .order_by(statement.c.s, statement.c.sid)
    ).all()
    # Two statements with one value are one pair.
    first = {row.s: row for row in reversed(rows) if len(values[row.s]) == len(holders[row.o]) == 1 and row.s != row.o}
    return [first[s] for s in sorted(first)]


def _pair(material: Material, pairing: Pairing, row: Any) -> Pair | str:
    index = material.index
    s, o = index.namer.named(row.s), index.namer.named(row.o)
    for name in (s, o):
        if not name.name or name.described:
            return name.reason or "ambiguous name"
        if any(mark in name.bare for mark in _APART):
            return "a comma in a name"
    if not material.stability.named((row.s, row.o)) or not material.stability.stated((row.sid,)):
        return TOO_NEW
    if pairing.property in _PRESENT and index.over(row.s):
        return "the left end is over"
    if names_overlap(s, o):
        return "names begin alike"
    premise = premise_item(Premise(*row), index, material.lexicon)
    if isinstance(premise, str):
        return premise
    aliases = (name for name in index.entities[row.o].aliases if not any(mark in name for mark in _APART))
    names = (o.bare, *(name for name in aliases if len(fold(name)) >= _SHORTEST))
    fame = min(index.fame.get(one, 0.0) for one in (row.s, row.o))
    return Pair(row.s, row.o, s.name, s.bare, o.bare, tuple(dict.fromkeys(names)), fame, premise)
