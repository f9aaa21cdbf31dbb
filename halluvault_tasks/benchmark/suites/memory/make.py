"""Memory consistency, internal (Quantifying Hallucination …, §III.B, equations 1 to 4): pairs one by one, and in sets.

The paper picks pairs that a model knows and asks it to match them in shuffled sets. Which pairs a model knows is not
known when a part is frozen, so all pairs and all sets are asked; `results.suites.memory` decides which sets count. The
two ends of a set are in two lists, the right one shuffled, and not shown as wrong pairs as in the paper's table I: the
question is the same, and no wrong pair is suggested to the model.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from math import comb
from random import Random
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, PartRefused, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.ask_plan import AskPlan
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig
from halluvault_tasks.benchmark.suites.memory.fact import NAME, MemoryFact
from halluvault_tasks.benchmark.suites.memory.pairs import MemoryPair, Pool, pool
from halluvault_tasks.benchmark.suites.memory.settings import MOST_PERMUTED, Memory
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, PartStatistics, tally
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.reasoning.case_proofs.matching import MatchedPair, matching

_STRATA = 3
_TRIES = 50  # draws of a set that was drawn before, until it is taken for granted that there is no other


class _Set(NamedTuple):
    """Pairs to be asked together."""

    pool: Pool
    pairs: tuple[MemoryPair, ...]
    stratum: int

    @property
    def id(self) -> str:
        return content_id(NAME, "set", self.pool.pairing.property, sorted((one.s, one.o) for one in self.pairs))


def make(material: Material, config: CompanionConfig[Memory], asked: Collection[str], ask: Ask | None) -> Made:
    """The suite's cases of a month: every pair singly, sets of each k, and all permutations of some.

    Raises:
        PartRefused: no relation has pairs enough for a set.
    """
    settings = config.settings
    dropped: Counter[Unasked] = Counter()
    pools = []
    for pairing in settings.relations:
        found = pool(material, pairing, settings.pairs, config.seed)
        dropped.update(found.dropped)
        pools.append(found)
    drawn = {k: _sets(pools, k, settings.sets, Random(f"{config.seed}:{k}")) for k in settings.k}
    for k in settings.k:
        dropped.update(Hindrance.TOO_FEW_PAIRS(f"P{one.pairing.property}, k = {k}") for one in pools if k > one.size)
    if not any(drawn.values()):
        sizes = ", ".join(f"P{one.pairing.property} {one.size}" for one in pools)
        raise PartRefused(
            f"snapshot {material.snapshot} has no set of {min(settings.k)} pairs that are functional both ways: "
            f"{sizes}",
            "pull a source with statements of the relations in config/suites.yaml, or name others there",
        )
    cases = [_single(one, pair, material) for one in pools for pair in one.pairs]
    for k, several in drawn.items():
        for number, each in enumerate(several):
            cases.append(_shuffled(each, material, config.seed))
            if k <= MOST_PERMUTED and number < settings.permuted_sets:
                cases += _permuted(each, material)
    made = [case for case in {case.id: case for case in cases}.values() if case.question not in asked]
    return Made(made, _statistics(made, drawn, settings, dropped, material), {case.group_id for case in made})


def _statistics(
    cases: Sequence[Case], drawn: dict[int, list[_Set]], settings: Memory, dropped: Counter[Unasked], material: Material
) -> PartStatistics:
    short = {f"sets of {k}": settings.sets - len(several) for k, several in drawn.items()}
    return replace(
        tally(cases, lambda case: OPEN),
        dropped=dropped,
        first_month=not material.before,
        shortfall={name: {"sets": number} for name, number in short.items() if number > 0},
        asked=AskPlan(temperatures=settings.temperatures, samples=settings.samples or 1),
    )


def _sets(pools: Sequence[Pool], k: int, wanted: int, random: Random) -> list[_Set]:
    """At most this many sets of k pairs, no two alike, taking turns among relations and strata with enough pairs."""
    cells = [cell for one in pools for cell in _cells(one, k)]
    found: dict[str, _Set] = {}
    while cells and len(found) < wanted:
        left = []
        for one, stratum, members in cells:
            if len(found) == wanted:
                break
            most = comb(len(members), k)
            for _ in range(_TRIES):
                fresh = _Set(one, tuple(random.sample(members, k)), stratum)
                if fresh.id not in found:
                    found[fresh.id] = fresh
                    if most > 1:
                        left.append((one, stratum, members))
                    break
        cells = left
    return list(found.values())


def _cells(one: Pool, k: int) -> list[tuple[Pool, int, Sequence[MemoryPair]]]:
    """Thirds of a relation's pairs, the best known last; the whole where a third is too few."""
    edges = [len(one.pairs) * n // _STRATA for n in range(_STRATA + 1)]
    thirds = [one.pairs[edges[n] : edges[n + 1]] for n in range(_STRATA)]
    if all(len(third) >= k for third in thirds):
        return [(one, n, third) for n, third in enumerate(thirds)]
    return [(one, -1, one.pairs)] if len(one.pairs) >= k else []


def _single(one: Pool, pair: MemoryPair, material: Material) -> Case:
    question = f"{one.pairing.single.replace('{s}', pair.asked)} Answer with the name alone."
    stratum = one.pairs.index(pair) * _STRATA // len(one.pairs)
    fact = MemoryFact(
        kind="single", p=one.pairing.property, strategy=0, set="", pairs=((pair.s, pair.o),),
        right=(pair.right,), shown=(), accepted={pair.right: pair.names}, stratum=stratum,
    )  # fmt: skip
    group = content_id(NAME, "single", one.pairing.property, pair.s, pair.o)
    return _case(question, fact, group, "original", "single", [pair], material)


def _shuffled(each: _Set, material: Material, seed: int) -> Case:
    """Strategy 1: one shuffle, which may be the right order by chance, once in k! times."""
    shown = list(each.pairs)
    Random(f"{seed}:{each.id}:shuffle").shuffle(shown)
    return _matching(each, shown, 1, "original", material)


def _permuted(each: _Set, material: Material) -> Iterable[Case]:
    """Strategy 2: every order of the right ends, the right one included, as in the paper's table I."""
    for number, shown in enumerate(permutations(each.pairs)):
        yield _matching(each, shown, 2, f"permutation {number + 1}", material)


def _matching(each: _Set, shown: Sequence[MemoryPair], strategy: int, mutation: str, material: Material) -> Case:
    pairing, k = each.pool.pairing, len(each.pairs)
    question = "\n".join([
        f"Here are {k} {pairing.left} and, in no particular order, their {pairing.right}.",
        f"{_capital(pairing.left)}: {'; '.join(one.left for one in each.pairs)}.",
        f"{_capital(pairing.right)}: {'; '.join(one.right for one in shown)}.",
        f"Match them. Answer with the {pairing.right} alone, in the order of the {pairing.left}, separated by commas, "
        "and with nothing else.",
    ])  # fmt: skip
    fact = MemoryFact(
        kind="set", p=pairing.property, strategy=strategy, set=each.id,
        pairs=tuple((one.s, one.o) for one in each.pairs), right=tuple(one.right for one in each.pairs),
        shown=tuple(one.right for one in shown), accepted={one.right: one.names for one in each.pairs},
        stratum=each.stratum,
    )  # fmt: skip
    # The two strategies ask the same set, and are two questions about it.
    group = content_id(NAME, strategy, each.id)
    return _case(question, fact, group, mutation, f"set.{k}", list(each.pairs), material)


def _case(
    question: str,
    fact: MemoryFact,
    group: str,
    mutation: str,
    kind: str,
    pairs: Sequence[MemoryPair],
    material: Material,
) -> Case:
    gold = ", ".join(fact.right)
    domains = material.index.domains
    return Case(
        id=content_id(question, gold, group, mutation), question=question, gold=gold, group_id=group,
        mutation=mutation, relation="same", suite=NAME,
        domain=domains.get(pairs[0].s) or domains.get(pairs[0].o) or "general", rule_kind=kind, property=fact.p,
        subject=pairs[0].s if len(pairs) == 1 else None, object=pairs[0].o if len(pairs) == 1 else None,
        fact=fact.model_dump(mode="json"), premises=[dict(one.premise) for one in pairs],
        proof=matching([MatchedPair(one.premise["guid"], one.left, one.right) for one in pairs]),
    )  # fmt: skip


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
