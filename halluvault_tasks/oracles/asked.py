"""A case as the replay needs it: what is asked of which ids, its proof's slots, which way its wording points."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Kind, Predicate, kind_of, relation_of

_ONE_PREMISE = ("symmetric", "inverse", "direct")


class CasePremise(NamedTuple):
    """A premise of a case's proof; `o` is 0 where the object is a date, and `number_key` of it where it is a number."""

    p: int
    s: int
    o: int
    date: str
    precision: int
    amount: Decimal | None

    @property
    def slot(self) -> tuple[int, int]:
        """What it says of whom: (p, s)."""
        return self.p, self.s

    @property
    def ends(self) -> frozenset[int]:
        """What it speaks of."""
        return frozenset((self.s, self.o))


class CaseToJudge(NamedTuple):
    """A case.

    Attributes:
        gold: the right answer to the question as worded.
        opposed: the wording denies the base proposition, so that answers are turned round to be judged.
        p: of the base proposition p(s, o); 0 for a temporal one.
        o: 0 of a temporal one, and where a year or an age is asked about.
        evidence: premises of the proof.
        formula: of a temporal case, else empty.
        at: its time point.
        one_premise: a direct, inverse, symmetric or negated fact: whoever denies it denies a single statement.
        original: the case of the group's original wording; empty if this is it.
        converse: the question is about p(o, s).
        truth: whether the base proposition is true.
        counted: the year in which p of s is said to lie, or the age at which s is said to have died.
        aged: it is an age.
        measured: the base proposition was measured, not shown, to be false: it decides the answer and convicts no
            premise (semantics.md §1.10).
    """

    question: str
    gold: str
    opposed: bool
    p: Predicate
    s: int
    o: int
    evidence: tuple[CasePremise, ...]
    formula: str
    at: int
    granularity: str
    one_premise: bool
    mutation: str
    original: str
    converse: bool
    truth: bool | None
    counted: int | None = None
    aged: bool = False
    measured: bool = False
    called: tuple[int, int] | None = None
    """Slot (p, s) by whose one value the question calls somebody; None: it calls nobody so, or an older version froze
    it."""

    @property
    def named_by(self) -> frozenset[tuple[int, int]]:
        """Slots (p, s) by whose one value the question calls somebody: "the director of Jaws", born in a year.

        That there is one value it takes for granted, whatever the answer (semantics.md §1.8).
        """
        if self.called is not None:
            return frozenset({self.called})
        if self.counted is None and kind_of(self.p) is not Kind.ORDER:
            return frozenset()
        return frozenset(stated.slot for stated in self.evidence if stated.o > 0 and stated.o in (self.s, self.o))

    @property
    def flips(self) -> bool:
        """The wording turns round a relation that runs one way; only a plain `converse` may keep one that runs both."""
        return self.converse and (self.opposed or self.mutation != "converse")

    @property
    def entities(self) -> frozenset[int]:
        """Everything that the question and its proof speak of."""
        ends = {self.s, self.o}.union(*(stated.ends for stated in self.evidence))
        return frozenset(end for end in ends if end > 0)

    def base(self, answer: str) -> str:
        """An answer to the wording as an answer to the base proposition."""
        return {"yes": "no", "no": "yes"}.get(answer, answer) if self.opposed else answer


def cases_to_judge(rows: Iterable[Any]) -> dict[str, CaseToJudge]:
    """Cases by id, each with that of its group's original wording.

    Args:
        rows: with the columns of `cases` and `benchmark_case`.
    """
    listed = list(rows)
    originals = {row.group_id: row.id for row in listed if row.mutation == "original"}
    return {
        row.id: case_of(row, "" if (original := originals.get(row.group_id, "")) == row.id else original)
        for row in listed
    }


def case_of(row: Any, original: str = "") -> CaseToJudge:
    """A case from a row with the columns of `cases` and `benchmark_case`.

    Args:
        original: id of the case of the group's original wording; empty if this is it, or there is none.
    """
    fact: Mapping[str, Any] = row.fact
    evidence = tuple(map(_premise, row.premises))
    kind = str(fact.get("kind", row.rule_kind))
    called = fact.get("called")
    p, s, o, counted, aged = _proposition(fact, evidence, row.subject)
    return CaseToJudge(
        question=row.question,
        gold=row.gold,
        opposed=opposed(row.relation, row.gold, fact),
        p=p,
        s=s,
        o=o,
        evidence=evidence,
        formula=str(fact.get("formula", "")),
        at=int(fact.get("at") or 0),
        granularity=str(fact.get("granularity", "year")),
        # What people found to be false rests on no statement.
        one_premise="formula" not in fact and len(evidence) <= 1 and _is_direct(kind),
        mutation=row.mutation,
        original=original,
        converse=row.relation == "converse",
        truth=fact.get("truth"),
        counted=counted,
        aged=aged,
        measured=fact.get("licence") == LicenceKind.MEASURED,
        called=(int(called["property"]), int(called["of"])) if called else None,
    )


def _is_direct(kind: str) -> bool:
    return kind in _ONE_PREMISE or kind.startswith("negation")


def _proposition(
    fact: Mapping[str, Any], evidence: Sequence[CasePremise], subject: int | None
) -> tuple[Predicate, int, int, int | None, bool]:
    """What is asked: `p`, `s`, `o`, `counted` and `aged` of the case."""
    s = int(fact.get("s") or subject or (evidence[0].s if evidence else 0))
    if "formula" in fact:
        return 0, s, 0, None, False
    relation, o = relation_of(fact), fact.get("o") or 0
    p = relation.predicate if relation else 0
    if any(stated.amount is not None for stated in evidence):
        return p, s, number_key(o), None, False
    own = {stated.p for stated in evidence if stated.date and stated.s == fact.get("s")}
    if p in own and isinstance(fact.get("o"), int):
        return p, s, 0, int(o), own >= set(wd.LIFE)
    return p, s, int(o), None, False


def _premise(premise: Mapping[str, Any]) -> CasePremise:
    value = premise["object"]
    return CasePremise(
        int(premise["property"]),
        int(premise["subject"]["qid"]),
        number_key(value["amount"]) if "amount" in value else int(value.get("qid") or 0),
        str(value.get("date", "")),
        int(value.get("precision") or 9),
        Decimal(str(value["amount"])) if "amount" in value else None,
    )


def number_key(amount: object) -> int:
    """An integer that stands for a number where items stand; no item has it: negative, in thousandths."""
    return -int(Decimal(str(amount)) * 1000) - 10**9


def opposed(relation: str, gold: str, fact: Mapping[str, Any]) -> bool:
    """Whether a yes to a wording speaks against the base proposition.

    That shows in what was fixed when the wording was made: the base proposition's truth in `benchmark_case.fact`, and
    the wording's gold answer. The relation alone does not tell: a converse keeps or flips, and of a formula that denies
    that something was so in a window, the affirmative alone is asked.
    """
    if fact.get("truth") is not None:
        return (gold == "yes") != bool(fact["truth"])
    return relation in ("contradictory", "contrary")
