"""Which stratum of difficulty a case belongs to, in words: what a case stores of its design, told in one place."""

from collections.abc import Mapping
from typing import Any

_POPULARITY = ("least known third", "middle third", "best known third", "changed since the month before")
UNKNOWN = "not graded"
"""Of a case that stores no stratum."""


def stratum_of(fact: Mapping[str, Any]) -> str:
    """The stratum's name.

    Args:
        fact: what `benchmark_case.fact` stores.
    """
    place = fact.get("stratum")
    return _POPULARITY[place] if isinstance(place, int) and 0 <= place < len(_POPULARITY) else UNKNOWN
