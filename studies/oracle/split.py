"""Development and kept-back part: no property, no entity and no style in common (semantics.md section 4.5).

Properties are parted by the reviewed list below. The kept-back part is filled first, cell by cell; the development
part takes every group of its own properties that names none of the entities taken. What mixes is in neither.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.wikidata import properties as wd
from studies.oracle.facts import Case
from studies.oracle.shapes import shape_of

Part = Literal["development", "kept_back"]

KEPT_BACK = frozenset({
    wd.DEATHPLACE, wd.FATHER, wd.MOTHER, wd.CAPITAL, wd.CHILD, wd.BORDER, wd.AUTHOR, wd.DIRECTOR, wd.BASED_ON,
    wd.HEADQUARTERS, wd.CAST_MEMBER, wd.PARENT_TAXON, wd.DIPLOMATIC_RELATION, wd.BIRTH, wd.DEATH, wd.SYMPTOM,
    wd.CAPITAL_OF, 22_025,
})  # fmt: skip
"""Properties of the kept-back part, and grandparents (22025)."""

DEVELOPMENT = frozenset({
    wd.COUNTRY, wd.BIRTHPLACE, wd.SPOUSE, wd.CITIZENSHIP, wd.CONTINENT, wd.POSITION, wd.DISCOVERER,
    wd.EDUCATED_AT, wd.PARTY, wd.OCCUPATION, wd.BURIAL_PLACE, wd.LOCATED_IN, wd.NAMED_AFTER, wd.ADMINISTERS,
    wd.FOLLOWS, wd.FOLLOWED_BY, wd.AWARD, wd.DEVELOPER, wd.WATERS, wd.LOCATION, wd.SUBCLASS_OF, wd.SUBSIDIARY,
    wd.PART_OF, wd.PARENT_BODY, wd.CHILD_BODY, wd.RIVER_MOUTH, wd.MEMBER_OF, wd.HAS_PART, wd.INCEPTION,
    wd.DISSOLUTION, wd.PUBLICATION, wd.START, wd.END, wd.PARENT_ORGANIZATION, wd.SPECIALTY, wd.SIBLING, 19_131,
    61_019, 138_019, 397_397,
})  # fmt: skip
"""Properties of the development part that its styles can put into words (from 19131 on: conclusions of chains)."""

_PER_FACT = 4
"""Most groups of the kept-back part that rest on one seed fact: more would swell clusters and tell little."""


class Parted(NamedTuple):
    """The cases of one part.

    Attributes:
        cases: by id.
        properties: those that its texts speak of.
        entities: everything they name; wrong values and true asides come from here alone.
        cluster: case id → seed fact: cases that share a premise, directly or over others, have the same one.
    """

    cases: tuple[Case, ...]
    properties: frozenset[int]
    entities: frozenset[int]
    cluster: dict[str, str]


def order(seed: int, *parts: object) -> str:
    """A key that sorts things at random but always alike."""
    return hashlib.sha256(":".join(map(str, (seed, *parts))).encode()).hexdigest()


def split(cases: Sequence[Case], seed: int) -> dict[Part, Parted]:
    """Part the cases of a benchmark; those that nothing can be planted in are left out."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if shape_of(case) is not None:
            groups[case.group].append(case)
    cells: dict[tuple[str, tuple[int, ...]], list[str]] = defaultdict(list)
    for group in sorted(groups, key=lambda group: order(seed, group)):
        first = groups[group][0]
        if first.properties <= KEPT_BACK:
            cells[first.kind, tuple(sorted(first.properties))].append(group)
    chosen: list[str] = []
    fact_of: dict[int, int] = {}
    members: Counter[int] = Counter()
    while any(cells.values()):
        for cell in sorted(cells):
            if cells[cell]:
                group = cells[cell].pop(0)
                sids = [premise.sid for case in groups[group] for premise in case.premises]
                touched = {fact_of[sid] for sid in sids if sid in fact_of} or {min(sids)}
                fact = min(touched)
                # A group that would join two seed facts into one, or swell one, costs more certainty than it brings.
                if len(touched) == 1 and members[fact] < _PER_FACT:
                    chosen.append(group)
                    members[fact] += 1
                    fact_of |= dict.fromkeys(sids, fact)
    kept = [case for group in chosen for case in groups[group]]
    taken = _entities(kept)
    left = [
        case
        for members in groups.values()
        for case in members
        if members[0].properties <= DEVELOPMENT and not _entities(members) & taken
    ]
    return {"development": _part(left, DEVELOPMENT), "kept_back": _part(kept, KEPT_BACK)}


def _entities(cases: Iterable[Case]) -> frozenset[int]:
    return frozenset(qid for case in cases for qid in case.entities)


def _part(cases: Iterable[Case], properties: frozenset[int]) -> Parted:
    ordered = tuple(sorted(cases, key=lambda case: case.id))
    return Parted(ordered, properties, _entities(ordered), _clusters(ordered))


def _clusters(cases: Sequence[Case]) -> dict[str, str]:
    """Connected components over shared premises, named by their least statement."""
    parent: dict[int, int] = {}

    def root(sid: int) -> int:
        while parent.setdefault(sid, sid) != sid:
            parent[sid] = sid = parent[parent[sid]]
        return sid

    for case in cases:
        first, *others = [premise.sid for premise in case.premises]
        for other in others:
            low, high = sorted((root(first), root(other)))
            parent[high] = low
    return {case.id: str(root(case.premises[0].sid)) for case in cases}
