"""General queries: the least alike responses go to labellers; what most say comes back as HaluEval's file."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.suites.recognition import general, halueval
from halluvault_tasks.benchmark.wording.generations import Manner
from halluvault_tasks.cli import app, register
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import settings

QUERIES = {"What is 2 + 2?": ["4", "4", "4"], "Who wrote Zog?": ["Ann", "Ben", "=Carl"], "Sing!": ["la", "la", "lo"]}


SAID = {
    "anna": ("Yes", "No"), "ben": ("yes", "Yes"), "carl": ("No", "No"), "dora": ("No", "Yes"), "known": ("", "No"),
}  # fmt: skip
"""What each labeller says of the text about Zog, and of the song."""


class Scripted:
    """A model server that gives a query's replies in turn."""

    def __init__(self) -> None:
        self.seen: list[Manner] = []

    def __call__(self, model: str, prompts: Sequence[str], manner: Manner) -> list[str | None]:
        self.seen.append(manner)
        given: dict[str, int] = {}
        replies: list[str | None] = []
        for prompt in prompts:
            replies.append(QUERIES[prompt][given.get(prompt, 0)])
            given[prompt] = given.get(prompt, 0) + 1
        return replies


def alike(texts: Sequence[str], others: Sequence[str]) -> list[float]:
    return [float(one == other) for one, other in zip(texts, others, strict=True)]


def _labelled(file: Path, responses: Path, said: tuple[str, str]) -> str:
    """A sheet made by the command, filled in by the labeller it is named after; returns its path."""
    words = ["oracle", "label", "texts", str(file), "--annotator", file.stem, "--from", str(responses)]
    made = CliRunner().invoke(app, words)
    assert made.exit_code == 0, made.output
    rows = list(csv.DictReader(file.open(encoding="utf-8", newline="")))
    assert {row["asked"] for row in rows} == {"Who wrote Zog?", "Sing!"}
    for row in rows:
        row["hallucination"] = said[row["asked"] == "Sing!"]
        row["non-factual"] = "Ann" if row["text"] == "Ann" and file.stem == "anna" else ""
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(file)


def test_the_least_alike_are_kept_labelled_by_those_who_agree_with_a_known_sheet_and_imported(
    session: Session, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Scripted()
    listed = tmp_path / "queries.txt"
    listed.write_text("\n".join([*QUERIES, '{"instruction": "Sing!"}']), encoding="utf-8")
    queries = general.read_queries(listed)
    assert queries == list(QUERIES)
    kept = general.sample(session, "scripted", queries, 2, server, alike)
    assert server.seen[0].sampling == {"max_new_tokens": 256, "temperature": 1.0, "do_sample": True}
    assert [(one.query, one.similarity) for one in kept] == [("Who wrote Zog?", 0.0), ("Sing!", 0.3333)]
    assert general.sample(session, "scripted", queries, 2, None, alike) == kept, "what is stored is not asked again"

    responses = tmp_path / "responses.jsonl"
    general.write(kept, responses)
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    register("oracle")
    sheets = [_labelled(tmp_path / f"{name}.csv", responses, said) for name, said in SAID.items()]
    to = tmp_path / "general.jsonl"
    *labelled, known = sheets
    asked = ["oracle", "label", "votes", *labelled, "--gold", known, "--from", str(responses), "--to", str(to)]
    refused = CliRunner().invoke(app, asked)
    assert isinstance(refused.exception, UserError) and "2 labellers are admitted" in str(refused.exception)
    assert not to.exists()
    rows_of = {
        line.split("│")[1].strip(): line.split("│")[2].strip() for line in refused.output.splitlines() if "│" in line
    }
    assert rows_of == {
        "labellers admitted": "2 of 4", "anna agrees with the known sheet": "100.0 %",
        "ben agrees with the known sheet": "0.0 %", "carl agrees with the known sheet": "100.0 %",
        "dora agrees with the known sheet": "0.0 %", "texts that all labelled": "2", "Fleiss' κ": "-0.333",
        "hallucination, by most": "0 of 1", "ties, without a label": "1",
    }  # fmt: skip
    told = CliRunner().invoke(app, ["oracle", "label", "votes", *sheets[:3], "--from", str(responses), "--to", str(to)])
    assert told.exit_code == 0, told.output
    assert "3 of 3" in told.output
    assert "1 of 2" in told.output
    found = halueval.read(to, "general")
    assert {(one.setting, one.right, one.false) for one in found.rows} == {
        ("Who wrote Zog?", "", "Ann"), ("Sing!", "la", ""),
    }  # fmt: skip
    assert found.notices == ()
    settings.cache_clear()
    with pytest.raises(UserError, match="cannot be read: KeyError"):
        general.read(_other(tmp_path))


def _other(directory: Path) -> Path:
    file = directory / "other.jsonl"
    file.write_text('{"a": 1}', encoding="utf-8")
    return file
