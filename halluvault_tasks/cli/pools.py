"""`halluvault pools`: what Airflow needs before the DAGs are unpaused."""

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.cli.parts import airflow
from halluvault_tasks.querying.pools import as_json
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.settings import settings


def register(app: typer.Typer) -> None:
    """Add this command to the root."""

    @app.command()
    def pools(
        to: Annotated[Path | None, typer.Option(help="File to write; empty: stdout.")] = None,
        apply: Annotated[
            bool, typer.Option("--apply", help="Create them in this environment's Airflow, or correct their slots.")
        ] = False,
    ) -> None:
        """Print Airflow's pools as JSON, or create them: one per model server, and the fixed ones.

        Run it before unpausing the DAGs and after each change of models.yaml: a task whose pool is missing never
        starts. Other pools are left alone.

        Example: halluvault pools --apply
        """
        text = as_json(load_models(settings().models_path, os.environ))
        if apply:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "pools.json"
                file.write_text(text, encoding="utf-8")
                airflow.run("pools", "import", str(file))
            log.print("Airflow has its pools")
        elif to is None:
            out.print(text, markup=False, soft_wrap=True)
        else:
            to.write_text(text + "\n", encoding="utf-8")
            log.print(f"now run: airflow pools import {to}", markup=False)
