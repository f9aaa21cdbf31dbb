"""Which questions a part asks: spread evenly over domain and kind, then over wordings and how well known things are."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE
from halluvault_tasks.statistics.seeds import drawn

_HARD = 0.25
"""Share of the questions that are hard by design, where there are so many."""

_PAIRED = 1 / 3
"""Share of the questions whose fact the month asks with yes and no, too, where there are so many."""

_QueueKey = tuple[tuple[str, str], str, str, bool, bool]
"""Cell, way, stratum, hard, paired."""


class Ceilings(NamedTuple):
    """The most questions of a part that have something in common.

    Attributes:
        answer: one answer, over all.
        same: one answer to questions in the same words.
        way: questions in the same words.
        entity: that name one thing.
    """

    answer: int
    same: int
    way: int
    entity: int

    @classmethod
    def of(cls, target: int, entity: int) -> "Ceilings":
        """Those of a part of so many questions."""
        return cls(max(2, target // 100), max(1, target // 300), max(2, target // 20), entity)


def choose(
    drafts: Sequence[OpenDraft], target: int, ceilings: Ceilings, stood: Collection[str], seed: int
) -> list[OpenDraft]:
    """At most so many questions.

    What stood before is chosen first, since a question stays while its fact does (semantics.md §3.4).

    Args:
        drafts: what may be asked.
        target: questions.
        ceilings: what they may have in common.
        stood: groups that were asked before, and are not renewed.
        seed: of the draw.
    """
    chosen = _Chosen(ceilings)
    for one in _ordered(drafts, seed):
        if one.group in stood and len(chosen.all) < target:
            chosen.take(one)
    queues: dict[_QueueKey, deque[OpenDraft]] = defaultdict(deque)
    for one in _ordered(drafts, seed):
        queues[one.cell, one.way, one.difficulty.stratum, one.difficulty.hard, one.paired].append(one)
    while queues and len(chosen.all) < target:
        key = min(queues, key=chosen.wanted)
        queue = queues[key]
        while queue and not chosen.take(queue.popleft()):
            pass
        if not queue:
            del queues[key]
    return chosen.all


def _ordered(drafts: Iterable[OpenDraft], seed: int) -> list[OpenDraft]:
    return sorted(drafts, key=lambda one: drawn(seed, "open", one.group))


class _Chosen:
    """What is chosen so far."""

    def __init__(self, ceilings: Ceilings) -> None:
        self.all: list[OpenDraft] = []
        self._ceilings = ceilings
        self._groups: set[str] = set()
        self._questions: set[str] = set()
        self._counts: Counter[Hashable] = Counter()
        self._hard = self._paired = 0

    def wanted(self, key: _QueueKey) -> tuple[object, ...]:
        """How much a queue has already, the least wanted last."""
        (domain, kind), way, stratum, hard, paired = key
        lacks_hard = self._hard < _HARD * len(self.all)
        lacks_paired = self._paired < _PAIRED * len(self.all)
        return (
            lacks_hard and not hard,
            self._counts["cell", (domain, kind)],
            lacks_paired and not paired,
            self._counts["way", way, domain],
            self._counts["way", way],
            self._counts["stratum", stratum],
            key,
        )

    def take(self, one: OpenDraft) -> bool:
        """Ask it, unless that is one too many of something."""
        limits: list[tuple[Hashable, int]] = [
            (("answer", one.gold), self._ceilings.answer),
            (("same", one.way, one.gold), self._ceilings.same),
            (("way", one.way), self._ceilings.way),
            *((("entity", qid), self._ceilings.entity) for qid in {*one.named, one.subject}),
            # Who governed Hawaii on a day and of which state he was governor tell each other.
            *((("fact", sid), 1) for sid in one.sids[-1:] if one.kind != COMPOSITE),
        ]
        if one.group in self._groups or one.question in self._questions:
            return False
        if any(self._counts[key] >= most for key, most in limits):
            return False
        self._groups.add(one.group)
        self._questions.add(one.question)
        more: list[Hashable] = [("cell", one.cell), ("way", one.way, one.domain), ("stratum", one.difficulty.stratum)]
        self._counts.update([*(key for key, _ in limits), *more])
        self._hard += one.difficulty.hard
        self._paired += one.paired
        self.all.append(one)
        return True
