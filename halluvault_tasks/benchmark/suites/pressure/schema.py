"""A pressure case as data: inputs, constraints, oracle, tags, class, domain, difficulty (the post's case schema).

The same model checks cases from a file, is published as a JSON Schema and is stored in `benchmark_case.fact`.
"""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

NAME = "pressure"

Class = Literal[
    "time-shift", "stale-context", "nonexistent-citation", "conflict-RAG", "retrieval", "multi-hop", "calc",
    "ambiguity", "false-premise", "format-guard", "negation", "near-duplicate", "id-precision", "brevity-stress",
    "instr-conflict", "OOD",
]  # fmt: skip

CLASSES: tuple[Class, ...] = get_args(Class)

Difficulty = Literal["easy", "medium", "hard"]

DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

Expected = Literal["answer", "decline", "ask", "repair"]
"""What a response is to do: answer; say that nothing shows it; ask which is meant or list every case; say that the
premise is false and what is true instead."""

Names = Annotated[tuple[str, ...], Field(min_length=1)]
"""Spellings of one thing, the first the one that is shown."""

BOUND: frozenset[Class] = frozenset({"stale-context", "conflict-RAG", "retrieval", "instr-conflict"})
"""Classes whose answer must come from the supplied lines, and show which."""


STEPPED: frozenset[Class] = frozenset({"multi-hop", "calc"})
"""Classes whose steps must be shown, and be right."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Line(_Strict):
    """A line of context."""

    id: str = Field(pattern=r"^[A-Z][0-9]{1,6}$")
    """As it is cited: L1."""
    text: str = Field(min_length=1)


class Inputs(_Strict):
    """What the model is given."""

    prompt: str = Field(min_length=1)
    system: str | None = None
    """Rules that stand above the prompt."""
    opening: str | None = None
    """What a turn before it tells; the model answers that first."""
    context: tuple[Line, ...] = ()

    @model_validator(mode="after")
    def _ids_once(self) -> "Inputs":
        ids = [line.id for line in self.context]
        if len(set(ids)) < len(ids):
            raise ValueError(f"context: give each id once, not {', '.join(ids)}")
        return self


class Constraints(_Strict):
    """Demands on the form. What is not demanded is not looked at."""

    words: int | None = Field(default=None, ge=1)
    """At most so many."""
    bullets: int | None = Field(default=None, ge=1)
    """Exactly so many list points, and nothing else."""
    labels: tuple[str, ...] = ()
    """What the points begin with, in this order."""
    date: Names | None = None
    """The date that must be repeated."""
    quote_words: int | None = Field(default=None, ge=2)
    """A quotation of so many words in a row."""
    cite: bool = False
    """The line's id or a quotation must be given."""
    first: bool = False
    """The answer stands first: of a choice by letters, the letter."""


class Oracle(_Strict):
    """What decides a response."""

    kind: Literal["exact", "program", "proof", "retrieval", "calc"]
    expected: Expected = "answer"
    right: tuple[Names, ...] = ()
    """Everything that must be named, each with its spellings; of `ask` the answer of each case."""
    wrong: tuple[Names, ...] = ()
    """Answers that fail: stale, false, of another bearer."""
    steps: tuple[Names, ...] = ()
    """Intermediate results that must be shown; another one in its place is wrong."""
    around: tuple[Names, ...] = ()
    """What is as true as a step, and none of them: where the place of a step lies."""
    lines: tuple[str, ...] = ()
    """Ids of the lines that show the answer."""
    index: tuple[str, ...] = ()
    """Every identifier that exists, as far as the case goes."""
    program: str | None = Field(default=None, max_length=10_000)
    """Prolog with `answer/1`, whose solutions are `right`; run in SWI-Prolog's sandbox, when the case is read."""

    @model_validator(mode="after")
    def _whole(self) -> "Oracle":
        if (self.kind == "program") != (self.program is not None):
            raise ValueError("`program` is given with kind: program, and only with it")
        if self.kind != "program" and self.expected != "decline" and not self.right:
            raise ValueError("`right` is empty: only a case that should be declined has nothing to name")
        if self.expected == "ask" and len(self.right) < 2 and self.kind != "program":
            raise ValueError(
                "`right` must have at least two answers, one for each possibility, if a response should ask"
            )
        if self.kind == "proof" and not self.steps:
            raise ValueError("`steps` is empty: a proof needs steps")
        if self.kind == "retrieval" and not self.lines and self.expected == "answer":
            raise ValueError("`lines` is empty: retrieval names the lines with the answer")
        return self


class PressureCase(_Strict):
    """One case, whoever wrote it."""

    inputs: Inputs
    constraints: Constraints = Constraints()
    oracle: Oracle
    tags: tuple[str, ...] = ()
    klass: Class = Field(alias="class")
    domain: str = Field(min_length=1)
    difficulty: Difficulty

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    @model_validator(mode="after")
    def _lines_exist(self) -> "PressureCase":
        known = {line.id for line in self.inputs.context}
        if unknown := sorted(set(self.oracle.lines) - known):
            raise ValueError(f"oracle.lines: no line {unknown[0]!r} in inputs.context")
        return self

    @property
    def counted_under(self) -> tuple[str, ...]:
        """Its tags, each once; its class where it has none."""
        return tuple(dict.fromkeys(self.tags or (self.klass,)))

    @property
    def question(self) -> str:
        """Everything that the last turn shows."""
        context = "\n".join(f"[{line.id}] {line.text}" for line in self.inputs.context)
        parts = (self.inputs.system and f"Rules: {self.inputs.system}", context and f"Context:\n{context}")
        return "\n".join([*filter(None, parts), self.inputs.prompt])

    @property
    def gold(self) -> str:
        """What a right response does and names, as the proof prints it."""
        named = "; ".join(names[0] for names in self.oracle.right)
        if self.oracle.expected == "answer":
            return named
        return f"{self.oracle.expected}: {named}" if named else self.oracle.expected


class PressureFact(_Strict):
    """`benchmark_case.fact` of this suite."""

    case: PressureCase
    opening: str | None = None
    """Again, as the slot of the templates."""
    cluster: str
    """What the case is about: the cluster of intervals."""
    grading: Literal["automatic", "retrieval", "audited"]
    source: Literal["snapshot", "file"]
    why: str
    """What shows that the gold answer is right."""


def json_schema() -> dict[str, object]:
    """The JSON Schema of a case, as `halluvault suites schema` prints it."""
    return PressureCase.model_json_schema(by_alias=True)
