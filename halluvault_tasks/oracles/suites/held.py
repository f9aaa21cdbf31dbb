"""How far a suite's judge was held against blind labels of a real model's responses (docs/suites.md).

Until there are enough of them it was seen to be right on planted faults alone, and every figure of the suite says so.
"""

from typing import NamedTuple

ENOUGH = 200
"""Labelled responses of a real model, from which on a suite's figures are no longer *planted only*."""

PLANTED_ONLY = "planted only"
"""What figures are called until then: they were seen to be right on planted faults alone."""


class Held(NamedTuple):
    """What a judge's verdicts were held against.

    Attributes:
        version: of the profile. A later one has yet to be held against the labels.
        labelled: responses that were labelled before anybody saw a verdict, and on which nothing of it was corrected.
        same: verdicts that say what the labels say; None where labels cannot tell.
        documents: how many verdicts there are, where one is about all responses to a document; else one a response.
        wanted: labels that are enough.
        least: share of them that must be the same.
    """

    version: str
    labelled: int
    same: int | None = None
    documents: int | None = None
    wanted: int = ENOUGH
    least: float = 0.0

    def enough(self, version: str) -> bool:
        """Whether that version of the profile was held against enough of them."""
        if self.version != version or self.labelled < self.wanted or self.same is None:
            return False
        return self.same >= self.least * (self.documents or self.labelled)


def said(held: Held | None, version: str, untried: str = PLANTED_ONLY) -> str:
    """In words: how far to trust figures by this version of a profile; `untried` is what they are called until then."""
    if held is None:
        return f"{untried}: held against no labelled response of a real model"
    if held.version != version:
        return f"{untried}: version {held.version} was held against labels, this is {version}"
    if held.same is None:
        return f"{untried}: {held.labelled} labelled responses of a real model could not tell"
    share = 100 * held.same / (held.documents or held.labelled)
    documents = "" if held.documents is None else f"{held.documents} documents, by "
    agrees = f"{share:.1f} % of {documents}{held.labelled} blind labels of a real model's responses"
    if held.enough(version):
        return f"agrees with {agrees}"
    lacks = f"{held.wanted} are wanted" if held.labelled < held.wanted else f"{100 * held.least:.0f} % are wanted"
    return f"{untried}: {agrees} agree, {lacks}"
