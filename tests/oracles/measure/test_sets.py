"""Sets of texts with the evidence of their cases: kept in files, judged without their month, and by fewer pieces."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from click.testing import Result
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import oracle
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import evidence as served
from halluvault_tasks.oracles.measure import ablation, evidence, labelled, parses, pieces, texts, whole
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.oracles.measure.labelled import LabelledCase
from halluvault_tasks.oracles.measure.whole import Bench
from halluvault_tasks.reading import dates
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from tests.conftest import copied
from tests.oracles.material import BORN, BORN_ON, FACTS, SNAPSHOT, fill

BORN_IN = "Was Charles Dickens born in Portsmouth?"
CASES = [
    {"id": "c1", "question": BORN_IN, "answer": "yes", "group": "g1", "mutation": "original", "relation": "same",
     "rule": "inverse", "fact": json.dumps(FACTS["c1"]), "premises": json.dumps([BORN])},
    {"id": "c4", "question": "Was Charles Dickens born in 1812?", "answer": "yes", "group": "g3", "rule": "F",
     "mutation": "original", "relation": "same", "fact": json.dumps(FACTS["c4"]), "premises": json.dumps([BORN_ON])},
]  # fmt: skip
"""As `benchmark export` writes them."""

SETS = """
evidence: {month: cases.jsonl}
sets:
  - {name: answers, kind: responses, file: answers.jsonl, evidence: month, capable: true}
  - {name: W, kind: wordings, file: wordings.jsonl, evidence: month}
  - {name: gone, kind: claims, file: gone.jsonl}
"""
LINE = {"question": BORN_IN, "gold": "yes", "case": "c1", "hallucination": False, "category": "none", "stance": "yes"}
ANSWERS = [
    LINE | {"text": "Yes. Charles Dickens was born in Portsmouth."},
    LINE | {"text": "He was born in Leipzig.", "verdict": "Yes", "hallucination": True, "category": "knowledge"},
    LINE | {"case": "unknown", "text": "Yes."},
]
SLOTS = [
    {"case": "c4", "kind": "birth", "question": "Was Charles Dickens born in 1812?", "gold": "yes",
     "slots": {"name": "the novelist", "date": "7 February 1812"}},
    {"case": "c1", "kind": "birth", "question": BORN_IN, "gold": "yes", "slots": {"name": "Dickens"}},
]  # fmt: skip
WORDINGS = [
    {"kind": "birth", "gold": "yes", "truth": "true", "text": "Yes. {name} was born on {date}.", "verdict": None},
    {"kind": "birth", "gold": "no", "truth": "true", "text": "No. {name} was not.", "verdict": None},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"cases": CASES, "answers": ANSWERS, "slots": SLOTS, "wordings": WORDINGS}
    for name, lines in files.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "sets.yaml").write_text(SETS)
    return tmp_path


@pytest.fixture
def month(session: Session, folder: Path, postgres_server, template_database: str) -> Iterator[EvidenceMonth]:
    """A month made of the evidence of the cases."""
    fill(session, [("c1", "Yes.")])
    cases = labelled.read([folder / "cases.jsonl"], LabelledCase)
    frozen = evidence.freeze(session, SNAPSHOT, cases, ["Born in Leipzig."], folder / "month.jsonl.gz")
    assert frozen.rows["statement"] > 0
    with copied(postgres_server, template_database) as url, sessions.session(url) as other:
        evidence.fill(other, frozen.file.read_bytes(), frozen.file)
        yield EvidenceMonth(other, SNAPSHOT)


def test_a_case_is_read_as_an_export_writes_it(folder: Path) -> None:
    first, _ = labelled.read([folder / "cases.jsonl"], LabelledCase)
    assert (first.gold, first.group_id, first.rule_kind) == ("yes", "g1", "inverse")
    assert first.premises[0]["sentence"] == "Charles Dickens was born in Portsmouth."


def test_a_wording_is_put_into_each_case_that_has_its_slots_and_a_slot_begins_a_sentence_with_a_capital(
    folder: Path,
) -> None:
    [_, wordings, _] = texts.load(folder).sets
    [only] = texts.texts(folder, wordings)
    assert only == (
        "c4", "Was Charles Dickens born in 1812?", "Yes. The novelist was born on 7 February 1812.",
        None, True, False, 1,
    )  # fmt: skip


def test_braces_around_anything_but_a_slot_are_a_fault_of_their_line(folder: Path) -> None:
    (folder / "wordings.jsonl").write_text(json.dumps(WORDINGS[0] | {"text": "Yes. {name"}))
    with pytest.raises(UserError, match=r"wordings\.jsonl:1"):
        texts.texts(folder, texts.load(folder).sets[1])


def test_evidence_holds_what_is_stated_of_the_cases_things_and_the_names_of_texts_and_is_the_same_bytes_again(
    session: Session, folder: Path, month: EvidenceMonth
) -> None:
    rows = [json.loads(line) for line in gzip.decompress((folder / "month.jsonl.gz").read_bytes()).splitlines()]
    named = {row["label"] for table, row in rows if table == "entity"}
    assert {"Charles Dickens", "Portsmouth", "John Dickens", "Leipzig"} <= named
    assert "Wilkins Micawber" not in named
    stated = {(row["s"], row["p"]) for table, row in rows if table == "statement"}
    assert {(1, 19), (1, 569), (1, 22), (2, 131), (9, 131)} <= stated
    assert month.session.scalar(text("SELECT count(*) FROM rule")) == session.scalar(text("SELECT count(*) FROM rule"))
    again = evidence.freeze(
        month.session, SNAPSHOT, labelled.read([folder / "cases.jsonl"], LabelledCase), ["Born in Leipzig."],
        folder / "again.jsonl.gz",
    )  # fmt: skip
    assert again.rows["statement"] == len(stated)


def test_what_is_no_evidence_is_refused_in_one_line(session: Session) -> None:
    with pytest.raises(UserError, match=r"month\.jsonl\.gz is no file of evidence"):
        evidence.fill(session, b"not packed", Path("month.jsonl.gz"))


def test_sets_are_judged_on_their_evidence_and_what_is_absent_is_named(folder: Path, month: EvidenceMonth) -> None:
    found = whole.measure(Bench(folder, texts.load(folder), {"month": month}), lambda _: None)
    answers, wordings = found.verdicts
    assert (answers.n, answers.unplaced, wordings.n) == (2, 1, 1)
    assert answers.sound_convicted is not None
    assert (answers.sound_convicted.hits, answers.sound_convicted.of) == (0, 1)
    assert answers.right_faulty_found is not None
    assert (answers.right_faulty_found.hits, answers.right_faulty_found.of) == (1, 1)
    assert found.skipped == {"gone": "gone.jsonl is not there"}


def test_a_piece_that_is_needed_changes_verdicts_and_one_that_says_nothing_is_not_tried(
    folder: Path, month: EvidenceMonth
) -> None:
    made = ablation.thinned(Bench(folder, texts.load(folder), {"month": month}))
    before = ablation.baseline(made, lambda _: None)
    assert "conclusions.signs.signs" in before.spoken
    needed = ablation.tried(made, ("syntax.match.Matcher.match",), before)
    assert needed.changes["answers"].worse == 1
    assert needed.changes["answers"].lines == (2,)
    idle = ablation.tried(made, ("steps._reckoned",), before)
    assert (idle.spoken, idle.changes) == (0, {})
    whole_again = ablation.tried(made, ("letters.lettered",), before)
    assert not whole_again.fault


def test_pieces_are_put_back_and_no_cache_remembers_that_they_were_out() -> None:
    every = pieces.every()
    with pieces.replaced({"dates.find": every["dates.find"].silent}, every):
        assert not dates.find("born on 4 March 1967")
    assert dates.find("born on 4 March 1967")


def test_parses_are_kept_beyond_a_process_and_are_those_that_were_made(tmp_path: Path) -> None:
    [parse] = spacy_parser().parse(["Charles Dickens was born in Portsmouth."])
    parses.StoredParses(tmp_path, "one parser").add({"a sentence": parse})
    again = parses.StoredParses(tmp_path, "one parser")
    assert again.find(["a sentence", "another"]) == {"a sentence": parse}
    assert again.find(["a sentence"])["a sentence"][0].lemma == parse[0].lemma
    assert not parses.StoredParses(tmp_path, "another parser").find(["a sentence"])


def command(*arguments: str) -> Result:
    app = typer.Typer()
    oracle.register(app)
    return CliRunner().invoke(app, ["oracle", *arguments], catch_exceptions=False, env={"COLUMNS": "200"})


def test_the_commands_need_no_database_and_name_a_piece_that_is_not_there(
    folder: Path, month: EvidenceMonth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_STATE_DIR", str(tmp_path / "state"))
    settings.cache_clear()
    try:
        done = command("measure", "all", "--texts", str(folder), "--json", str(tmp_path / "figures.json"))
        assert done.exit_code == 0, done.output
        figures = json.loads((tmp_path / "figures.json").read_text())
        assert [one["name"] for one in figures["verdicts"]] == ["answers", "W"]
        assert "0 of 1: 0.0" in done.output
        done = command("ablate", "--texts", str(folder), "--rule", "steps._reckoned")
        assert "1 of 1 change nothing" in done.output
        with pytest.raises(UserError, match=r"no piece 'steps\.reckon'.*|steps\._reckoned"):
            command("ablate", "--texts", str(folder), "--rule", "steps.reckon")
    finally:
        settings.cache_clear()


def test_one_directory_serves_one_command_at_a_time(folder: Path, month: EvidenceMonth, tmp_path: Path) -> None:
    state = tmp_path / "state"
    with (
        served.opened(state, [folder / "month.jsonl.gz"]),
        pytest.raises(UserError, match="another command works in"),
        served.opened(state, []),
    ):
        pass


def test_the_sets_of_the_repository_are_there_with_their_cases() -> None:
    sets = texts.load()
    known = {name: {case.id for case in texts.cases(texts.FOLDER, sets, name)} for name in sets.evidence}
    for one in sets.sets:
        assert not texts.missing(texts.FOLDER, one), one.name
        if one.judged:
            found = texts.texts(texts.FOLDER, one)
            assert len(texts.placed(found, texts.cases(texts.FOLDER, sets, one.evidence))) >= len(found) / 2
            if one.kind == "wordings":
                assert {each.case for each in found} <= known[one.evidence], one.name
