"""`halluvault oracle measure`: how well text is read and judged, on labelled real text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Column, Table

from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.month import Month, sample_month
from halluvault_tasks.oracles import profiles as registry
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.oracles.extraction.base import Extractor, Tool
from halluvault_tasks.oracles.measure import answers as of_answers
from halluvault_tasks.oracles.measure import claims as of_claims
from halluvault_tasks.oracles.measure import labelled, readers
from halluvault_tasks.oracles.measure import responses as of_responses
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.settings import settings

measure = typer.Typer(
    no_args_is_help=True,
    help="Measure how labelled real text is read and judged: JSON lines of answers, of sentences with "
    "their claims, or of responses to our own questions. docs/oracle-study.md lists the fields. 95 % Wilson intervals.",
)

FilesArgument = Annotated[list[Path], typer.Argument(help="JSON lines; several files are counted as one.")]
JsonOption = Annotated[Path | None, typer.Option("--json", help="Write all figures there.")]
ProfilesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        help="Profile to measure, such as replay/syntax or paper/corenlp; may be given several times. "
        "Default: replay/syntax, paper/anchored and those of HALLUVAULT_EXTRACTOR, with their answer-gated readings.",
    ),
]
SampleOption = Annotated[
    bool,
    typer.Option(
        "--sample/--database",
        help="The snapshot that responses are judged on: the hand-checked sample's month, on an embedded Postgres "
        "(made at first use, half a minute, kept in STATE_DIR/oracle-study), or a month of HALLUVAULT_DATABASE_URL.",
    ),
]


@contextmanager
def month(use_sample: bool, snapshot: str) -> Iterator[Month]:
    """The month to work on, as the options say."""
    if not use_sample:
        with open_session() as session:
            yield Month(session, month_of(session, snapshot))
        return
    chosen = settings()
    state = chosen.state_dir / "oracle-study"
    with sample_month(state, config_dir=chosen.config_dir, prolog_dir=chosen.prolog_dir) as made:
        yield made


@measure.command()
def answers(files: FilesArgument, json_file: JsonOption = None) -> None:
    """Read answers to yes/no questions: accuracy, confusion, and how much self-contradiction and silence is noticed.

    Example: halluvault oracle measure answers yes-no-labelled.jsonl --json answers.json
    """
    found = of_answers.measure(labelled.read(files, labelled.LabelledAnswer), readers.answers)
    table = Table("answers", "n", "read right %", title=f"{found.n} labelled answers")
    table.add_row("all", *_counted(found.accuracy))
    for draw, each_draw in found.by_draw.items():
        table.add_row(escape(draw), *_counted(each_draw))
    for name, each in (("contradictory", found.contradictory), ("abstain", found.abstain)):
        table.add_row(f"labelled {name}, read so", *_counted(share(each.found, each.of)))
        table.add_row(f"read as {name}, rightly", *_counted(share(each.right, each.called)))
    out.print(table)
    kinds = sorted({kind for counts in found.confusion.values() for kind in counts})
    table = Table("label ↓, read as →", *kinds)
    for label, counts in found.confusion.items():
        table.add_row(escape(label), *(str(counts.get(kind, 0)) for kind in kinds))
    out.print(table)
    written(json_file, found._asdict())


@measure.command()
def claims(files: FilesArgument, json_file: JsonOption = None) -> None:
    """Read the claims of sentences: recall and precision, overall and by property, given the names in the labels.

    Example: halluvault oracle measure claims sentences-labelled.jsonl facts-labelled.jsonl
    """
    lines = readers.labelled_sentences(files, settings().config_dir)
    found = of_claims.measure(lines, readers.claims(settings().config_dir))
    table = Table("claims", "labelled", "found", "wrong", "recall %", "precision %", title=f"{found.n} texts")
    table.add_row(
        "all", str(found.gold), str(found.found), str(found.wrong), percent(found.recall), percent(found.precision)
    )
    for p, each in found.by_property.items():
        table.add_row(escape(p), *map(str, each))
    out.print(table)
    written(json_file, found._asdict())


@measure.command()
def responses(
    files: FilesArgument,
    cases: Annotated[Path, typer.Option("--cases", help="JSON lines of the cases that the responses answer.")],
    profiles: ProfilesOption = None,
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    json_file: JsonOption = None,
) -> None:
    """Judge labelled responses by each profile: precision, recall, categories, and claims convicted.

    A profile whose tool is missing is named and not measured. The cases need not belong to the month's benchmark.

    Example: halluvault oracle measure responses labelled.jsonl --cases cases.jsonl --profile replay/syntax
    """
    lines = labelled.read(files, labelled.LabelledResponse)
    placed = labelled.read([cases], labelled.LabelledCase)
    unplaced = sorted({line.case for line in lines} - {case.id for case in placed})
    if unplaced:
        raise UserError(f"{cases} has no case {unplaced[0]!r}, which a response answers", "give the file with its case")
    embed = SentenceBert(settings().embedding_model)
    measured: dict[str, of_responses.ProfileFigures] = {}
    there, absent = _tools(profiles or _default_profiles())
    with month(use_sample, snapshot) as made:
        for profile, extractor in there.items():
            log.print(f"judging by {profile} …", style="dim", markup=False)
            judge = readers.judge(made.session, made.snapshot, placed, profile, embed=embed, extractor=extractor)
            measured[profile] = of_responses.measure(lines, judge)
    _print_responses(len(lines), measured, absent)
    counted = next((one.claims for one in measured.values() if one.claims), None)
    figures = {name: plain(one) for name, one in measured.items()} | {
        name: {"unmeasured": why} for name, why in absent.items()
    }
    written(json_file, {"n": len(lines), "profiles": figures, "claims": plain(counted)})
    if not measured:
        raise typer.Exit(2)


@measure.command()
def echo(
    profiles: ProfilesOption = None,
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    json_file: JsonOption = None,
) -> None:
    """For every case of a month, judge a right answer that repeats the proof: none should be convicted.

    Example: halluvault oracle measure echo --profile paper/corenlp
    """
    embed = SentenceBert(settings().embedding_model)
    there, absent = _tools(profiles or _default_profiles())
    table = Table(Column("profile", no_wrap=True), "echoes", "judged", "convicted", "convicted %")
    figures: dict[str, Any] = {name: {"unmeasured": why} for name, why in absent.items()}
    with month(use_sample, snapshot) as made:
        echoes = readers.echoes(made.session, made.snapshot)
        for profile, extractor in there.items():
            log.print(f"judging by {profile} …", style="dim", markup=False)
            judge = readers.judge(made.session, made.snapshot, None, profile, embed=embed, extractor=extractor)
            judged = [found.category in of_responses.CONVICTING for found in judge(echoes) if found is not None]
            rate = share(sum(judged), len(judged))
            table.add_row(escape(profile), str(len(echoes)), str(len(judged)), str(sum(judged)), percent(rate))
            figures[profile] = rate
    for name in absent:
        table.add_row(escape(name), "unmeasured")
    out.print(table)
    written(json_file, figures)
    if not there:
        raise typer.Exit(2)


def _tools(names: Sequence[str]) -> tuple[dict[str, Extractor | None], dict[str, str]]:
    """What reads triples for each profile, once it has read a sentence, and why a profile has nothing to read with."""
    there: dict[str, Extractor | None] = {}
    absent: dict[str, str] = {}
    for name in names:
        profile = registry.named(name)
        try:
            found = choose.configured(profile.extractor) if profile.extractor else None
            if isinstance(found, Tool):
                found.check()
            there[name] = found
        except UserError as error:
            absent[name] = str(error)
            log.print(f"{name} is not measured: {error}", style="yellow", markup=False, soft_wrap=True)
    return there, absent


def _default_profiles() -> Sequence[str]:
    return list(registry.wanted(settings().extractor))


def _print_responses(n: int, measured: Mapping[str, of_responses.ProfileFigures], absent: Mapping[str, str]) -> None:
    table = Table(
        Column("profile", no_wrap=True), "judged", "precision %", "recall %", "right answers: precision %", "recall %",
        "of decided %",
        title=f"{n} labelled responses",
    )  # fmt: skip
    more = Table(Column("profile", no_wrap=True), "category agrees %", "of decided %", "answer read right %")
    for name, one in measured.items():
        table.add_row(escape(name), str(one.judged), *map(percent, (one.precision, one.recall, *one.right_answer)))
        shares = (one.category_agreement, one.category_decided, one.answer_accuracy)
        more.add_row(escape(name), *(f"{percent(each)} of {each.of}" if each else "–" for each in shares))
    for name in absent:
        table.add_row(escape(name), "unmeasured")
    out.print(table)
    out.print(more)
    for name, one in measured.items():
        if one.claims:
            each = one.claims
            out.print(
                f"{name}: of {each.of} labelled claims {each.read} are read; beside the asked one {each.false} are "
                f"false, {each.false_decided_by_snapshot} of them decided by the snapshot, {each.false_convicted} "
                f"convicted; {each.true} are true, {each.true_convicted} of them convicted",
                markup=False,
            )


def _counted(found: HitShare | None) -> tuple[str, str]:
    return str(found.of) if found else "0", percent(found)


def percent(found: HitShare | None) -> str:
    """A share in percent with its interval."""
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}–{100 * found.high:.1f}]" if found else "–"


def plain(value: Any) -> Any:
    """Named tuples as objects, all the way down."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def written(file: Path | None, figures: Mapping[str, Any]) -> None:
    """Write figures as JSON, if a file is named."""
    if file:
        try:
            file.write_text(json.dumps(plain(figures), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(
                f"{file} cannot be written: {error.strerror}", "give --json a file in a folder that is there"
            ) from error
