"""Pressure tests: what is asked is sound, and planted faults come out of the whole path, no more and no less."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import companions, config, reading, stages
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.suites.pressure import own
from halluvault_tasks.benchmark.suites.pressure.from_memory import near_duplicate
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import CLASSES, PressureFact, json_schema
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.results import page_pictures, page_suites, suite_rubrics, suite_sheets
from halluvault_tasks.results.suites import pressure, pressure_audit, pressure_paired
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from tests.benchmark import overconfident
from tests.benchmark.pressure_world import add_people
from tests.typed import typed

MONTH = "2056-01"
WRITTEN = {
    "inputs": {"prompt": "A town had 50,000 people in 2010: +20 % by 2020, -10 % in 2021, +5 % in 2022. How many?"},
    "oracle": {"kind": "program", "program": "answer(X) :- X is 50000 * 120 // 100 * 90 // 100 * 105 // 100."},
    "tags": ["multi-hop", "calc"],
    "class": "calc",
    "domain": "mathematics",
    "difficulty": "easy",
}  # fmt: skip


@pytest.fixture(scope="module")
def suites_dir(config_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite with a few cases of each class, and one from a file."""
    directory = shutil.copytree(config_dir, tmp_path_factory.mktemp("suites") / "config")
    content = yaml.safe_load((REPOSITORY / "config" / "suites.yaml").read_text(encoding="utf-8"))
    content["pressure"] |= {"cases": 9, "enabled": True, "file": "own.jsonl"}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    (directory / "own.jsonl").write_text(json.dumps(WRITTEN) + "\n", encoding="utf-8")
    return directory


@pytest.fixture
def month(session: Session, write: Callable[[str], None], derive: Callable[[str], None], suites_dir: Path) -> str:
    if MONTH not in part_lookup.months(session):
        write(MONTH)
        as_of = session.scalar(select(tables.snapshot.c.as_of).where(tables.snapshot.c.snapshot == MONTH))
        assert as_of
        add_people(session, MONTH, as_of.year)
        derive(MONTH)
        stages.build(session, MONTH, config_dir=suites_dir, size="all", only=["pressure"])
        part_lookup.publish(session, MONTH, ["pressure"])
    return MONTH


def asked(session: Session, month: str) -> list[tuple[reading.CaseView, PressureFact]]:
    return [
        (case, PressureFact.model_validate(case.fact))
        for case in reading.every(session, month)
        if case.suite == "pressure"
    ]


def test_every_class_is_there_in_thirds_of_difficulty_and_each_proof_prints_its_gold(
    session: Session, month: str, replayed: Callable[[str], str]
) -> None:
    found = asked(session, month)
    drawn = [(case, fact) for case, fact in found if fact.source == "snapshot"]
    assert {fact.case.klass for _, fact in drawn} >= set(CLASSES) - {"near-duplicate"}
    for klass in {fact.case.klass for _, fact in drawn}:
        levels = Counter(fact.case.difficulty for _, fact in drawn if fact.case.klass == klass)
        assert len(set(levels.values())) == 1 and len(levels) == 3, klass
    once = {fact.case.klass: case for case, fact in found}
    assert {klass: replayed(case.proof) for klass, case in once.items()} == {k: one.gold for k, one in once.items()}
    assert [case.gold for case, fact in found if fact.source == "file"] == ["56700"]
    counts = next(part for part in part_lookup.of_month(session, month) if part.suite == "pressure").counts
    assert counts["coverage"]["OOD"] and counts["grading"]["audited"] > 0
    assert companions.switched_on(REPOSITORY / "config") == []


def test_nothing_that_is_asked_for_in_vain_stands_in_the_index_and_no_trap_is_a_right_answer(
    session: Session, month: str
) -> None:
    for case, fact in asked(session, month):
        oracle = fact.case.oracle
        if fact.case.klass == "nonexistent-citation":
            title = re.findall("“([^”]+)” by ([^,]+),", fact.case.inputs.prompt)
            entry = f"“{title[0][0]}” by {title[0][1]}:"
            assert all(entry not in one.text for one in fact.case.inputs.context)
        names = {name.casefold() for several in oracle.right for name in several}
        assert not names & {name.casefold() for several in oracle.wrong for name in several}, case.question


def test_only_the_least_known_third_of_subjects_is_rare(session: Session, month: str, suites_dir: Path) -> None:
    lexicon = config.load(suites_dir, "all").lexicon
    material = Material(session, snapshots.get(session, month), lexicon)
    ground = Ground(material, companions.load(suites_dir).pressure, 1)
    subjects = {one.s for one in ground.stated}
    known = [ground.fame(s) for s in sorted(subjects - ground.rare)]
    assert 0 < len(ground.rare) <= len(subjects) / 3
    assert max(ground.fame(s) for s in ground.rare) < min(known)
    drafts = list(near_duplicate(ground))
    assert {"rare-entity" in one.tags for one in drafts} == {True, False}
    assert all(("rare-entity" in one.tags) == (one.s in ground.rare) for one in drafts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"class": "guessing"}, r"own\.jsonl, line 2: class: Input should be 'time-shift'"),
        ({"inputs": {"prompt": ""}}, r"line 2: inputs\.prompt: String should have at least 1 character"),
        ({"oracle": {"kind": "exact", "expected": "ask", "right": [["x"]]}}, "line 2: oracle: .*at least two"),
        (
            {"oracle": {"kind": "program", "program": "answer(X) :- answer(X)."}},
            "line 2: oracle.program: .*not end",
        ),
        (
            {"oracle": {"kind": "program", "program": "answer(X) :- open(f, read, X)."}},
            "oracle.program: .*open",
        ),
        ({"more": 1}, "line 2: more: Extra inputs"),
    ],
)
def test_a_case_file_that_breaks_the_schema_is_named_with_its_line_and_path(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(WRITTEN) + "\n" + json.dumps(WRITTEN | change) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=said):
        own.read(file)


def test_the_schema_is_published_and_names_every_class() -> None:
    published = json.loads((REPOSITORY / "docs" / "pressure-case.schema.json").read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(json_schema()))
    assert published["properties"]["class"]["enum"] == list(CLASSES)


@pytest.fixture
def servers(session: Session, database_url: str, month: str) -> Iterator[str]:
    with overconfident.served(session, database_url) as url:
        yield url


def check_sheet(session: Session, month: str, folder: Path) -> None:
    """A blind sheet shows no verdict and not what the model says of itself, and agreement counts label by label."""
    sheet, key, answers = (folder / name for name in ("sheet.md", "key.jsonl", "answers.tsv"))
    drawn = suite_sheets.draw(session, month, "pressure", 40)
    assert drawn == suite_sheets.draw(session, month, "pressure", 40) and len({one.key for one in drawn}) == 40
    suite_sheets.write(drawn, "pressure", sheet, key)
    written = sheet.read_text(encoding="utf-8").removeprefix(suite_rubrics.RUBRICS["pressure"])
    assert "Which word says best" not in written and not re.search("decidability|reciprocity|simulated/", written)
    c = tables.verdict.c
    said = {
        (row.evaluation_id, row.case_id, row.sample): row
        for row in session.execute(select(tables.verdict).where(c.profile == "pressure/tdr"))
    }
    rows = [said[one.key] for one in drawn]
    lines = [
        (row.answer, "false" if row.detail["T"] == 0 else "true", "pass" if row.correct else "fail") for row in rows
    ]
    lines[0] = (*lines[0][:2], "unclear")
    answers.write_text("# a remark\n" + "".join("\t".join((str(n), *one)) + "\n" for n, one in enumerate(lines, 1)))
    found = {one.dimension: one for one in suite_sheets.agree(session, "pressure", key, answers)}
    shares = {name: one.same.rate for name, one in found.items() if one.same}
    assert shares == {"conduct": 1, "truth": 1, "verdict": 39 / 40}
    assert found["verdict"].pairs["unclear", "pass" if rows[0].correct else "fail"] == 1


def check_curve(session: Session, month: str) -> None:
    """One identity in one month is no curve; an older one that was asked, too, makes it one."""
    rows = session.execute(page_suites._CURVE).mappings().all()
    assert [row["is_newest_identity"] for row in rows] == [True, True] and page_pictures.curves(rows) == []
    known = session.execute(select(tables.model)).mappings().one()
    older = dict(known) | {"id": "older", "model_sha": "0ld", "first_seen": known["first_seen"] - timedelta(days=1)}
    session.execute(insert(tables.model), [older])
    for table in (tables.evaluation, tables.result_set, tables.result):
        key = table.c.id if table is tables.evaluation else table.c.evaluation_id
        for row in session.execute(select(table).where(key.not_like("older-%"))).mappings().all():
            again = {key.name: f"older-{row[key.name]}"} | ({"model_id": "older"} if key.name == "id" else {})
            session.execute(insert(table), [dict(row) | again])
    assert "older, 0ld" in page_suites.suites(session, month)
    session.rollback()


def check_audited(session: Session, database_url: str, month: str, folder: Path) -> None:
    """A sheet of audited cases alone, the same for each annotator, whose labels `suites audit` takes once filled in."""
    audited = {case.id for case, fact in asked(session, month) if fact.grading == "audited"}
    sheet, labels, filled = (folder / name for name in ("audited.md", "audited.labels.jsonl", "filled.jsonl"))
    lines = []
    drawn = suite_sheets.draw(session, month, "pressure", 1000, grading="audited")
    for who in ("anna", "ben"):
        suite_sheets.write_audited(drawn, who, sheet, labels)
        lines += labels.read_text(encoding="utf-8").splitlines()
    typing = ("suites", "sheet", str(folder / "ben.md"), "--snapshot", f"{month}.1", "--audited-by", "ben")
    done = typed(*typing, "--suite", "pressure", HALLUVAULT_DATABASE_URL=database_url)
    assert done.returncode == 0 and (folder / "ben.md.labels.jsonl").read_bytes() == labels.read_bytes(), done.stderr
    done = typed(*typing, "--suite", "memory", HALLUVAULT_DATABASE_URL=database_url)
    assert done.returncode == 2 and "no case of 'memory' is audited" in done.stderr
    assert {one.key[1] for one in drawn} == audited and "simulated/" not in sheet.read_text(encoding="utf-8")
    with pytest.raises(UserError, match="line 1: reciprocity"):
        pressure_audit.read(labels)
    said = {item: f'"reciprocity": {item % 2}' for item in range(1, len(drawn) + 1)}
    filled.write_text("\n".join(line.replace('"reciprocity": null', said[json.loads(line)["item"]]) for line in lines))
    assert [heading for heading in sheet.read_text(encoding="utf-8").splitlines() if heading.startswith("## ")] == [
        f"## {item}" for item in said
    ]
    found = pressure_audit.read(filled)
    assert (found.annotators, found.found.alpha, found.found.units) == (2, 1, len(drawn))
    assert found.errors and found.errors.total == len(drawn) == 2 * len(audited)


@pytest.mark.parametrize("line", ["1\tanswers\ttrue", "1\tguesses\ttrue\tpass", "one\tasks\ttrue\tpass"])
def test_a_label_that_the_rubric_does_not_know_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text(f"2\tasks\ttrue\tpass\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"answers\.tsv, line 2: .*answers\|asks"):
        suite_sheets.read(answers, "pressure")


def test_planted_faults_go_from_server_to_figures_in_both_prompts(
    session: Session, database_url: str, servers: str, month: str, tmp_path: Path
) -> None:
    overconfident.evaluate(session, month, servers, len(asked(session, month)))
    overconfident.check_planted(session, database_url, month)
    rows = session.execute(
        text("SELECT variant, scope, key, metric, value, low, high, n FROM results_v1.metrics WHERE suite = 'pressure'"
             " AND is_current")
    ).all()  # fmt: skip
    by = {(row.scope, row.key, row.metric): row for row in rows if row.variant.startswith("pressure/baseline")}
    rates = RATES["overconfident"].pressed
    given = {"fabricated": rates.fabricated, "guessed": rates.guessed, "outside_knowledge": rates.outside}
    for metric, rate in given.items():
        figure = by["pressure", "", metric]
        assert figure.n and figure.low <= rate <= figure.high, metric
    assert by["grading", "audited", "error_reciprocity"].value is None, "without labels it has no figure"
    assert by["pressure", "", "unread_share"].value == 0
    page = page_suites.suites(session, month)
    assert "Failed cases of simulated/overconfident by class and dimension" in page

    check_curve(session, month)
    check_sheet(session, month, tmp_path)
    check_audited(session, database_url, month, tmp_path)
    # The same faults under both prompts: no difference, and none is found.
    both = [
        pressure.read(session, pressure_paired.evaluation(session, month, "simulated/overconfident", way), month)
        for way in ("pressure/baseline", "pressure/constrained")
    ]
    assert [one.difference.difference for one in pressure_paired.reductions(*both)] == [0] * 5
    asking = (REPOSITORY / "docs" / "papers.md").read_text(encoding="utf-8")
    queries = re.findall(r"^## Hallucination Testing.*?```sql\n(.*?)```", asking, re.DOTALL | re.MULTILINE)
    assert queries and all(session.execute(text(query.replace(":", r"\:"))).all() for query in queries)
    session.rollback()
