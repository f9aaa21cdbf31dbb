"""How a suite of yes/no questions is made: chosen, proved, reworded where that is wanted, held to the blind gate."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import baselines, freeze, rewrite
from halluvault_tasks.benchmark.balance import Block, Cell, Owed, choose
from halluvault_tasks.benchmark.blocks import Blocks
from halluvault_tasks.benchmark.cases import Candidate, Case, Evidence, cases_of
from halluvault_tasks.benchmark.config import PartConfig
from halluvault_tasks.benchmark.made import Made, Make
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.rewrite import Ask

Find = Callable[[Material, PartConfig], Blocks]
"""What can be asked of a month, as blocks of at most so many facts a rule as the configuration says."""

Prover = Callable[[Material, Sequence[Candidate]], Sequence[Evidence | str]]
"""Evidence for each candidate, in order, or the reason why there is none."""

REPEATED = "the month asks it in the same words already"
"""The reason why a group is not asked about, in counts."""


def questions(find: Find, prove: Prover) -> Make:
    """A suite of yes/no questions about facts: choosing, wording of members, rewriting and the blind gate are shared.

    Args:
        find: what can be asked.
        prove: evidence for what was chosen.
    """

    def make(material: Material, config: PartConfig, asked: Collection[str], ask: Ask | None) -> Made:
        blocks = find(material, config)
        domains = sorted(set(material.index.domains.values()))
        settled = settle(blocks.blocks, domains, config, lambda some: prove(material, some), asked)
        cases, rewritten = _reworded(material.session, settled.cases, config, ask, asked)
        asked_blind = [
            baselines.Asked(case.question, case.gold, config.suite, block)
            for case, block in zip(cases, settled.blocks, strict=True)
        ]
        blind = baselines.run(asked_blind, config.blind_limit) if cases else []
        baselines.check(blind, config.blind_limit)
        tally = freeze.tally(
            cases,
            dropped=blocks.dropped + settled.dropped,
            shortfall=settled.shortfall,
            blind=blind,
            first_month=not material.before,
        )
        askable = {one.group for block in blocks.blocks for one in block.candidates}
        return Made(cases, {**tally, **rewritten}, askable)

    return make


def _reworded(
    session: Session, made: list[Case], config: PartConfig, ask: Ask | None, elsewhere: Collection[str]
) -> tuple[list[Case], dict[str, Any]]:
    """The cases, some of them in a served model's words, and counts; empty where nobody rewrites."""
    if not config.rewriter:
        return made, {}
    rewrite.fetch(session, config.rewriter, made, ask)
    reworded = rewrite.apply(made, rewrite.known(session, config.rewriter, made), elsewhere)
    told = {"model": config.rewriter, "kept": reworded.kept, "rejected": dict(sorted(reworded.rejected.items()))}
    return reworded.cases, {"rewritten": told}


class Settled(NamedTuple):
    """A suite's cases, and why some of its facts could not be asked about after all: reason → facts."""

    cases: list[Case]
    blocks: list[int]
    """Of each case, the number of its block."""
    shortfall: Mapping[Cell, Owed]
    dropped: Counter[str]


def settle(
    blocks: Iterable[Block],
    domains: Sequence[str],
    config: PartConfig,
    prove: Callable[[Sequence[Candidate]], Sequence[Evidence | str]],
    asked: Collection[str] = (),
) -> Settled:
    """Choose blocks and prove their groups; where a proof has no words, choose again without that block.

    Args:
        blocks: what can be asked.
        domains: of the snapshot; with each kind that has a weight they are the cells.
        config: of the part.
        prove: evidence for each candidate, in order, or the reason why there is none.
        asked: questions that the month asks elsewhere.
    """
    weights = {(domain, kind): weight for domain in domains for kind, weight in config.weights.items()}
    evidence: dict[str, Evidence] = {}
    dropped: Counter[str] = Counter()
    left = list(blocks)
    while True:
        selection = choose(
            left, weights, config.target, seed=config.seed, caps=config.caps, yes_only=config.yes_only, asked=asked
        )
        unproved = [one.candidate for one in selection.chosen if one.candidate.group not in evidence]
        failed = set()
        for candidate, proved in zip(unproved, prove(unproved) if unproved else (), strict=True):
            if isinstance(proved, str):
                failed.add(candidate.group)
                dropped[proved] += 1
            else:
                evidence[candidate.group] = proved
        if not failed:
            break
        left = [block for block in left if failed.isdisjoint(one.group for one in block.candidates)]
    if selection.repeated:
        dropped[REPEATED] += selection.repeated
    made, numbers = [], []
    for one in selection.chosen:
        members = cases_of(one.candidate, one.turn, evidence[one.candidate.group], yes_only=one.yes_only)
        made += members
        numbers += [one.block] * len(members)
    return Settled(made, numbers, selection.shortfall, dropped)
