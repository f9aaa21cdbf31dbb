"""Recognition (HELMA §3.2): does a text contain something that is not factual? Both members of each pair are asked.

The pairs are made by a named generator: licensed swaps, without any model, and a served model if one is named. For each
generator and task as many false members are longer than the right one as are shorter, by words and by characters, so
that length gives nothing away.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Literal

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.hindrances import by_sentence
from halluvault_tasks.benchmark.cases.refusals import PartRefused
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig, Unwritten, Writing
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, AskPlan, tally
from halluvault_tasks.benchmark.suites.recognition import demonstrations, halueval, member_proofs, refining
from halluvault_tasks.benchmark.suites.recognition.fact import NAME, RecognitionFact
from halluvault_tasks.benchmark.suites.recognition.halueval import FileTask, HaluEvalRow
from halluvault_tasks.benchmark.suites.recognition.sampled import Sampling
from halluvault_tasks.benchmark.suites.recognition.settings import Generator, Recognition
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Swap, Swaps, Task
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.prolog import terms

GENERATOR = "licensed swaps"
HALUEVAL = "HaluEval"

_NOUNS: dict[FileTask, tuple[str, str]] = {
    "qa": ("Question", "Answer"), "dialogue": ("Dialogue history", "Response"), "summary": ("Document", "Summary"),
    "general": ("Query", "Response"),
}  # fmt: skip

_INSTRUCTIONS: dict[FileTask, str] = {
    "qa": "Judge an answer to a question. Say whether it holds information that is not factual: because it contradicts "
    "what is known about the world, misunderstands what is asked, is too general or too specific to answer it, or "
    "does not follow.",
    "dialogue": "Judge the last response of a dialogue. Say whether it holds information that is not factual: because "
    "what it names is not the true thing, whether of the same kind, of a like kind or of another kind altogether.",
    "summary": "Judge a summary of a document. Say whether it holds information that is not factual or that the "
    "document does not support: because it goes beyond the document, is made up, or contradicts the document.",
    "general": "Judge a response to a query. Say whether it holds information that cannot be verified, is not factual, "
    "or has nothing to do with the query.",
}
"""In our words, after tables 8, 15 and 16."""

_DEMONSTRATIONS: dict[FileTask, str] = {
    "general": "",
    **{task: demonstrations.of(task, *_NOUNS[task]) for task in PATTERNS},
}
"""The paper has none for general queries."""


_Key = tuple[str, str]
"""What a pair is about: its setting and its right member."""


def make(material: Material, config: CompanionConfig[Recognition], asked: Collection[str], ask: Ask | None) -> Made:
    """The suite's cases of a month.

    Raises:
        PartRefused: no pair can be made.
    """
    settings = config.settings
    swaps = Swaps(material, {one.property: one.ask for one in settings.questions}, config.seed, 4 * settings.pairs)
    chosen: list[Swap] = []
    short: dict[str, dict[str, int]] = {}
    every = {task: list(swaps.find(task)) for task in PATTERNS}
    for task, patterns in PATTERNS.items():
        found = _balanced(every[task], patterns, settings.pairs, Random(f"{config.seed}:{task}"))
        chosen += found
        if len(found) < settings.pairs:
            short[task] = {"pairs": settings.pairs - len(found)}
    if not chosen:
        raise PartRefused(
            f"snapshot {material.snapshot} has no pair of a right and a licensed false text "
            f"({by_sentence(swaps.dropped)})",
            "pull a source with statements of the properties under `questions` in config/suites.yaml, or name others",
        )
    cases = [case for one in chosen for case in _cases(one, material, GENERATOR)]
    own: dict[str, Any] = {"longer": _longer(chosen)}
    further: tuple[str, ...] = ()
    if settings.generator is not None:
        written, told = _written(material, swaps, settings.generator, every, chosen, ask, config.seed)
        cases += [case for one in written for case in _cases(one, material, f"sampled by {settings.generator.model}")]
        own["generated"] = told | {"longer": _longer(written)}
    if settings.refined is not None:
        random = Random(f"{config.seed}:refined")
        mended = [_refined(one, material) for one in refining.drawn(chosen, settings.refined, random)]
        cases += mended
        further = (refining.VARIANT,) if mended else ()
    notices: list[str] = []
    for each in settings.halueval:
        read = halueval.read(Path(each.file), each.task)
        notices += read.notices
        drawn = Random(f"{config.seed}:{each.sha256}").sample(read.rows, min(settings.pairs, len(read.rows)))
        cases += [case for row in sorted(drawn) for case in _imported(row, each.task)]
    made = _fresh(cases, asked)
    statistics = replace(
        tally(made, lambda case: case.gold if case.gold in ("yes", "no") else OPEN),
        dropped=swaps.dropped,
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
    drawn = [case for case in made.cases if case.fact["generator"] == GENERATOR and case.gold in ("yes", "no")]
    wanted = generator.pairs * len(PATTERNS)
    like = islice(cycle(drawn), 2 * wanted)
    writing = Writing(generator.model, _TEXTS_OF_A_SEED * generator.seeds * wanted)
    return Unwritten(made._replace(cases=[*made.cases, *like]), writing)


def _written(
    material: Material,
    swaps: Swaps,
    generator: Generator,
    every: Mapping[Task, Sequence[Swap]],
    licensed: Sequence[Swap],
    ask: Ask | None,
    seed: int,
) -> tuple[list[Swap], dict[str, Any]]:
    """Pairs that a served model wrote about other right texts than the licensed ones, without a length tell."""
    taken = {task: {(one.setting, one.right) for one in licensed if one.task == task} for task in every}
    found = Sampling(material, swaps, generator, ask, seed).make(every, taken)
    chosen = [
        one
        for task, several in found.swaps.items()
        for one in _balanced(several, PATTERNS[task], generator.pairs, Random(f"{seed}:{task}:sampled"))
    ]
    got = Counter(one.task for one in chosen)
    short = {task: generator.pairs - got[task] for task in every if got[task] < generator.pairs}
    return chosen, found.counts | {"pairs": dict(got), "shortfall": short}


def _balanced(found: Iterable[Swap], patterns: Sequence[str], wanted: int, random: Random) -> list[Swap]:
    """Pairs of a task, evenly over its patterns, of each as many whose false member is longer as shorter.

    What is asked about the same right text makes one pair of the task: nobody is asked the same twice. Where one
    pattern has too few, the others have more.
    """
    by: dict[str, dict[int, dict[_Key, list[Swap]]]] = {
        pattern: {1: defaultdict(list), -1: defaultdict(list)} for pattern in patterns
    }
    for one in found:
        if one.longer and one.right != one.false:
            by[one.pattern][one.longer][one.setting, one.right].append(one)
    chosen: list[Swap] = []
    used: set[_Key] = set()
    # The rarest first, so that the others leave it something.
    left = sorted(patterns, key=lambda pattern: min(len(half) for half in by[pattern].values()))
    while left and len(chosen) + 2 <= wanted:
        for pattern in list(left):
            couple = _couple(by[pattern], used, random) if len(chosen) + 2 <= wanted else []
            if not couple:
                left.remove(pattern)
            chosen += couple
    return chosen


def _couple(both: Mapping[int, Mapping[_Key, list[Swap]]], used: set[_Key], random: Random) -> list[Swap]:
    """A pair whose false member is longer and one where it is shorter, of what is not used yet; or nothing."""
    halves = [[key for key in both[side] if key not in used] for side in (1, -1)]
    scarce, plenty = sorted(zip(halves, (1, -1), strict=True), key=lambda half: len(half[0]))
    if not scarce[0]:
        return []
    # What can be of one side alone comes first, so that the rest is left for the other.
    one = min(scarce[0], key=lambda key: (key in both[plenty[1]], random.random()))
    others = [key for key in plenty[0] if key != one]
    if not others:
        return []
    other = min(others, key=lambda key: (key in both[scarce[1]], random.random()))
    used |= {one, other}
    return [random.choice(both[scarce[1]][one]), random.choice(both[plenty[1]][other])]


def _longer(chosen: Sequence[Swap]) -> dict[str, dict[str, int]]:
    """Task → pairs, and of how many the false member is longer by words and by characters."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for one in chosen:
        told[one.task].update(
            pairs=1, by_words=len(one.false.split()) > len(one.right.split()),
            by_characters=len(one.false) > len(one.right),
        )  # fmt: skip
    return {task: dict(counts) for task, counts in told.items()}


def _fresh(cases: Sequence[Case], asked: Collection[str]) -> list[Case]:
    """Each case once, and pairs whole: none whose text the month asks elsewhere, or asks with another answer."""
    golds: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        golds[case.question].add(case.gold)
    lost = {case.group_id for case in cases if case.question in asked or len(golds[case.question]) > 1}
    return list({case.id: case for case in cases if case.group_id not in lost}.values())


def _cases(one: Swap, material: Material, generator: str) -> list[Case]:
    pair = content_id(NAME, generator, one.task, one.pattern, one.setting, one.right, one.false)
    contrast = _contrast(one.task, pair, one.right, one.false)
    first, second = _NOUNS[one.task]
    made = []
    members: tuple[tuple[Literal["right", "false"], str, str], ...] = (
        ("right", one.right, one.false), ("false", one.false, one.right),
    )  # fmt: skip
    for member, text, other in members:
        fact = RecognitionFact(
            task=one.task, pattern=one.pattern, generator=generator, pair=pair, member=member,
            words=len(text.split()), characters=len(text), other_words=len(other.split()),
            other_characters=len(other), why=one.why, instruction=_INSTRUCTIONS[one.task],
            demonstrations=_DEMONSTRATIONS[one.task], contrast=contrast, knowledge=one.knowledge or None,
        )  # fmt: skip
        question, gold = f"{first}: {one.setting}\n{second}: {text}", "yes" if member == "false" else "no"
        made.append(
            Case(
                id=content_id(question, gold, pair, member), question=question, gold=gold, group_id=pair,
                mutation="original" if member == "right" else "false", relation="same", suite=NAME,
                domain=material.index.domains.get(one.s) or "general", rule_kind=f"{one.task}.{one.pattern}",
                property=one.p, subject=one.s, object=one.other if member == "false" else one.o,
                fact=fact.model_dump(mode="json", exclude_none=True), premises=[dict(each) for each in one.premises],
                proof=member_proofs.member(one, member),
            )
        )  # fmt: skip
    return made


def _refined(one: Swap, material: Material) -> Case:
    """The pair's false member, to be corrected."""
    asked = refining.of(one)
    group = content_id(NAME, refining.RULE, one.task, one.setting, one.right, one.false)
    fact = RecognitionFact(
        task=one.task, pattern=one.pattern, generator=GENERATOR, pair=group, member="false",
        words=len(one.false.split()), characters=len(one.false), other_words=len(one.right.split()),
        other_characters=len(one.right), why=one.why, refine=asked.told, names=(asked.right, asked.false),
    )  # fmt: skip
    return Case(
        id=content_id(asked.question, one.right, group, "original"), question=asked.question, gold=one.right,
        group_id=group, mutation="original", relation="same", suite=NAME,
        domain=material.index.domains.get(one.s) or "general", rule_kind=f"{one.task}.{refining.RULE}", property=one.p,
        subject=one.s, object=one.o, fact=fact.model_dump(mode="json", exclude_none=True),
        premises=[dict(each) for each in one.premises], proof=member_proofs.mended(one),
    )  # fmt: skip


def _contrast(task: FileTask, pair: str, right: str, false: str) -> str:
    """Both members, in an order that tells nothing."""
    both = [right, false]
    Random(pair).shuffle(both)
    return "\n".join(f"{_NOUNS[task][1]} {letter}: {text}" for letter, text in zip("AB", both, strict=True))


def _imported(row: HaluEvalRow, task: FileTask) -> list[Case]:
    """The cases of a line of HaluEval: its members, as it labels them."""
    pair = content_id(NAME, HALUEVAL, task, row.setting, row.right, row.false)
    first, second = _NOUNS[task]
    whole = bool(row.right and row.false)
    made = []
    for member, text, other in (("right", row.right, row.false), ("false", row.false, row.right)):
        if not text:
            continue
        fact = RecognitionFact(
            task=task, pattern="as imported", generator=HALUEVAL, pair=pair,
            member="false" if member == "false" else "right", words=len(text.split()), characters=len(text),
            other_words=len(other.split()), other_characters=len(other), why="HaluEval says so",
            instruction=_INSTRUCTIONS[task], demonstrations=_DEMONSTRATIONS[task],
            contrast=_contrast(task, pair, row.right, row.false) if whole else None, knowledge=row.knowledge or None,
        )  # fmt: skip
        question, gold = f"{first}: {row.setting}\n{second}: {text}", "yes" if member == "false" else "no"
        label = terms.comment("the label of HaluEval's file; nothing here derives it")
        made.append(
            Case(
                id=content_id(question, gold, pair, member), question=question, gold=gold, group_id=pair,
                mutation="original" if member == "right" else "false", relation="same", suite=NAME, domain="HaluEval",
                rule_kind=f"{task}.as imported", property=None, subject=None, object=None,
                fact=fact.model_dump(mode="json", exclude_none=True), premises=[],
                proof=f":- initialization(main, main).\n{label}\nmain :- writeln({gold}).\n",
            )
        )  # fmt: skip
    return made
