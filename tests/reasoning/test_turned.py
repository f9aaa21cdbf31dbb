"""A question that denies what its program decides: the printed answer is turned round."""

import subprocess
from pathlib import Path

import pytest

from halluvault_tasks.reasoning.proving.turned import proof_of

START = ":- initialization(main, main)."


def printed(program: str, folder: Path) -> str:
    (folder / "proof.pl").write_text(program, encoding="utf-8")
    run = subprocess.run(
        ["swipl", "proof.pl"], cwd=folder, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    return run.stdout.strip()


@pytest.mark.parametrize("answer", ["yes", "no", "unproven"])
@pytest.mark.parametrize("first", [True, False])
def test_an_opposed_question_has_the_other_answer_and_what_is_not_shown_none(
    answer: str, first: bool, tmp_path: Path
) -> None:
    lines = [START, f"% {START}", f"main :- writeln({answer})."]
    program = "\n".join(lines if first else [*lines[1:], START]) + "\n"
    assert printed(proof_of(program, opposed=False), tmp_path) == answer
    assert printed(proof_of(program, opposed=True), tmp_path) == {"yes": "no", "no": "yes"}.get(answer, "")


@pytest.mark.parametrize("program", ["main :- true.\n", f"{START}\n{START}\n", f"% {START}\nmain.\n"])
def test_a_program_that_does_not_start_itself_once_cannot_be_turned(program: str) -> None:
    with pytest.raises(ValueError, match="must start itself"):
        proof_of(program, opposed=True)
