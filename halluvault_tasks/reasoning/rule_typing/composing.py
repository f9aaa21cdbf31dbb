"""Which statements of containment, taxa and classes lead on to a third (semantics.md §1.9): measured, and reviewed.

Each of them is true by itself; two together need not prove a third. A town in four counties is wholly in none of them.
A class with unlike classes above it (a regiment is a military unit, and in Wikidata was an address) passes on what
holds of another aspect of it. A class whose members are classes (profession) is not above its members' members. What is
left out is counted with its reason.

- P131: from a place all of whose containers contain one another, up a chain that ends at one present country with
  nothing historic in it; never from waters, mountains or events, which extend beyond what is stated.
- P171: between taxa (P31 of both), from one that has a single parent.
- P279: to a class through which *every* way upward passes, so that no other aspect of the lower class is overlooked;
  both are classes that things are instances of (P31), and the upper one is reviewed.
Nothing is composed from anything on a cycle or above itself.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.classes import Classes, above
from halluvault_tasks.reasoning.rule_typing.reviewed import TransitiveEntry
from halluvault_tasks.reasoning.world import containment, naming
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.storage.tables import composable
from halluvault_tasks.wikidata import properties as wd

_EDGES = f"""
SELECT st.p, st.s, st.o, st.sid FROM statement st
WHERE st.p = {wd.LOCATED_IN} AND {usable.UNDATED_TIME_BOUND}
OR st.p IN ({wd.PARENT_TAXON}, {wd.SUBCLASS_OF}) AND {usable.UNDATED_TIMELESS}
ORDER BY st.p, st.s, st.o, st.sid
"""  # noqa: S608 (constants of this package)

Sieve = Callable[[int, int], str]
"""Why a statement's two ends may not be composed with anything; empty if they may."""


class Composing(NamedTuple):
    """What may be composed of one property."""

    sids: tuple[int, ...]
    """The statements, ascending."""

    left_out: Mapping[str, int]
    """Reason → statements that lead nowhere."""

    @property
    def digest(self) -> str:
        """Of the statements, so that rules typed on others are not taken for the same."""
        return hashlib.sha256(",".join(map(str, self.sids)).encode()).hexdigest()[:16]


class _Edge(NamedTuple):
    s: int
    o: int
    sid: int


def find(session: Session, snapshot: str, entries: Mapping[int, TransitiveEntry]) -> dict[int, Composing]:
    """Which statements of P131, P171 and P279 may be composed, by property.

    Args:
        session: open session; nothing is written.
        snapshot: key of a snapshot whose statements are in.
        entries: the reviewed transitive properties.
    """
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot)}
    if not any(p in entries for p in wd.COMPOSED):
        return {}
    edges: dict[int, list[_Edge]] = defaultdict(list)
    for p, s, o, sid in session.execute(text(_EDGES), bind).all():
        edges[p].append(_Edge(s, o, sid))
    lying = containment.load(session, snapshot, naming.entities(session, snapshot))
    composing = {}
    for p in edges.keys() & entries.keys():
        if p == wd.LOCATED_IN:
            sieve = _places(edges[p], lying)
        elif p == wd.PARENT_TAXON:
            sieve = _taxa(edges[p], lying)
        else:
            sieve = hierarchy(lying, entries[p].below).why_not
        composing[p] = _sorted_out(edges[p], sieve)
    return composing


def store(session: Session, snapshot: str, composing: Mapping[int, Composing]) -> bool:
    """Keep what was found, instead of what was there; whether it differs. The caller commits."""
    sids = {sid for of_property in composing.values() for sid in of_property.sids}
    there = set(session.scalars(select(composable.c.sid).where(composable.c.snapshot == snapshot)))
    if there == sids:
        return False
    session.execute(delete(composable).where(composable.c.snapshot == snapshot))
    if sids:
        session.execute(insert(composable), [{"snapshot": snapshot, "sid": sid} for sid in sorted(sids)])
    return True


def _sorted_out(edges: Iterable[_Edge], why_not: Sieve) -> Composing:
    sids, left_out = [], Counter[str]()
    for edge in edges:
        if reason := why_not(edge.s, edge.o):
            left_out[reason] += 1
        else:
            sids.append(edge.sid)
    return Composing(tuple(sorted(sids)), dict(sorted(left_out.items())))


def _places(edges: Iterable[_Edge], containment: Containment) -> Sieve:
    graph: dict[int, set[int]] = defaultdict(set)
    for edge in edges:
        graph[edge.s].add(edge.o)
    # A container with an end, or of another rank, still shows that the place is in several.
    uppers = {place: graph.get(place, set()) | set(containment.inside.get(place, ())) for place in graph}
    ways = {place: above(uppers, place) for place in uppers}

    def why_not(s: int, o: int) -> str:
        if s in ways[s] or o in ways.get(o, ()):
            return "on a cycle"
        if not all(a == b or a in ways.get(b, ()) or b in ways.get(a, ()) for a in uppers[s] for b in uppers[s]):
            return "in several units that do not contain one another"
        if not containment.unsettled_types.isdisjoint(containment.types.get(s, ())):
            return "of a water, mountain or event, which may reach into others"
        place = containment.place_of(s)
        if not place.country:
            return "no chain to one present country"
        return "a historic unit in the chain" if place.historic else ""

    return why_not


def _taxa(edges: Iterable[_Edge], containment: Containment) -> Sieve:
    graph: dict[int, set[int]] = defaultdict(set)
    for edge in edges:
        graph[edge.s].add(edge.o)

    ways = {taxon: above(graph, taxon) for taxon in graph}

    def why_not(s: int, o: int) -> str:
        if s in ways[s] or o in ways.get(o, ()):
            return "on a cycle"
        if len(graph[s]) > 1:
            return "several parents"
        kinds = containment.types.get(s, frozenset()) & containment.types.get(o, frozenset())
        return "" if kinds else f"not both taxa by P{wd.INSTANCE_OF}"

    return why_not


def hierarchy(containment: Containment, reviewed: Collection[int]) -> Classes:
    """The class hierarchy of a snapshot, with the classes that a person has read it below."""
    instances: dict[int, list[int]] = defaultdict(list)
    for item, kinds in containment.types.items():
        for kind in kinds:
            instances[kind].append(item)
    return Classes(containment.superclasses, instances, reviewed)
