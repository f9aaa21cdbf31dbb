"""`halluvault doctor`: whether everything that a month needs is there, and how to fix what is not."""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.table import Table
from sqlalchemy import text

from halluvault_tasks.cli.common import log, open_session, out
from halluvault_tasks.cli.parts import airflow, configuration
from halluvault_tasks.cli.parts.month_need import PARALLELISM, month_need
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import queries
from halluvault_tasks.knowledge.client import FAILINGS, ServiceLimits, WikidataClient
from halluvault_tasks.oracles import anchored, embedding
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.oracles.extraction.base import Tool
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.querying import pools, registry, servers
from halluvault_tasks.querying.registry import Model
from halluvault_tasks.reading.snapshot import wordings
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.preconditions import PRECONDITIONS, Precondition
from halluvault_tasks.untrusted import scrubbed

_TIMEOUT = 10.0
_JWT_SECONDS = 3600


class Diagnosis(NamedTuple):
    """The outcome of one check."""

    thing: str
    well: bool
    detail: str
    fix: str = ""


def doctor(
    with_airflow: Annotated[
        bool, typer.Option("--airflow", help="Also check this environment's Airflow: plugin, DAGs, pools …")
    ] = False,
) -> None:
    """Check SWI-Prolog, Postgres, the endpoint, config/, each model server, the embeddings and HALLUVAULT_EXTRACTOR.

    Exits with status 1 if something is missing; each such line says how to fix it.
    """
    findings, parallelism = _airflow() if with_airflow else ([], PARALLELISM)
    findings.append(_checked("SWI-Prolog", _prolog))
    findings += _database(parallelism)
    findings.append(_checked("SPARQL endpoint", _endpoint))
    findings += _configuration()
    findings += _models()
    findings.append(_checked("Sentence-BERT", _embedding))
    if settings().extractor != anchored.NAME:
        findings.append(_checked(f"extractor {settings().extractor}", _extractor))
    table = Table("", "what", "found", "how to fix it")
    for finding in findings:
        mark = "[green]✓[/]" if finding.well else "[red]✗[/]"
        table.add_row(mark, *(_plain(part) for part in (finding.thing, finding.detail, finding.fix)))
    out.print(table)
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


def _plain(part: str) -> str:
    return part.replace("[", "\\[")


def _checked(thing: str, check: Callable[[], str]) -> Diagnosis:
    log.print(f"{thing} …", style="dim", markup=False)  # one that hangs is the one named last
    try:
        return Diagnosis(thing, True, check())
    except UserError as error:
        return Diagnosis(thing, False, error.message, error.way_out)
    except Exception as error:  # a doctor that dies of the disease helps nobody
        said = scrubbed(f"{type(error).__name__}: {error}")[:300]
        return Diagnosis(thing, False, said, "see `halluvault --debug doctor`")


def _prolog() -> str:
    if not shutil.which("swipl"):
        raise UserError("swipl is not on the PATH", "apt-get install swi-prolog-nox")
    found = Engine().once("current_prolog_flag(version, V)")
    version = int(found["V"]) if found else 0
    return f"SWI-Prolog {version // 10000}.{version // 100 % 100}.{version % 100}, reached through pyswip"


def _database(parallelism: int) -> list[Diagnosis]:
    """Whether a session can be had, and then whether a month could begin."""
    opened = _checked("Postgres", _postgres)
    if not opened.well:
        return [opened]

    def holds(precondition: Precondition) -> Callable[[], str]:
        def check() -> str:
            with open_session() as session:
                return precondition.check(session.connection(), month_need(parallelism))

        return check

    return [opened, *(_checked(one.name, holds(one)) for one in PRECONDITIONS)]


def _postgres() -> str:
    with open_session() as session:
        version = session.scalar(text("SHOW server_version"))
        driver = session.connection().connection.driver_connection
        pooled = driver is not None and sessions.behind_pooler(driver)
    return f"PostgreSQL {version}{' behind a pooler' if pooled else ''}"


def _endpoint() -> str:
    client = WikidataClient(settings().sparql_endpoint, settings().contact, limits=ServiceLimits(_TIMEOUT), attempts=1)
    try:
        client.select(queries.probe())
    except Unavailable as error:
        raise UserError(
            error.message,
            "set HALLUVAULT_SPARQL_ENDPOINT, or serve a file: python -m halluvault_tasks.local.endpoint --help",
        ) from error
    return f"{client.endpoint}, {client.engine}: {FAILINGS[client.engine]}" if client.engine else client.endpoint


def _configuration() -> list[Diagnosis]:
    directory = settings().config_dir
    found = [Diagnosis(name, False, error.message, error.way_out) for name, error in configuration.faults(directory)]
    if found:
        return found
    read = Diagnosis("configuration", True, f"{', '.join(configuration.READ)} of {directory} can be read")
    return [read, _checked("wordings", lambda: _wordings(directory))]


def _wordings(directory: Path) -> str:
    # A wording may be read and still be refused, when it is compiled for the reader.
    book, *_ = wordings(directory)
    return f"those of {len(book.relations)} relations are compiled"


def _airflow() -> tuple[list[Diagnosis], int]:
    """What is to be said of Airflow, and how many tasks it runs at a time."""
    try:
        found = airflow.survey()
    except UserError as error:
        return [Diagnosis("Airflow", False, error.message, error.way_out)], PARALLELISM
    return _surveyed(found), int(found.get("parallelism", PARALLELISM))


def _surveyed(found: Mapping[str, Any]) -> list[Diagnosis]:
    if not found["tables"]:
        return [Diagnosis("Airflow", False, "its database has no tables yet", "airflow db migrate")]

    def finding(thing: str, wrong: str, well: str, fix: str) -> Diagnosis:
        return Diagnosis(thing, not wrong, wrong or well, fix if wrong else "")

    version, jwt = found["version"], found["jwt_seconds"]
    absent = [dag for dag in ("halluvault_refresh", "halluvault_evaluate") if dag not in found["dags"]]
    paused = [dag for dag, stopped in found["dags"].items() if stopped]
    findings = [
        finding("Airflow", "" if version.startswith("3.3.") else version, version, "install apache-airflow 3.3"),
        finding(
            "plugin", "" if found["plugin"] else "the page is not loaded", "the page is loaded",
            "install halluvault in the API server's environment and restart it",
        ),
        finding(
            "DAGs", "; ".join(found["import_errors"]) or (f"{', '.join(absent)} not seen" if absent else ""),
            f"both are there{'; paused: ' + ', '.join(paused) if paused else ''}",
            "AIRFLOW__CORE__DAGS_FOLDER=$(halluvault dags path), or `halluvault dags bundle`; wait a minute",
        ),
        finding(
            "results database", found["connection"], "answers",
            "airflow connections add halluvault_db --conn-uri postgresql://halluvault:PASSWORD@host:5432/halluvault",
        ),
        finding(
            "task tokens", f"expire after {jwt} s" if jwt < _JWT_SECONDS else "", f"last {jwt} s",
            f"AIRFLOW__EXECUTION_API__JWT_EXPIRATION_TIME={_JWT_SECONDS}: tasks run for hours",
        ),
    ]  # fmt: skip
    try:
        wanted = {
            pool.name: pool.slots for pool in pools.pools(registry.load_models(settings().models_path, os.environ))
        }
    except UserError:
        return findings  # said with the models
    wrong = [f"{name} ({slots})" for name, slots in wanted.items() if found["pools"].get(name) != slots]
    named = f"missing, or of other slots: {', '.join(wrong)}" if wrong else ""
    return [*findings, finding("pools", named, f"{len(wanted)} are there", "halluvault pools --apply")]


def _models() -> list[Diagnosis]:
    path = settings().models_path
    try:
        registered = registry.load_models(path, os.environ)
    except UserError as error:
        return [Diagnosis("models.yaml", False, error.message, error.way_out)]
    if not registered.models:
        return [Diagnosis("models.yaml", False, f"{path} registers no model", "add one: the examples there show how")]

    def answers(entry: Model) -> Callable[[], str]:
        def check() -> str:
            found = asyncio.run(servers.identify(entry, registered.server(entry.server)))
            return f"{', '.join(entry.base_urls)} serves {found.identity.model_id}"

        return check

    return [_checked(f"model {entry.name}", answers(entry)) for entry in registered.models]


def _embedding() -> str:
    model = embedding.SentenceBert(settings().embedding_model)
    return f"{model.name}, {model(['a phrase']).shape[1]} dimensions"


def _extractor() -> str:
    # A sentence is read: a server's own "ready" says nothing of its models.
    found = choose.configured()
    return found.check() if isinstance(found, Tool) else anchored.NAME


def register(app: typer.Typer) -> None:
    """Add this command to the root."""
    app.command()(doctor)
