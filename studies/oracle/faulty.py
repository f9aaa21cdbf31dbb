"""Responses with a planted error; each label names its row of the decision table (semantics.md section 4.2)."""

from collections.abc import Callable, Mapping

from halluvault_tasks.local.personas.fault_kinds import (
    CONCLUSION_ONLY,
    CONTRADICTORY_BOTH,
    EXPLAINED,
    REDUCTIO,
    FaultKind,
)
from halluvault_tasks.wikidata import properties as wd
from studies.oracle import wrong
from studies.oracle.planned import Planned, Told
from studies.oracle.shapes import DATED, ONE_PREMISE, Material
from studies.oracle.steps import false_step, is_asked, moved_dates

_SHARED_ONLY_ONE = frozenset({-wd.FATHER, -wd.MOTHER, -wd.PARENT_BODY})
"""Shared by functional slots: a swapped value there may even show the opposite, so that the row is not plain."""


def _swapped(m: Material) -> list[Told] | None:
    """The premises with one functional value swapped; apart from what the question offers, too."""
    offered = [m.case.object.qid] if m.case.object and m.shape == "value" else []
    for position, claim in enumerate(m.premises):
        if options := wrong.swaps(m.facts, m.pool, claim.subject.qid, claim.property, not_near=offered):
            return _with(m.premises, position, claim._replace(item=m.random.choice(options)))
    return None


def _with(told: list[Told], position: int, claim: Told) -> list[Told]:
    return [*told[:position], claim, *told[position + 1 :]]


def _right_swap(m: Material) -> Planned | None:
    if m.shape == "share" and m.case.pid in _SHARED_ONLY_ONE:
        return None
    if (m.shape == "direct" and not _says_it(m)) or (told := _swapped(m)) is None:
        return None
    # The one premise swapped denies what was asked: right answer and reasons to the contrary (R1). Elsewhere the
    # answer stands or stays open (R2).
    label = CONTRADICTORY_BOTH if m.shape == "direct" else None
    return m.plan(FaultKind.RIGHT_SWAP, told, label=label)


def _says_it(m: Material) -> bool:
    """Whether the one premise is the very proposition asked about, not its inverse."""
    only = m.premises[0]
    return (only.subject, only.property, only.item) == (m.case.subject, m.case.pid, m.case.object)


def _right_reverse(m: Material) -> Planned | None:
    if m.shape == "converse" or (m.shape == "direct" and not _says_it(m)):
        return None
    options = [
        (position, claim)
        for position, claim in enumerate(m.premises)
        if claim.item and wrong.reversible(m.facts, claim.subject.qid, claim.property, claim.item.qid)
    ]
    if not options:
        return None
    position, claim = m.random.choice(options)
    assert claim.item is not None
    turned = claim._replace(subject=claim.item, item=claim.subject)
    return m.plan(FaultKind.RIGHT_REVERSE, _with(m.premises, position, turned))


def _right_negate(m: Material) -> Planned | None:
    if m.shape == "direct" or m.shape in DATED:
        return None
    position = m.random.randrange(len(m.premises))
    told = _with(m.premises, position, m.premises[position]._replace(denied=True))
    return m.plan(FaultKind.RIGHT_NEGATE, told)


def _right_opposed(m: Material) -> Planned | None:
    concluded = m.base(denied=m.case.truth)
    if concluded is None:
        return None
    # A direct case's one premise is the conclusion itself; elsewhere the true premises stand before it.
    told = [] if m.shape == "direct" else m.premises
    return m.plan(FaultKind.RIGHT_OPPOSED, told)._replace(concluded=concluded)


def _right_date(m: Material) -> Planned | None:
    options = [moved for moved in moved_dates(m) if moved.licensed]
    same = [moved for moved in options if moved.truth == m.case.truth]
    other = [moved for moved in options if moved.truth != m.case.truth]
    if same and (not other or m.random.random() < 0.75):
        return m.plan(FaultKind.RIGHT_DATE, m.random.choice(same).told)
    return m.plan(FaultKind.RIGHT_DATE, m.random.choice(other).told, label=CONTRADICTORY_BOTH) if other else None


def _right_step(m: Material) -> Planned | None:
    step = false_step(m, m.premises)
    return m.plan(FaultKind.RIGHT_STEP, m.premises)._replace(step=step) if step else None


def _right_mixed(m: Material) -> Planned | None:
    if m.shape in DATED:
        options = [moved.told for moved in moved_dates(m) if moved.licensed]
        told = m.random.choice(options) if options else None
        step = false_step(m, told) if told else None
        return m.plan(FaultKind.RIGHT_MIXED, told)._replace(step=step) if told and step else None
    concluded = m.base(denied=m.case.truth)
    if m.shape == "direct" or concluded is None:
        return None
    told = _swapped(m) or _with(m.premises, 0, m.premises[0]._replace(denied=True))
    return m.plan(FaultKind.RIGHT_MIXED, told)._replace(concluded=concluded)


def _wrong_swap(m: Material) -> Planned | None:
    if m.shape not in ("direct", "chain") or (m.shape == "direct" and not _says_it(m)):
        return None
    if (told := _swapped(m)) is None:
        return None
    return m.plan(FaultKind.WRONG_SWAP, told, label=EXPLAINED if m.shape == "direct" else None)


def _wrong_negate(m: Material) -> Planned | None:
    if m.shape == "direct" or m.shape in DATED:
        return None
    position = m.random.randrange(len(m.premises))
    told = _with(m.premises, position, m.premises[position]._replace(denied=True))
    return m.plan(FaultKind.WRONG_NEGATE, told)


def _wrong_date(m: Material) -> Planned | None:
    options = [moved for moved in moved_dates(m) if moved.truth != m.case.truth]
    if not options:
        return None
    moved = m.random.choice(options)
    return m.plan(FaultKind.WRONG_DATE, moved.told, label=None if moved.licensed else REDUCTIO)


def _wrong_step(m: Material) -> Planned | None:
    step = false_step(m, m.premises)
    return m.plan(FaultKind.WRONG_STEP, m.premises)._replace(step=step) if step else None


def _wrong_known(m: Material) -> Planned | None:
    # A premise that says what was asked, beside the opposite answer, would be an opposed conclusion: no row has it.
    if m.shape == "direct" or (m.shape == "temporal" and is_asked(m.case.premises, m.case)):
        return None
    concluded = m.base(m.base_denied(right=False)) if m.random.random() < 0.5 else None
    return m.plan(FaultKind.WRONG_KNOWN, m.premises)._replace(concluded=concluded)


def _wrong_mixed(m: Material) -> Planned | None:
    if m.shape == "value":
        told = _swapped(m)
        return m.plan(FaultKind.WRONG_MIXED, told) if told else None
    options = [moved.told for moved in moved_dates(m) if moved.licensed and moved.truth == m.case.truth]
    if not options:
        return None
    told = m.random.choice(options)
    return m.plan(FaultKind.WRONG_MIXED, told)._replace(step=false_step(m, told))


def _wrong_bare(m: Material) -> Planned | None:
    label = CONCLUSION_ONLY if m.shape in ONE_PREMISE else None
    concluded = m.base(m.base_denied(right=False)) if m.random.random() < 0.5 else None
    return m.plan(FaultKind.WRONG_BARE, [], label=label)._replace(concluded=concluded)


def _wrong_partial(m: Material) -> Planned | None:
    if m.shape == "share" or (m.case.kind == "transitive" and _one_way_up(m)):
        return m.plan(FaultKind.WRONG_PARTIAL, m.premises[:1])
    return None


def _one_way_up(m: Material) -> bool:
    """Whether the snapshot has no second path from the bottom of the chain to its top."""
    return all(len(m.facts.items.get((claim.subject.qid, claim.property), ())) == 1 for claim in m.premises)


def _wrong_unlicensed(m: Material) -> Planned | None:
    told = _unlicensed(m)
    return m.plan(FaultKind.WRONG_UNLICENSED, told) if told else None


def _right_undecided(m: Material) -> Planned | None:
    if m.shape in DATED:
        options = [each for each in moved_dates(m) if not each.licensed and each.truth == m.case.truth]
        return m.plan(FaultKind.RIGHT_UNDECIDED, m.random.choice(options).told) if options else None
    told = _unlicensed(m)
    return m.plan(FaultKind.RIGHT_UNDECIDED, told) if told else None


def _unlicensed(m: Material) -> list[Told] | None:
    if m.shape != "direct" or not _says_it(m):
        return None
    only = m.premises[0]
    assert only.item is not None
    options = wrong.unlicensed(m.facts, m.pool, only.subject.qid, only.property, only.item.qid)
    return [only._replace(item=m.random.choice(options))] if options else None


def _self_contradiction(m: Material) -> Planned | None:
    told = [] if m.shape == "direct" else m.premises
    return m.plan(FaultKind.SELF_CONTRADICTION, told, said="both")


BUILDERS: Mapping[FaultKind, Callable[[Material], Planned | None]] = {
    FaultKind.RIGHT_SWAP: _right_swap,
    FaultKind.RIGHT_REVERSE: _right_reverse,
    FaultKind.RIGHT_NEGATE: _right_negate,
    FaultKind.RIGHT_OPPOSED: _right_opposed,
    FaultKind.RIGHT_DATE: _right_date,
    FaultKind.RIGHT_STEP: _right_step,
    FaultKind.RIGHT_MIXED: _right_mixed,
    FaultKind.WRONG_SWAP: _wrong_swap,
    FaultKind.WRONG_NEGATE: _wrong_negate,
    FaultKind.WRONG_DATE: _wrong_date,
    FaultKind.WRONG_STEP: _wrong_step,
    FaultKind.WRONG_KNOWN: _wrong_known,
    FaultKind.WRONG_MIXED: _wrong_mixed,
    FaultKind.WRONG_BARE: _wrong_bare,
    FaultKind.WRONG_PARTIAL: _wrong_partial,
    FaultKind.WRONG_UNLICENSED: _wrong_unlicensed,
    FaultKind.SELF_CONTRADICTION: _self_contradiction,
    FaultKind.RIGHT_UNDECIDED: _right_undecided,
}
