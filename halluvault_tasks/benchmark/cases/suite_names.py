"""The names of the suites, and which of them the headline is over."""

from typing import Literal, get_args

QuestionName = Literal["relation", "temporal", "recall"]
"""A suite of yes/no questions about facts, switched on in benchmark.yaml."""

CompanionName = Literal["memory", "memory_external", "recognition", "pressure"]
"""A suite that asks something else, switched on in suites.yaml."""

COMPANIONS: tuple[CompanionName, ...] = get_args(CompanionName)

SuiteName = Literal[QuestionName, CompanionName]
"""A kind of question with a part of its own in each month; what finds and proves them is in `suites`."""

HEADLINE: tuple[QuestionName, ...] = ("relation", "temporal")
"""The suites that the headline is over (semantics.md §4.4); any other has rates of its own."""
