"""Groups that balance each other, so that neither a word nor a name tells the answer.

- a relation that runs one way, asked both ways round: one group, the same words, yes and no;
- two true facts of a property with exactly one value, and the same two with their values exchanged, where both of
  those are licensed as false (`quads`): four groups, each subject, object and wording twice yes and twice no;
- a formula that holds at one time and does not at another: two groups;
- what is left and true is yes-only; what is left and false has nothing to be weighed against and is not asked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.balance import Block
from halluvault_tasks.benchmark.cases import Candidate

UNPAIRED = "false, without a true fact of the same wording beside it"
"""The reason why a fact is not asked about, in counts."""


class Blocks(NamedTuple):
    """What can be chosen from, and why the rest cannot: reason → facts."""

    blocks: list[Block]
    dropped: Counter[str]


def relation_blocks(candidates: Iterable[Candidate], quads: Iterable[Sequence[Candidate]]) -> Blocks:
    """Blocks of the relation suite.

    Args:
        candidates: groups by themselves.
        quads: fours that balance each other; their true ones are among the candidates.
    """
    found = [Block(tuple(four)) for four in quads]
    paired = {one.identity for block in found for one in block.candidates}
    dropped: Counter[str] = Counter()
    for one in candidates:
        if one.balanced:
            found.append(Block((one,)))
        elif one.identity in paired:
            continue
        elif one.truth:
            found.append(Block((one,), yes_only=True))
        else:
            dropped[UNPAIRED] += 1
    return Blocks(found, dropped)


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
