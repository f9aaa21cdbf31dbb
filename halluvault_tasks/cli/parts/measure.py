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
from halluvault_tasks.oracles.measure import labelled, readers, responses
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure.answers import AnswerFigures
from halluvault_tasks.oracles.measure.claims import ClaimFigures
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.oracles.measure.responses import VerdictFigures
from halluvault_tasks.oracles.measure.texts import SetText
from halluvault_tasks.oracles.scorer import Scorer
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
    """Read answers to yes/no questions: accuracy, and how much self-contradiction and silence is noticed.

    Example: halluvault oracle measure answers yes-no-labelled.jsonl --json answers.json
    """
    found = of_answers.measure(labelled.read(files, labelled.LabelledAnswer), readers.answers)
    out.print(reading_table({}, {"answers": found}))
    written(json_file, found._asdict())


@measure.command()
def claims(files: FilesArgument, json_file: JsonOption = None) -> None:
    """Read the claims of sentences: recall and precision, given the names in the labels; by property with --json.

    Example: halluvault oracle measure claims sentences-labelled.jsonl facts-labelled.jsonl
    """
    lines = readers.labelled_sentences(files, settings().config_dir)
    found = of_claims.measure(lines, readers.claims(settings().config_dir))
    out.print(reading_table({"claims": found}, {}))
    written(json_file, found._asdict())


@measure.command(name="responses")
def labelled_responses(
    files: FilesArgument,
    cases: Annotated[Path, typer.Option("--cases", help="JSON lines of the cases that the responses answer.")],
    profiles: ProfilesOption = None,
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    json_file: JsonOption = None,
) -> None:
    """Judge labelled responses by each profile: what is convicted of sound and of faulty ones.

    A profile whose tool is missing is named and not measured. The cases need not belong to the month's benchmark.

    Example: halluvault oracle measure responses labelled.jsonl --cases cases.jsonl --profile replay/syntax
    """
    said = of_texts.responses(files)
    placed = labelled.read([cases], labelled.LabelledCase)
    if unplaced := sorted({one.case for one in said} - {case.id for case in placed}):
        raise UserError(f"{cases} has no case {unplaced[0]!r}, which a response answers", "give the file with its case")
    with month(use_sample, snapshot) as made:
        _by_profile(made, said, placed, profiles, json_file)


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
    with month(use_sample, snapshot) as made:
        _by_profile(made, readers.echoes(made.session, made.snapshot), None, profiles, json_file)


def _by_profile(
    made: Month,
    said: Sequence[SetText],
    placed: Sequence[labelled.LabelledCase] | None,
    names: Sequence[str] | None,
    json_file: Path | None,
) -> None:
    """Judge texts by each profile whose tool is there, and print what is convicted."""
    embed = SentenceBert(settings().embedding_model)
    there, absent = _tools(names or list(registry.wanted(settings().extractor)))
    found = []
    for profile, extractor in there.items():
        log.print(f"judging by {profile} …", style="dim", markup=False)
        scorer = Scorer(made.session, made.snapshot, embed, extractor=extractor, wanted=[profile], placed=placed)
        found.append(responses.figures(profile, readers.judged(said, scorer)))
    out.print(verdict_table(found, "Verdicts by profile: counts, percent, 95 % intervals (Wilson)"))
    figures = {one.name: plain(one) for one in found} | {name: {"unmeasured": why} for name, why in absent.items()}
    written(json_file, {"n": len(said), "profiles": figures})
    if not there:
        raise typer.Exit(2)


def verdict_table(found: Sequence[VerdictFigures], title: str) -> Table:
    """What is convicted, a row a set or profile."""
    table = Table(
        Column("", no_wrap=True), "n", "judged", "sound: convicted", "faulty: found", "right, reasons faulty: found",
        "convicted: rightly", title=title,
    )  # fmt: skip
    for one in found:
        shares = (one.sound_convicted, one.recall, one.right_faulty_found, one.precision)
        table.add_row(escape(one.name), str(one.n), str(one.judged), *map(counted, shares))
    return table


def reading_table(claims: Mapping[str, ClaimFigures], answers: Mapping[str, AnswerFigures]) -> Table:
    """What is read rightly, by set of claims or answers."""
    table = Table("claims and answers", "read rightly")
    for name, each in claims.items():
        table.add_row(f"{escape(name)}: labelled claims found", counted(each.recall))
        table.add_row(f"{escape(name)}: claims given", counted(each.precision))
    for name, read in answers.items():
        for draw, hits in read.by_draw.items():
            table.add_row(f"{escape(name)}: {escape(draw)}", counted(hits))
        for label, found in (("contradictory", read.contradictory), ("abstain", read.abstain)):
            table.add_row(f"{escape(name)}: labelled {label}", counted(share(found.found, found.of)))
    return table


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


def counted(found: HitShare | None) -> str:
    """Hits, of how many, and the share in percent with its interval."""
    return f"{found.hits} of {found.of}: {percent(found)}" if found else "–"


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
