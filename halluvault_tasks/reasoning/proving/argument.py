"""How a fact is shown or refuted, as Prolog that anyone can run: `swipl proof.pl` prints `yes` or `no`.

The program never concludes from absence: what it cannot show prints `unproven`. Labels occur in comments only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.foils.base import Foil, way_beside_derived
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.kinds.base import Chains, Refutation
from halluvault_tasks.reasoning.kinds.drawing import drawing_kind
from halluvault_tasks.reasoning.proving.asked import Asked, base, counted, true_beside
from halluvault_tasks.reasoning.proving.words import Labels, claim, sentence
from halluvault_tasks.reasoning.records import Composed, DrawnFact, Premise, Rule


class ShownFact(NamedTuple):
    """What is asked, with what shows it.

    Attributes:
        asked: the fact.
        premises: its statements, in the order of the argument.
        licence: of what is false, why.
        chains: for places, the chains of containment that show it.
    """

    asked: Asked
    premises: tuple[Premise, ...]
    licence: Licence | None = None
    chains: Chains | None = None


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


def argue(shown: ShownFact, rules: Mapping[int, Rule], labels: Labels) -> Argument:
    """How a fact is shown, or refuted.

    Args:
        shown: the fact and what shows it.
        rules: by number.
        labels: names for the comments.
    """
    drawn = isinstance(true_beside(shown.asked), DrawnFact)
    return _as_read(shown, rules, labels) if drawn else _by_rule(shown, rules, labels)


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


def _by_rule(shown: ShownFact, rules: Mapping[int, Rule], labels: Labels) -> Argument:
    """A derived fact by its rule; a foil beside one by what its way brings."""
    fact, rule = base(shown.asked), rules[true_beside(shown.asked).rule]
    refuted = Refutation(fact.s, fact.end, shown.licence, shown.chains, labels)
    if isinstance(fact, Foil):
        way, truth = way_beside_derived(fact), False
        name, family, clauses = way.rule_name(rule), way.family(rule), way.clauses(rule, refuted)
    else:
        kind, truth = rule.kind, rule.kind.truth
        name, family, clauses = rule.name, kind.family, kind.clauses(rule, refuted)
    statements, call = _stated(shown, labels), _Call(number(fact.s), number(fact.end))
    if isinstance(shown.asked, Composed):
        family, name = counted(shown.asked, rules)
        call = _called(shown, rules)
        sole = rules[shown.asked.sole.rule]
        statements += _read(shown.premises[-1:], sole, labels)
        clauses = [*clauses, *drawing_kind(sole).clauses(sole)]
    return Argument(
        rule=name,
        family=family,
        claim=claim(fact, rule, labels),
        truth=truth,
        statements=statements,
        why=shown.licence.why if shown.licence else rule.reason,
        clauses=clauses,
        goal=f"{call.before}{'holds' if truth else 'ruled_out'}({call.s}, {call.o})",
    )


class _Call(NamedTuple):
    """How a goal names the two ends.

    Attributes:
        s, o: the ends; a variable, where one is called by what he or she alone made.
        before: what binds that variable.
    """

    s: str
    o: str
    before: str = ""


def _called(shown: ShownFact, rules: Mapping[int, Rule]) -> _Call:
    """The two ends of a fact, one of them called by its sole work."""
    assert isinstance(shown.asked, Composed), shown.asked
    fact, sole, alone = base(shown.asked), rules[shown.asked.sole.rule], shown.premises[-1]
    s, o, before = number(fact.s), number(fact.end), f"{drawing_kind(sole).decides}({number(alone.s)}, Who, yes), "
    return _Call("Who", o, before) if alone.o == fact.s else _Call(s, "Who", before)


def _read(premises: Iterable[Premise], by: Rule, labels: Labels) -> list[str]:
    """Statements as a drawing kind's file reads them, with comments."""
    read = drawing_kind(by)
    return [
        line
        for premise in premises
        for line in (comment(f"{sentence(premise, labels)}   [{premise.guid}]"), read.stated(premise))
    ]


def _stated(shown: ShownFact, labels: Labels) -> list[str]:
    """Statements between items, and those of the chains that part two places: `p19(1, 2, 7).`"""
    own = shown.premises[:-1] if isinstance(shown.asked, Composed) else shown.premises
    edges = [(premise.p, premise.s, premise.o or 0, premise.sid, premise.guid) for premise in own]
    edges += [(step.p, *step.stated, step.sid, "") for step in (shown.chains.edges if shown.chains else ())]
    lines, known = [comment("--- statements of the snapshot: relation(Subject, Object, StatementId)")], set()
    for p, s, o, sid, guid in sorted(edges, key=lambda edge: edge[0]):
        if (p, s, o) not in known:
            known.add((p, s, o))
            sentence = f"{labels.item(s)}: {labels.property(p)}: {labels.item(o)}"
            lines.append(comment(f"{sentence}{f'   [{guid}]' if guid else ''}"))
            lines.append(f"p{number(p)}({number(s)}, {number(o)}, {number(sid)}).")
    return lines


def _as_read(shown: ShownFact, rules: Mapping[int, Rule], labels: Labels) -> Argument:
    """A drawn fact, or a foil beside one, by what decides it (prolog_rules/proofs), read by its kind."""
    fact, true = base(shown.asked), true_beside(shown.asked)
    assert isinstance(fact, DrawnFact | Foil), fact
    sole = rules[shown.asked.sole.rule] if isinstance(shown.asked, Composed) else None
    rule, own = rules[true.rule], len(fact.evidence)
    kind, truth, count = drawing_kind(rule), isinstance(fact, DrawnFact), counted(shown.asked, rules)
    statements = [comment("--- statements of the snapshot, as the rule reads them")]
    clauses: list[str] = []
    for by, premises in ((rule, shown.premises[:own]), *([(sole, shown.premises[own:])] if sole else ())):
        statements += _read(premises, by, labels)
        clauses += drawing_kind(by).clauses(by)
    call = _called(shown, rules) if sole else _Call(number(fact.s), number(fact.end))
    return Argument(
        rule=count.rule,
        family=count.family,
        claim=claim(fact, rule, labels),
        truth=truth,
        statements=statements,
        why=kind.because(fact) if isinstance(fact, DrawnFact) else fact.licence.why,
        clauses=clauses,
        goal=f"{call.before}{kind.decides}({call.s}, {call.o}, {'yes' if truth else 'no'})",
    )
