"""Proofs of foils: the one statement that leaves no room for the false value, and the rule as a program."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.evidence import chains_of, labels_of, premises_of
from halluvault_tasks.reasoning.foils.base import Foil, way_beside_derived
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.base import Chains, Refutation
from halluvault_tasks.reasoning.proof_text import Argument, Labels, claim, frame, stated
from halluvault_tasks.reasoning.records import Premise, Proof


class _Shown(NamedTuple):
    """A foil with its statement, and for places the chains that show it."""

    foil: Foil
    premise: Premise
    chains: Chains | None


def prove_foils(session: Session, snapshot: str, known: Neighbourhood, foils: Sequence[Foil]) -> list[Proof | Refusal]:
    """The proof that each foil is false, in order; "no statement" for evidence that the snapshot lacks.

    Args:
        session: open session.
        snapshot: key.
        known: what they were drawn from.
        foils: drawn on this snapshot, so that their licences are its own.
    """
    premises = premises_of(session, snapshot, {foil.licence.sid for foil in foils})
    shown = [_shown(known, foil, premises.get(foil.licence.sid)) for foil in foils]
    labels = _labels(session, snapshot, [each for each in shown if isinstance(each, _Shown)])
    return [each if isinstance(each, Refusal) else _proof(each, known, labels, snapshot) for each in shown]


def _shown(known: Neighbourhood, foil: Foil, premise: Premise | None) -> _Shown | Refusal:
    if premise is None:
        return Refusal("no statement", f"statement {foil.licence.sid} of {foil} is not in the snapshot")
    difference = foil.licence.difference
    if not difference or not difference.left or premise.o is None or foil.o is None:
        return _Shown(foil, premise, None)
    return _Shown(foil, premise, chains_of(known.world.containment, premise.o, foil.o, difference))


def _labels(session: Session, snapshot: str, shown: Sequence[_Shown]) -> Labels:
    items: set[int] = set()
    properties: set[int] = set()
    for foil, premise, chains in shown:
        items |= {end for end in (foil.s, foil.o, premise.s, premise.o) if end is not None}
        properties |= {*foil.relation.properties, premise.p}
        if chains:
            items |= chains.items
            properties |= chains.properties
    return labels_of(session, snapshot, items, properties)


def _proof(shown: _Shown, known: Neighbourhood, labels: Labels, snapshot: str) -> Proof:
    foil, rule = shown.foil, known.rules[shown.foil.beside.rule]
    way = way_beside_derived(foil)
    name, family = way.rule_name(rule), way.family(rule)
    assert foil.o is not None
    refuted = Refutation(foil.s, foil.o, foil.licence, shown.chains, labels)
    argument = Argument(
        rule=name,
        family=family,
        claim=claim(foil, rule, labels),
        truth=False,
        statements=stated([shown.premise], shown.chains, labels),
        why=foil.licence.why,
        clauses=way.clauses(rule, refuted),
        goal=f"ruled_out({number(foil.s)}, {number(foil.o)})",
    )
    program = frame(argument, snapshot)
    return Proof(foil, name, family, False, (shown.premise,), foil.licence.why, program)
