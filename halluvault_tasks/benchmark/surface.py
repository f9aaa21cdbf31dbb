"""What stands behind a case beside its question, for counts and for the blind baselines."""

from typing import NamedTuple

from halluvault_tasks.benchmark.balance import Chosen


class Surface(NamedTuple):
    """Of one case, what its group and block were chosen by.

    Attributes:
        block: groups of one block share names and words.
        rule: name of its rule, or the kinds of its events.
        about: property that it counts for.
        order: whether two dates are compared.
        hops: statements that the answer rests on.
        stratum: third of the month by popularity, 0 the least known.
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
