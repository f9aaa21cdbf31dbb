"""What each stratum is worth: what is drawn, what an answerer sees, and how answers are read back."""

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from studies.strata import answers, curve, draw
from studies.strata.answers import AnswerRow, Key


def test_a_draw_goes_evenly_over_the_strata_with_one_wording_of_each_fact(sample, sample_session: Session) -> None:
    found = draw.of_month(sample_session, sample.snapshot, 120, seed=3)
    assert len(found) == len({one.asked.group_id for one in found}) == 120
    assert found == draw.of_month(sample_session, sample.snapshot, 120, seed=3)
    golds = Counter(one.gold for one in found)
    assert abs(golds["yes"] - golds["no"]) <= 12
    every = draw.of_month(sample_session, sample.snapshot, 100_000, seed=3)
    of = Counter(one.cell for one in found)
    whole = Counter(one.cell for one in every)
    assert all(of[cell] >= min(whole[cell], max(of.values()) - 1) for cell in whole), "a small cell is taken whole"


def test_an_answerer_sees_the_production_prompt_in_two_turns_and_no_gold(sample, sample_session: Session) -> None:
    (one,) = draw.of_month(sample_session, sample.snapshot, 1, seed=3)
    closed, given = (draw.conversation(one, context, date(2026, 10, 31)) for context in draw.CONTEXTS)
    assert [turn["role"] for turn in closed] == [turn["role"] for turn in given] == ["user", "assistant", "user"]
    assert closed[1]["content"] is None
    assert one.asked.question in closed[0]["content"]
    evidence = one.asked.premises[0]["sentence"]
    assert evidence in given[0]["content"] and evidence not in closed[0]["content"]
    assert set(closed[0]) == {"role", "content"}
    assert draw.key_of(one)["gold"] == one.gold


def key(golds: dict[str, str]) -> Key:
    """Cases of two strata, by their first letter."""
    strata = {"t": "tail", "b": "best known"}
    rest = dict.fromkeys(answers.FEATURES, "x") | {"question": "Q?", "evidence": "E."}
    return {case: {**rest, "case": case, "gold": gold, "stratum": strata[case[0]]} for case, gold in golds.items()}


GOLDS = {"t1": "yes", "t2": "no", "t3": "no", "b1": "yes", "b2": "no"}
SAID = {"t1": "yes", "t2": "Yes.", "t3": "don't know", "b1": "Yes", "b2": "**No**"}


def written(path: Path, said: dict[str, str]) -> Path:
    lines = [{"case": case, "answerer": "m", "context": "closed-book", "verdict": text} for case, text in said.items()]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return path


def test_answers_are_read_as_verdict_turns_and_counted_by_stratum(tmp_path: Path) -> None:
    known = key(GOLDS)
    given = answers.read([written(tmp_path / "a.jsonl", SAID)], known)
    assert {one.case: one.verdict for one in given} == {
        "t1": "yes", "t2": "yes", "t3": "don't know", "b1": "yes", "b2": "no",
    }  # fmt: skip
    rates = {(one.feature, one.level): one for one in answers.rates(given, known)}
    assert (rates["all", ""].answers, rates["all", ""].right, rates["all", ""].abstained) == (5, 3, 1)
    assert (rates["stratum", "tail"].right, rates["stratum", "tail"].answers) == (1, 3)
    best = rates["stratum", "best known"]
    assert best.share == best.high == 1.0 > best.low
    levels = [level for feature, level in rates if feature == "stratum"]
    assert levels == ["tail", "best known"], "from the least known on"
    curve.draw(list(rates.values()), tmp_path / "curve.svg")
    assert "best known" in (tmp_path / "curve.svg").read_text() or (tmp_path / "curve.svg").stat().st_size > 1000


def test_every_disagreement_is_looked_up_and_of_the_others_a_draw(tmp_path: Path) -> None:
    known = key(GOLDS)
    given = answers.read([written(tmp_path / "a.jsonl", SAID)], known)
    sheet = answers.to_look_up(given, known, seed=1)
    assert {row["case"]: row["disagrees"] for row in sheet} == {
        "t1": "", "t2": "m, closed-book", "t3": "", "b1": "", "b2": "",
    }  # fmt: skip
    many = {f"t{n}": "yes" for n in range(500)}
    agreed = [AnswerRow(case, "m", "closed-book", "yes", "") for case in many]
    assert len(answers.to_look_up(agreed, key(many), seed=1)) == 300


@pytest.mark.parametrize(
    ("line", "told"),
    [("{", "JSON"), ('{"case": "t1"}', "answerer"), ("[]", "TypeError"),
     ('{"case": "z", "answerer": "m", "context": "closed-book", "verdict": "yes"}', "'z' is not in the key")],
)  # fmt: skip
def test_a_line_that_is_no_answer_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(UserError, match=r"a\.jsonl:1") as refused:
        answers.read([path], key(GOLDS))
    assert told in str(refused.value)


def test_a_case_that_is_answered_twice_is_named(tmp_path: Path) -> None:
    paths = [written(tmp_path / name, {"t1": "yes"}) for name in ("a.jsonl", "b.jsonl")]
    with pytest.raises(UserError, match=r"b\.jsonl:1: m answered t1 twice"):
        answers.read(paths, key(GOLDS))


def test_findings_of_a_filled_sheet_are_counted_and_another_word_is_named(tmp_path: Path) -> None:
    sheet = tmp_path / "look-up.tsv"
    sheet.write_text("case\tfinding\nt1\tright\nt2\targuable\nt3\t\n")
    assert answers.looked_up(sheet) == {"right": 1, "wrong": 0, "arguable": 1, "": 1}
    sheet.write_text("case\tfinding\nt1\tperhaps\n")
    with pytest.raises(UserError, match="perhaps"):
        answers.looked_up(sheet)
