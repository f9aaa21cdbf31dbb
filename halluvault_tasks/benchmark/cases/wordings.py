"""What a proposition is asked in: all its wordings, as values."""

from typing import NamedTuple


class Wording(NamedTuple):
    """A further wording of a proposition.

    Attributes:
        mutation: its name in the group: paraphrase, paraphrase_negated, inverse, statement, antonym …
        relation: to the original: same, contradictory or contrary.
        text: the question.
        opposed: its answer is the other one.
    """

    mutation: str
    relation: str
    text: str
    opposed: bool


class Wordings(NamedTuple):
    """All wordings of one proposition; `statement` is what the affirmative ones mean.

    Attributes:
        negated: empty where the denial is nothing that a person would say.
        more: of which a group takes one, in turn; all of them where there is no denial.
        antonym: which a group takes always.
        denies: whether the affirmative wordings deny the proposition.
    """

    original: str
    statement: str
    negated: str
    more: tuple[Wording, ...] = ()
    antonym: Wording | None = None
    denies: bool = False
