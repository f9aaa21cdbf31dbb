"""Questions about whether two works have one maker: two films of one director.

Four works of two makers (`reasoning.kinds.maker`) make a block of two true and two false pairs, each work once in a
true and once in a false one.
"""

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Swap
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import MAKER
from halluvault_tasks.reasoning.kinds.maker import squares
from halluvault_tasks.reasoning.proving.statements import premises_of
from halluvault_tasks.reasoning.records import DrawnFact, Rule
from halluvault_tasks.reasoning.rules import drawn_facts


def find(material: Material, *, seed: int) -> list[Swap]:
    """Blocks of all properties that the lexicon words (`shared`) and of which pairs are drawn.

    Args:
        material: the snapshot.
        seed: of the order.
    """
    facts = drawn_facts(material.session, material.snapshot, MAKER)
    premises = premises_of(material.session, material.snapshot, {sid for fact in facts for sid in fact.evidence})
    known = material.neighbourhood
    made: list[Swap] = []
    for rule in {known.rules[fact.rule].premises[0]: known.rules[fact.rule] for fact in facts}.values():
        makers = {one.s: one.o for one in premises.values() if one.p == rule.premises[0] and one.o is not None}
        of_rule = {(fact.s, fact.o): fact for fact in facts if fact.rule == rule.rule}
        by_ends = of_rule | {(fact.o, fact.s): fact.turned() for fact in of_rule.values()}
        taken: set[int] = set()
        for square in squares(makers, known.works.pairs(makers), seed):
            true = [by_ends[pair] for pair in square.true if pair in by_ends]
            if len(true) == 2 and taken.isdisjoint(square) and (swap := _swap(material, rule, *true)):
                taken |= set(square)
                made.append(swap)
    return made


def _swap(material: Material, rule: Rule, one: DrawnFact, other: DrawnFact) -> Swap | None:
    """Two works of one maker and two of another, then each of the one's with one of the other's."""
    false = [foils.draw(material.neighbourhood, *pair) for pair in ((one, other), (other, one))]
    made = [None if isinstance(fact, Refusal) else _candidate(material, rule, fact) for fact in (one, other, *false)]
    first, second, third, fourth = made
    return (first, second, third, fourth) if first and second and third and fourth else None


def _candidate(material: Material, rule: Rule, fact: DrawnFact | Foil) -> Candidate | None:
    """Whether two works share their maker; None where that cannot be said."""
    index, p = material.index, rule.premises[0]
    s, o = index.namer.named(fact.s), index.namer.named(fact.end)
    entry = fitting(material.lexicon.shared.get(p, ()), fact.s, fact.end, index)
    if entry is None or not entry.ask or not s.name or not o.name:
        return None
    if gives_away(index, fact.s, s, fact.end, o):
        return None
    form = tensed(entry, fact.s, fact.end, index)
    wordings = words(form, s, o)
    if wordings is None:
        return None
    truth = isinstance(fact, DrawnFact)
    kind, name = MAKER.counted(rule, truth)
    return Candidate(
        suite="relation",
        domain=index.domains[fact.s],
        kind=kind,
        strand=name,
        # A true one is the fact that `share:P…` derives, which so is not asked for recall as well.
        identity=(kind, name, fact.relation.key, *sorted((fact.s, fact.end)), *(() if truth else ("not",))),
        pid=p,
        subject=fact.s,
        object=fact.end,
        entities=(fact.s, fact.end),
        truth=truth,
        wordings=wordings,
        source=fact,
        family=f"{fact.relation.key} {form.question}",
        hops=2,
    )
