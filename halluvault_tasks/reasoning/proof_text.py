"""A proof as sentences and as Prolog that anyone can run: `swipl proof.pl` prints `yes` or `no`.

The program never concludes from absence: what it cannot show prints `unproven`. Labels occur in comments only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.kinds.base import Difference, Refutation
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Rule
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Kind

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


def conclusion(fact: DerivedFact, rule: Rule, truth: bool, labels: Labels) -> str:
    """The base proposition with its truth."""
    claim = f"{labels.item(fact.s)}: {labels.relation(rule)}: {labels.item(fact.o)}"
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
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule.name} ({rule.kind.family})"),
        comment(f"{'shown' if truth else 'refuted'}: {conclusion(fact, rule, True, labels)}"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- statements of the snapshot: relation(Subject, Object, StatementId)"),
    ]
    edges = [(one.p, one.s, one.o or 0, one.sid, one.guid) for one in premises]
    edges += [(p, s, o, sid, "") for p, s, o, sid in (difference.edges if difference else ())]
    lines += _facts(edges, labels)
    lines += ["", comment(f"--- the rule: {licence.why if licence else rule.reason}")]
    lines += rule.kind.clauses(rule, Refutation(fact, licence, difference, labels))
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
            said = f"{labels.item(s)}: {labels.property(p)}: {labels.item(o)}"
            lines.append(comment(f"{said}{f'   [{guid}]' if guid else ''}"))
            lines.append(f"p{number(p)}({number(s)}, {number(o)}, {number(sid)}).")
    return lines
