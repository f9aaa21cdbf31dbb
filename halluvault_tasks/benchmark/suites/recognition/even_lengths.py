"""Pairs of which the length tells nothing: of as many the false member is longer as shorter."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from halluvault_tasks.benchmark.suites.recognition.swaps import Swap

_About = tuple[str, str]
"""`Swap.about`."""


def balanced(found: Iterable[Swap], patterns: Sequence[str], wanted: int, random: Random) -> list[Swap]:
    """Pairs of a task, evenly over its patterns, of each as many whose false member is longer as shorter.

    What is asked about the same right text makes one pair of the task: nobody is asked the same twice. Where one
    pattern has too few, the others have more.
    """
    by: dict[str, dict[int, dict[_About, list[Swap]]]] = {
        pattern: {1: defaultdict(list), -1: defaultdict(list)} for pattern in patterns
    }
    for swap in found:
        if swap.longer and swap.right != swap.false:
            by[swap.pattern][swap.longer][swap.about].append(swap)
    chosen: list[Swap] = []
    used: set[_About] = set()
    # The rarest first, so that the others leave it something.
    left = sorted(patterns, key=lambda pattern: min(len(half) for half in by[pattern].values()))
    while left and len(chosen) + 2 <= wanted:
        for pattern in list(left):
            couple = _couple(by[pattern], used, random) if len(chosen) + 2 <= wanted else []
            if not couple:
                left.remove(pattern)
            chosen += couple
    return chosen


def _couple(both: Mapping[int, Mapping[_About, list[Swap]]], used: set[_About], random: Random) -> list[Swap]:
    """A pair whose false member is longer and one where it is shorter, of what is not used yet; or nothing."""
    halves = [[about for about in both[side] if about not in used] for side in (1, -1)]
    scarce, plenty = sorted(zip(halves, (1, -1), strict=True), key=lambda half: len(half[0]))
    if not scarce[0]:
        return []
    # What can be of one side alone comes first, so that the rest is left for the other.
    first = min(scarce[0], key=lambda about: (about in both[plenty[1]], random.random()))
    others = [about for about in plenty[0] if about != first]
    if not others:
        return []
    second = min(others, key=lambda about: (about in both[scarce[1]], random.random()))
    used |= {first, second}
    return [random.choice(both[scarce[1]][first]), random.choice(both[plenty[1]][second])]


def lengths(chosen: Iterable[Swap]) -> dict[str, dict[str, int]]:
    """Task → pairs, and of how many the false member is longer by words and by characters."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for swap in chosen:
        told[swap.task].update(
            pairs=1, by_words=len(swap.false.split()) > len(swap.right.split()),
            by_characters=len(swap.false) > len(swap.right),
        )  # fmt: skip
    return {task: dict(counts) for task, counts in told.items()}
