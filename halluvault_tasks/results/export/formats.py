"""`results export`: a month's results as a folder, complete or not at all."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.folder import Folder
from halluvault_tasks.errors import UserError
from halluvault_tasks.results.export import bundle, inspect_log, tables

_LAYOUT = 1  # of the folders; a changed name or column is a new one

FORMATS: Mapping[str, Callable[[Session, str, Folder], dict[str, int]]] = {
    "csv": tables.csv_files,
    "jsonl": tables.jsonl_files,
    "parquet": tables.parquet_files,
    "inspect": inspect_log.logs,
    "bundle": bundle.files,
}


class WrittenResults(NamedTuple):
    """What an export wrote."""

    folder: Path
    rows: dict[str, int]
    """Rows (or samples) of each view (or log)."""


def export(session: Session, snapshot: str, to: str, target: Path) -> WrittenResults:
    """Write a month's results as a folder.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        to: one of `FORMATS`.
        target: the folder; an earlier export there is replaced.

    Raises:
        UserError: unknown format, a target that holds something else, or a library that is missing.
    """
    if to not in FORMATS:
        raise UserError(f"format {to!r} is unknown; the formats are {', '.join(FORMATS)}", "give one of them as --to")
    with Folder(target) as folder:
        rows = FORMATS[to](session, snapshot, folder)
        if not rows:
            raise UserError(f"{snapshot} has no evaluation to export", "`halluvault evaluate` makes one")
        folder.close({"layout": _LAYOUT, "format": f"results {to}", "snapshot": snapshot, "rows": rows})
    return WrittenResults(target, rows)
