"""The fault plan: which response says what, and its label, before any text is written."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from halluvault_tasks.local.personas.fault_kinds import RIGHT_FAULTS, FaultKind
from studies.oracle import faulty, sound
from studies.oracle.facts import Case, Facts
from studies.oracle.planned import Form, Planned, Told
from studies.oracle.shapes import Material, shape_of
from studies.oracle.split import Part, Parted, order

FORMS: tuple[Form, ...] = ("prose", "bullets", "table")

WANTED: Mapping[Part, int] = {"development": 110, "kept_back": 110}
"""Responses of each fault, where the cases carry so many."""

_BUILDERS = {**sound.BUILDERS, **faulty.BUILDERS}
PLANTED = tuple(fault for fault in FaultKind if fault in _BUILDERS)
"""What the study plants."""

_PER_CASE = 12
"""Most responses on one case."""

_RIGHT = 1.2
"""The right-answer stratum is the headline: its faults are planted more often."""

_VERBOSE = 3.5
"""Their false alarms are to be bounded at 2 %: with none at all, only some 190 seed facts can show that."""

_RARE = {FaultKind.DONT_KNOW: 0.4, FaultKind.REFUSAL: 0.4, FaultKind.NO_ANSWER: 0.4, FaultKind.HEDGED_SLIP: 0.6,
         FaultKind.RETRACTED: 0.6, FaultKind.BARE: 0.6, FaultKind.SELF_CONTRADICTION: 0.5}  # fmt: skip


def make_plan(part: Part, parted: Parted, facts: Facts, styles: Sequence[str], seed: int) -> list[Planned]:
    """Plan a part's responses.

    Args:
        part: which one.
        parted: its cases.
        facts: the snapshot.
        styles: names of the part's styles; every fault goes through all of them and through all forms.
        seed: of everything that is drawn.

    Returns:
        By case and sample. The same arguments give the same plan.
    """
    planned: list[Planned] = []
    per_case: Counter[str] = Counter()
    told: dict[str, set[tuple[Told, ...]]] = defaultdict(set)
    for fault in PLANTED:
        wanted = round(WANTED[part] * _share(fault))
        made = 0
        ordered = _over_facts(parted, seed, fault)
        for again in range(3):
            for case in ordered:
                if made >= wanted or per_case[case.id] >= _PER_CASE:
                    continue
                one = _attempt(fault, case, parted, facts, Random(order(seed, part, fault.value, case.id, again)))
                if one is None or (again and one.told in told[case.id]):
                    continue
                style, form = styles[made % len(styles)], FORMS[made // len(styles) % len(FORMS)]
                planned.append(one._replace(sample=per_case[case.id] + 1, style=style, form=_form(one, form)))
                told[case.id].add(one.told)
                per_case[case.id] += 1
                made += 1
    return sorted(planned, key=lambda one: (one.case_id, one.sample))


def _share(fault: FaultKind) -> float:
    if fault is FaultKind.VERBOSE:
        return _VERBOSE
    return _RIGHT if fault in RIGHT_FAULTS else _RARE.get(fault, 1.0)


def _over_facts(parted: Parted, seed: int, fault: FaultKind) -> list[Case]:
    """Cases at random, but one of every seed fact before the second of any: evenly spread clusters tell the most."""
    rank: Counter[str] = Counter()
    ranked = []
    for case in sorted(parted.cases, key=lambda case: order(seed, fault.value, case.id)):
        ranked.append((rank[parted.cluster[case.id]], case))
        rank[parted.cluster[case.id]] += 1
    return [case for _, case in sorted(ranked, key=lambda one: one[0])]


def _attempt(fault: FaultKind, case: Case, parted: Parted, facts: Facts, random: Random) -> Planned | None:
    """The fault on this case, or None where the case leaves no room for it."""
    shape = shape_of(case)
    if shape is None:
        return None
    material = Material(case, shape, parted.cluster[case.id], parted.entities, parted.properties, facts, random)
    return _BUILDERS[fault](material)


def _form(one: Planned, form: Form) -> Form:
    """A table needs two rows to be one."""
    return "bullets" if form == "table" and one.claims < 2 else form
