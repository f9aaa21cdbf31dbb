"""Proofs of drawn facts, one by one where a batch fails: one refused proof must not cost a month its benchmark."""

import logging
from collections.abc import Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.evidence import prove_many
from halluvault_tasks.reasoning.licence import Refusal, license_no
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.rules import all_rules
from halluvault_tasks.reasoning.world import load_world

WRONG_VALUE = "negation.value"
UNPROVED = "proof refused"

_log = logging.getLogger(__name__)


def proofs(session: Session, snapshot: str, facts: Sequence[DerivedFact]) -> list[Proof | str]:
    """The proof of each fact, in order, or why it has none (any more).

    What was licensed when it was derived may be refused now: another month has recorded the value since.
    """
    if not facts:
        return []
    try:
        return list(prove_many(session, snapshot, facts))
    except UserError as error:
        _log.warning("%s; the facts of that batch are looked at one by one", error)
    # Refused licences are found with one view of the snapshot; proving each fact alone would load it for each.
    refused = _refusals(session, snapshot, facts)
    standing = [fact for fact in dict.fromkeys(facts) if fact not in refused]
    proved = dict(zip(standing, _halved(session, snapshot, standing), strict=True))
    return [refused[fact] if fact in refused else proved[fact] for fact in facts]


def _refusals(session: Session, snapshot: str, facts: Sequence[DerivedFact]) -> dict[DerivedFact, str]:
    denying = {rule.rule for rule in all_rules(session, snapshot) if rule.kind == WRONG_VALUE}
    denied = [fact for fact in facts if fact.rule in denying]
    if not denied:
        return {}
    world = load_world(session, snapshot)
    found = {}
    for fact in denied:
        licence = license_no(world, fact.p, fact.s, fact.o)
        if isinstance(licence, Refusal):
            found[fact] = f"no longer licensed: {licence.code}"
    return found


def _halved(session: Session, snapshot: str, facts: Sequence[DerivedFact]) -> list[Proof | str]:
    if not facts:
        return []
    try:
        return list(prove_many(session, snapshot, facts))
    except UserError as error:
        if len(facts) == 1:
            _log.warning("%s is not asked about: %s", facts[0], error)
            return [UNPROVED]
    half = len(facts) // 2
    return _halved(session, snapshot, facts[:half]) + _halved(session, snapshot, facts[half:])
