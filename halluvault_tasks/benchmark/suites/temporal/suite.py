"""The suite temporal: formulas over a subject's history."""

from halluvault_tasks.benchmark.suites.question_suite import QuestionSuite
from halluvault_tasks.benchmark.suites.suite import NAMES
from halluvault_tasks.benchmark.suites.temporal.evidence import prove
from halluvault_tasks.benchmark.suites.temporal.find import find

SUITE = QuestionSuite(
    name="temporal",
    find=find,
    prove=prove,
    weights=lambda quotas: {str(operator): weight for operator, weight in quotas.operators.items()},
    wordings=(*NAMES, "atoms", "dates", "terms", "titles"),
)
