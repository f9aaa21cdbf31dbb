"""The judge of the suite memory_external, which says nothing of a text by itself.

Whether an answer leaves its document is told of all answers about the document together, and only against answers that
people labelled (`results.suites.external`), so a reply by itself is held for review and has no rate. One that is no
text at all is unread, as everywhere.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.memory_external.fact import NAME
from halluvault_tasks.oracles.profile import Held, OracleProfile
from halluvault_tasks.oracles.suites.judge import SuiteJudge

PROFILE = "memory_external/density"
PROFILES = (OracleProfile(PROFILE, "1", held=Held("1", labelled=224, same=43, documents=112)),)
"""By language models: 178 responses by two, who gave the same labels, 46 by a third. It tells no better than chance."""


def verdicts(session: Session, snapshot: str, batch: Sequence[tuple[Any, Any]]) -> list[list[dict[str, Any]]]:
    """A verdict of each response: nothing is said of a text."""
    text = {"answer": "text", "category": "review", "sub_label": "scored with its document"}
    return [[{"profile": PROFILE, "correct": None, "detail": {}} | text] for _ in batch]


JUDGE = SuiteJudge(NAME, PROFILES, verdicts)
