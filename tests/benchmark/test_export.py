"""Exports of the frozen benchmark of the small world: whole, the same bytes each time, and readable by others."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest
import yaml
from sqlalchemy import update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import FORMATS, export, reading
from halluvault_tasks.benchmark.export.folder import Folder
from halluvault_tasks.benchmark.export.tasks import template
from halluvault_tasks.benchmark.prompts import variants
from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.stages import BenchmarkCounts, build
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number

KEY = "2040-01"
PROLOG = Path(__file__).parents[2] / "prolog_rules"


@pytest.fixture
def every(session: Session, january: BenchmarkCounts) -> dict[str, reading.CaseView]:
    return {case.id: case for case in reading.every(session, KEY)}


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


@pytest.mark.parametrize("to", FORMATS)
def test_an_export_is_a_folder_with_a_card_and_a_manifest_of_its_bytes(
    session: Session, january: BenchmarkCounts, tmp_path: Path, to: str
) -> None:
    written = export(session, KEY, to, tmp_path / "one", PROLOG)
    again = export(session, KEY, to, tmp_path / "two", PROLOG)
    assert written.cases == january.sum("cases")
    names = sorted(path.relative_to(written.folder).as_posix() for path in written.folder.rglob("*") if path.is_file())
    assert names == sorted(written.files)
    assert all((written.folder / name).read_bytes() == (again.folder / name).read_bytes() for name in names)
    manifest = json.loads((written.folder / "export.json").read_text(encoding="utf-8"))
    assert manifest["content_hash"] == {part.suite: part.content_hash for part in january.parts}
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((written.folder / name).read_bytes()).hexdigest() == digest
    card = (written.folder / "README.md").read_text(encoding="utf-8")
    assert all(part.content_hash in card for part in january.parts)
    assert ("prolog_rules/mtl.pl" in names) == (to in ("jsonl", "parquet", "hf")), (
        "what temporal proofs load goes with them"
    )
    assert "First month" in card
    assert "@" not in card.replace("@TASK", "@"), "no slot is left open"
    assert not list(tmp_path.glob("*.partial"))


def test_a_folder_for_which_there_is_no_room_is_named_and_leaves_what_was_there(tmp_path: Path) -> None:
    with Folder(tmp_path / "x") as folder:
        folder.text("a", "earlier")
        folder.close({})
    with (
        pytest.raises(UserError, match=rf"{tmp_path}/x cannot be written: No space left on device → make room there"),
        Folder(tmp_path / "x") as folder,
        Path("/dev/full").open("w") as full,
    ):
        folder.text("a", "later")
        full.write("more")
        full.flush()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x" / "a").read_text() == "earlier"


def test_json_lines_have_every_case_with_its_evidence_proof_and_prompts(
    session: Session, every: dict[str, reading.CaseView], tmp_path: Path
) -> None:
    export(session, KEY, "jsonl", tmp_path / "x", PROLOG)
    found = {row["id"]: row for row in lines(tmp_path / "x" / "cases.jsonl")}
    assert list(found) == sorted(every)
    for case in every.values():
        row = found[case.id]
        assert (row["question"], row["answer"], row["proof"]) == (case.question, case.gold, case.proof)
        assert json.loads(row["premises"]) == case.premises
        assert row["evidence"] == [premise["sentence"] for premise in case.premises]
    prompts = list(lines(tmp_path / "x" / "prompts.jsonl"))
    assert len(prompts) == 3 * len(every)
    assert all(every[row["id"]].question in row["text"] for row in prompts)


def test_a_temporal_proof_of_an_export_is_replayed_by_swipl_in_its_folder(
    session: Session, every: dict[str, reading.CaseView], tmp_path: Path
) -> None:
    export(session, KEY, "jsonl", tmp_path / "x", PROLOG)
    case = next(case for case in every.values() if case.suite == "temporal")
    (tmp_path / "x" / "p.pl").write_text(case.proof, encoding="utf-8")
    told = {name: value for name, value in os.environ.items() if name != "HALLUVAULT_PROLOG_DIR"}
    ran = subprocess.run(
        ["swipl", "p.pl"], cwd=tmp_path / "x", env=told, capture_output=True, text=True, timeout=60, check=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ran.stdout == f"{case.gold}\n"
    stated, _, rest = case.proof.partition("\n\n")
    assert all(f"{premise['sentence']} [{premise['guid']}]" in stated for premise in case.premises)
    assert "set_until" not in rest, "the operators stand in prolog_rules/, not in every proof"


@pytest.mark.parametrize(
    ("to", "cases", "prompts"),
    [("parquet", "cases.parquet", "prompts.parquet"), ("hf", "cases/test.parquet", "prompts/test.parquet")],
)
def test_parquet_has_the_rows_of_the_json_lines(
    session: Session, january: BenchmarkCounts, tmp_path: Path, to: str, cases: str, prompts: str
) -> None:
    export(session, KEY, "jsonl", tmp_path / "lines", PROLOG)
    export(session, KEY, to, tmp_path / "tables", PROLOG)
    for name, table in (("cases", cases), ("prompts", prompts)):
        with duckdb.connect() as connection:
            found = connection.read_parquet(str(tmp_path / "tables" / table))
            rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
        assert rows == list(lines(tmp_path / "lines" / f"{name}.jsonl"))


def test_the_header_of_a_hugging_face_card_points_at_its_files(
    session: Session, january: BenchmarkCounts, tmp_path: Path
) -> None:
    export(session, KEY, "hf", tmp_path / "x", PROLOG)
    _, header, body = (tmp_path / "x" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    told = yaml.safe_load(header)
    assert [config["config_name"] for config in told["configs"]] == ["cases", "prompts"]
    for config in told["configs"]:
        for file in config["data_files"]:
            assert (tmp_path / "x" / file["path"]).is_file()
    assert body.lstrip().startswith("# HalluVault benchmark 2040-01")


def test_the_lm_eval_task_names_its_data_and_asks_what_the_benchmark_asks(
    session: Session, every: dict[str, reading.CaseView], tmp_path: Path
) -> None:
    export(session, KEY, "lm-eval", tmp_path / "x", PROLOG)
    tasks = sorted((tmp_path / "x").glob("*.yaml"))
    assert [task.stem for task in tasks] == [
        "halluvault_2040_01_drowzee_1_plain_closed_book", "halluvault_2040_01_halluvault_1_plain_closed_book",
    ]  # fmt: skip
    yaml.SafeLoader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    for path in tasks:
        task = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert task["task"] == path.stem
        variant = task["dataset_kwargs"]["variant"]
        docs = list(lines(tmp_path / "x" / f"{variant}.jsonl"))
        assert [doc["id"] for doc in docs] == sorted(every)
        for doc in docs:
            assert doc["answer"] == every[doc["id"]].gold
            assert every[doc["id"]].question in doc["prompt"]


def test_the_inspect_task_has_a_file_of_messages_for_each_variant(
    session: Session, every: dict[str, reading.CaseView], tmp_path: Path
) -> None:
    export(session, KEY, "inspect", tmp_path / "x", PROLOG)
    source = (tmp_path / "x" / "halluvault_task.py").read_text(encoding="utf-8")
    compile(source, "halluvault_task.py", "exec")
    for variant in ("drowzee-1-plain-closed-book", "halluvault-1-plain-closed-book"):
        assert f'"{variant}"' in source
        samples = lines(tmp_path / "x" / f"{variant}.jsonl")
        assert {sample["id"] for sample in samples} == set(every)
        for sample in samples:
            (message,) = sample["messages"]
            assert every[sample["id"]].question in message["content"]


def test_every_variant_is_made_of_the_cases_and_exported_as_conversations(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path, tmp_path: Path
) -> None:
    directory = shutil.copytree(config_dir, tmp_path / "config")
    path = directory / "benchmark.yaml"
    quotas = yaml.safe_load(path.read_text(encoding="utf-8"))
    quotas["variants"]["all"] = [one.name for one in _asking_questions()]
    path.write_text(yaml.safe_dump(quotas), encoding="utf-8")
    write("2040-08")
    # Something recent must have happened, on dates that there is one of.
    for began, pid, year in ((2005, 569, 2021), (2006, 569, 2024), (2013, 569, 2024), (3002, 577, 2024)):
        session.execute(
            update(tables.statement)
            .where(tables.statement.c.snapshot == "2040-08", tables.statement.c.s == began, tables.statement.c.p == pid)
            .values(earliest=day_number(year), latest=day_number(year, 12, 31))
        )
    derive("2040-08")
    counts = build(session, "2040-08", config_dir=directory, size="all")
    found = {(one.template, one.form, one.context): one.prompts for one in reading.variants(session, "2040-08")}
    assert set(found) == set(_asking_questions())
    recent = {number for (_, _, context), number in found.items() if context == "out-of-distribution"}
    assert len(recent) == 1
    assert 0 < min(recent) < counts.sum("cases")
    others = {number for (_, _, context), number in found.items() if context != "out-of-distribution"}
    assert others == {counts.sum("cases")}, "with-evidence among them: every case has its evidence"
    assert counts.prompts == sum(found.values())
    export(session, "2040-08", "inspect", tmp_path / "x", PROLOG)
    samples = list(lines(tmp_path / "x" / "drowzee-2-chat-out-of-distribution.jsonl"))
    assert len(samples) == min(recent)
    for sample in samples:
        told, open_turn, asked = sample["messages"]
        assert told["content"].startswith("Here are some recent events")
        assert open_turn == {"role": "assistant", "content": None}
        assert sample["question"] in asked["content"]
    tasks = {path.stem for path in export(session, "2040-08", "lm-eval", tmp_path / "y", PROLOG).folder.glob("*.yaml")}
    assert not [task for task in tasks if "chat" in task], "the harness has one turn and a chat template of its own"
    assert len(tasks) == 4


@pytest.fixture
def utils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The scorer that goes with the lm-eval task; the library that it takes its data through is not needed here."""
    monkeypatch.setitem(sys.modules, "datasets", ModuleType("datasets"))
    path = tmp_path / "utils.py"
    path.write_text(template("lm_eval_utils.txt"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("exported_utils", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes, he was born there.", "yes"), ("**No.** He was not.", "no"), ("Answer: yes", "yes"),
        ("The final answer is: No", "no"), ("I don’t know.", "dont_know"), ("I do not know the answer", "dont_know"),
        ("Nobody knows", ""), ("There is no evidence", ""), ("Yesterday", ""), ("", ""), ("‘Yes’ – indeed", "yes"),
    ],
)  # fmt: skip
def test_the_exported_scorers_tell_yes_no_and_no_answer_apart(utils: ModuleType, reply: str, said: str) -> None:
    assert utils.answer(reply) == said
    patterns = [
        template(name).split("_ANSWER = ")[1].split("IGNORECASE")[0]
        for name in ("lm_eval_utils.txt", "inspect_task.txt")
    ]
    assert patterns[0] == patterns[1], "both tools read alike"


def test_a_group_counts_only_whole(utils: ModuleType) -> None:
    results = [
        utils.process_results({"answer": gold, "group": group, "licence": "proved"}, [reply])["group_all_right"]
        for group, gold, reply in (("a", "yes", "Yes"), ("a", "no", "No"), ("b", "yes", "Yes"), ("b", "no", "Yes"))
    ]
    assert utils.whole_groups(results) == 0.5
    refused = utils.process_results({"answer": "no", "group": "c", "licence": "list"}, ["I don't know"])
    assert (refused["acc"], refused["answered"], refused["said_yes"]) == (0.0, 0.0, 0.0)


def test_the_proved_part_has_an_accuracy_of_its_own(utils: ModuleType) -> None:
    results = [
        utils.process_results({"answer": "no", "group": licence, "licence": licence}, [reply])["acc_proved"]
        for licence, reply in (("proved", "No"), ("proved", "Yes"), ("measured", "No"), ("list", "No"))
    ]
    assert utils.proved_part(results) == 0.5
    assert utils.proved_part([]) == 0.0


def test_an_export_replaces_only_an_export(session: Session, january: BenchmarkCounts, tmp_path: Path) -> None:
    target = tmp_path / "x"
    export(session, KEY, "jsonl", target, PROLOG)
    export(session, KEY, "lm-eval", target, PROLOG)
    assert not (target / "cases.jsonl").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(UserError, match="is not an earlier export"):
        export(session, KEY, "jsonl", mine, PROLOG)
    assert (mine / "thesis.tex").exists()


def test_an_unknown_format_and_a_month_without_benchmark_are_named(
    session: Session, january: BenchmarkCounts, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="'xml' is unknown; the formats are jsonl, parquet, hf, lm-eval, inspect"):
        export(session, KEY, "xml", tmp_path / "x", PROLOG)
    with pytest.raises(UserError, match="1999-01 has no benchmark"):
        export(session, "1999-01", "jsonl", tmp_path / "x", PROLOG)
    assert not (tmp_path / "x").exists()


def test_two_processes_export_the_same_bytes(database_url: str, january: BenchmarkCounts, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from halluvault_tasks.benchmark.export import export;"
        "from halluvault_tasks.storage import sessions\n"
        "with sessions.session(sys.argv[1]) as s: export(s, '2040-01', 'hf', *map(Path, sys.argv[2:]))"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-c", code, database_url, str(tmp_path / seed), str(PROLOG)], check=True, env=environment
        )
    manifests = [json.loads((tmp_path / seed / "export.json").read_text()) for seed in ("1", "2")]
    assert manifests[0] == manifests[1]


def _asking_questions() -> list[variants.Variant]:
    """Variants that are not a companion suite's alone."""
    return [one for one in variants.KNOWN if not TEMPLATES[one.template].only]
