"""The registry of suites: each a folder here and a line below.

One that asks yes/no questions needs nothing else. Of the open one and of companion suites the judge stands in
`oracles.suites`, figures, pictures and sheets in `results.suites`: a line there each (docs/questions.md, *A further
suite*).
"""

from collections.abc import Collection, Mapping
from typing import Any

from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.memory import suite as memory
from halluvault_tasks.benchmark.suites.memory_external import suite as memory_external
from halluvault_tasks.benchmark.suites.open import suite as open_questions
from halluvault_tasks.benchmark.suites.open.open_suite import OpenSuite
from halluvault_tasks.benchmark.suites.pressure import suite as pressure
from halluvault_tasks.benchmark.suites.question_suite import QuestionSuite
from halluvault_tasks.benchmark.suites.recall import suite as recall
from halluvault_tasks.benchmark.suites.recognition import suite as recognition
from halluvault_tasks.benchmark.suites.relation import suite as relation
from halluvault_tasks.benchmark.suites.suite import Suite
from halluvault_tasks.benchmark.suites.temporal import suite as temporal
from halluvault_tasks.errors import UserError

QUESTIONS: Mapping[str, QuestionSuite] = {
    suite.name: suite
    for suite in (
        relation.SUITE,
        temporal.SUITE,
        recall.SUITE,
    )
}
"""Suites of yes/no questions about facts, switched on and sized in benchmark.yaml."""

OPEN: Mapping[str, OpenSuite] = {open_questions.SUITE.name: open_questions.SUITE}
"""The suite whose questions want a name, a date or a number, switched on and sized in benchmark.yaml, too."""

COMPANIONS: Mapping[str, CompanionSuite[Any]] = {
    suite.name: suite
    for suite in (
        memory.SUITE,
        memory_external.SUITE,
        recognition.SUITE,
        pressure.SUITE,
    )
}
"""Suites that ask something else, switched on in suites.yaml."""

SUITES: Mapping[str, Suite[Any]] = {**QUESTIONS, **OPEN, **COMPANIONS}
"""Name → suite, in the order in which parts are built."""


def chosen(names: Collection[str]) -> list[Suite[Any]]:
    """The suites of these names, in the order in which they are built.

    Raises:
        UserError: there is no such suite; names those that there are.
    """
    if unknown := sorted(set(names) - set(SUITES)):
        raise UserError(f"no suite {unknown[0]!r}; there are {', '.join(SUITES)}", "give one of them as --suite")
    return [suite for name, suite in SUITES.items() if name in names]
