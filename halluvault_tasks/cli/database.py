"""`halluvault db`: make and migrate the results database."""

from collections.abc import Sequence
from typing import Annotated

import typer

from halluvault_tasks import database_urls
from halluvault_tasks.cli.common import log
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import views
from halluvault_tasks.settings import secret, settings
from halluvault_tasks.storage import roles

db = typer.Typer(no_args_is_help=True, help="Create and migrate the results database.")


@db.command()
def upgrade() -> None:
    """Create or migrate tables and views, and renew the grants. Run it after each update; it is idempotent."""
    missing = views.upgrade(settings().require_database())
    log.print("database is up to date")
    for reader in missing:
        log.print(
            f"dashboards have no role {reader.role} yet, named after the tables' owner; an administrator makes it: "
            f"`{reader.way_out()}`, then `halluvault db upgrade` lets it read",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip


@db.command("roles")
def make_roles(
    admin_url: Annotated[
        str,
        typer.Option(
            help="URL of a superuser, postgresql+psycopg2://postgres@host:5432/postgres?sslmode=require; its password "
            "comes from PGPASSWORD or PGPASSFILE. Empty: HALLUVAULT_ADMIN_URL, which may contain it.",
        ),
    ] = "",
    database: Annotated[str, typer.Option(help="Name of the results database.")] = "halluvault",
    owner: Annotated[str, typer.Option(help="The pipeline's role. Empty: the database's name.")] = "",
    simulator: Annotated[
        bool,
        typer.Option("--simulator", help="Also create the simulated servers' role: for a demo, never in production."),
    ] = False,
    airflow: Annotated[
        bool, typer.Option("--airflow", help="Also create the database `airflow` and its role, for Airflow's metadata.")
    ] = False,
    backup: Annotated[
        bool, typer.Option("--backup", help="Also create the role for base backups (REPLICATION).")
    ] = False,
    rotate: Annotated[bool, typer.Option("--rotate", help="Give existing roles the passwords given here.")] = False,
) -> None:
    """Create whatever is missing of a results database and its roles; nothing that exists is altered.

    Passwords come from HALLUVAULT_OWNER_PASSWORD, HALLUVAULT_READER_PASSWORD, with --simulator HALLUVAULT_SIM_PASSWORD,
    with --backup HALLUVAULT_BACKUP_PASSWORD and with --airflow HALLUVAULT_AIRFLOW_PASSWORD; each may be a file instead:
    HALLUVAULT_OWNER_PASSWORD_FILE, or /run/secrets/halluvault_owner_password.
    """
    admin, owner = _administrator(admin_url), owner or database
    wanted = [owner, roles.reader_of(owner)]
    if simulator:
        wanted.append(roles.simulator_of(owner))
    if backup:
        wanted.append(roles.backup_of(owner))
    _report(database, roles.create_database(admin, database, owner, _passwords(owner, wanted), rotate=rotate))
    if airflow:
        passwords = _passwords(roles.AIRFLOW, [roles.AIRFLOW])
        _report(roles.AIRFLOW, roles.create_database(admin, roles.AIRFLOW, roles.AIRFLOW, passwords, rotate=rotate))


def _passwords(owner: str, wanted: Sequence[str]) -> dict[str, str]:
    named = roles.variables(owner)
    return {role: secret(named[role]) for role in wanted}


def _administrator(given: str) -> str:
    url = given or secret("HALLUVAULT_ADMIN_URL")
    if not url:
        raise UserError("no administrator is named", "give --admin-url, or set HALLUVAULT_ADMIN_URL")
    if database_urls.secrets_of(given):
        raise UserError(
            "--admin-url holds a password, which `ps` shows to everybody on this machine",
            "leave it out there and set PGPASSWORD or PGPASSFILE; or set HALLUVAULT_ADMIN_URL instead",
        )
    return url


def _report(database: str, made: roles.RolesMade) -> None:
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
