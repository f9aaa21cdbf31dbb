"""What the documents point to exists: files by their links, rules of semantics.md by their numbers."""

import re
import subprocess
from pathlib import Path

import pytest

from halluvault_tasks.settings import REPOSITORY

TRACKED = [
    path
    for name in subprocess.run(
        ["git", "ls-files", "*.md", "*.py", "*.pl", "*.sql", "*.yaml", "*.toml"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    if (path := REPOSITORY / name).is_file()
]  # fmt: skip
DOCUMENTS = [path for path in TRACKED if path.suffix == ".md"]
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(?:#[^)]*)?\)")
CITED = re.compile(r"semantics(?:\.md)?\)?[\s#*-]+(?:§\s?|sections? )?(\d(?:\.\d+)?)(?:[-–](\d(?:\.\d+)?))?")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_link_of_a_document_leads_to_a_file(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_rule_that_is_cited_stands_in_semantics_md() -> None:
    page = (REPOSITORY / "docs" / "semantics.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"^##+ (\d(?:\.\d+)?) ", page, re.MULTILINE))
    cited = {
        (rule, str(path.relative_to(REPOSITORY)))
        for path in TRACKED
        for pair in CITED.findall(path.read_text(encoding="utf-8"))
        for rule in pair
        if rule
    }
    assert len(cited) > 50, "the pattern finds the citations"
    assert sorted((rule, where) for rule, where in cited if rule not in rules) == []


def test_every_test_that_the_threat_model_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [
        (file, test) for file, test in named if f"def {test}(" not in (REPOSITORY / file).read_text(encoding="utf-8")
    ] == []
