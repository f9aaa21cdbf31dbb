"""Metamorphic groups: every wording of one fact that is asked, each with its declared relation to the original.

*same* keeps the answer, *contradictory* flips it, *contrary* forbids only that both are yes (so it is asked only where
the original is yes, and then it is no), *converse* reverses the relation (semantics.md §3.1). Asked in both directions,
a fact of a one-way relation has yes and no equally often in every wording, with the very same words.
"""

from typing import NamedTuple

from halluvault_tasks.benchmark.cases.wordings import Wordings


class ConverseWordings(NamedTuple):
    """A fact with subject and object exchanged.

    Attributes:
        flips: its answer is the other one; else it is the same, since the relation is symmetric.
    """

    wordings: Wordings
    flips: bool


class Member(NamedTuple):
    """One wording in its group.

    Attributes:
        mutation: original, negated, paraphrase …; unique in the group, and the same sentence every month.
        relation: to the original: same, contradictory, contrary, converse.
        opposed: its answer is no where the base proposition is true.
    """

    mutation: str
    relation: str
    question: str
    opposed: bool


def worded_as(mutation: str) -> str:
    """The mutation whose wording, apart from names, this one has: a converse reads like its original."""
    if mutation == "contrary":
        return "inverse"
    return mutation.removeprefix("converse").lstrip("_") or "original"


def gold_of(truth: bool, opposed: bool) -> str:
    """The right answer of a wording: what the base proposition's truth says, flipped where the wording opposes it."""
    return "yes" if truth != opposed else "no"


def members(wordings: Wordings, truth: bool, converse: ConverseWordings | None, turn: int) -> list[Member]:
    """The wordings of a group that are asked.

    Args:
        wordings: of the base proposition.
        truth: of the base proposition.
        converse: the relation turned round, or None.
        turn: picks one of `wordings.more`.
    """
    asked = [Member("original", "same", wordings.original, wordings.denies)]
    # Without denials where the proposition is not asked denied.
    others = [Member(*wording) for wording in wordings.more if wordings.negated or not wording.opposed]
    if wordings.negated:
        asked.append(Member("negated", "contradictory", wordings.negated, True))
    elif converse is None:
        return asked + [other._replace(opposed=other.opposed != wordings.denies) for other in others]
    extra = others[turn % len(others)] if others else None
    if extra:
        asked.append(extra)
    if wordings.antonym and (truth or wordings.antonym.relation == "contradictory"):
        asked.append(Member(*wordings.antonym))
    return asked + (_turned(converse, truth, extra) if converse else [])


def _turned(converse: ConverseWordings, truth: bool, extra: Member | None) -> list[Member]:
    """The wordings of the relation turned round: of one that runs one way also those that its original has."""
    wordings, flips = converse
    asked = [Member("converse", "converse", wordings.original, flips)]
    if not flips:
        return asked
    if wordings.negated:
        asked.append(Member("converse_negated", "converse", wordings.negated, False))
    same = next((wording for wording in wordings.more if extra and wording.mutation == extra.mutation), None)
    if same and same.mutation == "inverse" and truth:
        # "Is S a parent of O?" beside "Is S a child of O?": both cannot be so.
        asked.append(Member("contrary", "contrary", same.text, True))
    elif same:
        asked.append(Member(f"converse_{same.mutation}", "converse", same.text, not same.opposed))
    return asked
