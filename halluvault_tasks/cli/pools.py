"""`halluvault pools`: what Airflow needs before the DAGs are unpaused."""

import os
from pathlib import Path
from typing import Annotated

import typer

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.querying.pools import as_json
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.settings import settings


def register(app: typer.Typer) -> None:
    """Add this command to the root."""

    @app.command()
    def pools(
        to: Annotated[Path | None, typer.Option(help="File to write; empty: stdout.")] = None,
    ) -> None:
        """Print Airflow's pools as JSON for `airflow pools import`: one per model server, and the fixed ones.

        Example: halluvault pools --to pools.json && airflow pools import pools.json
        """
        registry = load_models(settings().models_file or settings().config_dir / "models.yaml", os.environ)
        if to is None:
            out.print(as_json(registry), markup=False, soft_wrap=True)
        else:
            to.write_text(as_json(registry) + "\n", encoding="utf-8")
            log.print(f"now run: airflow pools import {to}", markup=False)
