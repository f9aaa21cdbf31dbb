"""Proofs of drawn facts; a refused proof costs only its own questions."""

import logging
from collections.abc import Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.proofs import Asked, prove
from halluvault_tasks.reasoning.records import Proof

_log = logging.getLogger(__name__)

Source = Asked | Proof
"""What a candidate of the relation suite comes from: to be proved, or proved already."""


def proofs(session: Session, snapshot: str, sources: Sequence[Source], known: Neighbourhood) -> list[Proof | Unasked]:
    """The proof of each fact, in order, or why it has none (any more).

    What was licensed when it was derived may be refused now: another month has recorded the value since.
    """
    proved = iter(prove(session, snapshot, [one for one in sources if not isinstance(one, Proof)], known))
    found: list[Proof | Unasked] = []
    for one in sources:
        proof = one if isinstance(one, Proof) else next(proved)
        if isinstance(proof, Refusal):
            _log.warning("%s is not asked about: %s", one, proof.why)
            found.append(
                Hindrance.PROOF_REFUSED() if proof.code == "no statement" else Hindrance.UNLICENSED(proof.code)
            )
        else:
            found.append(proof)
    return found
