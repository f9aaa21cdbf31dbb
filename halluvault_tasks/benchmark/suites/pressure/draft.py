"""A case before it is chosen, and what generators build it of."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Expected, Inputs, Line, Oracle
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil

LETTERS = "abcd"


class CaseDraft(NamedTuple):
    """A case before it is chosen.

    Attributes:
        hardness: greater is harder, within its class.
        s: subject, or 0.
        p: property, or None.
        why: what shows that the right answer is right.
        argument: facts from which a proof derives it.
        foil: the false fact that a wrong answer says, or that is put to the model; None where there is none.
    """

    inputs: Inputs
    constraints: Constraints
    oracle: Oracle
    tags: tuple[str, ...]
    hardness: float
    s: int
    p: int | None
    o: int | None
    premises: tuple[Mapping[str, Any], ...]
    why: str
    argument: Facts
    foil: StatementFoil | None = None


Drafts = Iterator[CaseDraft]


def closed(text: str) -> str:
    """A text whose names bring their own commas, without those that stand before another mark."""
    return re.sub(r",(?=[,.?!)])", "", text)


def numbered(texts: Sequence[str]) -> tuple[Line, ...]:
    """Lines of context with ids L1, L2 …; line breaks within a text are closed up."""
    return tuple(Line(id=f"L{number}", text=" ".join(text.split())) for number, text in enumerate(texts, 1))


def ids_of(lines: Sequence[Line], texts: Iterable[str]) -> tuple[str, ...]:
    """Ids of the lines that hold these texts."""
    wanted = {" ".join(text.split()) for text in texts}
    return tuple(line.id for line in lines if line.text in wanted)


def expecting(expected: Expected, *right: Sequence[str], **more: Any) -> Oracle:
    """An oracle of exact names."""
    return Oracle(kind=more.pop("kind", "exact"), expected=expected, right=tuple(map(tuple, right)), **more)


def options(texts: Sequence[str], untrue: str) -> tuple[Inputs, Constraints, Oracle, str]:
    """Which one of four texts is not true is asked: inputs, constraints, oracle and the letter of the untrue one."""
    letter = LETTERS[texts.index(untrue)]
    listed = "\n".join(f"({name}) {text}" for name, text in zip(LETTERS, texts, strict=True))
    oracle = expecting("answer", [letter], wrong=tuple((each,) for each in LETTERS if each != letter))
    prompt = f"Which one of these is not true? Begin with its letter alone.\n{listed}"
    return Inputs(prompt=prompt), Constraints(first=True), oracle, letter
