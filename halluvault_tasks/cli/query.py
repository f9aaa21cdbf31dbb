"""`halluvault query`: ask the models what is missing, with live progress."""

import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.cli.common import SnapshotOption, durably, end_with, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import ModelsOption, TagOption, VariantOption, registry
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.progress import LaneProgress, Unanswered
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.reading.readable import any_verdict
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.portion import Portion

query = typer.Typer(no_args_is_help=True, help="Ask the models under test; only what is missing is asked.")


class ModelRun(NamedTuple):
    """What one run did for one model."""

    planned: stages.PlannedEvaluation
    counts: stages.QueryCounts
    failure: UserError | None = None
    """Why it was not asked to its end."""


class _Stopped(Exception):
    """Raised inside a lane when the command is stopped."""


@query.command()
def run(
    model: ModelsOption = None,
    server: Annotated[str, typer.Option("--server", help="Only this server's models.")] = "",
    tag: TagOption = "",
    snapshot: SnapshotOption = "",
    variant: VariantOption = "",
    again_dead: Annotated[
        bool, typer.Option("--again-dead", help="Forget dead letters first, so that they are asked again.")
    ] = False,
    again_batches: Annotated[
        bool,
        typer.Option(
            "--again-batches",
            help="Cancel and give up batches that have not been collected (`asking: batch`), so that what they lack is "
            "asked anew; the API may have charged for them.",
        ),
    ] = False,
) -> None:
    """Ask every model each question of a month's benchmark that it has not answered yet.

    Can be stopped and run again at any time: nothing is asked twice, nothing is lost. A model that cannot be asked
    keeps no other from being asked; it is named at the end, and the command exits with status 2.

    Example: halluvault query run --snapshot 2026-10 --model simulated/careful
    """
    found = registry()
    names = [entry.name for entry in found.select(model or (), server, tag, left_out=found.examiner_alone)]
    if not names:
        raise UserError("no model is left by --model, --server and --tag together", "`halluvault models list`")
    with open_session() as session:
        key = month_of(session, snapshot)
        planned = plan(session, key, found, names, variant)
        for each in planned.evaluations:
            if again_dead:
                stages.forget_dead(session, each.evaluation_id)
            if again_batches and (given_up := stages.forget_batches(session, each.evaluation_id, registry=found)):
                log.print(f"{each.model}: {given_up} batches given up", markup=False)
        if again_dead:
            planned = plan(session, key, found, names, variant)
    results = ask(planned.evaluations, found)
    out.print(_table(results))
    end_with([*not_asked(planned), *not_finished(results)])


_COLUMNS = ("asked", "delivered", "dead", "failed_attempts", *Unanswered._fields)


def _table(results: Sequence[ModelRun]) -> Table:
    table = Table("model", "evaluation", "questions", *(name.replace("_", " ") for name in _COLUMNS), "seconds")
    for asked in results:
        table.add_row(
            escape(asked.planned.model),
            asked.planned.evaluation_id,
            str(asked.planned.total),
            *(str(getattr(asked.counts, name)) for name in _COLUMNS),
            f"{asked.counts.seconds:.1f}",
        )
    return table


def not_asked(planned: stages.Planned) -> list[UserError]:
    """What a command ends with for each model that was left out."""
    return [UserError(f"not asked: {one.why.message}", one.why.way_out) for one in planned.left_out]


def not_finished(results: Sequence[ModelRun]) -> list[UserError]:
    """What a command ends with for each model that was not asked to its end."""
    failures = [asked.failure for asked in results if asked.failure is not None]
    return [UserError(f"not asked to the end: {failure.message}", failure.way_out) for failure in failures]


def plan(
    session: Session,
    snapshot: str,
    found: Registry,
    names: Sequence[str],
    variant: str,
    part: frozenset[str] = frozenset(),
) -> stages.Planned:
    """Plan; no variant means the default ones."""
    configured = config.default_variant(settings().config_dir, settings().benchmark_size)
    only = stages.Only(names, part=part)
    if variant:
        return stages.plan(session, snapshot, registry=found, only=only, variant=variant)
    return stages.plan_default(session, snapshot, configured, registry=found, only=only)


def ask(
    planned: Sequence[stages.PlannedEvaluation], found: Registry, part: frozenset[str] = frozenset()
) -> list[ModelRun]:
    """Ask all planned evaluations with live progress: servers side by side, each with as many shards as it has slots.

    Args:
        planned: from `stages.plan`.
        found: the registry that it was planned with.
        part: the cases that it was planned with.

    Returns:
        Counts per evaluation, in the order of `planned`, and what stopped it; seconds are summed over its shards.
    """
    stop, bars = threading.Event(), _bars()
    by_server: dict[str, ThreadPoolExecutor] = {}
    tellers: dict[str, _Teller] = {}
    beat = heartbeat(
        lambda: "; ".join(teller.line() for teller in tellers.values() if teller.shards) or "asking", bars=True
    )
    with bars, beat:
        tellers |= {
            each.evaluation_id: _Teller(
                each,
                bars,
                # Nothing to ask, nothing to draw.
                bars.add_task(escape(each.model), total=each.missing, note="", visible=each.missing > 0),
                stop,
            )
            for each in planned
        }
        futures = {}
        for each in planned:
            pool = by_server.setdefault(
                each.server, ThreadPoolExecutor(found.server(each.server).slots, thread_name_prefix=each.server)
            )
            for shard in range(each.shards):
                teller = tellers[each.evaluation_id].for_shard(shard)
                futures[pool.submit(_shard, each, shard, found, part, teller)] = each
        try:
            sums, failures = _followed(futures)
        finally:
            stop.set()  # Ctrl-C: the lanes notice with their next report
            for pool in by_server.values():
                pool.shutdown(cancel_futures=True)
    return [ModelRun(each, _summed(sums[each.evaluation_id]), failures.get(each.evaluation_id)) for each in planned]


def _followed(
    shards: Mapping[Future[stages.QueryCounts], stages.PlannedEvaluation],
) -> tuple[Mapping[str, Counter[str]], Mapping[str, UserError]]:
    """Wait for all shards; by evaluation, their counts added up, and what stopped one of them."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    failures: dict[str, UserError] = {}
    unforeseen: list[BaseException] = []
    for shard in as_completed(shards):
        evaluation, failure = shards[shard].evaluation_id, None if shard.cancelled() else shard.exception()
        if isinstance(failure, UserError):
            failures.setdefault(evaluation, failure)
            # What stopped this one would stop the evaluation's others, after each had waited as long.
            for other in [other for other, its in shards.items() if its.evaluation_id == evaluation]:
                other.cancel()
        elif failure is not None:
            unforeseen.append(failure)
        elif not shard.cancelled():
            sums[evaluation].update(shard.result()._asdict())
    if unforeseen:
        raise unforeseen[0]
    return sums, failures


def _bars() -> Bars:
    return Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=log,
    )


def _summed(counts: Mapping[str, float]) -> stages.QueryCounts:
    whole = {name: int(counts[name]) for name in _COLUMNS}
    return stages.QueryCounts(**whole, seconds=float(counts["seconds"]))


def _shard(
    each: stages.PlannedEvaluation, shard: int, found: Registry, part: frozenset[str], teller: "_ShardTeller"
) -> stages.QueryCounts:
    def step(session: Session) -> stages.QueryCounts:
        watch = stages.Watch(teller, any_verdict, teller.pause)
        portion = Portion(shard, each.shards)
        return stages.query_shard(session, each.evaluation_id, portion=portion, registry=found, part=part, watch=watch)

    with suppress(_Stopped):
        return durably(step, pause=teller.pause)
    return stages.QueryCounts(0, 0, 0, 0, 0.0)


class _Teller:
    """One evaluation's bar, fed by its shards."""

    def __init__(self, asked: stages.PlannedEvaluation, bars: Bars, task: TaskID, stop: threading.Event) -> None:
        self._asked, self.bars, self.task, self.stop = asked, bars, task, stop
        self.shards: dict[int, LaneProgress] = {}
        self._note = ""

    def for_shard(self, shard: int) -> "_ShardTeller":
        return _ShardTeller(self, shard)

    def show(self) -> None:
        parts = list(self.shards.values())
        failed: Counter[str] = Counter()
        for part in parts:
            failed.update(part.failures)
        errors = ", ".join(f"{count} {kind}" for kind, count in sorted(failed.items()))
        note = f"{sum(part.rate for part in parts):.0f}/s, {sum(part.in_flight for part in parts)} in flight"
        dead = sum(part.dead for part in parts)
        unanswered = Unanswered(*map(sum, zip(*(part.unanswered for part in parts), strict=True))).words()
        note += "".join(
            f", {told}"
            for told in (f"{dead} dead" if dead else "", unanswered, f"failed attempts: {errors}" if errors else "")
            if told
        )
        waits = sorted({part.note for part in parts if part.note})
        self._note = "; ".join([note, *waits])
        self.bars.update(self.task, completed=sum(part.done for part in parts), note=escape(self._note))

    def line(self) -> str:
        """How far it is, for a log."""
        done = sum(part.done for part in list(self.shards.values()))
        return f"{self._asked.model}: {done} of {self._asked.missing} asked, {self._note}"


class _ShardTeller:
    def __init__(self, teller: _Teller, shard: int) -> None:
        self._teller, self._shard = teller, shard

    def pause(self, seconds: float) -> None:
        """While something is waited for outside of the lane."""
        if self._teller.stop.wait(seconds):
            raise _Stopped

    def __call__(self, now: LaneProgress) -> None:
        if self._teller.stop.is_set():
            raise _Stopped
        self._teller.shards[self._shard] = now
        self._teller.show()


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(query, name="query")
