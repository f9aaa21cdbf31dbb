"""A case as a value: a question, its answer, and what proves it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Case(NamedTuple):
    """One question of a benchmark, as rows of `cases` and `benchmark_case` have it."""

    id: str
    question: str
    gold: str
    group_id: str
    mutation: str
    relation: str
    suite: str
    domain: str
    rule_kind: str
    property: int | None
    subject: int | None
    object: int | None
    fact: dict[str, Any]
    premises: list[dict[str, Any]]
    proof: str


def told(premises: Sequence[Mapping[str, Any]], fact: Mapping[str, Any]) -> list[str]:
    """A case's evidence as sentences, in the order of its proof; of a finding of people what they found.

    Args:
        premises: `benchmark_case.premises`.
        fact: `benchmark_case.fact`.
    """
    return [premise["sentence"] for premise in premises] or ([fact["found"]] if "found" in fact else [])


_START = re.compile(r"^:- initialization\(main, main\)\.$", re.MULTILINE)

_TURNED = """:- initialization(asked, main).

% The question is the opposite of what is decided below (its negation, its antonym, or the converse of a relation that
% runs one way): its answer is turned round.
asked :-
    with_output_to(string(Base), main),
    normalize_space(atom(Answer), Base),
    turned(Answer, Turned),
    format("~w~n", [Turned]).

turned(yes, no).
turned(no, yes)."""


def proof_of(program: str, opposed: bool) -> str:
    """The base proposition's program, its answer flipped if the wording opposes it.

    Raises:
        ValueError: the program does not start with `:- initialization(main, main).`, so that it cannot be turned.
    """
    # A whole line: a label in a comment may spell the same words.
    if len(_START.findall(program)) != 1:
        raise ValueError(f"a proof must start itself by {_START.pattern!r}, once: {program[:200]!r}")
    return _START.sub(lambda _: _TURNED, program) if opposed else program
