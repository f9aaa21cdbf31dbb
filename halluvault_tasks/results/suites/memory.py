"""Internal memory consistency of one evaluation (§III.B, equations 3 and 4): 1 − H_in / n, and what belongs beside it.

H_in counts right sets. The paper asks a model only pairs that it knows; here all were asked, and a set counts if the
model got each of its pairs right one by one, in the same evaluation. Sets share pairs, so their answers are less
independent than the interval assumes; a set and its permutations are one cluster.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import factorial
from typing import NamedTuple

import numpy as np
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.memory.fact import NAME, MemoryFact
from halluvault_tasks.oracles.suites.memory import PROFILE
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import verdicts
from halluvault_tasks.statistics import shares
from halluvault_tasks.storage.tables import benchmark_case, verdict

__all__ = ["LEAST", "METRICS", "PROFILE", "JudgedMemory", "figures", "of_evaluation"]

LEAST = 30
"""Sets that must be left of a k, by strategy 1: with fewer it is not assessable, and has no value."""

METRICS = (
    "internal_hallucination", "pair_share", "rejected_share", "declined_share", "assessable_share", "chance", "echo",
    "known_share",
)  # fmt: skip


class JudgedMemory(NamedTuple):
    """One judged response."""

    fact: MemoryFact
    right: bool
    pairs_right: int
    category: str
    declined: bool


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    columns = (verdict.c.correct, verdict.c.category, verdict.c.sub_label, verdict.c.detail, benchmark_case.c.fact)
    return figures([
        JudgedMemory(
            MemoryFact.model_validate(row.fact), bool(row.correct), int(row.detail.get("pairs_right", 0)),
            row.category, row.sub_label == "abstained",
        )
        for row in verdicts.rows(session, of, snapshot, NAME, *columns)
    ])  # fmt: skip


def figures(judged: Sequence[JudgedMemory]) -> list[Figure]:
    """The figures of judged responses: by k and strategy, by relation, and by how well known the pairs are."""
    singles = [one for one in judged if one.fact.kind == "single"]
    known = _known(singles)
    sets = [one for one in judged if one.fact.kind == "set"]
    # Further samples of a set make it no other set.
    held = {(one.fact.k, one.fact.set) for one in sets if one.fact.strategy == 1 and _held(one.fact, known)}
    left = Counter(k for k, _ in held)
    # What is not known singly may be in another form: without these two a model that writes sentences looks ignorant.
    made = [
        _share("singles", "", "known_share", [(one, one.right) for one in singles]),
        _share("singles", "", "rejected_share", [(one, one.category == "unparseable") for one in singles]),
        _share("singles", "", "declined_share", [(one, one.declined) for one in singles]),
    ]
    by: tuple[tuple[str, Callable[[MemoryFact], str]], ...] = (
        ("sets", lambda fact: f"k = {fact.k}, strategy {fact.strategy}"),
        ("relation", lambda fact: f"P{fact.p}, k = {fact.k}"),
        ("popularity", lambda fact: f"third {fact.stratum}, k = {fact.k}" if fact.stratum >= 0 else ""),
    )
    for scope, key_of in by:
        # Where sets are cut further, a shuffle each: permutations of ten sets would outweigh all others.
        some = [one for one in sets if scope == "sets" or one.fact.strategy == 1]
        for key in sorted({key_of(one.fact) for one in some} - {""}):
            mine = [one for one in some if key_of(one.fact) == key]
            made += _of_sets(scope, key, mine, known, left[mine[0].fact.k] >= LEAST)
    return made


def _known(singles: Iterable[JudgedMemory]) -> set[tuple[int, int, int]]:
    """Pairs that were right singly: in more than half of their samples."""
    answers: dict[tuple[int, int, int], list[bool]] = defaultdict(list)
    for one in singles:
        answers[one.fact.p, *one.fact.pairs[0]].append(one.right)
    return {pair for pair, right in answers.items() if 2 * sum(right) > len(right)}


def _held(fact: MemoryFact, known: Collection[tuple[int, int, int]]) -> bool:
    """Whether the model had all pairs of a set right singly."""
    return all((fact.p, *pair) in known for pair in fact.pairs)


def _of_sets(
    scope: str, key: str, asked: Sequence[JudgedMemory], known: Collection[tuple[int, int, int]], assessable: bool
) -> Iterator[Figure]:
    k, counted = asked[0].fact.k, [one for one in asked if _held(one.fact, known)]
    yield _share(scope, key, "assessable_share", [(one, _held(one.fact, known)) for one in asked])
    # A cell of few sets has no rate either; of strategy 2 the paper prints at most ten sets a k.
    enough = scope == "sets" or len({one.fact.set for one in counted}) >= LEAST
    outcomes = [(one, not one.right) for one in counted]
    yield _share(scope, key, "internal_hallucination", outcomes, assessable and enough)
    yield _share(scope, key, "rejected_share", [(one, one.category == "unparseable") for one in counted])
    yield _share(scope, key, "declined_share", [(one, one.declined) for one in counted])
    # A model that answers the names in the order in which they are listed.
    yield _share(scope, key, "echo", [(one, one.fact.shown == one.fact.right) for one in counted])
    yield _pairs(scope, key, counted, k)
    chance = 1 / factorial(k)
    yield Figure(NAME, scope, key, "chance", chance, None, None, None, len(counted), None, None)


def _share(
    scope: str, key: str, metric: str, outcomes: Iterable[tuple[JudgedMemory, bool]], defined: bool = True
) -> Figure:
    found = verdicts.share(
        NAME, scope, key, metric, ((one.fact.set or one.fact.pairs[0], hit) for one, hit in outcomes)
    )
    return found if defined else found._replace(value=None, low=None, high=None, clusters=None, design_effect=None)


def _pairs(scope: str, key: str, counted: Sequence[JudgedMemory], k: int) -> Figure:
    """Share of pairs that were matched rightly, in right sets and in wrong ones."""
    hits = np.array([one.pairs_right for one in counted], dtype=float)
    found = shares.of_sums(shares.codes([one.fact.set for one in counted]), hits, np.full(len(counted), float(k)))
    if found is None:
        return Figure(NAME, scope, key, "pair_share", None, None, None, 0, 0, None, None)
    return Figure(
        NAME, scope, key, "pair_share", found.rate, found.low, found.high, found.hits, found.total, found.clusters,
        found.design_effect,
    )  # fmt: skip
