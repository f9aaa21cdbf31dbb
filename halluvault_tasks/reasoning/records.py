"""The records that leave this room: rules, derived facts, counts, proofs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.foils.base import Foil
    from halluvault_tasks.reasoning.kinds.base import RuleKind


class Rule(NamedTuple):
    """A row of `rule`: one typed rule on one snapshot."""

    rule: int
    name: str
    kind: "RuleKind"
    premises: tuple[int, ...]
    conclusion: int
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
    """A row of `derived_fact`; see `storage.tables` and prolog_rules/derivation.pl for what e1 to e3 mean."""

    rule: int
    p: int
    s: int
    o: int
    e1: int
    e2: int
    e3: int


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
    """Why a derived fact holds (or, for negation.value, does not), or why a foil is false."""

    fact: "DerivedFact | Foil"
    rule_name: str
    kind: str
    truth: bool
    """Truth of the base proposition p(s, o): False for negation.value and foils only."""

    premises: tuple[Premise, ...]
    """In the order of the argument."""

    reason: str
    """The rule in words, or why the value is false."""

    program: str
    """Prolog that prints `yes` or `no` for the base proposition: `swipl proof.pl`."""
