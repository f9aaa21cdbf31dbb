"""Answers of files to a month's open questions: judged, drawn blind, and held against labels."""

from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from studies.open_answers import answers
from tests.oracles.material import SNAPSHOT
from tests.oracles.test_open import placed

QUESTION = "Where was Charles Dickens born?"
SAID = ["Portsmouth", "Pompey", "Hampshire", "Leipzig", "don't know", "Nowhere-upon-Thames"]


def test_a_blind_sheet_shows_no_verdict_and_its_labels_say_how_far_the_judge_agrees(
    session: Session, tmp_path: Path
) -> None:
    placed(session)
    files = []
    for at, said in enumerate(SAID):
        file = tmp_path / f"model{at}.tsv"
        header = "\t".join(answers.COLUMNS) + "\n" if at % 2 else ""
        file.write_text(f"{header}o1\t{QUESTION}\tHe was born there.\t{said}\t90\n", encoding="utf-8")
        files.append(file)
    judged = answers.judge(session, SNAPSHOT, answers.read(files))
    labels = [one.label for one in judged]
    assert labels == ["right", "right", "less precise", "wrong", "declined", "unjudged"]
    assert {one.verdict["detail"]["confidence"] for one in judged} == {90}

    chosen = answers.sheet(judged, 6, seed=1)
    assert answers.sheet(judged, 3, seed=1) == chosen[:3]
    answers.write(chosen, tmp_path / "labels")
    shown = (tmp_path / "labels" / "sheet.md").read_text(encoding="utf-8")
    assert all(f"<<<\n{said}\n>>>" in shown for said in SAID) and "model" not in shown.split("## 1")[1]

    person = {"Leipzig": "right"}  # the labeller errs once
    given = [
        f"{at}\t{person.get(one.answer, one.label.replace('unjudged', 'wrong'))}" for at, one in enumerate(chosen, 1)
    ]
    file = tmp_path / "labels.tsv"
    file.write_text("\n".join(given) + "\n", encoding="utf-8")
    found, apart = answers.agreement(judged, tmp_path / "labels", file)
    assert found.same is not None and found.same.rate == pytest.approx(4 / 5)
    assert found.pairs["wrong", "unjudged"] == 1
    assert [(label, one.answer) for label, one in apart] == [("right", "Leipzig")]


def test_a_file_in_another_form_and_an_unknown_case_are_refused(session: Session, tmp_path: Path) -> None:
    placed(session)
    file = tmp_path / "one.tsv"
    file.write_text("o1\tWhere?\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"one\.tsv, line 1: 2 columns"):
        answers.read([file])
    file.write_text("other\tWhere?\tHere.\tHere\n", encoding="utf-8")
    with pytest.raises(UserError, match="no open question other"):
        answers.judge(session, SNAPSHOT, answers.read([file]))
