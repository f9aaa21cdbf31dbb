"""The suite relation: what the month derives, and single values in many forms."""

from halluvault_tasks.benchmark.suites.question_suite import QuestionSuite
from halluvault_tasks.benchmark.suites.relation.evidence import prove
from halluvault_tasks.benchmark.suites.relation.find import find
from halluvault_tasks.benchmark.suites.suite import NAMES

WORDINGS = (
    *NAMES,
    "properties",
    "relations",
    "shared",
    "orders",
    "inverses",
    "bridges",
    "years",
    "ages",
    "countries",
    "dates",
)

SUITE = QuestionSuite(
    name="relation",
    find=find,
    prove=prove,
    weights=lambda quotas: {str(kind): weight for kind, weight in quotas.kinds.items()},
    wordings=WORDINGS,
    measured=True,
)
