"""A case as a value: a question, its answer, and what proves it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.reasoning.grounds import LicenceKind


class Case(NamedTuple):
    """One question of a benchmark, as rows of `cases` and `benchmark_case` have it."""

    id: str
    question: str
    gold: str
    group_id: str
    mutation: str
    relation: str
    suite: str
    domain: str
    rule_kind: str
    property: int | None
    subject: int | None
    object: int | None
    fact: dict[str, Any]
    premises: list[dict[str, Any]]
    proof: str
    licence: LicenceKind = LicenceKind.PROVED
    """The weakest on which a "No" of its block rests: its groups stand or fall together (semantics.md §1.10)."""
    block: int | None = None
    """Number of its block in the part, of a suite that has blocks."""


def told(premises: Sequence[Mapping[str, Any]], fact: Mapping[str, Any]) -> list[str]:
    """A case's evidence as sentences, in the order of its proof; of a finding of people what they found.

    Args:
        premises: `benchmark_case.premises`.
        fact: `benchmark_case.fact`.
    """
    return [premise["sentence"] for premise in premises] or ([fact["found"]] if "found" in fact else [])
