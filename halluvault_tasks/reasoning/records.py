"""The records that leave this room: rules, derived facts, counts, proofs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from halluvault_tasks.wikidata.relation import Relation

if TYPE_CHECKING:
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
    """The item before the last step, where `evidence` has only that step of a path (`RuleKind.climb`)."""

    reason: int | None = None
    """Of what is false, the code of its licence (`grounds.Reason`)."""

    finding: int | None = None
    """Number of what people found, where that is all that it rests on."""


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
    """Why a derived fact holds (or, for negation.value, does not)."""

    fact: DerivedFact
    rule_name: str
    kind: str
    truth: bool
    """Truth of the base proposition p(s, o): False for negation.value only."""

    premises: tuple[Premise, ...]
    """In the order of the argument."""

    reason: str
    """The rule in words, or why the value is false."""

    program: str
    """Prolog that prints `yes` or `no` for the base proposition: `swipl proof.pl`."""
