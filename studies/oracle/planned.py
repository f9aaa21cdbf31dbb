"""What a response will say, fixed before it is said."""

from typing import Literal, NamedTuple

from halluvault_tasks.local.personas.fault_kinds import FaultKind, KnownDate, OracleLabel, Thing

Said = Literal["yes", "no", "dont_know", "refusal", "both", "nothing"]
Form = Literal["prose", "bullets", "table"]


class Told(NamedTuple):
    """One claim of a response."""

    subject: Thing
    property: int
    item: Thing | None = None
    date: KnownDate | None = None
    denied: bool = False
    manner: Literal["plain", "doubted", "taken_back"] = "plain"
    within: Thing | None = None
    """Names what the object lies in, behind it."""


class Step(NamedTuple):
    """A step of reasoning over years.

    Attributes:
        kind: order (first before second), inside (first lies within second to third) or count (from first to second
            are third years).
        years: as the kind says.
        holds: what the text claims: that it is so, or (order, inside) that it is not.
    """

    kind: Literal["order", "inside", "count"]
    years: tuple[int, ...]
    holds: bool = True

    @property
    def true(self) -> bool:
        """Whether what is claimed is so."""
        if self.kind == "order":
            return (self.years[0] < self.years[1]) == self.holds
        if self.kind == "inside":
            return (self.years[1] <= self.years[0] <= self.years[2]) == self.holds
        return self.years[1] - self.years[0] == self.years[2]


class Planned(NamedTuple):
    """One response of the study, before its text."""

    case_id: str
    sample: int
    cluster: str
    shape: str
    fault: FaultKind
    label: OracleLabel
    answer: Said
    right: bool | None
    """Whether the answer is the gold one; None where there is none."""

    told: tuple[Told, ...] = ()
    asides: tuple[Told, ...] = ()
    """True claims beside the point."""

    step: Step | None = None
    concluded: Told | None = None
    """The base proposition, claimed or denied in so many words."""

    restated: bool = False
    """Begins by saying what was asked."""

    style: str = ""
    form: Form = "prose"

    @property
    def faulty(self) -> bool:
        """Whether an oracle should call it a hallucination."""
        return self.label.category not in ("normal", "unparseable")

    @property
    def claims(self) -> int:
        """Claims of knowledge in it."""
        return len(self.told) + len(self.asides)
