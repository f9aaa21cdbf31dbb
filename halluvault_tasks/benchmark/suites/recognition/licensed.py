"""All licensed swaps of a snapshot, task by task."""

from collections.abc import Collection, Iterator, Mapping

from halluvault_tasks.benchmark.suites.recognition.answers import AnswerSwaps
from halluvault_tasks.benchmark.suites.recognition.dialogues import DialogueSwaps
from halluvault_tasks.benchmark.suites.recognition.summaries import SummarySwaps
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap, Task
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatements


class LicensedSwaps:
    """All of them.

    Args:
        statements: what is asked about.
        questions: property → open question, with `{s}`.
    """

    def __init__(self, statements: SoleStatements, questions: Mapping[int, str]) -> None:
        self.statements = statements
        self._tasks: Mapping[Task, AnswerSwaps | DialogueSwaps | SummarySwaps] = {
            "qa": AnswerSwaps(statements, questions),
            "dialogue": DialogueSwaps(statements, questions),
            "summary": SummarySwaps(statements),
        }

    def of_task(self, task: Task) -> Iterator[Swap]:
        """The swaps of one task, in a fixed order."""
        for one in self.statements.all:
            yield from self._tasks[task].of(one, None)

    def among(self, task: Task, s: int, p: int, others: Collection[int]) -> Iterator[Swap]:
        """The swaps of one statement that put one of these in the right value's place, whatever `of_task` drew."""
        if one := self.statements.of(s, p):
            yield from self._tasks[task].of(one, others)
