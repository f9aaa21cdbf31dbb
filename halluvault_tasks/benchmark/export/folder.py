"""A folder that appears complete or not at all, with a manifest of its contents."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from halluvault_tasks.errors import UserError

MANIFEST = "export.json"


def duckdb() -> Any:
    """The package, which writes Parquet.

    Raises:
        UserError: it is not installed.
    """
    try:
        return import_module("duckdb")
    except ImportError as error:
        raise UserError(
            "this format needs duckdb, which is not installed", "pip install 'halluvault[export]'"
        ) from error


class Folder:
    """Collects files beside the target and puts them in its place at the end; of what fails before, nothing stays.

    Args:
        target: absent, empty, or an earlier export, which is then replaced.

    Raises:
        UserError: the target holds something else, or cannot be written.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / MANIFEST).is_file())):
            raise UserError(f"{target} exists and is not an earlier export", "give another --output")
        self._partial = target.with_name(target.name + ".partial")
        try:
            shutil.rmtree(self._partial, ignore_errors=True)
            self._partial.mkdir(parents=True)
        except OSError as error:
            raise UserError(f"{target} cannot be written: {error.strerror}", "give another --output") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self._partial, ignore_errors=True)
        if isinstance(error, OSError) and error.strerror:
            raise UserError(
                f"{self._target} cannot be written: {error.strerror}", "make room there, or give another --output"
            ) from error

    def path(self, name: str) -> Path:
        """Where a file of this name is to be written now."""
        path = self._partial / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def text(self, name: str, content: str) -> None:
        """Write a text file."""
        self.path(name).write_text(content, encoding="utf-8")

    def lines(self, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Write JSON lines, keys as they come; returns how many."""
        number = 0
        with self.path(name).open("w", encoding="utf-8", newline="\n") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                number += 1
        return number

    def close(self, manifest: Mapping[str, Any]) -> list[str]:
        """Write the manifest, put the folder in its place, and return the names of its files."""
        files = {
            path.relative_to(self._partial).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self._partial.rglob("*"))
            if path.is_file()
        }
        self.text(MANIFEST, json.dumps({**manifest, "files": files}, indent=2, ensure_ascii=False) + "\n")
        try:
            if self._target.exists():
                shutil.rmtree(self._target)
            self._partial.replace(self._target)
        except OSError as error:
            raise UserError(f"{self._target} cannot be written: {error.strerror}", "give another --output") from error
        return [*files, MANIFEST]
