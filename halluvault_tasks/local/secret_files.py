"""Files with passwords: readable by their owner alone, and written completely or not at all."""

import json
import os
from collections.abc import Mapping
from pathlib import Path


def write(path: Path, values: Mapping[str, str]) -> None:
    """Write a JSON object with mode 0600; a process killed at any moment leaves the old file or the new one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(dict(values), file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read(path: Path) -> dict[str, str]:
    """The object in the file; empty where there is no file, or one that was never filled."""
    content = path.read_text(encoding="utf-8") if path.exists() else ""
    return dict(json.loads(content)) if content else {}
