"""Programs that others wrote: they answer, or are refused with the reason, and touch nothing."""

from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.prolog import sandbox


def test_a_program_gives_its_solutions_in_order_each_once() -> None:
    assert sandbox.answers("answer(X) :- member(X, [b, 'a c', b]).") == ["b", "a c"]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("answer(X) :- answer(X).", "it does not end"),
        ("answer(X) :- length(L, 100000000), X = L.", "it takes too much"),
        ("answer(X) :- open('/etc/passwd', read, S), read(S, X).", "open"),
        (":- open('left', write, _).\nanswer(1).", "open"),
        (":- shell('touch left').\nanswer(1).", "shell"),
        ("fact(1).", "no answer/1"),
        ("answer(1) :- fail.", "no solution"),
        ("answer(", "Syntax error"),
    ],
)
def test_what_does_not_end_or_touches_the_outside_is_refused(program: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=why):
        sandbox.answers(program.replace("left", str(tmp_path / "left")), seconds=0.5)
    assert not list(tmp_path.iterdir())
