"""`halluvault pull`: Wikidata into an immutable month."""

from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.configuration import require
from halluvault_tasks.cli.snapshots import show_row
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import estimate, progress, source_dates, source_names, stages
from halluvault_tasks.knowledge.client import WikidataClient, configured_limits
from halluvault_tasks.knowledge.config import Domains, load_domains
from halluvault_tasks.knowledge.progress import duration
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import preconditions
from halluvault_tasks.storage.preconditions import MonthNeed
from halluvault_tasks.wikidata import snapshot_keys

_EPILOG = "\n\n".join((
    "[bold]What it does.[/] Metadata of every property, then the seeds of each domain (frozen by the first answer), "
    "their statements with ranks, dates and qualifiers, the chains above them to the root, and what everything is "
    "called. Then the gates of domains.yaml: a month that fails one is not frozen, and the last good one stays.",
    "[bold]How it behaves.[/] One request at a time, a second apart, with your contact in the User-Agent. It waits as "
    "long as the service asks, asks for less when a query times out, and pauses after four failures in a row. The "
    "service counts every answer in the same request, so a truncated one is never accepted.",
    "[bold]Killed, or failed?[/] Run the same command again: it asks only for what is missing.",
    "[bold]Examples[/]",
    "halluvault pull --plan  [dim]how many requests and hours[/]",
    "halluvault pull --snapshot 2026-10  [dim]that month[/]",
    "halluvault pull --snapshot 2026-10.2  [dim]the month again, as its second revision[/]",
    "halluvault pull --source latest-all.nt.gz --as-of 2026-11-18  [dim]a dump instead of an endpoint[/]",
    "halluvault pull --endpoint https://query.wikidata.org/sparql  [dim]needs HALLUVAULT_CONTACT[/]",
))


def pull(  # noqa: PLR0913 (typer: its parameters are its options)
    snapshot: Annotated[
        str, typer.Option(help="Month YYYY-MM, or YYYY-MM.N to pull a month again; empty: the last closed month.")
    ] = "",
    endpoint: Annotated[str, typer.Option(help="SPARQL endpoint; empty: HALLUVAULT_SPARQL_ENDPOINT.")] = "",
    source: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Read a dump instead: .nt or .ttl, plain, .gz or .bz2, in Wikidata's RDF shape."
        ),
    ] = None,
    name: Annotated[
        str,
        typer.Option(
            help="Name recorded for the source, by which months are matched; empty: HALLUVAULT_SOURCE, else the "
            "endpoint's URL or the file's name, without a date in it."
        ),
    ] = "",
    as_of: Annotated[
        str,
        typer.Option(
            help="Date YYYY-MM-DD of the data; empty: HALLUVAULT_AS_OF, else what a dump or a local endpoint states, "
            "else today (never for a dump)."
        ),
    ] = "",
    domains: Annotated[Path | None, typer.Option(help="Another domains.yaml.")] = None,
    gap: Annotated[
        float | None,
        typer.Option(min=0, help="Seconds between requests; empty: HALLUVAULT_SPARQL_GAP, else 1, and 0 if local."),
    ] = None,
    in_flight: Annotated[
        int | None, typer.Option(min=1, max=5, help="Requests at a time; empty: HALLUVAULT_SPARQL_IN_FLIGHT, else 1.")
    ] = None,
    deadline: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds for one whole answer; empty: HALLUVAULT_SPARQL_DEADLINE, else 75."),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Estimate requests and hours; ask nothing.")] = False,
) -> None:
    """Pull a month into an immutable snapshot, gate it, freeze it and publish it."""
    require(settings().config_dir)
    configuration = load_domains(domains or settings().config_dir / "domains.yaml")
    today = datetime.now(UTC).date()
    source_dates.given_as(as_of or settings().as_of)  # said before anybody is asked
    key = snapshot_keys.parse_key(snapshot or snapshot_keys.last_closed_month(today)).row
    if source is not None:
        if plan or endpoint:
            raise UserError("--source reads a file and asks no endpoint: it excludes --plan and --endpoint")
        _read(key, source, name, as_of, configuration)
        return
    settings().require_database()  # said before anybody is asked
    url = endpoint or settings().sparql_endpoint
    given: dict[str, Any] = {"deadline": deadline, "gap": gap, "in_flight": in_flight}
    limits = configured_limits(settings())._replace(**{option: one for option, one in given.items() if one is not None})
    client = WikidataClient(url, settings().contact, limits=limits)
    name = name or settings().source or client.endpoint
    if plan:
        with open_session() as session:
            _show_plan(estimate.of(session, key, name, configuration), key, client)
        return
    _ask(key, client, name, source_dates.settle(client, as_of or settings().as_of, today), configuration)


def _ask(key: str, client: WikidataClient, name: str, as_of: date, configuration: Domains) -> None:
    """Pull a month from an endpoint."""
    told = PullReport()
    with open_session() as session:
        _say_if_alone(session, key, name)
        preconditions.require(session.connection(), MonthNeed(folder=settings().state_dir))
        with told:
            row = stages.pull(
                session, key, client=client, domains=configuration, source=name, as_of=as_of, progress=told.report
            )
        sent = f"{client.requests} request(s) sent to {client.endpoint}"
        log.print(f"{sent}, {duration(client.waited)} spent on gaps and pauses", markup=False)
        show_row(session, row)


def _read(key: str, file: Path, name: str, as_of: str, configuration: Domains) -> None:
    """Pull a month from a dump. What the environment says may be meant for another source: it is told, and checked.

    Raises:
        UserError: HALLUVAULT_AS_OF is not the date that the file states.
    """
    # Its parser is of no use to those who ask an endpoint.
    from halluvault_tasks.knowledge import dump, dump_pull

    if not name and (name := settings().source) and name != file.name:
        log.print(f"{file.name} is recorded as {name!r} (HALLUVAULT_SOURCE); --name gives another", markup=False)
    if not as_of and (as_of := settings().as_of):
        stated, day = dump.find(file).stated_date(), source_dates.given_as(as_of)
        if stated and stated != day:
            raise UserError(
                f"{file.name} states {stated}, HALLUVAULT_AS_OF says {day}", f"say which is meant: --as-of {stated}"
            )
        log.print(f"{file.name} is read as of {day} (HALLUVAULT_AS_OF)", markup=False)
    day = dump_pull.date_of(file, as_of, key)
    told = PullReport()
    with open_session() as session:
        if not name and (name := source_names.of_file(session, file, key)) != file.name:
            log.print(f"{file.name} is recorded as {name!r}, without its date; --name gives another", markup=False)
        _say_if_alone(session, key, name)
        preconditions.require(session.connection(), MonthNeed(folder=settings().state_dir))
        with told:
            row = dump_pull.pull(
                session, key, path=file, domains=configuration, as_of=day, source=name, progress=told.report
            )
        show_row(session, row)


def _say_if_alone(session: Session, key: str, name: str) -> None:
    if line := source_names.alone(session, key, source_names.require_no_path(name)):
        log.print(line, markup=False, soft_wrap=True)


def _show_plan(found: estimate.PullEstimate, key: str, client: WikidataClient) -> None:
    table = Table("step")
    for heading in ("requests", "stored already"):
        table.add_column(heading, justify="right")
    for step in found.steps:
        table.add_row(step.step, str(step.requests), str(step.stored))
    table.add_section()
    table.add_row("all", str(sum(step.requests for step in found.steps)), str(sum(step.stored for step in found.steps)))
    out.print(table)
    out.print(f"basis: {found.basis}", markup=False, soft_wrap=True)
    left, span = found.remaining(), duration(found.seconds(client.gap))
    known = "about" if found.service_seconds is not None else "at least"
    more = "" if found.service_seconds is not None else ", and the service's own time on top"
    out.print(
        f"{key} from {client.endpoint}: {left} request(s) to send, {client.in_flight} at a time, {client.gap:g} s "
        f"apart: {known} {span}{more}",
        markup=False,
        soft_wrap=True,
    )


class _Left(ProgressColumn):
    """Rate and time left, from this run's batches only."""

    def render(self, task: Task) -> Text:
        """`32/min, 4 min left`; nothing until there is a rate."""
        if task.finished or not task.speed:
            return Text("")
        left = "" if task.time_remaining is None else f", {duration(task.time_remaining)} left"
        return Text(f"{task.speed * 60:.0f}/min{left}")


class PullReport:
    """Bars on a terminal; elsewhere a line every ten seconds."""

    def __init__(self) -> None:
        self._tasks: dict[tuple[str, str], TaskID] = {}
        self._lines = progress.LogReport(tell=lambda _line: None)
        self._open = ExitStack()
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _Left(),
            console=log,
            disable=not log.is_terminal,
            speed_estimate_period=300,
        )

    def __enter__(self) -> "PullReport":
        self._open.enter_context(heartbeat(lambda: self._lines.latest or "pulling", bars=True))
        self._open.enter_context(self._bars)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def report(self, now: progress.PullProgress) -> None:
        """Take the current progress."""
        self._lines(now)
        key = (now.stage, now.domain)
        if key not in self._tasks:
            self._tasks[key] = self._bars.add_task(f"{now.stage} {now.domain}".strip(), total=now.total)
        self._bars.update(self._tasks[key], completed=now.done, total=now.total)


def register(app: typer.Typer) -> None:
    """Add this command to the root."""
    app.command(epilog=_EPILOG)(pull)
