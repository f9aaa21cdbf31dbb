"""`halluvault benchmark`: build a month's questions, and read them."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import audit as audits
from halluvault_tasks.benchmark import audit_sheet, between, reading, stages
from halluvault_tasks.benchmark import export as exports
from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.querying import asking
from halluvault_tasks.settings import settings

benchmark = typer.Typer(
    no_args_is_help=True,
    help="Build the questions of a month and read them.\n\n"
    "Example: [bold]halluvault benchmark build[/], then [bold]halluvault benchmark sample --n 20[/].",
)


_FIRST_MONTH = "First month: no earlier published snapshot of this source confirms what is asked."


def _snapshot(session: Session, key: str) -> str:
    """The snapshot meant: an exact key in whatever status, else what `snapshots.find` says."""
    if key:
        known = {row.snapshot for row in snapshots.listing(session)}
        return key if key in known else snapshots.find(session, key).snapshot
    return reading.newest(session)


@benchmark.command()
def build(
    snapshot: SnapshotOption = "",
    size: Annotated[str, typer.Option(help="Quotas of benchmark.yaml; default: HALLUVAULT_BENCHMARK_SIZE.")] = "",
    publish: Annotated[bool, typer.Option(help="Let evaluations use it at once.")] = True,
) -> None:
    """Make the questions of a snapshot and freeze them, whole or not at all.

    The same snapshot, configuration and seed give the same benchmark; a second run writes nothing. Needs
    `halluvault derive run` and `halluvault temporal run` before, both to their ends.

    Example: halluvault benchmark build --snapshot 2026-10 --size demo
    """
    configuration = settings()
    with open_session() as session, heartbeat("building the benchmark"):
        if snapshot:
            key = _snapshot(session, snapshot)
        else:
            frozen = [row.snapshot for row in snapshots.listing(session) if row.status != "pulling"]
            if not frozen:
                raise UserError("no snapshot is frozen", "halluvault pull")
            key = frozen[0]
        counts = stages.build(
            session,
            key,
            config_dir=configuration.config_dir,
            size=size or configuration.benchmark_size,
            ask=asking.asker(configuration.models_path, os.environ),
        )
        if publish:
            stages.publish(session, key)
        figures = reading.counts(session, key)
    if not counts.built:
        log.print(f"the benchmark of {key} was already frozen; nothing was written")
    table = Table("domain", "rule or operator", "cases", "yes", "no", title=f"Benchmark {key}")
    for domain, kinds in sorted(figures["cells"].items()):
        for kind, golds in sorted(kinds.items()):
            yes, no = golds.get("yes", 0), golds.get("no", 0)
            table.add_row(domain, Text(kind), str(yes + no), str(yes), str(no))
    out.print(table)
    out.print(
        f"{counts.cases} cases in {counts.groups} groups ({counts.relation} relation, {counts.temporal} temporal), "
        f"{counts.yes} with the answer yes; {counts.shortfall} short of the quotas, "
        f"{counts.dropped} facts not asked about"
    )
    if counts.first_month:
        out.print(_FIRST_MONTH)
    blind = Table("scored on", "blind rule", "accuracy", "95 % interval", "cases", title="Rules that know nothing")
    for one in figures["baselines"]:
        low, high = f"{100 * one['low']:.1f}", f"{100 * one['high']:.1f}"
        blind.add_row(
            one["scope"], one["name"], f"{100 * one['accuracy']:.1f} %", f"{low} – {high} %", str(one["cases"])
        )
    out.print(blind)
    _months(figures["months"])
    for suite, reasons in figures["dropped"].items():
        for reason, number in sorted(reasons.items()):
            log.print(f"not asked about ({suite}): {number} × {reason}", markup=False)
    for suite, cells in figures["shortfall"].items():
        for cell, owed in sorted(cells.items()):
            said = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in sorted(owed.items()) if number)
            log.print(f"short of its quota ({suite}): {cell} by {said}", markup=False)


def _months(months: Mapping[str, Any]) -> None:
    """What became of the benchmark before this one, by reason."""
    if not months["previous"]:
        return
    out.print(f"since {months['previous']}: {months['stays']} cases stay")
    for kind in ("retired", "new"):
        for reason, number in sorted(months[kind].items()):
            out.print(f"  {number} {kind}: {reason}", markup=False)


@benchmark.command()
def show(
    case: Annotated[str, typer.Argument(help="Case id, or enough of its beginning.")],
    snapshot: SnapshotOption = "",
) -> None:
    """Print a case: question, right answer, prompt, the statements it rests on, and its proof.

    The proof is a Prolog program; `halluvault benchmark show CASE | sed '1,/^% Proof/d' > p.pl; swipl p.pl` replays it.

    Example: halluvault benchmark show 3fa9
    """
    with open_session() as session:
        one = reading.case(session, case, _snapshot(session, snapshot) if snapshot else "")
        prompts = reading.prompts(session, one)
        first_month = reading.counts(session, one.snapshot).get("first_month", False)
    out.out(f"Case {one.id} of {one.snapshot} ({one.suite}, {one.domain}, {one.rule_kind}, {one.mutation})")
    if first_month:
        out.out(_FIRST_MONTH)
    out.out(f"Question: {one.question}")
    out.out(f"Answer: {one.gold}")
    out.out(f"Group: {one.group_id}; relation to its original: {one.relation}")
    out.out(f"Fact: {json.dumps(one.fact, ensure_ascii=False, sort_keys=True)}")
    out.out("Rests on:")
    for premise in one.premises:
        out.out(f"  {premise['sentence']}  [statement {premise['guid']}]")
    for text in prompts:
        out.out(f"Prompt ({text.template} {text.version}, {text.form}, {text.context}):")
        for line in _turns(text):
            out.out(line)
    out.out("% Proof")
    out.out(one.proof)


def _turns(text: reading.PromptView) -> Iterator[str]:
    """A prompt as people read it: of a chat, whose turn it is before what is said."""
    if text.form == "plain":
        yield text.text
        return
    for message in json.loads(text.text):
        yield f"[{message['role']}]"
        yield "(the model's own turn)" if message["content"] is None else message["content"]


@benchmark.command()
def sample(
    n: Annotated[int, typer.Option("--n", min=1, help="Number of cases.")] = 80,
    seed: Annotated[int, typer.Option(help="Another seed draws another sample.")] = 1,
    form: Annotated[str, typer.Option("--format", help=f"{' or '.join(audit_sheet.FORMATS)}.")] = "md",
    snapshot: SnapshotOption = "",
) -> None:
    """Print a reading sheet: random cases with their answers and evidence, and columns for an auditor to tick.

    Tick each column of each row with x, or with - where it fails, and say why in the note:

    - grammatical: it is good English

    - unambiguous: it has one reading, and its names mean one thing

    - answer right: yes, as far as you can find out from anywhere

    - not guessable: nothing in the words gives the answer away

    Example: halluvault benchmark sample --n 80 --seed 7 > sheet.md, then halluvault benchmark audit sheet.md
    """
    with open_session() as session:
        rows = reading.sample(session, _snapshot(session, snapshot), count=n, seed=seed)
    sys.stdout.write(audit_sheet.sheet(rows, form))


@benchmark.command()
def audit(file: Annotated[Path, typer.Argument(help="A ticked sheet of `benchmark sample`, Markdown or CSV.")]) -> None:
    """Read a ticked sheet back: the rate of each column and of clean cases, with Wilson's 95 % intervals.

    Cases that fail a column are listed with their notes. Rows that do not count are named with the reason: not ticked
    whole, no such case, or a question that was changed.

    Example: halluvault benchmark audit sheet.md
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read: {error}", "give a sheet of `halluvault benchmark sample`") from error
    with open_session() as session:
        found = audits.audit(session, text)
    table = Table("", "cases", "share", "95 % interval", title=f"{found.read} cases read")
    for rate in found.rates:
        share = f"{100 * rate.hits / rate.of:.1f} %"
        table.add_row(rate.what, f"{rate.hits} of {rate.of}", share, f"{100 * rate.low:.1f} – {100 * rate.high:.1f} %")
    out.print(table)
    for fault in found.faults:
        out.out(f"row {fault.row}, case {fault.case_id}, fails {', '.join(fault.failed)}: {fault.question}")
        if fault.note:
            out.out(f"  {fault.note}")
    for bad in found.bad:
        log.print(f"row {bad.row} does not count: {bad.why}", markup=False)


@benchmark.command()
def changes(
    before: Annotated[str, typer.Argument(help="Earlier month; empty: the one that the later was held against.")] = "",
    after: Annotated[str, typer.Argument(help="Later month; empty: the newest benchmark.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="Every case with its question, not the counts alone.")] = False,
) -> None:
    """Say what a benchmark keeps of an earlier one, what it retired and why, and what is new.

    A question that was asked is never changed: it stays as it is, or is retired with a reason that is stored when the
    later benchmark is frozen. Months further apart are compared by following those steps.

    Example: halluvault benchmark changes 2026-09 2026-10 --list
    """
    with open_session() as session:
        later = _snapshot(session, after)
        earlier = _snapshot(session, before) if before else between.last_step(session, later)
        found = between.between(session, earlier, later)
    table = Table("", "reason", "cases", title=f"{' → '.join(found.path)}")
    table.add_row("stay", "", str(found.stays))
    for kind, several in (("retired", found.retired), ("new", found.new)):
        for reason, number in sorted(Counter(one.reason for one in several).items()):
            table.add_row(kind, reason, str(number))
    out.print(table)
    for kind, several in (("retired", found.retired), ("new", found.new)) if listed else ():
        for one in several:
            out.out(f"{kind} in {one.snapshot}: {one.reason}" + (f" ({one.detail})" if one.detail else ""))
            out.out(f"  {one.case_id}  {one.question} {one.gold}")
            if one.successor:
                out.out(f"  asked on as {one.successor}")


@benchmark.command()
def export(
    to: Annotated[str, typer.Option("--to", help=f"Format: {', '.join(exports.FORMATS)}.")] = "jsonl",
    output: Annotated[
        Path | None,
        typer.Option(help="Folder; an earlier export there is replaced. jsonl alone may go to standard output."),
    ] = None,
    snapshot: SnapshotOption = "",
) -> None:
    """Write a benchmark as files, with a data card, for people and for other harnesses.

    jsonl, parquet: cases and prompts. hf: a folder that Hugging Face's `load_dataset` reads. lm-eval, inspect: a ready
    task for lm-evaluation-harness or inspect_ai with its data; the card says how to run it. The same benchmark gives
    the same bytes.

    Example: halluvault benchmark export --to hf --output halluvault-2026-10
    """
    with open_session() as session:
        key = _snapshot(session, snapshot)
        if output is None:
            if to not in exports.FORMATS or to == "jsonl":
                _lines(session, key, to)
                return
            raise UserError(f"{to} is a folder of files", "say where: --output FOLDER")
        written = exports.export(session, key, to, output)
    log.print(f"wrote {written.cases} cases to {written.folder}: {', '.join(written.files)}", markup=False)


def _lines(session: Session, key: str, to: str) -> None:
    if to != "jsonl":
        raise UserError(f"format {to!r} is unknown; the formats are {', '.join(exports.FORMATS)}")
    reading.counts(session, key)  # refuses a snapshot without benchmark before anything is printed
    for line in reading.export(session, key):
        sys.stdout.write(line + "\n")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(benchmark, name="benchmark")
