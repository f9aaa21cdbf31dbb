"""`halluvault dags`: where the DAG files are, for an Airflow that exists."""

import json

import typer

from halluvault_tasks.cli.common import out
from halluvault_tasks.settings import SHARE

dags = typer.Typer(no_args_is_help=True, help="Where the DAG files are, for your own Airflow.")

_LOCAL = "airflow.dag_processing.bundles.local.LocalDagBundle"


@dags.command()
def path() -> None:
    """Print the folder of the DAG files.

    Example: AIRFLOW__CORE__DAGS_FOLDER=$(halluvault dags path)
    """
    out.print(str(SHARE / "dags"), markup=False, soft_wrap=True)


@dags.command()
def bundle() -> None:
    """Print Airflow's list of DAG bundles: your DAG folder, and ours as a bundle beside it.

    Example: export AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST="$(halluvault dags bundle)"
    """
    bundles = [
        {"name": "dags-folder", "classpath": _LOCAL, "kwargs": {}},
        {"name": "halluvault", "classpath": _LOCAL, "kwargs": {"path": str(SHARE / "dags")}},
    ]
    out.print(json.dumps(bundles), markup=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(dags, name="dags")
