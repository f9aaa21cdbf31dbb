"""A proof as sentences and as Prolog that anyone can run: `swipl proof.pl` prints `yes` or `no`.

The program never concludes from absence: what it cannot show prints `unproven`. Labels occur in comments only.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.kinds.base import Chains, Refutation
from halluvault_tasks.reasoning.kinds.drawing import drawing_kind
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, Premise, Rule
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Kind

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.foils.base import Foil

_SHOWN = 120  # characters of a label: long enough to recognise, short enough to read


class Labels(NamedTuple):
    """Names for readers; an id without one shows as itself."""

    items: Mapping[int, str]
    properties: Mapping[int, str]

    def item(self, qid: int) -> str:
        """`Paris (Q90)`."""
        label = " ".join(self.items.get(qid, "").split())[:_SHOWN]
        return f"{label} (Q{qid})" if label else f"Q{qid}"

    def property(self, p: int) -> str:
        """`place of birth (P19)`."""
        label = self.properties.get(p, "")
        return f"{label} (P{p})" if label else f"P{p}"

    def relation(self, rule: Rule) -> str:
        """What a rule concludes: a property, or a relation that the rule's kind puts in words."""
        relation = rule.conclusion
        first = self.property(relation.properties[0])
        return first if relation.kind is Kind.PROPERTY else rule.kind.relation(rule, first)


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
    return f"{labels.item(premise.s)}: {labels.property(premise.p)}: {value_text(premise, labels)}"


def claim(fact: "DerivedFact | DrawnFact | Foil", rule: Rule, labels: Labels) -> str:
    """The base proposition, whatever its truth: `Jane Austen (Q36322): date of birth (P569): year 1775`."""
    counts = not isinstance(fact, DerivedFact) and fact.value is not None
    end = f"{rule.kind.name} {fact.end}" if counts else labels.item(fact.end)
    return f"{labels.item(fact.s)}: {labels.relation(rule)}: {end}"


def conclusion(fact: DerivedFact | DrawnFact, rule: Rule, truth: bool, labels: Labels) -> str:
    """The base proposition with its truth."""
    stated_claim = claim(fact, rule, labels)
    return stated_claim if truth else f"not so: {stated_claim}"


def program(
    fact: DerivedFact,
    rule: Rule,
    premises: Sequence[Premise],
    labels: Labels,
    snapshot: str,
    licence: Licence | None = None,
    chains: Chains | None = None,
) -> str:
    """The proof as a Prolog program.

    Args:
        fact: the derived fact.
        rule: the rule that derived it.
        premises: its evidence.
        labels: names for the comments.
        snapshot: key, for the heading.
        licence: for negation.value, why the value is false.
        chains: for places, the chains that show it.
    """
    truth = rule.kind.truth
    argument = Argument(
        rule=rule.name,
        family=rule.kind.family,
        claim=claim(fact, rule, labels),
        truth=truth,
        statements=stated(premises, chains, labels),
        why=licence.why if licence else rule.reason,
        clauses=rule.kind.clauses(rule, Refutation(fact.s, fact.o, licence, chains, labels)),
        goal=f"{'holds' if truth else 'ruled_out'}({number(fact.s)}, {number(fact.o)})",
    )
    return frame(argument, snapshot)


class Argument(NamedTuple):
    """What a program shows, and how.

    Attributes:
        rule: its name.
        family: what it counts for.
        claim: the base proposition for readers.
        truth: whether the goal shows it, or refutes it.
        statements: lines of Prolog with comments: what the snapshot says.
        why: the rule in words.
        clauses: the rule in Prolog.
        goal: what must hold, without the full stop.
    """

    rule: str
    family: str
    claim: str
    truth: bool
    statements: Sequence[str]
    why: str
    clauses: Sequence[str]
    goal: str


def frame(argument: Argument, snapshot: str) -> str:
    """A program that runs by itself and prints `yes` or `no`, or `unproven` where its goal fails."""
    rule, family, claim, truth, statements, why, clauses, goal = argument
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} ({family})"),
        comment(f"{'shown' if truth else 'refuted'}: {claim}"),
        comment("run: swipl proof.pl"),
        "",
        *statements,
        "",
        comment(f"--- the rule: {why}"),
        *clauses,
        "",
        comment("--- the question"),
        f"answer({'yes' if truth else 'no'}) :- {goal}.",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"


class Read(NamedTuple):
    """Premises, and the rule that reads them."""

    rule: Rule
    premises: Sequence[Premise]


def drawn(fact: "DrawnFact | Foil", of: Read, sole: Read | None, labels: Labels) -> Argument:
    """How a drawn fact, or a foil beside one, is shown.

    Args:
        fact: true or false.
        of: its premises, and the rule of the true one.
        sole: the premise by which one of its ends is called, if it is.
        labels: names for the comments.
    """
    kind, truth = drawing_kind(of.rule), isinstance(fact, DrawnFact)
    counted = kind.counted(of.rule, truth, sole.rule if sole else None)
    statements = [comment("--- statements of the snapshot, as the rule reads them")]
    clauses: list[str] = []
    for rule, premises in (of, sole) if sole else (of,):
        reader = drawing_kind(rule)
        for premise in premises:
            statements += [comment(f"{sentence(premise, labels)}   [{premise.guid}]"), reader.stated(premise)]
        clauses += reader.clauses(rule)
    s, o, calls = number(fact.s), number(fact.end), ""
    if sole:
        (by,) = sole.premises
        calls = f"{drawing_kind(sole.rule).decides}({number(by.s)}, Who, yes), "
        s, o = ("Who", o) if by.o == fact.s else (s, "Who")
    return Argument(
        rule=counted.rule,
        family=counted.family,
        claim=claim(fact, of.rule, labels),
        truth=truth,
        statements=statements,
        why=kind.because(fact) if isinstance(fact, DrawnFact) else fact.licence.why,
        clauses=clauses,
        goal=f"{calls}{kind.decides}({s}, {o}, {'yes' if truth else 'no'})",
    )


def stated(premises: Sequence[Premise], chains: Chains | None, labels: Labels) -> list[str]:
    """Statements between items, and those of the chains that part two places: `p19(1, 2, 7).`"""
    edges = [(premise.p, premise.s, premise.o or 0, premise.sid, premise.guid) for premise in premises]
    edges += [(p, s, o, sid, "") for p, s, o, sid in (chains.edges if chains else ())]
    lines, known = [comment("--- statements of the snapshot: relation(Subject, Object, StatementId)")], set()
    for p, s, o, sid, guid in sorted(edges, key=lambda edge: edge[0]):
        if (p, s, o) not in known:
            known.add((p, s, o))
            sentence = f"{labels.item(s)}: {labels.property(p)}: {labels.item(o)}"
            lines.append(comment(f"{sentence}{f'   [{guid}]' if guid else ''}"))
            lines.append(f"p{number(p)}({number(s)}, {number(o)}, {number(sid)}).")
    return lines
