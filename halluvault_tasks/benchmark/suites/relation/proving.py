"""Proofs of drawn facts; a refused proof costs only its own questions."""

import logging
from collections.abc import Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.evidence import prove_each
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.foils.proving import prove_foils
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.records import DerivedFact, Proof

UNPROVED = "proof refused"

_log = logging.getLogger(__name__)

Source = DerivedFact | Foil | Proof
"""What a candidate of the relation suite comes from: to be proved, or proved already."""


def proofs(session: Session, snapshot: str, sources: Sequence[Source], known: Neighbourhood) -> list[Proof | str]:
    """The proof of each fact, in order, or why it has none (any more).

    What was licensed when it was derived may be refused now: another month has recorded the value since.
    """
    derived = [one for one in sources if isinstance(one, DerivedFact)]
    false = [one for one in sources if isinstance(one, Foil)]
    proved = iter(prove_each(session, snapshot, derived, known.licences) if derived else ())
    shown = iter(prove_foils(session, snapshot, known, false) if false else ())
    found: list[Proof | str] = []
    for one in sources:
        proof: Proof | Refusal
        proof = one if isinstance(one, Proof) else next(proved if isinstance(one, DerivedFact) else shown)
        if isinstance(proof, Refusal):
            _log.warning("%s is not asked about: %s", one, proof.why)
            found.append(UNPROVED if proof.code == "no statement" else f"no longer licensed: {proof.code}")
        else:
            found.append(proof)
    return found
