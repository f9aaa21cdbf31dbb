"""`halluvault demo`: a finished month on this machine, and the page over it."""

import shlex
import signal
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, demo, planted, processes, row_counts, watch
from halluvault_tasks.local import real_model as real
from halluvault_tasks.results import report, show
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import incident

demos = typer.Typer(no_args_is_help=True, help="A finished month on this machine, in real Airflow.")

SourceOption = Annotated[
    Path | None,
    typer.Option(help="RDF file in Wikidata's shape (.nt, .nt.gz) instead of the bundled sample."),
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
    listed_by: Annotated[
        str,
        typer.Option(help="Have claims listed by `transcript` (the model itself) or llm:NAME, and judge so, too."),
    ] = "",
) -> None:
    """Run the last closed month end to end and print the hallucination rates.

    State stays under .halluvault/; a second run finds its work done and adds no row.
    """
    day = _as_of(source, as_of)
    model = real.found(real_model) if real_model else None
    state = demo.state_directory(source, model is not None)
    with demo.locked(state):
        finished = False
        try:
            stack = _start(state, source, day, model, listed_by)
            with stack.session() as session:
                before = row_counts.count(session)
            try:
                _follow(stack)
            except UserError:
                _print_incidents(stack)
                raise
            _print_results(stack, before, simulated=model is None)
            finished = True
            if keep:
                _print_login(stack, f"make stop{_arguments(source, model is not None)}")
        finally:
            if not (keep and finished):
                _stop(state)
                if finished:
                    again = _arguments(source, model is not None)
                    log.print(f"Everything started is stopped. The page: make page{again}", markup=False)


@demos.command()
def page(source: SourceOption = None, real_model: RealOption = False) -> None:
    """Serve the results page of the last demo behind Airflow's login, until Ctrl-C."""
    state = demo.state_directory(source, real_model)
    if not (state / "postgres").exists():
        raise UserError(f"no demo has run yet in {state}", "run `make demo` or `make real-model` first")
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
def stop(source: SourceOption = None, real_model: RealOption = False) -> None:
    """Stop what `make demo KEEP=1` left running."""
    state = demo.state_directory(source, real_model)
    with demo.locked(state):
        _stop(state)


def _start(
    state: Path, source: Path | None, as_of: date | None, model: real.RealModel | None, listed_by: str
) -> demo.Stack:
    with log.status("Postgres, SPARQL endpoint, model servers, Airflow's database …"):
        stack = demo.start(state, source, as_of, demo.today(), model=model, listed_by=listed_by)
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
        watch.month(api, lambda line: log.print(f"  [green]✓[/] {line}"), lambda now: status.update(f"running: {now}"))
    log.print("both DAGs ran once: the refresh by its schedule, the evaluation by the benchmark's asset")


def _print_results(stack: demo.Stack, before: dict[str, int], simulated: bool) -> None:
    with stack.session() as session:
        for table in show.tables(session, stack.snapshot):
            out.print(table)
        if simulated:
            out.print(_planted(stack, session))
        path = report.write_report(session, stack.snapshot, stack.state / f"report-{stack.snapshot}.html")
        after = row_counts.count(session)
    out.print(f"Report: {path}", markup=False)
    total = sum(after.values())
    changed = row_counts.added(before, after)
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


def _arguments(source: Path | None, real_model: bool) -> str:
    return (f" SOURCE={source}" if source else "") + (" REAL=1" if real_model else "")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(demos, name="demo")
