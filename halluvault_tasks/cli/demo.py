"""`halluvault demo`: a finished month on this machine, and the page over it."""

import shlex
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import RenderableType
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts import mitigation
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local import access, airflow, demo, planted_vs_measured, processes, row_counts, tuned_model, watch
from halluvault_tasks.local import real_model as real
from halluvault_tasks.local.month import Month
from halluvault_tasks.local.supervisor import CrashLoop
from halluvault_tasks.local.tuned_model import Workshop
from halluvault_tasks.results import report, show
from halluvault_tasks.results.mitigation.facts import HeadlineEvaluation
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import incident

_T = TypeVar("_T")
_LOOKS, _BEGINNINGS = 30, 3

demos = typer.Typer(no_args_is_help=True, help="A finished month on this machine, in real Airflow.")

SourceOption = Annotated[
    Path | None,
    typer.Option(help="RDF file in Wikidata's format (.nt, .nt.gz) instead of the bundled sample."),
]

RealOption = Annotated[bool, typer.Option("--real-model", help="Of `make real-model` instead.")]


@demos.command()
def run(
    source: SourceOption = None,
    as_of: Annotated[str, typer.Option(help="Date of the source's data, YYYY-MM-DD; empty: what it states.")] = "",
    keep: Annotated[bool, typer.Option(help="Leave Airflow and Postgres running and print URL and login.")] = False,
    real_model: Annotated[
        Path | None,
        typer.Option(
            metavar="PYTHON",
            help="Ask SmolLM2-135M-Instruct, served by this interpreter, and no simulated model (`make real-model`).",
        ),
    ] = None,
) -> None:
    """Run the last closed month end to end and print the hallucination rates.

    State stays under .halluvault/; a second run finds its work done and adds no row.
    """
    day = _as_of(source, as_of)
    model = real.found(real_model) if real_model else None
    state = demo.state_directory(source, model is not None)
    with demo.locked(state):
        _say_what_ends(state)
        finished = False
        try:
            stack = _start(state, source, day, model)
            before = _durably(stack, row_counts.count)
            try:
                _follow(stack)
            except UserError:
                _print_incidents(stack)
                raise
            _print_results(stack, before, simulated=model is None)
            finished = True
            if keep:
                _print_access(access.give(stack), f"make stop{_arguments(source, model is not None)}")
        except KeyboardInterrupt:
            log.print("interrupted; the same command resumes here. Stopping what was started", markup=False)
            raise
        finally:
            if not (keep and finished):
                _stop(state)
                if finished:
                    again = _arguments(source, model is not None)
                    log.print(f"Everything started is stopped. The page: make page{again}", markup=False)


ServerOption = Annotated[Path, typer.Option(metavar="PYTHON", help="Interpreter with llama.cpp's server and weights.")]
TrainerOption = Annotated[Path, typer.Option(metavar="PYTHON", help="Interpreter with TRL and FastEdit.")]
CountOption = Annotated[
    int, typer.Option("--sample", min=0, help="Approximate number of questions to ask; 0: all of the month.")
]


@demos.command()
def tuned(server: ServerOption, trainer: TrainerOption, count: CountOption = 120) -> None:
    """Tune SmolLM2-135M-Instruct on what it got wrong in the month, ask it again and compare (`make tuned-model`).

    State stays under .halluvault/tuned-model; a second run does only what is missing.
    """

    def change(month: Month, shop: Workshop, before: HeadlineEvaluation) -> None:
        pairs = tuned_model.exported(month, shop, before)
        log.print(f"tuning on {pairs}, unless that is done", markup=False, soft_wrap=True)
        tuned_model.write_weights(shop, tuned_model.TUNED, "tune.py", "--pairs", pairs)

    _changed(Workshop(_beside("tuned-model"), trainer, real.found(server), count), tuned_model.TUNED, change)


@demos.command()
def edited(
    server: ServerOption,
    trainer: TrainerOption,
    count: CountOption = 0,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most edits.")] = 150,
) -> None:
    """Edit SmolLM2-135M-Instruct by FastEdit where it was wrong, ask it again and compare (`make edited-model`).

    State stays under .halluvault/edited-model; a second run does only what is missing.
    """

    def change(month: Month, shop: Workshop, before: HeadlineEvaluation) -> None:
        file = tuned_model.requested(month, shop, before, limit)
        log.print(f"editing by {file}, unless that is done", markup=False, soft_wrap=True)
        tuned_model.write_weights(shop, tuned_model.EDITED, "edit.py", file)

    _changed(Workshop(_beside("edited-model"), trainer, real.found(server), count), tuned_model.EDITED, change)


def _beside(name: str) -> Path:
    return demo.state_directory(None, True).with_name(name)


def _changed(shop: Workshop, name: str, change: Callable[[Month, Workshop, HeadlineEvaluation], None]) -> None:
    """Ask the model, change it, ask what it became, and print the rows of `results edited`."""
    with demo.locked(shop.state):
        _say_what_ends(shop.state)
        with heartbeat("making the demo's month"), ExitStack() as opened:
            month = opened.enter_context(tuned_model.month(shop.state))
            kept = opened.pop_all()
        with kept:
            tuned_model.write_weights(shop, real.NAME)
            before = _asked(month, shop, real.NAME)
            change(month, shop, before)
            after = _asked(month, shop, name)
            rows = tuned_model.compared(month, before, after)
            mitigation.show(f"{month.snapshot}: {name} against {real.NAME}", rows)


@demos.command()
def page(source: SourceOption = None, real_model: RealOption = False) -> None:
    """Serve the results page of the last demo, behind a login, until Ctrl-C; if it is running, print its URL."""
    state = demo.state_directory(source, real_model)
    if not (state / "postgres").exists():
        raise UserError(f"no demo has run yet in {state}", "run `make demo` or `make real-model` first")
    with demo.locked(state):
        if running := access.of_running(state):
            log.print("`make demo KEEP=1` left it running: this is its page.", markup=False)
            _print_access(running, f"make stop{_arguments(source, real_model)}")
            return
        _say_what_ends(state)
        try:
            log.print("Starting Postgres and Airflow's api-server …")
            stack = demo.start(state, source, _as_of(source, ""), demo.today(), fresh=False)
            demo.start_airflow(stack, ("api-server",))
            _print_access(access.give(stack), "Ctrl-C")
            while True:
                stack.supervisor.look()
                time.sleep(1.0)
        except KeyboardInterrupt:
            pass
        finally:
            _stop(state)


@demos.command()
def stop(source: SourceOption = None, real_model: RealOption = False) -> None:
    """Stop what `make demo KEEP=1` left running."""
    state = demo.state_directory(source, real_model)
    with demo.locked(state):
        ended = _stop(state)
    log.print(f"stopped: {', '.join(ended)}" if ended else f"nothing was running on {state}", markup=False)


def _start(state: Path, source: Path | None, as_of: date | None, model: real.RealModel | None) -> demo.Stack:
    start = partial(demo.start, state, source, as_of, demo.today(), model=model)
    # A function, since what is logged on the way, as that a port is open, is no step.
    with heartbeat(lambda: "starting Postgres, SPARQL endpoint, model servers, Airflow's database"):
        for left in reversed(range(_BEGINNINGS)):
            try:
                stack = start()
                break
            except UserError as error:
                ended = any(child.process() is None for child in processes.recorded(state / "pids"))
                if not left or isinstance(error, CrashLoop) or not (ended or isinstance(error, Unavailable)):
                    raise
                # Most often Postgres, under what others ask of it before the supervisor is asked to look.
                log.print(f"{error.message}; beginning again", style="yellow", markup=False, soft_wrap=True)
    day, stated = stack.dated
    if source and not stated:
        log.print(
            f"{source} states no date; taking its modification date {day}; give AS_OF=YYYY-MM-DD",
            style="yellow",
            markup=False,
            soft_wrap=True,
        )
    log.print(f"month {stack.snapshot}, data as of {day}, state in {state}", markup=False)
    return stack


def _follow(stack: demo.Stack) -> None:
    at = "starting Airflow"

    def running(now: str) -> None:
        nonlocal at
        at = f"the month is at: {now}"

    with heartbeat(lambda: at):
        api = demo.start_airflow(stack)
        watch.wait_for_dags(api)
        for dag in (watch.EVALUATE, watch.REFRESH):
            api.unpause(dag)
        watch.month(api, lambda line: log.print(f"  [green]✓[/] {line}"), running)
    log.print("both DAGs ran once: the refresh by its schedule, the evaluation by the benchmark's asset")


def _print_results(stack: demo.Stack, before: dict[str, int], simulated: bool) -> None:
    def read(session: Session) -> tuple[list[RenderableType], Path, dict[str, int]]:
        tables: list[RenderableType] = [show.board(session, stack.snapshot)]
        if simulated:
            tables.append(_planted(stack, session))
        path = report.write_report(session, stack.snapshot, stack.state / f"report-{stack.snapshot}.html")
        return tables, path, row_counts.count(session)

    tables, path, after = _durably(stack, read)
    for table in tables:
        out.print(table)
    out.print("every table: `halluvault results show --all`", markup=False)
    out.print(f"Report: {path}", markup=False)
    total = sum(after.values())
    changed = row_counts.added(before, after)
    if not sum(before.values()):
        out.print(f"{total} rows in {len(after)} content tables")
    elif changed:
        out.print(f"rows added: {', '.join(f'{rows:,} {table}' for table, rows in changed.items())}", markup=False)
    else:
        out.print(f"no row added to any content table ({total} rows in {len(after)} tables): the month was finished")


def _durably(stack: demo.Stack, step: Callable[[Session], _T]) -> _T:
    """Do a step that only reads; a Postgres that ends under it is started again first."""
    for _ in range(_LOOKS):
        try:
            with stack.session() as session:
                return step(session)
        except OperationalError:
            stack.supervisor.look()
            time.sleep(1.0)
    with stack.session() as session:
        return step(session)


def _planted(stack: demo.Stack, session: Session) -> Table:
    with Session(sessions.engine(stack.sim_database_url)) as simulation:
        rows = planted_vs_measured.compare(simulation, session, stack.snapshot)
    table = Table(*planted_vs_measured.HEADERS, title=f"Hallucinations {planted_vs_measured.TITLE}")
    for row in rows:
        table.add_row(*planted_vs_measured.cells(row))
    return table


def _print_incidents(stack: demo.Stack) -> None:
    table = Table("when", "where", "what", "way out", title="Incidents of this run")
    # Postgres may be what ended; the error that brought us here says so already.
    with suppress(OperationalError), stack.session() as session:
        for row in session.execute(select(incident).order_by(incident.c.id.desc()).limit(5)):
            table.add_row(f"{row.at:%H:%M:%S}", row.where, row.message[:400], row.way_out)
    if table.row_count:
        log.print(table, markup=False)


def _print_access(found: access.Access, ending: str) -> None:
    out.print(f"Airflow: {found.url}  login {airflow.USER} / {found.password}", markup=False)
    out.print(f"Page:    {found.url}/plugin/halluvault", markup=False)
    out.print(f"Dashboards, on schema results_v1: {found.reader_url}", markup=False, soft_wrap=True)
    out.print(f"Commands by hand, halluvault and airflow, on this month: . {shlex.quote(str(found.variables))}",
              markup=False, soft_wrap=True)  # fmt: skip
    out.print(f"{ending} ends it", markup=False)


def _asked(month: Month, shop: Workshop, name: str) -> HeadlineEvaluation:
    with heartbeat(f"asking and judging {name}"):
        return tuned_model.asked(month, shop, name)


def _say_what_ends(state: Path) -> None:
    """Report what is ended: a start ends what an earlier one left running."""
    children = processes.recorded(state / "pids")
    alive = [child.name for child in children if child.process() is not None]
    if alive:
        lost = [child.name for child in children if child.process() is None]
        without = f" (without {', '.join(lost)}, which ended)" if lost else ""
        log.print(
            f"Ending what an earlier demo left running: {', '.join(alive)}{without}", markup=False, soft_wrap=True
        )


def _stop(state: Path) -> list[str]:
    # A second Ctrl-C in the middle of this would leave orphans.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_IGN)
    with heartbeat("stopping what was started"):
        ended = processes.reap(state / "pids")
        access.forget(state)
        return ended


def _as_of(source: Path | None, given: str) -> date | None:
    """The date given, if any; checked, like the file, before anything is started."""
    if source is not None and not source.is_file():
        raise UserError(f"no file {source}", "give SOURCE=FILE.nt or FILE.nt.gz")
    if given:
        try:
            return date.fromisoformat(given)
        except ValueError as error:
            raise UserError(f"--as-of is {given!r}; it must be YYYY-MM-DD") from error
    return None


def _arguments(source: Path | None, real_model: bool) -> str:
    return (f" SOURCE={source}" if source else "") + (" REAL=1" if real_model else "")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(demos, name="demo")
