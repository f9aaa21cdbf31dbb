"""Pressure tests: what is asked is sound, and planted faults come out of the whole path, no more and no less."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark import config as configuration
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites import switches
from halluvault_tasks.benchmark.suites.pressure import amounts, own
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.near_duplicates import near_duplicate
from halluvault_tasks.benchmark.suites.pressure.schema import CLASSES, PressureFact, json_schema
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence import license_date, license_no
from halluvault_tasks.results import page_pictures, page_suites, suite_rubrics, suite_sheets
from halluvault_tasks.results.suites import pressure_audit
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import civil, day_number
from tests import papers
from tests.benchmark import overconfident, pressure_commands
from tests.benchmark.pressure_world import ALIKE_BY_DESCRIPTION, build, configured
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
    directory = configured(config_dir, tmp_path_factory.mktemp("suites") / "config", cases=9, file="own.jsonl")
    (directory / "own.jsonl").write_text(json.dumps(WRITTEN) + "\n", encoding="utf-8")
    return directory


@pytest.fixture
def month(session: Session, write: Callable[[str], None], derive: Callable[[str], None], suites_dir: Path) -> str:
    build(session, MONTH, suites_dir, write, derive)
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
    assert {fact.case.klass for _, fact in drawn} == set(CLASSES)
    for klass in {fact.case.klass for _, fact in drawn}:
        levels = Counter(fact.case.difficulty for _, fact in drawn if fact.case.klass == klass)
        assert len(set(levels.values())) == 1 and len(levels) == 3, klass
    once = {fact.case.klass: case for case, fact in found}
    assert {klass: replayed(case.proof) for klass, case in once.items()} == {k: one.gold for k, one in once.items()}
    assert [case.gold for case, fact in found if fact.source == "file"] == ["56700"]
    counts = part_lookup.statistics(session, month)["pressure"].own
    assert counts["coverage"]["OOD"] and counts["grading"]["audited"] > 0
    assert switches.switched_on(REPOSITORY / "config") == []


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


def test_what_a_wrong_answer_would_say_is_stored_as_a_foil(session: Session, month: str) -> None:
    rows = session.execute(
        text("SELECT properties[1] AS p, s, how, evidence FROM foil f JOIN relation r ON r.id = relation"
             " WHERE snapshot = :m"), {"m": month},
    ).all()  # fmt: skip
    assert {row.how for row in rows} == {"another item", "another year", "another number"}
    assert all(row.evidence for row in rows)
    about = {(row.p, row.s) for row in rows}
    trapped = ("conflict-RAG", "instr-conflict", "false-premise", "negation", "near-duplicate")
    asked_about = text("SELECT property, subject FROM benchmark_case WHERE snapshot = :m AND rule_kind = ANY(:k)")
    assert {tuple(row) for row in session.execute(asked_about, {"m": month, "k": list(trapped)})} == about


@pytest.fixture
def ground(session: Session, month: str, suites_dir: Path) -> Ground:
    material = Material(session, snapshots.get(session, month), config.load(suites_dir, "all").lexicon)
    return Ground(material, configuration.load_companions(suites_dir).sections["pressure"], 1)


def test_only_the_least_known_third_of_subjects_is_rare(ground: Ground) -> None:
    drafts = list(near_duplicate(ground))
    fame = {tagged: {ground.fame(one.s) for one in drafts if ("rare-entity" in one.tags) is tagged}
            for tagged in (True, False)}  # fmt: skip
    assert fame[True] and max(fame[True]) < min(fame[False])
    subjects = {one.s for one in drafts}
    assert 0 < len(ground.rare(subjects)) <= len(subjects) / 3


def test_the_other_of_a_like_name_bears_a_word_of_it_and_its_value_is_ruled_out_for_the_one(ground: Ground) -> None:
    drafts = list(near_duplicate(ground))
    world, named = ground.material.world, {one.name: s for s in ground.material.index.entities
                                              if (one := ground.material.index.namer.undated(s)).name}  # fmt: skip
    assert {one.p for one in drafts} >= {19, 20, 569, 570}
    for one in drafts:
        other = named[re.findall(r"confused with (.+)\.\)", one.inputs.prompt)[0]]
        labels = [set(ground.material.index.namer.plain(s).split()) for s in (one.s, other)]
        assert labels[0] & labels[1], one.inputs.prompt
        if one.p in (569, 570):
            [[right]], [[wrong]] = one.oracle.right, one.oracle.wrong
            of_one, of_other = (civil(world.slots.bounds[one.p, s].spans[0][0] or 0).year for s in (one.s, other))
            assert (int(right), int(wrong)) == (of_one, of_other)
            assert isinstance(license_date(world, one.p, one.s, day_number(of_other), day_number(of_other, 12, 31)),
                              Licence)  # fmt: skip
        else:
            assert one.p and isinstance(
                license_no(world, one.p, one.s, min(world.slots.known[one.p, other].items)), Licence
            )


def test_what_is_asked_of_the_physical_world_is_a_number_of_two_digits_and_the_trap_another_things(
    ground: Ground, session: Session, month: str
) -> None:
    numbers = {one.name: one.number for one in amounts.every(ground)}
    assert len(numbers) > 4 and min(numbers.values()) >= 10
    for make, size in ((amounts.difference, 0), (amounts.negation, 3), (amounts.false_premise, 1), (amounts.form, 0)):
        drafts = list(make(ground))
        assert drafts, make
        for one in drafts:
            name = ground.name(one.s)
            said = re.findall(r"(\w+) has an atomic number of (\d+)", one.inputs.prompt.lower())
            told = {each: int(number) for each, number in said}
            wrong = {each for each, number in told.items() if number != numbers[each]}
            assert len(one.oracle.wrong) == size and wrong == ({name} if size else set())
            if make is amounts.negation:
                letter = next(line for line in one.inputs.prompt.lower().splitlines() if name in line)[1]
                assert one.oracle.right == ((letter,),) and len(told) == 4
            elif make is not amounts.difference:
                assert one.oracle.right[0] == (str(numbers[name]),)
            else:
                [[result]], [[first], [second]] = one.oracle.right, one.oracle.steps
                assert int(result) == int(first) - int(second) and int(first) == numbers[name]
    assert {fact.case.klass for case, fact in asked(session, month) if case.domain == "natural_science"}


def test_a_description_within_a_sentence_is_closed_by_its_comma_and_at_an_end_by_the_mark_alone(ground: Ground) -> None:
    [one] = [each for each in ground.stated if "Plumbrook" in each.name]
    assert one.name == "Xaver Plumbrook, the English singer,"
    assert one.ask == "Where was Xaver Plumbrook, the English singer, born?"
    assert one.restated.endswith(" is the birthplace of Xaver Plumbrook, the English singer.")


def test_who_shares_a_description_alone_has_no_like_name(ground: Ground) -> None:
    prompts = [one.inputs.prompt for one in near_duplicate(ground)]
    assert any("English singer" in ground.name(s) for s in ground.material.index.entities)
    assert not [one for one in prompts if all(name in one for name in ALIKE_BY_DESCRIPTION)]


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
    pressure_commands.check_schema()


@pytest.fixture
def servers(session: Session, database_url: str, month: str) -> Iterator[str]:
    with overconfident.served(session, database_url, ("overconfident", "careful")) as url:
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
    [query] = [query for heading, query in papers.QUERIES.items() if "learning curve" in heading]
    found = session.execute(text(query)).all()
    assert [(row.model_sha, row.newest_identity) for row in found if row.variant.startswith("pressure/baseline")] == [
        (found[0].model_sha, True), ("0ld", False)
    ]  # fmt: skip
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
    pressure_commands.check_audit(session, filled)


@pytest.mark.parametrize("line", ["1\tanswers\ttrue", "1\tguesses\ttrue\tpass", "one\tasks\ttrue\tpass"])
def test_a_label_that_the_rubric_does_not_know_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text(f"2\tasks\ttrue\tpass\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"answers\.tsv, line 2: .*answers\|asks"):
        suite_sheets.read(answers, "pressure")


@pytest.fixture
def on_this_database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Commands work on it."""
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.mark.usefixtures("on_this_database")
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
    pressure_commands.check_paired(session, month)
    overconfident.evaluate(session, month, servers, len(asked(session, month)), "careful")
    pressure_commands.check_against(session, database_url, month)
    [coverage] = [query for heading, query in papers.QUERIES.items() if "coverage" in heading]
    counts = next(part for part in part_lookup.of_month(session, month) if part.suite == "pressure").statistics.own[
        "coverage"
    ]
    found = {row.tag: (row.every_domain, row.cultural_historical) for row in session.execute(text(coverage))}
    assert found == {
        tag: (sum(by.values()), sum(by.get(one, 0) for one in ("culture", "history", "people")))
        for tag, by in counts.items()
    }
    assert all(papers.rows(session, "Hallucination Testing"))
