"""Commands of `halluvault` on a month that can be asked and judged, with models of a test's own."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions
from tests.oracles import material
from tests.querying import support


def build(database_url: str, month: str, cases: int) -> None:
    """A published month of so many cases, its rules and its results views."""
    views.upgrade(database_url)
    with sessions.session(database_url) as session:
        support.build(session, month, cases)
        material.put_rules(session, month)
        session.commit()


@contextmanager
def commanding(
    patch: pytest.MonkeyPatch,
    database_url: str,
    directory: Path,
    server: Mapping[str, Any],
    bases: Mapping[str, str],
    *commands: Callable[[typer.Typer], None],
) -> Iterator[typer.Typer]:
    """The commands, with models behind one server.

    Args:
        server: its entry in models.yaml, without its name.
        bases: model → URL.
        commands: each registers one.
    """
    entries = [{"name": name, "dialect": "tgi", "server": "s", "base_urls": [base]} for name, base in bases.items()]
    models = directory / "models.yaml"
    models.write_text(yaml.safe_dump({"servers": [{"name": "s", "pool": "s", **server}], "models": entries}))
    patch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    patch.setenv("HALLUVAULT_MODELS_FILE", str(models))
    patch.setenv("HALLUVAULT_CONFIG_DIR", str(REPOSITORY / "config" / "demo"))
    settings.cache_clear()
    app = typer.Typer()
    for register in commands:
        register(app)
    yield app
    settings.cache_clear()
