"""`halluvault evaluate`: models on one month or many, from asking to the rates."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated, NamedTuple

import typer
from rich.console import RenderableType
from rich.markup import escape
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import durably, end_with, log, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import ModelsOption, TagOption, VariantOption, registry
from halluvault_tasks.cli.parts import airflow_runs
from halluvault_tasks.cli.parts.configuration import require
from halluvault_tasks.cli.parts.ranges import ExistingOption, require_whole
from halluvault_tasks.cli.query import ask, not_asked, not_finished, plan
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import stages as oracle_stages
from halluvault_tasks.oracles.cross_examination import stages as cross_examination
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.oracles.extraction.base import Extractor, Tool
from halluvault_tasks.querying import backfill
from halluvault_tasks.querying import sample as sampling
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.stages import Planned, PlannedEvaluation
from halluvault_tasks.results import comparing, headlines, sampled, stages
from halluvault_tasks.results import months as over_months
from halluvault_tasks.results import show as shown
from halluvault_tasks.results.headlines import NoHeadline
from halluvault_tasks.results.items import core as cores
from halluvault_tasks.settings import settings

SnapshotsOption = Annotated[
    str,
    typer.Option(
        "--snapshots",
        "--snapshot",
        help="Month YYYY-MM (its highest revision with questions), YYYY-MM.N, a list 2026-01,2026-03, a range "
        "2026-01..2026-10, or all. Empty: newest.",
    ),
]


class _Sample(NamedTuple):
    """So many questions of a month, drawn by strata; 0: all of them."""

    questions: int

    def part(self, session: Session, key: str) -> frozenset[str]:
        """The questions that are asked; empty: all."""
        return sampling.part(session, key, self.questions)

    def told(
        self, session: Session, key: str, evaluations: Sequence[str], part: frozenset[str], of: int
    ) -> sampled.SampledRates:
        """What is printed once they are judged."""
        return sampled.estimate(session, evaluations, part, of)


class _Core(NamedTuple):
    """The core of a month, of so many questions."""

    questions: int

    def part(self, session: Session, key: str) -> frozenset[str]:
        """The questions that are asked."""
        return cores.core(session, key, self.questions).cases

    def told(
        self, session: Session, key: str, evaluations: Sequence[str], part: frozenset[str], of: int
    ) -> sampled.SampledRates:
        """What is printed once they are judged."""
        chosen = cores.core(session, key, self.questions)
        found = cores.placed(session, key, evaluations, chosen)
        return sampled.SampledRates(cores.table(found, chosen, of), cores.without(found, key))


class _Done(NamedTuple):
    """What a command could not do."""

    faults: list[UserError]
    """Of models that could not be asked, or not to the end."""
    without: list[NoHeadline]
    """Judged, and without a rate."""


def evaluate(  # noqa: PLR0913 (typer: its parameters are its options)
    model_names: ModelsOption = None,
    server: Annotated[str, typer.Option("--server", help="Only this server's models.")] = "",
    tag: TagOption = "",
    months: SnapshotsOption = "",
    variant: VariantOption = "",
    existing: ExistingOption = False,
    baseline: Annotated[
        str, typer.Option("--baseline", help="Compare each model with this one, question by question.")
    ] = "",
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            min=1,
            help="Ask only this many questions of each month, the same for every model, drawn by strata; print the "
            "rates on these. The same command without it asks the rest.",
        ),
    ] = None,
    core: Annotated[
        int | None,
        typer.Option(
            "--core",
            min=1,
            help="Ask only the core of each month, so many questions (see `benchmark core`), and print what they let "
            "expect of all, beside the models that were asked all.",
        ),
    ] = None,
    via_airflow: Annotated[
        bool, typer.Option("--via-airflow", help="Let Airflow do it: one run per month, followed to its end.")
    ] = False,
) -> None:
    """Evaluate models on one month or many: ask what is missing, judge it, compute the rates, print them.

    Can be stopped and run again at any time; a second run finds its work done. A model that cannot be asked keeps no
    other from being asked and judged; it is named at the end, and the command exits with status 2. To backfill a model
    that is new in models.yaml, give a range of past months; other models' results are not touched. If a range has
    months without a published benchmark, they are named with the reason, and the command exits with status 3 unless
    --existing is given. It exits with status 4 if a model that it asked has no rate: more than 1 % of its answers were
    not delivered, or in more than 10 % of those delivered no verdict could be read.

    Examples: halluvault evaluate --model my-model --snapshots 2026-10 --core 300;
    halluvault evaluate --model my-model --snapshots 2026-05..2026-10 --existing --baseline other-model;
    halluvault evaluate --model my-model --snapshots 2026-05..2026-10 --via-airflow
    """
    found = registry()
    names = [entry.name for entry in found.select(model_names or (), server, tag, left_out=found.examiner_alone)]
    if not names:
        raise UserError("no model is left by --model, --server and --tag together", "`halluvault models list`")
    if core and (sample or via_airflow):
        raise UserError("--core goes neither with --sample nor with --via-airflow", "give one of them")
    asked = _Core(core) if core else _Sample(sample or 0)
    require(settings().config_dir)
    reads = None if via_airflow else choose.configured()
    if isinstance(reads, Tool):
        log.print(reads.check(), style="dim", markup=False)  # now, and not after hours of asking
    keys = durably(partial(_months, wanted=months, existing=existing), first=True)
    if baseline and baseline not in names:  # it may have left models.yaml; now, and not after hours of asking
        durably(partial(over_months.require_asked, keys=keys, baseline=baseline))
    if via_airflow:
        done = _through_airflow(keys, names, variant, sample or 0)
    else:
        done = _here(keys, found, names, variant, asked, reads)
    for table in durably(lambda session: _tables(session, keys, names, whole=not (sample or core), baseline=baseline)):
        out.print(table)
    _end(done)


def _end(done: _Done) -> None:
    """Say what the command could not do, and end it with a status that says so, too."""
    for one in done.without:
        log.print(f"{one} → {one.way_out}", style="yellow", markup=False, soft_wrap=True)
    end_with(done.faults)
    if done.without:
        raise typer.Exit(headlines.STATUS)


def _printed(found: sampled.SampledRates) -> list[NoHeadline]:
    out.print(found.table)
    return found.without


def _tables(
    session: Session, keys: Sequence[str], names: Sequence[str], *, whole: bool, baseline: str
) -> list[RenderableType]:
    """What the command ends with."""
    told: list[RenderableType] = []
    if whole and len(keys) == 1:
        told += shown.of_models(session, keys[0], [*names, *filter(None, (baseline,))])
    elif whole:
        told.append(over_months.over(session, keys, names))
    return [*told, over_months.against(session, keys, names, baseline)] if baseline else told


def _months(session: Session, *, wanted: str, existing: bool) -> list[str]:
    """Exact keys; what a range lacks is said, and ends the command unless it may be left out."""
    require_whole(session, wanted, existing=existing, done="asked")
    return backfill.months(session, wanted)


def _here(
    keys: Sequence[str],
    found: Registry,
    names: Sequence[str],
    variant: str,
    asks: _Sample | _Core,
    reads: Extractor | None,
) -> _Done:
    """Ask and judge month by month; a model that cannot be asked is left out of the months that follow.

    Raises:
        UserError: no model can be asked.
    """
    embed = SentenceBert(settings().embedding_model)  # loaded once for all months, and only if needed
    done = _Done([], [])
    for number, key in enumerate(keys, 1):
        if len(keys) > 1:
            log.print(f"month {key} ({number} of {len(keys)})")
        step = partial(_planned, key=key, found=found, names=names, variant=variant, asks=asks)
        planned, part = durably(step)
        asked = ask(planned.evaluations, found, part)
        done.faults.extend([*not_asked(planned), *not_finished(asked)])
        whole = [each.planned for each in asked if each.failure is None]
        for each in whole:
            log.print(f"judging {escape(each.model)} …", style="dim")
            with heartbeat(f"judging {each.model}"):
                judge = partial(_judge, each=each, registered=found, embed=embed, reads=reads, summarise=not part)
                durably(judge)
        if not whole:
            end_with(done.faults)
        names = [name for name in names if name in {each.model for each in whole}]
        ids = [each.evaluation_id for each in whole]
        if not part:
            durably(partial(comparing.compare, snapshot=key))
            done.without.extend(durably(partial(headlines.of_evaluations, evaluations=ids)))
        else:
            of = max(each.total for each in whole)
            done.without.extend(_printed(durably(partial(asks.told, key=key, evaluations=ids, part=part, of=of))))
    return done


def _through_airflow(keys: Sequence[str], names: Sequence[str], variant: str, sample: int) -> _Done:
    """One run a month, followed to its end; of a sample the rates on it are printed."""
    airflow_runs.evaluate(keys, names, variant, sample)
    if not sample:
        return _Done([], durably(partial(headlines.of_models, keys=keys, models=names)))
    estimated = (durably(partial(_estimate, key=key, names=names, sample=sample)) for key in keys)
    return _Done([], [model for found in estimated for model in _printed(found)])


def _planned(
    session: Session, *, key: str, found: Registry, names: Sequence[str], variant: str, asks: _Sample | _Core
) -> tuple[Planned, frozenset[str]]:
    part = asks.part(session, key)
    return plan(session, key, found, names, variant, part), part


def _estimate(session: Session, *, key: str, names: Sequence[str], sample: int) -> sampled.SampledRates:
    """Rates on a part that Airflow asked."""
    part = sampling.part(session, key, sample)
    evaluations = sampling.asked(session, key, names, part)
    return sampled.estimate(session, evaluations, part, len(sampling.drawn(session, key, sys.maxsize)))


def _judge(
    session: Session,
    *,
    each: PlannedEvaluation,
    registered: Registry,
    embed: SentenceBert,
    reads: Extractor | None,
    summarise: bool,
) -> None:
    """Judge what was asked; rates of a part of a month are no result of it, and stay out of the views."""
    shared = oracle_stages.Shared(embed, reads)
    oracle_stages.score(session, each.evaluation_id, shared=shared)
    if registered.examiner is not None:
        cross_examination.examine_if_due(session, each.evaluation_id, registry=registered, shared=shared)
    if summarise:
        stages.summarise(session, each.evaluation_id)


def register(app: typer.Typer) -> None:
    """Add this command to the root."""
    app.command()(evaluate)
