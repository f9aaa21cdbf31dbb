"""`halluvault benchmark`: build a month's questions, and read them."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import export as exports
from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.export import about, audit_sheet, reading
from halluvault_tasks.benchmark.export import audit as audits
from halluvault_tasks.benchmark.freeze import compare, part_lookup
from halluvault_tasks.benchmark.prompts import store, variants
from halluvault_tasks.benchmark.suites import registry as suites
from halluvault_tasks.benchmark.suites.template import WORDS
from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts import built, grids
from halluvault_tasks.cli.parts.configuration import require
from halluvault_tasks.cli.parts.ranges import ExistingOption, require_whole
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.querying import asking, backfill
from halluvault_tasks.results.items import core as cores
from halluvault_tasks.results.items import gathered
from halluvault_tasks.settings import settings

benchmark = typer.Typer(
    no_args_is_help=True,
    help="Build the questions of a month and read them.\n\n"
    "Example: [bold]halluvault benchmark build[/], then [bold]halluvault benchmark sample --n 20[/].",
)


MonthsOption = Annotated[
    str,
    typer.Option(
        "--snapshots",
        "--snapshot",
        help="Month YYYY-MM, YYYY-MM.N, a list 2026-01,2026-03, a range 2026-01..2026-10, or all. Empty: newest.",
    ),
]
SuiteOption = Annotated[
    list[str] | None,
    typer.Option("--suite", help=f"{', '.join(suites.SUITES)}; may be given several times. Default: as configured."),
]
SizeOption = Annotated[str, typer.Option(help="Quotas of benchmark.yaml; default: HALLUVAULT_BENCHMARK_SIZE.")]


def _snapshot(session: Session, key: str) -> str:
    """The snapshot meant: an exact key whatever its status, else what `snapshots.find` says."""
    if key:
        known = {row.snapshot for row in snapshots.listing(session)}
        return key if key in known else snapshots.find(session, key).snapshot
    return reading.newest(session)


@benchmark.command()
def build(
    months: MonthsOption = "",
    suite: SuiteOption = None,
    size: SizeOption = "",
    publish: Annotated[bool, typer.Option(help="Let evaluations use it at once.")] = True,
    existing: ExistingOption = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Every reason for which facts are not asked, and every short cell.")
    ] = False,
) -> None:
    """Make the questions of one or more snapshots and freeze them suite by suite, each complete or not at all.

    Builds the suites that config/benchmark.yaml switches on (`suites`), or those that --suite names; a suite can thus
    be added to past months without touching the others. A part that is refused is named, with an incident; the others
    are kept. The same snapshot, configuration and seed give the same benchmark; a second run writes nothing. Months of
    a range that are not there to be built are named at the end, with status 3 unless --existing is given. Run
    `halluvault derive run` and `halluvault temporal run` to completion first.

    Examples: halluvault benchmark build --snapshot 2026-10 --size demo;  halluvault benchmark build --suite temporal
    --snapshots 2026-01..2026-10
    """
    configuration = settings()
    require(configuration.config_dir)
    failed: list[str] = []
    with open_session() as session, heartbeat("building the benchmark"):
        keys = _to_build(session, months)
        for key in keys:
            try:
                counts = stages.build(
                    session,
                    key,
                    config_dir=configuration.config_dir,
                    size=size or configuration.benchmark_size,
                    only=suite or (),
                    ask=asking.asker(configuration.models_path, os.environ),
                )
                if publish:
                    part_lookup.publish(session, key, [part.suite for part in counts.parts])
            except UserError as error:
                if len(keys) == 1:
                    raise
                session.rollback()
                failed.append(f"{key}: {error.message}")
                continue
            built.say(counts, part_lookup.of_month(session, key, [part.suite for part in counts.parts]), verbose)
            failed += [f"{key}, suite {one.suite}: {one.message} → {one.way_out}" for one in counts.refused]
        lacking = backfill.lacking(session, months, published=False)
    for month in lacking:
        log.print(f"{month.month} was not built: {month.why} ({month.way_out})", markup=False, soft_wrap=True)
    if failed:
        raise UserError("; ".join(failed), "everything else was built")
    if lacking and not existing:
        raise typer.Exit(3)


def _to_build(session: Session, wanted: str) -> list[str]:
    """Exact keys, oldest first; ranges and none at all mean frozen or published snapshots whose rows are there."""
    rows, gone = snapshots.listing(session), snapshots.dropped(session)
    there = [row.snapshot for row in rows if row.status != "pulling" and row.snapshot not in gone]
    if wanted in {row.snapshot for row in rows}:  # an exact key, in whatever status
        return [wanted]
    if not there:
        raise UserError("no snapshot is frozen", "halluvault pull")
    return backfill.months(session, wanted, there, "has a frozen snapshot") if wanted.strip() else there[:1]


@benchmark.command()
def prompts(
    variant: Annotated[list[str], typer.Option("--variant", help=f"May be given several times. {variants.ACCEPTED}.")],
    months: MonthsOption = "",
    suite: SuiteOption = None,
    existing: ExistingOption = False,
) -> None:
    """Make the prompts of a variant for frozen months, without touching their contents.

    A prompt depends only on the case, the template's version and the snapshot's date, so a second run makes nothing,
    and any process makes the same bytes; a stored text that differs is an error and never overwritten. `query run` and
    `evaluate` make missing prompts themselves. If a range has months without a benchmark, they are named with the
    reason, and the command exits with status 3 unless --existing is given.

    Example: halluvault benchmark prompts --variant drowzee/plain/with-evidence --snapshots 2026-01..2026-10
    """
    try:
        wanted = [variants.parse(name) for name in variant]
    except ValueError as error:
        raise UserError(str(error), "halluvault benchmark prompts --help") from error
    table = Table("month", "variant", "made", "there", title="Prompts")
    with open_session() as session:
        require_whole(session, months, existing=existing, done="given prompts", published=False)
        for key in _frozen(session, months):
            for one in wanted:
                added = store.add(session, key, one, suite or ())
                session.commit()
                table.add_row(key, one.name, str(added.made), str(added.there))
    out.print(table)


def _frozen(session: Session, wanted: str) -> list[str]:
    """Exact keys, oldest first, of months with a frozen part; empty means the newest."""
    there = part_lookup.months(session)
    if not wanted.strip():
        return [reading.newest(session)]
    if wanted not in there and wanted in {row.snapshot for row in snapshots.listing(session)}:
        raise part_lookup.missing(session, wanted)
    return [wanted] if wanted in there else backfill.months(session, wanted, there, "has a frozen benchmark")


@benchmark.command()
def show(
    case: Annotated[str, typer.Argument(help="Case id, or its first characters.")],
    snapshot: SnapshotOption = "",
) -> None:
    """Print a case: question, right answer, prompt, the statements behind it, and its proof.

    The proof is a Prolog program; `halluvault benchmark show CASE | sed '1,/^% Proof/d' > p.pl; swipl p.pl` replays it.
    That of a temporal case loads prolog_rules/mtl.pl: run it where prolog_rules/ is, or set HALLUVAULT_PROLOG_DIR.

    Example: halluvault benchmark show 3fa9
    """
    with open_session() as session:
        one = reading.case(session, case, _snapshot(session, snapshot) if snapshot else "")
        prompts = reading.prompts(session, one)
        first_month = any(of.first_month for of in part_lookup.statistics(session, one.snapshot).values())
    out.out(f"Case {one.id} of {one.snapshot} ({one.suite}, {one.domain}, {one.rule_kind}, {one.mutation})")
    if first_month:
        out.out(built.FIRST_MONTH)
    out.out(f"Question: {one.question}\nAnswer: {one.gold}")
    own = f"; its own No: {one.fact['licence']}" if "licence" in one.fact else ""
    out.out(f"Licence of its block: {one.licence}{own}")
    out.out(f"Group: {one.group_id}; relation to its original: {one.relation}")
    out.out(f"Fact: {json.dumps(one.fact, ensure_ascii=False, sort_keys=True)}")
    out.out("Evidence:")
    for premise in one.premises:
        out.out(f"  {premise['sentence']}  [statement {premise['guid']}]")
    if not one.premises and "found" in one.fact:
        out.out(f"  {one.fact['found']}")
    for text in prompts:
        out.out(f"Prompt ({text.template} {text.version}, {text.form}, {text.context}):")
        for line in _turns(text):
            out.out(line)
    out.out(f"% Proof\n{one.proof}")


def _turns(text: reading.PromptView) -> Iterator[str]:
    """A prompt as people read it: of a chat, whose turn it is before what is said."""
    if text.form == "plain":
        yield text.text
        return
    for message in json.loads(text.text):
        guide = message.get("guide", "free")
        words = WORDS.get(guide, ())
        form = f"{', '.join(words[:-1])} or {words[-1]}" if words else f"a {guide}"
        bound = "" if guide == "free" else f" (to be answered with {form})"
        yield f"[{message['role']}]{bound}"
        yield "(the model's own turn)" if message["content"] is None else message["content"]


@benchmark.command()
def grid(snapshot: SnapshotOption = "", suite: SuiteOption = None) -> None:
    """Print the grid of a month: domain by rule kind, domain by operator, and what each cell lacks.

    For each suite a table of cases; how it stands to the bounds of config/benchmark.yaml; and for every cell below its
    floor the facts, false facts and subjects that there were, what cost most, and what would bring more.

    Example: halluvault benchmark grid --suite relation
    """
    with open_session() as session:
        parts = part_lookup.of_month(session, _snapshot(session, snapshot), suite or ())
    filled = [part for part in parts if part.statistics.grid]
    if headline := [part for part in filled if part.suite in HEADLINE]:
        grids.say_headline(headline)
    for part in filled:
        grids.say(part)
    if not filled:
        named = ", ".join(f"{part.suite} of {part.snapshot}" for part in parts)
        log.print(f"no cells are stored of {named}: built before cells were counted, or not by cells", soft_wrap=True)


@benchmark.command()
def sample(
    n: Annotated[int, typer.Option("--n", min=1, help="Number of cases.")] = 80,
    seed: Annotated[int, typer.Option(help="Another seed draws another sample.")] = 1,
    form: Annotated[str, typer.Option("--format", help=f"{' or '.join(audit_sheet.FORMATS)}.")] = "md",
    snapshot: SnapshotOption = "",
) -> None:
    """Print a sheet for review: random cases with answers and evidence, and columns for an auditor to tick.

    Mark each column of each row with x, or with - if it fails, and say why in the note:

    - grammatical: it is good English

    - unambiguous: it has one reading, and each name means one thing

    - answer right: yes, as far as you can find out from anywhere

    - not guessable: nothing in the words gives the answer away

    Example: halluvault benchmark sample --n 80 --seed 7 > sheet.md, then halluvault benchmark audit sheet.md
    """
    with open_session() as session:
        rows = reading.sample(session, _snapshot(session, snapshot), count=n, seed=seed)
    sys.stdout.write(audit_sheet.sheet(rows, form))


@benchmark.command()
def core(
    n: Annotated[int, typer.Option("--n", min=1, help="Number of questions.")] = 300,
    snapshot: SnapshotOption = "",
    listed: Annotated[bool, typer.Option("--list", help="List the questions, too.")] = False,
) -> None:
    """Choose few questions of a month's headline by which a new model can be placed cheaply.

    Spread over strata of difficulty, kinds of reasoning and right answers; within a stratum those that tell abilities
    apart best, once 30 models were asked the whole month, and drawn ones before that. It is chosen once and stored: a
    later call with the same number gives the same. `halluvault evaluate --core N` asks it and says what the whole
    month would give.

    Example: halluvault benchmark core --n 300, then halluvault evaluate --model new --core 300
    """
    with open_session() as session:
        key = _snapshot(session, snapshot)
        chosen = cores.core(session, key, n)
        of = gathered.questions(session, key)
    mine = [one for one in of if one.id in chosen.cases]
    by = f"by what {chosen.models} models have shown of them" if chosen.models else "by strata alone"
    table = Table("stratum", "in the core", "in the month", title=f"Core of {len(mine)} of {len(of)}, chosen {by}")
    whole, part = (Counter(level for one in some for level in one.features.items()) for some in (of, mine))
    for (name, level), number in sorted(whole.items()):
        table.add_row(f"{name}: {level}", str(part[name, level]), str(number))
    out.print(table)
    for one in mine if listed else ():
        out.out(f"{one.id}  {one.text} {one.gold}")


@benchmark.command()
def audit(file: Annotated[Path, typer.Argument(help="A ticked sheet of `benchmark sample`, Markdown or CSV.")]) -> None:
    """Evaluate a ticked sheet: the rate of each column and of clean cases, with Wilson's 95 % intervals.

    Cases that fail a column are listed with their notes. Rows that do not count are named with the reason: not fully
    ticked, no such case, or a changed question.

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
    before: Annotated[
        str, typer.Argument(help="Earlier month; empty: the one that the later month was compared with.")
    ] = "",
    after: Annotated[str, typer.Argument(help="Later month; empty: the newest benchmark.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="List every case with its question, not only counts.")] = False,
) -> None:
    """Show what a benchmark keeps of an earlier one, what it retired and why, and what is new.

    A question that was asked is never changed: it stays as it is or is retired with a reason, stored when the later
    benchmark is frozen. Months further apart are compared by following these steps.

    Example: halluvault benchmark changes 2026-09 2026-10 --list
    """
    with open_session() as session:
        later = _snapshot(session, after)
        earlier = _snapshot(session, before) if before else compare.last_step(session, later)
        found = compare.between(session, earlier, later)
    for suite in found.apart:
        log.print(f"not compared: part {suite} is in only one of the two, or does not follow the other")
    table = Table("", "reason", "cases", title=f"{' → '.join(found.path)}")
    table.add_row("stay", "", str(found.stays))
    for kind, several in (("retired", found.retired), ("new", found.new)):
        for reason, number in sorted(Counter(one.reason for one in several).items()):
            table.add_row(kind, reason, str(number))
    out.print(table)
    for kind, several in (("retired", found.retired), ("new", found.new)) if listed else ():
        for one in several:
            detail = f" ({one.detail})" if one.detail else ""
            out.out(f"{kind} in {one.snapshot}, {one.suite}: {one.reason}{detail}")
            out.out(f"  {one.case_id}  {one.question} {one.gold}")
            if one.successor:
                out.out(f"  asked on as {one.successor}")


@benchmark.command()
def export(
    to: Annotated[str, typer.Option("--to", help=f"Format: {', '.join(exports.FORMATS)}.")] = "jsonl",
    output: Annotated[
        Path | None,
        typer.Option(help="Folder; an earlier export there is replaced. Only jsonl may go to standard output."),
    ] = None,
    snapshot: SnapshotOption = "",
    suite: SuiteOption = None,
) -> None:
    """Write a benchmark as files, with a data card, for people and for other harnesses.

    jsonl, parquet: cases and prompts. hf: a folder that Hugging Face's `load_dataset` reads. lm-eval, inspect: a ready
    task for lm-evaluation-harness or inspect_ai with its data; the card says how to run it. Exports the suites of the
    headline, or those that --suite names, with the prompts made so far; the same prompts give the same bytes.

    Example: halluvault benchmark export --to hf --output halluvault-2026-10
    """
    with open_session() as session:
        key = _snapshot(session, snapshot)
        if output is None:
            if to not in exports.FORMATS or to == "jsonl":
                _lines(session, key, to, suite or ())
                return
            raise UserError(f"{to} is a folder of files", "say where: --output FOLDER")
        written = exports.export(session, key, to, output, settings().prolog_dir, suite or ())
    log.print(f"wrote {written.cases} cases to {written.folder}: {', '.join(written.files)}", markup=False)


def _lines(session: Session, key: str, to: str, suites: Sequence[str]) -> None:
    if to != "jsonl":
        raise UserError(f"format {to!r} is unknown; the formats are {', '.join(exports.FORMATS)}")
    # Refuses a month or suite that is not there before anything is printed.
    stand = about.about(session, key, suites).suites
    for line in reading.export(session, key, stand):
        sys.stdout.write(line + "\n")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(benchmark, name="benchmark")
