"""`halluvault db`: make and migrate the results database."""

import os
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from halluvault_tasks.cli.common import log
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import views
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import roles

AIRFLOW = "airflow"

db = typer.Typer(no_args_is_help=True, help="Make and migrate the results database.")


@db.command()
def upgrade() -> None:
    """Create or migrate tables and views, and renew the grants. Run it after each update; it is idempotent."""
    missing = views.upgrade(settings().require_database())
    log.print("database is up to date")
    if missing:
        log.print(f"role missing: {', '.join(missing)}; `halluvault db roles` makes it", style="yellow")


@db.command("roles")
def make_roles(
    admin_url: Annotated[
        str,
        typer.Option(
            help="URL of a superuser, postgresql+psycopg2://postgres@host:5432/postgres?sslmode=require; its password "
            "comes from PGPASSWORD or PGPASSFILE. Empty: HALLUVAULT_ADMIN_URL, which may hold it.",
        ),
    ] = "",
    database: Annotated[str, typer.Option(help="Name of the results database.")] = "halluvault",
    owner: Annotated[str, typer.Option(help="The pipeline's role. Empty: named like the database.")] = "",
    simulator: Annotated[
        bool,
        typer.Option("--simulator", help="Make the simulated servers' role, too: for a demo, never in production."),
    ] = False,
    airflow: Annotated[
        bool, typer.Option("--airflow", help="Make the database `airflow` and its role for Airflow's metadata, too.")
    ] = False,
    rotate: Annotated[bool, typer.Option("--rotate", help="Give roles that exist the passwords given here.")] = False,
) -> None:
    """Make a results database and its roles, whatever of it is missing; nothing that exists is altered.

    Passwords come from HALLUVAULT_OWNER_PASSWORD, HALLUVAULT_READER_PASSWORD, with --simulator HALLUVAULT_SIM_PASSWORD
    and with --airflow HALLUVAULT_AIRFLOW_PASSWORD; each may be a file instead: HALLUVAULT_OWNER_PASSWORD_FILE …
    """
    admin, owner = _administrator(admin_url), owner or database
    names = {owner: "OWNER", roles.reader_of(owner): "READER"}
    if simulator:
        names[roles.simulator_of(owner)] = "SIM"
    _report(
        database,
        roles.create_database(
            admin, database, owner, {role: secret(f"{part}_PASSWORD") for role, part in names.items()}, rotate=rotate
        ),
    )
    if airflow:
        passwords = {AIRFLOW: secret("AIRFLOW_PASSWORD")}
        _report(AIRFLOW, roles.create_database(admin, AIRFLOW, AIRFLOW, passwords, rotate=rotate))


def secret(name: str) -> str:
    """A secret: HALLUVAULT_<name>, or what the file HALLUVAULT_<name>_FILE holds; empty where there is neither.

    Raises:
        UserError: the file cannot be read.
    """
    variable = f"HALLUVAULT_{name}"
    if value := os.environ.get(variable):
        return value
    file = os.environ.get(f"{variable}_FILE")
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {file} of {variable}_FILE: {error}", f"correct it, or set {variable}") from error


def _administrator(given: str) -> str:
    url = given or secret("ADMIN_URL")
    if not url:
        raise UserError("no administrator is named", "give --admin-url, or set HALLUVAULT_ADMIN_URL")
    try:
        shows = bool(given and make_url(given).password)
    except ArgumentError:
        shows = False  # said by who connects
    if shows:
        raise UserError(
            "--admin-url holds a password, which `ps` shows to everybody on this machine",
            "leave it out there and set PGPASSWORD or PGPASSFILE; or set HALLUVAULT_ADMIN_URL instead",
        )
    return url


def _report(database: str, made: roles.Made) -> None:
    log.print(f"database {database} {'is made' if made.database else 'was there'}", markup=False)
    for done, names in (
        ("made", made.created),
        ("have another password", made.rotated),
        ("were there and keep their passwords (--rotate changes them)", made.kept),
    ):
        if names:
            log.print(f"roles {', '.join(names)} {done}", markup=False)


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(db, name="db")
