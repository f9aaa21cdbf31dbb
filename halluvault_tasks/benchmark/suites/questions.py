"""How a suite of yes/no questions is made: selected, proved, optionally rewritten, and put through the blind gate."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence, cases_of
from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.mutants import worded_as
from halluvault_tasks.benchmark.selection import blind_gate
from halluvault_tasks.benchmark.selection.balance import Block, Cell, Owed, choose, negative
from halluvault_tasks.benchmark.selection.balanced_groups import REPEATED, Blocks
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.surface import Surface, spread
from halluvault_tasks.benchmark.suites.draft import Made, Make
from halluvault_tasks.benchmark.suites.part_config import PartConfig
from halluvault_tasks.benchmark.suites.tally import tally_of
from halluvault_tasks.benchmark.wording import rewrite
from halluvault_tasks.benchmark.wording.generations import Ask

_log = logging.getLogger(__name__)

Find = Callable[[Material, PartConfig], Blocks]
"""What can be asked of a month, as groups of facts, at most as many per rule as configured."""

Prover = Callable[[Material, Sequence[Candidate]], Sequence[Evidence | str]]
"""Evidence for each candidate, in order, or the reason why there is none."""


def questions(find: Find, prove: Prover, *, gated: bool = True) -> Make:
    """A suite of yes/no questions about facts: choosing, wording of members, rewriting and the blind gate are shared.

    Args:
        find: what can be asked.
        prove: evidence for what was chosen.
        gated: whether a blind baseline that is right too often stops it; what it scores is told in any case.
    """

    def make(material: Material, config: PartConfig, asked: Collection[str], ask: Ask | None) -> Made:
        month = f"{material.snapshot} {config.suite}"
        _log.info("%s: wording the questions that can be asked", month)
        blocks = find(material, config)
        _log.info("%s: choosing up to %d questions from %d blocks of facts", month, config.target, len(blocks.blocks))
        domains = sorted(set(material.index.domains.values()))
        settled = settle(blocks.blocks, domains, config, lambda some: prove(material, some), asked)
        cases, rewritten = _reworded(material.session, settled.cases, config, ask, asked)
        _log.info("%s: testing %d questions against the blind baselines", month, len(cases))
        asked_blind = [_seen(case, surface) for case, surface in zip(cases, settled.surfaces, strict=True)]
        gate = blind_gate.Gate(config.blind_limit, config.blind_ends)
        blind = blind_gate.run(asked_blind, gate) if cases else []
        if gated:
            blind_gate.check(blind, gate)
        tally = tally_of(
            cases,
            dropped=blocks.dropped + settled.dropped,
            shortfall=settled.shortfall,
            blind=blind,
            first_month=not material.before,
        )
        askable = {one.group for block in blocks.blocks for one in block.candidates}
        designed = {**spread(settled.surfaces), "beyond": dict(settled.beyond)}
        return Made(cases, {**tally, **designed, **rewritten}, askable)

    return make


def _reworded(
    session: Session, made: list[Case], config: PartConfig, ask: Ask | None, elsewhere: Collection[str]
) -> tuple[list[Case], dict[str, Any]]:
    """The cases, some of them in a served model's words, and counts; empty if nothing is rewritten."""
    if not config.rewriter:
        return made, {}
    rewrite.fetch(session, config.rewriter, made, ask)
    reworded = rewrite.apply(made, rewrite.known(session, config.rewriter, made), elsewhere)
    told = {"model": config.rewriter, "kept": reworded.kept, "rejected": dict(sorted(reworded.rejected.items()))}
    return reworded.cases, {"rewritten": told}


def _seen(case: Case, surface: Surface) -> blind_gate.Asked:
    """A case as the blind see it."""
    turned = case.mutation.startswith(("converse", "contrary"))
    places = [(one, (at == 0) != turned) for at, one in enumerate(surface.entities)]
    worded = worded_as(case.mutation)
    template = worded if case.suite == "temporal" else f"{surface.family} {worded}"
    return blind_gate.Asked(
        case.question, case.gold, case.suite, surface.block, template, surface.fame, tuple(places),
        negative(case.mutation),
    )  # fmt: skip


class Settled(NamedTuple):
    """A suite's cases, and why some of its facts could not be asked about after all: reason → facts."""

    cases: list[Case]
    surfaces: list[Surface]
    """What is behind each case."""
    shortfall: Mapping[Cell, Owed]
    dropped: Counter[str]
    beyond: Mapping[str, float]
    """What makes more of the suite than its bound → its share."""


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
            left, weights, config.target, seed=config.seed, caps=config.caps, shares=config.shares, asked=asked
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
    made: list[Case] = []
    surfaces: list[Surface] = []
    for one in selection.chosen:
        members = cases_of(one.candidate, one.turn, evidence[one.candidate.group])
        made += members
        surfaces += [Surface.of(one)] * len(members)
    return Settled(made, surfaces, selection.shortfall, dropped, selection.beyond)
