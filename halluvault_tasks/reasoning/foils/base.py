"""What a foil is, and what a way to draw foils is: whose value is taken, and what shows that it is false."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, FactTriple, Rule
from halluvault_tasks.wikidata.relation import Relation

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood


class Foil(NamedTuple):
    """A false fact beside a true one."""

    relation: Relation
    s: int
    o: int | None
    """The item that s does not have; None where the object is a number."""

    value: int | None
    """The number that s does not have; None where the object is an item."""

    beside: DerivedFact | DrawnFact
    """The true fact."""

    way: "Way[Any]"
    """How it was drawn."""

    licence: Licence
    """What shows that it is false."""

    evidence: tuple[int, ...]
    """Statement ids, in the order of the argument."""

    rests_on: FactTriple | None = None
    """The false fact that was measured or listed, where it is another: the last step of a chain."""

    @property
    def measured(self) -> FactTriple:
        """The false fact that its licence is about."""
        return self.rests_on or FactTriple(self.relation, self.s, self.end)

    @property
    def end(self) -> int:
        """The item or number that s does not have."""
        return self.o if self.o is not None else self.value or 0

    @property
    def how(self) -> str:
        """The way in which it was drawn."""
        return self.way.name


FactT = TypeVar("FactT", DerivedFact, DrawnFact)


class Way(ABC, Generic[FactT]):
    """A way to draw foils. One object of each stands in `foils.WAYS`; what a further way takes is said there.

    A way takes the value of another true fact of the same relation. It says beside which facts it draws
    (`decided_by`), whose value somebody without the knowledge would believe (`believable`), and what shows that it is
    false (`license`).

    Attributes:
        name: unique; kept with every foil.
    """

    name: ClassVar[str]

    @abstractmethod
    def decided_by(self, rule: Rule, known: "Neighbourhood") -> int:
        """The property whose one value decides the facts of a rule; 0: no foil is drawn beside them in this way."""

    @abstractmethod
    def believable(self, true: FactT, other: FactT, known: "Neighbourhood") -> bool:
        """Whether somebody without the knowledge would take the other's value for that of the first."""

    @abstractmethod
    def license(self, true: FactT, other: FactT, known: "Neighbourhood") -> Licence | Refusal:
        """Whether the first fact with the other's value is shown to be false."""

    def draw(self, true: FactT, other: FactT, known: "Neighbourhood") -> Foil | Refusal:
        """The first fact with the other's value, or why that is no foil."""
        if not self.believable(true, other, known):
            return Refusal("unlike", f"nobody would take the value of Q{other.s} for that of Q{true.s}")
        return self.foil(true, other, known)

    def foil(self, true: FactT, other: FactT, known: "Neighbourhood") -> Foil | Refusal:
        """The same of two facts whose exchange is believable: what does not show it to be false refuses it."""
        licence = self.license(true, other, known)
        if isinstance(licence, Refusal):
            return licence
        counts = isinstance(other, DrawnFact) and other.o is None
        o, value = (None, other.end) if counts else (other.end, None)
        return Foil(true.relation, true.s, o, value, true, self, licence, self.evidence(true, other, licence))

    def evidence(self, true: FactT, other: FactT, licence: Licence) -> tuple[int, ...]:
        """The statements that show it to be false: here the one of the licence."""
        return (licence.sid,)


class WayBesideDerived(Way[DerivedFact]):
    """A way that brings its own clauses to the proof, since a derived fact's show only that it is true."""

    def rule_name(self, rule: Rule) -> str:
        """What proofs and ids of cases call the rule of a foil beside a fact of this one."""
        return rule.name

    def family(self, rule: Rule) -> str:
        """The kind of rule that a foil counts for, as figures are grouped (`RuleKind.family`)."""
        return rule.kind.family

    @abstractmethod
    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The rule in a proof's program: `ruled_out(S, O)`.

        Args:
            rule: of the true fact.
            refuted: the foil with its licence, and for places the chains that show it.
        """


class WayOfNear(WayBesideDerived):
    """A way that says itself whose values are near, so that facts are paired by it (`selection.swaps.squares`)."""

    @abstractmethod
    def partners(self, true: DerivedFact, known: "Neighbourhood") -> Sequence[tuple[int, int]]:
        """Subjects and objects of the true facts whose value could be this one's."""

    def believable(self, true: DerivedFact, other: DerivedFact, known: "Neighbourhood") -> bool:
        """Whether it is one of these; nothing else was looked at."""
        return (other.s, other.o) in self.partners(true, known)

    @abstractmethod
    def allows(self, true: DerivedFact, other: DerivedFact, known: "Neighbourhood") -> bool:
        """Whether nothing excludes the other's value, be it near or not."""

    def draw_again(self, true: DerivedFact, other: DerivedFact, known: "Neighbourhood") -> Foil | Refusal:
        """A foil that was asked before: it stays while nothing excludes it, though others are nearer by now (A7)."""
        if not self.allows(true, other, known):
            return Refusal("excluded", f"the value of Q{other.s} is excluded for Q{true.s} by now")
        return self.foil(true, other, known)


def way_beside_derived(foil: Foil) -> WayBesideDerived:
    """The way of a foil that stands beside a derived fact."""
    assert isinstance(foil.way, WayBesideDerived), foil.way.name
    return foil.way


class WayBesideDrawn(Way[DrawnFact]):
    """A way beside facts of one kind; what decides them (prolog_rules/proofs) decides the foil as well.

    Attributes:
        kind: of the facts.
    """

    kind: ClassVar[DrawingKind]

    def decided_by(self, rule: Rule, known: "Neighbourhood") -> int:
        """The property that the facts rest on last."""
        return rule.premises[-1] if rule.kind is self.kind else 0

    def evidence(self, true: DrawnFact, other: DrawnFact, licence: Licence) -> tuple[int, ...]:
        """All that the true fact rests on."""
        return true.evidence
