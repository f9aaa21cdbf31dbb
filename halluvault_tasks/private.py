"""Files and folders for their owner alone: 0600 and 0700. What exists keeps its mode, as does every folder above."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, with mode 0700; returns it.

    Raises:
        OSError: it cannot be made.
    """
    for each in reversed([path, *path.parents]):
        with suppress(FileExistsError):
            each.mkdir(mode=0o700)
    return path


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A new file in place of any old one, with mode 0600."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file


def write_text(path: Path, text: str) -> None:
    """Write a new file in place of any old one, UTF-8, with mode 0600."""
    with opened(path) as file:
        file.write(text.encode())
