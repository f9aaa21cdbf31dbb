"""`halluvault rules` and `halluvault derive`: which rules may run, what they derive, and why."""

import re
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from sqlalchemy import select, text

from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts import following, measuring
from halluvault_tasks.cli.parts.configuration import require
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning import audit as soundness
from halluvault_tasks.reasoning import audit_world, proving, stages
from halluvault_tasks.reasoning import checked_negatives as checked
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.following import registry, step
from halluvault_tasks.reasoning.measuring import classes
from halluvault_tasks.reasoning.proving.words import conclusion, labels_of, sentence
from halluvault_tasks.reasoning.records import DeriveCounts, DerivedFact, DrawnFact, Rule
from halluvault_tasks.reasoning.rule_typing import reviewed
from halluvault_tasks.reasoning.rules import all_rules, drawn_where, find_facts
from halluvault_tasks.reasoning.running.shard_run import Limits
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.wikidata.ids import parse_property
from halluvault_tasks.wikidata.relation import Relation

rules = typer.Typer(no_args_is_help=True, help="Which rules a snapshot licenses, and why the others are refused.")
derive = typer.Typer(no_args_is_help=True, help="Derive facts in SWI-Prolog, look at them, and print their proofs.")

_STYLE = {"active": "green", "candidate": "yellow", "refused": "red"}
_FACT = re.compile(r"(\S+)\s+Q(\d{1,9})\s+(Q?)(\d{1,9})")


def _table(found: list[Rule]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("rule", "kind", "verdict", "origin", "reason"):
        table.add_column(heading, overflow="fold")
    for rule in found:
        table.add_row(
            Text(rule.name),
            rule.kind.name,
            Text(rule.verdict, style=_STYLE[rule.verdict]),
            Text(rule.origin),
            Text(rule.reason),
        )
    return table


@rules.command()
def show(
    snapshot: SnapshotOption = "",
    kind: Annotated[str, typer.Option(help="Only this kind, e.g. transitive or negation.value.")] = "",
    verdict: Annotated[str, typer.Option(help="Only active, candidate or refused.")] = "",
) -> None:
    """List the rules of a snapshot with their verdicts.

    Example: halluvault rules show --kind transitive
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        found = all_rules(session, key)
    for given, known, what in (
        (kind, sorted({rule.kind.family for rule in found}), "kind"),
        (verdict, sorted(_STYLE), "verdict"),
    ):
        if given and given not in known:
            raise UserError(f"{given!r} is no {what} of a rule in {key}", f"one of {', '.join(known)}")
    chosen = [rule for rule in found if kind in {"", rule.kind.family} and verdict in {"", rule.verdict}]
    out.print(_table(chosen))
    counted = Counter(rule.verdict for rule in chosen)
    log.print(f"{key}: " + ", ".join(f"{counted[name]} {name}" for name in _STYLE))


@rules.command("explain")
def explain_rule(
    pid: Annotated[str, typer.Argument(help="A property, e.g. P131.")], snapshot: SnapshotOption = ""
) -> None:
    """Show the rules of one property: origin, measured support, verdict, reason.

    Example: halluvault rules explain P131
    """
    number, measured = parse_property(pid), classes.load(settings().config_dir / classes.FILE)
    with open_session() as session:
        row = snapshots.find(session, snapshot)
        key = row.snapshot
        followed = following.lines(registry.standing(session, row.source), number, measured)
        found = [rule for rule in all_rules(session, key) if number in {*rule.premises, rule.conclusion.pid}]
    if not found:
        raise UserError(f"no rule of {key} reads or concludes {pid}", "`halluvault rules show` lists all of them")
    for rule in found:
        out.print(Text.assemble((rule.name, "bold"), "  ", (rule.verdict, _STYLE[rule.verdict])))
        out.print(f"  kind      {rule.kind.name}", markup=False)
        out.print(f"  origin    {rule.origin}", markup=False)
        out.print(f"  reason    {rule.reason}", markup=False, soft_wrap=True)
        for name, value in sorted(rule.support.items()):
            said = f"{len(value)} statements ground nothing" if name == "contested" else value
            out.print(f"  {name:<9} {said}", markup=False, soft_wrap=True)
    for line in followed:
        out.print(line, markup=False, soft_wrap=True)
    measuring.explain(number)


for _command in (measuring.measure, measuring.read, measuring.headline):
    rules.command()(_command)


@rules.command("follow")
def follow_foils(snapshot: SnapshotOption = "") -> None:
    """Look for foils of earlier months in a derived month, and close classes of which too many turned out true.

    Foils whose falsity was measured are registered when their class is licensed, asked or not. What a later month of
    the same source states is no longer false: its class is closed, with an incident, where that shows that more than
    0.2 % of its foils are false, or where one month refutes many at once. `halluvault_refresh` does this before it
    builds the benchmark; the same month again changes nothing.

    Example: halluvault rules follow --snapshot 2026-11
    """
    measured = classes.load(settings().config_dir / classes.FILE)
    with open_session() as session:
        row = snapshots.find(session, snapshot)
        counts = step.follow(session, row.snapshot, measured)
        standing = registry.standing(session, row.source)
    table = Table(
        "class", "registered", "asked", "foil-years", "refuted", "q [95 %]", "", title=f"Followed, {row.source}"
    )
    for one in standing:
        table.add_row(escape(one.of.name), *following.cells(one, measured))
    out.print(table)
    log.print(
        f"{row.snapshot}: {counts.registered:,} foils registered; of {counts.followed:,} from earlier months "
        f"{counts.refuted:,} are stated now",
        markup=False,
    )


@derive.command()
def run(
    snapshot: SnapshotOption = "",
    shards: Annotated[int, typer.Option(min=0, help="Split the rules into this many shards; 0: as configured.")] = 0,
    seconds: Annotated[float, typer.Option(help="Stop a shard after this many seconds and name its rule.")] = 1800.0,
    anew: Annotated[bool, typer.Option("--anew", help="Reuse nothing from the previous month.")] = False,
) -> None:
    """Type the rules of a snapshot, derive every shard in an engine of its own, and check that no rows are missing.

    Rows that the previous month derived and this month does not affect are reused; --anew derives them again.
    Can be killed and run again: a shard's rows are stored completely or not at all, and a rerun replaces them.

    Example: halluvault derive run --snapshot 2026-10
    """
    parts = shards or settings().derive_shards
    require(settings().config_dir)
    with open_session() as session, heartbeat("typing rules"):
        key = snapshots.find(session, snapshot).snapshot
        typed = stages.type_rules(session, key, rules_file=settings().config_dir / "rules.yaml")
    log.print(f"{key}: {typed.active} rules active, {typed.candidate} candidates, {typed.refused} refused")

    def one(shard: int) -> DeriveCounts:
        with open_session() as own:
            return stages.derive_shard(
                own,
                key,
                portion=Portion(shard, parts),
                prolog_dir=settings().prolog_dir,
                scratch=settings().state_dir / "derivation",
                limits=Limits(seconds=seconds),
                anew=anew,
            )

    done = 0
    beat = heartbeat(lambda: f"deriving {key}, {done} of {parts} shards done")
    with beat, ThreadPoolExecutor(max_workers=min(parts, 2)) as pool:
        for shard, counts in enumerate(pool.map(one, range(parts))):
            log.print(
                f"shard {shard + 1} of {parts}: {counts.rows:,} rows ({counts.reused:,} taken over) and "
                f"{counts.groups:,} groups by {counts.rules} rules in {counts.seconds:.1f} s"
            )
            done = shard + 1
    with open_session() as session:
        counts = stages.check_derivation(session, key, shards=parts)
    table = Table(box=None, pad_edge=False)
    table.add_column("kind")
    table.add_column("derived facts", justify="right")
    for kind, rows in counts.by_kind.items():
        table.add_row(kind, f"{rows:,}")
    table.add_row("all", f"{counts.rows:,}")
    out.print(table)
    log.print(f"facts.pl and rules.pl are kept in {settings().state_dir / 'derivation' / key}")


@derive.command()
def facts(
    snapshot: SnapshotOption = "",
    rule: Annotated[str, typer.Option(help="A rule's name, e.g. transitive:P131 (`rules show` lists them).")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 20,
) -> None:
    """List derived facts, and what was drawn, in readable form.

    Example: halluvault derive facts --rule transitive:P131 --limit 5
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        known = {one.rule: one for one in all_rules(session, key)}
        chosen = [number for number, one in known.items() if rule in {"", one.name}]
        if not chosen:
            raise UserError(f"{key} has no rule {rule!r}", "`halluvault rules show` lists them")
        c, drawn = tables.derived_fact.c, tables.drawn_fact.c
        query = select(*COLUMNS).where(c.snapshot == key, c.rule.in_(chosen)).order_by(c.rule, c.s, c.o).limit(limit)
        found: list[DerivedFact | DrawnFact] = [fact_of(row, known) for row in session.execute(query)]
        found += drawn_where(session, key, drawn.rule.in_(chosen), limit=limit - len(found))
        items = {end for fact in found for end in (fact.s, fact.end)}
        labels = labels_of(session, key, items, {p for fact in found for p in fact.relation.properties})
    for fact in found:
        one = known[fact.rule]
        line = conclusion(fact, one, one.kind.truth, labels)
        end = fact.end if isinstance(fact, DrawnFact) and fact.o is None else f"Q{fact.end}"
        out.print(f"{fact.relation} Q{fact.s} {end}   {line}   [{one.name}]", markup=False, soft_wrap=True)
    if not found:
        log.print("no derived fact; `halluvault derive run` derives them")


@derive.command("explain")
def explain_fact(
    fact: Annotated[
        str,
        typer.Argument(help='As `derive facts` prints it: "P131 Q90 Q142", "P22/P25 Q3 Q1", "P569 Q7186 1867".'),
    ],
    snapshot: SnapshotOption = "",
    prolog: Annotated[bool, typer.Option("--prolog", help="Only the program, for `> proof.pl`.")] = False,
) -> None:
    """Print the proofs of a derived or drawn fact: the statements behind it, the rule, and runnable Prolog.

    Example: halluvault derive explain "P131 Q90 Q142"
    """
    match = _FACT.fullmatch(fact.strip())
    try:
        written, s, item, end = match.groups() if match else ("", "", "", "")
        relation = Relation.parse(written)
    except ValueError as error:
        raise UserError(f"{fact!r} is not a derived fact", 'write it like "P131 Q90 Q142"') from error
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        found = find_facts(session, key, relation, int(s), int(end), counts=not item)
        if not found:
            raise UserError(
                f"nothing in {key} derives {fact!r}, or its negation", "`halluvault derive facts` lists what is there"
            )
        proofs = proving.prove_many(session, key, found)
        items = {end for proof in proofs for one in proof.premises for end in (one.s, one.o or one.s)}
        items |= {end for one in found for end in (one.s, one.end)}
        properties = {*relation.properties, *(one.p for proof in proofs for one in proof.premises)}
        labels = labels_of(session, key, items, properties)
        known = {one.rule: one for one in all_rules(session, key)}
    for one, proof in list(zip(found, proofs, strict=True))[: 1 if prolog else None]:
        if not prolog:
            out.print(Text(f"{proof.rule_name} ({proof.kind})", style="bold"))
            for premise in proof.premises:
                out.print(f"  {sentence(premise, labels)}   [{premise.guid}]", markup=False, soft_wrap=True)
            out.print(f"  because {proof.reason}", markup=False, soft_wrap=True)
            line = conclusion(one, known[one.rule], proof.truth, labels)
            out.print(f"  therefore {line}\n", markup=False, soft_wrap=True)
        out.print(proof.program, markup=False, soft_wrap=True)


@derive.command()
def audit(
    snapshot: SnapshotOption = "",
    hide: Annotated[str, typer.Option(help="Percentages of the statements to hide, one study each.")] = "5,30",
    seed: Annotated[int, typer.Option(help="Seed of the choice of hidden statements.")] = 1,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="On a generated world whose whole truth is known, not on a snapshot.")
    ] = False,
    statements: Annotated[int, typer.Option(min=1000, help="Size of the generated world.")] = audit_world.STATEMENTS,
    negatives: Annotated[
        Path | None, typer.Option(help="TSV of subject, property, object (Q1, P2, Q3) that people found to be false.")
    ] = None,
    demote: Annotated[
        bool,
        typer.Option(
            "--demote", help='Add failing properties to `demoted` in config/rules.yaml; they then license no "No".'
        ),
    ] = False,
) -> None:
    """Test the rules on hidden statements: how many derived negatives are false, by property and reason.

    Does not change the snapshot: works in a schema of its own, which is dropped. Also prints the same without the
    licence's guards, which must fail; and, for relations that are stated from either end, how many claims without
    support would be taken for false: the hidden ones are true, those of --negatives are not. Exits with status 1 if a
    property fails and is not demoted.

    Example: halluvault derive audit --hide 5,30
    """
    shares = _percentages(hide)
    verified = checked.read(negatives) if negatives else []
    rules_file = settings().config_dir / "rules.yaml"
    failed: dict[int, str] = {}
    for share in shares:
        with open_session() as session, tempfile.TemporaryDirectory(prefix="halluvault-audit-") as scratch:
            key = "" if simulated else snapshots.find(session, snapshot).snapshot
            outer = session.scalar(text("SELECT current_schema()")) or "public"
            session.commit()
            with heartbeat(f"auditing with {share:g} % hidden"), soundness.workspace(session) as inner:
                if simulated:
                    world = audit_world.generate(statements, seed)
                    key = soundness.fill_simulated(inner, world, date(2026, 10, 31))
                else:
                    soundness.copy_snapshot(inner, outer, key)
                found = soundness.audit(
                    inner,
                    key,
                    hidden=soundness.Hidden(share / 100, seed),
                    rules_file=rules_file,
                    prolog_dir=settings().prolog_dir,
                    scratch=Path(scratch),
                    verified=verified,
                )
        name = "simulated/audit" if simulated else key
        log.print(f"{name}: {share:g} % hidden ({found.hidden:,} statements), seed {seed}")
        failed |= _failures(found, f"audit of {name} hiding {share:g} %")
    if demote:
        reviewed.demote(rules_file, failed)
    for p, reason in failed.items():
        log.print(f"P{p} {'is demoted' if demote else 'fails'}: {reason}")
    if failed and not demote:
        raise typer.Exit(1)


def _percentages(given: str) -> list[float]:
    try:
        shares = [float(one) for one in given.split(",")]
    except ValueError:
        shares = []
    if not shares or not all(0 < share < 100 for share in shares):
        raise UserError(f"--hide {given!r} is not a list of percentages", "write it like 5,30")
    return shares


def _failures(found: soundness.Audit, audited: str) -> dict[int, str]:
    """Print an audit's findings; returns the properties that fail, each with the reason."""
    out.print(_audit_table(found))
    if found.claims:
        out.print(_completeness_table(found))
    reasons = {}
    for p in found.demoted:
        one = soundness.total([line for line in found.negatives if line.p == p])
        reasons[p] = f"{audited}: {one.wrong:,} of {one.checked:,} negatives false"
    return reasons


def _audit_table(found: soundness.Audit) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("variant", "property", "reason"):
        table.add_column(heading)
    for heading in ("checked", "could fail", "false", "share", "95 % interval"):
        table.add_column(heading, justify="right")
    for variant, lines in (
        ("licensed", found.negatives),
        ("unguarded", found.unguarded),
        ("verified", found.positives),
    ):
        for line in [*lines, soundness.total(lines)] if lines else ():
            low, high = line.interval
            share = f"{line.wrong / line.checked:.4%}" if line.checked else "-"
            cells = (f"{line.checked:,}", f"{line.exposed:,}", f"{line.wrong:,}", share, f"{low:.4%} to {high:.4%}")
            table.add_row(variant, f"P{line.p}" if line.p else "all", line.reason, *cells)
    return table


def _completeness_table(found: soundness.Audit) -> Table:
    table = Table(
        box=None, pad_edge=False, title="Relations stated from either end: claims without support", title_justify="left"
    )
    for heading in (
        "property",
        "complete, of pairs",
        "claims",
        "without support",
        "expected false [95 %]",
        "known false",
    ):
        table.add_column(heading, justify="left" if heading == "property" else "right")
    for one in found.claims:
        expected, complete = one.expected, one.complete
        told = ("0", "-")
        if expected:
            told = (f"{expected.unsupported:,}", f"{expected.value:.1f} [{expected.low:.1f}, {expected.high:.1f}]")
        share = f"{complete.hits / complete.of:.1%} of {complete.of:,}"
        table.add_row(f"P{one.p}", share, f"{one.claims:,}", *told, f"{one.false:,}")
    return table


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(rules, name="rules")
    app.add_typer(derive, name="derive")
