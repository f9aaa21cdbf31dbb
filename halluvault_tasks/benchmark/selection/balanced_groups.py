"""Groups that balance each other, so that neither a word nor a name tells the answer.

- a relation that runs one way, asked both ways round: one group, the same words, yes and no;
- two true facts of a property with exactly one value, and the same two with their values exchanged, where both of
  those are licensed as false (`quads`): four groups, each subject, object and wording twice yes and twice no;
- a formula that holds at one time and does not at another: two groups;
- a statement that people found to be false, beside a true one of the same words, of the same object where there is one;
- what is left and true has no sound No: it is for the suite `recall`; what is left and false has nothing to be weighed
  against and is not asked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases import Candidate
from halluvault_tasks.benchmark.selection.balance import Block, drawn

UNPAIRED = "false, without a true fact of the same wording beside it"
"""The reason why a fact is not asked about, in counts."""


class Blocks(NamedTuple):
    """What can be chosen from, and why the rest cannot: reason → facts."""

    blocks: list[Block]
    dropped: Counter[str]


class Gathered(NamedTuple):
    """What a month carries, for the suites relation and recall."""

    balanced: list[Block]
    true_only: list[Block]
    """Nothing shows that the like of it is false, so that its affirmative question is always a yes."""

    dropped: Counter[str]


def relation_blocks(candidates: Iterable[Candidate], swaps: Iterable[Sequence[Candidate]], *, seed: int) -> Gathered:
    """Blocks of the suites relation and recall.

    Args:
        candidates: groups by themselves.
        quads: fours that balance each other; their true ones are among the candidates.
        seed: of draws.
    """
    found = [Block(tuple(four)) for four in swaps]
    paired = {one.identity for block in found for one in block.candidates}
    alone: list[Candidate] = []
    for one in candidates:
        if one.balanced:
            found.append(Block((one,)))
        elif one.identity not in paired:
            alone.append(one)
    twos = _twos(alone, seed)
    found += twos
    paired = {one.identity for block in twos for one in block.candidates}
    left = [one for one in alone if one.identity not in paired]
    dropped = Counter({UNPAIRED: number} if (number := sum(not one.truth for one in left)) else {})
    return Gathered(found, [Block((one._replace(suite="recall"),)) for one in left if one.truth], dropped)


def _twos(alone: Iterable[Candidate], seed: int) -> list[Block]:
    """Each false fact with a true one of its words: of its object, if there is one, else of any, the likest known."""
    families: dict[str, tuple[list[Candidate], list[Candidate]]] = defaultdict(lambda: ([], []))
    for one in alone:
        families[one.family][one.truth].append(one)
    found = []
    for family in sorted(families):
        false, true = (
            sorted(several, key=lambda one: drawn(seed, "two", *one.identity)) for several in families[family]
        )
        taken: set[tuple[object, ...]] = set()
        subjects = {one.subject for one in false}
        for one in false:
            near = [
                other
                for other in true
                if other.identity not in taken and other.subject != one.subject and other.object != one.subject
            ]
            if near:
                other = min(
                    near, key=lambda it: (it.object != one.object, it.subject not in subjects, abs(it.fame - one.fame))
                )
                taken.add(other.identity)
                found.append(Block((other, one)))
    return found


def temporal_blocks(candidates: Iterable[Candidate]) -> Blocks:
    """Blocks of the temporal suite: a formula's true time with its false one."""
    formulas: dict[object, list[Candidate]] = defaultdict(list)
    for one in candidates:
        formula, _, granularity = one.identity
        formulas[formula, granularity].append(one)
    found = []
    dropped: Counter[str] = Counter()
    for several in formulas.values():
        true = sorted((one for one in several if one.truth), key=lambda one: one.identity)
        false = sorted((one for one in several if not one.truth), key=lambda one: one.identity)
        found += [Block(pair) for pair in zip(true, false, strict=False)]
        if alone := abs(len(true) - len(false)):
            dropped["decided one way only"] += alone
    return Blocks(found, dropped)
