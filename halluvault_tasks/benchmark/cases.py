"""Cases and metamorphic groups as values, and the content ids that let a case persist from month to month."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from halluvault_tasks.benchmark.cases.mutants import Converse, Member, gold_of, members
from halluvault_tasks.benchmark.cases.wordings import Wordings

QuestionName = Literal["relation", "temporal", "recall"]
"""A suite of yes/no questions about facts, switched on in benchmark.yaml."""

CompanionName = Literal["memory", "memory_external", "recognition", "pressure"]
"""A suite that asks something else, switched on in suites.yaml."""

COMPANIONS: tuple[CompanionName, ...] = get_args(CompanionName)

SuiteName = Literal[QuestionName, CompanionName]
"""A kind of question with a part of its own in each month; what finds and proves them is in `suites`."""

HEADLINE: tuple[QuestionName, ...] = ("relation", "temporal")
"""The suites that the headline is over (semantics.md §4.4); any other has rates of its own."""


def told(premises: Sequence[Mapping[str, Any]], fact: Mapping[str, Any]) -> list[str]:
    """A case's evidence as sentences, in the order of its proof; of a finding of people what they found.

    Args:
        premises: `benchmark_case.premises`.
        fact: `benchmark_case.fact`.
    """
    return [premise["sentence"] for premise in premises] or ([fact["found"]] if "found" in fact else [])


def content_id(*parts: object) -> str:
    """First 16 hex digits of the sha256 of the parts, as JSON: no two lists of parts read alike."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


class Candidate(NamedTuple):
    """A fact that can be asked about, before its proof is fetched.

    Attributes:
        cell: (domain, kind of the rule or main operator): what quotas and balance are about.
        strand: rule name or formula shape; a cell takes its strands in turn.
        identity: what makes it the same fact next month; the group's id is made of it.
        truth: whether the base proposition, which `wordings.original` asks, is true.
        source: the row it came from, for its proof.
        converse: the relation turned round, where that has an answer.
        family: the wording that it is asked in, by property and tense: what must not tell the answer.
        hops: statements that the answer depends on.
        order: whether two dates are compared.
        fame: how well its less known end is known, as a logarithm (`EntityIndex.fame`).
        stratum: third of the month's candidates by `fame`, 0 the least known; 3 where it depends on what changed.
        event: kind of the first event of a formula, which stands for a pair of start and end property.
        decade: first year of the decade that a question about an event names.
        paired: of a formula that is asked at one time only, what a false one must share with a true one to stand in one
            block with it.
    """

    suite: SuiteName
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
    source: Any
    converse: Converse | None = None
    family: str = ""
    hops: int = 1
    order: bool = False
    fame: float = 0.0
    stratum: int = 0
    event: str = ""
    decade: int | None = None
    paired: tuple[str | int, ...] = ()

    @property
    def about(self) -> str:
        """The property that it counts for, of a formula with the kind of event, or the rule where it has none."""
        if self.pid is None:
            return self.strand
        return f"P{self.pid} ({self.event})" if self.event else f"P{self.pid}"

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


class Case(NamedTuple):
    """One question of a benchmark, as rows of `cases` and `benchmark_case` have it."""

    id: str
    question: str
    gold: str
    group_id: str
    mutation: str
    relation: str
    suite: str
    domain: str
    rule_kind: str
    property: int | None
    subject: int | None
    object: int | None
    fact: dict[str, Any]
    premises: list[dict[str, Any]]
    proof: str


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


def cases_of(candidate: Candidate, turn: int, evidence: Evidence) -> list[Case]:
    """The cases of one group; `turn` picks its paraphrase."""
    fact = evidence.fact | {"hops": candidate.hops, "stratum": candidate.stratum}
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
        )
        for member in candidate.members(turn)
    ]


_START = re.compile(r"^:- initialization\(main, main\)\.$", re.MULTILINE)

_TURNED = """:- initialization(asked, main).

% The question is the opposite of what is decided below (its negation, its antonym, or the converse of a relation that
% runs one way): its answer is turned round.
asked :-
    with_output_to(string(Base), main),
    normalize_space(atom(Answer), Base),
    turned(Answer, Turned),
    format("~w~n", [Turned]).

turned(yes, no).
turned(no, yes)."""


def proof_of(program: str, opposed: bool) -> str:
    """The base proposition's program, its answer flipped if the wording opposes it.

    Raises:
        ValueError: the program does not start with `:- initialization(main, main).`, so that it cannot be turned.
    """
    # A whole line: a label in a comment may spell the same words.
    if len(_START.findall(program)) != 1:
        raise ValueError(f"a proof must start itself by {_START.pattern!r}, once: {program[:200]!r}")
    return _START.sub(lambda _: _TURNED, program) if opposed else program
