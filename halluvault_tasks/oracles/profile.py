"""What an oracle profile is: a way to judge responses, in one record that everybody who shows verdicts reads.

How far a companion suite's profile was held against blind labels of a real model's responses (docs/suites.md) is part
of it: until there are enough of them it was seen to be right on planted faults alone, and every figure says so.
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


class OracleProfile(NamedTuple):
    """One way to judge every response of some suites.

    Attributes:
        name: as it stands with each verdict.
        version: raised with every change that may change a verdict.
        heading: of its column, for people.
        baseline: what `baselines` calls what it makes of answers that no model gave.
        extractor: by whose triples it judges; empty: it reads claims.
        leads: its rate is a model's headline (semantics.md §4.4).
        constant: of one that judges every answer on its reasoning, right ones too: the profile that stands beside it,
            whose oracle calls every answer an error of both kinds. Empty: it does not.
        held: what labels of a real model's responses say of it; None: nothing. Of companion suites.
    """

    name: str
    version: str
    heading: str = ""
    baseline: str = ""
    extractor: str = ""
    leads: bool = False
    constant: str = ""
    held: Held | None = None

    @property
    def is_held(self) -> bool:
        """Whether this version was held against enough labels."""
        held = self.held
        if held is None or held.version != self.version or held.labelled < held.wanted or held.same is None:
            return False
        return held.same >= held.least * (held.documents or held.labelled)

    def trust(self, untried: str = PLANTED_ONLY) -> str:
        """In words: how far to trust its figures; `untried` is what they are called until it is held."""
        held = self.held
        if held is None:
            return f"{untried}: held against no labelled response of a real model"
        if held.version != self.version:
            return f"{untried}: version {held.version} was held against labels, this is {self.version}"
        if held.same is None:
            return f"{untried}: {held.labelled} labelled responses of a real model could not tell"
        share = 100 * held.same / (held.documents or held.labelled)
        documents = "" if held.documents is None else f"{held.documents} documents, by "
        agrees = f"{share:.1f} % of {documents}{held.labelled} blind labels of a real model's responses"
        if self.is_held:
            return f"agrees with {agrees}"
        lacks = f"{held.wanted} are wanted" if held.labelled < held.wanted else f"{100 * held.least:.0f} % are wanted"
        return f"{untried}: {agrees} agree, {lacks}"
