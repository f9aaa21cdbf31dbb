"""What a source is called: months of one name are compared with each other, so the name stays from month to month."""

import re
from pathlib import Path

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.wikidata.snapshot_keys import parse_key

_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?(?!\d)")
_PATH = re.compile(r"[/\\]")
_ENDINGS = re.compile(r"(?:\.(?:nt|ttl|gz|bz2))+$")


def of_file(session: Session, file: Path, snapshot: str) -> str:
    """Name of a dump that none was given for: its file's, without the date that next month's will not have.

    Args:
        session: open session; nothing is written.
        file: the dump.
        snapshot: key of the month; one that is there under the file's whole name keeps it.

    Raises:
        UserError: the file's name is a date and nothing else.
    """
    month = parse_key(snapshot).month
    if not _DATE.search(file.name) or any(
        row.source == file.name and row.month == month for row in snapshots.listing(session)
    ):
        return file.name
    undated = re.sub(r"([-_. ])[-_. ]+", r"\1", _DATE.sub("", _ENDINGS.sub("", file.name))).strip("-_. ")
    if not undated:
        raise UserError(
            f"{file.name} is named by a date alone, and months are compared by their source's name",
            "give it one that stays: --name NAME, or HALLUVAULT_SOURCE",
        )
    return undated


def require_no_path(name: str) -> str:
    """The name, which stands in published tables and so must say nothing of a machine.

    Raises:
        UserError: it is a path.
    """
    if name.startswith("file:") or ("://" not in name and _PATH.search(name)):
        raise UserError(
            f"source name {name!r} is a path of this machine, and would be published with the month",
            f"give a name that stays: {_PATH.split(name.strip('/'))[-1]}",
        )
    return name


def alone(session: Session, snapshot: str, source: str) -> str:
    """One line if the earlier months are all another source's; empty otherwise.

    Args:
        session: open session; nothing is written.
        snapshot: key of a month, there or to be pulled.
        source: its source's name.
    """
    month = parse_key(snapshot).month
    before = [row for row in snapshots.listing(session) if row.month < month and row.status == "published"]
    if not before or any(row.source == source for row in before):
        return ""
    others = sorted({row.source for row in before})
    told = ", ".join(others[:3]) + " …" * (len(others) > 3)
    return f"the earlier months come from {told}; this is {source}: compared with nothing"
