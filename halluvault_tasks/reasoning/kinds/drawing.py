"""Kinds that draw: of their true facts there are too many to store all, or the licence must show that they are facts.

Each rule stores a bounded, seeded draw as rows of `drawn_fact`, in its order: what is best known comes first, so that
whoever wants fewer takes the first. What decides such a fact in a proof is a file of prolog_rules/proofs.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import links, works
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.knowledge.works import Works
from halluvault_tasks.reasoning.kinds.base import Body, Changes, Draft, Refutation, RuleKind, Typing
from halluvault_tasks.reasoning.kinds.polarity import Polarity
from halluvault_tasks.reasoning.kinds.wrong_value import WrongValue
from halluvault_tasks.reasoning.records import DrawnFact, Premise, Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import DrawnEntries, Reasons
from halluvault_tasks.settings import SHARE
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata.relation import Relation

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.world import World

_PROOFS = SHARE / "prolog_rules" / "proofs"


@dataclass(frozen=True)
class Drawing:
    """What kinds draw from; what few need is read when it is first asked for."""

    session: Session
    snapshot: str
    world: "World"
    """What the snapshot knows."""

    domains: Mapping[int, str]
    """Entity → domain, of those that have one: nothing else is asked about."""

    fame: Mapping[int, float]
    """How well known entities are (`knowledge.fame`); 0 for those that it lacks."""

    @cached_property
    def links(self) -> Links:
        """What belongs together."""
        return links.load(self.session, self.snapshot)

    @cached_property
    def works(self) -> Works:
        """Who plays in which works, and the years of those."""
        return works.load(self.session, self.snapshot)

    def best_known(self, items: Iterable[int], rule: Rule, *key: object) -> list[int]:
        """Items in the order of a rule's draw: the best known first, the equally well known by a seeded hash."""
        seed = rule.support["seed"]
        return sorted(items, key=lambda item: (-self.fame.get(item, 0.0), drawn(seed, *key, item)))


class Counted(NamedTuple):
    """What the suites count a fact under; ids of cases are made of both."""

    family: str
    rule: str


class DrawingKind(RuleKind):
    """A kind whose facts are drawn. It runs nothing in Prolog, and no rows of it are taken over from another month.

    Attributes:
        decides: the predicate of its file in prolog_rules/proofs, `decides(S, End, Answer)`: whether the fact about S
            ends so, `yes` or `no`; it fails where that is open.
    """

    family = "drawn"
    draws = True
    decides: ClassVar[str]

    @abstractmethod
    def listed(self, entries: DrawnEntries) -> Reasons:
        """The properties that it draws from."""

    @abstractmethod
    def draw(self, rule: Rule, drawing: Drawing) -> Iterator[DrawnFact]:
        """At most `rule.support["most"]` facts, by `rule.support["seed"]`, in the order of the draw."""

    @abstractmethod
    def stated(self, premise: Premise) -> str:
        """A premise as a fact of a proof's program, for its file in prolog_rules/proofs to read."""

    @abstractmethod
    def because(self, fact: DrawnFact) -> str:
        """Why the fact holds, and no other like it, in words."""

    @abstractmethod
    def counted(self, rule: Rule, truth: bool, sole: Rule | None = None) -> Counted:
        """What the suites count a fact under.

        Args:
            rule: that drew it.
            truth: False: what is asked is a foil beside it.
            sole: the rule by which one of its ends is called, if it is (`records.Composed`).
        """

    def premises(self, pid: int) -> tuple[int, ...]:
        """The properties that facts drawn from a listed one rest on."""
        return (pid,)

    def single(self, pid: int) -> tuple[int, ...]:
        """The properties that must be known to have one value."""
        return self.premises(pid)

    def conclusion(self, pid: int) -> Relation:
        """The relation of facts that are drawn from a listed property."""
        return Relation.of(pid)

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed properties; one that is not shown to have one value is drawn from no more."""
        drawn_by = typing.reviewed.settings.drawn
        single = {draft.conclusion.pid for draft in WrongValue().drafts(typing) if draft.verdict == "active"}
        for pid, reason in self.listed(typing.reviewed.drawn).items():
            missing = [p for p in self.single(pid) if p not in single]
            yield Draft(
                f"{self.name}:P{pid}",
                self,
                self.premises(pid),
                self.conclusion(pid),
                "reviewed list",
                {"seed": drawn_by.seed, "most": drawn_by.most},
                "candidate" if missing else "active",
                f"P{missing[0]} is not known to be functional" if missing else reason,
            )

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body | None:
        """Nothing is run."""
        return None

    def touched(self, rule: Rule, changes: Changes) -> None:
        """What is drawn depends on all subjects: always all."""

    def clauses(self, rule: Rule, refuted: Refutation | None = None) -> list[str]:
        """Its file of prolog_rules/proofs, which defines `decides`."""
        return (_PROOFS / f"{self.name}.pl").read_text(encoding="utf-8").splitlines()


def drawing_kind(rule: Rule) -> DrawingKind:
    """The kind of a rule by which facts were drawn."""
    assert isinstance(rule.kind, DrawingKind), rule.name
    return rule.kind


def of_one_value(rule: Rule, truth: bool) -> Counted:
    """Counted as a statement of a property with one value: asked as it is, or denied."""
    family = (Polarity if truth else WrongValue).family
    return Counted(family, f"{family}:{rule.conclusion}")


def of_several(rule: Rule, sole: Rule | None = None) -> Counted:
    """Counted as a chain of its statements, that by which one of its ends is called before them."""
    premises = (*(sole.premises if sole else ()), *rule.premises)
    return Counted("composite", "composite:" + "/".join(f"P{p}" for p in premises))
