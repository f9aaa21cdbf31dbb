"""`halluvault demo`: a finished month on this machine, and the page over it."""

import shlex
import signal
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, census, demo, planted, processes, watch
from halluvault_tasks.results import report, show
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import incident

demos = typer.Typer(no_args_is_help=True, help="A finished month on this machine, in real Airflow.")

SourceOption = Annotated[
    Path | None,
    typer.Option(help="RDF file in Wikidata's shape (.nt, .nt.gz) instead of the bundled sample."),
]


@demos.command()
def run(
    source: SourceOption = None,
    as_of: Annotated[str, typer.Option(help="Date of the source's data, YYYY-MM-DD; empty: what it states.")] = "",
    keep: Annotated[bool, typer.Option(help="Leave Airflow and Postgres running and print URL and login.")] = False,
) -> None:
    """Run the last closed month end to end and print the hallucination rates.

    State stays under .halluvault/; a second run finds its work done and adds no row.
    """
    state, day = demo.state_directory(source), _as_of(source, as_of)
    with demo.locked(state):
        finished = False
        try:
            stack = _start(state, source, day)
            with stack.session() as session:
                before = census.count(session)
            try:
                _follow(stack)
            except UserError:
                _print_incidents(stack)
                raise
            _print_results(stack, before)
            finished = True
            if keep:
                _print_login(stack, f"make stop{_source_argument(source)}")
        finally:
            if not (keep and finished):
                _stop(state)
                if finished:
                    again = _source_argument(source)
                    log.print(f"Everything started is stopped. The page: make page{again}", markup=False)


@demos.command()
def page(source: SourceOption = None) -> None:
    """Serve the results page of the last demo behind Airflow's login, until Ctrl-C."""
    state = demo.state_directory(source)
    if not (state / "postgres").exists():
        raise UserError(f"no demo has run yet in {state}", "run `make demo` first")
    with demo.locked(state):
        try:
            log.print("Starting Postgres and Airflow's api-server …")
            stack = demo.start(state, source, _as_of(source, ""), demo.today(), fresh=False)
            demo.start_airflow(stack, ("api-server",))
            _print_login(stack, "Ctrl-C")
            signal.pause()
        except KeyboardInterrupt:
            pass
        finally:
            _stop(state)


@demos.command()
def stop(source: SourceOption = None) -> None:
    """Stop what `make demo KEEP=1` left running."""
    with demo.locked(demo.state_directory(source)):
        _stop(demo.state_directory(source))


def _start(state: Path, source: Path | None, as_of: date | None) -> demo.Stack:
    with log.status("Postgres, SPARQL endpoint, simulated model servers, Airflow's database …"):
        stack = demo.start(state, source, as_of, demo.today())
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
    with log.status("Airflow …") as status:
        api = demo.start_airflow(stack)
        watch.wait_for_dags(api)
        for dag in (watch.EVALUATE, watch.REFRESH):
            api.unpause(dag)
        watch.month(
            api,
            lambda line: log.print(f"  [green]✓[/] {line}"),
            lambda now: status.update(f"running: {now}"),
            partial(_keep_alive, stack),
        )
    log.print("both DAGs ran once: the refresh by its schedule, the evaluation by the benchmark's asset")


def _keep_alive(stack: demo.Stack) -> None:
    for name in stack.supervisor.look():
        log.print(f"  {name} ended before its time, and was started again", style="yellow")


def _print_results(stack: demo.Stack, before: dict[str, int]) -> None:
    with stack.session() as session:
        for table in show.tables(session, stack.snapshot):
            out.print(table)
        out.print(_planted(stack, session))
        path = report.write_report(session, stack.snapshot, stack.state / f"report-{stack.snapshot}.html")
        after = census.count(session)
    out.print(f"Report: {path}", markup=False)
    total = sum(after.values())
    changed = census.added(before, after)
    if not sum(before.values()):
        out.print(f"{total} rows in {len(after)} content tables")
    elif changed:
        out.print(f"rows added: {changed}", markup=False)
    else:
        out.print(f"no row added to any content table ({total} rows in {len(after)} tables): the month was finished")


def _planted(stack: demo.Stack, session: Session) -> Table:
    with Session(sessions.engine(stack.sim_database_url)) as simulation:
        rows = planted.compare(simulation, session, stack.snapshot)
    table = Table(*planted.HEADERS, title=f"Hallucinations {planted.TITLE}")
    for row in rows:
        table.add_row(*planted.cells(row))
    return table


def _print_incidents(stack: demo.Stack) -> None:
    table = Table("when", "where", "what", "way out", title="Incidents of this run")
    # Postgres may be what ended; the error that brought us here says so already.
    with suppress(OperationalError), stack.session() as session:
        for row in session.execute(select(incident).order_by(incident.c.id.desc()).limit(5)):
            table.add_row(f"{row.at:%H:%M:%S}", row.where, row.message[:400], row.way_out)
    if table.row_count:
        log.print(table, markup=False)


def _print_login(stack: demo.Stack, ending: str) -> None:
    out.print(f"Airflow: {stack.airflow.url}  login {airflow.USER} / {stack.airflow.password}", markup=False)
    out.print(f"Page:    {stack.airflow.url}/plugin/halluvault", markup=False)
    out.print("Commands by hand, in this shell and on this month:", markup=False)
    for name, value in stack.airflow.environment.items():
        if name.startswith("HALLUVAULT_") and value:
            out.print(f"export {name}={shlex.quote(value)}", markup=False, soft_wrap=True)
    out.print(f"{ending} ends it", markup=False)


def _stop(state: Path) -> None:
    # A second Ctrl-C in the middle of this would leave orphans.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with log.status("stopping …"):
        processes.reap(state / "pids")


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


def _source_argument(source: Path | None) -> str:
    return f" SOURCE={source}" if source else ""


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(demos, name="demo")
