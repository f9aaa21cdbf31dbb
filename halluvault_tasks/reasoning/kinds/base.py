"""What a kind of rule is: how its rules come to be typed, run, proved, taken over and replayed."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence.alternatives import Opposition
from halluvault_tasks.reasoning.rule_typing.reviewed import Reviewed
from halluvault_tasks.reasoning.world import World, containment, naming
from halluvault_tasks.reasoning.world.containment import Containment, ContainmentStep
from halluvault_tasks.wikidata.relation import Relation

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.proving.words import Labels
    from halluvault_tasks.reasoning.records import Rule
    from halluvault_tasks.reasoning.rule_typing.composing import Composing
    from halluvault_tasks.reasoning.rule_typing.support import Proportion, Support

Pair = tuple[int, int]


class PropertyMeta(NamedTuple):
    """A row of `property`."""

    pid: int
    label: str
    datatype: str
    inverse: int | None
    classes: frozenset[int]
    constraints: frozenset[int]
    separators: tuple[int, ...]
    origin: str


class Typing(NamedTuple):
    """What rules are typed from: metadata proposes, figures filter, review decides (semantics.md §1)."""

    properties: Mapping[int, PropertyMeta]
    """The snapshot's metadata."""
    reviewed: Reviewed
    """config/rules.yaml."""
    support: "Support"
    """Figures measured on the snapshot."""
    composing: "Mapping[int, Composing]"
    """Which statements may be composed, by property."""


class Draft(NamedTuple):
    """A rule before it has a number."""

    name: str
    kind: "RuleKind"
    premises: tuple[int, ...]
    conclusion: Relation
    origin: str
    support: dict[str, Any]
    verdict: str
    reason: str


class Body(NamedTuple):
    """A rule's body in Prolog (prolog_rules/derivation.pl) and the relations that it reads."""

    term: str
    usable: frozenset[int] = frozenset()
    standing: frozenset[int] = frozenset()
    undated: frozenset[int] = frozenset()
    """Standing but for what may be composed: two statements side by side compose nothing."""
    names: bool = False
    listed: bool = False
    """Its facts are written with its licences, and no relation for it."""


class Chains(NamedTuple):
    """What a program needs to show that two places differ: the statements that lead from each to its container.

    Attributes:
        edges: of both.
        left: container of the one place.
        right: container of the other.
        level: the type of both; 0 where they are countries.
    """

    edges: tuple[ContainmentStep, ...]
    left: int
    right: int
    level: int

    @property
    def items(self) -> set[int]:
        """All that is named."""
        return {self.level} | {end for edge in self.edges for end in (edge.low, edge.high)}

    @property
    def properties(self) -> set[int]:
        """Of the statements."""
        return {edge.p for edge in self.edges}


class Refutation(NamedTuple):
    """Why a proof's value o is false of s: the licence, and for places the chains that show it."""

    s: int
    o: int
    licence: Licence | None
    chains: Chains | None
    labels: "Labels"


class Lines:
    """Facts for the engine, and the same for the hash: without numbers that change from month to month."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.stable: list[str] = []

    def add(self, line: str, stable: str | None = None) -> None:
        """One fact; `stable` instead of it for the hash where it holds a statement's number."""
        self.written.append(line)
        self.stable.append(line if stable is None else stable)


@dataclass(frozen=True, eq=False)
class Licensing:
    """Where the kinds of a shard look up what their rules may conclude."""

    session: Session
    snapshot: str
    world: World | None
    """What the snapshot knows; None if no rule of the shard denies anything."""

    @cached_property
    def containment(self) -> Containment:
        """Where things lie, whether or not anything is denied."""
        if self.world is not None:
            return self.world.containment
        return containment.load(self.session, self.snapshot, naming.entities(self.session, self.snapshot))

    @cached_property
    def opposition(self) -> Opposition:
        """Which values may be opposed to which, once for all rules."""
        return Opposition(self.world or World())


class Changes(Protocol):
    """What differs between two months, as far as one rule reads it; statements as pairs (s, o)."""

    def of(self, p: int) -> set[Pair]:
        """Statements of a premise that one month alone has."""

    def before(self, p: int, objects: Collection[int]) -> set[int]:
        """Subjects of p with one of these objects, in either month."""

    def below(self, p: int, starts: set[int]) -> set[int]:
        """Everything that leads to one of these over p, they included."""

    def renamed(self, p: int) -> bool:
        """Whether an end of p has got or lost its label."""


class RuleKind(ABC):
    """A kind of rule. One object of each stands in `kinds.KINDS`; what a further kind takes is said there.

    Attributes:
        name: unique; kept with every rule.
        family: what the papers call it, as figures are grouped: symmetric, inverse, transitive, composite,
            negation.polarity or negation.value; or drawn (`kinds.drawing`).
        truth: whether its facts are true; False: they are values that a subject does not have.
        composes: its facts rest on several statements, each of which stands in a slot of its own.
        grouped: beside its facts it writes whole groups of subjects (`shared_group`), which a month takes over, too.
        mutual: what it concludes is as true the other way round, and is derived one way only.
        reads_back: premise and conclusion say the same, each from its own end.
        reverses: its facts are true ones the other way round.
        found_by_people: its facts are what people found to be false (semantics.md §1.6).
        draws: its facts are drawn, and stand in `drawn_fact` (`kinds.drawing`).
    """

    name: ClassVar[str]
    family: ClassVar[str]
    truth: ClassVar[bool] = True
    composes: ClassVar[bool] = False
    grouped: ClassVar[bool] = False
    mutual: ClassVar[bool] = False
    reads_back: ClassVar[bool] = False
    reverses: ClassVar[bool] = False
    found_by_people: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    _rows_per_statement: ClassVar[int] = 1
    """Work of a statement, in rows of polarity, which are copied (CPU time of `benchmarks/derivation.py`)."""

    @abstractmethod
    def drafts(self, typing: Typing) -> Iterable[Draft]:
        """Every rule of this kind that metadata or review proposes, with its verdict."""

    @abstractmethod
    def body(self, rule: "Rule", undated: frozenset[int] = frozenset()) -> Body | None:
        """What a rule reads and does; None for one that Prolog does not run.

        Args:
            rule: the rule.
            undated: properties whose usable statements all hold without limit of time: they are written once, as p<K>.
        """

    @property
    def stores(self) -> bool:
        """Whether its rules have rows."""
        return True

    def weight(self, rule: "Rule") -> int:
        """About how much a rule has to do, in rows of polarity."""
        return statements_of(rule) * self._rows_per_statement + 1

    def license(self, rule: "Rule", licensing: Licensing, lines: Lines) -> None:  # noqa: B027 (most kinds need nothing)
        """Write what a rule may conclude, worked out before Prolog runs."""

    @abstractmethod
    def clauses(self, rule: "Rule", refuted: Refutation) -> list[str]:
        """The rule in a proof's program: `holds(S, O)`, or `ruled_out(S, O)` of a kind whose facts are false."""

    @abstractmethod
    def touched(self, rule: "Rule", changes: Changes) -> frozenset[int] | None:
        """Subjects for which a rule must run again after what has changed; None: for all."""

    def replay(self, rule: "Rule") -> str:
        """The rule for prolog_rules/replay.pl; empty where nothing is to be reasoned by it."""
        return ""

    def hops(self, rule: "Rule") -> int:
        """Statements that a fact depends on; a step that may be several counts as two."""
        return 1

    def chain(self, rule: "Rule") -> tuple[int, ...]:
        """The properties that lead from the subject to the object, in order; empty where a rule is no chain."""
        return ()

    def climbs_from(self, rule: "Rule") -> int:
        """The property of the place from which a chain climbs; 0: it does not."""
        return 0

    def relation(self, rule: "Rule", name: str) -> str:
        """What a conclusion that is no property is called in a proof; `name` is that of its property."""
        return str(rule.support.get("relation", rule.conclusion))


class Denial(RuleKind):
    """Kinds whose facts are false: what licenses them stands in `reasoning.licence`."""

    family = "negation.value"
    truth = False
    _rows_per_statement = 21  # most of it is their licensing

    def touched(self, rule: "Rule", changes: Changes) -> frozenset[int] | None:
        """All or nothing: what is dealt out depends on every subject, and a name may come or go."""
        first = rule.premises[0]
        return None if changes.of(first) or changes.renamed(first) else frozenset()


def statements_of(rule: "Rule") -> int:
    """Statements of a rule's premises."""
    return int(sum(rule.support["statements"].values()))


def share_figures(share: "Proportion | None") -> dict[str, Any]:
    """A measured share with its bounds, as `rule.support` keeps it."""
    if share is None:
        return {}
    from halluvault_tasks.reasoning.rule_typing.support import wilson

    low, high = wilson(share.hits, share.of)
    return {
        "hits": share.hits,
        "of": share.of,
        "share": round(share.share, 6),
        "low": round(low, 6),
        "high": round(high, 6),
    }


def origin(parts: Sequence[str], meta: PropertyMeta | None) -> str:
    """Who proposed a rule."""
    bundled = " (bundled metadata)" if meta and meta.origin == "bundled" else ""
    return (" and ".join(parts) or "nothing") + bundled


def once(premises: Collection[int], undated: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Premises that are written as p<K> for all rules, and those written as s<K>."""
    every = frozenset(premises)
    return every & undated, every - undated


def relation_term(p: int, undated: frozenset[int]) -> str:
    """Name of a premise's predicate."""
    from halluvault_tasks.prolog.terms import number

    return f"{'p' if p in undated else 's'}{number(p)}"
