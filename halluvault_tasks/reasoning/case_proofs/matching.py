"""Pairs that are functional both ways: the right ends follow from the statements, in the order that is asked."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, fact
from halluvault_tasks.reasoning.case_proofs.program import program


class MatchedPair(NamedTuple):
    """A statement between two things that are called so."""

    guid: str
    left: str
    right: str


def matching(matches: Sequence[MatchedPair]) -> str:
    """The program that names the right ends of these, in this order."""
    pairs = [
        line
        for match in matches
        for line in (comment(f"statement {match.guid}"), fact("pair", match.left, match.right))
    ]
    return program("matching", [*pairs, *(fact("asked", match.left) for match in matches)])
