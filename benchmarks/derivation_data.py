"""A seeded snapshot of the papers' size for `benchmarks/derivation.py`: same seed and size, same bytes.

54,483 entities, 1,647,206 distinct triples and 300 relations at size 1, as the papers report them. Objects are drawn by
a power law, so that a few hubs hold most pairs, as on Wikidata (CoDEx-M: 493 pairs with a shared object per triple).
Everything here is simulated/derivation: no statement of it is about the world.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

from halluvault_tasks.wikidata import properties as wd

ENTITIES, TRIPLES, RELATIONS = 54_483, 1_647_206, 300
UPWARD = wd.COMPOSED
"""Containment, taxa, classes: the licence looks upward along them."""

TRANSITIVE = (9131, 9171, 9279, wd.GREATER_THAN)
"""The same pairs under numbers of their own, and an order. Of the real ones only what `composing` finds is composed;
here all of it is, so that DuckDB can count it."""

SYMMETRIC = (wd.SPOUSE, wd.TWIN_TOWN, wd.PARTNER, wd.RELATIVE, wd.SIBLING)
PLACES = wd.PLACES_OF_LIFE
FUNCTIONAL = (*PLACES, *range(3001, 3039))
INVERSE = tuple(range(4001, 4051))
_OTHERS = (*UPWARD, *TRANSITIVE, *SYMMETRIC, *FUNCTIONAL, *INVERSE)
PLAIN = tuple(range(6001, 6001 + RELATIONS - len(_OTHERS)))
CHAINS = tuple((3001 + at, PLAIN[10 + at]) for at in range(38)) + tuple(
    (3001 + at, PLAIN[10 + at], PLAIN[60 + at]) for at in range(7)
)
TOWN, COUNTY, STATE, COUNTRY, THING = 515, 28_575, 7_275, 6_256, 5
CAP = 48
SKEW = 2.0
RANGES = (4, 10, 20, 40)
PER_FACT = 3
TRANSITIVE_CLASS, SYMMETRIC_CLASS, SINGLE_VALUE = 18_647_515, 18_647_518, 19_474_404


class World(NamedTuple):
    """A generated snapshot."""

    entities: int
    types: np.ndarray
    """Type of entity 1… at index 0…."""

    triples: np.ndarray
    """Rows (p, s, o), distinct, ascending."""


def _power_law(random: np.random.Generator, count: int, among: int, exponent: float) -> np.ndarray:
    """`count` draws of 0 … among-1 whose frequency falls with rank to the power of `exponent`."""
    weights = (np.arange(among) + 2.0) ** -exponent
    edges = np.cumsum(weights / weights.sum())
    return np.minimum(np.searchsorted(edges, random.random(count)), among - 1)


def _distinct(pairs: np.ndarray) -> np.ndarray:
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def _layout(entities: int) -> dict[str, np.ndarray]:
    """Which entities are countries, states, counties, towns and things."""
    places = entities // 10
    cuts = [0, 60, 60 + places // 40, 60 + places // 8, places, entities]
    names = ("country", "state", "county", "town", "thing")
    return {name: np.arange(cuts[at] + 1, cuts[at + 1] + 1) for at, name in enumerate(names)}


def _containment(random: np.random.Generator, layout: dict[str, np.ndarray]) -> np.ndarray:
    pairs = []
    for low, high in (("state", "country"), ("county", "state"), ("town", "county")):
        pairs.append(np.column_stack([layout[low], random.choice(layout[high], len(layout[low]))]))
    whole = np.concatenate(pairs)
    return whole[random.random(len(whole)) > 0.02]  # Wikidata lacks some chains


def _levels(random: np.random.Generator, entities: int, levels: int, more: float) -> np.ndarray:
    """A directed acyclic graph: every entity has one of the level above it, a share of them `more` than one."""
    level = np.minimum((np.sort(random.random(entities)) ** 0.5 * levels).astype(int), levels - 1)
    pairs = []
    for above in range(levels - 1):
        upper, lower = np.flatnonzero(level == above) + 1, np.flatnonzero(level == above + 1) + 1
        for below in (lower, lower[random.random(len(lower)) < more]) if len(upper) else ():
            pairs.append(np.column_stack([below, upper[_power_law(random, len(below), len(upper), 1.0)]]))
    return _distinct(np.concatenate(pairs))


def _functional(random: np.random.Generator, size: int, things: np.ndarray, values: np.ndarray) -> np.ndarray:
    subjects = random.choice(things[: len(things) * 9 // 10], size, replace=False)
    pairs = np.column_stack([subjects, values[_power_law(random, size, len(values), 0.9)]])
    several = random.choice(pairs, max(1, size // 250), replace=False)  # 0.4 % have two values, as places of birth do
    several[:, 1] = values[_power_law(random, len(several), len(values), 0.9)]
    return _distinct(np.concatenate([pairs, several]))


def _free(random: np.random.Generator, size: int, entities: int, range_: int) -> np.ndarray:
    """Exactly `size` distinct pairs with hubs; the objects are `range_` of the entities."""
    found = np.empty((0, 2), dtype=np.int64)
    order = random.permutation(entities)[:range_] + 1
    while len(found) < size:
        more = (size - len(found)) * 2 + 64
        objects = order[_power_law(random, more, range_, SKEW)]
        fresh = np.column_stack([random.integers(1, entities + 1, more), objects])
        found = _distinct(np.concatenate([found, fresh]))
    return found[np.sort(random.choice(len(found), size, replace=False))]


def generate(size: float, seed: int) -> World:
    """The snapshot at `size` times the papers' number of entities and triples."""
    random = np.random.Generator(np.random.PCG64(seed))
    entities, wanted = round(ENTITIES * size), round(TRIPLES * size)
    layout = _layout(entities)
    things, towns = layout["thing"], layout["town"]
    relations: dict[int, np.ndarray] = {wd.LOCATED_IN: _containment(random, layout)}
    relations[wd.PARENT_TAXON] = _levels(random, entities, 9, 0.0)
    cycles = random.choice(things, (6, 2), replace=False)
    relations[wd.SUBCLASS_OF] = _distinct(np.concatenate([_levels(random, entities, 9, 0.1), cycles, cycles[:, ::-1]]))
    relations |= {copy: relations[p] for p, copy in zip(UPWARD, TRANSITIVE, strict=False)}
    steps = np.arange(1, entities // 4)
    relations[wd.GREATER_THAN] = np.column_stack([steps, steps + 1])[steps % 50 != 0]
    for p in SYMMETRIC:
        pairs = np.sort(random.choice(things, (round(4_000 * size), 2)), axis=1)
        relations[p] = _distinct(np.concatenate([pairs, pairs[random.random(len(pairs)) > 0.03][:, ::-1]]))
    for at, p in enumerate(FUNCTIONAL):
        values = towns if p in PLACES else things[-max(60, len(things) // 12) :]
        relations[p] = _functional(random, len(things) // (6 + at % 8), things, values)
    for p in INVERSE:
        relations[p] = _free(random, round(7_000 * size), entities, entities // 4)
    left = wanted - sum(len(pairs) for pairs in relations.values())
    shares = (np.arange(len(PLAIN)) + 3.0) ** -1.0
    sizes = np.floor(shares / shares.sum() * left).astype(int)
    sizes[0] += left - sizes.sum()
    for at, (p, count) in enumerate(zip(PLAIN, sizes, strict=True)):
        # Some relations have few objects (occupations), some many (co-authors).
        relations[p] = _free(random, int(count), entities, entities // RANGES[at % len(RANGES)])
    rows = [np.column_stack([np.full(len(pairs), p), pairs]) for p, pairs in sorted(relations.items())]
    triples = np.concatenate(rows)
    triples = triples[np.lexsort((triples[:, 2], triples[:, 1], triples[:, 0]))]
    types = np.full(entities, THING)
    for name, kind in (("country", COUNTRY), ("state", STATE), ("county", COUNTY), ("town", TOWN)):
        types[layout[name] - 1] = kind
    return World(entities, types, triples)


def rules(path: Path, pairs: bool) -> None:
    """Write the reviewed list for the generated relations, with shared-object pairs or without."""
    why = "generated for the benchmark"
    functional = {f"P{p}": {"by_nature": True, "place": p in PLACES, "reason": why} for p in FUNCTIONAL}
    chains = [
        {"chain": [f"P{p}" for p in chain], "concludes": f"chain{at}", "reason": why} for at, chain in enumerate(CHAINS)
    ]
    everything = (*UPWARD, *TRANSITIVE, *SYMMETRIC, *FUNCTIONAL, *INVERSE, *PLAIN)
    content = {
        "settings": {"wrong_values_per_fact": PER_FACT, "shared_pairs_cap": CAP},
        "time_bound": {f"P{wd.LOCATED_IN}": why},
        "functional": functional,
        "symmetric": {f"P{p}": why for p in SYMMETRIC},
        "transitive": {f"P{p}": why for p in TRANSITIVE},
        "relations": {
            f"chain{at}": {"relation": "/".join(f"P{p}" for p in chain), "label": f"chain {at}"}
            for at, chain in enumerate(CHAINS)
        },
        "composite": chains,
        "share": {f"P{p}": why for p in everything} if pairs else {},
    }
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def properties() -> list[tuple[int, int | None, list[int], list[int]]]:
    """Rows (pid, inverse, classes, constraints) of the generated relations."""
    inverse = {p: p + 1 if (p - INVERSE[0]) % 2 == 0 else p - 1 for p in INVERSE}
    return [
        (
            p,
            inverse.get(p),
            [TRANSITIVE_CLASS] * (p in TRANSITIVE) + [SYMMETRIC_CLASS] * (p in SYMMETRIC),
            [SINGLE_VALUE] * (p in FUNCTIONAL),
        )
        for p in (*UPWARD, *TRANSITIVE, *SYMMETRIC, *FUNCTIONAL, *INVERSE, *PLAIN)
    ]
