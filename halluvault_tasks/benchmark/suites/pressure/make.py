"""Pressure tests: cases of sixteen classes from the snapshot, a third of each difficulty, and cases from a file."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, PartRefused, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.ask_plan import AskPlan
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, PartStatistics, tally
from halluvault_tasks.benchmark.suites.pressure import (
    amounts,
    documents,
    namesakes,
    near_duplicates,
    own,
    spans,
    statements,
    works,
)
from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import (
    BOUND,
    CLASSES,
    DIFFICULTIES,
    NAME,
    Class,
    Difficulty,
    PressureCase,
    PressureFact,
)  # fmt: skip
from halluvault_tasks.benchmark.suites.pressure.settings import Pressure
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.reasoning.case_proofs.label import labelled
from halluvault_tasks.reasoning.case_proofs.response import response
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.wikidata.names import fold

GENERATORS: Mapping[Class, Callable[[Ground], Drafts]] = {
    "time-shift": spans.time_shift,
    "stale-context": spans.stale_context,
    "nonexistent-citation": works.nonexistent,
    "conflict-RAG": statements.conflict,
    "retrieval": documents.retrieval,
    "multi-hop": statements.multi_hop,
    "calc": spans.calculation,
    "ambiguity": namesakes.ambiguity,
    "false-premise": statements.false_premise,
    "format-guard": statements.form,
    "negation": statements.negation,
    "near-duplicate": near_duplicates.near_duplicate,
    "id-precision": works.identifier,
    "brevity-stress": statements.brevity,
    "instr-conflict": statements.conflict_of_instructions,
    "OOD": documents.recent,
}

_OF_AMOUNTS: Mapping[Class, Callable[[Ground], Drafts]] = {
    "calc": amounts.difference,
    "false-premise": amounts.false_premise,
    "format-guard": amounts.form,
    "negation": amounts.negation,
}
"""Looked at first, since they are few."""

_AUDITED: tuple[Class, ...] = ("ambiguity", "false-premise")
"""Classes whose reciprocity and decidability people may see otherwise (the post's edge cases)."""
_AUDITED_SHARE = 0.8
"""Of the cases of these, so that a tenth of all is audited."""
_RETRIEVED: frozenset[Class] = BOUND | {"id-precision"}
_LOOKED_AT = 600
"""Drafts of a class that are drawn from."""


def make(material: Material, config: CompanionConfig[Pressure], asked: Collection[str], ask: Ask | None) -> Made:
    """The suite's cases of a month.

    Raises:
        PartRefused: no case can be made.
        UserError: the file of further cases is faulty.
    """
    settings = config.settings
    written = own.read(Path(settings.file)) if settings.file else []
    ground = Ground(material, settings, config.seed)
    dropped: Counter[Unasked] = Counter(ground.statements.dropped)
    cases: list[Case] = []
    foils: dict[str, StatementFoil | None] = {}
    short: dict[str, dict[str, int]] = {}
    for klass, generator in GENERATORS.items():
        few = _OF_AMOUNTS.get(klass)
        drafts = _usable(chain(few(ground) if few else (), generator(ground)), klass, dropped)
        chosen = _thirds(drafts, settings.cases, ground.random(klass))
        for draft, difficulty in chosen:
            cases.append(_case(draft, klass, difficulty, material, config.seed))
            foils[cases[-1].id] = draft.foil
        if (lack := settings.cases // 3 * 3 - len(chosen)) > 0:
            short[klass] = {"cases": lack}
    cases += [_written(one) for one in written]
    made = [one for one in {case.id: case for case in cases}.values() if one.question not in asked]
    if not made:
        raise PartRefused(
            f"snapshot {material.snapshot} has no pressure case: no statement of the properties asked about has words "
            "and a single value",
            "pull a source with statements of the properties in config/suites.yaml (pressure.questions)",
        )
    statistics = _statistics(made, settings, dropped, short, material)
    asked_foils = [foil for case in made if (foil := foils.get(case.id))]
    return Made(made, statistics, {case.group_id for case in made}, asked_foils)


def _usable(drafts: Iterable[CaseDraft], klass: Class, dropped: Counter[Unasked]) -> list[CaseDraft]:
    """Drafts whose right and wrong answers cannot be taken for each other; each subject once."""
    found: dict[object, CaseDraft] = {}
    for one in drafts:
        if len(found) >= _LOOKED_AT:
            break
        right = [f" {fold(name)} " for names in one.oracle.right for name in names]
        wrong = [f" {fold(name)} " for names in one.oracle.wrong for name in names]
        if not one.constraints.first and any(each in other or other in each for each in right for other in wrong):
            dropped[Hindrance.RIGHT_HOLDS_WRONG(klass)] += 1
            continue
        found.setdefault((one.s, one.p) if one.s else one.inputs.prompt, one)
    return list(found.values())


def _thirds(drafts: Sequence[CaseDraft], wanted: int, random: Random) -> list[tuple[CaseDraft, Difficulty]]:
    """As many of each third by hardness, drawn at random within it."""
    ordered = sorted(drafts, key=lambda one: (one.hardness, one.inputs.prompt))
    edges = [len(ordered) * number // 3 for number in range(4)]
    each = min(wanted // 3, len(ordered) // 3)
    found: list[tuple[CaseDraft, Difficulty]] = []
    for number, difficulty in enumerate(DIFFICULTIES):
        third = ordered[edges[number] : edges[number + 1]]
        found += [(one, difficulty) for one in random.sample(third, each)]
    return found


def _case(one: CaseDraft, klass: Class, difficulty: Difficulty, material: Material, seed: int) -> Case:
    domains = material.index.domains
    # Counties are mostly in no domain of the pull; the index is of works.
    domain = domains.get(one.s) or {"ambiguity": "geography"}.get(klass, "culture" if not one.s else "general")
    case = PressureCase(
        inputs=one.inputs, constraints=one.constraints, oracle=one.oracle, tags=one.tags, klass=klass, domain=domain,
        difficulty=difficulty,
    )  # fmt: skip
    group = content_id(NAME, klass, case.question, case.inputs.opening)
    audited = klass in _AUDITED and Random(f"{seed}:{group}:audited").random() < _AUDITED_SHARE
    grading = "audited" if audited else "retrieval" if klass in _RETRIEVED else "automatic"
    fact = PressureFact(
        case=case, opening=case.inputs.opening, cluster=f"Q{one.s}" if one.s else group, grading=grading,
        source="snapshot", why=one.why,
    )  # fmt: skip
    return _row(fact, group, one.s or None, one.p, one.o, [dict(each) for each in one.premises],
                response(f"{klass}: {one.why}", one.argument))  # fmt: skip


def _written(case: PressureCase) -> Case:
    """A case from the file. Whoever wrote it answers for it: its proof says so."""
    group = content_id(NAME, "file", case.question, case.inputs.opening)
    fact = PressureFact(
        case=case, opening=case.inputs.opening, cluster=group, grading="automatic", source="file",
        why="the case's author says so",
    )  # fmt: skip
    proof = labelled(case.gold, "the oracle of a case from a file; nothing here derives it")
    return _row(fact, group, None, None, None, [], proof)


def _row(
    fact: PressureFact, group: str, s: int | None, p: int | None, o: int | None, premises: list[dict[str, Any]],
    proof: str,
) -> Case:  # fmt: skip
    case = fact.case
    return Case(
        id=content_id(case.question, case.gold, group, "original"), question=case.question, gold=case.gold,
        group_id=group, mutation="original", relation="same", suite=NAME, domain=case.domain, rule_kind=case.klass,
        property=p, subject=s, object=o, fact=fact.model_dump(mode="json", by_alias=True, exclude_none=True),
        premises=premises, proof=proof,
    )  # fmt: skip


def _statistics(
    made: Sequence[Case], settings: Pressure, dropped: Counter[Unasked], short: Mapping[str, Mapping[str, int]],
    material: Material,
) -> PartStatistics:  # fmt: skip
    facts = [PressureFact.model_validate(case.fact) for case in made]
    coverage: dict[str, Counter[str]] = defaultdict(Counter)
    for one in facts:
        for tag in one.case.counted_under:
            coverage[tag][one.case.domain] += 1
    own = {
        "classes": {klass: sum(one.case.klass == klass for one in facts) for klass in CLASSES},
        "difficulty": Counter(one.case.difficulty for one in facts),
        "grading": Counter(one.grading for one in facts),
        "coverage": {tag: dict(found) for tag, found in sorted(coverage.items())},
        "scoring": {
            "format_is_gating": settings.format_is_gating, "weights": list(settings.weights),
            "strict_retrieval_mode": settings.strict_retrieval_mode,
        },
    }  # fmt: skip
    return replace(
        tally(made, lambda case: case.gold.partition(":")[0] if ":" in case.gold[:8] else OPEN),
        dropped=dropped,
        first_month=not material.before,
        shortfall=short,
        asked=AskPlan(temperatures=(0.0,)),
        own=own,
    )
