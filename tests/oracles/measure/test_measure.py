"""What the measures count, on labels and readings made by hand; the readers are held against real files at the end."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import oracle
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure import answers, claims, labelled, responses, texts
from halluvault_tasks.oracles.measure.labelled import LabelledAnswer, LabelledClaim, LabelledSentence
from halluvault_tasks.oracles.measure.rates import HitShare
from halluvault_tasks.oracles.measure.responses import TextVerdict
from halluvault_tasks.oracles.measure.texts import SetText
from halluvault_tasks.settings import settings
from tests.oracles.material import BORN as PREMISE
from tests.oracles.material import FACTS, fill


def hits(share: HitShare | None) -> tuple[int, int] | None:
    return (share.hits, share.of) if share else None


# ------------------------------------------------------------------ files


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_fields_that_are_not_listed_are_let_be_and_empty_lines_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", {"question": "q", "text": "t", "stance": "yes", "source": 1, "x": {}}, "", "  ")
    assert labelled.read([file, file], LabelledAnswer) == [LabelledAnswer(question="q", text="t", stance="yes")] * 2


@pytest.mark.parametrize(
    ("line", "said"),
    [("{", "no JSON"), ('{"text": "t", "stance": "yes"}', "question: Field required"), ("[]", "valid dictionary"),
     ('{"question": "q", "text": 7, "stance": "yes"}', "text: Input should be a valid string")],
)  # fmt: skip
def test_a_faulty_line_is_named_with_file_and_number(tmp_path: Path, line: str, said: str) -> None:
    file = write(tmp_path / "a.jsonl", {"question": "q", "text": "t", "stance": "yes"}, line)
    with pytest.raises(UserError, match="question, text, stance") as caught:
        labelled.read([file], LabelledAnswer)
    assert f"{file}:2" in str(caught.value)
    assert said in str(caught.value)


def test_a_file_that_is_not_there_or_empty_is_named(tmp_path: Path) -> None:
    for file in (tmp_path / "none.jsonl", write(tmp_path / "empty.jsonl")):
        with pytest.raises(UserError, match=file.name):
            labelled.read([file], LabelledAnswer)


# ------------------------------------------------------------------ answers


def test_an_answer_is_right_if_it_is_read_as_one_of_the_accepted_readings() -> None:
    def line(stance: str, text: str, draw: str, *accept: str) -> LabelledAnswer:
        return LabelledAnswer(question="q", text=text, stance=stance, draw=draw, accept=list(accept))

    lines = [
        line("yes", "yes", "random", "yes"),
        line("no", "yes", "random", "no"),
        line("soft_no", "dont_know", "hard", "no", "dont_know"),
        line("abstain", "refusal", "hard"),
        line("abstain", "yes", "hard"),
        line("contradictory", "contradictory", "hard"),
        line("contradictory", "no", "hard", "contradictory", "no"),
    ]
    found = answers.measure(lines, lambda pairs: [text for text, _ in pairs])
    assert found.n == 7
    assert hits(found.accuracy) == (5, 7)
    assert {draw: hits(share) for draw, share in found.by_draw.items()} == {"hard": (4, 5), "random": (1, 2)}
    assert found.confusion["abstain"] == {"refusal": 1, "yes": 1}
    assert found.abstain == (2, 1, 2, 2)
    assert found.contradictory == (2, 1, 1, 1)


# ------------------------------------------------------------------ claims


def sentence(*wanted: dict[str, Any], fine: Sequence[dict[str, Any]] = ()) -> LabelledSentence:
    return LabelledSentence.model_validate({"text": "t", "claims": list(wanted), "also_fine": list(fine)})


def measured(line: LabelledSentence, *given: LabelledClaim) -> tuple[int, int, int]:
    found = claims.measure([line], lambda _: given)
    return found.gold, found.found, found.wrong


BORN = {"p": "P19", "s": "The Ada (poet)", "o": "Saint-Denis"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (LabelledClaim(p="P19", s="ada", o="saint denis"), (1, 1, 0)),
        (LabelledClaim(p="P20,P19", s="Ada", o="Saint-Denis"), (1, 1, 0)),
        (LabelledClaim(p="P20", s="Ada", o="Saint-Denis"), (1, 0, 1)),
        (LabelledClaim(p="P19", s="Ada", o="Paris"), (1, 0, 1)),
        (LabelledClaim(p="P19", s="Ada", o="Saint-Denis", neg=True), (1, 0, 1)),
    ],
)
def test_a_claim_is_found_if_property_ends_and_polarity_agree(
    given: LabelledClaim, expected: tuple[int, int, int]
) -> None:
    assert measured(sentence(BORN), given) == expected


@pytest.mark.parametrize(
    ("labelled_date", "given", "right"),
    [
        ("1979-12-03", "3 December 1979", True),
        ("1979", "3 December 1979", True),
        ("29 August 1956", "1956-08-29", True),
        ("1979-12", "1979", False),
        ("1979-12-03", "4 December 1979", False),
    ],
)
def test_dates_agree_at_the_precision_of_the_label(labelled_date: str, given: str, right: bool) -> None:
    line = sentence({"p": "P569", "s": "Ada", "o": labelled_date})
    assert measured(line, LabelledClaim(p="P569", s="Ada", o=given)) == ((1, 1, 0) if right else (1, 0, 1))


def test_what_is_fine_counts_neither_way_and_an_alternative_finds_the_claim() -> None:
    alternative = {"p": "P131", "s": "Kent", "o": "England"}
    line = sentence({"p": "P17", "s": "Kent", "o": "England", "alt": [alternative]}, fine=[alternative, BORN])
    assert measured(
        line, LabelledClaim(p="P131", s="Kent", o="England"), LabelledClaim(p="P19", s="Ada", o="Saint-Denis")
    ) == (
        1,
        1,
        0,
    )


def test_a_claim_labelled_twice_with_two_dates_or_given_twice_counts_once() -> None:
    line = sentence({"p": "P39", "s": "A", "o": "mayor", "start": "1990"}, {"p": "P39", "s": "A", "o": "mayor"})
    twice = LabelledClaim(p="P39", s="A", o="mayor")
    assert measured(line, twice, twice) == (1, 1, 0)
    assert measured(line, LabelledClaim(p="P19", s="A", o="B"), LabelledClaim(p="P19", s="A", o="b")) == (1, 0, 1)


# ------------------------------------------------------------------ responses


def verdict(right: bool | None, faulty: bool, category: str) -> TextVerdict:
    return TextVerdict(SetText("c", "q", "t", None, right, faulty, 1), category, "yes", "R1")


def test_what_is_convicted_is_counted_of_sound_and_of_faulty_texts_and_what_has_no_verdict_is_not_convicted() -> None:
    judged = [
        verdict(True, False, "normal"), verdict(True, False, "both"),
        verdict(True, True, "error_knowledge"), verdict(True, True, ""), verdict(False, True, "unattributed"),
        verdict(False, False, "unattributed"),
    ]  # fmt: skip
    found = responses.figures("set", judged, unplaced=3)
    assert (found.n, found.judged, found.unplaced) == (6, 5, 3)
    assert hits(found.sound_convicted) == (1, 2)
    assert hits(found.recall) == (2, 3)
    assert hits(found.right_faulty_found) == (1, 2)
    assert hits(found.precision) == (2, 4)


def test_nothing_to_count_is_no_figure() -> None:
    found = responses.figures("set", [verdict(True, False, "normal")])
    assert hits(found.sound_convicted) == (0, 1)
    assert (found.precision, found.recall, found.right_faulty_found) == (None, None, None)


# ------------------------------------------------------------------ the command on real files


def run(*arguments: str) -> Any:
    app = typer.Typer()
    oracle.register(app)
    return CliRunner().invoke(app, ["oracle", "measure", *arguments], catch_exceptions=False, env={"COLUMNS": "200"})


def test_the_command_reads_both_kinds_of_claims_and_the_answers(tmp_path: Path) -> None:
    files = texts.FOLDER
    written = tmp_path / "figures.json"
    assert run("answers", str(files / "yes-no.jsonl"), "--json", str(written)).exit_code == 0
    figures = json.loads(written.read_text())
    assert set(figures) == {"n", "accuracy", "by_draw", "confusion", "contradictory", "abstain"}
    assert figures["accuracy"]["low"] < figures["accuracy"]["value"] < figures["accuracy"]["high"]
    assert set(figures["contradictory"]) == {"of", "found", "called", "right"}
    both = [str(files / "sentences.jsonl"), str(files / "facts.jsonl")]
    assert run("claims", *both, "--json", str(written)).exit_code == 0
    figures = json.loads(written.read_text())
    assert set(figures) == {"n", "gold", "found", "wrong", "recall", "precision", "by_property"}
    assert 0 < figures["found"] < figures["gold"]


def test_the_command_judges_responses_on_cases_that_no_benchmark_has_and_names_what_it_cannot_measure(
    session: Session, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(session, [("c1", "Yes.")])
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    monkeypatch.setenv("HALLUVAULT_STANZA_DIR", str(tmp_path))
    settings.cache_clear()
    case = {
        "id": "elsewhere", "question": "Was Charles Dickens born in Portsmouth?", "gold": "yes", "group_id": "g",
        "mutation": "original", "relation": "same", "rule_kind": "inverse", "fact": FACTS["c1"],
        "premises": [PREMISE | {"sid": 999}], "suite": "relation", "unknown": 1,
    }  # fmt: skip
    line = {
        "question": case["question"],
        "gold": "yes",
        "case": "elsewhere",
        "hallucination": False,
        "category": "none",
    }
    right = line | {"stance": "yes", "text": "Yes.\n1. Charles Dickens was born in Portsmouth.", "claims": []}
    wrong = line | {"stance": "no", "text": "No.\n1. He lived on Mars.", "hallucination": True, "category": "both"}
    files = write(tmp_path / "r.jsonl", right, wrong), write(tmp_path / "c.jsonl", case)
    written = tmp_path / "figures.json"
    done = run(
        "responses", str(files[0]), "--cases", str(files[1]), "--database", "--profile", "paper/anchored",
        "--profile", "paper/stanza", "--json", str(written),
    )  # fmt: skip
    settings.cache_clear()
    assert done.exit_code == 0, done.output
    figures = json.loads(written.read_text())
    assert set(figures) == {"n", "profiles"}
    measured_one = figures["profiles"]["paper/anchored"]
    assert measured_one["precision"]["value"] == measured_one["recall"]["value"] == 1
    assert measured_one["sound_convicted"]["hits"] == 0
    assert "stanza's English models are not in" in figures["profiles"]["paper/stanza"]["unmeasured"]
    with pytest.raises(UserError, match="no case 'elsewhere'"):
        run(
            "responses",
            str(files[0]),
            "--cases",
            str(write(tmp_path / "o.jsonl", case | {"id": "other"})),
            "--database",
        )
