"""A part of open questions: found, spread evenly, read blind, proved."""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from halluvault_tasks.benchmark.cases.difficulty import Difficulty, FameLevel, FoilNearness
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, PartRefused, Unasked
from halluvault_tasks.benchmark.selection import stood
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.strata import Surroundings, edges, renown
from halluvault_tasks.benchmark.suites.open import (
    ages,
    blind,
    choosing,
    firsts,
    holders,
    lists,
    places,
    references,
    turned,
    values,
)
from halluvault_tasks.benchmark.suites.open.choosing import Ceilings
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft
from halluvault_tasks.benchmark.suites.open.ground import OpenGround
from halluvault_tasks.benchmark.suites.open.open_suite import OpenConfig
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, tally
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.benchmark.wording.style import LONG, too_long

_log = logging.getLogger(__name__)

_LEAST_LOOKED_AT = 60
"""Questions in the same words, at least, where there are so many."""

_TRIMS = 12
"""How often what can be guessed gives its place to other questions."""


def make(material: Material, config: OpenConfig, asked: Collection[str], ask: Ask | None) -> Made:
    """Its part of a month (`Suite.make`)."""
    if not config.target:
        raise PartRefused(
            f"the suite {config.suite} asks nothing about {material.snapshot}: its size in config/benchmark.yaml is 0",
            f"give `{config.suite}` a number of questions under the size that is built (`sizes`), or take it out of "
            "`suites` there",
        )
    dropped: Counter[Unasked] = Counter()
    ground = OpenGround(material, config.seed)
    drafts = _readable((_counted(one, config) for one in _found(ground, config)), asked, ground, dropped)
    _log.info("%s open: choosing up to %d of %d questions", material.snapshot, config.target, len(drafts))
    before = {group for group, _ in material.stood(config.suite).wordings}
    renewed = {
        one.group
        for one in drafts
        if one.group in before
        and stood.renewed((one.group,), material.snapshot, seed=config.seed, share=config.renewal)
    }
    chosen = _unguessed([one for one in drafts if one.group not in renewed], before - renewed, config, dropped)
    cases = [one.case() for one in chosen]
    scored = blind.run(chosen, config.guess_limit, config.blind_ends) if chosen else []
    blind.check(scored, config.guess_limit)
    statistics = replace(
        tally(cases, lambda case: OPEN),
        dropped=+dropped,
        first_month=not material.before,
        baselines=tuple(scored),
        own=_spread(chosen),
    )
    return Made(cases, statistics, {one.group for one in drafts}, renewed=renewed)


def _found(ground: OpenGround, config: OpenConfig) -> Iterable[OpenDraft]:
    most = max(_LEAST_LOOKED_AT, min(config.candidates, config.target // 4))
    phrased = references.phrased(ground)
    yield from values.find(ground, phrased, most)
    yield from lists.find(ground)
    yield from places.find(ground, phrased)
    yield from turned.find(ground)
    yield from ages.find(ground, most)
    yield from holders.find(ground, most)
    yield from firsts.find(ground, max(1, most // 8))


def _counted(one: OpenDraft, config: OpenConfig) -> OpenDraft:
    """A question under the domain that it counts for: births and deaths of mathematicians are no mathematics."""
    for resting_on, domain, other in config.counted_for:
        if one.domain == domain and one.rests.issubset(resting_on):
            return one._replace(domain=other)
    return one


def _readable(
    found: Iterable[OpenDraft], asked: Collection[str], ground: OpenGround, dropped: Counter[Unasked]
) -> list[OpenDraft]:
    """The questions that can be read in one breath and stood for two months, each with its difficulty."""
    kept: dict[str, OpenDraft] = {}
    for one in found:
        if too_long(one.question):
            dropped[LONG] += 1
        elif one.question in asked:
            dropped[Hindrance.REPEATED()] += 1
        else:
            kept.setdefault(one.group, one)
    material = ground.material
    stability = material.stability
    stability.ask(sid for one in kept.values() for sid in one.sids)
    lasting = [one for one in kept.values() if stability.stated(one.sids) and stability.named(one.items)]
    dropped[Hindrance.TOO_NEW()] += len(kept) - len(lasting)
    paired = [one._replace(paired=one.is_asked_in(ground.asked)) for one in lasting]
    return _stratified(paired, material.surroundings, material.news)


def _stratified(drafts: Sequence[OpenDraft], around: Surroundings, news: Collection[int]) -> list[OpenDraft]:
    """The drafts, each with its difficulty."""
    fames = [min(around.fame.get(qid, 0.0) for qid in (*one.named, one.subject)) for one in drafts]
    between = edges(fames)
    placed = []
    for one, fame in zip(drafts, fames, strict=True):
        known: FameLevel = renown((*one.named, one.subject), fame, around, between)
        difficulty = Difficulty(
            renown=known,
            steps=one.hops,
            bridged=one.bridged,
            nearness=FoilNearness.OPEN,
            precision=one.precision,
            changed=not set(one.sids).isdisjoint(news),
            fame=fame,
        )
        placed.append(one._replace(difficulty=difficulty))
    return placed


def _unguessed(
    drafts: Sequence[OpenDraft], before: Collection[str], config: OpenConfig, dropped: Counter[Unasked]
) -> list[OpenDraft]:
    """What is chosen, without what can be guessed from the words of the questions."""
    ceilings = Ceilings.of(config.target, config.subject_cap)
    left = list(drafts)
    chosen = choosing.choose(left, config.target, ceilings, before, config.seed)
    for _ in range(_TRIMS):
        told = blind.guessed(chosen, config.guess_limit) - set(before) if chosen else set()
        if not told:
            break
        dropped[Hindrance.GUESSED()] += len(told)
        left = [one for one in left if one.group not in told]
        chosen = choosing.choose(left, config.target, ceilings, before, config.seed)
    return sorted(chosen, key=lambda one: one.group)


def _spread(chosen: Sequence[OpenDraft]) -> dict[str, Any]:
    """Counts beside those of every suite."""
    features: dict[str, Counter[str]] = {}
    for one in chosen:
        for feature, level in one.difficulty.features().items():
            features.setdefault(feature, Counter())[level] += 1

    def counted(values: Iterable[str]) -> dict[str, int]:
        return dict(sorted(Counter(values).items()))

    return {
        "paired": sum(one.paired for one in chosen),
        "by_asks": counted(one.asks for one in chosen),
        "by_way": counted(one.way for one in chosen),
        "by_property": counted(f"P{one.pid}" for one in chosen),
        "by_hops": counted(str(one.hops) for one in chosen),
        "by_stratum": dict(sorted(features.get("stratum", Counter()).items())),
        "by_difficulty": {name: dict(sorted(features[name].items())) for name in sorted(features)},
    }
