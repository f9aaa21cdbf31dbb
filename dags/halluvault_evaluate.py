"""### HalluVault: ask the models, judge their answers

Started by the asset `halluvault://benchmark`, one keyed run per published month; or by hand, to backfill a model
over a past month: `airflow dags trigger halluvault_evaluate --conf '{"snapshot": "2026-10", "models": ["NAME"]}'`.
`variant` asks a kind of prompt other than the default: `"variant": "drowzee/chat"`; its prompts are made first.
`"sample": 300` asks and judges about that many questions of the month, drawn by strata; such a run stores no figures,
writes no report and announces nothing (`summarise`, `report`, `announce` are skipped); a run without it asks the rest.

**Lanes.** One task group per model server of config/models.yaml, each in the server's own pool (a slot is one
process with its part of the server's in-flight budget): `plan` identifies the server and counts what is missing,
`query` asks it (evaluation × shard), `whole` sees that no model was left out, `tally` adds up what was asked to its
end, `score` judges (small evaluations together in one process, pool `scoring`), `examine`, where models.yaml names an
examiner, asks it about what convicts (pool of its server), `summarise` computes the figures. Then `report` compares
whoever could be asked, and `announce` the asset `halluvault://results`, once all could. Of a model with `asking: batch`
`query` hands batches in, leaves its slot and looks again every `poll_seconds` (state up_for_reschedule).

**Runs.** Only what is missing is asked or judged: a run over a finished month asks nothing and adds no row. A lane that
fails does not stop the others, nor a model its neighbours on the same server: they are compared and in the report, in
the views and on the page. The run is marked failed, and the asset waits until every model has passed: once the cause is
mended, clear the whole run (`airflow dags clear halluvault_evaluate --run-id ID -y`): what is missing is asked, judged.
`halluvault report` writes a report of what exists.

**While it runs.** Each `query` task's log has a line every ten seconds (done, rate, failed attempts, in flight, time
left); the view `lanes` has the same as rows, updated every two seconds. A waiting lane says what it waits for.

**Pools.** One per server (its `pool` and `slots` in models.yaml) and `scoring`: see docs/operations.md.

#### Triage
- `choose`: no such published month, no such model, or none registered at all; or a file of config/ is faulty. The
  message names the file and lists what exists.
- `SERVER.plan`: none of its models can be asked: the server does not answer, speaks another dialect, or no prompt fits
  its limits. `halluvault models check`; start it or fix models.yaml, clear the run.
- `SERVER.whole`: some of its models could not be asked; an incident for each (`model_left_out`) says why. As above.
- `SERVER.query`: it was down for longer than `outage_seconds`, or became another model during the run; its account is
  empty or its quota spent (the message says until when, if the server does); or nothing can be read in the model's
  first answers. Clear the run: it asks only for what is missing. Another identity needs an evaluation of its own; see
  docs/querying.md. Of a batch that has not ended in time, was cancelled, or whose files are another's, the message has
  the command that gives it up.
- `SERVER.score`: the embedding model is missing, memory ran out (a slot of `scoring` is one model in memory), or what
  HALLUVAULT_EXTRACTOR names cannot read. `halluvault doctor`, then clear the task.
- `SERVER.examine`: Postgres is down, or memory ran out. An examiner that does not answer, or is another model, fails no
  task: an incident `not_examined` says so, its profile has no rates yet, and the next run asks what is missing.
- `SERVER.tally`, `SERVER.summarise`, `report`, `announce`: Postgres is down, or the disk is full. Clear the task.
- `report` warns that a model has no hallucination rate: more than 1 % was not delivered, or in more than 10 % of what
  was no verdict could be read. The run does not fail; an incident `no_headline` has the way out.
- `alert`: config/alerts.yaml cannot be read. It runs last and does not affect the run; a failing channel is in its log.

The run's note says what changed, and `report` has a button to the page of the month.

Every final failure is also a row of `incident`, shown on the HalluVault page.
"""

import logging
import os
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk import (
    Asset,
    IdentityMapper,
    Param,
    PartitionedAssetTimetable,
    TriggerRule,
    dag,
    get_current_context,
    task,
    task_group,
)
from airflow.sdk.exceptions import AirflowRescheduleException, AirflowSkipException
from halluvault_airflow import labels, month, notes, shape
from halluvault_airflow.database import results
from halluvault_airflow.defaults import LONG, deadline, default_args
from halluvault_airflow.links import ResultsLink
from halluvault_airflow.tokens import token_of

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import pools
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.wikidata import snapshot_keys
from halluvault_tasks.wikidata.snapshot_keys import parse_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from halluvault_tasks.querying.registry import ModelServer, Registry

log = logging.getLogger(__name__)

BENCHMARK = Asset(name="halluvault_benchmark", uri="halluvault://benchmark", group="halluvault")
LEFT_OUT = "left_out"
"""XCom of `plan`: names of the models that cannot be asked."""

RESULTS = Asset(name="halluvault_results", uri="halluvault://results", group="halluvault")


def _registry() -> "Registry":
    return load_models(settings().models_path, os.environ)


def _servers() -> "Sequence[ModelServer]":
    """The lanes to make; none if the file is faulty, so that `choose` reports it and not only the DAG's import."""
    return shape.or_else(lambda: _registry().servers, ())


def _examiner_pool() -> str:
    """Pool of the examiner's server; empty where none is configured, or the file is faulty."""

    def pool() -> str:
        registry = _registry()
        return registry.server(registry.model(registry.examiner.model).server).pool if registry.examiner else ""

    return shape.or_else(pool, "")


def _default_variant() -> str:
    from halluvault_tasks.benchmark import config

    return config.default_variant(settings().config_dir, settings().benchmark_size)


def _skip_a_sample() -> None:
    if count := get_current_context()["params"]["sample"]:
        raise AirflowSkipException(
            f"{count} questions are an estimate and no month's result: `halluvault evaluate --sample {count}` prints "
            "the rates on them and asks nothing twice; a run without `sample` asks the rest"
        )


@task
def choose() -> str:
    """The exact snapshot this run evaluates, settled once so that no later task sees another revision."""
    from halluvault_tasks.benchmark.export import reading
    from halluvault_tasks.cli.parts import configuration

    context = get_current_context()
    registry = _registry()
    models = registry.select(context["params"]["models"], left_out=registry.examiner_alone)
    configuration.require(settings().config_dir)
    with results() as session:
        snapshot = reading.meant(session, month.of_context(context))
    log.info("snapshot %s, models %s", snapshot, ", ".join(model.name for model in models))
    return snapshot


@task
def plan(snapshot: str, server: str) -> list[dict]:
    """Identify the server, find what it has not answered yet, and split that into shards."""
    from halluvault_tasks.querying import sample, stages

    context = get_current_context()
    params, ti = context["params"], context["ti"]
    with results() as session:
        only = stages.Only(params["models"], server, sample.part(session, snapshot, params["sample"]))
        chosen = {"registry": _registry(), "only": only, "token": token_of}
        if params["variant"]:
            planned = stages.plan(session, snapshot, variant=params["variant"], **chosen)
        else:
            planned = stages.plan_default(session, snapshot, _default_variant(), **chosen)
        for out in planned.left_out:
            where = f"{ti.dag_id}.{ti.task_id} {ti.run_id}"
            incidents.record(session, "model_left_out", where, out.why.message, out.why.way_out, snapshot)
    ti.xcom_push(LEFT_OUT, [out.model for out in planned.left_out])
    for one in planned.evaluations:
        log.info("%s: %d of %d responses missing, %d shards", one.model, one.missing, one.total, one.shards)
    return [
        {
            "snapshot": snapshot,
            "evaluation": one.evaluation_id,
            "model": one.model,
            "shard": shard,
            "shards": max(1, one.shards),
            "total": one.total,
        }
        for one in planned.evaluations
        # Nothing missing is still one shard: it asks nothing, and the evaluation continues to scoring.
        for shard in range(max(1, one.shards))
    ]


@task(map_index_template="{{ hv_label }}", execution_timeout=timedelta(hours=24))
def query(snapshot: str, evaluation: str, model: str, shard: int, shards: int, total: int) -> dict:
    """Ask for the missing responses of one shard."""
    from halluvault_tasks.querying import sample, stages
    from halluvault_tasks.reading.readable import any_verdict

    context = get_current_context()
    context["hv_label"] = f"{model} {shard + 1}/{shards}"
    chosen = {"portion": Portion(shard, shards), "registry": _registry(), "token": token_of}
    chosen["watch"] = stages.Watch(any_verdict=any_verdict)
    with results() as session:
        part = sample.part(session, snapshot, context["params"]["sample"])
        counts = stages.query_shard(session, evaluation, part=part, **chosen)
    if counts.waits:  # for a batch: a day may pass, in which nobody holds the slot
        raise AirflowRescheduleException(datetime.now(UTC) + timedelta(seconds=counts.waits))
    return {"evaluation": evaluation, "model": model, "shards": shards, "total": total, **counts._asdict()}


@task
def whole(left_out: list[str]) -> None:
    """Fail where models were left out: what the others say is no whole month."""
    if left_out:
        raise UserError(
            f"not asked: {', '.join(left_out)}; the incidents of this run's plan say why",
            "mend what they name, or take these models out of models.yaml",
        )


# A model that was not asked to its end keeps no other from being judged, nor is it judged on what there is.
@task(trigger_rule=TriggerRule.ALL_DONE_MIN_ONE_SUCCESS)
def tally(asked: list[dict]) -> list[dict[str, str]]:
    """Add up the shards; each entry (evaluations with their models) is scored in one process."""
    from halluvault_tasks.oracles.together import together

    models, sizes, shards = {}, {}, Counter[str]()
    for counts in asked:
        log.info("%s", counts)
        shards[counts["evaluation"]] += 1
        if shards[counts["evaluation"]] == counts["shards"]:
            models[counts["evaluation"]], sizes[counts["evaluation"]] = counts["model"], counts["total"]
    return [{one: models[one] for one in several} for several in together(sizes)]


@task(pool=pools.SCORING, map_index_template="{{ hv_label }}", **LONG)
def score(models: dict[str, str]) -> list[str]:
    """Judge responses that have no verdict yet, by every oracle profile."""
    from halluvault_tasks.oracles import stages
    from halluvault_tasks.oracles.extraction import choose as extractors

    get_current_context()["hv_label"] = labels.of(models.values())
    shared = stages.Shared(extractor=extractors.configured())
    with results() as session:
        for evaluation, model in models.items():
            log.info("%s: %s", model, stages.score(session, evaluation, shared=shared))
    return list(models)


@task(map_index_template="{{ hv_label }}", **LONG)
def examine(scored: list[str]) -> list[str]:
    """Ask the examiner about what convicts responses by their reasons, and judge these by what it upholds."""
    from halluvault_tasks.oracles import stages
    from halluvault_tasks.oracles.cross_examination import stages as cross_examination

    get_current_context()["hv_label"] = labels.of(scored)
    shared, registry, silent = stages.Shared(), _registry(), ""
    with results() as session:
        for evaluation in scored:
            counts = cross_examination.examine_if_due(
                session, evaluation, registry=registry, shared=shared, silent=silent, token=token_of
            )
            silent = (counts.why if counts else "") or silent
            log.info("%s: %s", evaluation, counts or "not examined")
    return scored


@task
def summarise(scored: list[list[str]]) -> list[str]:
    """Compute counts and rates of the lane's evaluations; the views show them from here on."""
    from halluvault_tasks.results import stages

    _skip_a_sample()
    evaluations = sorted(one for several in scored for one in several)
    with results() as session:
        for evaluation in evaluations:
            log.info("%s: %s", evaluation, stages.summarise(session, evaluation))
    return evaluations


def _measure_items(session: "Session", snapshot: str) -> None:
    """How hard questions are; a month of which no model's answers count has no such figures, and goes on."""
    from halluvault_tasks.results.items import shown, stages

    try:
        for note in shown.notes(stages.measure(session, snapshot)):
            log.info("%s", note)
    except UserError as error:
        log.warning("no item statistics: %s", error)


# Whoever could be asked is compared, whatever became of the others: failed, or skipped since nobody asked for them.
@task(trigger_rule=TriggerRule.ALL_DONE)
def report(snapshot: str | None) -> dict:
    """Compare the models; the month's report as one HTML file; say what changed."""
    from halluvault_tasks.results import changes, comparing, headlines
    from halluvault_tasks.results import report as reports

    if snapshot is None:
        raise AirflowSkipException("`choose` chose no month")
    _skip_a_sample()
    with results() as session:
        log.info("%s", comparing.compare(session, snapshot))
        for one in headlines.of_month(session, snapshot):
            log.warning("%s; not compared (%s)", one, one.way_out)
        _measure_items(session, snapshot)
        path = reports.write_report(session, snapshot, settings().state_dir / f"report-{snapshot}.html")
        changed, note = changes.of_results(session, snapshot), changes.note(session, snapshot)
    log.info("%s", changed)
    log.info("report: %s; page: HalluVault, under Browse in Airflow's menu", path)
    get_current_context()["ti"].xcom_push(notes.KEY, note)
    return changed.counts()


# A lane that nobody asked for is skipped; one that failed must keep the results from being announced as whole.
@task(outlets=[RESULTS], trigger_rule=TriggerRule.NONE_FAILED_MIN_ONE_SUCCESS)
def announce(snapshot: str, changed: dict) -> None:
    """Announce the month's results: every model was asked and judged."""
    _skip_a_sample()
    event = get_current_context()["outlet_events"][RESULTS]
    event.extra = changed
    event.add_partitions(snapshot)


@task
def alert(snapshot: str | None) -> int:
    """Report what config/alerts.yaml names; a teardown, so it runs last and does not affect the run's state."""
    from halluvault_airflow import notify

    context = get_current_context()
    if context["params"]["sample"]:
        return 0
    asked = parse_key(month.of_context(context)).row  # which incidents of tasks bear
    told = notify.tell(snapshot) if snapshot else 0
    return told + (notify.tell(asked, incidents_alone=True) if asked != snapshot else 0)


def lane(server: str, pool: str, examiner: str) -> Any:
    """One model server's tasks: a task group, named after it.

    Args:
        server: registry name.
        pool: of its query tasks.
        examiner: pool of the examiner's server; empty: nothing is examined.
    """

    @task_group(group_id=re.sub(r"[^A-Za-z0-9_-]", "_", server), tooltip=f"model server {server}, pool {pool}")
    def group(snapshot: str) -> Any:
        planned = plan(snapshot, server)
        asked = query.override(pool=pool).expand_kwargs(planned)
        all_asked = whole(planned[LEFT_OUT])
        asked >> all_asked
        scored = score.expand(models=tally(asked))
        if examiner:
            scored = examine.override(pool=examiner).expand(scored=scored)
        return summarise(scored), all_asked

    return group


@dag(
    dag_id="halluvault_evaluate",
    schedule=PartitionedAssetTimetable(assets=BENCHMARK, default_partition_mapper=IdentityMapper()),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=2,
    default_args=default_args(),
    dagrun_timeout=timedelta(days=7),
    deadline=deadline(hours=72),
    params={
        "snapshot": Param(
            None,
            type=["null", "string"],
            pattern=rf"^(\s*{snapshot_keys.PATTERN}\s*)?$",
            description="Month YYYY-MM (its highest revision with questions) or YYYY-MM.N. Empty: the run's partition.",
        ),
        "models": Param(
            [],
            type="array",
            items={"type": "string"},
            description="Names of models.yaml to ask; empty: all of them.",
        ),
        "variant": Param(
            None,
            type=["null", "string"],
            description="Prompt variant: id, TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT. Empty: default_variant "
            "of config/benchmark.yaml, and what further suites are asked in.",
        ),
        "sample": Param(
            0,
            type="integer",
            minimum=0,
            description="Ask only about this many questions of the month, drawn by strata, for an estimate; 0: all.",
        ),
    },
    tags=["halluvault", "evaluation"],
    doc_md=__doc__,
)
def halluvault_evaluate() -> None:
    """Wire one lane per model server, then what all lanes share."""
    snapshot = choose()
    reported = report(snapshot)
    reported.operator.operator_extra_links = (ResultsLink(),)
    announced = announce(snapshot, reported)
    announced >> alert(snapshot).as_teardown()
    examiner = _examiner_pool()
    for server in _servers():
        for last in lane(server.name, server.pool, examiner)(snapshot):
            last >> [reported, announced]


halluvault_evaluate()
