"""Proofs of drawn facts; a refused proof costs only its own questions."""

import logging
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.falsehoods import Outside
from halluvault_tasks.reasoning.evidence import prove_each
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.outside_container import prove_outside
from halluvault_tasks.reasoning.records import DerivedFact, Proof, Rule

_log = logging.getLogger(__name__)

Source = DerivedFact | Outside | Proof
"""What a candidate of the relation suite comes from: to be proved, or proved already."""


def proofs(
    session: Session, snapshot: str, sources: Sequence[Source], licences: LicenceFacts, rules: Mapping[int, Rule]
) -> list[Proof | Unasked]:
    """The proof of each fact, in order, or why it has none (any more).

    What was licensed when it was derived may be refused now: another month has recorded the value since.
    """
    derived = [one for one in sources if isinstance(one, DerivedFact)]
    outside = [one.fact for one in sources if isinstance(one, Outside)]
    proved = iter(prove_each(session, snapshot, derived, licences) if derived else ())
    shown = iter(prove_outside(session, snapshot, licences, rules, outside) if outside else ())
    found: list[Proof | Unasked] = []
    for one in sources:
        proof: Proof | Refusal
        proof = one if isinstance(one, Proof) else next(proved if isinstance(one, DerivedFact) else shown)
        if isinstance(proof, Refusal):
            _log.warning("%s is not asked about: %s", one, proof.why)
            found.append(
                Hindrance.PROOF_REFUSED() if proof.code == "no statement" else Hindrance.UNLICENSED(proof.code)
            )
        else:
            found.append(proof)
    return found
