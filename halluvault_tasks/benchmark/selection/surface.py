"""What stands behind a case beside its question, for counts and for the blind baselines."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.difficulty import Difficulty
from halluvault_tasks.benchmark.selection.balance import Chosen


class Surface(NamedTuple):
    """Of one case, what its group and block were chosen by.

    Attributes:
        block: groups of one block share names and words.
        rule: name of its rule, or the kinds of its events.
        about: property that it counts for.
        order: whether two dates are compared.
        hops: statements that the answer rests on.
        difficulty: of its block.
        fame: of its least known end.
        family: the wording that it is asked in.
        entities: subject first.
    """

    block: int
    rule: str
    about: str
    order: bool
    hops: int
    difficulty: Difficulty
    fame: float
    family: str
    entities: tuple[int, ...]

    @classmethod
    def of(cls, one: Chosen) -> "Surface":
        """Of a chosen group."""
        it = one.candidate
        others = tuple(qid for qid in it.entities if qid != it.subject)
        return cls(
            one.block, it.strand, it.about, it.order, it.hops, it.difficulty, it.fame, it.family, (it.subject, *others)
        )


def spread(surfaces: Sequence[Surface]) -> dict[str, Any]:
    """Cases of a part by rule, property, hops, difficulty, and how many compare two dates; stored with its counts."""
    by_feature: dict[str, Counter[str]] = {}
    for one in surfaces:
        for feature, level in one.difficulty.features().items():
            by_feature.setdefault(feature, Counter())[level] += 1
    return {
        "by_rule": dict(sorted(Counter(one.rule for one in surfaces).items())),
        "by_property": dict(sorted(Counter(one.about for one in surfaces).items())),
        "by_hops": dict(sorted(Counter(str(one.hops) for one in surfaces).items())),
        "by_stratum": dict(sorted(by_feature.get("stratum", Counter()).items())),
        "by_difficulty": {name: dict(sorted(by_feature[name].items())) for name in sorted(by_feature)},
        "orders": sum(one.order for one in surfaces),
    }
