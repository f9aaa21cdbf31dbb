"""Programs of cases that ask for more than yes or no: they run by themselves, and labels never become code."""

import subprocess
from pathlib import Path

import pytest

from halluvault_tasks.reasoning.case_proofs import label, members, response
from halluvault_tasks.reasoning.case_proofs.matching import MatchedPair, matching
from halluvault_tasks.reasoning.case_proofs.program import Cited
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.grounds import Licence, Reason
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.relation import Relation

PROLOG = REPOSITORY / "prolog_rules"
HOSTILE = 'halt. % \'), \\+ \\ “{}” "~w"'
FOIL = StatementFoil(
    Relation.of(19), 1, 3, None, "another item", Licence(Reason.OTHER_VALUE, 7, f"by {HOSTILE}\nhalt.")
)


def printed(program: str, folder: Path) -> str:
    """What `swipl proof.pl` prints in an empty folder; nothing may stand on standard error."""
    (folder / "proof.pl").write_text(program, encoding="utf-8")
    run = subprocess.run(
        ["swipl", "proof.pl"], cwd=folder, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        check=True,
    )  # fmt: skip
    assert run.stderr == ""
    return run.stdout.removesuffix("\n")


def test_the_rules_pass_their_own_tests_in_swipl_alone() -> None:
    run = subprocess.run(
        ["swipl", "-g", "run_tests", "-t", "halt", str(PROLOG / "tests" / "cases.plt")],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stderr


@pytest.mark.parametrize("rules", sorted((PROLOG / "cases").glob("*.pl")), ids=lambda file: file.stem)
def test_rules_without_facts_decide_nothing(rules: Path, tmp_path: Path) -> None:
    assert printed(rules.read_text(encoding="utf-8"), tmp_path) == "undecided"


def test_labels_are_printed_as_they_are_and_never_run(tmp_path: Path) -> None:
    cited = [Cited("Q1-a", 1, 19, HOSTILE, f"{HOSTILE}\nhalt.")]
    for program, answer in (
        (matching([MatchedPair("Q1-a", HOSTILE, "a"), MatchedPair("Q2-b", "b", HOSTILE)]), f"a, {HOSTILE}"),
        (label.document(HOSTILE, cited), HOSTILE),
        (label.labelled(HOSTILE, f"of {HOSTILE}\nhalt."), HOSTILE),
        (members.right_member("summary", HOSTILE, cited, members.saying(cited, cited)), HOSTILE),
        (members.false_member(cited, members.excluded(2, FOIL)), "yes"),
        (response.response(HOSTILE, response.value(1, 19, 2, HOSTILE)), HOSTILE),
        (response.response("", response.missing([(HOSTILE, "b")], HOSTILE, HOSTILE)), "decline"),
        (response.response("", response.namesakes([(1, HOSTILE), (2, "b")])), f"ask: {HOSTILE}; b"),
    ):
        assert printed(program, tmp_path) == answer
