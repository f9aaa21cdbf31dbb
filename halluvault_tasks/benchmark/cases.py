"""Cases and metamorphic groups as values, and the content ids that let a case live on from month to month."""

import hashlib
import json
import re
from collections import Counter
from typing import Any, Literal, NamedTuple

from halluvault_tasks.benchmark.wording import Wordings

Suite = Literal["relation", "temporal"]


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
    """

    suite: Suite
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

    @property
    def cell(self) -> tuple[str, str]:
        """Domain and kind."""
        return self.domain, self.kind

    @property
    def group(self) -> str:
        """Id of the metamorphic group."""
        return content_id(self.suite, *self.identity)


class Found(NamedTuple):
    """Facts that can be asked about, and why others cannot: reason → facts."""

    candidates: list[Candidate]
    dropped: Counter[str]


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


class Member(NamedTuple):
    """One wording in its group."""

    mutation: str
    relation: str
    question: str
    opposed: bool


def members(wordings: Wordings, paraphrase: Literal["", "same", "opposed"]) -> list[Member]:
    """The wordings of a group that are asked: original, its negated twin, and at most one paraphrase."""
    found = [
        Member("original", "same", wordings.original, False),
        Member("negated", "contradictory", wordings.negated, True),
    ]
    if paraphrase == "same" and wordings.paraphrase:
        found.append(Member("paraphrase", "same", wordings.paraphrase, False))
    if paraphrase == "opposed" and wordings.paraphrase_negated:
        found.append(Member("paraphrase_negated", "contradictory", wordings.paraphrase_negated, True))
    return found


def gold_of(truth: bool, opposed: bool) -> str:
    """The right answer of a wording: what the base proposition's truth says, flipped where the wording opposes it."""
    return "yes" if truth != opposed else "no"


def cases_of(candidate: Candidate, paraphrase: Literal["", "same", "opposed"], evidence: Evidence) -> list[Case]:
    """The cases of one group."""
    group = candidate.group
    made = []
    for member in members(candidate.wordings, paraphrase):
        gold = gold_of(candidate.truth, member.opposed)
        made.append(
            Case(
                id=content_id(member.question, gold, group, member.mutation),
                question=member.question,
                gold=gold,
                group_id=group,
                mutation=member.mutation,
                relation=member.relation,
                suite=candidate.suite,
                domain=candidate.domain,
                rule_kind=candidate.kind,
                property=candidate.pid,
                subject=candidate.subject,
                object=candidate.object,
                fact=evidence.fact,
                premises=evidence.premises,
                proof=proof_of(evidence.program, member.opposed),
            )
        )
    return made


_START = re.compile(r"^:- initialization\(main, main\)\.$", re.MULTILINE)

_TURNED = """:- initialization(asked, main).

% The question is the negation of what is decided below: its answer is turned round.
asked :-
    with_output_to(string(Base), main),
    normalize_space(atom(Answer), Base),
    turned(Answer, Turned),
    format("~w~n", [Turned]).

turned(yes, no).
turned(no, yes)."""


def proof_of(program: str, opposed: bool) -> str:
    """The base proposition's program, its answer turned round where the wording opposes it.

    Raises:
        ValueError: the program does not start with `:- initialization(main, main).`, so that it cannot be turned.
    """
    # A whole line: a label in a comment may spell the same words.
    if len(_START.findall(program)) != 1:
        raise ValueError(f"a proof must start itself by {_START.pattern!r}, once: {program[:200]!r}")
    return _START.sub(lambda _: _TURNED, program) if opposed else program
