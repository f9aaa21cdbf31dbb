"""What of a hand-written file stands in a program that runs by itself."""

from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.prolog.clauses import clauses
from halluvault_tasks.prolog.terms import fact

FILE = """\
:- module(m, [a/1,
              b/1]).
:- use_module(library(lists)).

/** <module> What it is
*/

%!  a(?X) is det.

a('50 % of it').   % a remark



b(X) :- a(X).      % another  % and more
"""


def test_clauses_stand_without_comments_and_module_under_the_name_of_their_file(tmp_path: Path) -> None:
    (tmp_path / "m.pl").write_text(FILE, encoding="utf-8")
    assert clauses(tmp_path, "m.pl") == "% From prolog_rules/m.pl\n\na('50 % of it').\n\nb(X) :- a(X).\n"
    with pytest.raises(UserError, match=r"no Prolog file n\.pl"):
        clauses(tmp_path, "n.pl")


def test_a_fact_holds_integers_as_they_are_and_any_text_as_an_atom() -> None:
    assert fact("p", 1, -2, "3", "O'Brien\\\n).") == r"p(1, -2, '3', 'O\'Brien\\\n).')."
    with pytest.raises(TypeError):
        fact("p", True)
