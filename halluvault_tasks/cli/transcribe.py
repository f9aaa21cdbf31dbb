"""`halluvault transcribe`: have the claims of stored responses listed, for months that were answered long ago, too."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import SnapshotOption, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.cli.scoring import NamesOption, evaluations
from halluvault_tasks.oracles import transcribe as stage


def transcribe(
    model_names: NamesOption = None,
    snapshot: SnapshotOption = "",
    by: Annotated[
        str, typer.Option("--by", help="transcript: the model that answered; llm:NAME: a model of models.yaml.")
    ] = stage.SAME,
) -> None:
    """Have the claims of every answer listed under a grammar, where not yet done. Then `score run` judges again.

    Whatever a listing names must be in the answer's own sentences; the share that is gets printed for each model.
    Servers that obey no JSON grammar are not asked: their answers are read by the parse alone.

    Example: halluvault transcribe --snapshot 2026-10 --by transcript
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        chosen = evaluations(session, key, model_names or ())
        table = Table("model", "evaluation", "listed by", "answers", "claims listed", "kept", "share", "failed")
        for evaluation, name in chosen:
            with heartbeat(f"claims of {name}"):
                counts = stage.transcribe(session, evaluation, registry=registry(), by=by)
            share = f"{100 * counts.kept / counts.listed:.1f} %" if counts.listed else "–"
            by_whom = by if counts.guided else f"{by}: no grammar is obeyed; read by syntax alone"
            row = (str(one) for one in (counts.asked, counts.listed, counts.kept, share, counts.failed))
            table.add_row(escape(name), evaluation, escape(by_whom), *row)
    out.print(table)


def register(app: typer.Typer) -> None:
    """Add this command to the root."""
    app.command()(transcribe)
