"""How a suite of yes/no questions is made: selected, proved, optionally rewritten, and put through the blind gate."""

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence, cases_of
from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, PartRefused, Unasked
from halluvault_tasks.benchmark.cases.mutants import worded_as
from halluvault_tasks.benchmark.selection import blind_gate, grid, stood
from halluvault_tasks.benchmark.selection.balance import Block, Chosen, Design, Supply, negative
from halluvault_tasks.benchmark.selection.balanced_groups import Blocks
from halluvault_tasks.benchmark.selection.baseline import Baseline
from halluvault_tasks.benchmark.selection.bounds import BoundStanding, ShareBound
from halluvault_tasks.benchmark.selection.caps import Caps
from halluvault_tasks.benchmark.selection.features import FactGroup, readers
from halluvault_tasks.benchmark.selection.grid import CellCount
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.propensity import gate
from halluvault_tasks.benchmark.selection.propensity.gate import Curve, Matching
from halluvault_tasks.benchmark.selection.stood import NOTHING, Stood
from halluvault_tasks.benchmark.selection.surface import Surface, spread
from halluvault_tasks.benchmark.suites.part_statistics import tally
from halluvault_tasks.benchmark.suites.quotas import Quotas
from halluvault_tasks.benchmark.suites.suite import BuildSettings, Made
from halluvault_tasks.benchmark.suites.template import Template
from halluvault_tasks.benchmark.wording import rewrite
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.reasoning.foils.base import Foil

_log = logging.getLogger(__name__)

Find = Callable[[Material, "QuestionConfig"], Blocks]
"""What can be asked of a month, as groups of facts, at most as many per rule as configured."""

Prover = Callable[[Material, Sequence[Candidate]], Sequence[Evidence | Unasked]]
"""Evidence for each candidate, in order, or the reason why there is none."""


class QuestionConfig(NamedTuple):
    """What a part of yes/no questions is made by.

    Attributes:
        suite: which.
        seed: of every draw.
        target: cases, mutants included.
        candidates: facts looked at per domain and rule, or per domain and operator.
        weights: rule kind or operator → weight.
        caps: most groups of one entity, and of one property of it.
        least: cases below which its ceilings make it no smaller.
        bounds: what it is to be made of.
        groups: features that config/benchmark.yaml adds.
        counted_for: group and domain → the domain that such facts of its subjects count for instead.
        blind_limit: what a blind baseline may score.
        blind_ends: whether the interval of each must end below it.
        renewal: share of the blocks that stood which give their place to others.
        rewriter: registry name of the model that rewrites the questions; empty: none does.
        hash: `PartConfig.hash`.
    """

    suite: str
    seed: int
    target: int
    candidates: int
    weights: Mapping[str, float]
    caps: Caps
    least: int
    bounds: tuple[ShareBound, ...]
    groups: Mapping[str, FactGroup]
    counted_for: tuple[tuple[str, str, str], ...]
    blind_limit: float
    blind_ends: bool
    renewal: float
    rewriter: str
    hash: str


@dataclass(frozen=True)
class QuestionSuite:
    """A suite of yes/no questions about facts: choosing, wording of members, rewriting and the blind gate are shared.

    Its size is a field of its name in `sizes` of benchmark.yaml.

    Attributes:
        find: what can be asked.
        prove: evidence for what was chosen.
        weights: of its rule kinds, operators or the like.
        wordings: sections of the lexicon that it uses.
        measured: whether it asks foils of classes that were measured.
        gated: whether a blind baseline that is right too often stops it; what it scores is told in any case.
    """

    name: str
    find: Find
    prove: Prover
    weights: Callable[[Quotas], Mapping[str, float]]
    wordings: tuple[str, ...]
    gated: bool = True
    measured: bool = False
    templates: Mapping[str, Template] = field(default_factory=dict)
    variants: tuple[str, ...] = ()

    def configured(self, build: BuildSettings) -> QuestionConfig:
        """What its part of a month is made by."""
        quotas, size = build.quotas, build.size
        config = QuestionConfig(
            suite=self.name,
            seed=quotas.seed,
            target=size.target(self.name),
            candidates=size.candidates_per_rule,
            weights=dict(self.weights(quotas)),
            caps=Caps(quotas.subject_cap, quotas.object_cap, quotas.fact_cap),
            least=size.least.get(self.name, 0),
            bounds=tuple(bound.bound() for bound in size.bounds.get(self.name, ())),
            groups={name: group.facts() for name, group in sorted(quotas.groups.items())},
            counted_for=tuple(
                (name, *pair)
                for name, group in sorted(quotas.groups.items())
                for pair in sorted(group.counted_for.items())
            ),
            blind_limit=quotas.blind_limit,
            blind_ends=size.blind_ends,
            renewal=quotas.renewal,
            rewriter=quotas.rewrite.model if quotas.rewrite else "",
            hash="",
        )
        content = json.dumps([config, build.wordings(self.wordings), *self._licensed(build)], ensure_ascii=False)
        return config._replace(hash=hashlib.sha256(content.encode()).hexdigest())

    def _licensed(self, build: BuildSettings) -> list[list[str]]:
        """Of the classes of foils that it may ask, names and versions: what else is found of them changes no case."""
        licensed = [f"{one.name}, {one.version}" for one in build.measured.licensed] if self.measured else []
        return [licensed] if licensed else []

    def make(self, material: Material, config: QuestionConfig, asked: Collection[str], ask: Ask | None) -> Made:
        """Its part of a month (`Suite.make`)."""
        if not config.target:
            raise PartRefused(
                f"the suite {self.name} asks nothing about {material.snapshot}: its size in config/benchmark.yaml is 0",
                f"give `{self.name}` a number of questions under the size that is built (`sizes`), or take it out of "
                "`suites` there",
            )
        month = f"{material.snapshot} {config.suite}"
        _log.info("%s: wording the questions that can be asked", month)
        blocks = self._own(self.find(material, config), material, config)
        _log.info("%s: choosing up to %d questions from %d blocks of facts", month, config.target, len(blocks.blocks))
        domains = sorted(set(material.index.domains.values()))
        before = material.stood(self.name)
        blocks = self._matched(blocks, material, before)
        renewed = _renewed(blocks.blocks, before, config, material.snapshot)
        settled = settle(
            blocks._replace(blocks=[block for block in blocks.blocks if block.candidates[0].group not in renewed]),
            domains,
            config,
            lambda chosen: self.prove(material, chosen),
            asked,
            self._matcher(material, before) if self.gated else None,
            before,
        )
        cases, rewritten = _reworded(material.session, settled.cases, config, ask, asked)
        _log.info("%s: testing %d questions against the blind baselines", month, len(cases))
        dropped = blocks.dropped + settled.dropped
        blind = self._gates(cases, settled, config, dropped[Hindrance.LOOKS_ITS_ANSWER()])
        for short in settled.short:
            _log.info("%s: %s", month, short)
        statistics = replace(
            tally(cases),
            dropped=dropped,
            first_month=not material.before,
            shortfall=grid.missing(settled.grid),
            baselines=tuple(blind),
            curves=settled.curves,
            grid=tuple(settled.grid),
            standings=tuple(settled.standings),
            own={**spread(settled.surfaces), **rewritten},
        )
        askable = {candidate.group for block in blocks.blocks for candidate in block.candidates}
        return Made(cases, statistics, askable, settled.foils, renewed)

    def _matched(self, found: Blocks, material: Material, before: Stood) -> Blocks:
        """Without the blocks that look their answer most."""
        if not self.gated:
            return found
        kept = gate.matched(found.blocks, lambda: material.resemblance, before.blocks)
        gone = sum(len(block.candidates) for block in found.blocks) - sum(len(block.candidates) for block in kept)
        return found._replace(blocks=kept, dropped=found.dropped + Counter({Hindrance.LOOKS_ITS_ANSWER(): gone}))

    def _matcher(self, material: Material, before: Stood) -> "Matcher":
        """Measures what is chosen."""
        return lambda chosen, held: gate.match(chosen, lambda: material.resemblance, held, stood=before.blocks)

    def _gates(self, cases: Sequence[Case], settled: "Settled", config: QuestionConfig, matched: int) -> list[Baseline]:
        """What the blind score; `matched` facts went before since they look their answer.

        Raises:
            PartRefused: the suite is gated, and its questions give their answers away.
        """
        asked_blind = [_seen(case, surface) for case, surface in zip(cases, settled.surfaces, strict=True)]
        limits = blind_gate.Gate(config.blind_limit, config.blind_ends)
        blind = blind_gate.run(asked_blind, limits) if cases else []
        if self.gated:
            blind_gate.check(blind, limits)
            gate.check(settled.curves, matched)
        return blind

    def _own(self, found: Blocks, material: Material, config: QuestionConfig) -> Blocks:
        """What was found as this suite's, whichever suite words it: the group's id is made of the name, too."""
        name = material.index.namer.plain
        own = [
            Block(
                tuple(
                    one._replace(suite=self.name, domain=_domain(one, config), names=tuple(map(name, one.entities)))
                    for one in block.candidates
                )
            )
            for block in found.blocks
        ]
        return found._replace(blocks=own)


def _renewed(blocks: Iterable[Block], before: Stood, config: QuestionConfig, snapshot: str) -> set[str]:
    """Groups of blocks that were asked before and give their place to others."""
    return {
        one.group
        for block in blocks
        if all(one.group in before.blocks for one in block.candidates)
        and stood.renewed(block.identity, snapshot, seed=config.seed, share=config.renewal)
        for one in block.candidates
    }


def _domain(one: Candidate, config: QuestionConfig) -> str:
    """The domain that a fact counts for: that of its subject, or another for some groups of facts."""
    for group, domain, other in config.counted_for:
        if domain == one.domain and config.groups[group].has(one):
            return other
    return one.domain


def _reworded(
    session: Session, made: list[Case], config: QuestionConfig, ask: Ask | None, elsewhere: Collection[str]
) -> tuple[list[Case], dict[str, Any]]:
    """The cases, some of them in a served model's words, and counts; empty if nothing is rewritten."""
    if not config.rewriter:
        return made, {}
    rewrite.fetch(session, config.rewriter, made, ask)
    reworded = rewrite.apply(made, rewrite.known(session, config.rewriter, made), elsewhere)
    told = {"model": config.rewriter, "kept": reworded.kept, "rejected": dict(sorted(reworded.rejected.items()))}
    return reworded.cases, {"rewritten": told}


def _seen(case: Case, surface: Surface) -> blind_gate.BlindCase:
    """A case as the blind see it."""
    turned = case.mutation.startswith(("converse", "contrary"))
    places = [(one, (at == 0) != turned) for at, one in enumerate(surface.entities)]
    worded = worded_as(case.mutation)
    template = worded if case.suite == "temporal" else f"{surface.family} {worded}"
    return blind_gate.BlindCase(
        case.question, case.gold, case.suite, surface.block, template, surface.fame, tuple(places),
        negative(case.mutation),
    )  # fmt: skip


class Settled(NamedTuple):
    """A suite's cases, and why some of its facts could not be asked about after all: reason → facts."""

    cases: list[Case]
    surfaces: list[Surface]
    """What is behind each case."""
    dropped: Counter[Unasked]
    standings: list[BoundStanding]
    """To each bound."""
    grid: list[CellCount]
    foils: list[Foil]
    curves: tuple[Curve, ...]
    """What peers, frequency and the like tell of what is chosen."""

    @property
    def short(self) -> list[BoundStanding | CellCount]:
        """What is not as it was wanted."""
        return [*(one for one in self.standings if not one.held), *(one for one in self.grid if one.missing)]


Matcher = Callable[[Sequence[Chosen], frozenset[str]], Matching]
"""Says of what is chosen, and of the families that the gate holds, which blocks tell too much."""

_TRIMS, _REPLACED = 4, 2
"""How often blocks of what is chosen go that tell too much, and how often others take their place, which may tell, too.
"""


def settle(
    found: Blocks,
    domains: Sequence[str],
    config: QuestionConfig,
    prove: Callable[[Sequence[Candidate]], Sequence[Evidence | Unasked]],
    asked: Collection[str] = (),
    match: Matcher | None = None,
    before: Stood = NOTHING,
) -> Settled:
    """Choose blocks and prove their groups; without what has no proof in words, or tells too much, choose again.

    Args:
        found: what can be asked.
        domains: of the snapshot; with each kind that has a weight they are the cells.
        config: of the part.
        prove: evidence for each candidate, in order, or the reason why there is none.
        asked: questions that the month asks elsewhere.
        match: finds the blocks that look their answer; None: nobody looks.
        before: what the suite asked before.
    """
    design = Design(
        weights={(domain, kind): weight for domain in domains for kind, weight in config.weights.items()},
        target=config.target,
        caps=config.caps,
        seed=config.seed,
        least=config.least,
        bounds=config.bounds,
        features=readers(config.groups),
    )
    evidence: dict[str, Evidence] = {}
    dropped: Counter[Unasked] = Counter()
    supply = Supply(found.blocks, design, before.wordings)
    matching, trims = Matching(), _TRIMS
    while True:
        selection = supply.choose(asked)
        unproved = [one.candidate for one in selection.chosen if one.candidate.group not in evidence]
        failed = _proved(unproved, prove, evidence, dropped)
        if failed:
            # Where a premise has no words, others of its rule often have none either: a choice for each would be slow.
            known = failed | evidence.keys()
            alike = [one for one in supply.akin(failed) if one.group not in known]
            failed |= _proved(alike, prove, evidence, dropped)
        if not failed and match:
            matching = match(selection.chosen, matching.held)
            failed = {one.candidate.group for one in selection.chosen if one.block in matching.telling}
            if not trims:
                break
            dropped[Hindrance.LOOKS_ITS_ANSWER()] += len(failed)
            if trims <= _TRIMS - _REPLACED:
                supply = supply.only({one.candidate.group for one in selection.chosen})
            trims -= 1
        if not failed:
            break
        supply = supply.without(failed)
    if selection.repeated:
        dropped[Hindrance.REPEATED()] += selection.repeated
    made, surfaces = _members(selection.chosen, evidence)
    foils = _foils(selection.chosen)
    cells = grid.of(selection, design.weights, found.pool)
    return Settled(made, surfaces, +dropped, selection.standings, cells, foils, matching.curves)


def _proved(
    unproved: Sequence[Candidate],
    prove: Callable[[Sequence[Candidate]], Sequence[Evidence | Unasked]],
    evidence: dict[str, Evidence],
    dropped: Counter[Unasked],
) -> set[str]:
    """The groups whose proof has no words, counted in `dropped`; that of every other is put into `evidence`."""
    failed = set()
    for candidate, proved in zip(unproved, prove(unproved) if unproved else (), strict=True):
        if isinstance(proved, Unasked):
            failed.add(candidate.group)
            dropped[proved] += 1
        else:
            evidence[candidate.group] = proved
    return failed


def _members(chosen: Iterable[Chosen], evidence: Mapping[str, Evidence]) -> tuple[list[Case], list[Surface]]:
    """The cases of what is chosen, and what is behind each."""
    made: list[Case] = []
    surfaces: list[Surface] = []
    for one in chosen:
        members = cases_of(one.candidate, one.turn, evidence[one.candidate.group], one.licence)
        made += [member._replace(block=one.block) for member in members]
        surfaces += [Surface.of(one)] * len(members)
    return made, surfaces


def _foils(chosen: Iterable[Chosen]) -> list[Foil]:
    bases = (one.candidate.base for one in chosen if not isinstance(one.candidate.source, str))
    return [base for base in bases if isinstance(base, Foil)]
