"""Proofs of facts of the suite relation in the benchmark's words."""

import logging
from collections.abc import Sequence

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.benchmark.wording.premises import premise_item
from halluvault_tasks.benchmark.wording.sentences import FRAME, judge
from halluvault_tasks.reasoning import proving
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import LicenceKind, Refusal
from halluvault_tasks.reasoning.records import Composed, Proof

_log = logging.getLogger(__name__)


def prove(material: Material, candidates: Sequence[Candidate]) -> list[Evidence | Unasked]:
    """Evidence for each candidate of the relation suite, in order, or why it is not asked about after all."""
    session, snapshot, stability = material.session, material.snapshot, material.stability
    proved = proving.prove(session, snapshot, [one.fact for one in candidates], material.world)
    stability.ask(premise.sid for proof in proved if isinstance(proof, Proof) for premise in proof.premises)
    told: list[Evidence | Unasked] = []
    for one, proof in zip(candidates, proved, strict=True):
        if isinstance(proof, Refusal):
            # Licensed when it was derived: another month may have recorded the value since.
            _log.warning("%s is not asked about: %s", one.fact, proof.why)
            gone = proof.code == "no statement"
            told.append(Hindrance.PROOF_REFUSED() if gone else Hindrance.UNLICENSED(proof.code))
        elif not stability.stated(premise.sid for premise in proof.premises):
            told.append(Hindrance.TOO_NEW())
        else:
            told.append(evidence(proof, one, material.index, material.lexicon))
    return told


def evidence(proof: Proof, candidate: Candidate, index: EntityIndex, lexicon: Lexicon) -> Evidence | Unasked:
    """A proof in the benchmark's words, or why it cannot be worded (then the fact is not asked about)."""
    premises, besides = [], _besides(candidate)
    for premise in proof.premises:
        item = premise_item(premise, index, lexicon)
        if isinstance(item, Unasked):
            if premise.sid in besides:
                continue
            return item
        premises.append(item)
    fact = {
        "kind": candidate.kind,
        "rule": proof.rule_name,
        "relation": str(proof.triple.relation),
        "s": proof.triple.s,
        "o": proof.triple.o,
        "truth": candidate.truth,
        "reason": proof.reason,
    }
    if isinstance(source := candidate.source, Composed):
        fact["called"] = {"property": source.sole.relation.pid, "of": source.sole.s}
    if not premises:  # what people found to be false rests on no statement
        fact["found"] = f"{judge(candidate.wordings.statement).removeprefix(FRAME)} is not true: {proof.reason}."
    return Evidence(fact, premises, proof.program)


def _besides(candidate: Candidate) -> frozenset[int]:
    """Statements that no argument needs: other values of a subject, beside a foil that was measured to be false."""
    foil = candidate.base
    if not isinstance(foil, Foil) or foil.licence.reason.kind is not LicenceKind.MEASURED:
        return frozenset()
    return frozenset(foil.evidence) - {*foil.beside.evidence, foil.licence.sid}
