"""Whether a thing that has exactly one value has this one: the proof, and the candidate that depends on it."""

from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.prolog.terms import comment
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof


class Asked(NamedTuple):
    """What is asked.

    Attributes:
        premise: the statement of the one value.
        value: QID or number that is asked.
        truth: whether it is the stated one.
    """

    premise: Premise
    value: int
    truth: bool

    @property
    def kind(self) -> str:
        """Rule kind."""
        return (POLARITY if self.truth else WRONG_VALUE).family

    @property
    def rule(self) -> str:
        """Rule name."""
        return f"{self.kind}:P{self.premise.p}"


def program(asked: Asked, snapshot: str, statements: tuple[str, ...], rule: tuple[str, ...]) -> str:
    """A Prolog program that runs by itself and prints the answer; `statements` and `rule` are lines of it."""
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {asked.rule} ({asked.kind})"),
        comment("run: swipl proof.pl"),
        "",
        *statements,
        "",
        *rule,
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"


def proof(asked: Asked, reason: str, source: str) -> Proof:
    """The proof by the one statement; `source` is its program."""
    premise = asked.premise
    return Proof(
        fact=DerivedFact(0, premise.p, premise.s, asked.value, premise.sid, 0, 0),
        rule_name=asked.rule,
        kind=asked.kind,
        truth=asked.truth,
        premises=(premise,),
        reason=reason,
        program=source,
    )


def candidate(shown: Proof, domain: str, wordings: Wordings, family: str, entity: bool) -> Candidate:
    """The candidate of a proof.

    Args:
        shown: the proof.
        domain: of the subject.
        wordings: of the affirmative proposition.
        family: the lexicon's wording, without the property.
        entity: whether the value is an entity, not a number.
    """
    p, s, value = shown.fact.p, shown.fact.s, shown.fact.o
    return Candidate(
        suite="relation",
        domain=domain,
        kind=shown.kind,
        strand=shown.rule_name,
        identity=(shown.kind, shown.rule_name, p, s, value),
        pid=p,
        subject=s,
        object=value if entity else None,
        entities=(s, value) if entity else (s,),
        truth=shown.truth,
        wordings=wordings,
        source=shown,
        family=f"{p} {family}",
    )
