"""A proof as sentences and as Prolog that anyone can run: `swipl proof.pl` prints `yes` or `no`.

The program never concludes from absence: what it cannot show prints `unproven`. Labels occur in comments only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.kinds.base import Difference, Refutation
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind, drawing_kind
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, Premise, Rule
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Relation

_SHOWN = 120  # characters of a label: long enough to recognise, short enough to read


class Labels(NamedTuple):
    """Names for readers; an id without one shows as itself."""

    items: Mapping[int, str]
    properties: Mapping[int, str]

    def item(self, qid: int) -> str:
        """`Paris (Q90)`."""
        label = " ".join(self.items.get(qid, "").split())[:_SHOWN]
        return f"{label} (Q{qid})" if label else f"Q{qid}"

    def relation(self, p: int, rule: Rule | None = None) -> str:
        """`place of birth (P19)`, or the label of a relation of config/rules.yaml."""
        if not Relation.of(p).is_property:
            return rule.kind.relation(rule, self.relation(-p)) if rule else str(p)
        label = self.properties.get(p, "")
        return f"{label} (P{p})" if label else f"P{p}"


def value_text(premise: Premise, labels: Labels) -> str:
    """The value of a statement for readers."""
    if premise.kind == "item" and premise.o is not None:
        return labels.item(premise.o)
    if premise.kind == "time" and premise.earliest is not None and premise.latest is not None:
        first, last = civil(premise.earliest), civil(premise.latest)
        return f"{first.year}-{first.month:02}-{first.day:02} to {last.year}-{last.month:02}-{last.day:02}"
    return f"{premise.amount}" if premise.amount is not None else premise.kind


def sentence(premise: Premise, labels: Labels) -> str:
    """`Paris (Q90): located in … (P131): Île-de-France (Q13917)`."""
    return f"{labels.item(premise.s)}: {labels.relation(premise.p)}: {value_text(premise, labels)}"


def conclusion(fact: DerivedFact, rule: Rule, truth: bool, labels: Labels) -> str:
    """The base proposition with its truth."""
    claim = f"{labels.item(fact.s)}: {labels.relation(fact.p, rule)}: {labels.item(fact.o)}"
    return claim if truth else f"not so: {claim}"


def program(
    fact: DerivedFact,
    rule: Rule,
    premises: Sequence[Premise],
    labels: Labels,
    snapshot: str,
    licence: Licence | None = None,
    difference: Difference | None = None,
) -> str:
    """The proof as a Prolog program.

    Args:
        fact: the derived fact.
        rule: the rule that derived it.
        premises: its evidence.
        labels: names for the comments.
        snapshot: key, for the heading.
        licence: for negation.value, why the value is false.
        difference: for places, the chains that show it.
    """
    truth = rule.kind.truth
    edges = [(one.p, one.s, one.o or 0, one.sid, one.guid) for one in premises]
    edges += [(p, s, o, sid, "") for p, s, o, sid in (difference.edges if difference else ())]
    goal = f"holds({number(fact.s)}, {number(fact.o)})" if truth else f"ruled_out({number(fact.s)}, {number(fact.o)})"
    return framed(
        f"snapshot {snapshot}, rule {rule.name} ({rule.kind.family})",
        f"{'shown' if truth else 'refuted'}: {conclusion(fact, rule, True, labels)}",
        [comment("--- statements of the snapshot: relation(Subject, Object, StatementId)"), *_facts(edges, labels)],
        [
            comment(f"--- the rule: {licence.why if licence else rule.reason}"),
            *rule.kind.clauses(rule, Refutation(fact, licence, difference, labels)),
        ],
        f"answer({'yes' if truth else 'no'}) :- {goal}.",
    )


def framed(by: str, about: str, statements: Sequence[str], rule: Sequence[str], question: str) -> str:
    """A program that runs by itself and prints the answer: `swipl proof.pl`.

    Args:
        by: snapshot and rule, for the heading.
        about: what it shows.
        statements: lines with what is stated.
        rule: lines with what follows from it.
        question: the clause `answer(Answer) :- …`.
    """
    lines = [
        comment(f"HalluVault proof, {by}"),
        comment(about),
        comment("run: swipl proof.pl"),
        "",
        *statements,
        "",
        *rule,
        "",
        comment("--- the question"),
        question,
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"


class Stated(NamedTuple):
    """Premises, and the rule that reads them."""

    rule: Rule
    premises: Sequence[Premise]


def drawn_program(
    fact: DrawnFact, end: int, truth: bool, stated: Sequence[Stated], labels: Labels, snapshot: str
) -> str:
    """The proof of a drawn fact, or of a foil beside it, as a Prolog program.

    Args:
        fact: the true one.
        end: what is asked of it: its own end, or a foil's.
        truth: whether it is its own.
        stated: its premises, then that by which one of its ends is called, if it is.
        labels: names for the comments.
        snapshot: key, for the heading.
    """
    statements = [comment("--- statements of the snapshot, as the rules read them")]
    clauses = []
    for by, premises in stated:
        kind = drawing_kind(by)
        for premise in premises:
            statements += [comment(f"{sentence(premise, labels)}   [{premise.guid}]"), kind.stated(premise)]
        clauses += [comment(f"--- prolog_rules/proofs/{kind.name}.pl"), *kind.clauses(by)]
    (rule, _), *called = stated
    who, calling = 0, ""
    for by, (premise,) in called:
        who = premise.o or 0
        calling = f"{drawing_kind(by).decides}({number(premise.p)}, {number(premise.s)}, Who), "
    s = "Who" if who == fact.s else number(fact.s)
    o = "Who" if who == fact.o == end else number(end)
    kind = drawing_kind(rule)
    counted = kind.counted(rule, truth, called[0].rule if called else None)
    return framed(
        f"snapshot {snapshot}, rule {counted.rule} ({counted.family})",
        f"{'shown' if truth else 'refuted'}: {_said(fact, end, kind, labels)}",
        statements,
        clauses,
        f"answer(Answer) :- {calling}{kind.decides}({s}, {o}, Answer).",
    )


def _said(fact: DrawnFact, end: int, kind: DrawingKind, labels: Labels) -> str:
    """`Jane Austen (Q36322): date of birth (P569): year 1775`."""
    shown = f"{kind.name} {end}" if fact.o is None else labels.item(end)
    return f"{labels.item(fact.s)}: {labels.relation(fact.relation)}: {shown}"


def _facts(edges: Iterable[tuple[int, int, int, int, str]], labels: Labels) -> list[str]:
    lines, known = [], set()
    for p, s, o, sid, guid in sorted(edges, key=lambda edge: edge[0]):
        if (p, s, o) not in known:
            known.add((p, s, o))
            said = f"{labels.item(s)}: {labels.relation(p)}: {labels.item(o)}"
            lines.append(comment(f"{said}{f'   [{guid}]' if guid else ''}"))
            lines.append(f"p{number(p)}({number(s)}, {number(o)}, {number(sid)}).")
    return lines
