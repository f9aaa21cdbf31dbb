"""The proof of any fact that is asked: derived, drawn, composed of two rows, or a foil beside one.

In order: `statements` are what a fact rests on; what is false is licensed anew (here); `words` names things for
readers; `argument` is the program that shows or refutes it; `turned` turns its answer round for a question that denies.
"""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Chains
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.licence.checked import license_checked
from halluvault_tasks.reasoning.proving.argument import ShownFact, argue, frame
from halluvault_tasks.reasoning.proving.asked import Asked, base, true_beside
from halluvault_tasks.reasoning.proving.statements import premises_of, statements_of
from halluvault_tasks.reasoning.proving.words import Labels, labels_of
from halluvault_tasks.reasoning.records import DerivedFact, Proof, Rule
from halluvault_tasks.reasoning.rules import all_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world


def prove_many(session: Session, snapshot: str, facts: Sequence[Asked], world: World | None = None) -> list[Proof]:
    """Rebuild the proofs of facts, in the same order, with few queries.

    Raises:
        UserError: `prove` refuses one of them: the derivation is out of date.
    """
    proofs = []
    for proof in prove(session, snapshot, facts, world):
        if isinstance(proof, Refusal):
            raise UserError(proof.why, "`halluvault derive run`")
        proofs.append(proof)
    return proofs


def prove(session: Session, snapshot: str, facts: Sequence[Asked], world: World | None = None) -> list[Proof | Refusal]:
    """The proof of each fact, in order, or why it is not proved (any more); with few queries.

    One fact that is refused costs no other its proof. Codes are those of `license_no` for a "No" that is no longer
    licensed (another month has recorded that value since), and "no statement" for evidence that the snapshot lacks.

    Args:
        session: open session.
        snapshot: key.
        facts: rows of it, and foils drawn on it, so that their licences are its own.
        world: what the snapshot knows, where the caller has loaded it.
    """
    rules = {rule.rule: rule for rule in all_rules(session, snapshot)}
    sids = statements_of(session, snapshot, facts, rules)
    premises = premises_of(session, snapshot, {sid for of_fact in sids for sid in of_fact})
    if world is None and any(_denied(fact, rules) for fact in facts):
        world = load_world(session, snapshot)
    shown: list[ShownFact | Refusal] = []
    for fact, of_fact in zip(facts, sids, strict=True):
        if missing := [sid for sid in of_fact if sid not in premises]:
            shown.append(Refusal("no statement", f"statement {missing[0]} of {fact} is not in snapshot {snapshot}"))
        else:
            stated = ShownFact(fact, tuple(premises[sid] for sid in of_fact))
            shown.append(_licensed(stated, rules, world, snapshot) if world and _denied(fact, rules) else stated)
    labels = _labels(session, snapshot, [each for each in shown if isinstance(each, ShownFact)])
    return [each if isinstance(each, Refusal) else _proof(each, rules, labels, snapshot) for each in shown]


def _denied(asked: Asked, rules: Mapping[int, Rule]) -> bool:
    """Whether a licence shows that it is false; foils beside drawn facts are refuted by what decides those."""
    true = true_beside(asked)
    return isinstance(true, DerivedFact) and (base(asked) is not true or not rules[true.rule].kind.truth)


def _licensed(stated: ShownFact, rules: Mapping[int, Rule], world: World, snapshot: str) -> ShownFact | Refusal:
    """What is false with its licence: a foil's own, of a row the present one."""
    licence = _licence(stated.asked, rules, world, snapshot)
    if isinstance(licence, Refusal):
        return licence
    if not licence.difference or not licence.difference.left:
        return stated._replace(licence=licence)
    difference, value, o = licence.difference, stated.premises[0].o, base(stated.asked).end
    if difference.by_premises:
        return stated._replace(licence=licence, chains=Chains((), difference.left, difference.right, difference.level))
    assert value is not None, stated
    ways = world.containment.way(value, difference.left), world.containment.way(o, difference.right)
    chains = Chains((*ways[0], *ways[1]), difference.left, difference.right, difference.level)
    return stated._replace(licence=licence, chains=chains)


def _licence(asked: Asked, rules: Mapping[int, Rule], world: World, snapshot: str) -> Licence | Refusal:
    fact = base(asked)
    if isinstance(fact, Foil):
        return fact.licence
    kind = rules[true_beside(fact).rule].kind
    licence = (license_checked if kind.found_by_people else license_no)(world, fact.relation.pid, fact.s, fact.end)
    if isinstance(licence, Refusal):
        why = f"not {fact.relation}(Q{fact.s}, Q{fact.end}) is no longer licensed in {snapshot}: {licence.why}"
        return Refusal(licence.code, why)
    return licence


def _labels(session: Session, snapshot: str, shown: Iterable[ShownFact]) -> Labels:
    items: set[int | None] = set()
    properties: set[int] = set()
    for asked, premises, _, chains in shown:
        fact = base(asked)
        items |= {fact.s, fact.o}
        properties.update(fact.relation.properties)
        for premise in premises:
            items |= {premise.s, premise.o}
            properties.add(premise.p)
        if chains:
            items |= chains.items
            properties |= chains.properties
    return labels_of(session, snapshot, (item for item in items if item is not None), properties)


def _proof(shown: ShownFact, rules: Mapping[int, Rule], labels: Labels, snapshot: str) -> Proof:
    argument = argue(shown, rules, labels)
    return Proof(
        fact=shown.asked,
        rule_name=argument.rule,
        kind=argument.family,
        truth=argument.truth,
        premises=shown.premises,
        reason=argument.why,
        program=frame(argument, snapshot),
    )
