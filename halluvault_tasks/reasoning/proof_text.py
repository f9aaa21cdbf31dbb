"""A proof as sentences and as Prolog that anyone can run: `swipl proof.pl` prints `yes` or `no`.

The program never concludes from absence: what it cannot show prints `unproven`. Labels occur in comments only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Licence, Reason
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Rule
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
            if rule and rule.shared:
                return f"shares at least one {self.relation(-p)} with"
            return str(rule.support.get("relation", p)) if rule else str(p)
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


class Difference(NamedTuple):
    """What a program needs to show that two places differ: edges (p, from, to, sid) and the two containers."""

    edges: tuple[tuple[int, int, int, int], ...]
    left: int
    right: int
    level: int


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
    truth = rule.kind != "negation.value"
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule.name} ({rule.kind})"),
        comment(f"{'shown' if truth else 'refuted'}: {conclusion(fact, rule, True, labels)}"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- statements of the snapshot: relation(Subject, Object, StatementId)"),
    ]
    edges = [(one.p, one.s, one.o or 0, one.sid, one.guid) for one in premises]
    edges += [(p, s, o, sid, "") for p, s, o, sid in (difference.edges if difference else ())]
    lines += _facts(edges, labels)
    lines += ["", comment(f"--- the rule: {licence.why if licence else rule.reason}")]
    lines += _clauses(rule, licence, difference, labels, fact)
    goal = f"holds({number(fact.s)}, {number(fact.o)})" if truth else f"ruled_out({number(fact.s)}, {number(fact.o)})"
    lines += [
        "",
        comment("--- the question"),
        f"answer({'yes' if truth else 'no'}) :- {goal}.",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"


def _facts(edges: Iterable[tuple[int, int, int, int, str]], labels: Labels) -> list[str]:
    lines, known = [], set()
    for p, s, o, sid, guid in sorted(edges, key=lambda edge: edge[0]):
        if (p, s, o) not in known:
            known.add((p, s, o))
            said = f"{labels.item(s)}: {labels.relation(p)}: {labels.item(o)}"
            lines.append(comment(f"{said}{f'   [{guid}]' if guid else ''}"))
            lines.append(f"p{number(p)}({number(s)}, {number(o)}, {number(sid)}).")
    return lines


def _clauses(
    rule: Rule, licence: Licence | None, difference: Difference | None, labels: Labels, fact: DerivedFact
) -> list[str]:
    first = f"p{rule.premises[0]}"
    if rule.sex:
        return [f"holds(S, O) :- {first}(O, S, _), p{rule.premises[1]}(O, {number(rule.sex)}, _)."]
    if rule.kind in {"symmetric", "inverse"}:
        return [f"holds(S, O) :- {first}(O, S, _)."]
    if rule.kind == "negation.polarity":
        return [f"holds(S, O) :- {first}(S, O, _)."]
    if rule.kind == "transitive":
        return [f"holds(S, O) :- {first}(S, O, _).", f"holds(S, O) :- {first}(S, Middle, _), holds(Middle, O)."]
    if rule.kind == "composite":
        return _composite(rule, first)
    if rule.checked:
        return [f"ruled_out({number(fact.s)}, {number(fact.o)})."]
    if licence and licence.reason is Reason.CONVERSE:
        return [f"ruled_out(S, O) :- {first}(O, S, _)."]
    return [*_different(difference, labels, fact), f"ruled_out(S, O) :- {first}(S, Value, _), different(Value, O)."]


def _composite(rule: Rule, first: str) -> list[str]:
    last = f"p{rule.premises[-1]}"
    if rule.shared:
        return [f"holds(S, O) :- {first}(S, Shared, _), {first}(O, Shared, _), S \\== O."]
    if rule.support["chain"][-1].endswith("*"):
        return [
            f"up(Place, Upper) :- {last}(Place, Upper, _).",
            f"up(Place, Upper) :- {last}(Place, Middle, _), up(Middle, Upper).",
            f"holds(S, O) :- {first}(S, Place, _), up(Place, O).",
        ]
    ends = ["S", *(f"M{at}" for at in range(1, len(rule.premises))), "O"]
    steps = (f"p{p}({ends[at]}, {ends[at + 1]}, _)" for at, p in enumerate(rule.premises))
    return [f"holds(S, O) :- {', '.join(steps)}."]


def _different(difference: Difference | None, labels: Labels, fact: DerivedFact) -> list[str]:
    if difference is None:
        return [
            comment("of one type, neither above the other, not linked, no word of their names in common"),
            f"different(Value, {number(fact.o)}) :- Value \\== {number(fact.o)}.",
        ]
    left, right, level = difference.left, difference.right, difference.level
    what = f"both of type {labels.item(level)}" if level else "two countries"
    steps = sorted({p for p, *_ in difference.edges})
    lines = [comment(f"{labels.item(left)} and {labels.item(right)}: {what}, neither inside the other")]
    lines += [f"apart({number(left)}, {number(right)})."]
    lines += [f"step(Place, Upper) :- p{p}(Place, Upper, _)." for p in steps]
    return [
        *lines,
        "within(Place, Place).",
        "within(Place, Upper) :- step(Place, Middle), within(Middle, Upper).",
        "different(Value, Other) :- apart(A, B), within(Value, A), within(Other, B).",
    ]
