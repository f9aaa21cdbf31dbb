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
from halluvault_tasks.benchmark.cases.hindrances import PartRefused, by_sentence
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.ask_plan import AskPlan
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig, Unwritten, Writing
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, tally
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
    every = {task: list(swaps.of_task(task)) for task in PATTERNS}
    licensed = _licensed(every, settings.pairs, config.seed)
    if not licensed:
        raise PartRefused(
            f"snapshot {material.snapshot} has no pair of a right and a licensed false text "
            f"({by_sentence(statements.dropped)})",
            "pull a source with statements of the properties under `questions` in config/suites.yaml, or name others",
        )
    pairs = [(swap, members.both_members(swap, material, members.GENERATOR)) for swap in licensed]
    own: dict[str, Any] = {"longer": lengths(licensed)}
    if settings.generator is not None:
        written, told = _written(swaps, settings.generator, every, licensed, ask, config.seed)
        by = f"sampled by {settings.generator.model}"
        pairs += [(swap, members.both_members(swap, material, by)) for swap in written]
        own["generated"] = told | {"longer": lengths(written)}
    to_mend = refining.drawn(licensed, settings.refined or 0, Random(f"{config.seed}:refined"))
    mended = [members.to_correct(swap, material) for swap in to_mend]
    filed, notices = _of_files(settings, config.seed)
    made = _fresh([case for _, both in pairs for case in both] + mended + filed, asked)
    groups = {case.group_id for case in made}
    found = Counter(swap.task for swap in licensed)
    statistics = replace(
        tally(made, lambda case: case.gold if case.gold in ("yes", "no") else OPEN),
        dropped=statements.dropped,
        first_month=not material.before,
        shortfall={task: {"pairs": lack} for task in PATTERNS if (lack := settings.pairs - found[task]) > 0},
        asked=AskPlan((refining.VARIANT,) if mended else (), (0.0,)),
        own=own | {"notices": notices},
    )
    foils = [foil for swap, both in pairs if both[0].group_id in groups and (foil := swap.shown.foil)]
    return Made(made, statistics, groups, foils)


def _licensed(every: Mapping[Task, Sequence[Swap]], wanted: int, seed: int) -> list[Swap]:
    """At most so many swaps of each task, without a length tell."""
    return [
        swap
        for task, patterns in PATTERNS.items()
        for swap in balanced(every[task], patterns, wanted, Random(f"{seed}:{task}"))
    ]


def _of_files(settings: Recognition, seed: int) -> tuple[list[Case], list[str]]:
    """What HaluEval's files hold, at most so many lines of each, and what is odd about them."""
    cases: list[Case] = []
    notices: list[str] = []
    for each in settings.halueval:
        read = halueval.read(Path(each.file), each.task)
        notices += read.notices
        drawn = Random(f"{seed}:{each.sha256}").sample(read.rows, min(settings.pairs, len(read.rows)))
        cases += [case for row in sorted(drawn) for case in members.imported(row, each.task)]
    return cases, notices


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
