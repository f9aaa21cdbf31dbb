"""The proof of a question that is the opposite of what its program decides."""

import re
from functools import cache

from halluvault_tasks.prolog.clauses import clauses
from halluvault_tasks.settings import SHARE

_START = re.compile(r"^:- initialization\(main, main\)\.$", re.MULTILINE)


def proof_of(program: str, opposed: bool) -> str:
    """The base proposition's program, its answer turned round if the wording opposes it.

    Raises:
        ValueError: the program does not start with `:- initialization(main, main).`, so that it cannot be turned.
    """
    # A whole line: a label in a comment may spell the same words.
    if len(_START.findall(program)) != 1:
        raise ValueError(f"a proof must start itself by {_START.pattern!r}, once: {program[:200]!r}")
    return _START.sub(lambda _: _rules(), program) if opposed else program


@cache
def _rules() -> str:
    return clauses(SHARE / "prolog_rules", "turned.pl").rstrip()
