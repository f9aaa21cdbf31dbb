"""`python -m studies.texts`: cut the evidence of the sets' cases out of a month."""

from pathlib import Path
from typing import Annotated

import typer

from halluvault_tasks import cli
from halluvault_tasks.cli.common import SnapshotOption, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure import evidence, texts
from studies.texts import licensed

study = typer.Typer(no_args_is_help=True, help="The texts that versions of the reader were decided by.")


@study.callback()
def every() -> None:
    """One command more may come."""


@study.command()
def freeze(
    name: Annotated[str, typer.Argument(help="Which cut, as sets.yaml calls it.")],
    snapshot: SnapshotOption = "",
    provenance: Annotated[
        Path | None, typer.Option(help="provenance.tsv.gz of the month's file: leave out what has no licence.")
    ] = None,
) -> None:
    """Write NAME.jsonl.gz: what a month of HALLUVAULT_DATABASE_URL states of the things that the sets' cases speak of.

    Example: python -m studies.texts freeze whole --snapshot 2022-12 --provenance provenance.tsv.gz
    """
    sets = texts.load()
    if name not in sets.evidence:
        raise UserError(f"there is no cut {name!r}; sets.yaml has {', '.join(sets.evidence)}", "name one of them")
    mine = [one for one in sets.sets if one.evidence == name and not texts.missing(texts.FOLDER, one)]
    said = {each.text for one in mine for each in texts.texts(texts.FOLDER, one)}
    cases = texts.cases(texts.FOLDER, sets, name)
    with open_session() as session:
        found = evidence.freeze(session, month_of(session, snapshot), cases, said, texts.FOLDER / f"{name}.jsonl.gz")
    if provenance:
        rested_on = {premise["sid"] for case in cases for premise in case.premises}
        left_out = licensed.keep(found.file, licensed.sources(provenance), rested_on)
        said_out = ", ".join(f"{number} of {table}" for table, number in left_out.items())
        out.print(f"left out for want of a licence: {said_out}", markup=False, soft_wrap=True)
    rows = ", ".join(f"{number} of {table}" for table, number in found.rows.items())
    out.print(f"{found.file.name}, {found.file.stat().st_size} bytes: {rows}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    cli.run(study)
