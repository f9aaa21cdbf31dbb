"""### HalluVault: refresh the month's benchmark

Once a month: pull Wikidata into an immutable snapshot, derive facts with SWI-Prolog, make questions whose truth the
snapshot decides, and publish them as the asset `halluvault://benchmark`, which starts `halluvault_evaluate`.

**Month.** `params.snapshot`, else the partition key, else the month of the data interval. The run of 1 November
works on `2026-10`. A live endpoint cannot travel in time, so only the last closed month can be pulled from one; to
pull that month again, give `{"snapshot": "2026-10.2"}`.

**Runs.** Any task can be killed and run again: raw pulled bodies, derived shards and the benchmark are rows in
Postgres, written completely or not at all. A month that is already published is a no-op: `open_snapshot` says so and
skips to `publish`, which announces the same benchmark again.

**Pools.** `wikidata` (1 slot). Create them before the first run: see docs/operations.md.

#### Triage
- `open_snapshot`: the month may not be pulled (still open, or past from a live endpoint), a file of config/ is faulty
  or benchmark.yaml has no such size, Postgres is away, or lacks what a month needs (order of texts, connections, room).
  The message names the key that works, file and line, or the SQL that mends it.
- `pull_metadata`, `pull_domain`, `complete`: the endpoint is down, slow or throttling. Wait first: retries back off and
  continue where they stopped. Then `halluvault doctor`. Their logs say once a minute how far they are, at what rate,
  and what is left; `halluvault snapshot show MONTH.1` says what is stored and what was given up.
- `pull_metadata` that names ids: config/domains.yaml has ids that Wikidata does not. Correct them, clear the task.
- `check_gates`: something is missing compared with the last month or with the pull itself. The incident gives gate,
  figure and bound; see "When a gate fails" in docs/operations.md. Nothing was published.
- `freeze`, `publish`: Postgres is down. Clear the task; what is frozen or published stays as it is.
- `type_rules`, `derive_temporal`: Prolog is missing, config/rules.yaml is invalid, or Postgres is down. Clear the task.
- `derive`, `check_derivation`: Prolog is missing, or rows do not match the manifest. Clear `derive`: a shard is
  replaced as a whole.
- `follow`: config/measured.yaml is invalid, or Postgres is down. Clear the task. A class of foils that later months
  refute is closed with an incident `class_closed`, which is no failure.
- `build_benchmark`: no part could be frozen; the message gives the reason for each. The configuration changed under
  frozen parts, the source is too small, or questions give their answers away. Restore config/benchmark.yaml, or make a
  new revision of the month. If only some parts are refused, each is an incident `part_refused`, not a failure: the
  month is published without them, as long as relation or temporal was built.
- `suite` (one for each suite that config/suites.yaml switches on; none by default): the month stays published. A model
  that should write for the suite is down, or the snapshot has too little for it: the message says which. Clear the
  task, or switch the suite off.
- `alert`: config/alerts.yaml cannot be read. It runs last and does not affect the run; a failing channel is in its log.

Every final failure is also a row of `incident`, shown on the HalluVault page; `alert` sends it to the channels of
config/alerts.yaml when the run ends.
"""

import logging
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from airflow.sdk import Asset, CronPartitionTimetable, Param, TriggerRule, dag, get_current_context, task
from airflow.sdk.exceptions import AirflowSkipException
from halluvault_airflow import month, notes, shape
from halluvault_airflow.database import results
from halluvault_airflow.defaults import LONG, deadline, default_args

from halluvault_tasks.benchmark.suites import switches
from halluvault_tasks.knowledge.config import DOMAINS, load_domains
from halluvault_tasks.knowledge.progress import LogReport, duration
from halluvault_tasks.querying import pools
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.wikidata import snapshot_keys
from halluvault_tasks.wikidata.snapshot_keys import parse_key

if TYPE_CHECKING:
    from halluvault_tasks.knowledge.client import WikidataClient
    from halluvault_tasks.knowledge.config import Domains

log = logging.getLogger(__name__)

BENCHMARK = Asset(name="halluvault_benchmark", uri="halluvault://benchmark", group="halluvault")


def _domains() -> "Domains":
    return load_domains(settings().config_dir / "domains.yaml")


def _snapshot() -> str:
    """The run's key, as in the tables."""
    return parse_key(month.of_context(get_current_context())).row


def _client() -> "WikidataClient":
    from halluvault_tasks.knowledge.client import WikidataClient, configured_limits

    return WikidataClient(settings().sparql_endpoint, settings().contact, limits=configured_limits(settings()))


@task.branch
def open_snapshot() -> str:
    """Make the snapshot's row and partitions; a published month skips to `publish`."""
    from airflow.sdk.configuration import conf

    from halluvault_tasks.benchmark import config
    from halluvault_tasks.cli.parts import configuration
    from halluvault_tasks.cli.parts.month_need import month_need
    from halluvault_tasks.knowledge import source_dates, source_names, stages
    from halluvault_tasks.results import changes
    from halluvault_tasks.storage import preconditions

    # A faulty file, or a size that does not exist, is said now, and not after days of pulling.
    configuration.require(settings().config_dir)
    config.load(settings().config_dir, settings().benchmark_size)
    client, as_of = _client(), datetime.now(UTC).date()
    source = settings().source or client.endpoint
    with results() as session:
        published = changes.is_published(session, _snapshot())
        if not published:  # a finished month needs no endpoint, and no room
            preconditions.require(session.connection(), month_need(conf.getint("core", "parallelism")))
            as_of = source_dates.settle(client, settings().as_of, as_of)
        row = stages.open_snapshot(session, _snapshot(), source=source, as_of=as_of, live=not client.local)
        if published:
            log.info("benchmark %s is already published: nothing to pull, derive or build", row.snapshot)
            return "publish"
        alone = source_names.alone(session, row.snapshot, row.source)
    log.info("snapshot %s is %s, as of %s, from %s", row.snapshot, row.status, row.as_of, row.source)
    if alone:
        log.warning(alone)
    return "pull_metadata"


@task(pool=pools.WIKIDATA)
def pull_metadata() -> dict:
    """Properties: datatypes, inverses, constraints."""
    from halluvault_tasks.knowledge import estimate, snapshots, stages

    client, configured = _client(), _domains()
    with results() as session:
        counts = stages.pull_metadata(session, _snapshot(), client=client, domains=configured)
        ahead = estimate.of(session, _snapshot(), snapshots.get(session, _snapshot()).source, configured)
    log.info(
        "%d requests to come, %g s apart, %s of gaps alone (estimated by %s)",
        ahead.remaining(),
        client.gap,
        duration(ahead.remaining() * client.gap),
        ahead.basis,
    )
    return counts._asdict()


@task(pool=pools.WIKIDATA, map_index_template="{{ hv_label }}", **LONG)
def pull_domain(domain: str) -> dict:
    """Seeds of one domain, their statements, ranks and qualifiers, as raw bodies."""
    from halluvault_tasks.knowledge import stages

    get_current_context()["hv_label"] = domain
    with results() as session:
        counts = stages.pull_domain(
            session, _snapshot(), domain, client=_client(), domains=_domains(), report=LogReport()
        )
    return counts._asdict()


@task(pool=pools.WIKIDATA, **LONG)
def complete() -> dict:
    """Labels, types and chains of what the domains mention; then bodies become statements."""
    from halluvault_tasks.knowledge import stages

    with results() as session:
        counts = stages.complete(session, _snapshot(), client=_client(), domains=_domains(), report=LogReport())
    return counts._asdict()


@task
def check_gates() -> dict:
    """Stop incomplete snapshots."""
    from halluvault_tasks.knowledge import stages

    with results() as session:
        report = stages.check_gates(session, _snapshot(), limits=_domains().gates)
    return report._asdict()


@task
def freeze() -> dict:
    """From here on the snapshot never changes."""
    from halluvault_tasks.knowledge import stages

    with results() as session:
        row = stages.freeze(session, _snapshot())
    return {"snapshot": row.snapshot, "content_hash": row.content_hash}


@task
def type_rules() -> dict:
    """Which rules this snapshot licenses, from metadata, figures and the reviewed list."""
    from halluvault_tasks.reasoning import stages

    with results() as session:
        counts = stages.type_rules(session, _snapshot(), rules_file=settings().config_dir / "rules.yaml")
    return counts._asdict()


@task(map_index_template="{{ hv_label }}", **LONG)
def derive(shard: int, shards: int) -> dict:
    """One shard of relations, derived in SWI-Prolog and attached whole."""
    from halluvault_tasks.reasoning import stages

    get_current_context()["hv_label"] = f"shard {shard + 1} of {shards}"
    with results() as session:
        counts = stages.derive_shard(
            session,
            _snapshot(),
            portion=Portion(shard, shards),
            prolog_dir=settings().prolog_dir,
            # Kept, so that anyone can ask the shard's facts and rules in swipl.
            scratch=settings().state_dir / "derivation",
        )
    return counts._asdict()


@task
def check_derivation(shards: int) -> dict:
    """Check that every shard is there with the rows of its manifest."""
    from halluvault_tasks.reasoning import stages

    with results() as session:
        return stages.check_derivation(session, _snapshot(), shards=shards)._asdict()


@task(**LONG)
def derive_temporal() -> dict:
    """Formulas over dated facts, each with the intervals where it holds."""
    from halluvault_tasks.reasoning.stages import exclusive_seats, settled_dates
    from halluvault_tasks.temporal import stages

    with results() as session:
        counts = stages.derive_temporal(
            session, _snapshot(), config=stages.TemporalConfig(), prolog_dir=settings().prolog_dir,
            settled=settled_dates(session, _snapshot()), exclusive=exclusive_seats(session, _snapshot()),
        )  # fmt: skip
    return counts._asdict()


@task(execution_timeout=timedelta(hours=2))
def follow() -> dict:
    """Which foils of earlier months this month makes true; classes of which too many were false are closed."""
    from halluvault_tasks.reasoning.following import step
    from halluvault_tasks.reasoning.measuring import classes

    with results() as session:
        counts = step.follow(session, _snapshot(), classes.load(settings().config_dir / classes.FILE))
    return counts._asdict()


@task(**LONG)
def build_benchmark() -> dict:
    """Questions with gold answers and proofs; each suite's part is frozen completely or not at all."""
    from halluvault_tasks.benchmark import stages
    from halluvault_tasks.querying.asking import asker

    with results() as session:
        counts = stages.build(
            session,
            _snapshot(),
            config_dir=settings().config_dir,
            size=settings().benchmark_size,
            # Asked only where benchmark.yaml has questions rewritten, which is off by default.
            ask=asker(settings().models_path, os.environ),
        )
    for part in counts.parts:
        log.info("%s: %s", part.suite, part)
    return counts.as_json()


@task(outlets=[BENCHMARK], trigger_rule=TriggerRule.NONE_FAILED_MIN_ONE_SUCCESS)
def publish() -> dict:
    """Publish snapshot and benchmark, say what changed, and announce the month to `halluvault_evaluate`."""
    from halluvault_tasks.benchmark.freeze import part_lookup
    from halluvault_tasks.knowledge import stages as knowledge
    from halluvault_tasks.results import changes

    snapshot = _snapshot()
    with results() as session:
        # Of a month that is published, a part that somebody keeps back stays so.
        if not changes.is_published(session, snapshot):
            part_lookup.publish(session, snapshot)
            knowledge.publish_snapshot(session, snapshot)
        changed = changes.of_benchmark(session, snapshot)
    log.info("%s", changed)
    context = get_current_context()
    context["ti"].xcom_push(notes.KEY, str(changed))
    event = context["outlet_events"][BENCHMARK]
    event.extra = changed._asdict()
    # A run started by hand carries no partition key; the event must, or nobody evaluates the month.
    event.add_partitions(snapshot)
    return changed._asdict()


@task(outlets=[BENCHMARK], map_index_template="{{ hv_label }}", **LONG)
def suite(name: str) -> dict:
    """A companion suite of config/suites.yaml: its part built and published, and the month announced once more."""
    from halluvault_tasks.benchmark import stages
    from halluvault_tasks.benchmark.freeze import part_lookup
    from halluvault_tasks.querying.asking import asker

    get_current_context()["hv_label"] = name
    snapshot = _snapshot()
    with results() as session:
        counts = stages.build(
            session,
            snapshot,
            config_dir=settings().config_dir,
            size=settings().benchmark_size,
            only=[name],
            ask=asker(settings().models_path, os.environ),
        )
        if part_lookup.of_month(session, snapshot, [name])[0].published:
            raise AirflowSkipException(f"the part {name} of {snapshot} is published already")
        part_lookup.publish(session, snapshot, [name])
    log.info("%s: %s", name, counts.parts[0])
    event = get_current_context()["outlet_events"][BENCHMARK]
    event.extra = {"suite": name, "cases": counts.sum("cases")}
    event.add_partitions(snapshot)
    return counts.as_json()


@task
def alert() -> int:
    """Report failures, by config/alerts.yaml; a teardown, so it runs last and does not affect the run's state."""
    from halluvault_airflow import notify

    return notify.tell(_snapshot(), incidents_alone=True)


@dag(
    dag_id="halluvault_refresh",
    schedule=CronPartitionTimetable("0 0 1 * *", timezone="UTC", run_offset=-1, key_format="%Y-%m"),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args=default_args(),
    dagrun_timeout=timedelta(days=3),
    deadline=deadline(hours=24),
    params={
        "snapshot": Param(
            None,
            type=["null", "string"],
            pattern=rf"^(\s*{snapshot_keys.PATTERN}\s*)?$",
            description="Month YYYY-MM, or YYYY-MM.2 to pull a month again. Empty: the run's partition.",
        ),
    },
    tags=["halluvault", "benchmark"],
    doc_md=__doc__,
)
def halluvault_refresh() -> None:
    """Wire the month's stages; each task is one call."""
    # Of a faulty file all domains that there may be: a run that was made with none would go on without pulling any,
    # once the file is fixed and the run's failed tasks are cleared.
    shards = shape.or_else(lambda: settings().derive_shards, 1)
    domains = shape.or_else(lambda: list(_domains().domains), list(DOMAINS))
    opened = open_snapshot()
    published = ended = publish()
    (
        opened
        >> pull_metadata()
        >> pull_domain.expand(domain=domains)
        >> complete()
        >> check_gates()
        >> freeze()
        >> type_rules()
        >> derive.partial(shards=shards).expand(shard=list(range(shards)))
        >> check_derivation(shards)
        >> [derive_temporal(), follow()]  # neither reads what the other writes
        >> build_benchmark()
        >> published
    )
    opened >> published
    # None by default: then the month ends as it always did, without a task that is skipped.
    if switched_on := shape.or_else(lambda: switches.switched_on(settings().config_dir), ()):
        ended = suite.expand(name=list(switched_on))
        published >> ended
    ended >> alert().as_teardown()


halluvault_refresh()
