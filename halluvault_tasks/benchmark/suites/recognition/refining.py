"""Responses refined with knowledge (HELMA §3.3, table 10): a false text is given back with what is known, to correct.

The false text is the pair's, whoever made it, so that all models correct the same one. The gold answer is the right
member.
"""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.recognition.instructions import NOUNS
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap

VARIANT = "recognition/refined/chat/closed-book"
RULE = "refined"
"""Rule kind of such a case, after its task."""


class Refine(NamedTuple):
    """What a case of this kind asks.

    Attributes:
        question: setting and false text.
        told: what to do, and what is known.
        right, false: the names in which the two members differ.
    """

    question: str
    told: str
    right: str
    false: str


def drawn(pairs: Sequence[Swap], wanted: int, random: Random) -> list[Swap]:
    """At most this many pairs of each task that have knowledge and differ in one name."""
    found: list[Swap] = []
    for task in NOUNS:
        fit = [one for one in pairs if one.task == task and one.knowledge and all(_differing(one.right, one.false))]
        found += random.sample(fit, min(wanted, len(fit)))
    return found


def of(one: Swap) -> Refine:
    """A pair as such a case."""
    above, noun = NOUNS[one.task]
    told = (
        f"A {noun} may be wrong. Write it again as it is right, by what is known, and change nothing else. Reply with "
        f"the {noun} and nothing else.\nThis is known: {one.knowledge}"
    )
    return Refine(f"{above}: {one.setting}\n{noun.capitalize()} to mend: {one.false}", told,
                  *_differing(one.right, one.false))  # fmt: skip


def _differing(right: str, false: str) -> tuple[str, str]:
    """The text between the words that two texts begin and end with alike; empty if one contains the other."""
    mine, other = right.rstrip(".").split(), false.rstrip(".").split()
    head = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(mine, other, strict=False))))
    mine, other = mine[head:], other[head:]
    tail = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(mine[::-1], other[::-1], strict=False))))
    return " ".join(mine[: len(mine) - tail]), " ".join(other[: len(other) - tail])
