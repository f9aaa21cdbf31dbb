"""Commands on what reduces a model's hallucinations: `halluvault results gain`, `edits`, `preferences`, `edited`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.results.mitigation import edits as requests
from halluvault_tasks.results.mitigation import facts as found_wrong
from halluvault_tasks.results.mitigation import gains, preferences
from halluvault_tasks.results.mitigation.gains import Gain
from halluvault_tasks.settings import settings

ModelOption = Annotated[str, typer.Option("--model", help="Name in models.yaml.")]
VariantOption = Annotated[
    str, typer.Option("--variant", help="Its prompt variant, or the beginning of it, if it has several.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Of every draw.")]


def gain(
    model: ModelOption,
    base: Annotated[str, typer.Option("--base", help="Variant without the mitigation.")],
    with_: Annotated[str, typer.Option("--with", help="Variant with it.")],
    snapshot: SnapshotOption = "",
    failed: Annotated[bool, typer.Option("--failed", help="Take the second answer of failed cases only.")] = False,
) -> None:
    """Print the effect of evidence, a system prompt or a self-check: the same cases, paired, by rule kind and category.

    Example: halluvault results gain --model NAME --base halluvault/two-turn --with halluvault/self-check
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        before, after = (
            gains.outcomes(session, found_wrong.evaluation(session, key, model, one), key) for one in (base, with_)
        )
    how = "retry of the failed" if failed else "retry of all"
    show(f"{model}, {key}: {with_} against {base}, {how}", gains.gains(before, after, retried=failed))
    if failed:
        out.print("Only failed cases take the second answer, so the rate can only fall: compare with a retry of all.")
    table = Table("category before", "failed", "still fail", title="What it does not change")
    for category, (all_of, still) in gains.stays(before, after).items():
        table.add_row(category, str(all_of), f"{still} ({still / all_of:.0%})")
    out.print(table)


def edits(  # noqa: PLR0913 (typer: its parameters are its options)
    model: ModelOption,
    output: Annotated[Path, typer.Option("--output", help="File to write.")],
    form: Annotated[Literal["easyedit", "fastedit"], typer.Option("--format", help="Whose keys.")] = "easyedit",
    facts: Annotated[
        Literal["derived", "premises"],
        typer.Option(
            "--facts", help="derived: facts of wrong cases (§6.2); premises: facts that convicted premises deny."
        ),
    ] = "derived",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most edits.")] = 150,
    snapshot: SnapshotOption = "",
    variant: VariantOption = "",
    seed: SeedOption = 20260101,
    beyond: Annotated[
        bool, typer.Option("--beyond-1000", help="Answer yes to both questions asked beyond 1,000 edits.")
    ] = False,
) -> None:
    """Write edit requests for what a model got wrong, one per subject and property.

    All edits of a model, and of those that it was edited from, count towards 1,000, beyond which models collapse
    (HalluVault §6.2); then it asks twice.

    Example: halluvault results edits --model NAME --format easyedit --limit 150 --output edits.json
    """
    with open_session() as session, heartbeat("wording the edits"):
        row = snapshots.get(session, month_of(session, snapshot))
        of = found_wrong.evaluation(session, row.snapshot, model, variant)
        lexicon = config.load(settings().config_dir, settings().benchmark_size).lexicon
        material = Material(session, row, lexicon)
        wrong = found_wrong.wrong(session, of, row.snapshot, facts)
        right = found_wrong.right(session, of, row.snapshot)
        made = requests.requests(material, wrong, right, limit, seed)
        line = requests.lineage(model, _edited_from())
        had, more = requests.counted(session, line), requests.added(session, model, made)
    if had + more > requests.COLLAPSE and not beyond:
        of_all = f" with those of {', '.join(line[1:])}" if line[1:] else ""
        told = f"{model} would have {had + more} edits{of_all}; beyond {requests.COLLAPSE} models tend to collapse"
        if not (typer.confirm(f"{told}. Write them?") and typer.confirm("Really write them?")):
            raise UserError(f"{told}; nothing was written", "give a lower --limit, or --beyond-1000")
    written = requests.write(made, form, output)
    with open_session() as session:
        requests.record(session, model, row.snapshot, made)
    lost = len(wrong) - len(made) if len(made) < limit else 0
    out.print(
        f"{len(made)} edits of {len(wrong)} facts in {', '.join(map(str, written))}; {had + more} of {model} in all"
        + (f"; {lost} have no sentence that ends with their object" if lost else ""),
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if not all(one.locality for one in made):
        log.print("no locality in the file: the model got no other fact right", style="yellow")


def _edited_from() -> dict[str, str]:
    """Model → the one before its edits, as far as models.yaml says."""
    there = settings().models_path.is_file()
    return {one.name: one.edited_from for one in registry().models} if there else {}


def training(
    model: ModelOption,
    output: Annotated[Path, typer.Option("--output", help="Folder to write train.jsonl and test.jsonl into.")],
    snapshot: SnapshotOption = "",
    variant: VariantOption = "",
    share: Annotated[float, typer.Option("--train", min=0.05, max=0.95, help="Approximate share for training.")] = 0.7,
    seed: SeedOption = 20260101,
) -> None:
    """Write what a model got wrong as preference pairs in TRL's conversational format, split by entity.

    The cases are marked: from then on `results edited` reports them separately.

    Example: halluvault results preferences --model NAME --output pairs
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        of = found_wrong.evaluation(session, key, model, variant)
        parts = preferences.split(preferences.pairs(session, of, key), share, seed)
        written = preferences.write(parts, output)
        preferences.record(session, model, key, parts)
    said = ", ".join(f"{len(parts[name])} in {path}" for name, path in zip(parts, written, strict=True))
    out.print(f"preference pairs: {said}; no entity is in both", markup=False, soft_wrap=True)


def edited(
    model: Annotated[str, typer.Option("--before", help="The model whose requests were made.")],
    after: Annotated[str, typer.Option("--after", help="The model that was edited or tuned with them.")],
    snapshot: SnapshotOption = "",
    variant: VariantOption = "",
) -> None:
    """Compare an edited or tuned model with the original: targets, rephrasings, locality, the rest, nonsense.

    Example: halluvault results edited --before NAME --after NAME-edited
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        both = [
            gains.outcomes(session, found_wrong.evaluation(session, key, name, variant), key) for name in (model, after)
        ]
        made = gains.edited(session, model, *both)
    show(f"{key}: {after} against {model}", made)


def show(title: str, made: Sequence[Gain]) -> None:
    """Print parts before and after."""
    table = Table("part", "cases", "before", "after", "difference, points", "p", title=escape(title))
    for one in made:
        apart = one.difference
        table.add_row(
            one.part, str(apart.shared), f"{one.before:.1%}", f"{one.after:.1%}",
            f"{100 * apart.difference:+.1f} [{100 * apart.low:+.1f}, {100 * apart.high:+.1f}]", f"{apart.p:.4f}",
        )  # fmt: skip
    out.print(table)


def register(app: typer.Typer) -> None:
    """Add these commands to `halluvault results`."""
    app.command("gain")(gain)
    app.command("edits")(edits)
    app.command("preferences")(training)
    app.command("edited")(edited)
