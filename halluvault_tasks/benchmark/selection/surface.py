"""What stands behind a case beside its question, for counts and for the blind baselines."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.selection.balance import Chosen


class Surface(NamedTuple):
    """Of one case, what its group and block were chosen by.

    Attributes:
        block: groups of one block share names and words.
        rule: name of its rule, or the kinds of its events.
        about: property that it counts for.
        order: whether two dates are compared.
        hops: statements that the answer rests on.
        stratum: third of the month by popularity, 0 the least known, or 3 for what changed.
        fame: of its least known end.
        family: the wording that it is asked in.
        entities: subject first.
    """

    block: int
    rule: str
    about: str
    order: bool
    hops: int
    stratum: int
    fame: float
    family: str
    entities: tuple[int, ...]

    @classmethod
    def of(cls, one: Chosen) -> "Surface":
        """Of a chosen group."""
        it = one.candidate
        others = tuple(qid for qid in it.entities if qid != it.subject)
        return cls(
            one.block, it.strand, it.about, it.order, it.hops, it.stratum, it.fame, it.family, (it.subject, *others)
        )


def spread(surfaces: Sequence[Surface]) -> dict[str, Any]:
    """Cases of a part by rule, property, hops and stratum, and how many compare two dates; stored with its counts."""
    return {
        "by_rule": dict(sorted(Counter(one.rule for one in surfaces).items())),
        "by_property": dict(sorted(Counter(one.about for one in surfaces).items())),
        "by_hops": dict(sorted(Counter(str(one.hops) for one in surfaces).items())),
        "by_stratum": dict(sorted(Counter(str(one.stratum) for one in surfaces).items())),
        "orders": sum(one.order for one in surfaces),
    }
