"""Which evaluations one process scores: to start it takes as long as to judge some hundred responses."""

from collections.abc import Mapping

MOST = 2_000
"""Responses of evaluations that are scored together."""


def together(sizes: Mapping[str, int]) -> list[list[str]]:
    """Evaluations, in their order, in groups of at most `MOST` responses; what is larger stands alone.

    Args:
        sizes: evaluation → its responses.
    """
    found: list[list[str]] = []
    room = 0
    for evaluation_id, size in sizes.items():
        if not found or size > room:
            found.append([])
            room = MOST
        found[-1].append(evaluation_id)
        room -= size
    return found
