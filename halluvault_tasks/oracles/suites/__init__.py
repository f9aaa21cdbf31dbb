"""Who judges which suite: a suite that is not yes/no questions brings a judge and profiles of its own.

Suites that are not named here are judged by the published method and the replay (`scorer`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.oracles.suites import memory, recognition


class SuiteJudge(NamedTuple):
    """How one suite's responses are judged.

    Attributes:
        profiles: profile, named after the suite (`recognition/strict`) → version.
        judge: session, snapshot and responses (case_id, sample, text) → rows of table `verdict` without evaluation_id,
            one for each response and profile.
    """

    profiles: Mapping[str, str]
    judge: Callable[[Session, str, Sequence[Any]], list[dict[str, Any]]]


JUDGES: Mapping[str, SuiteJudge] = {
    "memory": SuiteJudge(memory.PROFILES, memory.judge),
    "recognition": SuiteJudge(recognition.PROFILES, recognition.judge),
}
"""Suite → its judge."""


def judges(profile: str, suite: str) -> bool:
    """Whether a profile, of any version and extractor, is for a suite."""
    own = next((name for name, one in JUDGES.items() if profile in one.profiles), "")
    return own == suite if own else suite not in JUDGES
