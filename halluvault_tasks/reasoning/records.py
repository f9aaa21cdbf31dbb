"""The records that leave this room: rules, derived facts, counts, proofs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from halluvault_tasks.wikidata.relation import Relation

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.foils.base import Foil
    from halluvault_tasks.reasoning.kinds.base import RuleKind


class Rule(NamedTuple):
    """A row of `rule`: one typed rule on one snapshot."""

    rule: int
    name: str
    kind: "RuleKind"
    premises: tuple[int, ...]
    conclusion: Relation
    origin: str
    support: Mapping[str, Any]
    verdict: str
    reason: str


class RuleCounts(NamedTuple):
    """What `type_rules` found."""

    snapshot: str
    active: int
    candidate: int
    refused: int
    changed: bool
    """False when the stored rules were already these."""


class DeriveCounts(NamedTuple):
    """What a shard, or all of them, derived."""

    snapshot: str
    shards: int
    rules: int
    rows: int
    by_kind: dict[str, int]
    seconds: float
    groups: int = 0
    """Whole shared-object groups."""

    reused: int = 0
    """Rows taken over from an earlier month, since nothing that they depend on has changed."""

    prepare_seconds: float = 0.0
    """Reading the snapshot, licensing values, writing the files; of the slowest shard."""

    load_seconds: float = 0.0
    """The engine's start and its reading of the files; of the slowest shard."""

    stream_seconds: float = 0.0
    """Deriving, with the rows through the pipe into COPY; of the slowest shard."""

    engine_bytes: int = 0
    """Most memory that an engine's process held at once."""


class DerivedFact(NamedTuple):
    """A row of `derived_fact`."""

    rule: int
    relation: Relation
    s: int
    o: int
    evidence: tuple[int, ...]
    """Ids of statements, in the order of the argument."""

    via: int | None = None
    """The item before the last step, where `evidence` has only that step of a path (`proving.statements`)."""

    reason: int | None = None
    """Of what is false, the code of its licence (`grounds.Reason`)."""

    finding: int | None = None
    """Number of what people found, where that is all that it rests on."""

    @property
    def end(self) -> int:
        """The item at its other end."""
        return self.o


class DrawnFact(NamedTuple):
    """A row of `drawn_fact`: a true fact of a kind that draws. Of `o` and `value` one is set."""

    rule: int
    relation: Relation
    s: int
    o: int | None
    """The item at its other end."""

    value: int | None
    """Or the number: a year, an age, an amount."""

    evidence: tuple[int, ...]
    """Statement ids, in the order of the argument."""

    place: int
    """In the rule's draw: who wants fewer takes the first."""

    @property
    def end(self) -> int:
        """The item or number at its other end."""
        return self.o if self.o is not None else self.value or 0

    def turned(self) -> "DrawnFact":
        """The same of a relation that runs both ways, read from its other end."""
        return self._replace(s=self.end, o=self.s, evidence=self.evidence[::-1])


class Composed(NamedTuple):
    """A fact about somebody who is called by what he or she alone made, or alone is a parent of.

    "The director of Jaws was born in 1946" is two rows: who directed it, nobody else, and when that person was born; of
    a foil, "in 1948", as well; "was born in Cincinnati" is a derived row or a foil beside one.
    """

    fact: "DerivedFact | DrawnFact | Foil"
    sole: DrawnFact
    """Of kind `sole`; its `o` is the end of the fact that is called so."""

    @property
    def evidence(self) -> tuple[int, ...]:
        """Statement ids, in the order of the argument."""
        return (*self.fact.evidence, *self.sole.evidence)


class FactTriple(NamedTuple):
    """Relation, subject and the item or number at the other end."""

    relation: Relation
    s: int
    o: int


class Premise(NamedTuple):
    """A statement that a proof depends on."""

    sid: int
    guid: str
    s: int
    p: int
    o: int | None
    kind: str
    earliest: int | None
    latest: int | None
    precision: int | None
    amount: Decimal | None
    julian: Sequence[int] | None = None
    """Its own property, if the source states its time in the Julian calendar, and such qualifiers; None: not kept."""


class Proof(NamedTuple):
    """Why a fact holds (or, for negation.value, does not), or why a foil is false."""

    fact: "DerivedFact | DrawnFact | Composed | Foil"
    rule_name: str
    kind: str
    truth: bool
    """Truth of the base proposition p(s, o): False for negation.value and foils only."""

    premises: tuple[Premise, ...]
    """In the order of the argument."""

    reason: str
    """The rule in words, or why the value is false."""

    @property
    def triple(self) -> FactTriple:
        """What it is about."""
        fact = self.fact.fact if isinstance(self.fact, Composed) else self.fact
        return FactTriple(fact.relation, fact.s, fact.end)

    program: str
    """Prolog that prints `yes` or `no` for the base proposition: `swipl proof.pl`."""
