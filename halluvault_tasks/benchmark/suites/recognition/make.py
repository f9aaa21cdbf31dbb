"""Recognition (HELMA §3.2): does a text contain something that is not factual? Both members of each pair are asked.

The pairs are made by a named generator: licensed swaps, without any model, and a served model if one is named. For each
generator and task as many false members are longer than the right one as are shorter, by words and by characters, so
that length gives nothing away.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hindrances import by_sentence
from halluvault_tasks.benchmark.cases.refusals import PartRefused
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig, Unwritten, Writing
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, AskPlan, tally
from halluvault_tasks.benchmark.suites.recognition import halueval, members, refining
from halluvault_tasks.benchmark.suites.recognition.even_lengths import balanced, lengths
from halluvault_tasks.benchmark.suites.recognition.licensed import LicensedSwaps
from halluvault_tasks.benchmark.suites.recognition.sampled import Sampling
from halluvault_tasks.benchmark.suites.recognition.settings import Generator, Recognition
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Swap, Task
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatements
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask


def make(material: Material, config: CompanionConfig[Recognition], asked: Collection[str], ask: Ask | None) -> Made:
    """The suite's cases of a month.

    Raises:
        PartRefused: no pair can be made.
    """
    settings = config.settings
    questions = {one.property: one.ask for one in settings.questions}
    statements = SoleStatements(material, questions, config.seed, 4 * settings.pairs)
    swaps = LicensedSwaps(statements, questions)
    chosen: list[Swap] = []
    short: dict[str, dict[str, int]] = {}
    every = {task: list(swaps.of_task(task)) for task in PATTERNS}
    for task, patterns in PATTERNS.items():
        found = balanced(every[task], patterns, settings.pairs, Random(f"{config.seed}:{task}"))
        chosen += found
        if len(found) < settings.pairs:
            short[task] = {"pairs": settings.pairs - len(found)}
    if not chosen:
        raise PartRefused(
            f"snapshot {material.snapshot} has no pair of a right and a licensed false text "
            f"({by_sentence(statements.dropped)})",
            "pull a source with statements of the properties under `questions` in config/suites.yaml, or name others",
        )
    cases = [case for one in chosen for case in members.both_members(one, material, members.GENERATOR)]
    own: dict[str, Any] = {"longer": lengths(chosen)}
    further: tuple[str, ...] = ()
    if settings.generator is not None:
        written, told = _written(swaps, settings.generator, every, chosen, ask, config.seed)
        by = f"sampled by {settings.generator.model}"
        cases += [case for one in written for case in members.both_members(one, material, by)]
        own["generated"] = told | {"longer": lengths(written)}
    if settings.refined is not None:
        random = Random(f"{config.seed}:refined")
        mended = [members.to_correct(one, material) for one in refining.drawn(chosen, settings.refined, random)]
        cases += mended
        further = (refining.VARIANT,) if mended else ()
    notices: list[str] = []
    for each in settings.halueval:
        read = halueval.read(Path(each.file), each.task)
        notices += read.notices
        drawn = Random(f"{config.seed}:{each.sha256}").sample(read.rows, min(settings.pairs, len(read.rows)))
        cases += [case for row in sorted(drawn) for case in members.imported(row, each.task)]
    made = _fresh(cases, asked)
    statistics = replace(
        tally(made, lambda case: case.gold if case.gold in ("yes", "no") else OPEN),
        dropped=statements.dropped,
        first_month=not material.before,
        shortfall=short,
        asked=AskPlan(further, (0.0,)),
        own=own | {"notices": notices},
    )
    return Made(made, statistics, {case.group_id for case in made})


_TEXTS_OF_A_SEED = 4
"""Two that may be false, and where both are, the choice between them in both orders (`sampled`)."""


def unwritten(material: Material, config: CompanionConfig[Recognition]) -> Unwritten | None:
    """The part before the generator has written anything: as if all pairs were kept that it is to write."""
    generator = config.settings.generator
    if generator is None:
        return None
    alone = config._replace(settings=config.settings.model_copy(update={"generator": None}))
    made = make(material, alone, frozenset(), None)
    drawn = [case for case in made.cases if case.fact["generator"] == members.GENERATOR and case.gold in ("yes", "no")]
    wanted = generator.pairs * len(PATTERNS)
    like = islice(cycle(drawn), 2 * wanted)
    writing = Writing(generator.model, _TEXTS_OF_A_SEED * generator.seeds * wanted)
    return Unwritten(made._replace(cases=[*made.cases, *like]), writing)


def _written(
    swaps: LicensedSwaps,
    generator: Generator,
    every: Mapping[Task, Sequence[Swap]],
    licensed: Sequence[Swap],
    ask: Ask | None,
    seed: int,
) -> tuple[list[Swap], dict[str, Any]]:
    """Pairs that a served model wrote about other right texts than the licensed ones, without a length tell."""
    taken = {task: {one.about for one in licensed if one.task == task} for task in every}
    found = Sampling(swaps, generator, ask, seed).make(every, taken)
    chosen = [
        one
        for task, several in found.swaps.items()
        for one in balanced(several, PATTERNS[task], generator.pairs, Random(f"{seed}:{task}:sampled"))
    ]
    got = Counter(one.task for one in chosen)
    short = {task: generator.pairs - got[task] for task in every if got[task] < generator.pairs}
    return chosen, found.counts | {"pairs": dict(got), "shortfall": short}


def _fresh(cases: Sequence[Case], asked: Collection[str]) -> list[Case]:
    """Each case once, and pairs whole: none whose text the month asks elsewhere, or asks with another answer."""
    golds: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        golds[case.question].add(case.gold)
    lost = {case.group_id for case in cases if case.question in asked or len(golds[case.question]) > 1}
    return list({case.id: case for case in cases if case.group_id not in lost}.values())
