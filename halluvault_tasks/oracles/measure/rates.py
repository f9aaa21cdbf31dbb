"""A share with its interval, as every measure prints it."""

from typing import NamedTuple

from halluvault_tasks.statistics.shares import wilson


class HitShare(NamedTuple):
    """Hits of so many, with Wilson's 95 % interval; each row counts as independent of the others."""

    value: float
    """0 to 1."""

    low: float
    high: float
    hits: int
    of: int


def share(hits: int, of: int) -> HitShare | None:
    """The share; None of none."""
    return HitShare(hits / of, *wilson(hits / of, of), hits, of) if of else None
