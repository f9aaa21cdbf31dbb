"""The commands, run as a user runs them, on the frozen benchmark of the small world."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner, Result

from halluvault_tasks.benchmark.export.reading import PromptView
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts.variants import parse
from halluvault_tasks.benchmark.stages import BenchmarkCounts, build
from halluvault_tasks.cli import benchmark as commands
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases, prompt


@pytest.fixture
def run(database_url: str, january: BenchmarkCounts, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    whole = shutil.copytree(config_dir, tmp_path / "config")  # commands read every file of a configuration
    for name in ("domains.yaml", "predicates.yaml", "rules.yaml"):
        shutil.copy(REPOSITORY / "config" / name, whole)
    monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(whole))
    settings.cache_clear()
    app = typer.Typer()

    @app.callback()
    def root() -> None:
        """Stand-in for the root."""

    commands.register(app)
    yield lambda *arguments: CliRunner().invoke(app, ["benchmark", *arguments], catch_exceptions=True)
    settings.cache_clear()


def complaint(result: Result) -> str:
    assert isinstance(result.exception, UserError), result.output
    return str(result.exception)


def test_building_again_says_that_nothing_was_written(run) -> None:  # type: ignore[no-untyped-def]
    result = run("build", "--snapshot", "2040-01", "--size", "all")
    assert result.exit_code == 0, result.output
    assert "nothing of it was written" in result.output
    assert "negation.value" in result.output
    assert "First month: no earlier published snapshot" in result.output
    assert "Rules that know nothing" in result.output
    assert "short of the floors of cells (relation; `halluvault benchmark grid`): " in result.output


def test_what_is_left_out_takes_a_line_for_each_part_and_in_full_where_that_is_asked_for(run) -> None:  # type: ignore[no-untyped-def]
    brief = run("build", "--snapshot", "2040-01", "--size", "all").output
    full = run("build", "--snapshot", "2040-01", "--size", "all", "-v").output
    lines = {output: [line for line in output.splitlines() if "not asked about (" in line] for output in (brief, full)}
    parts = {line.partition(":")[0] for line in lines[full]}
    assert len(lines[brief]) == len(parts) and all(" facts, most often " in line for line in lines[brief])
    assert len(lines[full]) > len(lines[brief])


def test_the_grid_names_each_cell_below_its_floor_with_what_there_was_for_it(  # type: ignore[no-untyped-def]
    run, session: Session
) -> None:
    result = run("grid", "--snapshot", "2040-01", "--suite", "relation")
    assert result.exit_code == 0, result.output
    assert "2040-01, relation: " in result.output
    assert "2040-01, suite relation: cases" in result.output and "Bounds of relation" in result.output
    (part,) = part_lookup.of_month(session, "2040-01", ["relation"])
    short = [one for one in part.statistics.grid if one.missing]
    assert short and sum(one.cases for one in part.statistics.grid) == part.statistics.cases
    assert {f"{one.domain}/{one.kind}": {"cases": one.missing} for one in short} == part.statistics.shortfall
    told = " ".join(result.output.replace("│", " ").split())
    assert "Cells of relation below their floor" in told


def test_a_part_built_before_cells_were_counted_says_so(run, session: Session) -> None:  # type: ignore[no-untyped-def]
    mine = benchmark_part.c.snapshot == "2040-01", benchmark_part.c.suite == "relation"
    counts = session.scalar(select(benchmark_part.c.counts).where(*mine))
    assert counts["grid"]
    session.execute(update(benchmark_part).where(*mine).values(counts=counts | {"grid": []}))
    session.commit()
    result = run("grid", "--snapshot", "2040-01", "--suite", "relation")
    session.execute(update(benchmark_part).where(*mine).values(counts=counts))
    session.commit()
    assert "no cells are stored of relation of 2040-01" in result.output and result.exit_code == 0


def test_the_months_of_a_range_that_cannot_be_built_are_named(run) -> None:  # type: ignore[no-untyped-def]
    asked = ("build", "--snapshots", "2039-12..2040-01", "--size", "all")
    result = run(*asked)
    assert result.exit_code == 3
    assert "nothing of it was written" in result.output  # of the month that is there
    assert "2039-12 was not built: never pulled (a past month can only be read from a dump" in result.output
    assert run(*asked, "--existing").exit_code == 0


def test_show_prints_question_answer_prompt_evidence_and_proof(run) -> None:  # type: ignore[no-untyped-def]
    exported = [json.loads(line) for line in run("export", "--snapshot", "2040-01").stdout.splitlines()]
    # A chain of statements; transitive ones have no sound No and stand in the suite recall.
    facts = ((case, case["fact"]) for case in exported)
    one = next(case for case, fact in facts if fact.get("rule", "").startswith("composite:") and fact["truth"])
    assert len(one["premises"]) > 1
    shown = run("show", one["id"][:12], "--snapshot", "2040-01").stdout
    for expected in (
        one["question"],
        f"Answer: {one['gold']}",
        "First month: no earlier published snapshot",
        "Prompt (drowzee 1, plain, closed-book):",
        one["proof"],
    ):
        assert expected in shown
    for premise in one["premises"]:
        assert premise["sentence"] in shown


def test_a_conversation_is_shown_turn_by_turn() -> None:
    messages = [{"role": "user", "content": "Events."}, {"role": "assistant", "content": None}]
    view = PromptView("drowzee", 1, "chat", "out-of-distribution", json.dumps(messages))
    assert list(commands._turns(view)) == ["[user]", "Events.", "[assistant]", "(the model's own turn)"]


def test_export_writes_every_case_once(run, tmp_path: Path, january: BenchmarkCounts) -> None:  # type: ignore[no-untyped-def]
    target = tmp_path / "out"
    assert run("export", "--to", "jsonl", "--output", str(target), "--snapshot", "2040-01").exit_code == 0
    lines = (target / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == january.sum("cases")


def test_a_reading_sheet_is_the_same_for_the_same_seed(run) -> None:  # type: ignore[no-untyped-def]
    one, same, other = (run("sample", "--n", "9", "--seed", seed, "--snapshot", "2040-01").stdout for seed in "773")
    assert one == same != other
    rows = one.splitlines()[2:]
    assert len(rows) == 9
    assert all(row.count(" | ") >= 7 for row in rows)


@pytest.mark.parametrize("form", ["md", "csv"])
def test_a_ticked_sheet_becomes_rates_and_a_list_of_faults(run, tmp_path: Path, form: str) -> None:  # type: ignore[no-untyped-def]
    sheet = run("sample", "--n", "5", "--format", form, "--snapshot", "2040-01").stdout
    if form == "md":
        sheet = sheet.replace("|  |  |  |  |  |", "| x | x | x | - | the name says it |")
    else:
        sheet = sheet.replace(",,,,,\n", ",x,x,x,-,the name says it\n")
    file = tmp_path / "sheet"
    file.write_text(sheet, encoding="utf-8")
    result = run("audit", str(file))
    assert result.exit_code == 0, result.output
    assert "5 cases read" in result.stdout
    assert "0 of 5" in result.stdout
    assert result.stdout.count("fails not guessable") == 5
    assert result.stdout.count("the name says it") == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "zzz"), "'zzz' is not a case id"),
        (("show", "0" * 16), "no case"),
        (("export", "--to", "xml"), "format 'xml' is unknown"),
        (("export", "--to", "hf"), "hf is a folder of files → say where: --output FOLDER"),
        (("build", "--snapshot", "2040-01", "--size", "huge"), "size 'huge'"),
        (("audit", "nowhere.md"), "nowhere.md cannot be read"),
        (("sample", "--format", "pdf", "--snapshot", "2040-01"), "sheet format 'pdf' is unknown"),
        (("sample", "--snapshot", "1999-01"), "1999-01"),
        (("prompts", "--variant", "drowsy"), "no prompt variant 'drowsy'; give TEMPLATE"),
        (("prompts", "--variant", "halluvault/two-turn/plain"), "what has two turns is chat only"),
        (("prompts", "--variant", "drowzee", "--snapshots", "1999-01"), "1999-01"),
        (
            ("prompts", "--variant", "drowzee", "--existing", "--snapshots", "1999-01..1999-03"),
            "no month of 1999-01..1999-03",
        ),
        (("prompts", "--variant", "drowzee", "--snapshots", "2040-1"), "'2040-1'"),
        (("prompts", "--variant", "drowzee", "--snapshots", "2040-01", "--suite", "recal"), "no part 'recal'"),
        (("build", "--suite", "recal", "--snapshot", "2040-01"), "no suite 'recal'; there are relation, temporal"),
        (("build", "--suite", "relation", "--snapshots", "1999-01..1999-03"), "no month of 1999-01..1999-03"),
    ],
)
def test_bad_input_is_named(run, arguments: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    complained = complaint(run(*arguments))
    assert said in complained
    assert "\n" not in complained


def test_prompts_of_a_month_without_a_benchmark_are_refused(run, make_world: Callable[..., str]) -> None:  # type: ignore[no-untyped-def]
    month = make_world("2040-05")
    said = complaint(run("prompts", "--variant", "drowzee", "--snapshots", month))
    assert "\n" not in said
    assert f"snapshot {month} has no benchmark; there are 2040-01" in said
    assert f"halluvault benchmark build --snapshot {month}" in said


def test_a_variant_is_added_to_months_that_are_frozen_and_their_contents_stay(  # type: ignore[no-untyped-def]
    run, session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    build(session, make_world("2040-02"), config_dir=config_dir, size="all")
    kind = parse("drowzee/plain/with-evidence")

    def frozen() -> list[Any]:
        return [sorted(map(repr, session.execute(select(table)))) for table in (benchmark_part, benchmark_case, cases)]

    def texts() -> dict[tuple[str, str], str]:
        mine = select(prompt).where(prompt.c.variant_id == kind.id)
        return {(row.snapshot, row.case_id): row.text for row in session.execute(mine)}

    before = frozen()
    assert not texts()
    result = run("prompts", "--variant", kind.name, "--snapshots", "2040-01..2040-02")
    assert result.exit_code == 0, result.output
    session.rollback()
    assert frozen() == before
    asked = session.execute(select(benchmark_case).where(benchmark_case.c.snapshot.in_(["2040-01", "2040-02"]))).all()
    made = texts()
    assert set(made) == {(row.snapshot, row.case_id) for row in asked}, "every case of both months has one"
    for row in asked:
        told = made[row.snapshot, row.case_id]
        assert all(" ".join(premise["sentence"].split()) in told for premise in row.premises)
    assert run("prompts", "--variant", kind.name, "--snapshots", "2040-01..2040-02").exit_code == 0
    session.rollback()
    assert (frozen(), texts()) == (before, made)


def test_a_range_that_lacks_months_makes_no_prompts_unless_these_may_be_left_out(run) -> None:  # type: ignore[no-untyped-def]
    asked = ("prompts", "--variant", "drowzee/plain", "--snapshots", "2039-12..2040-01")
    result = run(*asked)
    assert result.exit_code == 3 and "Prompts" not in result.stdout
    assert "2039-12 cannot be given prompts: never pulled (a past month can only be read from a dump" in result.stderr
    assert "2040-01 cannot" not in result.stderr and "--existing leaves these months out" in result.stderr
    result = run(*asked, "--existing")
    assert result.exit_code == 0 and "2040-01" in result.stdout and "2039-12 cannot be given" in result.stderr
