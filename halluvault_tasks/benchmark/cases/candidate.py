"""A fact that can be asked about, and the cases that its metamorphic group is asked as."""

from typing import Any, NamedTuple, NewType

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.difficulty import Difficulty, Precision
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings, Member, gold_of, members
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.proving.asked import Asked, base
from halluvault_tasks.reasoning.proving.turned import proof_of
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact

TemporalFactId = NewType("TemporalFactId", str)
"""Key of a row of `temporal_fact` in its snapshot."""

Source = Asked | TemporalFactId
"""What is asked about: a row, two of them, or a foil beside one."""


class Candidate(NamedTuple):
    """A fact that can be asked about, before its proof is fetched.

    Attributes:
        cell: (domain, kind of the rule or main operator): what quotas and balance are about.
        strand: rule name or formula shape; a cell takes its strands in turn.
        identity: what makes it the same fact next month; the group's id is made of it.
        truth: whether the base proposition, which `wordings.original` asks, is true.
        source: what it asks about, for its proof.
        converse: the relation turned round, where that has an answer.
        family: the wording that it is asked in, by property and tense: what must not tell the answer.
        hops: statements that the answer depends on.
        order: whether two dates are compared.
        fame: how well its less known end is known, as a logarithm (`EntityIndex.fame`).
        precision: of the date or age that it turns on.
        difficulty: of its block (`selection.strata`).
        event: kind of the first event of a formula, which stands for a pair of start and end property.
        decade: first year of the decade that a question about an event names; of a term the first unit that it names.
        ring: what facts must share to exchange their times with each other, or the events that name them (`Blocks`).
        nested: whether an operator of its formula stands within another.
        paired: of a formula that is asked at one time only, what a false one must share with a true one to stand in one
            block with it.
        rests: properties of the statements that it rests on.
        names: labels of what it is about.
    """

    suite: str
    domain: str
    kind: str
    strand: str
    identity: tuple[object, ...]
    pid: int | None
    subject: int
    object: int | None
    entities: tuple[int, ...]
    truth: bool
    wordings: Wordings
    source: Source
    converse: ConverseWordings | None = None
    family: str = ""
    hops: int = 1
    order: bool = False
    fame: float = 0.0
    precision: Precision = Precision.NONE
    difficulty: Difficulty = Difficulty()
    event: str = ""
    decade: int | None = None
    paired: tuple[str | int, ...] = ()
    ring: tuple[str | int, ...] = ()
    nested: bool = False
    rests: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """The property that it counts for, of a formula with the kind of event, or the rule where it has none."""
        if self.pid is None:
            return self.strand
        return f"P{self.pid} ({self.event})" if self.event else f"P{self.pid}"

    @property
    def stated_of(self) -> tuple[int, str] | None:
        """Of what is asked from its other end, whose property it is, and which: else a near-copy of that fact."""
        if isinstance(self.source, str) or self.base.o is None:
            return None
        stated = self.base.relation.forwards(self.base.s, self.base.o)
        return (stated.s, str(stated.relation)) if stated.relation != self.base.relation else None

    @property
    def stratum(self) -> str:
        """What the suite is spread over: what is news, else how well known it is."""
        return self.difficulty.stratum

    @property
    def hard(self) -> bool:
        """Whether it was designed to be hard."""
        return self.difficulty.hard

    @property
    def fact(self) -> Asked:
        """What is asked about, which is no formula."""
        assert not isinstance(self.source, str), self.source
        return self.source

    @property
    def base(self) -> DerivedFact | DrawnFact | Foil:
        """The same, without what one of its ends is called by."""
        return base(self.fact)

    @property
    def licence(self) -> LicenceKind:
        """What its falsehood rests on; what is true, and what a formula decides, is proved."""
        base = None if isinstance(self.source, str) else self.base
        return base.licence.reason.kind if isinstance(base, Foil) else LicenceKind.PROVED

    @property
    def balanced(self) -> bool:
        """Whether the group by itself has as many yes as no in every wording: each is asked in both directions."""
        return self.converse is not None and self.converse.flips

    def members(self, turn: int) -> list[Member]:
        """The cases that the group is asked as; `turn` picks the paraphrase."""
        return members(self.wordings, self.truth, self.converse, turn)

    @property
    def cell(self) -> tuple[str, str]:
        """Domain and kind."""
        return self.domain, self.kind

    @property
    def group(self) -> str:
        """Id of the metamorphic group."""
        return content_id(self.suite, *self.identity)


class Evidence(NamedTuple):
    """A candidate's proof, worded.

    Attributes:
        fact: what `benchmark_case.fact` stores.
        premises: what `benchmark_case.premises` stores.
        program: Prolog that prints `yes` or `no` for the base proposition.
    """

    fact: dict[str, Any]
    premises: list[dict[str, Any]]
    program: str


def cases_of(
    candidate: Candidate, turn: int, evidence: Evidence, licence: LicenceKind = LicenceKind.PROVED
) -> list[Case]:
    """The cases of one group.

    Args:
        candidate: the group.
        turn: picks its paraphrase.
        evidence: its proof, worded.
        licence: of its block.
    """
    fact = evidence.fact | {"hops": candidate.hops, "difficulty": candidate.difficulty.as_json()}
    if not candidate.truth:
        fact["licence"] = candidate.licence.value
    return [
        Case(
            id=content_id(member.question, gold_of(candidate.truth, member.opposed), candidate.group, member.mutation),
            question=member.question,
            gold=gold_of(candidate.truth, member.opposed),
            group_id=candidate.group,
            mutation=member.mutation,
            relation=member.relation,
            suite=candidate.suite,
            domain=candidate.domain,
            rule_kind=candidate.kind,
            property=candidate.pid,
            subject=candidate.subject,
            object=candidate.object,
            fact=fact,
            premises=evidence.premises,
            proof=proof_of(evidence.program, member.opposed),
            licence=licence,
        )
        for member in candidate.members(turn)
    ]
