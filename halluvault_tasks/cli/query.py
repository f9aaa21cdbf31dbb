"""`halluvault query`: ask the models what is missing, with live progress."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.cli.common import SnapshotOption, durably, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import ModelsOption, TagOption, VariantOption, registry
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.progress import Progress
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.portion import Portion

query = typer.Typer(no_args_is_help=True, help="Ask the models under test; only what is missing is asked.")


class Asked(NamedTuple):
    """What one run did for one model."""

    planned: stages.PlannedEvaluation
    counts: stages.QueryCounts


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
) -> None:
    """Ask every model each question of a month's benchmark that it has not answered yet.

    Can be stopped and run again at any time: nothing is asked twice, nothing is lost.

    Example: halluvault query run --snapshot 2026-10 --model simulated/careful
    """
    found = registry()
    names = [entry.name for entry in found.select(model or (), server, tag)]
    if not names:
        raise UserError("no model is left by --model, --server and --tag together", "`halluvault models list`")
    with open_session() as session:
        key = month_of(session, snapshot)
        planned = plan(session, key, found, names, variant)
        if again_dead:
            for each in planned:
                stages.forget_dead(session, each.evaluation_id)
            planned = plan(session, key, found, names, variant)
    table = Table("model", "evaluation", "questions", "asked", "delivered", "dead", "failed attempts", "seconds")
    for asked in ask(planned, found):
        table.add_row(
            escape(asked.planned.model),
            asked.planned.evaluation_id,
            str(asked.planned.total),
            *(str(value) for value in asked.counts[:4]),
            f"{asked.counts.seconds:.1f}",
        )
    out.print(table)


def plan(
    session: Session,
    snapshot: str,
    found: Registry,
    names: Sequence[str],
    variant: str,
    part: frozenset[str] = frozenset(),
) -> list[stages.PlannedEvaluation]:
    """Plan; no variant means the default ones."""
    configured = config.default_variant(settings().config_dir, settings().benchmark_size)
    only = stages.Only(names, part=part)
    if variant:
        return stages.plan(session, snapshot, registry=found, only=only, variant=variant)
    return stages.plan_default(session, snapshot, configured, registry=found, only=only)


def ask(
    planned: Sequence[stages.PlannedEvaluation], found: Registry, part: frozenset[str] = frozenset()
) -> list[Asked]:
    """Ask all planned evaluations with live progress: servers side by side, each with as many shards as it has slots.

    Args:
        planned: from `stages.plan`.
        found: the registry that it was planned with.
        part: the cases that it was planned with.

    Returns:
        Counts per evaluation, in the order of `planned`; seconds are summed over its shards.

    Raises:
        UserError: the first lane's failure, after the others have ended.
    """
    stop, bars = threading.Event(), _bars()
    by_server: dict[str, ThreadPoolExecutor] = {}
    sums: dict[str, Counter[str]] = {each.evaluation_id: Counter() for each in planned}
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
        failures: list[BaseException] = []
        try:
            for future in as_completed(futures):
                failure = future.exception()
                if failure is not None:
                    failures.append(failure)
                else:
                    sums[futures[future].evaluation_id].update(future.result()._asdict())
        finally:
            stop.set()  # Ctrl-C: the lanes notice with their next report
            for pool in by_server.values():
                pool.shutdown(cancel_futures=True)
    if failures:
        told = [failure for failure in failures if isinstance(failure, UserError)]
        raise told[0] if told else failures[0]
    return [Asked(each, _summed(sums[each.evaluation_id])) for each in planned]


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
    return stages.QueryCounts(
        asked=int(counts["asked"]),
        delivered=int(counts["delivered"]),
        dead=int(counts["dead"]),
        failed_attempts=int(counts["failed_attempts"]),
        seconds=float(counts["seconds"]),
    )


def _shard(
    each: stages.PlannedEvaluation, shard: int, found: Registry, part: frozenset[str], teller: "_ShardTeller"
) -> stages.QueryCounts:
    def step(session: Session) -> stages.QueryCounts:
        return stages.query_shard(
            session, each.evaluation_id, portion=Portion(shard, each.shards), registry=found, part=part, progress=teller
        )

    with suppress(_Stopped):
        return durably(step, pause=teller.pause)
    return stages.QueryCounts(0, 0, 0, 0, 0.0)


class _Teller:
    """One evaluation's bar, fed by its shards."""

    def __init__(self, asked: stages.PlannedEvaluation, bars: Bars, task: TaskID, stop: threading.Event) -> None:
        self._asked, self.bars, self.task, self.stop = asked, bars, task, stop
        self.shards: dict[int, Progress] = {}
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
        note += (f", {dead} dead" if dead else "") + (f", failed attempts: {errors}" if errors else "")
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

    def __call__(self, now: Progress) -> None:
        if self._teller.stop.is_set():
            raise _Stopped
        self._teller.shards[self._shard] = now
        self._teller.show()


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(query, name="query")
