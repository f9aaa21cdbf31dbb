"""The records that leave this room: rules, derived facts, counts, proofs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """A row of `rule`: one typed rule on one snapshot."""

    rule: int
    name: str
    kind: str
    premises: tuple[int, ...]
    conclusion: int
    origin: str
    support: Mapping[str, Any]
    verdict: str
    reason: str

    @property
    def shared(self) -> bool:
        """Whether it concludes that two subjects share a value."""
        return self.name.startswith("share:")

    @property
    def chain(self) -> tuple[int, ...]:
        """The properties of a chain of rules.yaml, in order; empty for other rules."""
        return self.premises if self.kind == "composite" and not self.shared else ()

    @property
    def sex(self) -> int:
        """Of an inverse that holds for one sex only, that sex (P21); 0 of any other rule."""
        return int(self.support.get("sex", 0))

    @property
    def stepwise(self) -> bool:
        """A transitive rule that runs between licensed pairs and names every step, not the last one alone."""
        return self.kind == "transitive" and bool(self.support.get("below"))

    @property
    def checked(self) -> bool:
        """Whether its facts are what people found to be false (`reasoning.negatives`): e2 names the finding."""
        return self.name.endswith(":checked")

    @property
    def climbs(self) -> bool:
        """Whether a row holds only the last step of its path, so that it is rebuilt from the rows before it."""
        return self.repeats or (self.kind == "transitive" and not self.stepwise)

    @property
    def repeats(self) -> bool:
        """Whether the last step of its chain is one step or more (`P131*`)."""
        return bool(self.chain) and str(self.support["chain"][-1]).endswith("*")


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
