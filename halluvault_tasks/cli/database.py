"""`halluvault db`: make and migrate the results database."""

import os

import typer

from halluvault_tasks.cli.common import log
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import views
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import roles

db = typer.Typer(no_args_is_help=True, help="Make and migrate the results database.")


@db.command()
def upgrade() -> None:
    """Create or migrate tables and views, and renew the grants. Run it after each update; it is idempotent."""
    missing = views.upgrade(settings().require_database())
    log.print("database is up to date")
    if missing:
        log.print(f"roles missing: {', '.join(missing)}; `halluvault db roles` makes them", style="yellow")


@db.command("roles")
def make_roles(
    admin_url: str = typer.Option(..., help="URL of a superuser, postgresql+psycopg2://…/postgres"),
    database: str = typer.Option("halluvault", help="Name of the results database."),
    owner: str = typer.Option("halluvault", help="The pipeline's role."),
) -> None:
    """Make the roles, the database and the schema of simulated labels, whatever of it is missing.

    Passwords come from HALLUVAULT_OWNER_PASSWORD, HALLUVAULT_READER_PASSWORD and HALLUVAULT_SIM_PASSWORD.
    """
    names = {owner: "OWNER", roles.READER: "READER", roles.SIMULATOR: "SIM"}
    passwords = {role: os.environ.get(f"HALLUVAULT_{part}_PASSWORD", "") for role, part in names.items()}
    if absent := [role for role, password in passwords.items() if not password]:
        raise UserError(f"no password for {', '.join(absent)}", "set HALLUVAULT_{OWNER,READER,SIM}_PASSWORD")
    roles.create_database(admin_url, database, owner, passwords)
    log.print(f"database {database} and its roles are there")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(db, name="db")
